#include "model/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint32_t *pk_node_depths(const struct pk_profile *p)
{
	uint32_t *depth = pk_malloc(pk_mul(p->node.count, sizeof(*depth))), i;

	depth[0] = 0;
	for (i = 1; i < p->node.count; i++)
		depth[i] = depth[p->node.parent[i]] + 1;
	return depth;
}

static int64_t end_of(const struct pk_span_table *t, uint32_t span)
{
	int64_t end;

	if (__builtin_add_overflow(t->time[span], t->duration[span], &end))
		return INT64_MAX;
	return end;
}

/* The spans of one thread that came last, by depth. */
struct open {
	uint32_t *span, alloc;
};

static void set_open(struct open *open, uint32_t depth, uint32_t span)
{
	uint32_t old = open->alloc;

	PK_GROW(open->span, (size_t)depth + 1, open->alloc);
	memset(open->span + old, 0, (open->alloc - old) * sizeof(*open->span));
	open->span[depth] = span;
}

uint32_t *pk_span_parents(const struct pk_profile *p)
{
	const struct pk_span_table *t = &p->span;
	uint32_t *parent = pk_calloc(t->count, sizeof(*parent)), *depth = pk_node_depths(p), i;
	struct open *open = pk_calloc(p->thread.count, sizeof(*open));

	for (i = 1; i < t->count; i++) {
		struct open *o = &open[t->thread[i]];
		uint32_t d = depth[t->node[i]],
			 above = d > 1 && d - 1 < o->alloc ? o->span[d - 1] : 0;

		if (above && t->node[above] == p->node.parent[t->node[i]] &&
		    end_of(t, above) >= t->time[i])
			parent[i] = above;
		set_open(o, d, i);
	}
	for (i = 0; i < p->thread.count; i++)
		free(open[i].span);
	free(open);
	free(depth);
	return parent;
}

uint32_t pk_span_metric(const struct pk_profile *p, uint32_t thread)
{
	uint32_t metric = 0, i;

	if (p->thread.role[thread] == PK_ROLE_GPU)
		metric = pk_metric_find(p, "gpu_time");
	for (i = 1; !metric && i < p->metric.count; i++)
		if (p->metric.kind[i] == PK_METRIC_TIME)
			metric = i;
	return metric;
}

/* ns in the unit of the metric. */
static int64_t value_of(const struct pk_profile *p, uint32_t metric, int64_t ns)
{
	int64_t value = ns;
	int i;

	for (i = 0; i < p->metric.exponent[metric]; i++)
		if (__builtin_mul_overflow(value, 10, &value))
			return ns < 0 ? -INT64_MAX : INT64_MAX;
	return value;
}

struct coster {
	struct pk_copy *copy;
	uint32_t *above;  /* per span the next above that is kept, 0 = none */
	uint32_t *metric; /* per thread, UINT32_MAX = not asked for yet */
};

static void add(struct coster *c, uint32_t span, int64_t ns, int64_t calls)
{
	const struct pk_copy *copy = c->copy;
	const struct pk_span_table *t = &copy->p->span;
	uint32_t thread = t->thread[span], node = t->node[span], parent;

	if (c->metric[thread] == UINT32_MAX)
		c->metric[thread] = pk_span_metric(copy->p, thread);
	if (!c->metric[thread] || !copy->node[node])
		return;
	/* A path that became its caller's adds cost to it, but no calls. */
	parent = copy->p->node.parent[node];
	if (parent && copy->node[parent] == copy->node[node])
		calls = PK_NULL;
	pk_build_cost(copy->b, copy->thread[thread], copy->node[node],
		      copy->metric[c->metric[thread]], value_of(copy->p, c->metric[thread], ns),
		      calls);
}

static void cost_of(struct coster *c, uint32_t span, int64_t calls)
{
	const struct pk_copy *copy = c->copy;
	int64_t time, duration, from, length;
	uint32_t above = c->above[span];

	if (!pk_copy_cut_span(copy, &time, &duration, span))
		return;
	add(c, span, duration, calls);
	if (!above || !pk_copy_cut_span(copy, &from, &length, above))
		return;
	if (time + duration > from + length)
		duration = from + length - time;
	if (duration > 0)
		add(c, above, -duration, PK_NULL);
}

void pk_copy_span_costs(struct pk_copy *copy, const bool *kept)
{
	const struct pk_profile *p = copy->p;
	struct coster c = {.copy = copy, .above = pk_span_parents(p)};
	int64_t calls = p->cost.calls ? 1 : PK_NULL;
	uint32_t i;

	c.metric = pk_malloc(pk_mul(p->thread.count, sizeof(*c.metric)));
	memset(c.metric, 0xFF, p->thread.count * sizeof(*c.metric));
	for (i = 1; i < p->span.count; i++) {
		if (c.above[i] && !kept[c.above[i]])
			c.above[i] = c.above[c.above[i]];
		if (kept[i])
			cost_of(&c, i, calls);
	}
	free(c.above);
	free(c.metric);
}
