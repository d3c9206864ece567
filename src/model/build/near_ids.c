/*
 * Rows by the numbers that a file gives them. Numbers count from 1 as a rule: these are an array,
 * which is never much longer than there are numbers; others are hashed.
 *
 *	event_names { iid: 1, name: "read" }          a packet of Perfetto
 */
#include "model/build/near_ids.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { ALWAYS_NEAR = 16 };

void pk_near_id_put(struct pk_near_ids *ids, uint64_t id, uint32_t row)
{
	uint32_t many;

	if (!id || !row || pk_near_id(ids, id))
		return;
	ids->count++;
	many = ids->count > ids->expected ? ids->count : ids->expected;
	if (id >= 2 * (uint64_t)many + ALWAYS_NEAR) {
		pk_id_map_put(&ids->far, pk_id_map_key(id), row);
		return;
	}
	PK_GROW_ZERO(ids->near, id + 1, ids->alloc);
	ids->near[id] = row;
}

void pk_near_ids_release(struct pk_near_ids *ids)
{
	free(ids->near);
	pk_id_map_release(&ids->far);
	*ids = (struct pk_near_ids){0};
}

void pk_near_ids_clear(struct pk_near_ids *ids)
{
	if (!ids->count)
		return;
	/* clears no more memory than was filled since the last time: otherwise this would be
	 * quadratic */
	if (ids->far.count || ids->alloc / 4 > ids->count + ALWAYS_NEAR)
		pk_near_ids_release(ids);
	else
		memset(ids->near, 0, ids->alloc * sizeof(*ids->near));
	ids->count = 0;
}
