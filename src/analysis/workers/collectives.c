/* Divides the collectives of ranks into waiting for the slowest rank and transfer. */
#include <stdlib.h>

#include "analysis/collectives.h"
#include "analysis/workers/internal.h"
#include "base/alloc.h"

static void collect(struct pk_collectives *k, const struct pk_work_lanes *lanes, uint32_t rank,
		    bool device)
{
	size_t before = k->count;

	for (uint32_t t = 0; t < lanes->count; t++) {
		const struct pk_work_lane *l = &lanes->lane[t];

		for (size_t i = 0; l->device == device && i < l->pieces.count; i++) {
			const struct pk_work_piece *piece = &l->pieces.item[i];

			if (piece->class == PK_CLASS_COLLECTIVE)
				pk_add_collective(k, rank, piece->start, piece->end);
		}
	}
	pk_place_collectives(k, before);
}

/* The transfer of each collective, by row: its time on the rank that waits least. If no other rank
 * is known to take part, all of it is waiting. The caller frees it. */
static int64_t *find_transfer(const struct pk_collectives *k)
{
	int64_t *transfer = pk_calloc(k->count + 1, sizeof(*transfer));

	for (size_t i = 0, end; i < k->count; i = end) {
		int64_t least = INT64_MAX;

		for (end = i; end < k->count && k->item[end].set == k->item[i].set; end++) {
			int64_t time = k->item[end].end - k->item[end].start;

			least = time < least ? time : least;
		}
		for (size_t m = i; m < end; m++)
			transfer[k->item[m].row] = k->item[m].set ? least : 0;
	}
	return transfer;
}

/* Makes the last part of each collective transfer. */
static void split_lane(struct pk_work_lane *l, const int64_t **transfer)
{
	struct pk_work_pieces split = {.apart = l->pieces.apart};

	for (size_t i = 0; i < l->pieces.count; i++) {
		const struct pk_work_piece *piece = &l->pieces.item[i];
		int64_t from = piece->end;

		if (piece->class == PK_CLASS_COLLECTIVE) {
			from -= *(*transfer)++;
			l->class_time[PK_CLASS_COLLECTIVE] -= piece->end - from;
			l->class_time[PK_CLASS_TRANSFER] += piece->end - from;
		}
		pk_work_add_piece(&split, piece->start, from, piece->class);
		pk_work_add_piece(&split, from, piece->end, PK_CLASS_TRANSFER);
	}
	free(l->pieces.item);
	l->pieces = split;
}

uint32_t pk_workers_split(struct pk_work_lanes *rank, uint32_t ranks, bool device)
{
	PK_FREED int64_t *shift = pk_calloc((size_t)ranks + 1, sizeof(*shift));
	struct pk_clocks clocks = {.traces = ranks, .shift = shift};
	struct pk_collectives k = {.count = 0};
	int64_t *transfer;
	const int64_t *next;
	uint32_t alone = 0;

	if (ranks < 2) /* the waiting time follows only from comparing ranks */
		return 0;
	for (uint32_t r = 0; r < ranks; r++)
		collect(&k, &rank[r], r, device);
	pk_join_collectives(&clocks, k.item, (uint32_t)k.count);
	for (size_t i = 0; i < k.count; i++)
		alone += !k.item[i].set;
	next = transfer = find_transfer(&k);
	for (uint32_t r = 0; r < ranks; r++)
		for (uint32_t t = 0; t < rank[r].count; t++)
			if (rank[r].lane[t].device == device)
				split_lane(&rank[r].lane[t], &next);
	free(transfer);
	free(k.item);
	return alone;
}
