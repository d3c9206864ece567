/* The lanes of a timeline, and the boxes in them: as many as can be seen. */
#include "writers/timeline/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/events/nest.h"
#include "model/events/sample_edges.h"
#include "model/events/spans.h"

enum {
	MOST_LANES = 100,
	MOST_ROWS = 400, /* of all lanes */
	MOST_BOXES = 12000,
	MOST_SAMPLES = 2 * MOST_BOXES,
	MOST_SPANS = 10 * MOST_BOXES, /* that samples make, about */
	TRIED = 500,                  /* pairs of samples */
	MOST_KEPT = 250000,           /* joined spans that are written, in 12 bytes each */
	STRIPE = 3, /* joined spans make boxes of up to this many times the least width */
};

static int64_t end_of(const struct pk_span_table *t, uint32_t i)
{
	int64_t end;

	if (__builtin_add_overflow(t->time[i], t->duration[i], &end))
		return INT64_MAX;
	return end;
}

static void widen(struct pk_timeline *t, int64_t begin, int64_t end)
{
	if (begin < t->begin)
		t->begin = begin;
	if (end > t->end)
		t->end = end;
}

/* Widens t to the samples of a thread, each of which ends before the next one begins. */
static void widen_to_samples(struct pk_timeline *t, uint32_t from, uint32_t end)
{
	if (from == end)
		return;
	widen(t, pk_moment_at(&t->moments, from).time, pk_moment_at(&t->moments, end - 1).end);
}

static void find_range(struct pk_timeline *t)
{
	const struct pk_profile *p = t->p;
	uint32_t i;

	t->begin = INT64_MAX;
	t->end = INT64_MIN;
	for (i = 0; i < p->thread.count && t->moments.order.row; i++)
		widen_to_samples(t, t->moments.order.first[i], t->moments.order.first[i + 1]);
	for (i = 1; t->spans && i < t->spans->count; i++)
		widen(t, t->spans->time[i], end_of(t->spans, i));
	for (i = 1; i < p->instant.count; i++)
		widen(t, p->instant.time[i], p->instant.time[i]);
	for (i = 1; t->spans == &p->span && i < p->sample.count; i++)
		if (pk_timeline_marks_sample(t, i))
			widen(t, p->sample.time[i], p->sample.time[i]);
	for (i = 1; i < p->counter.count; i++)
		widen(t, p->counter.time[i], p->counter.time[i]);
	if (t->begin > t->end)
		t->begin = t->end = 0;
	if (t->begin > INT64_MAX / 2 || t->begin < INT64_MIN / 2 || t->end > INT64_MAX / 2)
		t->end = t->begin < INT64_MAX / 4 ? INT64_MAX / 4 : t->begin + 1;
	if (t->begin == t->end)
		t->end = t->begin + 1;
}

/* The rows of a thread: when what is in each ends. */
struct rows {
	int64_t *end; /* a tree: at i is the least of those at 2i and 2i + 1, row 0 is at count */
	size_t count, alloc; /* count: 0 or a power of two */
};

static int64_t least_end(const struct rows *r, size_t i)
{
	return r->end[2 * i] < r->end[2 * i + 1] ? r->end[2 * i] : r->end[2 * i + 1];
}

/* The last row stays free. */
static void reserve_rows(struct rows *r, size_t last)
{
	size_t count = r->count ? r->count : 16, i;

	while (count <= last)
		count *= 2;
	if (count == r->count)
		return;
	PK_GROW(r->end, 2 * count, r->alloc);
	memmove(r->end + count, r->end + r->count, r->count * sizeof(*r->end));
	for (i = count + r->count; i < 2 * count; i++)
		r->end[i] = INT64_MIN;
	for (i = count - 1; i; i--)
		r->end[i] = least_end(r, i);
	r->count = count;
}

/* The first row from this one on that is free at `time`. */
static uint32_t free_row(struct rows *r, uint32_t row, int64_t time)
{
	size_t i;

	reserve_rows(r, (size_t)row + 1);
	i = r->count + row;
	while (r->end[i] > time) {
		while (i % 2)
			i /= 2;
		i++;
	}
	while (i < r->count)
		i = 2 * i + (r->end[2 * i] > time);
	return (uint32_t)(i - r->count);
}

static void take_row(struct rows *r, uint32_t row, int64_t end)
{
	size_t i;

	reserve_rows(r, (size_t)row + 1);
	i = r->count + row;
	if (end <= r->end[i])
		return;
	r->end[i] = end;
	while ((i /= 2) && r->end[i] != (end = least_end(r, i)))
		r->end[i] = end;
}

