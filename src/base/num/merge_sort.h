#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

typedef bool pk_before(const void *data, uint32_t a, uint32_t b);

/*
 * A stable sort of row numbers that uses parts already in order, such as the spans of several
 * threads: its time is count * log(parts) comparisons.
 */
void pk_merge_sort(uint32_t *item, uint32_t count, pk_before *before, const void *data);

/* The end of the sorted part that begins at `at`. */
static inline __attribute__((always_inline)) uint32_t
pk_merge_end(const uint32_t *item, uint32_t count, pk_before *before, const void *data, uint32_t at)
{
	for (at++; at < count && !before(data, item[at], item[at - 1]); at++)
		;
	return at;
}

/* Merges from[a..b) and from[b..c) into to. */
static inline __attribute__((always_inline)) void pk_merge_parts(const uint32_t *from, uint32_t *to,
								 pk_before *before,
								 const void *data, uint32_t a,
								 uint32_t b, uint32_t c)
{
	uint32_t i = a, j = b, k = a;

	while (i < b && j < c)
		to[k++] = before(data, from[j], from[i]) ? from[j++] : from[i++];
	memcpy(to + k, from + i, (b - i) * sizeof(*to));
	memcpy(to + k + (b - i), from + j, (c - j) * sizeof(*to));
}

/* The same with the comparison inline: half the time, for sorts of millions. */
static inline __attribute__((always_inline)) void
pk_merge_sort_inline(uint32_t *item, uint32_t count, pk_before *before, const void *data)
{
	uint32_t *other, *from = item, *to, *swap, parts = 2;

	if (!count || pk_merge_end(item, count, before, data, 0) == count)
		return;
	to = other = pk_malloc(pk_mul(count, sizeof(*other)));
	while (parts > 1) {
		uint32_t a, b, c;

		for (a = 0, parts = 0; a < count; a = c, parts++) {
			b = pk_merge_end(from, count, before, data, a);
			c = b < count ? pk_merge_end(from, count, before, data, b) : b;
			pk_merge_parts(from, to, before, data, a, b, c);
		}
		swap = from;
		from = to;
		to = swap;
	}
	if (from != item)
		memcpy(item, from, count * sizeof(*item));
	free(other);
}
