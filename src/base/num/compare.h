#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* -1, 0 or 1, as functions for qsort return it; for descending order the other way round. */
#define PK_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/*
 * Defines a function for qsort that compares a and b of a type: the first order that is not 0.
 *
 *	PK_COMPARE(by_time, struct wait, PK_ORDER(b->time, a->time) ?: PK_ORDER(a->name, b->name))
 */
#define PK_COMPARE(name, type, ...)                     \
	static int name(const void *va, const void *vb) \
	{                                               \
		const type *a = va;                     \
		const type *b = vb;                     \
                                                        \
		return __VA_ARGS__;                     \
	}
/* The same for qsort_r on row numbers, a and b, of d. */
#define PK_COMPARE_ROWS(name, type, ...)                                       \
	static int name(const void *va, const void *vb, void *data)            \
	{                                                                      \
		uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb; \
		const type *d = data;                                          \
                                                                               \
		return __VA_ARGS__;                                            \
	}

/*
 * The first i from `from` on for which `before` is false, `to` if there is none. `before` must be
 * true up to a place and false from there on.
 *
 *	PK_BISECT(i, 0, list->count, list->item[i].start <= time)
 */
#define PK_BISECT(i, from, to, before)                                      \
	({                                                                  \
		__typeof__((to) + 0) low_ = (from), high_ = (to);           \
		while (low_ < high_) {                                      \
			__typeof__((to) + 0) i = low_ + (high_ - low_) / 2; \
                                                                            \
			if (before)                                         \
				low_ = i + 1;                               \
			else                                                \
				high_ = i;                                  \
		}                                                           \
		low_;                                                       \
	})

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

/* Unsigned numbers in the order of the doubles, and back: of negative ones all bits are turned
 * round. */
static inline uint64_t pk_real_key(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static inline double pk_real_of_key(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Of char *. */
static inline int pk_compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Ascending, several times as fast as qsort where there are many. */
void pk_sort_reals(double *value, size_t count);
void pk_sort_ints(int64_t *value, size_t count);
/* The same for numbers whose lowest `bit` bits are in this order already, such as their index. */
void pk_sort_ints_from(int64_t *value, size_t count, int bit);
/* A copy in ascending order, the caller's to free. */
double *pk_sorted_reals(const double *value, size_t count);

/* qsort that may be called with NULL and count 0. */
static inline void pk_sort(void *items, size_t count, size_t size,
			   int (*compare)(const void *a, const void *b))
{
	if (count)
		qsort(items, count, size, compare);
}
