/* Instants, counters and flows of a timeline. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "writers/timeline/layout.h"

enum { MOST_MARKS = 1500, MOST_COUNTERS = 30, MOST_AREAS = 1000, MOST_FLOWS = 300 };

/* The rows of a table in the order of time; key decides before that. */
struct item {
	uint64_t key;
	int64_t time;
	uint32_t row;
};

PK_COMPARE(compare_items, struct item,
	   PK_ORDER(a->key, b->key)
		   ?: PK_ORDER(a->time, b->time)
		   ?: PK_ORDER(a->row, b->row))

/* Rows of samples come after those of instants. */
static struct pk_timeline_mark mark_of(const struct pk_timeline *t, const struct item *item)
{
	const struct pk_profile *p = t->p;
	struct pk_timeline_mark mark = {
		.lane = (uint32_t)item->key, .count = 1, .time = item->time};

	mark.is_sample = item->row >= p->instant.count;
	mark.name = mark.is_sample ? pk_node_name(p, p->sample.node[item->row - p->instant.count])
				   : p->instant.name[item->row];
	return mark;
}

static void try_marks(struct pk_timeline *t, const struct item *item, uint32_t count, int64_t least)
{
	struct pk_timeline_mark *mark = NULL;

	t->mark_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		bool is_sample = item[i].row >= t->p->instant.count;

		if (mark && mark->lane == item[i].key && mark->is_sample == is_sample &&
		    item[i].time - mark->time < least) {
			mark->count++;
			continue;
		}
		mark = &t->mark[t->mark_count++];
		*mark = mark_of(t, &item[i]);
	}
}

bool pk_timeline_marks_sample(const struct pk_timeline *t, uint32_t row)
{
	const struct pk_sample_table *s = &t->p->sample;

	return t->spans == &t->p->span && pk_sample_metric(s, row) == pk_sample_metric(s, 1) &&
	       s->time[row] != PK_NULL &&
	       t->p->metric.exactness[pk_sample_metric(s, 1)] == PK_SAMPLED;
}

static uint32_t add_samples(const struct pk_timeline *t, struct item *item, uint32_t count)
{
	const struct pk_sample_table *s = &t->p->sample;

	for (uint32_t i = 1; i < s->count; i++) {
		uint32_t lane = s->thread[i] ? t->lane_of_thread[s->thread[i]] : t->lane_count;

		if (lane != UINT32_MAX && pk_timeline_marks_sample(t, i) &&
		    i < UINT32_MAX - t->p->instant.count)
			item[count++] = (struct item){lane, s->time[i], t->p->instant.count + i};
	}
	return count;
}

void pk_timeline_add_marks(struct pk_timeline *t)
{
	const struct pk_instant_table *table = &t->p->instant;
	bool samples = t->spans == &t->p->span;
	struct item *item = pk_malloc(
		pk_mul((size_t)table->count + (samples ? t->p->sample.count : 0), sizeof(*item)));
	uint32_t count = 0, i;
	int64_t least = t->least;

	for (i = 1; i < table->count; i++) {
		uint32_t thread = table->thread[i];
		uint32_t lane = thread ? t->lane_of_thread[thread] : t->lane_count;

		if (lane != UINT32_MAX)
			item[count++] = (struct item){lane, table->time[i], i};
	}
	if (samples)
		count = add_samples(t, item, count);
	qsort(item, count, sizeof(*item), compare_items);
	t->mark = pk_malloc(pk_mul((size_t)count + 1, sizeof(*t->mark)));
	do {
		try_marks(t, item, count, least);
		least *= 2;
	} while (t->mark_count > MOST_MARKS && least < t->end - t->begin);
	free(item);
}

/* The state of a counter while its values are read. */
struct plot {
	struct pk_timeline *t;
	struct pk_timeline_counter *c;
	double now[8];           /* value of each series */
	double most[8], highest; /* the highest sum of what is joined */
	uint32_t count, moments;
	int64_t begin;
	size_t alloc;
};

static void put_areas(struct plot *plot, int64_t end)
{
	struct pk_timeline *t = plot->t;
	double low = 0;
	uint32_t i;

	for (i = 0; i < plot->c->series_count && end > plot->begin; i++) {
		double high = low + plot->most[i];

		if (plot->most[i] > 0) {
			PK_GROW(t->area, t->area_count + 1, plot->alloc);
			t->area[t->area_count++] = (struct pk_timeline_area){
				plot->begin, end, low, high, i, plot->count};
			plot->c->count++;
		}
		low = high;
	}
	plot->count = plot->moments = 0;
	plot->highest = -1;
	plot->begin = end;
}

static uint32_t series_of(struct pk_timeline_counter *c, uint32_t name)
{
	uint32_t i = 0;

	while (i < c->series_count && c->series[i] != name)
		i++;
	if (i == c->series_count && i < 8)
		c->series[c->series_count++] = name;
	return i;
}

/* The sum of the series from here on. The last one may have no time, and no area. */
static void note_values(struct plot *plot)
{
	struct pk_timeline_counter *c = plot->c;
	double sum = 0;
	uint32_t i;

	for (i = 0; i < c->series_count; i++) {
		sum += plot->now[i];
		c->most[i] = fmax(c->most[i], plot->now[i]);
	}
	c->highest = fmax(c->highest, sum);
	if (sum > plot->highest) {
		memcpy(plot->most, plot->now, sizeof(plot->most));
		plot->highest = sum;
	}
}

/* Draws up to this time, unless that is still less than a pixel. */
static void plot_until(struct plot *plot, int64_t time, int64_t least)
{
	if (time - plot->begin < least)
		return;
	if (plot->moments > 1) {
		put_areas(plot, plot->begin + least);
		note_values(plot);
	}
	put_areas(plot, time);
}

