/*
 * What each call path of the page has by thread and by part of the time, for its filters and its
 * window of time:
 *
 *	"split": {"begin": 0, "step": 1000, "steps": 256,
 *	          "threads": {"known": [1], "tid": [7], "pid": [1], "rank": [null],
 *	                      "thread": ["worker"], "process": ["main"]},
 *	          "metrics": [{"cost": {...}, "time": {"count": 2, "path": [3, 0], "thread": [0, 0],
 *	                       "at": [1, 5], "rest": [0, 1], "self": [10, 20], "calls": [1, 0],
 *	                       "ends": [0, 1]}}]}
 *
 * "cost" holds what paths have by thread. "time" holds what they have by thread and step: "at" is
 * the number of the step from 1, 0 is a time that is not known. Where "time" is marked "all", it
 * has all costs, and there is no "cost". Paths and steps are differences
 * to those of the row before; a path beyond the last is that of all. "rest" marks what paths
 * below have that are not in the page. In "time", calls are the spans that begin in a step, and
 * ends those that end in it: calls in a window are what began before its end less what ended
 * before its begin.
 *
 * Steps are as short as the number of rows allows: where there are too many, each two become one,
 * and then the less important paths a part of their callers: "lumped" of the page have no rows.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/events/spans.h"
#include "model/events/time_range.h"
#include "model/label.h"
#include "writers/report/internal.h"
#include "writers/report/names.h"
#include "writers/report/parts/parts.h"

/* While there are at least so many paths, steps are not reduced further. */
enum { STEPS = 256, MOST_ROWS = 60000, LEAST_STEPS = 64, LEAST_PATHS = 1000 };
enum part { COST, TIME };

struct key {
	uint32_t path, thread, at; /* path: place of a path that has rows, 0 = of none */
	uint8_t metric, part;      /* metric: of the page */
	uint8_t rest;              /* of a path below that one */
	uint8_t zero;
};

struct row {
	struct key key;
	int64_t self, calls, ends; /* calls: PK_NULL if not known */
};

struct pk_report_split {
	const struct pk_report_data *d;
	const struct pk_profile *p;
	int64_t begin, end, step;
	uint32_t steps;
	bool has[2];           /* by part */
	bool full;             /* there are too many rows even for one step */
	bool alone;            /* most paths have rows in one step only, however long it is */
	uint32_t paths;        /* so many of the most important ones have rows */
	const uint32_t *place; /* node -> place from 1 by importance of itself or the lowest caller
				  that may be in the page */
	bool *part;            /* place -> whether it is looked at; NULL: all are */
	uint32_t *near;        /* place -> itself or that of the lowest caller that has rows */
	uint32_t *caller;      /* place -> that of the caller */
	uint8_t *metric_of;    /* metric -> its place in the page, from 1 */
	bool *summed;          /* metric -> its samples are all that its costs are made of */
	struct row *row;
	uint32_t count, alloc, most; /* most: of rows */
	struct pk_index index;
};

static struct row *find_row(struct pk_report_split *s, const struct key *key)
{
	uint32_t tag = pk_index_tag(pk_hash_bytes(key, sizeof(*key))), i;

	pk_index_reserve(&s->index);
	for (i = tag & s->index.mask; s->index.slot[i].id; i = (i + 1) & s->index.mask)
		if (s->index.slot[i].tag == tag &&
		    !memcmp(&s->row[s->index.slot[i].id - 1].key, key, sizeof(*key)))
			return &s->row[s->index.slot[i].id - 1];
	PK_GROW(s->row, (size_t)s->count + 1, s->alloc);
	s->row[s->count] = (struct row){.key = *key, .calls = PK_NULL};
	pk_index_put(&s->index, i, tag, ++s->count);
	return &s->row[s->count - 1];
}

static void add_up(struct row *row, int64_t self, int64_t calls, int64_t ends)
{
	pk_add_saturated(&row->self, self);
	row->ends += ends;
	if (calls == PK_NULL)
		return;
	row->calls = row->calls == PK_NULL ? 0 : row->calls;
	pk_add_saturated(&row->calls, calls);
}

