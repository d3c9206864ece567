/* What `mprof peak FILE...` of memory_profiler prints. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "render/memory/grid.h"

static double in_mib(int64_t bytes)
{
	return (double)bytes / 1048576;
}

/*
 *	both.dat	117.820 MiB
 *	  Child 4641			32.105 MiB
 *
 * Children are in the order in which they come in the file, as processes are.
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

int pk_mprof_peak(const struct pk_profile *p, struct pk_output *out, struct pk_error *err)
{
	uint32_t metric = pk_memory_metric(p, "peak");
	PK_BUF_AUTO buf = PK_BUF_INIT;
	struct pk_memory m;

	if (strcmp(pk_text(p, p->run.format[1]), "mprof") || !metric)
		return pk_fail(err, PK_EFORMAT, "--like mprof-peak: '%s' is no file of mprof run",
			       pk_text(p, p->run.source[1]));
	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == metric)
			pk_buf_addf(&buf, "%s\t%.3f MiB\n", pk_text(p, p->run.source[1]),
				    in_mib(p->cost.self[i]));
	pk_memory_init(&m, p);
	put_children(&buf, &m);
	pk_memory_release(&m);
	pk_output_write(out, buf.data, buf.len);
	return 0;
}
