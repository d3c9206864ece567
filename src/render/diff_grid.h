#pragma once

#include "analysis/diff/diff.h"
#include "analysis/diff/tree.h"
#include "render/grid.h"

/*
 * A difference of two sides as a grid, and the lines around it. Texts are borrowed from the
 * difference, which must live as long as the grid.
 */

/* The rows in `order`, in one measure; people: see tables.h. */
void pk_diff_grid(struct pk_grid *g, const struct pk_diff *d, enum pk_measure m,
		  const uint32_t *order, size_t rows, bool people);
/* The rows of the tree of both sides. judged: per function of the pair, how its self was judged,
 * NULL where it was not; NULL if none was. */
void pk_diff_tree_grid(struct pk_grid *g, const struct pk_diff_tree *t,
		       const struct pk_change *const *judged, bool people);
/* enum pk_tone of a change, bad or good. */
uint8_t pk_diff_tone(const struct pk_change *c);
extern const struct pk_grid_columns pk_diff_columns, pk_diff_tree_columns;
/* Members of the JSON object: measure, sides, machine_factor, total, method. */
void pk_diff_members(struct pk_json_writer *w, const struct pk_diff *d, enum pk_measure m);

/* Its member "total". */
void pk_diff_total_member(struct pk_json_writer *w, const struct pk_change *c, int exponent);

/* The total of a measure. */
const struct pk_change *pk_diff_whole(const struct pk_diff *d, enum pk_measure m);
/* "before: a.prof (pstats) and 2 more runs, mean: time ", with the first run of the side and how
 * one value was made of several ("mean"); NULL: of a part their mean. */
void pk_side_title(struct pk_buf *buf, enum pk_side side, const char *name,
		   const struct pk_profile *first, uint32_t runs, const char *made,
		   const char *what);
/* Appends lines that explain the numbers to people, each ended by a newline. */
void pk_diff_title(struct pk_buf *buf, const struct pk_diff *d, enum pk_measure m);
