#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/pstats/sort.h"
#include "base/error.h"
#include "model/totals.h"

/*
 * The call tree as rows, parents before children: from the roots down, or from every function
 * up through its callers.
 */
struct pk_call_tree_options {
	bool bottom_up;
	bool by_line;     /* keep paths apart that differ only in lines */
	double min_share; /* only paths with at least this share of the total */
	int64_t depth;    /* only paths of at most so many functions; 0 = all */
	bool paths_alone; /* no tree, no nodes: `profile` and `derived` only */
};

struct pk_call_tree {
	const struct pk_profile *profile; /* the profile that nodes belong to */
	struct pk_profile *derived; /* that profile if it was derived for this, otherwise NULL */
	uint32_t metric;
	struct pk_tree tree;
	int64_t total; /* the 100 % */
	bool bottom_up;
	uint32_t cut;    /* paths of a bottom-up tree that were cut to respect a limit */
	uint32_t *nodes; /* the nodes that the options leave, in ascending order */
	uint32_t node_count;
	int *depth;                    /* per node of the profile: 1 for roots */
	struct pk_call_tree_row {      /* made by pk_call_tree_arrange */
		uint32_t node, parent; /* parent: the node of a row above, or 0 */
		int depth;
		bool estimated;
	} * rows;
	uint32_t count;
	int64_t largest_left; /* the largest total that the limit left out */
};

/* Estimates call paths for a profile that knows callers only. The profile must live as long as the
 * result. Returns -1 if there are neither paths nor callers. */
int pk_call_tree_init(struct pk_call_tree *t, const struct pk_profile *p, uint32_t metric,
		      const struct pk_call_tree_options *options, struct pk_error *err);
/* Makes rows of the `limit` nodes with the largest totals, which are always connected; siblings are
 * sorted. Call it once. */
void pk_call_tree_arrange(struct pk_call_tree *t, const struct pk_sort *sort, uint32_t limit);
void pk_call_tree_release(struct pk_call_tree *t);