static void find_callers(struct pk_report_split *s)
{
	const uint32_t *parent = s->p->node.parent, *node = s->d->node;
	uint32_t count = s->d->node_count;

	s->place = s->d->place;
	s->caller = pk_calloc((size_t)count + 1, sizeof(*s->caller));
	s->near = pk_calloc((size_t)count + 1, sizeof(*s->near));
	for (uint32_t i = 0; i < count; i++)
		s->caller[i + 1] = s->place[parent[node[i]]];
}

static void find_near(struct pk_report_split *s)
{
	for (uint32_t i = 1; i <= s->d->node_count; i++)
		s->near[i] = i <= s->paths ? i : s->near[s->caller[i]];
}

/* The memory of the index is used again. */
static void forget_rows(struct pk_report_split *s)
{
	s->count = s->index.used = 0;
	if (s->index.slot)
		memset(s->index.slot, 0, ((size_t)s->index.mask + 1) * sizeof(*s->index.slot));
}

/* Makes fewer rows: first each two steps become one, as long as that helps, then half of the paths,
 * the less important ones, become a part of their callers, then steps again; at last there are no
 * rows at all. */
static void coarsen(struct pk_report_split *s)
{
	bool fewer_paths = (s->steps <= LEAST_STEPS || s->alone) && s->paths > LEAST_PATHS;
	uint32_t count = s->count;

	s->full = s->steps <= 1 && !fewer_paths;
	forget_rows(s);
	if (s->full)
		return;
	if (fewer_paths) {
		s->paths /= 2;
		find_near(s);
	} else {
		s->step = s->step > INT64_MAX / 2 ? INT64_MAX : s->step * 2;
		s->steps = (s->steps + 1) / 2;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct row row = s->row[i];
		uint32_t path = s->near[row.key.path];

		if (row.key.at && !fewer_paths)
			row.key.at = (row.key.at + 1) / 2;
		row.key.rest |= path != row.key.path;
		row.key.path = path;
		add_up(find_row(s, &row.key), row.self, row.calls, row.ends);
	}
	s->alone |= !fewer_paths && s->count > count / 4 * 3;
}

static void add(struct pk_report_split *s, enum part part, uint32_t thread, uint32_t node,
		uint32_t metric, uint32_t at, int64_t self, int64_t calls, int64_t ends)
{
	struct key key = {.thread = thread, .at = at, .part = part};

	if (s->full || !s->metric_of[metric])
		return;
	if (s->part && !s->part[s->place[node]])
		return;
	key.path = s->near[s->place[node]];
	key.rest = node != (key.path ? s->d->node[key.path - 1] : 0);
	key.metric = s->metric_of[metric] - 1;
	add_up(find_row(s, &key), self, calls, ends);
	s->has[part] = true;
	while (s->count > s->most)
		coarsen(s);
}

/* The step of a moment, from 1. */
static uint32_t step_of(const struct pk_report_split *s, int64_t time)
{
	uint64_t since = time > s->begin ? (uint64_t)time - (uint64_t)s->begin : 0;
	uint64_t step = since / (uint64_t)s->step;

	return 1 + (uint32_t)(step < s->steps ? step : s->steps - 1);
}

/* Each path of a thread has a weight, a random number: two sums that are the same have the same
 * values. */
static uint64_t weighted(uint32_t node, uint32_t thread, int64_t value)
{
	return pk_hash_pair(node, thread) * (uint64_t)value;
}

/* In which metrics costs say nothing that samples do not say. */
static void find_summed(struct pk_report_split *s, bool times)
{
	const struct pk_profile *p = s->p;
	const struct pk_sample_table *t = &p->sample;
	PK_FREED uint64_t *left = pk_calloc(p->metric.count, sizeof(*left));

	s->summed = pk_calloc(p->metric.count, sizeof(*s->summed));
	if (!times || p->span.count > 1 || p->cost.calls)
		return;
	for (uint32_t i = 1; i < p->cost.count; i++)
		left[pk_cost_metric(p, i)] +=
			weighted(p->cost.node[i], pk_cost_thread(p, i), p->cost.self[i]);
	for (uint32_t i = 1; i < t->count; i++)
		left[t->metric[i]] -= weighted(t->node[i], t->thread[i], t->value[i]);
	for (uint32_t m = 0; m < p->metric.count; m++)
		s->summed[m] = !left[m];
}

