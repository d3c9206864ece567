/*
 * The cycles of a call graph (Tarjan's strongly connected components), without recursion of the
 * program.
 */
#include "analysis/callgraph/internal.h"


#include "base/alloc.h"

/*
 * Strongly connected components of a directed graph.
 *
 * Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972) with the
 * recursion kept in arrays: `path` holds the nodes being visited, `edge` the next edge of each
 * to look at.
 */
struct search {
	const struct pk_digraph *g;
	uint32_t *order; /* when the node was first seen, from 1; 0 = not yet */
	uint32_t *low;   /* the earliest open node that it reaches */
	uint32_t *edge;
	uint32_t *path, *open; /* stacks */
	uint32_t path_len, open_len, seen;
	uint32_t *component; /* 0 while open; else the number of a member + 1 */
	uint32_t *done;      /* nodes in the order in which components are complete; NULL */
	uint32_t done_len;
};

static void enter(struct search *s, uint32_t node)
{
	s->order[node] = s->low[node] = ++s->seen;
	s->edge[node] = s->g->first[node];
	s->path[s->path_len++] = node;
	s->open[s->open_len++] = node;
}

/* Leaves the top node after all of its edges were followed. */
static void leave(struct search *s)
{
	uint32_t node = s->path[--s->path_len], member;

	if (s->path_len) {
		uint32_t caller = s->path[s->path_len - 1];

		if (s->low[node] < s->low[caller])
			s->low[caller] = s->low[node];
	}
	if (s->low[node] != s->order[node])
		return;
	do {
		member = s->open[--s->open_len];
		s->component[member] = node + 1;
		if (s->done)
			s->done[s->done_len++] = member;
	} while (member != node);
}

static void visit(struct search *s, uint32_t start)
{
	enter(s, start);
	while (s->path_len) {
		uint32_t node = s->path[s->path_len - 1];

		if (s->edge[node] == s->g->first[node + 1]) {
			leave(s);
			continue;
		}
		uint32_t callee = s->g->to[s->edge[node]++];

		if (!s->order[callee])
			enter(s, callee);
		else if (!s->component[callee] && s->order[callee] < s->low[node])
			s->low[node] = s->order[callee];
	}
}

/* Numbers the components that have several nodes. component[] holds 1 + the number of a member. */
static uint32_t number_cycles(const uint32_t *component, uint32_t nodes, uint32_t *cycle)
{
	PK_FREED uint32_t *size = pk_calloc((size_t)nodes + 1, sizeof(*size));
	PK_FREED uint32_t *number = pk_calloc((size_t)nodes + 1, sizeof(*number));
	uint32_t count = 0;

	for (uint32_t i = 0; i < nodes; i++)
		size[component[i]]++;
	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t c = component[i];

		if (size[c] > 1 && !number[c])
			number[c] = ++count;
		cycle[i] = number[c];
	}
	return count;
}

uint32_t pk_cycles(const struct pk_digraph *g, uint32_t *cycle, uint32_t *order)
{
	size_t n = (size_t)g->nodes + 1;
	PK_FREED uint32_t *memory = pk_calloc(pk_mul(n, 6), sizeof(*memory));
	struct search s = {
		.g = g,
		.order = memory,
		.low = memory + n,
		.edge = memory + 2 * n,
		.path = memory + 3 * n,
		.open = memory + 4 * n,
		.component = memory + 5 * n,
		.done = order,
	};
	for (uint32_t i = 0; i < g->nodes; i++)
		if (!s.order[i])
			visit(&s, i);
	return number_cycles(s.component, g->nodes, cycle);
}
