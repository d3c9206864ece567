/* Sums of events by place and by call, while a callgrind file is read. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/callgrind/callgrind.h"

static bool is_key(const struct callgrind_key *key, uint32_t a, uint32_t b, uint32_t c)
{
	return key->id[0] == a && key->id[1] == b && key->id[2] == c;
}

uint32_t callgrind_row(struct callgrind_sums *sums, uint32_t a, uint32_t b, uint32_t c)
{
	struct pk_index *x = &sums->index;
	uint32_t tag, i;

	if (sums->count && is_key(&sums->key[sums->last], a, b, c))
		return sums->last;
	tag = pk_index_tag(pk_hash_pair((uint64_t)a << 32 | b, c));
	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && is_key(&sums->key[x->slot[i].id - 1], a, b, c))
			return sums->last = x->slot[i].id - 1;
	sums->last = sums->count;
	pk_index_put(x, i, tag, sums->count + 1);
	PK_GROW(sums->key, (size_t)sums->count + 1, sums->key_alloc);
	PK_GROW(sums->calls, (size_t)sums->count + 1, sums->calls_alloc);
	PK_GROW(sums->value, pk_mul((size_t)sums->count + 1, sums->events), sums->value_alloc);
	sums->key[sums->count] = (struct callgrind_key){{a, b, c}};
	sums->calls[sums->count] = PK_NULL;
	for (uint32_t e = 0; e < sums->events; e++)
		callgrind_values(sums, sums->count)[e] = PK_NULL;
	return sums->count++;
}

void callgrind_widen(struct callgrind_sums *sums, uint32_t events)
{
	int64_t *value;

	if (events == sums->events)
		return;
	sums->value_alloc = pk_mul((size_t)sums->count + 1, events);
	value = pk_malloc(pk_mul(sums->value_alloc, sizeof(*value)));
	for (size_t row = 0; row < sums->count; row++)
		for (uint32_t e = 0; e < events; e++)
			value[row * events + e] =
				e < sums->events ? callgrind_values(sums, row)[e] : PK_NULL;
	free(sums->value);
	sums->value = value;
	sums->events = events;
}

void callgrind_sums_release(struct callgrind_sums *sums)
{
	pk_index_release(&sums->index);
	free(sums->key);
	free(sums->calls);
	free(sums->value);
}
