/*
 * The costs of each call path of the page by thread and by part of the time, for its filters and
 * its window of time:
 *
 *	"split": {"begin": 0, "step": 1000, "steps": 256,
 *	          "threads": {"known": [1], "tid": [7], "pid": [1], "rank": [null],
 *	                      "thread": ["worker"], "process": ["main"]},
 *	          "metrics": [{"cost": {...}, "time": {"count": 2, "path": [3, 0], "thread": [0, 0],
 *	                       "at": [1, 5], "rest": [0, 1], "self": [10, 20], "calls": [1, 0],
 *	                       "ends": [0, 1]}}]}
 *
 * "cost" holds the costs of paths by thread. "time" holds their costs by thread and step: "at" is
 * the number of the step from 1, 0 is a time that is not known. Where "time" is marked "all", it
 * has all costs, and there is no "cost". Paths and steps are differences to those of the row
 * before; a path beyond the last is that of all. "rest" marks the cost of paths below that are not
 * in the page. In "time", calls are the spans that begin in a step, and ends those that end in it:
 * the calls in a window are those that began before its end less those that ended before its begin.
 *
 * Steps are as short as the number of rows allows. If there are too many rows, each two steps
 * become one, and then the less important paths become a part of their callers: "lumped" counts the
 * paths of the page without rows.
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

/*
 * A row is known by a number, whose parts are from the lowest on: the step, the thread, whether it
 * is of a path below that one, the path (its place, 0 = of none), the part, the metric of the page.
 */
struct row {
	uint64_t key;
	int64_t self;
};
struct row_calls {
	int64_t calls, ends; /* calls: PK_NULL if not known */
};

/* Paths and threads have PLACE_BITS together. Some room is left for the number of a row. */
enum {
	AT_BITS = 9,
	ROW_BITS = 17,
	PLACE_BITS = 32,
	MOST_THREAD_BITS = PLACE_BITS - 16,
	METRIC_BITS = 3,
	CACHE_BITS = 12
};
_Static_assert(2 * MOST_ROWS <= 1 << ROW_BITS && STEPS < 1 << AT_BITS &&
		       PK_REPORT_NODES < 1 << 16 && PK_REPORT_METRICS <= 8 &&
		       AT_BITS + ROW_BITS + PLACE_BITS + 5 <= 63,
	       "the key of a row is too small");
_Static_assert(32 + MOST_THREAD_BITS + AT_BITS + METRIC_BITS <= 64 &&
		       PK_REPORT_METRICS <= 1 << METRIC_BITS,
	       "a sample is too small");

struct pk_report_split {
	const struct pk_report_data *d;
	const struct pk_profile *p;
	int64_t begin, end, step;
	uint32_t steps;
	int halved; /* so many times, each two steps became one */
	bool has_threads, has_times;
	uint8_t *kind; /* by thread, enum pk_span_samples; NULL: there are no times */
	/* Samples of the metrics of the page until they are rows, since those of the profile may
	 * be gone by then. From the highest bit on: the node, or when that is known its place with
	 * PK_REPORT_BELOW, the thread, the first step of them all, the metric of the page. */
	uint64_t *sample;
	int64_t *value, each; /* value NULL: it is `each` of all */
	uint32_t samples;
	bool has[2];        /* by part */
	bool full;          /* there are too many rows even with one step */
	bool alone;         /* most paths have rows in one step only, at any length of a step */
	uint32_t paths;     /* number of the most important paths that have rows */
	bool *part;         /* place -> whether it is looked at; NULL: all are */
	uint32_t *near;     /* place -> itself or that of the lowest caller that has rows, times 2;
			       plus 1 for a caller, of which it is a rest */
	uint8_t *metric_of; /* metric -> its place in the page, from 1 */
	bool *summed;       /* metric -> its samples are all that its costs are made of */
	int thread_bits;
	int64_t from; /* when step `at` begins, in which the last moment was */
	uint32_t at;
	struct row *row;         /* there is room for one more than `count` */
	struct row_calls *calls; /* per row; NULL: they are not known */
	uint32_t count, alloc, calls_alloc,
		most; /* most: of rows of different keys, twice as many of any */
	struct {
		uint64_t key;
		uint32_t row;      /* from 1 */
	} recent[1 << CACHE_BITS]; /* by hash: keys that were added last */
};

