/* What each thread did and when, by class: from spans, from samples with times, or only sums. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sampling.h"
#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/events/activity.h"
#include "model/events/sample_edges.h"
#include "model/events/spans.h"

/* Categories of spans: annotations, and spans of devices that are no work. */
enum { SOFT = 1, NO_WORK };

/*
 * Times between moments at which a thread changed, counted in classes an eighth of a power of two
 * wide. In a sampled trace they are multiples of the interval.
 */
struct gaps {
	uint64_t count[64 * 8], all;
};

static void add_gap(struct gaps *g, int64_t length)
{
	int power = 63 - __builtin_clzll((uint64_t)length);
	int eighth = (int)((uint64_t)length << (63 - power) >> 60) & 7;

	g->count[power * 8 + eighth]++;
	g->all++;
}

/* Their median, rounded up to the end of its class; 0 if there are none. */
static double median_gap(const struct gaps *g)
{
	uint64_t seen = 0;

	for (int i = 0; i < 64 * 8; i++) {
		seen += g->count[i];
		if (seen * 2 >= g->all && g->all)
			return ldexp(1 + (i % 8 + 1) / 8.0, i / 8);
	}
	return 0;
}

/* The open spans of a thread. */
struct open {
	struct {
		int64_t end;
		uint8_t class;
		bool soft; /* an annotation; after a collective, time in it is part of the
			      collective */
	} * item;
	size_t depth, alloc;
	int64_t now;
	bool after_collective;
	struct gaps *gaps; /* NULL if not sampled */
	int64_t moment, moments;
};

static void see(struct open *o, int64_t time)
{
	if (!o->gaps || time <= o->moment)
		return;
	if (o->moments++ && o->moment > INT64_MIN / 2 && time < INT64_MAX / 2)
		add_gap(o->gaps, time - o->moment);
	o->moment = time;
}

/* Moves on to a time: until then, the innermost open span runs. */
static void run_until(struct pk_work_lane *l, struct open *o, int64_t time)
{
	while (o->depth && o->now < time) {
		size_t top = o->depth - 1;
		int64_t end = o->item[top].end < time ? o->item[top].end : time;
		unsigned class = o->item[top].class;

		if (o->item[top].soft && o->after_collective)
			class = PK_CLASS_COLLECTIVE;
		if (!o->item[top].soft)
			o->after_collective = class == PK_CLASS_COLLECTIVE;
		pk_work_add_piece(&l->pieces, o->now, end, class);
		if (end > o->now)
			o->now = end;
		if (o->item[top].end <= time) {
			see(o, end);
			o->depth--;
		}
	}
	while (o->depth && o->item[o->depth - 1].end <= time)
		o->depth--;
	if (time > o->now)
		o->now = time;
}

static void push(struct open *o, int64_t end, unsigned class, bool soft)
{
	PK_GROW(o->item, o->depth + 1, o->alloc);
	o->item[o->depth].end = end;
	o->item[o->depth].class = (uint8_t) class;
	o->item[o->depth++].soft = soft;
}

/* Rows of spans or samples by thread: where those of each begin, and the rows unless they are in
 * that order already. */
struct by_thread {
	uint32_t *from, *row;
};

static void group(struct by_thread *g, const uint32_t *thread, uint32_t count, uint32_t threads)
{
	bool sorted = true;

	g->from = pk_calloc((size_t)threads + 2, sizeof(*g->from));
	for (uint32_t i = 1; i < count; i++) {
		g->from[thread[i] + 1]++;
		sorted &= i == 1 || thread[i] >= thread[i - 1];
	}
	g->from[0] = 1;
	for (uint32_t t = 1; t <= threads; t++)
		g->from[t] += g->from[t - 1];
	g->row = NULL;
	if (sorted)
		return;
	g->row = pk_malloc(pk_mul(count, sizeof(*g->row)));
	for (uint32_t i = 1; i < count; i++)
		g->row[g->from[thread[i]]++] = i;
	for (uint32_t t = threads; t > 0; t--)
		g->from[t] = g->from[t - 1];
	g->from[0] = 1;
}

static void release_group(struct by_thread *g)
{
	free(g->from);
	free(g->row);
}

static uint32_t row_at(const struct by_thread *g, uint32_t i)
{
	return g->row ? g->row[i] : i;
}

static void note_time(struct pk_work_lane *l, int64_t start, int64_t end)
{
	pk_work_extend(&l->start, &l->end, start, end);
	l->active = true;
}

