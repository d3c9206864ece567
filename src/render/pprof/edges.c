/*
 * The edges of pprof's graph in its order: those of one node, or all.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/pprof/internal.h"

/* Edges by weight, then by name. */
static int compare_edges(const void *x, const void *y, void *data)
{
	const struct pprof_graph *g = data;
	const struct pprof_edge *a = &g->edge[*(const uint32_t *)x];
	const struct pprof_edge *b = &g->edge[*(const uint32_t *)y];
	int64_t i = a->weight < 0 ? -a->weight : a->weight;
	int64_t k = b->weight < 0 ? -b->weight : b->weight;
	int diff = (i < k) - (i > k);

	if (!diff)
		diff = pprof_compare_names(&g->node[a->from], &g->node[b->from]);
	return diff ? diff : pprof_compare_names(&g->node[a->to], &g->node[b->to]);
}

void pprof_sort_edges(const struct pprof_graph *g, uint32_t *edge, size_t count)
{
	qsort_r(edge, count, sizeof(*edge), compare_edges, (void *)g);
}

uint32_t *pprof_group_edges(const struct pprof_graph *g, bool callers, uint32_t **first)
{
	uint32_t *edge = pk_malloc(pk_mul((size_t)g->edges + 1, sizeof(*edge)));
	uint32_t *place = *first = pk_calloc((size_t)g->nodes + 2, sizeof(*place));

	for (uint32_t i = 1; i <= g->edges; i++)
		place[(callers ? g->edge[i].to : g->edge[i].from) + 1]++;
	for (uint32_t i = 0; i <= g->nodes; i++)
		place[i + 1] += place[i];
	for (uint32_t i = g->edges; i; i--)
		edge[--place[(callers ? g->edge[i].to : g->edge[i].from) + 1]] = i;
	memmove(place, place + 1, ((size_t)g->nodes + 1) * sizeof(*place));
	place[g->nodes + 1] = g->edges;
	for (uint32_t i = 1; i <= g->nodes; i++)
		pprof_sort_edges(g, edge + place[i], place[i + 1] - place[i]);
	return edge;
}