/* near: the path times 2, plus 1 if it is a rest. */
static uint64_t path_key(const struct pk_report_split *s, uint32_t near)
{
	return (uint64_t)near << (AT_BITS + s->thread_bits);
}

static uint64_t part_key(uint32_t metric, enum part part)
{
	return (uint64_t)(metric << 1 | part) << (AT_BITS + 1 + PLACE_BITS);
}

static uint32_t near_of(const struct pk_report_split *s, uint64_t key)
{
	uint64_t bits = (UINT64_C(2) << (PLACE_BITS - s->thread_bits)) - 1;

	return (uint32_t)(key >> (AT_BITS + s->thread_bits) & bits);
}

static uint32_t thread_of(const struct pk_report_split *s, uint64_t key)
{
	return (uint32_t)(key >> AT_BITS & ((1U << s->thread_bits) - 1));
}

static uint32_t at_of(uint64_t key)
{
	return key & ((1 << AT_BITS) - 1);
}

static void add_up(struct pk_report_split *s, uint32_t row, int64_t self, struct row_calls more)
{
	pk_add_saturated(&s->row[row].self, self);
	if (!s->calls)
		return;
	s->calls[row].ends += more.ends;
	pk_add_known(&s->calls[row].calls, more.calls);
}

static void move_row(struct pk_report_split *s, uint32_t to, uint32_t from)
{
	s->row[to] = s->row[from];
	if (s->calls)
		s->calls[to] = s->calls[from];
}

static void find_near(struct pk_report_split *s)
{
	for (uint32_t i = 1; i <= s->d->node_count; i++)
		s->near[i] = i <= s->paths ? 2 * i : s->near[s->d->caller[i]] | 1;
}

static void sort_rows(struct pk_report_split *s)
{
	PK_FREED int64_t *order = pk_malloc(pk_mul((size_t)s->count + 1, sizeof(*order)));

	for (uint32_t i = 0; i < s->count; i++)
		order[i] = (int64_t)(s->row[i].key << ROW_BITS | i);
	pk_sort_ints_from(order, s->count, ROW_BITS);
	for (uint32_t i = 0; i < s->count; i++)
		order[i] &= (1 << ROW_BITS) - 1;
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t at = i;

		if (order[i] == i)
			continue;
		move_row(s, s->count, i);
		for (uint32_t from; (from = (uint32_t)order[at]) != i; at = from) {
			move_row(s, at, from);
			order[at] = at;
		}
		move_row(s, at, s->count);
		order[at] = at;
	}
}

/* Rows of one key, which are neighbours, become one. */
static void join_rows(struct pk_report_split *s)
{
	uint32_t count = s->count;

	s->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (s->count && s->row[s->count - 1].key == s->row[i].key)
			add_up(s, s->count - 1, s->row[i].self,
			       s->calls ? s->calls[i] : (struct row_calls){PK_NULL, 0});
		else
			move_row(s, s->count++, i);
	}
}

/* Makes fewer rows: first each two steps become one, as long as that helps, then half of the paths,
 * the less important ones, become a part of their callers, then steps again; at last there are no
 * rows at all. */
