#ifndef PK_STATS_RANK_H
#define PK_STATS_RANK_H

#include <stddef.h>

/*
 * Compares two sets of values by their ranks, without assumptions about their distribution.
 * Values are finite.
 */

/*
 * The two-sided p of the Mann-Whitney test that before and after come from one
 * distribution: twice the smaller tail, at most 1. Exact, by counting all ways to divide the
 * values as they are (equal values have the mean of their ranks), up to 100 values together;
 * beyond that by the normal approximation, corrected for ties and continuity. 1 if a side is
 * empty.
 */
double pk_mann_whitney(const double *before, size_t before_count, const double *after,
		       size_t after_count);

struct pk_interval {
	double estimate, low, high; /* without bounds: -INFINITY, INFINITY */
};
/*
 * The Hodges-Lehmann estimate of how much larger the values after are: the median of all
 * differences between a value after and one before, with the interval that belongs to the
 * Mann-Whitney test. It goes from the `rank`-th smallest difference to the rank-th largest; rank 0
 * gives no bounds. NaN if a side is empty.
 */
struct pk_interval pk_hodges_lehmann(const double *before, size_t before_count, const double *after,
				     size_t after_count, size_t rank);
/* The rank for which the interval contains the true shift with probability `confidence` (0.95) or
 * more, for any distribution; 0 if there are too few values (for 0.95: 3 and 4). */
size_t pk_shift_rank(size_t before_count, size_t after_count, double confidence);

/* The median; sorts the values in place. NaN if there are none. */
double pk_median(double *values, size_t count);

#endif
