#pragma once

#include "analysis/diff/diff.h"

/*
 * Judges the differences that pk_diff_init collected: intervals, p values, verdicts.
 *
 * - Counts that do not depend on time or sampling (calls, instructions, allocations) and are the
 *   same in every run of a side are compared directly: any difference is certain (PK_DIFF_EXACT).
 * - With at least two runs on a side, functions are tested on the logarithms of their values by the
 *   moderated t, from which ratio, ci, p and verdict follow (see stats/stats.h): ci leaves out 1
 *   where p is below alpha. The whole is tested by Mann-Whitney, with the interval of Hodges and
 *   Lehmann. Verdicts are regressed, improved, unchanged (the whole interval is within the
 *   threshold) and inconclusive. With PK_DIFF_EXPLORATORY no function is more than suspect.
 * - Runs of parts (PK_DIFF_MEANS) are tested by Welch's t on the logarithm of the ratio of means, p
 *   of functions adjusted by Holm's method; with fewer than 5 on a side it is PK_DIFF_EXPLORATORY.
 * - With one run a side (PK_DIFF_NOISE), ci is the interval of sampling noise, and p is not known.
 *   A change is suspect if it is outside of that interval and larger than `suspect` of the value
 *   and `least` of the whole.
 * - Benchmarks (PK_DIFF_REPEATED) are tested by pk_compare_series on the logarithms of their
 *   values, p is adjusted by Holm's method. Counts that are the same in all values of a side are
 *   compared directly. With one value, or a summary, on a side a change of more than `suspect` is
 *   suspect, a smaller one inconclusive.
 * Functions that are too small to be judged are minor. If calls are known, the machine factor comes
 * from functions that are called equally often.
 */
struct pk_judge_options {
	double alpha;      /* probability of any false alarm among the functions: 0.05 */
	double confidence; /* of intervals: 0.95 */
	double threshold;  /* changes below this share of the value are ignored: 0.05 */
	double suspect;    /* see PK_DIFF_NOISE: 0.25 */
	double least;      /* see PK_DIFF_NOISE: 0.01 */
	bool machine;      /* functions are judged without the machine factor; the whole never is */
	bool each; /* ci is right for each function alone, to be compared with a limit: it may leave
		      out 1 where p, which is for all functions, does not */
	double floor; /* functions with a smaller share of the whole on both sides are not judged; 0
			 = 0.0005, or a quarter of the mean share if that is smaller */
};
extern const struct pk_judge_options pk_judge_defaults;

/* Sets ratio, ci, p and verdict of every row, measure and total, and machine_factor and method.
 * Rows that are already PK_SHIFTED keep that verdict. */
void pk_diff_judge(struct pk_diff *d, const struct pk_judge_options *options);

/* True if the metric counts what a program does, and not how long it took or how often it was
 * sampled: the same program with the same input gives the same number. */
bool pk_diff_is_deterministic(const struct pk_diff *d);