static int64_t add_clamped(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* True if the span lies in the innermost open span and has its class, as nearly all do: then
 * nothing changes. In sampled traces its begin and end count as moments. */
static bool changes_nothing(const struct open *o, int64_t end, unsigned class, bool soft)
{
	size_t top = o->depth - 1;

	return o->depth && o->item[top].end >= end && o->item[top].class == class && !soft &&
	       !o->item[top].soft && !o->gaps;
}

static void lane_of_spans(struct pk_work_lane *l, const struct pk_profile *p,
			  const struct pk_classes *c, const struct by_thread *g, uint32_t thread,
			  const uint8_t *soft, struct gaps *gaps)
{
	struct open open = {.now = INT64_MIN, .gaps = gaps, .moment = INT64_MIN};
	const struct pk_span_table *t = &p->span;

	for (uint32_t i = g->from[thread]; i < g->from[thread + 1]; i++) {
		uint32_t row = row_at(g, i), node = t->node[row];
		int64_t end =
			add_clamped(t->time[row], t->duration[row] > 0 ? t->duration[row] : 0);
		unsigned kind = soft ? soft[t->category[row]] : 0;

		if (l->device && kind)
			continue;
		l->marks |= c->marks[node];
		if (changes_nothing(&open, end, c->of_node[node], kind == SOFT))
			continue;
		run_until(l, &open, t->time[row]);
		see(&open, t->time[row]);
		push(&open, end, c->of_node[node], kind == SOFT);
		note_time(l, t->time[row], end);
	}
	run_until(l, &open, INT64_MAX);
	if (gaps)
		l->samples = open.moments;
	free(open.item);
}

/* For each string, whether it is a category that is SOFT or NO_WORK; NULL if there is none. */
static uint8_t *annotations(const struct pk_profile *p)
{
	const size_t shortest = strlen("xpu_sync"), longest = strlen("gpu_user_annotation");
	uint8_t *soft = NULL;

	for (uint32_t i = 1; i < p->string.count; i++) {
		enum pk_activity a;

		if (p->string.len[i] < shortest || p->string.len[i] > longest)
			continue;
		a = pk_activity_of(p->string.text[i]);
		if (a != PK_ACT_ANNOTATION && a != PK_ACT_GPU_ANNOTATION && a != PK_ACT_SYNC)
			continue;
		soft = soft ? soft : pk_calloc(p->string.count, 1);
		soft[i] = a == PK_ACT_ANNOTATION ? SOFT : NO_WORK;
	}
	return soft;
}

static bool is_sampled(const struct pk_profile *p)
{
	return p->metric.count > 1 && p->metric.exactness[1] == PK_SAMPLED;
}

/* Samples of the same stack make one span, so busy time / interval may count more samples. */
static void count_samples(struct pk_work_lanes *l, const struct gaps *gaps)
{
	double interval = median_gap(gaps);

	for (uint32_t t = 0; t < l->count && interval > 0; t++) {
		struct pk_work_lane *lane = &l->lane[t];
		double busy = 0;

		for (size_t i = 0; i < lane->pieces.count; i++)
			busy += (double)(lane->pieces.item[i].end - lane->pieces.item[i].start);
		if (busy / interval > (double)lane->samples && lane->samples != PK_NULL)
			lane->samples = (int64_t)(busy / interval);
	}
}

static void from_spans(struct pk_work_lanes *l, const struct pk_profile *p,
		       const struct pk_classes *c)
{
	uint8_t *soft = annotations(p);
	struct gaps gaps = {.all = 0};
	struct by_thread g;

	l->sampled = is_sampled(p);
	group(&g, p->span.thread, p->span.count, l->count);
	for (uint32_t t = 0; t < l->count; t++) {
		if (g.from[t] == g.from[t + 1] || pk_is_of_scheduler(p, t))
			continue;
		l->lane[t].device = l->lane[t].pieces.apart = p->thread.role[t] == PK_ROLE_GPU;
		lane_of_spans(&l->lane[t], p, c, &g, t, soft, l->sampled ? &gaps : NULL);
	}
	count_samples(l, &gaps);
	release_group(&g);
	free(soft);
}

static int64_t value_ns(const struct pk_profile *p, uint32_t metric, int64_t value)
{
	for (int i = 0; i < p->metric.exponent[metric]; i++)
		value /= 10;
	return value;
}

/* A sample lasts to the next one if that comes within two periods, otherwise for one period. */
static void hold(struct pk_work_lane *l, const struct pk_profile *p, const struct pk_classes *c,
		 const uint32_t *list, uint32_t count, int64_t period)
{
	const int64_t *time = p->sample.time;
	struct pk_work_pieces *pieces = &l->pieces;

	PK_GROW(pieces->item, count, pieces->alloc);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = list[i], node = p->sample.node[row];
		int64_t length = period, end;

		if (p->metric.kind[pk_sample_metric(&p->sample, row)] == PK_METRIC_TIME)
			length = value_ns(p, pk_sample_metric(&p->sample, row),
					  p->sample.value[row]);
		if (length < 0)
			length = 0;
		end = add_clamped(time[row], length);
		if (i + 1 < count && time[list[i + 1]] - time[row] < add_clamped(length, length))
			end = time[list[i + 1]];
		pk_work_add_piece(&l->pieces, time[row], end, c->of_node[node]);
		note_time(l, time[row], end);
		l->marks |= c->marks[node];
	}
	pieces->alloc = pieces->count;
	pieces->item = pk_realloc(pieces->item, pk_mul(pieces->alloc, sizeof(*pieces->item)));
	l->samples = count;
}

