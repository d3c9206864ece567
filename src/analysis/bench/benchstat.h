#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The statistics of Go's benchstat, computed in its order, so that they are equal to the last bit.
 * Values are sorted.
 */

/* The median with the interval between two of the values that contains it with this confidence;
 * -INFINITY and INFINITY: there are too few values. */
struct pk_benchstat_center {
	double center, low, high;
};
struct pk_benchstat_center pk_benchstat_median(const double *value, size_t count,
					       double confidence);
/* The most frequent value, of a unit whose values are declared exact. */
struct pk_benchstat_center pk_benchstat_mode(const double *value, size_t count);
/* The number of values that an interval needs, 0 = more than 50; that a difference needs, 0 = more
 * than 10. */
int pk_benchstat_need_interval(double confidence);
int pk_benchstat_need_difference(double alpha);

/* p of the Mann-Whitney test: exact up to 50 values a side, 25 where some are equal. *equal: all
 * are equal, which gives 1. */
double pk_benchstat_test(const double *before, size_t n, const double *after, size_t m,
			 bool *equal);

/* The geometric mean; NaN unless all are positive. */
double pk_benchstat_geomean(const double *value, size_t count);
