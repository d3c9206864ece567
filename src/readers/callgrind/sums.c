/* Sums of events by place and by call, while a callgrind file is read. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "readers/callgrind/callgrind.h"

static bool is_key(const struct callgrind_key *key, uint32_t a, uint32_t b, uint32_t c)
{
	return key->id[0] == a && key->id[1] == b && key->id[2] == c;
}

/* The slot of the row, or the empty one where it belongs. */
static uint32_t *find_slot(const struct callgrind_sums *sums, const struct callgrind_table *t,
			   uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t i = (uint32_t)pk_hash_u64((uint64_t)b << 32 | c);

	for (i &= t->mask; t->slot[i]; i = (i + 1) & t->mask)
		if (is_key(&sums->key[t->slot[i] - 1], a, b, c))
			break;
	return &t->slot[i];
}

static void grow_table(const struct callgrind_sums *sums, struct callgrind_table *t)
{
	enum { FIRST_SIZE = 16 };
	struct callgrind_table old = *t;
	uint32_t size = old.slot ? (old.mask + 1) * 2 : FIRST_SIZE;

	t->slot = pk_alloc_table(size, sizeof(*t->slot));
	t->mask = size - 1;
	for (uint32_t i = 0; old.slot && i <= old.mask; i++) {
		const uint32_t *id = old.slot[i] ? sums->key[old.slot[i] - 1].id : NULL;

		if (id)
			*find_slot(sums, t, id[0], id[1], id[2]) = old.slot[i];
	}
	free(old.slot);
}

uint32_t callgrind_row(struct callgrind_sums *sums, uint32_t a, uint32_t b, uint32_t c)
{
	struct callgrind_table *t;
	uint32_t *slot;

	if (sums->count && is_key(&sums->key[sums->last], a, b, c))
		return sums->last;
	PK_GROW_ZERO(sums->table, (size_t)a + 1, sums->table_alloc);
	t = &sums->table[a];
	if (!t->slot || t->used > t->mask / 4 * 3)
		grow_table(sums, t);
	slot = find_slot(sums, t, a, b, c);
	if (*slot)
		return sums->last = *slot - 1;
	*slot = sums->count + 1;
	t->used++;
	sums->last = sums->count;
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
	for (size_t i = 0; i < sums->table_alloc; i++)
		free(sums->table[i].slot);
	free(sums->table);
	free(sums->key);
	free(sums->calls);
	free(sums->value);
}
