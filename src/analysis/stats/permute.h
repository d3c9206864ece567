#ifndef PK_STATS_PERMUTE_H
#define PK_STATS_PERMUTE_H

#include <stddef.h>

/* In how many ways before + after runs divide into sides of these sizes. */
double pk_divisions(size_t before, size_t after);

/*
 * value holds `rows` rows of before + after numbers, each with mean 0 and scaled so that rows
 * compare. The statistic of a row is how far the sum of its first `before` numbers is from 0.
 * p[row] becomes the share of divisions of the columns into sides in which any row that is not
 * clearly above this one has a statistic as large (step-down max-T, Westfall and Young); of all
 * divisions if there are at most `limit`, else of `limit` drawn at random from a fixed seed, the
 * given division being one of them.
 */
void pk_permute_largest(const double *value, size_t rows, size_t before, size_t after, size_t limit,
			double *p);

#endif
