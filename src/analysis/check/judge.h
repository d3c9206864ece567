#pragma once

#include "analysis/diff/diff.h"

/*
 * Judges the differences that pk_diff_init collected: intervals, p values, verdicts.
 *
 * - Counts that do not depend on time or sampling (calls, instructions, allocations) and are
 * the same in every run of a side are compared directly: any difference is certain
 * (PK_DIFF_EXACT).
 * - With at least two runs on a side, functions are tested on the logarithms of their values,
 * with the machine factor removed (see stats/stats.h). ci is the Hodges-Lehmann interval from
 * 4 and 4 runs on, otherwise that of the moderated t. The whole is tested by Mann-Whitney, and
 * the machine factor stays in it. Verdicts are regressed, improved, unchanged (the whole interval
 * is within the threshold) and inconclusive. With PK_DIFF_EXPLORATORY no function is more than
 * suspect. If calls are known, the machine factor comes from functions that are called equally
 * often.
 * - With one run a side (PK_DIFF_NOISE), ci is the interval of sampling noise with the machine
 * factor removed, and p is not known. A change is suspect if it is outside of that interval
 * and larger than `suspect` of the value and `least` of the whole.
 */
struct pk_judge_options {
	double alpha;      /* probability of any false alarm among the functions: 0.05 */
	double confidence; /* of intervals: 0.95 */
	double threshold;  /* changes below this share of the value are ignored: 0.05 */
	double suspect;    /* see PK_DIFF_NOISE: 0.25 */
	double least;      /* see PK_DIFF_NOISE: 0.01 */
	double floor; /* functions with a smaller share of the whole on both sides are not judged; 0
			 = 0.0005, or a quarter of the mean share if that is smaller */
};
extern const struct pk_judge_options pk_judge_defaults;

/* Sets ci, p and verdict of every row, measure and total, and machine_factor and method. Rows that
 * are already PK_SHIFTED keep that verdict. */
void pk_diff_judge(struct pk_diff *d, const struct pk_judge_options *options);

/* True if the metric counts what a program does, and not how long it took or how often it was
 * sampled: the same program with the same input gives the same number. */
bool pk_diff_is_deterministic(const struct pk_diff *d);
