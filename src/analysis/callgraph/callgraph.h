#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/opt.h"
#include "model/profile.h"
#include "model/totals.h"

/*
 * The call graph of a profile: functions, the calls between them, and their shares of the
 * whole, reduced to what is worth drawing.
 *
 * Order: the functions asked for are selected first (root, leaf, depth, paths), then those
 * below the thresholds are dropped, then those beyond the limit. Shares are always of the
 * whole profile. Cycles are those of the whole graph.
 */
enum pk_callgraph_key { PK_CALLGRAPH_BY_TOTAL, PK_CALLGRAPH_BY_SELF, PK_CALLGRAPH_BY_CALLS };

/* Where totals come from when the profile has call paths. A profile that knows the time of its
 * edges keeps that time, whichever is chosen. */
enum pk_callgraph_totals {
	PK_TOTALS_EXACT,      /* functions and calls: the sum over the paths that contain them */
	PK_TOTALS_CALLSTACKS, /* functions as above; calls: the callee's total divided by calls */
	PK_TOTALS_CALLRATIOS, /* self time handed to callers by share of calls, as gprof does */
};

struct pk_callgraph_params {
	double node_threshold;     /* least share of the total: 0.005 */
	double edge_threshold;     /* 0.001 */
	struct pk_opt_limit limit; /* at most so many functions */
	int key;                   /* enum pk_callgraph_key: what the limit keeps the largest of */
	const char *root; /* RE: only functions that match it and their direct and indirect callees;
			     NULL */
	const char *leaf; /* RE: only functions that match it and their direct and indirect callers;
			     NULL */
	int64_t depth;    /* at most this many calls from a root or to a leaf; negative = any */
	int64_t arrows;   /* at most so many calls, the largest, 0 = all; negative = 50, and 2 for
			     each function */
	struct pk_opt_list paths; /* only functions whose file begins with one of these, or, without
				     a file, whose module contains it; functions without file and
				     module are kept, except built-in ones */
	int totals;               /* enum pk_callgraph_totals */
	bool residual;            /* add edges that replace paths over functions left out */
};

/* Values: seconds for metrics of time, else the metric's unit; NaN = not known.
 * Ratios: of the graph's self_total and total, 0..1; 0/0 is 1. NaN = not known. In a graph with
 * negative values they are not cut, and there are none if the whole is not above 0. */
struct pk_callgraph_node {
	uint32_t function;
	uint32_t cycle; /* cycle number, shared by functions that call each other; 0 = none */
	int64_t calls;  /* PK_NULL = not known */
	double self, total;
	double self_ratio, total_ratio;
	bool estimated;
	bool empty; /* has nothing in the metric, and does not count as one of its functions */
};

struct pk_callgraph_edge {
	uint32_t caller, callee; /* index of the nodes */
	int64_t calls;
	double total, total_ratio;
	double weight; /* total_ratio; if that is not known, its upper bound */
	bool estimated;
	bool residual; /* replaces a path over functions that were left out */
};

struct pk_callgraph {
	struct pk_callgraph_node
		*node; /* the largest total first, equal ones in the order of the file */
	uint32_t node_count;
	struct pk_callgraph_edge *edge; /* by caller, then callee */
	uint32_t edge_count;
	double self_total; /* 100 % of self: the sum over all functions */
	double total;      /* 100 % of total: self_total, or the largest total if that is larger
			      (not if there are negative values) */
	double most;       /* the largest share of total: 1, more only with negative values */
	double self_shown; /* the share of self_total that the nodes hold; NaN = no shares */
	bool negative;     /* there are values below 0, such as memory that was freed */

	uint32_t functions, calls; /* numbers of the whole graph, without empty functions */
	uint32_t empty_shown;  /* nodes that are empty: callers that have no time of their own */
	uint32_t cycles;       /* cycles of which at least two functions are shown */
	uint32_t not_selected; /* functions left out by root, leaf, depth, paths */
	uint32_t below_threshold;
	uint32_t over_limit;
	uint32_t calls_below_threshold, calls_over_limit; /* between functions that are shown */
	uint32_t clamped; /* ratios that had to be cut to 0..1, rounding aside */
};

/* Returns -1 with err if root or leaf matches nothing or is no regular expression. */
int pk_callgraph_init(struct pk_callgraph *g, const struct pk_profile *p, uint32_t metric,
		      const struct pk_callgraph_params *params, struct pk_error *err);
/* The same with the sums of the profile in this metric. */
int pk_callgraph_of(struct pk_callgraph *g, const struct pk_profile *p, uint32_t metric,
		    const struct pk_functions *functions, const struct pk_arcs *arcs,
		    const struct pk_callgraph_params *params, struct pk_error *err);
void pk_callgraph_release(struct pk_callgraph *g);
/* A share or weight as a size to draw, 0..1. */
double pk_callgraph_size(const struct pk_callgraph *g, double share);
