#ifndef PK_DIFF_JUDGE_H
#define PK_DIFF_JUDGE_H

#include "analysis/diff.h"

/*
 * Which differences are real, and which functions they come from.
 *
 * Deterministic numbers (calls, instructions, bytes allocated) that are the same in all runs of a
 * side are compared exactly. Others with three runs or more in all: moderated t on logarithms
 * after the machine factor is taken out, adjusted for the number of functions (stats_family.h);
 * the total by Mann-Whitney, machine factor and all. With one run a side nothing is known of
 * how runs differ: PK_SUSPECT is the most that is said, and ci is the noise of sampling alone.
 */
struct pk_judge_options {
	unsigned measures; /* bits 1 << PK_SELF, ...: which changes are judged */
	double alpha;      /* 0.05 */
	double min_change; /* a change of less than this share is none; NaN = by the method:
			      0 exact, 0.01 tested, 0.25 with one run */
	double min_share;  /* nor one of less than this share of the whole; NaN = by the method:
			      0 exact, 0.0001 tested, 0.01 with one run */
};
#define PK_JUDGE_DEFAULTS                                                                     \
	{                                                                                     \
		.measures = 1U << PK_SELF, .alpha = 0.05, .min_change = NAN, .min_share = NAN \
	}

/* Sets ci, p and verdict of the rows' changes and of the totals, machine_factor and method;
 * then pk_diff_attribute. */
void pk_diff_judge(struct pk_diff *d, const struct pk_judge_options *options);

/*
 * Leaves one alarm for one cause: cost that only went from one function to others (PK_SHIFTED),
 * totals that changed because of what is called (PK_SHIFTED), functions that are probably known
 * under another name; sets other and note of the rows.
 */
void pk_diff_attribute(struct pk_diff *d, unsigned measures);

/* Whether a verdict is bad news, good news, or no news: 1, -1, 0. Suspicion, too. */
int pk_change_direction(const struct pk_change *c);

#endif
