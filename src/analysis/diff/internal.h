#pragma once

#include "analysis/diff/diff.h"

/* The metric of p that corresponds to metric m of the first profile: by name and unit, otherwise by
 * unit, where neither counts things that the other does not know; 0 if there is none. */
uint32_t pk_diff_find_metric(const struct pk_profile *first, uint32_t m,
			     const struct pk_profile *p);

/* Steps of pk_diff_attribute. */

/* Calls between rows on both sides; values are means over the runs. */
struct pk_diff_arc {
	uint32_t caller, callee; /* rows */
	double total[PK_SIDES];  /* NaN = not known */
	double calls[PK_SIDES];
};

struct pk_diff_arcs {
	struct pk_diff_arc *row; /* by caller, then callee */
	uint32_t count;
	uint32_t *by_callee; /* the same by callee, then caller */
	uint32_t *callees;   /* rows + 1 entries: where the arcs of a caller begin in row */
	uint32_t *callers;   /* rows + 1 entries: where the arcs of a callee begin in by_callee */
};
/* Collects the arcs that begin or end at a wanted row. */
void pk_diff_arcs_init(struct pk_diff_arcs *arcs, const struct pk_diff *d, const bool *wanted);
void pk_diff_arcs_release(struct pk_diff_arcs *arcs);

/* Sets `other` of gone and new functions that are probably the same one: they have common callers
 * and callees and similar names or costs. */
void pk_diff_guess_renames(struct pk_diff *d, const struct pk_diff_arcs *arcs);

/* A part: means over its runs, and how these differ. */
void pk_diff_collect_part(struct pk_diff *d, enum pk_side s);
/* Multiplies the side before but for waits: by row what they make of its total, first of the
 * whole. */
void pk_diff_scale_part(struct pk_diff *d, double factor, const int64_t *waits);

/* By what the values of a run are multiplied. */
int64_t pk_diff_factor(const struct pk_diff *d, enum pk_side s, uint32_t run);

/* Benchmarks, in place of sums of functions. */
void pk_diff_collect_benchmarks(struct pk_diff *d);
/* Sets `other` of benchmarks that are gone and new, with similar names and values. */
void pk_diff_guess_benchmarks(struct pk_diff *d);
void pk_diff_release_benchmarks(struct pk_diff_repeated *r);