static void split_costs(struct pk_report_split *s)
{
	const struct pk_profile *p = s->p;

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (!s->summed[pk_cost_metric(p, i)])
			add(s, COST, pk_cost_thread(p, i), p->cost.node[i], pk_cost_metric(p, i), 0,
			    p->cost.self[i], p->cost.calls ? p->cost.calls[i] : PK_NULL, 0);
}

/* Chooses events as `--time` does (src/model/transform/select.c): samples that repeat spans do not
 * count. */
static void split_samples(struct pk_report_split *s, const uint8_t *samples)
{
	const struct pk_profile *p = s->p;
	const struct pk_sample_table *t = &p->sample;

	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t thread = t->thread[i];

		if (samples[thread] == PK_SPAN_SAMPLES_SAME &&
		    t->metric[i] == pk_span_metric(p, thread))
			continue;
		add(s, TIME, thread, t->node[i], t->metric[i],
		    t->time[i] == PK_NULL ? 0 : step_of(s, t->time[i]), t->value[i], PK_NULL, 0);
	}
}

/* Finds out by a part of the paths how long steps and how many paths there will be, about: all of
 * them would be coarsened many times. */
static void try_samples(struct pk_report_split *s, const uint8_t *samples)
{
	enum { PART = 16 };
	uint32_t paths = s->paths;

	if (s->p->sample.count < 2 * MOST_ROWS || paths <= LEAST_PATHS)
		return;
	s->part = pk_malloc(pk_mul((size_t)s->d->node_count + 1, sizeof(*s->part)));
	s->paths = LEAST_PATHS;
	find_near(s);
	for (uint32_t i = 0; i <= s->d->node_count; i++)
		s->part[i] = s->near[i] % PART == PART / 2;
	s->paths = paths;
	find_near(s);
	s->most = MOST_ROWS / PART * 3 / 2; /* rather too many rows than too few */
	split_samples(s, samples);
	forget_rows(s);
	free(s->part);
	s->part = NULL;
	s->full = false;
}

static int64_t end_of(int64_t from, int64_t duration)
{
	int64_t end;

	return __builtin_add_overflow(from, duration, &end) || end < from ? from : end;
}

static bool whole_span(void *data, uint32_t span, int64_t *time, int64_t *duration)
{
	const struct pk_span_table *t = &((const struct pk_report_split *)data)->p->span;

	*time = t->time[span];
	*duration = end_of(*time, t->duration[span]) - *time;
	return true;
}

static void split_time(void *data, uint32_t span, uint32_t metric, int64_t from, int64_t to)
{
	struct pk_report_split *s = data;
	const struct pk_span_table *t = &s->p->span;

	while (from < to) {
		uint32_t at = step_of(s, from);
		int64_t until = to;

		if (at < s->steps && s->begin + (int64_t)at * s->step < to)
			until = s->begin + (int64_t)at * s->step;
		add(s, TIME, t->thread[span], t->node[span], metric, at,
		    pk_span_value(s->p, metric, until - from), PK_NULL, 0);
		from = until;
	}
}

static void split_call(void *data, uint32_t span, uint32_t metric)
{
	struct pk_report_split *s = data;
	const struct pk_span_table *t = &s->p->span;
	int64_t begin = t->time[span], end = end_of(begin, t->duration[span]);
	int64_t calls = s->p->cost.calls ? 1 : PK_NULL;

	add(s, TIME, t->thread[span], t->node[span], metric, step_of(s, begin), 0, calls, 0);
	add(s, TIME, t->thread[span], t->node[span], metric,
	    step_of(s, end > begin ? end - 1 : end), 0, PK_NULL, calls == 1);
}

static bool has_threads(const struct pk_profile *p)
{
	uint32_t first = p->cost.count > 1 ? pk_cost_thread(p, 1) : 0;

	for (uint32_t i = 2; i < p->cost.count; i++)
		if (pk_cost_thread(p, i) != first)
			return true;
	return false;
}

/* The times of samples and spans; false: there are none. */
static bool find_times(struct pk_report_split *s)
{
	const struct pk_sample_table *t = &s->p->sample;
	const struct pk_span_table *spans = &s->p->span;

	s->begin = INT64_MAX;
	s->end = INT64_MIN;
	for (uint32_t i = 1; i < t->count; i++)
		if (t->time[i] != PK_NULL) {
			s->begin = t->time[i] < s->begin ? t->time[i] : s->begin;
			s->end = t->time[i] > s->end ? t->time[i] : s->end;
		}
	for (uint32_t i = 1; i < spans->count; i++) {
		int64_t end = end_of(spans->time[i], spans->duration[i]);

		s->begin = spans->time[i] < s->begin ? spans->time[i] : s->begin;
		s->end = end > s->end ? end : s->end;
	}
	return s->begin <= s->end && s->begin >= 0 && s->end < INT64_MAX / 2;
}

