#ifndef PK_HISTORY_H
#define PK_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A value over runs, in their order, as levels with steps between them: the piecewise constant
 * line with the least sum of absolute differences of logarithms and a penalty for each step
 * (L1 Potts), which is found exactly. The penalty grows with the logarithm of the number of runs
 * and with the noise, the median difference of neighbors: in noise alone that is of each run by itself
 * there is a step in less than 1 of 20 histories, with single runs far off or without.
 */
struct pk_history_level {
	size_t from, to; /* values [from, to) */
	int64_t value;   /* their median */
};

struct pk_history {
	struct pk_history_level *level; /* in order, without gaps but for what is not known */
	size_t count;                   /* 0 if no value is known */
	size_t skipped;                 /* values at the begin that were too many to look at */
	bool too_few;                   /* values to tell steps from noise */
};

/* The newest values that are looked at: the time is quadratic in them. */
enum { PK_HISTORY_MOST = 2000 };

/*
 * Values may be PK_NULL, where they are not known. exact: they are counts, which rarely differ by
 * chance: a single run may be a level, and where they do differ by chance, steps that are none
 * are more frequent than said above. Else a level has three runs at least.
 */
void pk_history_init(struct pk_history *h, const int64_t *value, size_t count, bool exact);
void pk_history_release(struct pk_history *h);

/* Value of a level / that of the one before: infinite for what is new. level is at least 1. */
double pk_history_ratio(const struct pk_history *h, size_t level);

#endif
