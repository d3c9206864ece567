/*
 * Finishes an export when all rows are read: makes times count from the first one, call paths of
 * nested spans, and flows from calls to the work that they launched.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
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
	n->nest.label_count = (size_t)n->label_count + 1;
	n->nest.threads = rules;
	n->nest.thread_count = threads;
	n->nest.wants_place = true;
	pk_nest(&n->nest, n->b);
	n->nest.threads = NULL;
	if (n->nest.place)
		pk_build_args_placed(n->b, PK_TABLE_SPAN, n->nest.place, NULL, NULL);
}

static void link_flows(struct nsys *n)
{
	uint32_t category = pk_build_text(n->b, "launch");

	for (uint32_t i = 0; i < n->work_count; i++) {
		uint32_t from = pk_id_map_get(&n->calls, n->works[i].call);
		uint32_t to = n->works[i].row;

		if (from)
			pk_build_flow(n->b, n->nest.place[from], n->nest.place[to], category);
	}
}

static int say(struct nsys *n, const char *what, int64_t times, int64_t first)
{
	char place[40];

	if (!times)
		return 0;
	snprintf(place, sizeof(place), "at %" PRId64 " ns", first + n->base);
	if (pk_build_repair(n->b, n->err, what, "%s", place))
		return -1;
	if (times > 1)
		pk_build_repairs(n->b, what, times - 1, place);
	return 0;
}

int nsys_finish(struct nsys *n)
{
	const struct pk_nest_counts *c = &n->nest.counts;

	shift_times(n);
	if (pk_builder_profile(n->b)->span.count > 1) {
		nest(n);
		if (n->work_count)
			link_flows(n);
	}
	if (n->has_works && n->has_calls && !pk_builder_wants(n->b, PK_PART_MARKS))
		pk_build_unread(n->b, PK_PART_MARKS);
	pk_build_set(n->b, run, duration, 1, pk_build_last_time(n->b));
	return say(n, "range without an end: ended with its thread", c->unfinished,
		   c->first_unfinished) ||
			       say(n, "work that overlaps on its stream put on a lane of its own",
				   c->overlapping, c->first_overlapping)
		       ? -1
		       : 0;
}
