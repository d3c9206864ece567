#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Hashes for tables in memory. They differ from run to run, so that a crafted file cannot
 * choose names that share a slot and make tables slow. Therefore output must not depend on a
 * hash or on an order by hashes; use pk_hash_fixed for hashes that must be the same
 * everywhere.
 */
struct pk_hash_seed {
	uint64_t a, b, c;
};

/* Set before main from the system's random numbers. The environment variable PROFKIT_HASH_SEED, a
 * number, sets it for tests; 0 gives the hashes of pk_hash_fixed. */
extern struct pk_hash_seed pk_hash_seed;

#define PK_HASH_FIXED \
	((struct pk_hash_seed){0x2545F4914F6CDD1DU, 0xA0761D6478BD642FU, 0x8EBC6AF09C88C6E3U})

static inline uint64_t pk_hash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t pk_hash_u64(uint64_t a)
{
	return pk_hash_mix(a ^ pk_hash_seed.a, 0xD6E8FEB86659FD93U);
}

/* Hashes two values. Sums or exclusive ors of them could be made equal on purpose. */
static inline uint64_t pk_hash_pair(uint64_t a, uint64_t b)
{
	return pk_hash_u64(pk_hash_u64(a) ^ b);
}

static inline uint64_t pk_load64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return v;
}

static inline uint32_t pk_load32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return v;
}

static inline uint64_t pk_hash_seeded(const void *data, size_t len, struct pk_hash_seed seed)
{
	const uint8_t *p = data;
	uint64_t h = seed.a ^ len, a = 0, b = 0;

	if (len >= 8) {
		size_t rest = len;

		for (; rest > 16; rest -= 16, p += 16)
			h = pk_hash_mix(pk_load64(p) ^ seed.b, pk_load64(p + 8) ^ h);
		if (rest > 8) {
			a = pk_load64(p);
			b = pk_load64(p + rest - 8);
		} else {
			a = pk_load64(p + rest - 8); /* may overlap bytes that were hashed already,
							which does no harm */
		}
	} else if (len >= 4) {
		a = pk_load32(p);
		b = pk_load32(p + len - 4);
	} else if (len) {
		a = (uint64_t)p[0] << 16 | (uint64_t)p[len >> 1] << 8 | p[len - 1];
	}
	return pk_hash_mix(a ^ 0xE7037ED1A0B428DBU ^ h, b ^ seed.c);
}

static inline uint64_t pk_hash_bytes(const void *data, size_t len)
{
	return pk_hash_seeded(data, len, pk_hash_seed);
}

/* The same on every machine and in every version, for hashes that are shown or kept. */
static inline uint64_t pk_hash_fixed(const void *data, size_t len)
{
	return pk_hash_seeded(data, len, PK_HASH_FIXED);
}

/*
 * An open-addressing index from hashes to ids of rows kept elsewhere; 0 = empty. A slot holds
 * the id and 32 bits of its hash, so that a lookup rarely reads the row and growing never
 * hashes it again.
 */
struct pk_index_slot {
	uint32_t id, tag;
};

struct pk_index {
	struct pk_index_slot *slot;
	uint32_t mask, used; /* slots - 1; taken slots */
};

/* Makes room for one more id. Call it before looking up an id to insert. */
void pk_index_reserve(struct pk_index *index);
static inline uint32_t pk_index_tag(uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32);
}

/* Puts id at slot i, which the caller found empty. */
static inline void pk_index_put(struct pk_index *index, uint32_t i, uint32_t tag, uint32_t id)
{
	index->slot[i].id = id;
	index->slot[i].tag = tag;
	index->used++;
}
void pk_index_release(struct pk_index *index);
/* The id with this hash for which `equal` holds, or 0; `row` and `equal` are as below. */
#define PK_INDEX_GET(index, hash, row, equal)                                               \
	({                                                                                  \
		const struct pk_index *index_ = (index);                                    \
		uint32_t tag_ = pk_index_tag(hash), at_ = tag_, row = 0;                    \
                                                                                            \
		while (index_->slot && (row = index_->slot[at_ &= index_->mask].id) != 0 && \
		       !(index_->slot[at_].tag == tag_ && (equal)))                         \
			at_++;                                                              \
		row;                                                                        \
	})
/*
 * A pointer to the id with this hash for which `equal` holds; if there is none, to 0 in a new
 * slot, which must be set. Valid until the next call.
 *
 *	uint32_t *known = PK_INDEX_FIND(&t->index, pk_hash_u64(key), id, t->item[id].key == key);
 *
 *	if (!*known)
 *		*known = add_row(t, key);
 *	return *known;
 */
#define PK_INDEX_FIND(index, hash, row, equal)                         \
	({                                                             \
		struct pk_index *index_ = (index);                     \
		uint32_t tag_ = pk_index_tag(hash), at_ = tag_, row;   \
                                                                       \
		pk_index_reserve(index_);                              \
		while ((row = index_->slot[at_ &= index_->mask].id) && \
		       !(index_->slot[at_].tag == tag_ && (equal)))    \
			at_++;                                         \
		if (!row)                                              \
			pk_index_put(index_, at_, tag_, 0);            \
		&index_->slot[at_].id;                                 \
	})
