/* Spans of samples: from when to when each frame was on the stack. */
#include "model/events/sample_edges.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/merge_sort.h"
#include "base/num/units.h"
#include "model/events/spans.h"

static bool comes_before(const void *data, uint32_t a, uint32_t b)
{
	const struct pk_sample_table *t = data;

	return t->time[a] < t->time[b];
}

static bool counts(const struct pk_sample_table *t, uint32_t row, uint32_t metric)
{
	return pk_sample_metric(t, row) == metric && t->time[row] != PK_NULL;
}

/* In most files the samples of a thread are in order already. */
static void sort_if_needed(uint32_t *row, uint32_t count, const struct pk_sample_table *t)
{
	for (uint32_t i = 1; i < count; i++) {
		if (t->time[row[i]] < t->time[row[i - 1]]) {
			pk_merge_sort(row, count, comes_before, t);
			return;
		}
	}
}

void pk_sample_order_init(struct pk_sample_order *o, const struct pk_profile *p, uint32_t metric)
{
	const struct pk_sample_table *t = &p->sample;
	uint32_t threads = p->thread.count, *end;

	o->first = pk_calloc((size_t)threads + 2, sizeof(*o->first));
	o->row = pk_malloc(pk_mul(t->count, sizeof(*o->row)));
	for (uint32_t i = 1; i < t->count; i++)
		o->first[t->thread[i] + 2] += counts(t, i, metric);
	for (uint32_t i = 1; i <= threads; i++)
		o->first[i + 1] += o->first[i];
	end = o->first + 1; /* of those that have their place */
	for (uint32_t i = 1; i < t->count; i++)
		if (counts(t, i, metric))
			o->row[end[t->thread[i]]++] = i;
	for (uint32_t i = 0; i < threads; i++)
		sort_if_needed(o->row + o->first[i], o->first[i + 1] - o->first[i], t);
	o->count = o->first[threads];
}

void pk_sample_order_release(struct pk_sample_order *o)
{
	free(o->first);
	free(o->row);
}

/* The value in ns if it is a time. */
static int64_t value_ns(const struct pk_profile *p, uint32_t metric, int64_t value)
{
	int i;

	for (i = 0; i < p->metric.exponent[metric]; i++)
		value /= 10;
	return value;
}

void pk_moments_init(struct pk_moments *m, const struct pk_profile *p, uint32_t metric)
{
	*m = (struct pk_moments){.p = p, .period = pk_metric_period(p, 1)};
	m->is_time = p->metric.kind[metric] == PK_METRIC_TIME;
	pk_sample_order_init(&m->order, p, metric);
	m->count = m->order.count;
}

/* A sample ends at the latest where the next one of its thread begins. next: 0 if there is none. */
static int64_t end_of(const struct pk_moments *m, uint32_t row, uint32_t next)
{
	const struct pk_sample_table *t = &m->p->sample;
	int64_t time = t->time[row], end = INT64_MAX;

	if (m->is_time) {
		int64_t length = value_ns(m->p, pk_sample_metric(t, row), t->value[row]);

		if (length >= 0 && __builtin_add_overflow(time, length, &end))
			end = INT64_MAX;
		if (length >= 0 && (!next || end < t->time[next]))
			return end;
	}
	if (next)
		return t->time[next];
	return m->period > 0 && time < INT64_MAX - m->period ? time + m->period : time;
}

struct pk_moment pk_moment_at(const struct pk_moments *m, uint32_t i)
{
	const struct pk_sample_table *t = &m->p->sample;
	uint32_t row, next;

	if (m->list)
		return m->list[i];
	row = m->order.row[i];
	next = i + 1 < m->count ? m->order.row[i + 1] : 0;
	if (next && t->thread[next] != t->thread[row])
		next = 0;
	return (struct pk_moment){t->thread[row], t->node[row], t->time[row], end_of(m, row, next)};
}

void pk_moments_release(struct pk_moments *m)
{
	pk_sample_order_release(&m->order);
	free(m->list);
}

void pk_moments_join(struct pk_moments *m, int64_t within)
{
	struct pk_moment *list = NULL;
	uint32_t joined = 0, i = 0;
	size_t alloc = 0;

	while (i < m->count) {
		struct pk_moment all = pk_moment_at(m, i);
		int64_t longest = -1;

		all.end = all.time;
		for (; i < m->count; i++) {
			struct pk_moment at = pk_moment_at(m, i);
			int64_t lasts = at.end - at.time;

			if (at.thread != all.thread || at.time - all.time >= within)
				break;
			if (lasts > longest)
				all.node = at.node;
			longest = lasts > longest ? lasts : longest;
			pk_add_saturated(&all.end, lasts);
		}
		PK_GROW(list, (size_t)joined + 1, alloc);
		list[joined++] = all;
	}
	pk_moments_release(m);
	m->order = (struct pk_sample_order){NULL, 0, NULL};
	m->list = list;
	m->count = joined;
}

uint32_t pk_begun_calls(const struct pk_profile *p, uint32_t a, uint32_t b)
{
	const uint32_t *parent = p->node.parent;
	uint32_t begun = 0;

	/* callers have smaller numbers than what they call */
	while (a != b) {
		if (a > b) {
			a = parent[a];
		} else {
			b = parent[b];
			begun++;
		}
	}
	return begun;
}