/* Spans that overlap without being calls of each other, as markers do, are put below each other,
 * and what they call below them. An overlap of less than a pixel, such as rounded times make, does
 * not count. Calls that samples make do not overlap. */
static void find_rows(struct pk_timeline *t, const uint32_t *depth, int64_t pixel)
{
	const struct pk_span_table *s = t->spans;
	PK_FREED uint32_t *parent = pk_span_parents(t->p);
	uint32_t *row_of = pk_calloc(s->count, sizeof(*row_of)); /* from 1 */
	struct rows r = {.count = 0};
	bool moved = false;

	for (uint32_t i = 1; i < s->count; i++) {
		uint32_t own = pk_timeline_row(t, depth, i), row = own;
		int64_t time = s->time[i];

		if (s->thread[i] != s->thread[i - 1])
			r.count = 0;
		if (row_of[parent[i]] > row)
			row = row_of[parent[i]];
		pk_add_saturated(&time, pixel);
		row = free_row(&r, row, time);
		take_row(&r, row, end_of(s, i));
		row_of[i] = row + 1;
		moved |= row != own;
	}
	free(r.end);
	if (moved)
		t->row_of = row_of;
	else
		free(row_of);
}

/* The facts that decide about a thread's place: spans, time, greatest depth. */
struct rank {
	const struct pk_profile *p;
	uint32_t thread, spans, depth;
	int64_t time, first, begin; /* begin: of the first event of its process */
};

/* Rows of states are left out first: a thread is in some state all the time. */
static int compare_time(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	const uint8_t *role = x->p->thread.role;
	int order = (role[x->thread] == PK_ROLE_STATES) - (role[y->thread] == PK_ROLE_STATES);

	order = order ? order : PK_ORDER(y->time, x->time);

	return order ? order : PK_ORDER(x->thread, y->thread);
}

static int compare_sort(int64_t x, int64_t y)
{
	if (x == y)
		return 0;
	if (x == PK_NULL || y == PK_NULL)
		return x == PK_NULL ? 1 : -1;
	return x < y ? -1 : 1;
}

/* CPUs; processes by their rank, their sort index, else by when they began; in each, GPU streams
 * below the others, by their numbers. */
