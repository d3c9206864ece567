/* Collectives on the GPUs of ranks: what of them is transfer, and what waiting for the slowest. */
#include <stdlib.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"

struct kernel { /* a collective of a rank */
	int64_t start, end;
	size_t place; /* in the order of lanes */
};

struct kernels {
	struct kernel *item;
	size_t count, alloc;
	int64_t *transfer; /* of each, in the order of lanes */
};

static int compare(const void *a, const void *b)
{
	const struct kernel *x = a, *y = b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

static void collect(struct kernels *k, const struct pk_work_lanes *lanes)
{
	for (uint32_t t = 0; t < lanes->count; t++) {
		const struct pk_work_lane *l = &lanes->lane[t];

		for (size_t i = 0; l->device && i < l->count; i++) {
			if (l->piece[i].class != PK_CLASS_COLLECTIVE)
				continue;
			PK_GROW(k->item, k->count + 1, k->alloc);
			k->item[k->count] =
				(struct kernel){l->piece[i].start, l->piece[i].end, k->count};
			k->count++;
		}
	}
	if (k->count)
		qsort(k->item, k->count, sizeof(*k->item), compare);
	k->transfer = pk_malloc(pk_mul(k->count + 1, sizeof(*k->transfer)));
}

/* The shortest of a collective over all ranks is what the transfer takes. */
static void find_transfer(struct kernels *ranks, size_t count)
{
	for (size_t i = 0; i < ranks[0].count; i++) {
		int64_t least = INT64_MAX;

		for (size_t r = 0; r < count; r++) {
			const struct kernel *k = &ranks[r].item[i];

			least = k->end - k->start < least ? k->end - k->start : least;
		}
		for (size_t r = 0; r < count; r++)
			ranks[r].transfer[ranks[r].item[i].place] = least;
	}
}

static void put(struct pk_work_lane *l, size_t *alloc, int64_t start, int64_t end, uint8_t class)
{
	if (end <= start)
		return;
	PK_GROW(l->piece, l->count + 1, *alloc);
	l->piece[l->count++] = (struct pk_work_piece){start, end, class};
}

/* Makes the last part of each collective transfer. */
static void split_lane(struct pk_work_lane *l, const int64_t **transfer)
{
	struct pk_work_piece *piece = l->piece;
	size_t count = l->count, alloc = 0;

	l->piece = NULL;
	l->count = 0;
	for (size_t i = 0; i < count; i++) {
		int64_t from = piece[i].end;

		if (piece[i].class == PK_CLASS_COLLECTIVE) {
			from -= *(*transfer)++;
			l->class_time[PK_CLASS_COLLECTIVE] -= piece[i].end - from;
			l->class_time[PK_CLASS_TRANSFER] += piece[i].end - from;
		}
		put(l, &alloc, piece[i].start, from, piece[i].class);
		put(l, &alloc, from, piece[i].end, PK_CLASS_TRANSFER);
	}
	l->alloc = alloc;
	free(piece);
}

void pk_workers_split_device(struct pk_workers *w, struct pk_work_lanes *lanes)
{
	size_t count = w->runs->count;
	struct kernels *ranks = pk_calloc(count, sizeof(*ranks));

	for (size_t r = 0; r < count; r++) {
		collect(&ranks[r], &lanes[r]);
		w->uneven |= ranks[r].count != ranks[0].count;
	}
	if (!w->uneven)
		find_transfer(ranks, count);
	for (size_t r = 0; r < count; r++) {
		const int64_t *transfer = ranks[r].transfer;

		for (uint32_t t = 0; !w->uneven && t < lanes[r].count; t++)
			if (lanes[r].lane[t].device)
				split_lane(&lanes[r].lane[t], &transfer);
		free(ranks[r].item);
		free(ranks[r].transfer);
	}
	free(ranks);
}
