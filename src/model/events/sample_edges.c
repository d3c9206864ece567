/* Spans of samples: from when to when each frame was on the stack. */
#include "model/events/sample_edges.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/events/spans.h"

PK_COMPARE(compare_moments, struct pk_moment,
	   PK_ORDER(a->thread, b->thread) ?: PK_ORDER(a->time, b->time) ?:
	   PK_ORDER(a->row, b->row))

/* The value in ns if it is a time. */
static int64_t value_ns(const struct pk_profile *p, uint32_t metric, int64_t value)
{
	int i;

	for (i = 0; i < p->metric.exponent[metric]; i++)
		value /= 10;
	return value;
}

/* Sorts by thread, then by time. In most files the samples of a thread are in order already. */
static void sort_moments(struct pk_moment *list, const struct pk_moment *from, uint32_t count,
			 uint32_t threads)
{
	PK_FREED uint32_t *place = pk_calloc((size_t)threads + 1, sizeof(*place));
	bool sorted = true;

	for (uint32_t i = 0; i < count; i++)
		place[from[i].thread + 1]++;
	for (uint32_t i = 1; i < threads; i++)
		place[i] += place[i - 1];
	for (uint32_t i = 0; i < count; i++)
		list[place[from[i].thread]++] = from[i];
	for (uint32_t i = 1; i < count; i++)
		sorted &= list[i - 1].thread != list[i].thread || list[i - 1].time <= list[i].time;
	if (!sorted)
		qsort(list, count, sizeof(*list), compare_moments);
}

/* A sample ends at the latest where the next one of its thread begins. */
static void find_ends(struct pk_moments *m)
{
	int64_t period = pk_metric_period(m->p, 1);

	for (uint32_t i = 0; i < m->count; i++) {
		struct pk_moment *at = &m->list[i];
		bool is_last = i + 1 == m->count || at[1].thread != at->thread;

		if (at->end != PK_NULL && (is_last || at->end < at[1].time))
			continue;
		if (!is_last)
			at->end = at[1].time;
		else if (period != PK_NULL && period > 0 && at->time < INT64_MAX - period)
			at->end = at->time + period;
		else
			at->end = at->time;
	}
}

void pk_moments_init(struct pk_moments *m, const struct pk_profile *p, uint32_t metric)
{
	const struct pk_sample_table *t = &p->sample;
	PK_FREED struct pk_moment *found = pk_malloc(pk_mul(t->count, sizeof(*found)));
	bool is_time = p->metric.kind[metric] == PK_METRIC_TIME;
	uint32_t i, n = 0;

	for (i = 1; i < t->count; i++) {
		int64_t end = PK_NULL, length;

		if (t->metric[i] != metric || t->time[i] == PK_NULL)
			continue;
		length = value_ns(p, metric, t->value[i]);
		if (is_time && length >= 0 && __builtin_add_overflow(t->time[i], length, &end))
			end = INT64_MAX;
		found[n++] = (struct pk_moment){t->thread[i], t->node[i], i, t->time[i], end};
	}
	*m = (struct pk_moments){p, pk_malloc(pk_mul((size_t)n + 1, sizeof(*m->list))), n};
	sort_moments(m->list, found, n, p->thread.count);
	find_ends(m);
}

void pk_moments_release(struct pk_moments *m)
{
	free(m->list);
}

void pk_moments_join(struct pk_moments *m, int64_t within)
{
	uint32_t joined = 0, i = 0;

	while (i < m->count) {
		struct pk_moment all = m->list[i];
		int64_t longest = -1;

		all.end = all.time;
		for (; i < m->count; i++) {
			const struct pk_moment *at = &m->list[i];
			int64_t lasts = at->end - at->time;

			if (at->thread != all.thread || at->time - all.time >= within)
				break;
			if (lasts > longest)
				all.node = at->node;
			longest = lasts > longest ? lasts : longest;
			pk_add_saturated(&all.end, lasts);
		}
		m->list[joined++] = all;
	}
	m->count = joined;
}

uint32_t pk_moment_depth(const struct pk_moments *m, uint32_t i)
{
	uint32_t depth = 0;

	for (uint32_t node = m->list[i].node; node; node = m->p->node.parent[node])
		depth++;
	return depth;
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

	for (uint32_t i = 0; i < m->count; i++) {
		const struct pk_moment *at = &m->list[i];
		bool is_last = i + 1 == m->count || at[1].thread != at->thread;

		change_stack(&e, at, depths ? depths[at->node] : pk_moment_depth(m, i));
		if (is_last || at->end < at[1].time)
			end_stack(&e, at->thread, 0, at->end);
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
