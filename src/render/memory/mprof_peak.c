/* What `mprof peak FILE...` of memory_profiler prints, also with --func. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "render/memory/grid.h"

static double in_mib(int64_t bytes)
{
	return (double)bytes / 1048576;
}

/*
 *	both.dat	117.820 MiB
 *	  Child 4641			32.105 MiB
 *
 * Children are in the order in which they come in the file, as processes are. A function that is
 * not there has NaN, without children.
 */
static void put_children(struct pk_buf *buf, const struct pk_memory *m)
{
	const struct pk_process_table *t = &m->profile->process;
	PK_FREED int64_t *highest = pk_calloc(t->count, sizeof(*highest));

	for (uint32_t i = 0; i < m->series_count; i++)
		highest[m->series[i].process] = m->series[i].highest;
	for (uint32_t i = 1; i < t->count; i++)
		if (t->pid[i] != PK_NULL)
			pk_buf_addf(buf, "  Child %" PRId64 "\t\t\t%.3f MiB\n", t->pid[i],
				    in_mib(highest[i]));
}

static bool is_named(const struct pk_profile *p, uint32_t function, const char *name)
{
	const char *module = pk_text(p, p->function.module[function]);
	size_t len = strlen(module);

	return pk_starts_with(name, module) && (!len || name[len] == '.') &&
	       !strcmp(name + len + (len > 0), pk_text(p, p->function.name[function]));
}

struct call {
	int64_t begin, end; /* end: the last of all that begin before, once they are sorted */
};

PK_COMPARE(by_begin, struct call, PK_ORDER(a->begin, b->begin))

/* The calls of the function, in the order of time. */
static uint32_t find_calls(const struct pk_profile *p, const char *name, struct call *call)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < p->span.count; i++)
		if (is_named(p, pk_node_function(p, p->span.node[i]), name))
			call[count++] = (struct call){p->span.time[i], pk_span_end(p, i)};
	pk_sort(call, count, sizeof(*call), by_begin);
	for (uint32_t i = 1; i < count; i++)
		if (call[i].end < call[i - 1].end)
			call[i].end = call[i - 1].end;
	return count;
}

/* The most memory of the process itself while calls of the function ran; PK_NULL if there is no
 * value. */
static int64_t peak_within(const struct pk_profile *p, const char *name)
{
	const struct pk_counter_table *c = &p->counter;
	PK_FREED struct call *call = pk_calloc(p->span.count, sizeof(*call));
	uint32_t count = find_calls(p, name, call);
	int64_t peak = PK_NULL;

	for (uint32_t k = 1; k < c->count; k++) {
		/* the first that begins later */
		uint32_t low = PK_BISECT(i, 0, count, call[i].begin <= c->time[k]);

		if (low && c->time[k] <= call[low - 1].end &&
		    p->process.pid[c->process[k]] == PK_NULL && (int64_t)c->value[k] > peak)
			peak = (int64_t)c->value[k];
	}
	return peak;
}

int pk_mprof_peak(const struct pk_profile *p, const char *function, struct pk_output *out,
		  struct pk_error *err)
{
	uint32_t metric = pk_memory_metric(p, "peak");
	PK_BUF_AUTO buf = PK_BUF_INIT;
	int64_t peak = PK_NULL;
	struct pk_memory m;

	if (strcmp(pk_text(p, p->run.format[1]), "mprof") || !metric)
		return pk_fail(err, PK_EFORMAT, "--like mprof-peak: '%s' is no file of mprof run",
			       pk_text(p, p->run.source[1]));
	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == metric)
			peak = p->cost.self[i];
	if (function)
		peak = peak_within(p, function);
	pk_buf_addf(&buf, "%s\t", pk_text(p, p->run.source[1]));
	if (peak == PK_NULL) {
		pk_buf_adds(&buf, "NaN MiB\n");
	} else {
		pk_buf_addf(&buf, "%.3f MiB\n", in_mib(peak));
		pk_memory_init(&m, p);
		put_children(&buf, &m);
		pk_memory_release(&m);
	}
	pk_output_write(out, buf.data, buf.len);
	return 0;
}
