/*
 * Flows between spans. Their ends are bound when all spans are read: events s, t and f to the
 * span around them on their thread (f without "bp": "e" to the next span that begins), ids in
 * spans ("bind_id") to these spans. Then the points of each id are linked in the order of
 * time.
 *
 *	{"ph": "s", "id": 3, "pid": 7, "tid": 9, "ts": 10, "name": "launch", "cat": "ac2g"}
 *	{"ph": "f", "id": 3, "pid": 0, "tid": 7, "ts": 12, "name": "launch", "cat": "ac2g",
 *	 "bp": "e"}
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/build/id_map.h"
#include "readers/chrome/internal.h"

enum end { FROM, THROUGH, TO, CHAIN };

/* The most lanes of overlapping spans of a thread in which ends of flows are searched. */
enum { MOST_LANES = 64 };

struct pk_chrome_point {     /* The end of a flow. Small, because there can be as many as spans. */
	uint64_t key : 59;   /* a hash of the id; later the number of its group */
	uint64_t end : 2;    /* enum end */
	uint64_t bound : 1;  /* `where` is a span */
	uint64_t around : 1; /* bind to the enclosing span and not to the next one */
	uint64_t many : 1;   /* one begin may have several ends */
	int64_t time;        /* as in the file */
	uint32_t where;      /* index in c->threads, or the row of a span as it was stored */
	uint32_t category;
};

/* Returns NULL if flows were not requested. */
static struct pk_chrome_point *add_point(struct pk_chrome *c, uint64_t key, int64_t time)
{
	struct pk_chrome_point *p;

	if (!pk_builder_wants(c->b, PK_PART_MARKS)) {
		pk_build_unread(c->b, PK_PART_MARKS);
		return NULL;
	}

	PK_GROW(c->points, (size_t)c->point_count + 1, c->point_alloc);
	p = &c->points[c->point_count++];
	memset(p, 0, sizeof(*p));
	p->key = key >> 5;
	p->time = time;
	return p;
}

static bool is_input(const struct pk_chrome *c, uint32_t category)
{
	const char *text = pk_text(pk_builder_profile(c->b), category);

	return strstr(text, "input") || strstr(text, "ipc.flow");
}

uint64_t pk_chrome_flow_key(const struct pk_chrome_event *e)
{
	return pk_hash_u64(e->id.hash ^ ((uint64_t)e->name << 32 | e->category));
}

int pk_chrome_store_flow(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	uint64_t key = pk_chrome_flow_key(e);
	struct pk_chrome_point *p;

	if (!e->id.hash)
		return pk_chrome_repair(c, "arrow without an id left out");
	if (!(p = add_point(c, key, e->time)))
		return 0;
	p->where = e->thread;
	p->category = e->category;
	p->end = e->phase == 's' ? FROM : e->phase == 't' ? THROUGH : TO;
	p->around = p->end != TO || e->bind == 'e' || is_input(c, e->category);
	return 0;
}

void pk_chrome_store_bind(struct pk_chrome *c, const struct pk_chrome_event *e, uint32_t span)
{
	struct pk_chrome_point *p;

	if (!e->bind_id.hash || !(e->flow_in || e->flow_out))
		return;
	if (!(p = add_point(c, pk_hash_u64(e->bind_id.hash), e->time)))
		return;
	p->where = span;
	p->bound = true;
	p->category = e->category;
	p->end = !e->flow_in ? FROM : e->flow_out ? THROUGH : TO;
	p->many = true;
	c->nest.wants_place = true;
}

void pk_chrome_store_chain(struct pk_chrome *c, uint64_t id, int64_t time, uint32_t span, bool last,
			   uint32_t category)
{
	struct pk_chrome_point *p = add_point(c, pk_hash_u64(id), time);

	if (!p)
		return;
	p->where = span;
	p->bound = true;
	p->category = category;
	p->end = last ? TO : CHAIN;
	c->nest.wants_place = true;
}

/* The rows of spans of each thread. */
struct rows {
	const struct pk_span_table *t;
	uint32_t *first, *end, *lane; /* by thread; lane: another row range of the same thread */
	uint32_t *near;               /* by thread: where the last span was found */
	const struct pk_profile *profile;
	uint32_t *parent;    /* these two are made when they are first needed */
	struct above *above; /* by span */
};

