#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Divides a series of values over runs into levels with steps between them: the piecewise
 * constant line with the least sum of absolute differences of logarithms and a penalty for
 * each step (L1 Potts), found exactly. The penalty grows with the logarithm of the number of
 * runs and with the noise, which is the median difference of neighbors. Independent noise
 * alone gives a step in less than 1 of 20 histories, with or without outliers.
 */
struct pk_history_level {
	size_t from, to; /* values [from, to) */
	int64_t value;   /* their median */
};

struct pk_history {
	struct pk_history_level *level; /* in order; unknown values may lie between two */
	size_t count;                   /* 0 if no value is known */
	size_t skipped; /* values at the begin that were left out, because there are too many */
	bool too_few;   /* too few values to tell steps from noise */
};

/* Only so many of the newest values are used, because the time is quadratic in them. */
enum { PK_HISTORY_MOST = 2000 };

/*
 * Values may be PK_NULL: not known. exact: the values are counts, which rarely differ by
 * chance, so a single run may be a level; if they do differ by chance, false steps are more
 * frequent than said above. Otherwise a level has at least three runs.
 */
void pk_history_init(struct pk_history *h, const int64_t *value, size_t count, bool exact);
void pk_history_release(struct pk_history *h);

/* The value of a level / that of the level before: infinite if it was 0. level is at least 1. */
double pk_history_ratio(const struct pk_history *h, size_t level);
