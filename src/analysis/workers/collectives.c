/* Divides the collectives of ranks into waiting for the slowest rank and transfer. */
#include <stdlib.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

struct collective { /* of a rank */
	int64_t start, end;
	size_t place; /* its index in the order of lanes */
};

struct collectives {
	struct collective *item;
	size_t count, alloc;
	int64_t *transfer; /* for each collective, in the order of lanes */
};

PK_COMPARE(compare, struct collective, PK_ORDER(a->end, b->end) ?: PK_ORDER(a->start, b->start))

static void collect(struct collectives *k, const struct pk_work_lanes *lanes, bool device)
{
	for (uint32_t t = 0; t < lanes->count; t++) {
		const struct pk_work_lane *l = &lanes->lane[t];

		for (size_t i = 0; l->device == device && i < l->pieces.count; i++) {
			const struct pk_work_piece *piece = &l->pieces.item[i];

			if (piece->class != PK_CLASS_COLLECTIVE)
				continue;
			PK_GROW(k->item, k->count + 1, k->alloc);
			k->item[k->count] = (struct collective){piece->start, piece->end, k->count};
			k->count++;
		}
	}
	if (k->count)
		qsort(k->item, k->count, sizeof(*k->item), compare);
	k->transfer = pk_malloc(pk_mul(k->count + 1, sizeof(*k->transfer)));
}

/* The transfer of a collective is its time on the rank that waits least. */
static void find_transfer(struct collectives *of, size_t ranks)
{
	for (size_t i = 0; i < of[0].count; i++) {
		int64_t least = INT64_MAX;

		for (size_t r = 0; r < ranks; r++) {
			const struct collective *k = &of[r].item[i];

			least = k->end - k->start < least ? k->end - k->start : least;
		}
		for (size_t r = 0; r < ranks; r++)
			of[r].transfer[of[r].item[i].place] = least;
	}
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

bool pk_workers_split(struct pk_work_lanes *rank, size_t ranks, bool device)
{
	struct collectives *of;
	bool same = true;

	if (ranks < 2) /* the waiting time follows only from comparing ranks */
		return true;
	of = pk_calloc(ranks + 1, sizeof(*of));
	for (size_t r = 0; r < ranks; r++) {
		collect(&of[r], &rank[r], device);
		same &= of[r].count == of[0].count;
	}
	if (same)
		find_transfer(of, ranks);
	for (size_t r = 0; r < ranks; r++) {
		const int64_t *transfer = of[r].transfer;

		for (uint32_t t = 0; same && t < rank[r].count; t++)
			if (rank[r].lane[t].device == device)
				split_lane(&rank[r].lane[t], &transfer);
		free(of[r].item);
		free(of[r].transfer);
	}
	free(of);
	return same;
}
