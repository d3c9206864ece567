#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* -1, 0 or 1, as functions for qsort return it; for descending order the other way round. */
#define PK_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* For qsort and bsearch, in ascending order. Reals must not be NaN. */
static inline int pk_compare_ints(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return PK_ORDER(x, y);
}

static inline int pk_compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return PK_ORDER(x, y);
}

static inline int pk_compare_reals(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return PK_ORDER(x, y);
}

/* qsort, which does not allow NULL, also for nothing. */
static inline void pk_sort(void *items, size_t count, size_t size,
			   int (*compare)(const void *a, const void *b))
{
	if (count)
		qsort(items, count, size, compare);
}
