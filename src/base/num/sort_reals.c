/* Sorts doubles by their bits, a byte at a time: see compare.h. */
#include "base/num/compare.h"

#include <stdbool.h>

#include "base/alloc.h"

enum { FEW = 64, BYTES = 8 };

static void sort_by_byte(const uint64_t *from, uint64_t *to, size_t count, int shift, size_t *place)
{
	size_t sum = 0;

	for (int i = 0; i < 256; i++) {
		size_t here = place[i];

		place[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[place[from[i] >> shift & 0xFF]++] = from[i];
}

void pk_sort_reals(double *value, size_t count)
{
	PK_FREED uint64_t *memory = NULL;
	size_t places[BYTES][256] = {{0}};
	uint64_t *from, *to, *other;

	if (count < FEW) {
		pk_sort(value, count, sizeof(*value), pk_compare_reals);
		return;
	}
	from = memory = pk_malloc(pk_mul(count, 2 * sizeof(*memory)));
	to = memory + count;
	for (size_t i = 0; i < count; i++) {
		from[i] = pk_real_key(value[i]);
		for (int b = 0; b < BYTES; b++)
			places[b][from[i] >> 8 * b & 0xFF]++;
	}
	for (int b = 0; b < BYTES; b++) {
		if (places[b][*from >> 8 * b & 0xFF] == count)
			continue; /* the byte is the same in all */
		sort_by_byte(from, to, count, 8 * b, places[b]);
		other = from;
		from = to;
		to = other;
	}
	for (size_t i = 0; i < count; i++)
		value[i] = pk_real_of_key(from[i]);
}

double *pk_sorted_reals(const double *value, size_t count)
{
	double *sorted = pk_malloc(pk_mul(count + 1, sizeof(*sorted)));

	if (count)
		memcpy(sorted, value, count * sizeof(*sorted));
	pk_sort_reals(sorted, count);
	return sorted;
}