/* A shortcut for searches upwards: the span at which a search continues, and the latest end of
 * those that it skips. A search takes as many steps as the logarithm of the depth. */
struct above {
	int64_t end;
	uint32_t jump, depth;
};

static int64_t end_of(const struct rows *rows, uint32_t row)
{
	return rows->t->time[row] + rows->t->duration[row];
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void find_above(struct rows *rows)
{
	struct above *a = pk_calloc(rows->t->count, sizeof(*a));
	uint32_t i;

	rows->parent = pk_span_parents(rows->profile);
	for (i = 1; i < rows->t->count; i++) {
		uint32_t parent = rows->parent[i], far = a[parent].jump;

		a[i] = (struct above){end_of(rows, i), parent, a[parent].depth + 1};
		if (!parent ||
		    a[parent].depth - a[far].depth != a[far].depth - a[a[far].jump].depth)
			continue;
		a[i].jump = a[far].jump;
		a[i].end = later(a[i].end, later(a[parent].end, a[far].end));
	}
	rows->above = a;
}

/* The innermost span, among this one and those around it, that lasts until the time; 0 if none
 * does. It is usually this one, because flows begin where calls do. */
static uint32_t lasting(struct rows *rows, uint32_t row, int64_t time)
{
	if (end_of(rows, row) >= time)
		return row;
	if (!rows->above)
		find_above(rows);
	while (row && end_of(rows, row) < time)
		row = rows->above[row].end < time ? rows->above[row].jump : rows->parent[row];
	return row;
}

static void find_rows(struct rows *rows, const struct pk_profile *p, const struct pk_nest *nest)
{
	const struct pk_thread_table *t = &p->thread;
	uint32_t i;

	rows->t = &p->span;
	rows->first = pk_calloc(t->count, sizeof(*rows->first));
	rows->end = pk_calloc(t->count, sizeof(*rows->end));
	rows->lane = pk_calloc(t->count, sizeof(*rows->lane));
	rows->near = pk_calloc(t->count, sizeof(*rows->near));
	rows->profile = p;
	for (i = 1; i < p->span.count; i++) {
		uint32_t thread = p->span.thread[i];

		if (!rows->first[thread])
			rows->first[thread] = i;
		rows->end[thread] = i + 1;
	}
	for (i = nest->lane_count; i-- > 0;) {
		uint32_t of = nest->lane_of[i];

		rows->lane[nest->first_lane + i] = rows->lane[of];
		rows->lane[of] = nest->first_lane + i;
	}
}

static void release_rows(struct rows *rows)
{
	free(rows->first);
	free(rows->end);
	free(rows->lane);
	free(rows->near);
	free(rows->parent);
	free(rows->above);
}

/* The first row of the thread that begins after the time. It is usually near the row found
 * before. */
static uint32_t after(struct rows *rows, uint32_t thread, int64_t time)
{
	const int64_t *t = rows->t->time;
	uint32_t low = rows->first[thread], high = rows->end[thread], near = rows->near[thread];
	uint32_t step = 1;

	if (near >= low && near < high && t[near] <= time) {
		for (low = near; step < high - low && t[low + step] <= time; step *= 2)
			low += step;
		high = step < high - low ? low + step : high;
	}
	low = PK_BISECT(i, low, high, t[i] <= time);
	return rows->near[thread] = low;
}

static uint32_t span_at(struct rows *rows, uint32_t thread, int64_t time, bool around)
{
	uint32_t next = after(rows, thread, time), row = next - 1;

	if (next > rows->first[thread]) {
		if (rows->t->time[row] == time)
			return row;
		if (around && (row = lasting(rows, row, time)))
			return row;
	}
	return !around && next < rows->end[thread] ? next : 0;
}

static uint32_t bind(const struct pk_chrome *c, struct rows *rows, const struct pk_chrome_point *p)
{
	uint32_t thread, row = 0, lanes = 0;

	if (p->bound)
		return pk_chrome_place(c, p->where);
	for (thread = c->threads[p->where].id; thread && !row && lanes++ < MOST_LANES;
	     thread = rows->lane[thread])
		row = span_at(rows, thread, p->time - c->base, p->around);
	return row;
}

/* Orders the points of one id by time, begins before ends. */
static bool is_later(const struct pk_chrome_point *a, const struct pk_chrome_point *b)
{
	return a->time != b->time ? a->time > b->time : a->end > b->end;
}

/* Points grouped by id: ids in the order of their first point, points in the order of the file. */
struct groups {
	uint32_t *order; /* points */
	uint32_t *first; /* by group: in order */
	uint32_t count;
};

/* Sets the group of each point and returns the number of groups. */
static uint32_t number_groups(struct pk_chrome *c)
{
	struct pk_id_map groups = {0};
	uint32_t n, count;

	for (n = 0; n < c->point_count; n++)
		c->points[n].key = pk_id_map_number(&groups, (int64_t)c->points[n].key) - 1;
	count = groups.count;
	pk_id_map_release(&groups);
	return count;
}

static void make_groups(struct pk_chrome *c, struct groups *g)
{
	uint32_t i, sum = 0, here;

	g->count = number_groups(c);
	g->first = pk_calloc((size_t)g->count + 1, sizeof(*g->first));
	g->order = pk_malloc(pk_mul(c->point_count, sizeof(*g->order)));
	for (i = 0; i < c->point_count; i++)
		g->first[c->points[i].key]++;
	for (i = 0; i <= g->count; i++) {
		here = g->first[i];
		g->first[i] = sum;
		sum += here;
	}
	for (i = 0; i < c->point_count; i++)
		g->order[g->first[c->points[i].key]++] = i;
	memmove(g->first + 1, g->first, (size_t)g->count * sizeof(*g->first));
	g->first[0] = 0;
}

static int by_time(const void *x, const void *y, void *data)
{
	const struct pk_chrome_point *points = data;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (is_later(&points[a], &points[b]))
		return 1;
	if (is_later(&points[b], &points[a]))
		return -1;
	return a < b ? -1 : a > b;
}

/* The open flows of one id, in the order of their begins. */
struct arrows {
	uint32_t *span; /* the span where each flow is now; 0 = none */
	size_t first, count, alloc;
};

/* Links the points of one id. Ids are used again, even before the first flow has ended: the flow
 * that began first ends first. Returns the number of ends without a begin. */
static int64_t link_points(struct pk_chrome *c, struct rows *rows, struct arrows *open,
			   const uint32_t *order, uint32_t count)
{
	int64_t loose = 0;
	bool used = false;
	uint32_t i;

	open->first = open->count = 0;
	for (i = 0; i < count; i++) {
		const struct pk_chrome_point *p = &c->points[order[i]];
		uint32_t span = bind(c, rows, p), *from;

		used |= p->end == CHAIN;
		if (p->end == FROM || (p->end == CHAIN && open->first == open->count)) {
			PK_GROW(open->span, open->count + 1, open->alloc);
			open->span[open->count++] = span;
			continue;
		}
		if (open->first == open->count) {
			loose++;
			continue;
		}
		from = &open->span[p->many ? open->count - 1 : open->first];
		if (*from && span)
			pk_build_flow(c->b, *from, span, p->category);
		else
			loose++;
		used |= p->many;
		if (p->end == THROUGH || p->end == CHAIN)
			*from = span;
		else if (!p->many)
			open->first++;
	}
	return loose + (used ? 0 : (int64_t)(open->count - open->first));
}

int64_t pk_chrome_link_flows(struct pk_chrome *c)
{
	struct rows rows = {0};
	struct groups groups = {0};
	struct arrows open = {0};
	int64_t loose = 0;
	uint32_t i, n;

	if (!c->point_count)
		return 0;
	find_rows(&rows, pk_builder_profile(c->b), &c->nest);
	make_groups(c, &groups);
	for (i = 0; i < groups.count; i++) {
		uint32_t *order = groups.order + groups.first[i];
		uint32_t count = groups.first[i + 1] - groups.first[i];

		for (n = 1; n < count; n++)
			if (is_later(&c->points[order[n - 1]], &c->points[order[n]]))
				break;
		if (n < count)
			qsort_r(order, count, sizeof(*order), by_time, c->points);
		loose += link_points(c, &rows, &open, order, count);
	}
	free(groups.order);
	free(groups.first);
	free(open.span);
	release_rows(&rows);
	return loose;
}