static void coarsen(struct pk_report_split *s)
{
	bool fewer_paths = (s->steps <= LEAST_STEPS || s->alone) && s->paths > LEAST_PATHS;
	uint32_t count = s->count;

	s->full = s->steps <= 1 && !fewer_paths;
	if (s->full) {
		s->count = 0;
		return;
	}
	if (fewer_paths) {
		s->paths /= 2;
		find_near(s);
	} else {
		s->step = s->step > INT64_MAX / 2 ? INT64_MAX : s->step * 2;
		s->at = 0;
		s->halved++;
		s->steps = (s->steps + 1) / 2;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint64_t *key = &s->row[i].key;
		uint32_t near = near_of(s, *key);

		if (!fewer_paths)
			*key -= at_of(*key) / 2;
		else
			*key += path_key(s, s->near[near / 2] | (near & 1)) - path_key(s, near);
	}
	if (fewer_paths)
		sort_rows(s);
	join_rows(s);
	s->alone |= !fewer_paths && s->count > count / 4 * 3;
}

static void settle(struct pk_report_split *s)
{
	memset(s->recent, 0, sizeof(s->recent));
	sort_rows(s);
	join_rows(s);
	while (s->count > s->most)
		coarsen(s);
}

/* Rows of one key may be several until all are settled. */
static void add_row(struct pk_report_split *s, const struct row *row, struct row_calls calls)
{
	__typeof__(*s->recent) *recent = &s->recent[pk_hash_u64(row->key) >> (64 - CACHE_BITS)];

	if (recent->key == row->key && recent->row) {
		add_up(s, recent->row - 1, row->self, calls);
		return;
	}
	PK_GROW(s->row, (size_t)s->count + 2, s->alloc);
	if (s->p->cost.calls) {
		PK_GROW(s->calls, (size_t)s->count + 2, s->calls_alloc);
		s->calls[s->count] = calls;
	}
	s->row[s->count++] = *row;
	recent->key = row->key;
	recent->row = s->count;
	if (s->count >= 2 * s->most)
		settle(s);
}

/* metric: of the page, from 0 */
static void add_at(struct pk_report_split *s, enum part part, uint32_t thread, uint32_t place,
		   uint32_t metric, uint32_t at, int64_t self, int64_t calls, int64_t ends)
{
	uint32_t path = place & ~PK_REPORT_BELOW;
	uint64_t key = (uint64_t)thread << AT_BITS | at;

	if (s->full || (s->part && !s->part[path]))
		return;
	key |= path_key(s, s->near[path] | (place != path));
	key |= part_key(metric, part);
	add_row(s, &(struct row){key, self}, (struct row_calls){calls, ends});
	s->has[part] = true;
}

static void add(struct pk_report_split *s, enum part part, uint32_t thread, uint32_t node,
		uint32_t metric, uint32_t at, int64_t self, int64_t calls, int64_t ends)
{
	if (s->metric_of[metric])
		add_at(s, part, thread, s->d->place[node], s->metric_of[metric] - 1, at, self,
		       calls, ends);
}

/* The step of a moment, from 1; mostly that of the last one. */
static uint32_t step_of(struct pk_report_split *s, int64_t time)
{
	uint64_t since = time > s->begin ? (uint64_t)time - (uint64_t)s->begin : 0, step;

	if ((uint64_t)time - (uint64_t)s->from < (uint64_t)s->step && s->at)
		return s->at;
	step = since / (uint64_t)s->step;
	step = step < s->steps ? step : s->steps - 1;
	s->from = s->begin + (int64_t)step * s->step;
	s->at = 1 + (uint32_t)step;
	return s->at;
}

/* Each path of a thread has a weight, a random number: two sums that are the same have the same
 * values. */
static uint64_t weighted(uint32_t node, uint32_t thread, int64_t value)
{
	return pk_hash_pair(node, thread) * (uint64_t)value;
}

