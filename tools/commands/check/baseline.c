/* Baselines of check: written, and lowered by --ratchet. */
#include "tools/commands/check/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/alloc.h"
#include "base/opt.h"
#include "model/build/builder.h"
#include "model/totals.h"
#include "writers/writer.h"

const char *pk_baseline_format(const struct pk_profiles *list)
{
	return pk_is_benchmark(list->item[0]) ? "store" : "profkit-baseline";
}

static int write_list(const char *path, const struct pk_profiles *list, const char *host,
		      struct pk_error *err)
{
	const struct pk_writer *writer = pk_writer_find(pk_baseline_format(list));
	struct pk_output *out = pk_output_open(path, err);
	void *params;
	int status;

	if (!out)
		return -1;
	params = pk_calloc(1, writer->params_size);
	pk_opt_defaults(writer->opts, params);
	if (host)
		pk_opt_set(pk_opt_find(writer->opts, "host"), host, params, err);
	status = pk_write(writer, list, params, out, err);
	free(params);
	if (status) {
		pk_output_discard(out);
		return -1;
	}
	return pk_output_commit(out, err);
}

int pk_baseline_write(const char *path, const struct pk_profiles *list, struct pk_error *err)
{
	const struct pk_profile *p = list->item[0];
	struct utsname name;
	PK_BUF_AUTO host = PK_BUF_INIT;

	if (!pk_is_benchmark(p) && !p->run.host[1] && !uname(&name))
		pk_buf_addf(&host, "%s %s", name.sysname, name.machine);
	return write_list(path, list, host.data, err);
}

/* A run of the side before, written again with lowered values. */
struct lowering {
	const struct pk_diff *diff[2]; /* the second may be NULL */
	uint32_t run;
	const struct pk_profile *p;
	struct pk_builder *b;
	bool *lowered; /* per row of the diff */
};

static int64_t lower(int64_t value, double ratio)
{
	return value == PK_NULL ? value : (int64_t)floor((double)value * ratio + 0.5);
}

/* The factor that lowers a measure of a row; 1 = not lowered. A wait is lowered to what was
 * measured: on a slower machine it may have been shorter still, but that is not known. */
static double ratio_of(const struct pk_diff *d, uint32_t row, enum pk_measure measure)
{
	const struct pk_change *c = &d->row[row].change[measure];
	double ratio = pk_change_ratio(c) / pk_diff_machine(d, row, measure);

	if (measure == PK_TOTAL && d->row[row].waiting_perhaps != d->row[row].waiting[PK_AFTER])
		return 1;
	return c->verdict == PK_IMPROVED && ratio >= 0 && ratio < 1 ? ratio : 1;
}

static uint32_t function_of(struct lowering *l, uint32_t function)
{
	const struct pk_function_table *t = &l->p->function;
	struct pk_function made = {
		.name = pk_build_text(l->b, pk_text(l->p, t->name[function])),
		.module = t->module[function]
				  ? pk_build_text(l->b, pk_text(l->p, t->module[function]))
				  : 0,
		.file = t->file[function] ? pk_build_text(l->b, pk_text(l->p, t->file[function]))
					  : 0,
		.line = t->line[function],
		.kind = (enum pk_function_kind)t->kind[function],
	};

	return pk_build_function(l->b, &made);
}

static void build_function(struct lowering *l, uint32_t metric, const struct pk_function_total *f)
{
	struct pk_edge edge = {
		.callee = function_of(l, f->function),
		.metric = metric,
		.calls = f->calls,
		.primitive_calls = f->primitive_calls,
		.self = f->self,
		.total = f->total,
		.self_raw = NAN,
		.total_raw = NAN,
	};

	for (int i = 0; i < 2; i++) {
		const struct pk_diff *d = l->diff[i];
		double self, total, calls;
		uint32_t row;

		if (!d)
			continue;
		row = d->match.side[PK_BEFORE].of_function[l->run][f->function];
		calls = ratio_of(d, row, PK_CALLS);
		edge.calls = lower(f->calls, calls);
		edge.primitive_calls = lower(f->primitive_calls, calls);
		if (d->side[PK_BEFORE].metric[l->run] != metric)
			continue;
		self = ratio_of(d, row, PK_SELF);
		total = ratio_of(d, row, PK_TOTAL);
		edge.self = lower(f->self, self);
		edge.total = lower(f->total, total);
		l->lowered[row] |= self < 1 || total < 1 || calls < 1;
	}
	pk_build_edge(l->b, &edge);
}

static void copy_run(struct lowering *l)
{
	const struct pk_run_table *t = &l->p->run;

	pk_build_run_text(l->b, PK_RUN_PRODUCER, pk_text(l->p, t->producer[1]));
	if (t->command[1])
		pk_build_run_text(l->b, PK_RUN_COMMAND, pk_text(l->p, t->command[1]));
	if (t->host[1])
		pk_build_run_text(l->b, PK_RUN_HOST, pk_text(l->p, t->host[1]));
	pk_build_period(l->b, pk_metric_period(l->p, 1));
}

static struct pk_profile *lower_run(struct lowering *l)
{
	const struct pk_metric_table *t = &l->p->metric;

	l->b = pk_builder_new();
	copy_run(l);
	for (uint32_t m = 1; m < t->count; m++) {
		struct pk_functions functions;

		pk_build_metric(l->b, pk_text(l->p, t->name[m]), pk_metric_unit(l->p, m),
				t->exponent[m], (enum pk_metric_kind)t->kind[m],
				(enum pk_exactness)t->exactness[m]);
		pk_functions_init(&functions, l->p, m);
		for (uint32_t i = 0; i < functions.count; i++)
			build_function(l, m, &functions.row[i]);
		pk_functions_release(&functions);
	}
	return pk_builder_finish(l->b);
}

int pk_baseline_lower(const char *path, const struct pk_diff *d, const struct pk_diff *memory,
		      uint32_t *lowered, struct pk_error *err)
{
	struct lowering l = {.diff = {d, memory == d ? NULL : memory}};
	struct pk_profiles list = {0};
	int status = 0;

	*lowered = 0;
	l.lowered = pk_calloc(d->match.count, sizeof(*l.lowered));
	for (uint32_t r = 0; r < d->side[PK_BEFORE].runs; r++) {
		l.run = r;
		l.p = d->match.side[PK_BEFORE].profile[r];
		pk_profiles_add(&list, lower_run(&l));
	}
	for (uint32_t i = 1; i < d->match.count; i++)
		*lowered += l.lowered[i];
	if (*lowered)
		status = write_list(path, &list, NULL, err);
	pk_profiles_release(&list);
	free(l.lowered);
	return status;
}
