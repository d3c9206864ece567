#pragma once

#include <stdint.h>

#include "analysis/callgraph/callgraph.h"

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

/* Steps of pk_callgraph_init. The graph is whole until it is pruned. */

/* Numerator / denominator, cut to 0..1; g->clamped counts the cuts. */
double pk_callgraph_ratio(struct pk_callgraph *g, double numerator, double denominator);
/* The share of a value; of a graph with negative values as it is, NaN if there is no whole. */
double pk_callgraph_share(struct pk_callgraph *g, double value, double whole);

/* Sorts the edges by caller, then callee, in linear time. */
void pk_callgraph_sort_edges(struct pk_callgraph *g);

/* The graph's edges as a digraph: edge i stays edge i, unless the edges are turned around. Free its
 * arrays with pk_callgraph_digraph_free. */
struct pk_digraph pk_callgraph_digraph(const struct pk_callgraph *g, bool reversed);
void pk_callgraph_digraph_free(struct pk_digraph *d);

/* Replaces the totals by those that follow from shares of calls. */
void pk_callgraph_callratios(struct pk_callgraph *g, const struct pk_profile *p, uint32_t metric,
			     enum pk_callgraph_totals how);

int pk_callgraph_prune(struct pk_callgraph *g, const struct pk_profile *p,
		       const struct pk_callgraph_params *params, struct pk_error *err);
