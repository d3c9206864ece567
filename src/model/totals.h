#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/*
 * Sums over a profile in one metric, all threads together (select some first for fewer).
 * Arrays are indexed by id; sums are exact and saturate at the limits of int64_t.
 */
/* Adds a value of another thread or call path to a total, in the way that suits the metric. */
void pk_aggregate_add(enum pk_aggregate how, int64_t *sum, int64_t value);
/* The total of a metric; PK_NULL for metric 0. */
int64_t pk_metric_total(const struct pk_profile *p, uint32_t metric);

struct pk_tree {                /* Call paths as a tree. */
	uint32_t count;         /* number of nodes, node 0 included */
	uint32_t *first, *next; /* children in the order of their ids; 0 = none; see pk_tree_link */
	int64_t *self, *total;  /* per node; node 0 holds the profile's total */
	int64_t *calls;         /* per node, PK_NULL = not known; NULL if no node has calls */
};
void pk_tree_init(struct pk_tree *tree, const struct pk_profile *p, uint32_t metric);
void pk_tree_release(struct pk_tree *tree);
/* Makes `first` and `next`, which are NULL before. */
void pk_tree_link(struct pk_tree *tree, const struct pk_profile *p);
/* True if the roots add up to more than the whole, so that they cannot be drawn beside each other:
 * for metrics whose largest value counts, such as the memory of a process while each line ran. */
bool pk_parts_exceed(const struct pk_profile *p, uint32_t metric);

/* Depth-first order without recursion, in a tree that is linked: start with node = 0. Returns the
 * next node, 0 at the end; *depth is 1 for roots. */
uint32_t pk_tree_walk(const struct pk_tree *tree, const struct pk_profile *p, uint32_t node,
		      int *depth);

/* Calls enter and leave for every node in depth-first order, to keep counts of what is on the
 * current path. */
void pk_tree_visit(const struct pk_tree *tree, const struct pk_profile *p,
		   void (*enter)(void *data, uint32_t node),
		   void (*leave)(void *data, uint32_t node), void *data);

struct pk_function_total { /* A function as a whole. */
	uint32_t function;
	bool self_unknown, total_unknown; /* the file has no finite number: self and total are 0 */
	bool estimated;
	int64_t calls, primitive_calls; /* PK_NULL = not known */
	int64_t self, total;            /* total counts a recursive function once */
	double self_raw, total_raw;     /* NaN = none, see pk_edge_table */
};

struct pk_functions {
	struct pk_function_total *row; /* functions in the order of the file */
	uint32_t count;
	int64_t total;         /* the 100 %: the sum of self */
	uint32_t *of_function; /* function -> row + 1; 0 = it has none */
};
/* From function rows of the edge table if the profile has them (exact), otherwise from call
 * paths. */
void pk_functions_init(struct pk_functions *f, const struct pk_profile *p, uint32_t metric);
void pk_functions_release(struct pk_functions *f);

/* Calls between functions, added up over all paths. Taken from the edges of the profile if it has
 * some; otherwise from the paths: self and total of the callee while directly below the caller,
 * where an edge that is open already counts once. */
struct pk_arcs {
	struct pk_arc {
		uint32_t caller, callee; /* functions */
		uint32_t open;           /* while they are added up: times on the current path */
		bool estimated;
		int64_t calls, primitive_calls, self, total; /* PK_NULL = not known */
		double self_raw, total_raw;
	} * row;
	uint32_t count;
};
void pk_arcs_init(struct pk_arcs *arcs, const struct pk_profile *p, uint32_t metric);
/* Makes both, or only one if the other is NULL. tree: the tree of the profile in this metric; NULL:
 * it is made. */
void pk_totals_of(struct pk_functions *f, struct pk_arcs *arcs, const struct pk_profile *p,
		  uint32_t metric, const struct pk_tree *tree);
void pk_arcs_release(struct pk_arcs *arcs);
