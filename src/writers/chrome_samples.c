/* Profiles without spans as events: from the order of samples, or from call paths alone. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/units.h"
#include "model/spans.h"
#include "writers/chrome_internal.h"

struct moment { /* one sample */
	uint32_t thread, node, row;
	int64_t time, end; /* end: where it says so itself, else PK_NULL */
};

static int compare_moments(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

/* The value in ns, where it is a time. */
static int64_t value_ns(const struct pk_profile *p, uint32_t metric, int64_t value)
{
	int i;

	for (i = 0; i < p->metric.exponent[metric]; i++)
		value /= 10;
	return value;
}

static struct moment *sorted_samples(const struct pk_profile *p, uint32_t metric, uint32_t *count)
{
	const struct pk_sample_table *t = &p->sample;
	struct moment *list = pk_malloc(pk_mul(t->count, sizeof(*list)));
	bool is_time = p->metric.kind[metric] == PK_METRIC_TIME;
	uint32_t i, n = 0;

	for (i = 1; i < t->count; i++) {
		int64_t end = PK_NULL, length;

		if (t->metric[i] != metric || t->time[i] == PK_NULL)
			continue;
		length = value_ns(p, metric, t->value[i]);
		if (is_time && length >= 0 && __builtin_add_overflow(t->time[i], length, &end))
			end = INT64_MAX;
		list[n++] = (struct moment){t->thread[i], t->node[i], i, t->time[i], end};
	}
	qsort(list, n, sizeof(*list), compare_moments);
	*count = n;
	return list;
}

/* The stack of a thread as it was written last, root first. */
struct stack {
	uint32_t *node, *next; /* next: that of the sample, being compared */
	uint32_t depth, alloc;
};

static void put_edge(struct pk_chrome_out *c, char phase, uint32_t thread, uint32_t node,
		     int64_t time)
{
	const struct pk_frame_table *t = &c->p->frame;
	uint32_t frame = c->p->node.frame[node], line = pk_node_line(c->p, node);

	pk_chrome_begin(c, phase, pk_chrome_quoted(c, t->function[frame]), 0, c->thread[thread],
			time);
	if (t->file[frame])
		pk_buf_addf(&c->buf, ",\"args\":{\"filename\":%s,\"line\":%" PRIu32 "}",
			    pk_chrome_quoted(c, t->file[frame]), line ? line : t->line[frame]);
	pk_chrome_end(c);
}

/* Ends what is open from `depth` on, the innermost first. */
static void end_stack(struct pk_chrome_out *c, struct stack *s, uint32_t thread, uint32_t depth,
		      int64_t time)
{
	while (s->depth > depth)
		put_edge(c, 'E', thread, s->node[--s->depth], time);
}

/* Goes over from the stack before to that of the node. */
static void change_stack(struct pk_chrome_out *c, struct stack *s, const uint32_t *depths,
			 const struct moment *m)
{
	uint32_t depth = depths[m->node], node = m->node, i, same = 0;

	if (depth > s->alloc) {
		s->alloc = depth * 2;
		s->node = pk_realloc(s->node, pk_mul(s->alloc, sizeof(*s->node)));
		s->next = pk_realloc(s->next, pk_mul(s->alloc, sizeof(*s->next)));
	}
	for (i = depth; i > 0; i--) {
		s->next[i - 1] = node;
		node = c->p->node.parent[node];
	}
	while (same < depth && same < s->depth && s->node[same] == s->next[same])
		same++;
	end_stack(c, s, m->thread, same, m->time);
	for (i = same; i < depth; i++) {
		s->node[i] = s->next[i];
		put_edge(c, 'B', m->thread, s->next[i], m->time);
	}
	s->depth = depth;
}

/* Until when a sample holds: its own end, where it has one before the next sample. */
static int64_t until(const struct pk_chrome_out *c, const struct moment *m, bool is_last)
{
	int64_t period = c->p->run.period[1];

	if (m->end != PK_NULL && (is_last || m->end < m[1].time))
		return m->end;
	if (!is_last)
		return m[1].time;
	return period != PK_NULL && period > 0 && m->time < INT64_MAX - period ? m->time + period
									       : m->time;
}

void pk_chrome_put_samples(struct pk_chrome_out *c, uint32_t metric)
{
	uint32_t *depths = pk_node_depths(c->p), count, i;
	struct moment *list = sorted_samples(c->p, metric, &count);
	struct stack s = {0};

	for (i = 0; i < count && !pk_output_failed(c->out); i++) {
		bool is_last = i + 1 == count || list[i + 1].thread != list[i].thread;
		int64_t end = until(c, &list[i], is_last);

		change_stack(c, &s, depths, &list[i]);
		if (is_last || end < list[i + 1].time)
			end_stack(c, &s, list[i].thread, 0, end);
	}
	free(s.node);
	free(s.next);
	free(list);
	free(depths);
}

/* Laying out one thread after another: arrays are by node, and as they began after each. */
struct layout {
	int64_t *total, *next; /* where the next child begins */
	bool *seen;
	uint32_t *touched, count, alloc; /* what is not zero */
	int64_t factor;                  /* ns of 1 of the metric */
};

static int compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void add_cost(struct layout *l, const struct pk_profile *p, uint32_t row)
{
	uint32_t node = p->cost.node[row];

	if (p->cost.self[row] <= 0)
		return;
	pk_add_saturated(&l->total[node], p->cost.self[row]);
	for (; node && !l->seen[node]; node = p->node.parent[node]) {
		PK_GROW(l->touched, (size_t)l->count + 1, l->alloc);
		l->touched[l->count++] = node;
		l->seen[node] = true;
	}
}

static void put_path(struct pk_chrome_out *c, struct layout *l, uint32_t thread, uint32_t node)
{
	const struct pk_profile *p = c->p;
	uint32_t parent = p->node.parent[node];
	int64_t begin = l->next[parent], length;

	if (__builtin_mul_overflow(l->total[node], l->factor, &length))
		length = INT64_MAX;
	l->next[node] = begin;
	pk_add_saturated(&l->next[parent], length);
	pk_chrome_begin(c, 'X', pk_chrome_quoted(c, p->frame.function[p->node.frame[node]]), 0,
			c->thread[thread], begin);
	pk_buf_adds(&c->buf, ",\"dur\":");
	pk_chrome_us(c, length);
	pk_chrome_end(c);
}

/* Children begin one after the other where their parent begins; what it spends itself is last. */
static void put_thread(struct pk_chrome_out *c, struct layout *l, uint32_t thread)
{
	const struct pk_profile *p = c->p;
	uint32_t i;

	qsort(l->touched, l->count, sizeof(*l->touched), compare_ids);
	for (i = l->count; i > 0; i--)
		pk_add_saturated(&l->total[p->node.parent[l->touched[i - 1]]],
				 l->total[l->touched[i - 1]]);
	for (i = 0; i < l->count && !pk_output_failed(c->out); i++)
		put_path(c, l, thread, l->touched[i]);
	for (i = 0; i < l->count; i++) {
		l->total[l->touched[i]] = l->next[l->touched[i]] = 0;
		l->seen[l->touched[i]] = false;
	}
	l->total[0] = l->next[0] = 0;
	l->count = 0;
}

void pk_chrome_put_tree(struct pk_chrome_out *c, uint32_t metric)
{
	const struct pk_profile *p = c->p;
	bool is_time = p->metric.kind[metric] == PK_METRIC_TIME;
	uint32_t *row = pk_malloc(pk_mul(p->cost.count, sizeof(*row))), *start, i;
	struct layout l = {.factor = is_time ? 1 : 1000};

	c->layout = is_time ? "call paths side by side, as long as they took"
			    : "call paths side by side, one us for each 1 of the metric";
	l.total = pk_calloc(p->node.count, sizeof(*l.total));
	l.next = pk_calloc(p->node.count, sizeof(*l.next));
	l.seen = pk_calloc(p->node.count, sizeof(*l.seen));
	/* Rows by thread: start[t + 1] is where those of t end at last. */
	start = pk_calloc((size_t)p->thread.count + 2, sizeof(*start));
	for (i = 1; i < p->cost.count; i++)
		start[pk_cost_thread(p, i) + 2]++;
	for (i = 2; i < p->thread.count + 2; i++)
		start[i] += start[i - 1];
	for (i = 1; i < p->cost.count; i++)
		row[start[pk_cost_thread(p, i) + 1]++] = i;
	for (uint32_t t = 0; t < p->thread.count; t++) {
		for (i = start[t]; i < start[t + 1]; i++)
			if (pk_cost_metric(p, row[i]) == metric)
				add_cost(&l, p, row[i]);
		put_thread(c, &l, t);
	}
	free(l.total);
	free(l.next);
	free(l.seen);
	free(l.touched);
	free(start);
	free(row);
}
