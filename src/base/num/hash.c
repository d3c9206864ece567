#include "base/num/hash.h"

#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

struct pk_hash_seed pk_hash_seed = PK_HASH_FIXED;

__attribute__((constructor)) static void choose_seed(void)
{
	const char *forced = getenv("PROFKIT_HASH_SEED");
	uint64_t random[3] = {0, 0, 0};
	struct timespec now;

	if (forced) {
		for (int i = 0; i < 3; i++)
			random[i] = strtoull(forced, NULL, 10) * 0x9E3779B97F4A7C15U << i;
	} else if (getentropy(random, sizeof(random)) != 0) {
		clock_gettime(CLOCK_REALTIME, &now); /* a fallback that is at least not constant */
		random[0] = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid();
		random[1] = random[0] * 0x9E3779B97F4A7C15U;
		random[2] = random[1] * 0x9E3779B97F4A7C15U;
	}
	pk_hash_seed.a ^= random[0];
	pk_hash_seed.b ^= random[1];
	pk_hash_seed.c ^= random[2];
}

/* The place of an id follows from its tag (tag & mask), so that it can be found again when the
 * table grows. */
static void grow(struct pk_index *index)
{
	uint32_t size = index->slot ? (index->mask + 1) * 2 : 1024;
	PK_FREED struct pk_index_slot *old = index->slot;
	uint32_t old_size = old ? index->mask + 1 : 0, i, at;

	if (!size)
		pk_die("more than 2^32 different things in one table");
	index->slot = pk_alloc_table(size, sizeof(*index->slot));
	index->mask = size - 1;
	for (i = 0; i < old_size; i++) {
		if (!old[i].id)
			continue;
		at = old[i].tag & index->mask;
		while (index->slot[at].id)
			at = (at + 1) & index->mask;
		index->slot[at] = old[i];
	}
}

void pk_index_reserve(struct pk_index *index)
{
	if (!index->slot || (uint64_t)index->used * 4 >= (uint64_t)(index->mask + 1) * 3)
		grow(index);
}

void pk_index_release(struct pk_index *index)
{
	free(index->slot);
	memset(index, 0, sizeof(*index));
}