/* Finds the metrics whose costs say nothing that samples do not say. */
static void find_summed(struct pk_report_split *s)
{
	const struct pk_profile *p = s->p;
	const struct pk_sample_table *t = &p->sample;
	PK_FREED uint64_t *left = pk_calloc(p->metric.count, sizeof(*left));

	s->summed = pk_calloc(p->metric.count, sizeof(*s->summed));
	if (!s->has_times || p->span.count > 1 || p->cost.calls)
		return;
	for (uint32_t i = 1; i < p->cost.count; i++)
		left[pk_cost_metric(p, i)] +=
			weighted(p->cost.node[i], pk_cost_thread(p, i), p->cost.self[i]);
	for (uint32_t i = 1; i < t->count; i++)
		left[pk_sample_metric(t, i)] -= weighted(t->node[i], t->thread[i], t->value[i]);
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

/* The values of all samples are the same mostly. */
static void keep_value(struct pk_report_split *s, int64_t value)
{
	if (!s->samples)
		s->each = value;
	if (value != s->each && !s->value) {
		s->value = pk_malloc(pk_mul(s->p->sample.count, sizeof(*s->value)));
		for (uint32_t i = 0; i < s->samples; i++)
			s->value[i] = s->each;
	}
	if (s->value)
		s->value[s->samples] = value;
}

/* Chooses events as `--time` does (src/model/transform/select.c): samples that repeat spans do not
 * count. */
static void keep_samples(struct pk_report_split *s)
{
	const struct pk_profile *p = s->p;
	const struct pk_sample_table *t = &p->sample;

	s->sample = pk_malloc(pk_mul(t->count, sizeof(*s->sample)));
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t thread = t->thread[i], metric = s->metric_of[pk_sample_metric(t, i)];
		uint64_t sample = (uint64_t)t->node[i] << s->thread_bits | thread;

		if (!metric || (s->kind[thread] == PK_SPAN_SAMPLES_SAME &&
				pk_sample_metric(t, i) == pk_span_metric(p, thread)))
			continue;
		sample = sample << AT_BITS | (t->time[i] == PK_NULL ? 0 : step_of(s, t->time[i]));
		keep_value(s, t->value[i]);
		s->sample[s->samples++] = sample << METRIC_BITS | (metric - 1);
	}
}

/* Paths of samples are all over the memory: their places are asked for in advance, and once. */
static void find_places(struct pk_report_split *s)
{
	enum { AHEAD = 16 };
	int bits = s->thread_bits + AT_BITS + METRIC_BITS;
	uint64_t low = (UINT64_C(1) << bits) - 1;
	const uint32_t *place = s->d->place;

	for (uint32_t i = 0; i < s->samples; i++) {
		if (i + AHEAD < s->samples)
			__builtin_prefetch(&place[s->sample[i + AHEAD] >> bits]);
		s->sample[i] = (uint64_t)place[s->sample[i] >> bits] << bits | (s->sample[i] & low);
	}
}

static void split_samples(struct pk_report_split *s)
{
	int bits = s->thread_bits + AT_BITS;

	for (uint32_t i = 0; i < s->samples; i++) {
		uint64_t key = s->sample[i] >> METRIC_BITS;
		uint32_t metric = s->sample[i] & ((1 << METRIC_BITS) - 1), at = at_of(key);

		add_at(s, TIME, thread_of(s, key), (uint32_t)(key >> bits), metric,
		       at ? 1 + ((at - 1) >> s->halved) : 0, s->value ? s->value[i] : s->each,
		       PK_NULL, 0);
	}
}

/* Estimates the length of steps and the number of paths from a part of the paths, since all of them
 * would be coarsened many times. */
