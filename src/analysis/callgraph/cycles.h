#ifndef PK_CYCLES_H
#define PK_CYCLES_H

#include <stdint.h>

/* A directed graph in compressed rows: node i has edges to to[first[i]] ... to[first[i + 1] - 1].
 * first has nodes + 1 entries. */
struct pk_digraph {
	uint32_t nodes;
	const uint32_t *first, *to;
};

/*
 * Finds strongly connected components of more than one node and numbers them from 1 in the
 * order of their smallest node. cycle[i] is that number, or 0 for a node outside of cycles; a
 * node that calls only itself has 0. Returns the number of cycles. Linear in nodes and edges,
 * without recursion, so that chains may have any length.
 *
 * order, unless NULL, gets all nodes: each after the nodes that it has edges to, the members
 * of a cycle side by side.
 */
uint32_t pk_cycles(const struct pk_digraph *g, uint32_t *cycle, uint32_t *order);

#endif
