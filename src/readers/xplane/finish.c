/*
 * Finishes a recording when all planes are read: makes times count from the first one, call paths
 * of nested spans, and flows between events: from the call that launched work to the work, which
 * have one correlation_id, and from what produced something to what consumed it.
 *
 *	stats { "_pt": 5 "_p": 23 }     stats { "_ct": 5 "_c": 23 }
 *
 * Ids are used again: what consumes belongs to the last event before it that produced under its id.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/merge_sort.h"
#include "readers/xplane/internal.h"

/* Times of old files count from 1970. */
#define OLD_TIMES ((int64_t)100000000000000000)

/* Differs from the types of a file, which are small. */
#define LAUNCH UINT64_MAX

static void add_end(struct xplane_ends *ends, const struct xplane_end *end)
{
	PK_GROW(ends->item, ends->count + 1, ends->alloc);
	ends->item[ends->count++] = *end;
}

static bool find_number(const struct xplane *x, enum xplane_meaning meaning, uint64_t *value)
{
	uint32_t place = x->special[meaning];

	return place && xplane_number(&x->args[place - 1], value);
}

/* The names of arguments tell whether there are flows. */
void xplane_see_flows(struct xplane *x, enum xplane_meaning meaning)
{
	x->producers.seen |=
		meaning == XPLANE_PRODUCER || (meaning == XPLANE_CORRELATION && !x->device);
	x->consumers.seen |=
		meaning == XPLANE_CONSUMER || (meaning == XPLANE_CORRELATION && x->device);
}

void xplane_add_ends(struct xplane *x, uint32_t span, int64_t time, bool work)
{
	struct xplane_end end = {.time = time, .row = span};

	if (!x->arg_count || !x->wants_flows)
		return;
	if (find_number(x, XPLANE_CORRELATION, &end.id) && end.id && (work || !x->device)) {
		end.type = LAUNCH;
		add_end(work ? &x->consumers : &x->producers, &end);
	}
	end.type = 0;
	if (find_number(x, XPLANE_PRODUCER, &end.id)) {
		find_number(x, XPLANE_PRODUCER_TYPE, &end.type);
		add_end(&x->producers, &end);
	}
	end.type = 0;
	if (find_number(x, XPLANE_CONSUMER, &end.id)) {
		find_number(x, XPLANE_CONSUMER_TYPE, &end.type);
		add_end(&x->consumers, &end);
	}
}

PK_COMPARE(by_id, struct xplane_end,
	   PK_ORDER(a->type, b->type) ?: PK_ORDER(a->id, b->id) ?: PK_ORDER(a->time, b->time)
						  ?: PK_ORDER(a->row, b->row))

static bool same_id(const struct xplane_end *a, const struct xplane_end *b)
{
	return a->type == b->type && a->id == b->id;
}

static bool comes_before(const void *items, uint32_t a, uint32_t b)
{
	const struct xplane_end *end = items;

	return by_id(&end[a], &end[b]) < 0;
}

/* The order by id. Ends of a line have ascending ids as a rule. */
static uint32_t *sort_ends(const struct xplane_ends *ends)
{
	uint32_t count = (uint32_t)ends->count;
	uint32_t *order = pk_malloc(pk_mul((size_t)count + 1, sizeof(*order)));

	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	pk_merge_sort(order, count, comes_before, ends->item);
	return order;
}

static void link_flows(struct xplane *x)
{
	uint32_t launch = pk_build_text(x->b, "launch"), flow = pk_build_text(x->b, "flow");
	const struct xplane_ends *from = &x->producers, *to = &x->consumers;
	PK_FREED uint32_t *froms = NULL, *tos = NULL;
	size_t at = 0;

	if (!from->count || !to->count)
		return;
	froms = sort_ends(from);
	tos = sort_ends(to);
	for (size_t i = 0; i < to->count; i++) {
		const struct xplane_end *end = &to->item[tos[i]], *begin;

		while (at + 1 < from->count && by_id(&from->item[froms[at + 1]], end) <= 0)
			at++;
		begin = &from->item[froms[at]];
		/* a clock of a device may be behind */
		if (!same_id(begin, end) && at + 1 < from->count &&
		    same_id(&from->item[froms[at + 1]], end))
			begin = &from->item[froms[at + 1]];
		if (same_id(begin, end))
			pk_build_flow(x->b, pk_nest_place(&x->nest, begin->row),
				      pk_nest_place(&x->nest, end->row),
				      end->type == LAUNCH ? launch : flow);
	}
}

static void shift_times(struct xplane *x)
{
	int64_t base = pk_build_times_from_first(x->b);
	char text[32];

	if (base == PK_NULL)
		return;
	x->base = base;
	if (base) {
		snprintf(text, sizeof(text), "%" PRId64, base);
		pk_build_derived(x->b, "time_offset", text);
		pk_build_set(x->b, run, clock_offset, 1, base);
	}
	if (base >= OLD_TIMES)
		pk_build_set(x->b, run, start, 1, base);
	else if (x->profile_start != PK_NULL)
		pk_build_set(x->b, run, start, 1, x->profile_start + base);
}

/* Time of the host and of devices are different metrics. */
static void make_metrics(struct xplane *x)
{
	const struct pk_profile *p = pk_builder_profile(x->b);
	bool host = false, device = false;
	uint32_t time = 1, gpu_time = 1;

	for (uint32_t i = 1; i < p->thread.count; i++)
		*(x->rules[i].metric ? &device : &host) = true;
	if (host || !device)
		time = pk_build_metric(x->b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	if (device)
		gpu_time = pk_build_metric(x->b, "gpu_time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	for (uint32_t i = 1; i < p->thread.count; i++)
		x->rules[i].metric = x->rules[i].metric ? gpu_time : time;
}

int xplane_finish(struct xplane *x)
{
	const struct pk_nest_counts *c = &x->nest.counts;

	shift_times(x);
	make_metrics(x);
	if (pk_builder_profile(x->b)->span.count > 1) {
		x->nest.labels = x->labels;
		x->nest.threads = x->rules;
		x->nest.thread_count = pk_builder_profile(x->b)->thread.count;
		x->nest.slack = 1; /* begin and duration are rounded */
		x->nest.wants_place = x->wants_args || x->wants_flows;
		pk_nest(&x->nest, x->b);
		x->nest.threads = NULL;
		if (x->nest.place)
			pk_build_args_placed(x->b, x->nest.place, NULL, NULL);
		if (x->wants_flows)
			link_flows(x);
		else if (x->producers.seen && x->consumers.seen)
			pk_build_unread(x->b, PK_PART_MARKS);
	}
	if (x->skipped_args)
		pk_build_unread(x->b, PK_PART_ARGS);
	pk_build_set(x->b, run, duration, 1, pk_build_last_time(x->b));
	return pk_build_repair_times(x->b, x->err,
				     "work that overlaps on its line put on a lane of its own",
				     c->overlapping, "at %" PRId64 " ns",
				     c->overlapping ? c->first_overlapping + x->base : 0);
}