static void try_samples(struct pk_report_split *s)
{
	enum { PART = 16 };
	uint32_t paths = s->paths;

	if (s->samples < 2 * MOST_ROWS || paths <= LEAST_PATHS)
		return;
	s->part = pk_malloc(pk_mul((size_t)s->d->node_count + 1, sizeof(*s->part)));
	s->paths = LEAST_PATHS;
	find_near(s);
	for (uint32_t i = 0; i <= s->d->node_count; i++)
		s->part[i] = s->near[i] / 2 % PART == PART / 2;
	s->paths = paths;
	find_near(s);
	s->most = MOST_ROWS / PART * 3 / 2; /* rather too many rows than too few */
	split_samples(s);
	settle(s);
	s->count = 0;
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

/* Estimated call paths know neither threads nor times. There are no rows if the bits of threads in
 * a key would be too many. */
struct pk_report_split *pk_report_split_new(const struct pk_report_data *d)
{
	const struct pk_profile *p = d->calls.profile;
	struct pk_report_split *s;

	if (!d->has_tree || p->edge.count > 1)
		return NULL;
	s = pk_calloc(1, sizeof(*s));
	s->d = d;
	s->p = p;
	s->has_threads = has_threads(p);
	s->has_times = pk_has_times(p) && find_times(s);
	if (!s->has_threads && !s->has_times)
		return s;
	s->metric_of = pk_calloc(p->metric.count, 1);
	for (uint32_t m = 0; m < d->metric_count; m++)
		s->metric_of[d->metric[m]] = (uint8_t)(m + 1);
	while (p->thread.count >> s->thread_bits)
		s->thread_bits++;
	s->full = s->thread_bits > MOST_THREAD_BITS;
	if (s->full)
		return s;
	s->steps = STEPS;
	s->step = s->has_times ? (s->end - s->begin) / STEPS + 1 : 1;
	find_summed(s);
	s->kind = s->has_times ? pk_span_samples(p) : NULL;
	if (s->has_times)
		keep_samples(s);
	return s;
}

static void forget_samples(struct pk_report_split *s)
{
	free(s->sample);
	free(s->value);
	free(s->kind);
	s->sample = NULL;
	s->value = NULL;
	s->kind = NULL;
}

void pk_report_split_fill(struct pk_report_split *s)
{
	if (!s || s->full || (!s->has_threads && !s->has_times))
		return;
	s->paths = s->d->node_count;
	while (s->paths >> (PLACE_BITS - s->thread_bits))
		s->paths /= 2;
	s->near = pk_calloc((size_t)s->d->node_count + 1, sizeof(*s->near));
	find_near(s);
	find_places(s);
	try_samples(s);
	s->most = MOST_ROWS;
	if (s->has_threads)
		split_costs(s);
	if (s->has_times) {
		split_samples(s);
		pk_span_walk(&(struct pk_span_walk){s->p, s->kind, whole_span, split_time,
						    split_call, s});
	}
	forget_samples(s);
	settle(s);
	s->alloc = s->count + 1;
	s->row = pk_realloc(s->row, pk_mul(s->alloc, sizeof(*s->row)));
}

void pk_report_split_free(struct pk_report_split *s)
{
	if (!s)
		return;
	forget_samples(s);
	free(s->near);
	free(s->metric_of);
	free(s->summed);
	free(s->row);
	free(s->calls);
	free(s);
}

/* Threads of rows: their numbers in the page, from 1. */
static void put_threads(struct pk_json_writer *w, const struct pk_report_split *s, uint32_t *place)
{
	const struct pk_profile *p = s->p;
	PK_FREED uint32_t *thread = pk_calloc(p->thread.count, sizeof(*thread));
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->count; i++)
		place[thread_of(s, s->row[i].key)] = 1;
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

/* The order of rows in the page: by path, then by thread and step. The row is the lowest part. The
 * number of a path is that in the page; what is below these is a rest. */
static int64_t place_of(const struct pk_report_split *s, const uint32_t *number, uint32_t nodes,
			uint32_t row)
{
	uint64_t key = s->row[row].key, low = (UINT64_C(1) << (AT_BITS + s->thread_bits)) - 1;
	uint32_t path = near_of(s, key) / 2, rest = near_of(s, key) & 1;

	for (; path && !number[path]; path = s->d->caller[path])
		rest = 1;
	key = path_key(s, 2 * (path ? number[path] - 1 : nodes) | rest) | (key & low);
	return (int64_t)(key << ROW_BITS | row);
}

/* The key of row i in that order. */
static uint64_t key_at(const int64_t *place, size_t i)
{
	return (uint64_t)place[i] >> ROW_BITS;
}

static size_t row_at(const int64_t *place, size_t i)
{
	return place[i] & ((1 << ROW_BITS) - 1);
}

static void put_calls(struct pk_json_writer *w, const struct pk_report_split *s,
		      const int64_t *place, uint32_t count)
{
	PK_REPORT_BRIEF_COLUMN(w, "calls", count, s->calls[row_at(place, i)].calls);
	PK_REPORT_BRIEF_COLUMN(w, "ends", count, s->calls[row_at(place, i)].ends);
}

static void put_rows(struct pk_json_writer *w, const struct pk_report_split *s,
		     const int64_t *place, uint32_t count, const uint32_t *thread)
{
	int bits = AT_BITS + s->thread_bits + 1;

	pk_json_put_int(w, "count", count);
	PK_REPORT_BRIEF_COLUMN(w, "path", count,
			       (key_at(place, i) >> bits) - (i ? key_at(place, i - 1) >> bits : 0));
	PK_REPORT_BRIEF_COLUMN(w, "thread", count, thread[thread_of(s, key_at(place, i))] - 1);
	PK_REPORT_BRIEF_COLUMN(w, "at", count,
			       (int64_t)at_of(key_at(place, i)) -
				       (i ? at_of(key_at(place, i - 1)) : 0));
	PK_REPORT_BRIEF_COLUMN(w, "rest", count, key_at(place, i) >> (bits - 1) & 1);
	PK_REPORT_BRIEF_COLUMN(w, "self", count, s->row[row_at(place, i)].self);
	if (s->calls)
		put_calls(w, s, place, count);
}

static void put_part(struct pk_json_writer *w, const struct pk_report_split *s, uint32_t metric,
		     enum part part, const uint32_t *number, uint32_t nodes, const uint32_t *thread)
{
	PK_FREED int64_t *place = pk_malloc(pk_mul((size_t)s->count + 1, sizeof(*place)));
	uint64_t from = part_key(metric, part), to = part_key(0, 1) + from;
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->count; i++)
		if (s->row[i].key >= from && s->row[i].key < to)
			place[count++] = place_of(s, number, nodes, i);
	if (!count)
		return;
	pk_sort_ints_from(place, count, ROW_BITS);
	pk_json_put_object(w, part == COST ? "cost" : "time");
	if (part == TIME && s->summed[s->d->metric[metric]])
		pk_json_put(w, "all %d", true);
	put_rows(w, s, place, count, thread);
	pk_json_end(w);
}

