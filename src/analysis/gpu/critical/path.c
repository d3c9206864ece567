/* The order of nodes, and the way back through them: always by the edge whose begin came last. */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/alloc.h"

/* Sorts the links by the node that they lead to. */
static void sort_links(struct pk_critical_graph *g)
{
	struct pk_critical_link *sorted = pk_malloc(pk_mul((size_t)g->links + 1, sizeof(*sorted)));
	uint32_t *first = pk_calloc((size_t)g->nodes + 2, sizeof(*first));

	for (uint32_t i = 0; i < g->links; i++)
		first[g->link[i].to + 2]++;
	for (uint32_t i = 0; i < g->nodes; i++)
		first[i + 2] += first[i + 1];
	for (uint32_t i = 0; i < g->links; i++)
		sorted[first[g->link[i].to + 1]++] = g->link[i];
	free(g->link);
	free(g->first_link);
	g->link = sorted;
	g->link_alloc = g->links + 1;
	g->first_link = first;
}

/* The nodes that must come before others, counted down. */
struct order {
	struct pk_critical_graph *g;
	uint32_t *left;         /* by node: edges to it from nodes that were not reached yet */
	uint32_t *first, *next; /* by node: nodes that come after it */
	uint32_t *queue;
};

static void count_edges(struct order *o)
{
	const struct pk_critical_graph *g = o->g;

	memset(o->left, 0, g->nodes * sizeof(*o->left));
	memset(o->first, 0, ((size_t)g->nodes + 2) * sizeof(*o->first));
	for (uint32_t i = 2; i < g->nodes; i++) {
		o->left[i] = (g->prev[i] != 0) + g->first_link[i + 1] - g->first_link[i];
		o->first[g->prev[i] + 2] += g->prev[i] != 0;
	}
	for (uint32_t i = 0; i < g->links; i++)
		o->first[g->link[i].from + 2]++;
	for (uint32_t i = 0; i < g->nodes; i++)
		o->first[i + 2] += o->first[i + 1];
	for (uint32_t i = 2; i < g->nodes; i++)
		if (g->prev[i])
			o->next[o->first[g->prev[i] + 1]++] = i;
	for (uint32_t i = 0; i < g->links; i++)
		o->next[o->first[g->link[i].from + 1]++] = g->link[i].to;
}

/* Returns the number of nodes that can be reached after all nodes before them. */
static uint32_t reach(struct order *o)
{
	uint32_t count = 0;

	count_edges(o);
	for (uint32_t i = 2; i < o->g->nodes; i++)
		if (!o->left[i])
			o->queue[count++] = i;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = o->queue[i];

		for (uint32_t k = o->first[node]; k < o->first[node + 1]; k++)
			if (!--o->left[o->next[k]])
				o->queue[count++] = o->next[k];
	}
	return count;
}

/* Every circle has a link that does not go forward in time: such links are removed. */
static void cut_circles(struct order *o)
{
	struct pk_critical_graph *g = o->g;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < g->links; i++) {
		const struct pk_critical_link *l = &g->link[i];

		if (o->left[l->to] && pk_node_time(g, l->from) >= pk_node_time(g, l->to))
			g->result->odd[PK_CRITICAL_CYCLES]++;
		else
			g->link[kept++] = *l;
	}
	g->links = kept;
	sort_links(g);
}

void pk_critical_order(struct pk_critical_graph *g)
{
	struct order o = {.g = g};

	sort_links(g);
	o.left = pk_malloc(pk_mul(g->nodes, sizeof(*o.left)));
	o.first = pk_malloc(pk_mul((size_t)g->nodes + 2, sizeof(*o.first)));
	o.next = pk_malloc(pk_mul((size_t)g->nodes + g->links, sizeof(*o.next)));
	o.queue = pk_malloc(pk_mul(g->nodes, sizeof(*o.queue)));
	if (reach(&o) < g->nodes - 2) {
		cut_circles(&o);
		reach(&o);
	}
	free(o.left);
	free(o.first);
	free(o.next);
	free(g->order);
	g->order = o.queue;
}

uint32_t pk_critical_before(const struct pk_critical_graph *g, uint32_t node,
			    enum pk_critical_edge *kind)
{
	uint32_t best = g->prev[node];
	int64_t last = best ? pk_node_time(g, best) : INT64_MIN;

	*kind = PK_EDGE_PREV;
	for (uint32_t i = g->first_link[node]; i < g->first_link[node + 1]; i++) {
		int64_t time = pk_node_time(g, g->link[i].from);

		if (best && time <= last)
			continue;
		best = g->link[i].from;
		last = time;
		*kind = (enum pk_critical_edge)g->link[i].kind;
	}
	return best;
}

struct pk_critical_part pk_critical_part_before(const struct pk_critical_graph *g, uint32_t node,
						uint32_t before, enum pk_critical_edge kind)
{
	uint32_t span = node / 2;
	int64_t delay = before ? pk_node_time(g, node) - pk_node_time(g, before) : INT64_MAX;
	int64_t longest = kind == PK_EDGE_LAUNCH ? PK_GPU_LATE_WORK : PK_GPU_SHORT_GAP;
	struct pk_critical_part part = {.span = span, .class_of = PK_CRITICAL_WAIT};

	if (pk_node_is_host(g, node)) {
		part.span = kind == PK_EDGE_SYNC ? span : pk_running_before(g, node);
		part.class_of = kind == PK_EDGE_SYNC ? PK_CRITICAL_SYNC
				: part.span          ? g->class_of[part.span]
						     : PK_CRITICAL_HOST;
	} else if (node & 1) {
		part.class_of = g->class_of[span];
	} else if (delay <= longest) {
		part.class_of = kind == PK_EDGE_LAUNCH  ? PK_CRITICAL_LAUNCH
				: kind == PK_EDGE_EVENT ? PK_CRITICAL_SYNC
							: PK_CRITICAL_GAP;
	}
	part.op = g->in.launches.op[part.span];
	return part;
}

static void add_part(struct pk_critical *c, struct pk_critical_part part, int64_t from, int64_t to)
{
	part.from = from;
	part.to = to;
	PK_GROW(c->part, (size_t)c->parts + 1, c->part_alloc);
	c->part[c->parts++] = part;
	c->time[part.class_of] += to - from;
	c->count[part.class_of]++;
}

static bool was_launched_earlier(const struct pk_critical_graph *g, uint32_t work)
{
	uint32_t call = g->in.launches.call[work];

	return call && g->in.profile->span.time[call] < g->result->range.from;
}

/* If clocks differ, a node may be later than one that waited for it: no moment is counted twice. */
void pk_critical_walk(const struct pk_critical_graph *g, uint32_t node)
{
	struct pk_critical *c = g->result;
	int64_t now = c->range.to;

	while (now > c->range.from) {
		enum pk_critical_edge kind;
		uint32_t before = pk_critical_before(g, node, &kind);
		struct pk_critical_part part = pk_critical_part_before(g, node, before, kind);
		int64_t time = before ? pk_node_time(g, before) : INT64_MIN;

		time = time < c->range.from ? c->range.from : time;
		if (time < now) {
			add_part(c, part, time, now);
			if (pk_critical_is_gpu(part.class_of) && was_launched_earlier(g, part.span))
				c->earlier += now - time;
			now = time;
		}
		node = before;
	}
	for (uint32_t i = 0; i < c->parts / 2; i++) {
		struct pk_critical_part swap = c->part[i];

		c->part[i] = c->part[c->parts - 1 - i];
		c->part[c->parts - 1 - i] = swap;
	}
}
