#include "base/num/merge_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct merger {
	bool (*before)(const void *data, uint32_t a, uint32_t b);
	const void *data;
	uint32_t count;
};

/* The end of the sorted part that begins at `at`. */
static uint32_t end_of_part(const struct merger *m, const uint32_t *item, uint32_t at)
{
	for (at++; at < m->count && !m->before(m->data, item[at], item[at - 1]); at++)
		;
	return at;
}

/* Merges from[a..b) and from[b..c) into to. */
static void merge(const struct merger *m, const uint32_t *from, uint32_t *to, uint32_t a,
		  uint32_t b, uint32_t c)
{
	uint32_t i = a, j = b, k = a;

	while (i < b && j < c)
		to[k++] = m->before(m->data, from[j], from[i]) ? from[j++] : from[i++];
	memcpy(to + k, from + i, (b - i) * sizeof(*to));
	memcpy(to + k + (b - i), from + j, (c - j) * sizeof(*to));
}

void pk_merge_sort(uint32_t *item, uint32_t count,
		   bool (*before)(const void *data, uint32_t a, uint32_t b), const void *data)
{
	struct merger m = {before, data, count};
	uint32_t *other, *from = item, *to, *swap, parts = 2;

	if (!count || end_of_part(&m, item, 0) == count)
		return;
	to = other = pk_malloc(pk_mul(count, sizeof(*other)));
	while (parts > 1) {
		uint32_t a, b, c;

		for (a = 0, parts = 0; a < count; a = c, parts++) {
			b = end_of_part(&m, from, a);
			c = b < count ? end_of_part(&m, from, b) : b;
			merge(&m, from, to, a, b, c);
		}
		swap = from;
		from = to;
		to = swap;
	}
	if (from != item)
		memcpy(item, from, count * sizeof(*item));
	free(other);
}
