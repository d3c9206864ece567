#ifndef PK_CALLGRAPH_INTERNAL_H
#define PK_CALLGRAPH_INTERNAL_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/callgraph/cycles.h"

/* Steps of pk_callgraph_init. The graph is whole until it is pruned. */

/* Numerator / denominator, cut to 0..1; g->clamped counts the cuts. */
double pk_callgraph_ratio(struct pk_callgraph *g, double numerator, double denominator);

/* Order by caller, then callee, for qsort. */
int pk_callgraph_compare_edges(const void *a, const void *b);

/* The graph's edges as a digraph: edge i stays edge i. `reverse` turns the edges around. Free its
 * arrays with pk_callgraph_digraph_free. */
struct pk_digraph pk_callgraph_digraph(const struct pk_callgraph *g);
struct pk_digraph pk_callgraph_digraph_reversed(const struct pk_callgraph *g);
void pk_callgraph_digraph_free(struct pk_digraph *d);

/* Replaces the totals by those that follow from shares of calls. */
void pk_callgraph_callratios(struct pk_callgraph *g, const struct pk_profile *p, uint32_t metric,
			     enum pk_callgraph_totals how);

int pk_callgraph_prune(struct pk_callgraph *g, const struct pk_profile *p,
		       const struct pk_callgraph_params *params, struct pk_error *err);

#endif