/* Estimated call paths know neither threads nor times. */
struct pk_report_split *pk_report_split_new(const struct pk_report_data *d)
{
	const struct pk_profile *p = d->calls.profile;
	struct pk_report_split *s;
	PK_FREED uint8_t *samples = NULL;
	bool threads, times;

	if (!d->has_tree || p->edge.count > 1)
		return NULL;
	threads = has_threads(p);
	s = pk_calloc(1, sizeof(*s));
	s->p = p;
	times = pk_has_times(p) && find_times(s);
	if (!threads && !times)
		return s;
	s->metric_of = pk_calloc(p->metric.count, 1);
	for (uint32_t m = 0; m < d->metric_count; m++)
		s->metric_of[d->metric[m]] = (uint8_t)(m + 1);
	s->d = d;
	s->paths = d->node_count;
	find_callers(s);
	find_near(s);
	s->steps = STEPS;
	s->step = times ? (s->end - s->begin) / STEPS + 1 : 1;
	find_summed(s, times);
	samples = times ? pk_span_samples(p) : NULL;
	if (times)
		try_samples(s, samples);
	s->most = MOST_ROWS;
	if (threads)
		split_costs(s);
	if (!times)
		return s;
	split_samples(s, samples);
	pk_span_walk(&(struct pk_span_walk){p, samples, whole_span, split_time, split_call, s});
	return s;
}

void pk_report_split_free(struct pk_report_split *s)
{
	if (!s)
		return;
	free(s->near);
	free(s->caller);
	free(s->metric_of);
	free(s->summed);
	free(s->row);
	pk_index_release(&s->index);
	free(s);
}

/* Threads of rows: their numbers in the page, from 1. */
static void put_threads(struct pk_json_writer *w, const struct pk_report_split *s, uint32_t *place)
{
	const struct pk_profile *p = s->p;
	PK_FREED uint32_t *thread = pk_calloc(p->thread.count, sizeof(*thread));
	PK_BUF_AUTO text = PK_BUF_INIT;
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->count; i++)
		place[s->row[i].key.thread] = 1;
	for (uint32_t i = 0; i < p->thread.count; i++)
		if (place[i]) {
			thread[count] = i;
			place[i] = ++count;
		}
	pk_json_put_object(w, "threads");
	PK_REPORT_COLUMN(w, "known", count, thread[i] > 0);
	PK_REPORT_COLUMN(w, "tid", count, p->thread.tid[thread[i]]);
	PK_REPORT_COLUMN(w, "pid", count, p->process.pid[p->thread.process[thread[i]]]);
	PK_REPORT_COLUMN(w, "rank", count, pk_process_rank(p, p->thread.process[thread[i]]));
	pk_json_put_array(w, "thread");
	for (uint32_t i = 0; i < count; i++)
		pk_report_text(w, pk_text(p, p->thread.name[thread[i]]),
			       p->string.len[p->thread.name[thread[i]]]);
	pk_json_end(w);
	pk_json_put_array(w, "process");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t name = p->process.name[p->thread.process[thread[i]]];

		pk_report_text(w, pk_text(p, name), p->string.len[name]);
	}
	pk_json_end(w);
	pk_json_end(w);
}

/* By path, then by thread and step: all have few bits, since there are few rows. The row is the
 * lowest part. */
enum { ROW_BITS = 16, AT_BITS = 9, PATH_BITS = 17 };
_Static_assert(MOST_ROWS <= 1 << ROW_BITS && STEPS < 1 << AT_BITS &&
		       PK_REPORT_NODES < 1 << PATH_BITS,
	       "the key of a row is too small");

static int64_t place_of(const struct row *r, uint32_t row, uint32_t thread)
{
	int64_t path = (int64_t)r->key.path << 1 | r->key.rest;

	return ((path << ROW_BITS | thread) << AT_BITS | r->key.at) << ROW_BITS | row;
}