void pk_report_put_split(struct pk_json_writer *w, struct pk_report_split *s, uint32_t metrics,
			 const uint32_t *place, uint32_t places, uint32_t limit)
{
	PK_FREED uint32_t *thread = NULL, *number = NULL;

	if (!s || !places)
		return;
	while (!s->full && s->count > 2 * (uint64_t)limit)
		coarsen(s);
	if (s->full)
		pk_json_put(w, "unsplit %d", true);
	if (s->full || !s->count)
		return;
	number = pk_calloc((size_t)s->d->node_count + 1, sizeof(*number));
	for (uint32_t i = 0; i < places; i++)
		number[place[i]] = i + 1;
	thread = pk_calloc(s->p->thread.count, sizeof(*thread));
	pk_json_put_object(w, "split");
	if (s->has[TIME])
		pk_json_put(w, "begin %jd step %jd steps %jd", s->begin, s->step,
			    (int64_t)s->steps);
	pk_json_put_int(w, "lumped", places > s->paths ? places - s->paths : 0);
	put_threads(w, s, thread);
	pk_json_put_array(w, "metrics");
	for (uint32_t m = 0; m < metrics; m++) {
		pk_json_object(w);
		put_part(w, s, m, COST, number, places, thread);
		put_part(w, s, m, TIME, number, places, thread);
		pk_json_end(w);
	}
	pk_json_end(w);
	pk_json_end(w);
}
