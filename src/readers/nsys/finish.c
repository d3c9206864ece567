/*
 * Finishes an export when all rows are read: makes times count from the first one, call paths of
 * nested spans, and flows from calls to the work that they launched.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/nsys/internal.h"

static void shift_times(struct nsys *n)
{
	int64_t base = pk_build_times_from_first(n->b);
	char text[32];

	if (base == PK_NULL)
		return;
	n->base = base;
	if (base) {
		snprintf(text, sizeof(text), "%" PRId64, base);
		pk_build_derived(n->b, "time_offset", text);
		pk_build_set(n->b, run, clock_offset, 1, base);
	}
	if (n->epoch != PK_NULL)
		pk_build_set(n->b, run, start, 1, n->epoch + base);
}

/* CPU time and GPU time are different metrics. */
void nsys_make_metrics(struct nsys *n)
{
	const struct pk_profile *p = pk_builder_profile(n->b);
	bool cpu = false, gpu = false;

	for (uint32_t i = 1; i < p->span.count && !(cpu && gpu); i++)
		*(nsys_is_gpu(n, p->span.thread[i]) ? &gpu : &cpu) = true;
	if (cpu)
		n->time = pk_build_metric(n->b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	if (gpu)
		n->gpu_time = pk_build_metric(n->b, "gpu_time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
}

static void nest(struct nsys *n)
{
	uint32_t threads = pk_builder_profile(n->b)->thread.count;
	PK_FREED struct pk_nest_thread *rules = pk_calloc(threads, sizeof(*rules));

	for (uint32_t i = 1; i < threads; i++) {
		rules[i].metric = nsys_is_gpu(n, i) ? n->gpu_time : n->time;
		if (!nsys_is_gpu(n, i)) /* ranges of NVTX may overlap */
			rules[i].rule = PK_NEST_ENCLOSING;
	}
	n->nest.labels = n->labels;
	n->nest.threads = rules;
	n->nest.thread_count = threads;
	n->nest.wants_place = true;
	pk_nest(&n->nest, n->b);
	n->nest.threads = NULL;
	if (n->nest.place)
		pk_build_args_placed(n->b, n->nest.place, NULL, NULL);
}

PK_COMPARE(by_call, struct nsys_end, PK_ORDER(a->call, b->call) ?: PK_ORDER(a->row, b->row))

/* Calls mostly come in the order of their numbers. */
static void sort_ends(struct nsys_ends *ends)
{
	for (size_t i = 1; i < ends->count; i++)
		if (by_call(&ends->item[i - 1], &ends->item[i]) > 0) {
			pk_sort(ends->item, ends->count, sizeof(*ends->item), by_call);
			return;
		}
}

/* If several calls have one number, the last counts. */
static void link_flows(struct nsys *n)
{
	uint32_t category = pk_build_text(n->b, "launch");
	const struct nsys_ends *calls = &n->calls;
	size_t at = 0;

	sort_ends(&n->calls);
	sort_ends(&n->works);
	for (size_t i = 0; i < n->works.count && calls->count; i++) {
		const struct nsys_end *work = &n->works.item[i];

		while (at + 1 < calls->count && calls->item[at + 1].call <= work->call)
			at++;
		if (calls->item[at].call == work->call)
			pk_build_flow(n->b, pk_nest_place(&n->nest, calls->item[at].row),
				      pk_nest_place(&n->nest, work->row), category);
	}
}

int nsys_finish(struct nsys *n)
{
	const struct pk_nest_counts *c = &n->nest.counts;

	shift_times(n);
	if (pk_builder_profile(n->b)->span.count > 1) {
		nest(n);
		if (pk_builder_wants(n->b, PK_PART_MARKS))
			link_flows(n);
		else if (n->works.count && n->calls.count)
			pk_build_unread(n->b, PK_PART_MARKS);
	}
	pk_build_set(n->b, run, duration, 1, pk_build_last_time(n->b));
	if (pk_build_repair_times(n->b, n->err, "range without an end: ended with its thread",
				  c->unfinished, "at %" PRId64 " ns",
				  c->unfinished ? c->first_unfinished + n->base : 0))
		return -1;
	return pk_build_repair_times(n->b, n->err,
				     "work that overlaps on its stream put on a lane of its own",
				     c->overlapping, "at %" PRId64 " ns",
				     c->overlapping ? c->first_overlapping + n->base : 0);
}
