#include "readers/speedscope_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

/* SLOTS: a power of two, as RING, the bytes of text that are kept. */
enum { SLOTS = 1 << 14, RING = 1 << 21 };

struct pk_speedscope_stacks {
	struct slot {
		uint64_t at; /* where its text begins, of all bytes that were ever put in */
		uint32_t len, tag, node;
	} slot[SLOTS];
	uint64_t end;            /* likewise */
	const struct slot *last; /* the one found or put in before */
	char ring[RING];
};

struct pk_speedscope_stacks *pk_speedscope_stacks_new(void)
{
	struct pk_speedscope_stacks *s = pk_calloc(1, sizeof(*s));

	s->end = RING + 1; /* so that no slot is valid */
	s->last = s->slot;
	return s;
}

void pk_speedscope_stacks_free(struct pk_speedscope_stacks *s)
{
	free(s);
}

/* Four chains of multiplications at once; texts are compared anyway. */
static uint64_t hash_of(const char *text, size_t len)
{
	const uint64_t factor = 0x9E3779B97F4A7C15U;
	uint64_t a = len, b = 1, c = 2, d = 3;
	size_t i;

	if (len < 32)
		return pk_hash_bytes(text, len);
	for (i = 0; i < len; i += 32) {
		const char *p = text + (i + 32 < len ? i : len - 32);

		a = (a ^ pk_load64(p)) * factor;
		b = (b ^ pk_load64(p + 8)) * factor;
		c = (c ^ pk_load64(p + 16)) * factor;
		d = (d ^ pk_load64(p + 24)) * factor;
	}
	return pk_hash_mix(a ^ b >> 32, c ^ d >> 32) ^ b ^ d;
}

static bool holds(const struct pk_speedscope_stacks *s, const struct slot *slot, const char *text,
		  size_t len)
{
	return slot->len == len && s->end - slot->at <= RING &&
	       !memcmp(s->ring + slot->at % RING, text, len);
}

bool pk_speedscope_stacks_find(struct pk_speedscope_stacks *s, const char *text, size_t len,
			       uint64_t *hash, uint32_t *node)
{
	const struct slot *slot = s->last;

	if (!holds(s, slot, text, len)) {
		*hash = hash_of(text, len);
		slot = &s->slot[*hash % SLOTS];
		if (slot->tag != (uint32_t)(*hash >> 32) || !holds(s, slot, text, len))
			return false;
		s->last = slot;
	}
	*node = slot->node;
	return true;
}

void pk_speedscope_stacks_add(struct pk_speedscope_stacks *s, const char *text, size_t len,
			      uint64_t hash, uint32_t node)
{
	struct slot *slot = &s->slot[hash % SLOTS];

	if (len > RING / 2)
		return;
	if (s->end % RING + len > RING) /* texts are in one piece */
		s->end += RING - s->end % RING;
	memcpy(s->ring + s->end % RING, text, len);
	*slot = (struct slot){s->end, (uint32_t)len, (uint32_t)(hash >> 32), node};
	s->end += len;
	s->last = slot;
}