static uint32_t depth_of(const struct pk_profile *p, uint32_t node)
{
	return pk_begun_calls(p, 0, node);
}

uint32_t pk_moment_depth(const struct pk_moments *m, uint32_t i)
{
	return depth_of(m->p, pk_moment_at(m, i).node);
}

/* The current stack of a thread, root first. */
struct stack {
	uint32_t *node, *next; /* next: the stack of the sample that is compared */
	uint32_t depth, alloc;
};

struct edges {
	const struct pk_profile *p;
	pk_sample_edge *edge;
	void *data;
	struct stack stack;
};

/* Ends the frames from `depth` on, the innermost first. */
static void end_stack(struct edges *e, uint32_t thread, uint32_t depth, int64_t time)
{
	struct stack *s = &e->stack;

	while (s->depth > depth)
		e->edge(e->data, false, thread, s->node[--s->depth], time);
}

/* Changes the current stack to that of the node. */
static void change_stack(struct edges *e, const struct pk_moment *m, uint32_t depth)
{
	struct stack *s = &e->stack;
	uint32_t node = m->node, i, same = 0;

	if (depth > s->alloc) {
		s->alloc = depth * 2;
		s->node = pk_realloc(s->node, pk_mul(s->alloc, sizeof(*s->node)));
		s->next = pk_realloc(s->next, pk_mul(s->alloc, sizeof(*s->next)));
	}
	for (i = depth; i > 0 && !same; i--) {
		if (i <= s->depth && s->node[i - 1] == node)
			same = i;
		s->next[i - 1] = node;
		node = e->p->node.parent[node];
	}
	end_stack(e, m->thread, same, m->time);
	for (i = same; i < depth; i++) {
		s->node[i] = s->next[i];
		e->edge(e->data, true, m->thread, s->next[i], m->time);
	}
	s->depth = depth;
}

void pk_moment_edges(const struct pk_moments *m, const uint32_t *depths, pk_sample_edge *edge,
		     void *data)
{
	struct edges e = {.p = m->p, .edge = edge, .data = data};
	struct pk_moment next = m->count ? pk_moment_at(m, 0) : (struct pk_moment){0};

	for (uint32_t i = 0; i < m->count; i++) {
		struct pk_moment at = next;

		if (i + 1 < m->count)
			next = pk_moment_at(m, i + 1);
		change_stack(&e, &at, depths ? depths[at.node] : depth_of(m->p, at.node));
		if (i + 1 == m->count || next.thread != at.thread || at.end < next.time)
			end_stack(&e, at.thread, 0, at.end);
	}
	free(e.stack.node);
	free(e.stack.next);
}

void pk_sample_edges(const struct pk_profile *p, uint32_t metric, pk_sample_edge *edge, void *data)
{
	PK_FREED uint32_t *depths = pk_node_depths(p);
	struct pk_moments m;

	pk_moments_init(&m, p, metric);
	pk_moment_edges(&m, depths, edge, data);
	pk_moments_release(&m);
}

struct spans {
	struct pk_span_table *table;
	uint32_t alloc;
	uint32_t *open, open_count, open_alloc; /* rows */
};

static void grow(struct spans *s)
{
	struct pk_span_table *t = s->table;
	uint32_t time = s->alloc, duration = s->alloc, thread = s->alloc, node = s->alloc;

	PK_GROW(t->time, t->count + 1, time);
	PK_GROW(t->duration, t->count + 1, duration);
	PK_GROW(t->thread, t->count + 1, thread);
	PK_GROW(t->node, t->count + 1, node);
	PK_GROW(t->category, t->count + 1, s->alloc);
}

static void add_edge(void *data, bool begins, uint32_t thread, uint32_t node, int64_t time)
{
	struct spans *s = data;
	struct pk_span_table *t = s->table;
	uint32_t row;

	if (!begins) {
		row = s->open[--s->open_count];
		t->duration[row] = time - t->time[row];
		return;
	}
	if (t->count >= s->alloc)
		grow(s);
	row = t->count++;
	t->time[row] = time;
	t->duration[row] = 0;
	t->thread[row] = thread;
	t->node[row] = node;
	t->category[row] = 0;
	PK_GROW(s->open, s->open_count + 1, s->open_alloc);
	s->open[s->open_count++] = row;
}

void pk_sample_spans_init(struct pk_span_table *spans, const struct pk_profile *p, uint32_t metric)
{
	struct spans s = {.table = spans};

	memset(spans, 0, sizeof(*spans));
	grow(&s);
	spans->time[0] = spans->duration[0] = 0;
	spans->thread[0] = spans->node[0] = spans->category[0] = 0;
	spans->count = 1;
	pk_sample_edges(p, metric, add_edge, &s);
	free(s.open);
}

void pk_sample_spans_release(struct pk_span_table *spans)
{
	free(spans->time);
	free(spans->duration);
	free(spans->thread);
	free(spans->node);
	free(spans->category);
	memset(spans, 0, sizeof(*spans));
}
