/*
 * Arrows between spans. The ends of an arrow are bound when all spans are there: events s, t and f
 * to the span around them on their thread (an f without "bp": "e" to the next one to begin), ids
 * named by spans themselves ("bind_id") to those.
 * Then arrows of one id are followed by time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/chrome_internal.h"

enum end { FROM, THROUGH, TO };

struct pk_chrome_point {
	uint64_t key;
	int64_t time;   /* as in the file */
	uint32_t where; /* index in c->threads, or the row of a span as it was stored */
	uint32_t category;
	uint32_t order;
	uint8_t end; /* enum end */
	bool bound;  /* where is a span */
	bool around; /* not the next span, but the one that encloses the time; else: */
	bool many;   /* one begin may lead to several ends */
};

static struct pk_chrome_point *add_point(struct pk_chrome *c, uint64_t key, int64_t time)
{
	struct pk_chrome_point *p;

	PK_GROW(c->points, (size_t)c->point_count + 1, c->point_alloc);
	p = &c->points[c->point_count++];
	memset(p, 0, sizeof(*p));
	p->key = key;
	p->time = time;
	p->order = c->point_count;
	return p;
}

static bool is_input(const struct pk_chrome *c, uint32_t category)
{
	const char *text = pk_text(pk_builder_profile(c->b), category);

	return strstr(text, "input") || strstr(text, "ipc.flow");
}

int pk_chrome_store_flow(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	uint64_t key = pk_hash_u64((uint64_t)e->name << 32 | e->category) ^ e->id.hash;
	struct pk_chrome_point *p;

	if (!e->id.hash)
		return pk_chrome_repair(c, "arrow without an id left out");
	p = add_point(c, key, e->time);
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
	p = add_point(c, pk_hash_u64(e->bind_id.hash), e->time);
	p->where = span;
	p->bound = true;
	p->category = e->category;
	p->end = !e->flow_in ? FROM : e->flow_out ? THROUGH : TO;
	p->many = true;
	c->nest.wants_place = true;
}

/* Where the spans of each thread of the builder are, and what to look at beside it. */
struct rows {
	const struct pk_span_table *t;
	uint32_t *first, *end, *lane; /* by thread; lane: another thread of the same number */
	uint32_t *parent;
};

static void find_rows(struct rows *rows, const struct pk_profile *p, const struct pk_nest *nest)
{
	const struct pk_thread_table *t = &p->thread;
	uint32_t i;

	rows->t = &p->span;
	rows->first = pk_calloc(t->count, sizeof(*rows->first));
	rows->end = pk_calloc(t->count, sizeof(*rows->end));
	rows->lane = pk_calloc(t->count, sizeof(*rows->lane));
	rows->parent = pk_span_parents(p);
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
	free(rows->parent);
}

/* The first row of the thread that begins after the time. */
static uint32_t after(const struct rows *rows, uint32_t thread, int64_t time)
{
	uint32_t low = rows->first[thread], high = rows->end[thread];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (rows->t->time[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t span_at(const struct rows *rows, uint32_t thread, int64_t time, bool around)
{
	uint32_t next = after(rows, thread, time), row = next - 1;

	if (next > rows->first[thread]) {
		if (rows->t->time[row] == time)
			return row;
		while (around && row && rows->t->time[row] + rows->t->duration[row] < time)
			row = rows->parent[row];
		if (around && row)
			return row;
	}
	return !around && next < rows->end[thread] ? next : 0;
}

static uint32_t bind(const struct pk_chrome *c, const struct rows *rows,
		     const struct pk_chrome_point *p)
{
	uint32_t thread, row = 0;

	if (p->bound)
		return pk_chrome_place(c, p->where);
	for (thread = c->threads[p->where].id; thread && !row; thread = rows->lane[thread])
		row = span_at(rows, thread, p->time - c->base, p->around);
	return row;
}

static int by_key(const void *x, const void *y)
{
	const struct pk_chrome_point *a = x, *b = y;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

struct link {
	uint32_t from, to, category;
};

/* Arrows of one id that have begun, in that order; and all that were found. */
struct arrows {
	struct link *link;
	uint32_t link_count, link_alloc;
	uint32_t *span; /* where each is now; 0 = nowhere */
	size_t first, count, alloc;
};

static void add_link(struct arrows *a, uint32_t from, uint32_t to, uint32_t category)
{
	PK_GROW(a->link, (size_t)a->link_count + 1, a->link_alloc);
	a->link[a->link_count++] = (struct link){from, to, category};
}

static int by_span(const void *x, const void *y)
{
	const struct link *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->category < b->category ? -1 : a->category > b->category;
}

/* Follows one id. Ids are used again, and again before the first arrow has ended: the arrow that
 * began first ends first. Returns the ends that lead nowhere. */
static int64_t link_points(struct pk_chrome *c, const struct rows *rows, struct arrows *open,
			   const struct pk_chrome_point *p, const struct pk_chrome_point *end)
{
	int64_t loose = 0;
	bool used = false;

	open->first = open->count = 0;
	for (; p < end; p++) {
		uint32_t span = bind(c, rows, p), *from;

		if (p->end == FROM) {
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
			add_link(open, *from, span, p->category);
		else
			loose++;
		used |= p->many;
		if (p->end == THROUGH)
			*from = span;
		else if (!p->many)
			open->first++;
	}
	return loose + (used ? 0 : (int64_t)(open->count - open->first));
}

int64_t pk_chrome_link_flows(struct pk_chrome *c)
{
	const struct pk_chrome_point *p, *end = c->points + c->point_count, *next;
	struct rows rows = {NULL};
	struct arrows open = {NULL};
	int64_t loose = 0;
	uint32_t i;

	if (!c->point_count)
		return 0;
	find_rows(&rows, pk_builder_profile(c->b), &c->nest);
	qsort(c->points, c->point_count, sizeof(*c->points), by_key);
	for (p = c->points; p < end; p = next) {
		for (next = p; next < end && next->key == p->key;)
			next++;
		loose += link_points(c, &rows, &open, p, next);
	}
	release_rows(&rows);
	free(open.span);
	if (open.link_count)
		qsort(open.link, open.link_count, sizeof(*open.link), by_span);
	for (i = 0; i < open.link_count; i++)
		pk_build_flow(c->b, open.link[i].from, open.link[i].to, open.link[i].category);
	free(open.link);
	return loose;
}
