#pragma once

#include "analysis/stats/stats.h"

/* The two parts of pk_hodges_lehmann, for sides that are not empty, in ascending order. */
double pk_shift_estimate(const double *before, size_t before_count, const double *after,
			 size_t after_count);
/* Sets the bounds, unless rank is 0. */
void pk_shift_bounds(const double *before, size_t before_count, const double *after,
		     size_t after_count, size_t rank, struct pk_interval *interval);