static double value_of(const struct pk_counter_table *table, uint32_t row)
{
	double value = table->value[row];

	return isfinite(value) && value > 0 ? value : 0;
}

/* True if items at the end make the sum of all series higher than it was before: of what is joined,
 * the highest is seen. That counters end, often with 0, is nothing to see. */
static bool is_rise(const struct plot *plot, const struct item *item, uint32_t count)
{
	const struct pk_counter_table *table = &plot->t->p->counter;
	double now[8], rise = 0;

	memcpy(now, plot->now, sizeof(now));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t s = series_of(plot->c, table->series[item[i].row]);

		if (s >= 8)
			continue;
		rise += value_of(table, item[i].row) - now[s];
		now[s] = value_of(table, item[i].row);
	}
	return rise > 1e-9 * plot->c->highest;
}

static void plot_counter(struct plot *plot, const struct item *item, uint32_t count, int64_t least)
{
	const struct pk_counter_table *table = &plot->t->p->counter;
	uint32_t i = 0;

	plot->begin = item[0].time;
	if (plot->begin == plot->t->end && plot->begin - least >= plot->t->begin)
		plot->begin -= least;
	while (i < count) {
		int64_t time = item[i].time;

		/* A peak at the end has the last part that is seen. */
		bool last = time == plot->t->end && is_rise(plot, item + i, count - i);

		plot_until(plot, last ? time - least : time, least);
		for (; i < count && item[i].time == time; i++) {
			uint32_t s = series_of(plot->c, table->series[item[i].row]);

			if (s < 8)
				plot->now[s] = value_of(table, item[i].row);
			plot->count++;
		}
		note_values(plot);
		plot->moments++;
	}
	/* The last value holds to the end. */
	plot_until(plot, plot->t->end, least);
	put_areas(plot, plot->t->end);
}

static void add_counter(struct pk_timeline *t, const struct item *item, uint32_t count)
{
	const struct pk_counter_table *table = &t->p->counter;
	struct pk_timeline_counter c = {.process = table->process[item[0].row],
					.name = table->name[item[0].row],
					.first = (uint32_t)t->area_count};
	int64_t least = t->least;

	if (t->counter_count == MOST_COUNTERS) {
		t->other_counters++;
		return;
	}
	do {
		struct plot plot = {.t = t, .c = &c, .highest = -1, .alloc = t->area_alloc};

		t->area_count = c.first;
		c.count = c.series_count = 0;
		c.highest = 0;
		memset(c.most, 0, sizeof(c.most));
		plot_counter(&plot, item, count, least);
		t->area_alloc = plot.alloc;
		least *= 2;
	} while (c.count > MOST_AREAS);
	t->counter[t->counter_count++] = c;
}

void pk_timeline_add_counters(struct pk_timeline *t)
{
	const struct pk_counter_table *table = &t->p->counter;
	struct item *item = pk_malloc(pk_mul(table->count, sizeof(*item)));
	uint32_t i, first = 0, count = table->count - 1;

	for (i = 1; i < table->count; i++)
		item[i - 1] = (struct item){(uint64_t)table->process[i] << 32 | table->name[i],
					    table->time[i], i};
	qsort(item, count, sizeof(*item), compare_items);
	t->counter = pk_calloc(MOST_COUNTERS, sizeof(*t->counter));
	for (i = 0; i < count; i++) {
		if (i + 1 < count && item[i + 1].key == item[first].key)
			continue;
		add_counter(t, item + first, i + 1 - first);
		first = i + 1;
	}
	free(item);
}

static bool find_end(const struct pk_timeline *t, const uint32_t *depth, uint32_t span,
		     uint32_t *lane, uint32_t *row)
{
	*lane = t->lane_of_thread[t->spans->thread[span]];
	*row = pk_timeline_row(t, depth, span);
	return *lane != UINT32_MAX && *row < t->lane[*lane].depth;
}

PK_COMPARE(compare_flows, struct pk_timeline_flow,
	   PK_ORDER(a->from, b->from)
		   ?: PK_ORDER(a->to, b->to)
		   ?: PK_ORDER(a->from_lane, b->from_lane)
		   ?: PK_ORDER(a->category, b->category))

/* If there are more flows than readers can tell apart, some from all of the time are kept. */
static void thin_flows(struct pk_timeline *t)
{
	size_t count = t->flow_count, i, kept = 0;

	if (count <= MOST_FLOWS)
		return;
	qsort(t->flow, count, sizeof(*t->flow), compare_flows);
	for (i = 0; i < count; i++)
		if ((i + 1) * MOST_FLOWS / count > kept)
			t->flow[kept++] = t->flow[i];
	t->other_flows += count - kept;
	t->flow_count = kept;
}

void pk_timeline_add_flows(struct pk_timeline *t, const uint32_t *depth)
{
	const struct pk_flow_table *table = &t->p->flow;
	const struct pk_span_table *s = t->spans;
	uint32_t i;

	if (t->spans != &t->p->span)
		return;
	t->flow = pk_malloc(pk_mul(table->count, sizeof(*t->flow)));
	for (i = 1; i < table->count; i++) {
		struct pk_timeline_flow f = {.category = table->category[i]};
		uint32_t from = table->from[i], to = table->to[i];

		if (!from || !to)
			continue;
		if (!find_end(t, depth, from, &f.from_lane, &f.from_depth) ||
		    !find_end(t, depth, to, &f.to_lane, &f.to_depth)) {
			t->other_flows++;
			continue;
		}
		f.from = s->time[from] + s->duration[from] / 2;
		f.to = s->time[to];
		t->flow[t->flow_count++] = f;
	}
	thin_flows(t);
}
