/*
 * What a picture shows of pprof's graph: nodes where much begins, ends or comes together before
 * others (by the entropy of their edges), as many as fit with their labels, and edges over nodes
 * that are left out only if the picture has no other way between the two ends.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "render/pprof/internal.h"

enum { MOST_TAGS = 4 }; /* that count of a node */

static double share_entropy(int64_t part, int64_t total)
{
	double share = fabs((double)part) / (double)total;

	return part ? -share * log2(share) : 0;
}

/* The score of a node: its edges, and its own value. */
static double entropy(const struct pprof_graph *g, const uint32_t *edge, const uint32_t *end,
		      int64_t self)
{
	int64_t total = self;
	double sum = 0;

	if (edge == end)
		return 1;
	for (const uint32_t *e = edge; e < end; e++)
		if (g->edge[*e].weight > 0)
			pk_add_saturated(&total, g->edge[*e].weight);
	if (!total)
		return 0;
	for (; edge < end; edge++)
		sum += share_entropy(g->edge[*edge].weight, total);
	return sum + (self > 0 ? share_entropy(self, total) : 0);
}

struct ranking {
	const struct pprof_graph *g;
	int64_t *score;
};

static int compare(const void *x, const void *y, void *data)
{
	const struct ranking *r = data;
	uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	const struct pprof_node *a = &r->g->node[i], *b = &r->g->node[k];
	int64_t s = llabs(r->score[i]), t = llabs(r->score[k]);
	int diff = (s < t) - (s > t);

	if (!diff)
		diff = pprof_compare_names(a, b);
	if (!diff)
		diff = (llabs(a->flat) < llabs(b->flat)) - (llabs(a->flat) > llabs(b->flat));
	return diff ? diff : pprof_compare_nodes(a, b);
}

static void sort_nodes(struct pprof_graph *g)
{
	uint32_t *in_first, *out_first, *in = pprof_group_edges(g, true, &in_first);
	uint32_t *out = pprof_group_edges(g, false, &out_first);
	struct ranking r = {g, pk_calloc((size_t)g->nodes + 1, sizeof(*r.score))};

	g->count = 0;
	for (uint32_t i = 1; i <= g->nodes; i++) {
		const struct pprof_node *n = &g->node[i];
		double score;

		if (!pprof_is_there(n))
			continue;
		g->order[g->count++] = i;
		score = entropy(g, in + in_first[i], in + in_first[i + 1], 0) +
			entropy(g, out + out_first[i], out + out_first[i + 1],
				out_first[i] == out_first[i + 1] ? 0 : n->flat);
		score *= (double)n->cum;
		r.score[i] = fabs(score) < 9e18 ? (int64_t)score
			     : score < 0        ? -INT64_MAX
						: INT64_MAX;
		pk_add_saturated(&r.score[i], n->flat);
	}
	qsort_r(g->order, g->count, sizeof(*g->order), compare, &r);
	free(r.score);
	free(in);
	free(out);
	free(in_first);
	free(out_first);
}

/* The number of the first nodes that have room: tags take the room of nodes. */
static uint32_t count_room(struct pprof_graph *g, int64_t room)
{
	PK_FREED uint32_t *first = pprof_tags_first(g);
	int64_t used = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		int64_t tags = 0;

		for (uint32_t k = first[g->order[i]]; k < first[g->order[i] + 1]; k++)
			tags += g->tag[k].flat != 0;
		used += 1 + (tags < MOST_TAGS ? tags : MOST_TAGS);
		if (used >= room)
			return i + 1;
	}
	return g->count;
}

struct search {
	const struct pprof_graph *g;
	uint32_t *in, *first; /* edges that lead to a node */
	bool *gone;           /* by edge */
	uint32_t *seen;       /* by node: the last edge for which it was reached */
	uint32_t *queue;
};

/* True if there is another way than this edge. */
static bool is_redundant(struct search *s, uint32_t edge)
{
	const struct pprof_edge *e = &s->g->edge[edge];
	uint32_t count = 1;

	s->queue[0] = e->to;
	s->seen[e->to] = edge;
	for (uint32_t at = 0; at < count; at++) {
		uint32_t end = s->first[s->queue[at] + 1];

		for (uint32_t i = s->first[s->queue[at]]; i < end; i++) {
			uint32_t from = s->g->edge[s->in[i]].from;

			if (s->in[i] == edge || s->gone[s->in[i]] || s->seen[from] == edge)
				continue;
			if (from == e->from)
				return true;
			s->seen[from] = edge;
			s->queue[count++] = from;
		}
	}
	return false;
}

/* Removes redundant edges over left-out nodes, from the smallest on, up to the first that is
 * needed. */
static void drop_redundant(struct pprof_graph *g)
{
	struct search s = {.g = g};
	uint32_t kept = 0;

	s.in = pprof_group_edges(g, true, &s.first);
	s.gone = pk_calloc((size_t)g->edges + 1, sizeof(*s.gone));
	s.seen = pk_calloc((size_t)g->nodes + 1, sizeof(*s.seen));
	s.queue = pk_calloc((size_t)g->nodes + 1, sizeof(*s.queue));
	for (uint32_t i = g->count; i--;) {
		uint32_t begin = s.first[g->order[i]];

		for (uint32_t k = s.first[g->order[i] + 1]; k-- > begin;) {
			if (!g->edge[s.in[k]].residual)
				break;
			s.gone[s.in[k]] = is_redundant(&s, s.in[k]);
		}
	}
	for (uint32_t i = 1; i <= g->edges; i++)
		if (!s.gone[i])
			g->edge[++kept] = g->edge[i];
	g->edges = kept;
	free(s.in);
	free(s.first);
	free(s.gone);
	free(s.seen);
	free(s.queue);
}

void pprof_trim_picture(struct pprof_graph *g, int64_t least_node, int64_t least_edge)
{
	uint32_t room;

	sort_nodes(g);
	g->original = g->count;
	pprof_tags_count(g, least_node);
	if (g->params->nodes) {
		g->silent_edges = pprof_drop_edges(g, least_edge);
		room = count_room(g, g->params->nodes);
		if (room < g->count) {
			for (uint32_t i = room; i < g->count; i++)
				g->node[g->order[i]].kept = false;
			pprof_graph_count(g);
			sort_nodes(g);
			pprof_tags_count(g, least_node);
		}
	}
	g->dropped_edges = pprof_drop_edges(g, least_edge);
	drop_redundant(g);
}
