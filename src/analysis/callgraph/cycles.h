#ifndef PK_CYCLES_H
#define PK_CYCLES_H

#include <stdint.h>

/* A directed graph in compressed rows: the edges of node i lead to
 * to[first[i]] ... to[first[i + 1] - 1]. first has nodes + 1 entries. */
struct pk_digraph {
	uint32_t nodes;
	const uint32_t *first, *to;
};

/*
 * Which nodes call each other in a circle: strongly connected components of
 * more than one node get numbers from 1 in the order of their smallest node, all other
 * nodes 0 (a node that only calls itself too). Returns how many there are.
 * Linear in nodes and edges, without recursion: chains may be of any length.
 *
 * order, unless NULL, gets all nodes so that each stands after those that it leads to,
 * and the members of a cycle stand together.
 */
uint32_t pk_cycles(const struct pk_digraph *g, uint32_t *cycle, uint32_t *order);

#endif
