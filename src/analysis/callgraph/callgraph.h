#ifndef PK_CALLGRAPH_H
#define PK_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/profile.h"

/*
 * The call graph of a profile: functions, the calls between them, and their
 * shares of the whole, reduced to what is worth drawing.
 *
 * Order: the functions asked for are selected first (root, leaf, depth, paths),
 * then those below the thresholds are dropped, then those beyond the limit. Shares are of
 * the whole profile all the time. Cycles are those of the whole graph.
 */
enum pk_callgraph_key { PK_CALLGRAPH_BY_TOTAL, PK_CALLGRAPH_BY_SELF, PK_CALLGRAPH_BY_CALLS };

/* Where totals come from when the profile holds call paths. A profile that knows
 * the time of its edges keeps those, whichever is chosen. */
enum pk_callgraph_totals {
	PK_TOTALS_EXACT,      /* the sum over the paths that contain the function, the call */
	PK_TOTALS_CALLSTACKS, /* functions so; calls: the callee's total by share of calls */
	PK_TOTALS_CALLRATIOS, /* self time handed up by share of calls, as gprof does it */
};

struct pk_callgraph_params {
	double node_threshold;     /* share of the total: 0.005 */
	double edge_threshold;     /* 0.001 */
	int64_t limit;             /* at most so many functions; 0 = all */
	double limit_share;        /* if not 0: the same as a share of all functions */
	enum pk_callgraph_key key; /* the limit keeps those with the largest ... */
	const char *root;          /* only what functions that match call, directly or not; NULL */
	const char *leaf;          /* only what calls functions that match; NULL */
	int64_t depth;             /* so many calls from a root, to a leaf; negative = any */
	const char *const *paths;  /* only functions whose file begins so, or (of those without
				      a file) whose module contains it */
	size_t path_count;         /* functions with neither stay, but for what is built in */
	enum pk_callgraph_totals totals;
	bool residual; /* add edges that lead past functions left out */
};

#define PK_CALLGRAPH_DEFAULTS                                                 \
	{                                                                     \
		.node_threshold = 0.005, .edge_threshold = 0.001, .depth = -1 \
	}

/* Values: seconds for metrics of time, else the metric's unit; NaN = not known.
 * Ratios: of the graph's self_total and total, 0..1; 0/0 is 1. NaN = not known. */
struct pk_callgraph_node {
	uint32_t frame;
	uint32_t cycle; /* functions shown that call each other have the same; 0 = none */
	int64_t calls;  /* PK_NULL = not known */
	double self, total;
	double self_ratio, total_ratio;
	bool estimated;
};

struct pk_callgraph_edge {
	uint32_t caller, callee; /* nodes, by index */
	int64_t calls;
	double total, total_ratio;
	double weight; /* total_ratio, or the most it can be where that is not known */
	bool estimated;
	bool residual; /* not a call: functions that were left out lie between */
};

struct pk_callgraph {
	struct pk_callgraph_node *node; /* largest total first, then in the order of the file */
	uint32_t node_count;
	struct pk_callgraph_edge *edge; /* by caller, then callee */
	uint32_t edge_count;
	double self_total; /* 100 % of self: the sum over all functions */
	double total;      /* 100 % of total: self_total, or the largest total if that is more */
	double self_shown; /* the share of self_total that the nodes hold */

	uint32_t functions, calls; /* in the whole graph */
	uint32_t cycles;           /* circles of calls of which at least two functions are shown */
	uint32_t not_selected;     /* functions left out by root, leaf, depth, paths */
	uint32_t below_threshold;
	uint32_t over_limit;
	uint32_t clamped; /* ratios that were outside 0..1 by more than rounding */
	bool estimated;   /* something in it is */
};

/* -1 with err when root or leaf matches nothing or is no regular expression. */
int pk_callgraph_init(struct pk_callgraph *g, const struct pk_profile *p, uint32_t metric,
		      const struct pk_callgraph_params *params, struct pk_error *err);
void pk_callgraph_release(struct pk_callgraph *g);

#endif
