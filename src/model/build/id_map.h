#pragma once

#include <stdint.h>

#include "base/num/hash.h"

/* Rows by an id that a file gave them. Zero-initialise to begin, release to end. */
struct pk_id_map {
	struct pk_index index; /* of entries, from 1 */
	struct pk_id_entry {
		int64_t id;
		uint32_t row;
	} * entry;
	uint32_t count, alloc;
};

/* The row put last for an id stays. PK_NULL is no id. */
void pk_id_map_put(struct pk_id_map *map, int64_t id, uint32_t row);
/* 0 if there is none. */
uint32_t pk_id_map_get(const struct pk_id_map *map, int64_t id);
/* The row that was put for the id. An id without one gets the next number: 1, 2, 3, in the order of
 * the calls. Not for maps to which pk_id_map_put is applied. */
uint32_t pk_id_map_number(struct pk_id_map *map, int64_t id);
/* The map is empty afterwards, and can be used again. */
void pk_id_map_release(struct pk_id_map *map);