static int compare_places(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	const struct pk_profile *p = x->p;
	const struct pk_thread_table *t = &p->thread;
	uint32_t px = t->process[x->thread], py = t->process[y->thread];
	int order = (t->role[y->thread] == PK_ROLE_CPU) - (t->role[x->thread] == PK_ROLE_CPU);
	bool gx = t->role[x->thread] == PK_ROLE_GPU, gy = t->role[y->thread] == PK_ROLE_GPU;

	order = order ? order : compare_sort(pk_process_rank(p, px), pk_process_rank(p, py));
	order = order ? order : compare_sort(p->process.sort[px], p->process.sort[py]);
	if (!order && x->begin != y->begin)
		order = x->begin < y->begin ? -1 : 1;
	if (order || px != py)
		return order ? order : px < py ? -1 : 1;
	if (gx != gy)
		return gx ? 1 : -1;
	order = compare_sort(t->sort[x->thread], t->sort[y->thread]);
	if (!order && gx)
		order = compare_sort(t->tid[x->thread], t->tid[y->thread]);
	if (order)
		return order;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void find_begins(const struct pk_profile *p, struct rank *rank)
{
	int64_t *begin = pk_malloc(pk_mul(p->process.count, sizeof(*begin)));
	uint32_t i;

	for (i = 0; i < p->process.count; i++)
		begin[i] = INT64_MAX;
	for (i = 0; i < p->thread.count; i++) {
		uint32_t process = p->thread.process[i];

		if (rank[i].first < begin[process])
			begin[process] = rank[i].first;
	}
	for (i = 0; i < p->thread.count; i++)
		rank[i].begin = begin[p->thread.process[i]];
	free(begin);
}

/* time: of spans that are in no other. */
static void rank_span(struct rank *r, uint32_t depth, int64_t begin, int64_t time)
{
	r->spans++;
	if (time > 0 && r->time < INT64_MAX / 2)
		r->time += time;
	if (depth > r->depth)
		r->depth = depth;
	if (begin < r->first)
		r->first = begin;
}

/* All samples are looked at if their depth is needed, or if time decides which threads have
 * lanes. */
static void rank_samples(struct rank *r, const struct pk_moments *m, const uint32_t *depth)
{
	const uint32_t *first = m->order.first + r->thread;

	if (first[0] == first[1])
		return;
	r->first = pk_moment_at(m, first[0]).time;
	if (!depth && r->p->thread.count <= MOST_LANES) {
		r->spans = first[1] - first[0];
		return;
	}
	for (uint32_t i = first[0]; i < first[1]; i++) {
		struct pk_moment at = pk_moment_at(m, i);

		rank_span(r, depth ? depth[at.node] : 0, at.time, at.end - at.time);
	}
}

/* The number of calls that begin at a sample, in the mean, where samples within that time are
 * one, and are walked over once. */
static double mean_begins(const struct pk_moments *m, int64_t within)
{
	uint32_t step = m->count / TRIED + 1;
	uint64_t begins = 0, tried = 0;

	for (uint32_t i = 0, next; i + 1 < m->count;
	     i = next > i + step ? next : i + step, tried++) {
		struct pk_moment from = pk_moment_at(m, i), to = from;
		int64_t end = from.time;

		for (next = i; next < m->count; next++) {
			to = pk_moment_at(m, next);
			if (to.thread != from.thread || to.time - from.time >= within)
				break;
			pk_add_saturated(&end, to.end - to.time);
		}
		if (to.thread != from.thread || end < to.time)
			from.node = 0;
		begins += pk_begun_calls(m->p, from.node, to.node);
	}
	return tried ? (double)begins / (double)tried : 0;
}

/* If there are more samples than boxes are allowed, most could not be seen; nor could most of their
 * calls if nearly all of each path changes. */
static void join_samples(struct pk_timeline *t, struct rank *rank)
{
	uint32_t threads = 0;
	double each, spans;

	for (uint32_t i = 0; i < t->p->thread.count; i++)
		threads += rank[i].spans > 0;
	each = (double)(t->end - t->begin) * threads / MOST_SAMPLES;
	t->together = each < 1 ? 1 : (int64_t)each;
	spans = MOST_SAMPLES * mean_begins(&t->moments, t->together);
	if (spans > MOST_SPANS)
		t->together = (int64_t)(each * spans / MOST_SPANS) + 1;
	pk_moments_join(&t->moments, t->together);
	for (uint32_t i = 0; i < t->moments.count; i++) {
		struct rank *r = &rank[pk_moment_at(&t->moments, i).thread];
		uint32_t depth = pk_moment_depth(&t->moments, i);

		r->depth = depth > r->depth ? depth : r->depth;
	}
}

static struct rank *rank_threads(struct pk_timeline *t, const uint32_t *depth)
{
	const struct pk_profile *p = t->p;
	struct rank *rank = pk_calloc(p->thread.count, sizeof(*rank));
	uint32_t i;

	for (i = 0; i < p->thread.count; i++) {
		rank[i].p = p;
		rank[i].thread = i;
		rank[i].first = INT64_MAX;
	}
	for (i = 0; i < p->thread.count && t->moments.order.row; i++)
		rank_samples(&rank[i], &t->moments, depth);
	if (!depth)
		join_samples(t, rank);
	for (i = 1; t->spans && i < t->spans->count; i++) {
		bool outermost = depth[t->spans->node[i]] <= 1;

		rank_span(&rank[t->spans->thread[i]], pk_timeline_row(t, depth, i) + 1,
			  t->spans->time[i], outermost ? t->spans->duration[i] : 0);
	}
	for (i = 1; i < p->instant.count; i++)
		if (p->instant.thread[i] && !rank[p->instant.thread[i]].spans)
			rank[p->instant.thread[i]].time++;
	find_begins(p, rank);
	return rank;
}

/* The depth up to which all lanes together have at most MOST_ROWS rows. */
static uint32_t common_depth(const struct rank *rank, uint32_t count, uint32_t asked)
{
	uint32_t depth = asked ? asked : UINT32_MAX, rows, i;

	for (;;) {
		uint32_t deepest = 1;

		rows = 0;
		for (i = 0; i < count; i++) {
			uint32_t d = rank[i].depth < depth ? rank[i].depth : depth;

			rows += d ? d : 1;
			deepest = d > deepest ? d : deepest;
		}
		if (asked || rows <= MOST_ROWS || deepest == 1)
			return deepest;
		depth = deepest - (deepest + 7) / 8;
	}
}

static void make_lanes(struct pk_timeline *t, const uint32_t *depth, uint32_t asked)
{
	struct rank *rank = rank_threads(t, depth);
	uint32_t threads = t->p->thread.count, n = 0, i, most;

	t->lane_of_thread = pk_malloc(pk_mul(threads, sizeof(uint32_t)));
	memset(t->lane_of_thread, 0xFF, threads * sizeof(uint32_t));
	for (i = 0; i < threads; i++)
		if (rank[i].spans || rank[i].time)
			rank[n++] = rank[i];
	if (n > MOST_LANES) {
		qsort(rank, n, sizeof(*rank), compare_time);
		t->other_threads = n - MOST_LANES;
		n = MOST_LANES;
	}
	qsort(rank, n, sizeof(*rank), compare_places);
	most = common_depth(rank, n, asked);
	t->lane = pk_calloc(n ? n : 1, sizeof(*t->lane));
	t->lane_count = n;
	for (i = 0; i < n; i++) {
		uint32_t d = rank[i].depth < most ? rank[i].depth : most;

		t->lane[i] = (struct pk_timeline_lane){rank[i].thread, d ? d : 1};
		t->lane_of_thread[rank[i].thread] = i;
	}
	free(rank);
}

/* One pass over all spans. */
struct pass {
	struct pk_timeline *t;
	const uint32_t *depth;
	struct pk_timeline_box *open; /* per row; count 0 = none */
	uint32_t *first_row;          /* per lane; the last is the number of rows */
	size_t alloc;
	int64_t *began; /* of samples: when the calls of the current path began */
	size_t depth_now, began_alloc;
};

static void put_box(struct pass *pass, const struct pk_timeline_box *box)
{
	struct pk_timeline *t = pass->t;

	PK_GROW(t->box, t->box_count + 1, pass->alloc);
	t->box[t->box_count++] = *box;
}

static void flush_row(struct pass *pass, uint32_t row)
{
	if (pass->open[row].count)
		put_box(pass, &pass->open[row]);
	pass->open[row].count = 0;
}

static void join(struct pk_timeline *t, struct pk_timeline_box *box,
		 const struct pk_timeline_box *more)
{
	if (t->next)
		t->next[box->last] = more->first;
	box->last = more->last;
	if (more->function == box->function) {
		box->others += more->others;
	} else if (more->longest > box->longest) {
		/* The longest span so far becomes one of the others. */
		box->others = box->count + more->others;
		box->function = more->function;
		box->category = more->category;
	} else {
		box->others += more->count;
	}
	if (more->longest > box->longest)
		box->longest = more->longest;
	box->count += more->count;
	box->busy += more->busy;
	if (more->end > box->end)
		box->end = more->end;
}

/* Boxes come in the order of their begins in each row. */
static void add_box(struct pass *pass, const struct pk_timeline_box *box)
{
	int64_t least = pass->t->least;
	uint32_t row = pass->first_row[box->lane] + box->depth;
	struct pk_timeline_box *open = &pass->open[row];

	if (box->count == 1 && box->busy >= least) {
		flush_row(pass, row);
		put_box(pass, box);
		return;
	}
	if (open->count &&
	    (box->begin - open->end > least || box->end - open->begin > STRIPE * least))
		flush_row(pass, row);
	if (open->count)
		join(pass->t, open, box);
	else
		*open = *box;
}

/* Each row has at least one box, and --depth may ask for many rows. */
static bool can_grow(const struct pk_timeline *t)
{
	return t->least < t->end - t->begin;
}

/* There are too many boxes: shorter ones are joined, too. The boxes made from those up to any place
 * are never more than these, so they take their place in the array. */
static void grow_least(struct pass *pass)
{
	struct pk_timeline *t = pass->t;
	struct pk_timeline_box *open = pass->open;
	size_t count = t->box_count;
	uint32_t rows = pass->first_row[t->lane_count];

	t->least += (t->least + 1) / 2;
	t->box_count = 0;
	pass->open = pk_calloc((size_t)rows + 1, sizeof(*pass->open));
	for (size_t i = 0; i < count; i++) {
		struct pk_timeline_box box = t->box[i];

		add_box(pass, &box);
	}
	for (uint32_t i = 0; i < rows; i++)
		if (open[i].count)
			add_box(pass, &open[i]);
	free(open);
}

/* Adds a box of one span: `box` has the values that do not follow from thread and node. depth: from
 * 0. */
static void add_one(struct pass *pass, uint32_t thread, uint32_t node, uint32_t depth,
		    struct pk_timeline_box *box)
{
	struct pk_timeline *t = pass->t;
	uint32_t lane = t->lane_of_thread[thread];

	if (lane == UINT32_MAX) {
		t->other_spans++;
		return;
	}
	if (depth >= t->lane[lane].depth) {
		t->deep++;
		return;
	}
	box->lane = lane;
	box->depth = depth;
	box->function = pk_node_function(t->p, node);
	box->count = 1;
	box->busy = box->longest = box->end - box->begin;
	add_box(pass, box);
	while (t->box_count > MOST_BOXES && can_grow(t))
		grow_least(pass);
}

static void add_span(struct pass *pass, uint32_t span)
{
	const struct pk_span_table *s = pass->t->spans;

	add_one(pass, s->thread[span], s->node[span], pk_timeline_row(pass->t, pass->depth, span),
		&(struct pk_timeline_box){.category = s->category[span],
					  .first = span,
					  .last = span,
					  .begin = s->time[span],
					  .end = end_of(s, span)});
}

/* At one depth of a thread, the call that begins first ends first. */
static void add_edge(void *data, bool begins, uint32_t thread, uint32_t node, int64_t time)
{
	struct pass *pass = data;

	if (begins) {
		PK_GROW(pass->began, pass->depth_now + 1, pass->began_alloc);
		pass->began[pass->depth_now++] = time;
		return;
	}
	pass->depth_now--;
	add_one(pass, thread, node, (uint32_t)pass->depth_now,
		&(struct pk_timeline_box){.begin = pass->began[pass->depth_now], .end = time});
}

PK_COMPARE(compare_boxes, struct pk_timeline_box,
	   PK_ORDER(a->lane, b->lane)
		   ?: PK_ORDER(a->begin, b->begin)
		   ?: PK_ORDER(a->depth, b->depth)
		   ?: PK_ORDER(a->end, b->end))

static void make_boxes(struct pk_timeline *t, const uint32_t *depth)
{
	struct pass pass = {.t = t, .depth = depth};
	uint32_t rows = 0;
	size_t open;

	pass.first_row = pk_malloc(pk_mul((size_t)t->lane_count + 1, sizeof(uint32_t)));
	for (uint32_t i = 0; i < t->lane_count; i++) {
		pass.first_row[i] = rows;
		rows += t->lane[i].depth;
	}
	pass.first_row[t->lane_count] = rows;
	pass.open = pk_calloc((size_t)rows + 1, sizeof(*pass.open));
	pk_moment_edges(&t->moments, depth, add_edge, &pass);
	for (uint32_t i = 1; t->spans && i < t->spans->count; i++)
		add_span(&pass, i);
	for (;;) {
		open = 0;
		for (uint32_t i = 0; i < rows; i++)
			open += pass.open[i].count > 0;
		if (t->box_count + open <= MOST_BOXES || !can_grow(t))
			break;
		grow_least(&pass);
	}
	for (uint32_t i = 0; i < rows; i++)
		flush_row(&pass, i);
	free(pass.open);
	free(pass.began);
	free(pass.first_row);
	for (size_t i = 0; i < t->box_count; i++)
		t->joined += t->box[i].count > 1 ? t->box[i].count : 0;
}

void pk_timeline_init(struct pk_timeline *t, const struct pk_profile *p,
		      const struct pk_span_table *spans, const struct pk_timeline_limits *limits)
{
	PK_FREED uint32_t *depth = NULL;

	memset(t, 0, sizeof(*t));
	t->p = p;
	t->spans = spans;
	if (!spans)
		pk_moments_init(&t->moments, p, limits->sampled);
	if (t->moments.count <= MOST_SAMPLES)
		depth = pk_node_depths(p);
	find_range(t);
	t->least = (int64_t)((double)(t->end - t->begin) / limits->pixels);
	if (spans == &p->span)
		find_rows(t, depth, t->least);
	make_lanes(t, depth, limits->depth);
	t->least = t->least > t->together ? t->least : t->together;
	t->least = t->least ? t->least : 1;
	if (spans && !limits->without_spans)
		t->next = pk_calloc(spans->count, sizeof(*t->next));
	make_boxes(t, depth);
	if (!t->joined || t->joined > MOST_KEPT) {
		free(t->next);
		t->next = NULL;
	}
	pk_sort(t->box, t->box_count, sizeof(*t->box), compare_boxes);
	pk_timeline_add_marks(t);
	pk_timeline_add_counters(t);
	if (limits->flows)
		pk_timeline_add_flows(t, depth);
	pk_moments_release(&t->moments);
	t->moments = (struct pk_moments){.count = 0};
}

void pk_timeline_release(struct pk_timeline *t)
{
	free(t->lane);
	free(t->box);
	free(t->counter);
	free(t->area);
	free(t->mark);
	free(t->flow);
	free(t->lane_of_thread);
	free(t->row_of);
	free(t->next);
}
