#include "model/build/id_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/profile.h"

/* The slot where the id is, or is to be put. */
static uint32_t find_slot(const struct pk_id_map *map, int64_t id, uint32_t tag)
{
	uint32_t i = tag & map->index.mask;

	while (map->index.slot[i].id &&
	       (map->index.slot[i].tag != tag || map->entry[map->index.slot[i].id - 1].id != id))
		i = (i + 1) & map->index.mask;
	return i;
}

void pk_id_map_put(struct pk_id_map *map, int64_t id, uint32_t row)
{
	uint32_t tag = pk_index_tag(pk_hash_u64((uint64_t)id)), i;

	if (id == PK_NULL)
		return;
	pk_index_reserve(&map->index);
	i = find_slot(map, id, tag);
	if (!map->index.slot[i].id) {
		PK_GROW(map->entry, (size_t)map->count + 1, map->alloc);
		map->entry[map->count++].id = id;
		pk_index_put(&map->index, i, tag, map->count);
	}
	map->entry[map->index.slot[i].id - 1].row = row;
}

uint32_t pk_id_map_get(const struct pk_id_map *map, int64_t id)
{
	uint32_t i;

	if (id == PK_NULL || !map->count)
		return 0;
	i = find_slot(map, id, pk_index_tag(pk_hash_u64((uint64_t)id)));
	return map->index.slot[i].id ? map->entry[map->index.slot[i].id - 1].row : 0;
}

uint32_t pk_id_map_number(struct pk_id_map *map, int64_t id)
{
	uint32_t row = pk_id_map_get(map, id);

	if (!row)
		pk_id_map_put(map, id, row = map->count + 1);
	return row;
}

void pk_id_map_release(struct pk_id_map *map)
{
	pk_index_release(&map->index);
	free(map->entry);
	memset(map, 0, sizeof(*map));
}
