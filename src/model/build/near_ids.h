#pragma once

#include <stdint.h>

#include "model/build/id_map.h"

/* A number of the file as a key of pk_id_map, which does not allow PK_NULL: that number shares the
 * key of another one that is practically never used. */
static inline int64_t pk_id_map_key(uint64_t number)
{
	return (int64_t)(number == (uint64_t)INT64_MIN ? 0xB5AD4ECEDA1CE2A9 : number);
}

/* Rows by numbers that a file gives them, which mostly count from 1: 0 is none. Zero-initialise to
 * begin, release to end. */
struct pk_near_ids {
	uint32_t *near; /* by number */
	uint32_t alloc, count;
	uint32_t expected;    /* optional: how many there will be, if they come in any order */
	struct pk_id_map far; /* numbers that are much larger than their count */
};
/* 0: the number was never given. */
static inline uint32_t pk_near_id(const struct pk_near_ids *ids, uint64_t id)
{
	if (id < ids->alloc && ids->near[id])
		return ids->near[id];
	return ids->far.count ? pk_id_map_get(&ids->far, pk_id_map_key(id)) : 0;
}
/* The row given first stays. */
void pk_near_id_put(struct pk_near_ids *ids, uint64_t id, uint32_t row);
void pk_near_ids_clear(struct pk_near_ids *ids);
void pk_near_ids_release(struct pk_near_ids *ids);
