#ifndef PK_ANALYSIS_TREE_H
#define PK_ANALYSIS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/pstats_sort.h"
#include "base/error.h"
#include "model/totals.h"

/*
 * The call tree as rows, parents before children: from the roots down, or from
 * every function up through its callers.
 */
struct pk_call_tree_options {
	struct pk_sort sort; /* of siblings; by total as a rule */
	bool bottom_up;
	bool by_line;     /* paths that differ in lines alone stay apart */
	double min_share; /* only paths with at least this share of the total */
	int64_t depth;    /* only paths of at most so many functions; 0 = all */
	size_t limit;     /* of what is left, so many paths with the largest totals; 0 = all */
};

struct pk_call_tree {
	const struct pk_profile *profile; /* what the nodes are of */
	struct pk_profile *derived;       /* the same where it was made for this; or NULL */
	uint32_t metric;
	struct pk_tree tree;
	int64_t total; /* the 100 % */
	struct pk_call_tree_row {
		uint32_t node, parent; /* parent: the node of a row above, or 0 */
		int depth;             /* 1 for roots */
		bool estimated;
	} * rows;
	size_t count;
	size_t left_out;      /* by the limit */
	int64_t largest_left; /* the largest total among those */
};

/* Estimates call paths for a profile that knows callers only. The profile must live as
 * long as the result. -1 when there are neither paths nor callers. */
int pk_call_tree_init(struct pk_call_tree *t, const struct pk_profile *p, uint32_t metric,
		      const struct pk_call_tree_options *options, struct pk_error *err);
void pk_call_tree_release(struct pk_call_tree *t);

#endif
