/* Sorts numbers by their bits, a byte at a time: see compare.h. */
#include "base/num/compare.h"

#include "base/alloc.h"

enum { FEW = 64 };

static void sort_by_byte(const uint64_t *from, uint64_t *to, size_t count, int shift)
{
	size_t place[256] = {0}, sum = 0;

	for (size_t i = 0; i < count; i++)
		place[from[i] >> shift & 0xFF]++;
	for (int i = 0; i < 256; i++) {
		size_t here = place[i];

		place[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[place[from[i] >> shift & 0xFF]++] = from[i];
}

/* Sorts `from`, which is not empty, by its bits from `bit` on, by means of `to`; returns the one of
 * them that has the result. */
static uint64_t *sort_keys(uint64_t *from, uint64_t *to, size_t count, int bit)
{
	uint64_t differ = 0, *other;

	for (size_t i = 1; i < count; i++)
		differ |= from[i] ^ from[0];
	for (int shift = bit; shift < 64; shift += 8) {
		if (!(differ >> shift & 0xFF))
			continue; /* all keys have the same byte here */
		sort_by_byte(from, to, count, shift);
		other = from;
		from = to;
		to = other;
	}
	return from;
}

void pk_sort_reals(double *value, size_t count)
{
	PK_FREED uint64_t *memory = NULL;
	uint64_t *sorted;

	if (count < FEW) {
		pk_sort(value, count, sizeof(*value), pk_compare_reals);
		return;
	}
	memory = pk_malloc(pk_mul(count, 2 * sizeof(*memory)));
	for (size_t i = 0; i < count; i++)
		memory[i] = pk_real_key(value[i]);
	sorted = sort_keys(memory, memory + count, count, 0);
	for (size_t i = 0; i < count; i++)
		value[i] = pk_real_of_key(sorted[i]);
}

void pk_sort_ints(int64_t *value, size_t count)
{
	pk_sort_ints_from(value, count, 0);
}

void pk_sort_ints_from(int64_t *value, size_t count, int bit)
{
	static const uint64_t sign = UINT64_C(1) << 63;
	uint64_t *key = (uint64_t *)value, *sorted;
	PK_FREED uint64_t *memory = NULL;

	if (count < FEW) {
		pk_sort(value, count, sizeof(*value), pk_compare_ints);
		return;
	}
	memory = pk_malloc(pk_mul(count, sizeof(*memory)));
	for (size_t i = 0; i < count; i++)
		key[i] ^= sign;
	sorted = sort_keys(key, memory, count, bit);
	for (size_t i = 0; i < count; i++)
		key[i] = sorted[i] ^ sign;
}

double *pk_sorted_reals(const double *value, size_t count)
{
	double *sorted = pk_malloc(pk_mul(count + 1, sizeof(*sorted)));

	if (count)
		memcpy(sorted, value, count * sizeof(*sorted));
	pk_sort_reals(sorted, count);
	return sorted;
}
