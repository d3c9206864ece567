#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analysis/match/match.h"
#include "base/error.h"
#include "model/totals.h"

/*
 * The call paths of both sides as one tree, reduced to paths with a change and cut below the
 * functions whose own value changed.
 */
struct pk_diff_tree {
	struct pk_profile *pair; /* both sides, as metrics 1 and 2: see pk_pair */
	struct pk_tree side[PK_SIDES];
	uint32_t runs[PK_SIDES]; /* number of runs that the values are sums of; means are shown */
	uint32_t nodes;          /* nodes that changed enough to be shown */
	struct pk_diff_tree_row {
		uint32_t node, parent; /* parent: the node of a row before this one, or 0 */
		int depth;             /* from 0 */
		bool estimated;
	} * row; /* parents first, siblings by the size of their change */
	uint32_t count;
};

/*
 * m holds one profile a side, in which the runs are added up. Rows are nodes whose total, or
 * that of a node below, changed by at least min_share of the whole; at most `limit` rows,
 * those with the largest changes, which always form a tree.
 */
void pk_diff_tree_init(struct pk_diff_tree *t, const struct pk_match *m, const uint32_t metric[2],
		       const uint32_t runs[2], double min_share, size_t limit);
void pk_diff_tree_release(struct pk_diff_tree *t);

/* The mean over the runs of a side: the node's total, or its self. */
int64_t pk_diff_tree_value(const struct pk_diff_tree *t, uint32_t node, enum pk_side side,
			   bool self);
