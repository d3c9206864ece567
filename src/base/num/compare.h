#ifndef PK_COMPARE_H
#define PK_COMPARE_H

#include <stdint.h>

/* For qsort and bsearch, in ascending order. Reals must not be NaN. */
static inline int pk_compare_ints(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static inline int pk_compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static inline int pk_compare_reals(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

#endif
