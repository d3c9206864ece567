/*
 * Rows by the numbers that a sequence of packets gives them. Numbers count from 1 as a rule: these
 * are an array, which is never much longer than there are numbers; others are hashed.
 *
 *	event_names { iid: 1, name: "read" }
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/perfetto/internal.h"

enum { ALWAYS_NEAR = 16 };

void pk_perfetto_id_put(struct pk_perfetto_ids *ids, uint64_t iid, uint32_t row)
{
	if (!iid || !row || pk_perfetto_id(ids, iid))
		return;
	ids->count++;
	if (iid >= 2 * (uint64_t)ids->count + ALWAYS_NEAR) {
		pk_id_map_put(&ids->far, pk_perfetto_key(iid), row);
		return;
	}
	PK_GROW_ZERO(ids->near, iid + 1, ids->alloc);
	ids->near[iid] = row;
}

void pk_perfetto_ids_release(struct pk_perfetto_ids *ids)
{
	free(ids->near);
	pk_id_map_release(&ids->far);
	*ids = (struct pk_perfetto_ids){0};
}

void pk_perfetto_ids_clear(struct pk_perfetto_ids *ids)
{
	if (!ids->count)
		return;
	/* what is emptied was filled since the last time, or it would take quadratic time */
	if (ids->far.count || ids->alloc / 4 > ids->count + ALWAYS_NEAR)
		pk_perfetto_ids_release(ids);
	else
		memset(ids->near, 0, ids->alloc * sizeof(*ids->near));
	ids->count = 0;
}