static void from_samples(struct pk_work_lanes *l, const struct pk_profile *p,
			 const struct pk_classes *c)
{
	struct pk_sample_order order;
	int64_t period;

	pk_sample_order_init(&order, p, 1);
	pk_sampling_of(&l->sampling, p, 1, &order);
	period = l->sampling.interval == PK_NULL ? 0 : l->sampling.interval;
	l->sampled = true;
	for (uint32_t t = 0; t < l->count; t++)
		hold(&l->lane[t], p, c, order.row + order.first[t],
		     order.first[t + 1] - order.first[t], period);
	pk_sample_order_release(&order);
}

/* pstats: a function as a whole, less what it took below functions that wait, as Condition.wait
 * does with a lock. */
static void from_edges(struct pk_work_lane *lane, const struct pk_profile *p,
		       const struct pk_classes *c, bool is_time)
{
	const struct pk_edge_table *t = &p->edge;

	for (uint32_t i = 1; i < t->count; i++) {
		uint8_t class = c->of_function[t->callee[i]];
		int64_t value = is_time ? value_ns(p, 1, t->self[i]) : t->self[i];

		if (t->metric[i] != 1 || t->self[i] == PK_NULL)
			continue;
		lane->active = true;
		if (!t->caller[i]) {
			pk_add_saturated(&lane->class_time[class], value);
		} else if (class == PK_CLASS_LOCK &&
			   c->of_function[t->caller[i]] == PK_CLASS_WAIT) {
			pk_add_saturated(&lane->class_time[class], -value);
			pk_add_saturated(&lane->class_time[PK_CLASS_WAIT], value);
		}
	}
}

/* Sums of the first metric by class, in ns if it is time. */
static void from_costs(struct pk_work_lanes *l, const struct pk_profile *p,
		       const struct pk_classes *c)
{
	bool is_time = p->metric.count > 1 && p->metric.kind[1] == PK_METRIC_TIME;
	const struct pk_cost_table *t = &p->cost;

	l->sampled = is_sampled(p);
	if (t->count == 1)
		from_edges(&l->lane[0], p, c, is_time);
	for (uint32_t i = 1; i < t->count; i++) {
		struct pk_work_lane *lane = &l->lane[pk_cost_thread(p, i)];
		int64_t value = is_time ? value_ns(p, 1, t->self[i]) : t->self[i];

		if (pk_cost_metric(p, i) != 1)
			continue;
		pk_add_saturated(&lane->class_time[c->of_node[t->node[i]]], value);
		lane->marks |= c->marks[t->node[i]];
		lane->active = true;
	}
	for (uint32_t i = 1; l->sampled && i < p->sample.count; i++) {
		struct pk_work_lane *lane = &l->lane[p->sample.thread[i]];

		lane->samples = lane->samples == PK_NULL ? 1 : lane->samples + 1;
	}
	for (uint32_t i = 0; l->sampled && !is_time && i < l->count; i++) {
		struct pk_work_lane *lane = &l->lane[i];

		if (!lane->active || lane->samples != PK_NULL)
			continue;
		lane->samples = 0;
		for (int k = 0; k < PK_CLASS_COUNT; k++)
			pk_add_saturated(&lane->samples, lane->class_time[k]);
	}
	l->unit = pk_strdup(is_time               ? "ns"
			    : p->metric.count > 1 ? pk_text(p, p->metric.name[1])
						  : "ns");
}

static void sum_classes(struct pk_work_lanes *l)
{
	for (uint32_t t = 0; t < l->count; t++) {
		struct pk_work_lane *lane = &l->lane[t];

		for (size_t i = 0; i < lane->pieces.count; i++) {
			const struct pk_work_piece *piece = &lane->pieces.item[i];

			pk_add_saturated(&lane->class_time[piece->class],
					 piece->end - piece->start);
		}
	}
}

static bool has_timed_samples(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->sample.count; i++)
		if (p->sample.time[i] != PK_NULL && pk_sample_metric(&p->sample, i) == 1)
			return true;
	return false;
}

void pk_work_lanes_init(struct pk_work_lanes *l, const struct pk_profile *p,
			const struct pk_classes *c)
{
	*l = (struct pk_work_lanes){.count = p->thread.count};
	l->lane = pk_calloc(l->count, sizeof(*l->lane));
	for (uint32_t i = 0; i < l->count; i++)
		l->lane[i].start = l->lane[i].end = l->lane[i].samples = PK_NULL;
	l->timed = true;
	if (p->span.count > 1) {
		from_spans(l, p, c);
		pk_work_lanes_join(l, p);
	} else if (has_timed_samples(p)) {
		from_samples(l, p, c);
	} else {
		l->timed = false;
		from_costs(l, p, c);
	}
	sum_classes(l);
	if (!l->unit)
		l->unit = pk_strdup("ns");
}

void pk_work_lanes_release(struct pk_work_lanes *l)
{
	for (uint32_t i = 0; i < l->count; i++)
		free(l->lane[i].pieces.item);
	free(l->lane);
	free(l->unit);
	pk_sampling_release(&l->sampling);
}