static void put_rows(struct pk_json_writer *w, const struct pk_report_split *s,
		     const struct row *rows, const int64_t *place, uint32_t count,
		     const uint32_t *thread)
{
	enum { PATH, THREAD, AT, REST, SELF, CALLS, ENDS, COLUMNS };
	static const char *const key[COLUMNS] = {"path", "thread", "at",  "rest",
						 "self", "calls",  "ends"};
	struct pk_report_column column[COLUMNS];
	uint32_t path = 0, at = 0;

	for (int c = 0; c < COLUMNS; c++)
		pk_report_column_init(&column[c], count);
	for (uint32_t i = 0; i < count; i++) {
		const struct row *r = &rows[place[i] & ((1 << ROW_BITS) - 1)];

		column[PATH].value[i] = (int64_t)r->key.path - path;
		column[THREAD].value[i] = thread[r->key.thread] - 1;
		column[AT].value[i] = (int64_t)r->key.at - at;
		column[REST].value[i] = r->key.rest;
		column[SELF].value[i] = r->self;
		column[CALLS].value[i] = s->p->cost.calls ? r->calls : 0;
		column[ENDS].value[i] = r->ends;
		path = r->key.path;
		at = r->key.at;
	}
	pk_json_put_int(w, "count", count);
	for (int c = 0; c < COLUMNS; c++)
		pk_report_put_column(w, key[c], &column[c]);
}

static void put_part(struct pk_json_writer *w, const struct pk_report_split *s, uint32_t metric,
		     enum part part, const struct row *rows, const uint32_t *thread)
{
	PK_FREED int64_t *place = pk_malloc(pk_mul((size_t)s->count + 1, sizeof(*place)));
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->count; i++)
		if (rows[i].key.metric == metric && rows[i].key.part == part)
			place[count++] = place_of(&rows[i], i, thread[rows[i].key.thread]);
	if (!count)
		return;
	pk_sort_ints(place, count);
	pk_json_put_object(w, part == COST ? "cost" : "time");
	if (part == TIME && s->summed[s->d->metric[metric]])
		pk_json_put(w, "all %d", true);
	put_rows(w, s, rows, place, count, thread);
	pk_json_end(w);
}

/* Rows with the numbers of paths of the page, and what is then below these. */
static struct row *place_rows(const struct pk_report_split *s, const uint32_t *node, uint32_t nodes)
{
	struct row *row = pk_malloc(pk_mul((size_t)s->count + 1, sizeof(*row)));
	PK_FREED uint32_t *number = pk_calloc((size_t)s->d->node_count + 1, sizeof(*number));

	for (uint32_t i = 0; i < nodes; i++)
		number[s->place[node[i]]] = i + 1;
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t at = s->row[i].key.path;

		row[i] = s->row[i];
		for (; at && !number[at]; at = s->caller[at])
			row[i].key.rest = 1;
		row[i].key.path = at ? number[at] - 1 : nodes;
	}
	return row;
}

void pk_report_put_split(struct pk_json_writer *w, struct pk_report_split *s, uint32_t metrics,
			 const uint32_t *node, uint32_t nodes, uint32_t limit)
{
	PK_FREED struct row *row = NULL;
	PK_FREED uint32_t *thread = NULL;

	if (!s || !nodes)
		return;
	while (!s->full && s->count > 2 * (uint64_t)limit)
		coarsen(s);
	if (s->full)
		pk_json_put(w, "unsplit %d", true);
	if (s->full || !s->count)
		return;
	row = place_rows(s, node, nodes);
	thread = pk_calloc(s->p->thread.count, sizeof(*thread));
	pk_json_put_object(w, "split");
	if (s->has[TIME])
		pk_json_put(w, "begin %jd step %jd steps %jd", s->begin, s->step,
			    (int64_t)s->steps);
	pk_json_put_int(w, "lumped", nodes > s->paths ? nodes - s->paths : 0);
	put_threads(w, s, thread);
	pk_json_put_array(w, "metrics");
	for (uint32_t m = 0; m < metrics; m++) {
		pk_json_object(w);
		put_part(w, s, m, COST, row, thread);
		put_part(w, s, m, TIME, row, thread);
		pk_json_end(w);
	}
	pk_json_end(w);
	pk_json_end(w);
}
