/*
 * HTA's table of hardware counters by operator: what CUPTI counted in each kernel, of a trace that
 * torch.profiler recorded with CUPTI's range profiler, which has no kernels of their own.
 *
 *	{"cat": "cuda_profiler_range", "name": "gemm", "ts": 7, "dur": 12,
 *	 "args": {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 38731776}}
 *
 * The n-th of these is the work of the n-th cudaLaunchKernel. HTA has a column for each counter;
 * here a counter of a kernel is a row.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/like/hta_internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/events/nest.h"

PK_COMPARE(by_begin, struct pk_hta_event,
	   PK_ORDER(a->start, b->start) ?: PK_ORDER(a->span, b->span))

static bool is_range(const struct pk_hta_trace *t, const struct pk_hta_event *e)
{
	const struct pk_profile *p = t->profile;

	return !strcmp(pk_text(p, p->span.category[e->span]), "cuda_profiler_range");
}

static bool is_launch(const struct pk_hta_trace *t, const struct pk_hta_event *e)
{
	return t->launches.activity[e->span] == PK_ACT_RUNTIME &&
	       pk_starts_with(pk_hta_name(t, e), "cudaLaunchKernel");
}

/* Finds the events of the host that are `what`, in the order of time. */
static struct pk_hta_event *find(const struct pk_hta_trace *t, uint32_t *count,
				 bool (*what)(const struct pk_hta_trace *t,
					      const struct pk_hta_event *e))
{
	struct pk_hta_event *found = pk_malloc(pk_mul((size_t)t->hosts + 1, sizeof(*found)));

	*count = 0;
	for (uint32_t i = 0; i < t->hosts; i++)
		if (what(t, &t->host[i]))
			found[(*count)++] = t->host[i];
	pk_sort(found, *count, sizeof(*found), by_begin);
	return found;
}

/* The outermost and the innermost operator around a call; 0 = none. */
static void find_operators(const struct pk_hta_trace *t, const uint32_t *parent, uint32_t call,
			   uint32_t *top, uint32_t *bottom)
{
	*top = *bottom = 0;
	for (uint32_t i = parent[call]; i; i = parent[i]) {
		if (t->launches.activity[i] != PK_ACT_OP)
			continue;
		*top = i;
		*bottom = *bottom ? *bottom : i;
	}
}

static uint32_t keep(struct pk_hta_trace *t, const char *text, size_t len)
{
	return pk_texts_put(&t->result->rows.names, text, len);
}

static uint32_t name_of(struct pk_hta_trace *t, uint32_t span)
{
	const char *name = span ? pk_launches_name(&t->launches, span) : "";

	return span ? keep(t, name, strlen(name)) : 0;
}

/* A row for each counter of a kernel. */
static void add_counters(struct pk_hta_trace *t, const uint32_t *parent, uint32_t number,
			 const struct pk_hta_event *range, const struct pk_hta_event *call)
{
	const struct pk_launches *l = &t->launches;
	PK_BUF_AUTO text = PK_BUF_INIT;
	struct pk_json_slice args = pk_arg_text(l->profile, l->arg[range->span], &text), key, value;
	struct pk_json_members members = pk_json_members(args.text, args.len);
	uint32_t top, bottom;

	find_operators(t, parent, call->span, &top, &bottom);
	while (pk_json_member(&members, &key, &value)) {
		struct pk_gpu_row *row;
		double count;

		if (pk_parse_real(value.text, value.len, &count) != value.len)
			continue;
		row = pk_hta_row(t);
		row->text = name_of(t, range->span);
		row->kind = keep(t, key.text, key.len);
		row->more[0] = name_of(t, top);
		row->more[1] = name_of(t, bottom);
		row->value[0] = number;
		row->value[1] = count;
	}
}

int pk_hta_add_cupti(struct pk_hta_trace *t, struct pk_error *err)
{
	const struct pk_profile *p = t->profile;
	PK_FREED uint32_t *parent = pk_span_parents(p);
	uint32_t ranges, calls;
	PK_FREED struct pk_hta_event *range = find(t, &ranges, is_range);
	PK_FREED struct pk_hta_event *call = find(t, &calls, is_launch);

	if (!ranges)
		return pk_fail(err, PK_EFORMAT,
			       "'%s' has no counters of kernels: record it with CUPTI's range "
			       "profiler (experimental_config with profiler_metrics)",
			       pk_text(p, p->run.source[1]));
	if (ranges != calls)
		return pk_fail(err, PK_EFORMAT,
			       "'%s' has counters of %u kernel%s, but cudaLaunchKernel was called "
			       "%u time%s: which belong together is not known",
			       pk_text(p, p->run.source[1]), ranges, ranges == 1 ? "" : "s", calls,
			       calls == 1 ? "" : "s");
	for (uint32_t i = 0; i < ranges; i++)
		add_counters(t, parent, i, &range[i], &call[i]);
	return 0;
}
