#ifndef PK_JUDGE_H
#define PK_JUDGE_H

#include "analysis/diff/diff.h"

/*
 * What can be said of the differences that pk_diff_init collected: intervals, p, verdicts.
 *
 * - Numbers that are the same in every run of a side and are no times or samples (calls,
 *   instructions, allocations) are compared as they are: any difference is certain (PK_DIFF_EXACT).
 * - With two runs or more on a side, functions are tested on the logarithms of their values,
 *   the machine factor taken out (see stats_family.h); ci is the Hodges-Lehmann interval from 4
 *   and 4 runs on, else that of the moderated t. The whole is tested by itself, as it is, by
 *   Mann-Whitney. Verdicts are regressed, improved, unchanged (the whole interval is within the
 *   threshold) and inconclusive; PK_DIFF_EXPLORATORY calls no function more than suspect.
 *   The machine factor is that of the functions that are called equally often, where calls are
 *   known.
 * - With one run a side (PK_DIFF_NOISE) ci is what sampling alone gives, the machine factor
 *   taken out, and p is not known. Suspect is what is outside of it, and changed by
 *   more than `suspect` of itself and `least` of the whole.
 */
struct pk_judge_options {
	double alpha;      /* chance of any false alarm among the functions: 0.05 */
	double confidence; /* of intervals: 0.95 */
	double threshold;  /* less is no change: 0.05 of the value */
	double suspect;    /* 0.25 */
	double least;      /* 0.01 */
	double floor;      /* functions with less of the whole on both sides are not looked at;
			      0 = 0.0005, or a quarter of the mean where that is less */
};
extern const struct pk_judge_options pk_judge_defaults;

/* Fills in ci, p and verdict of every row and measure and of the totals, machine_factor and
 * method. Rows that are shifted stay so in what they were. */
void pk_diff_judge(struct pk_diff *d, const struct pk_judge_options *options);

/* True if the metric counts what a program does, not how long that took or how often it was
 * seen: the same program on the same input gives the same number. */
bool pk_diff_is_deterministic(const struct pk_diff *d);

#endif
