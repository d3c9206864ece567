/* Spans of a thread that overlap are on a lane of their own, which is a thread of the profile: it
 * is the same worker all the same. */
#include <stdlib.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/text/str.h"

struct lane_key {
	uint32_t process, incarnation, thread;
	int64_t tid;
};

static int compare_keys(const void *a, const void *b)
{
	const struct lane_key *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->incarnation < y->incarnation ? -1 : x->incarnation > y->incarnation;
}

static bool is_overflow(const struct pk_profile *p, uint32_t thread)
{
	return pk_ends_with(pk_text(p, p->thread.name[thread]), "(overlapping)");
}

/* Lanes have the thread's name, and what they are. */
static bool is_lane_of(const struct pk_profile *p, const struct lane_key *own,
		       const struct lane_key *lane)
{
	return lane->process == own->process && lane->tid == own->tid &&
	       is_overflow(p, lane->thread) &&
	       pk_starts_with(pk_text(p, p->thread.name[lane->thread]),
			      pk_text(p, p->thread.name[own->thread]));
}

/* Adds a piece of the overflow lane where the thread's own lane, from piece *i on, has none. */
static void fill_gaps(struct pk_work_pieces *joined, const struct pk_work_pieces *own, size_t *i,
		      const struct pk_work_piece *piece)
{
	int64_t at = piece->start;

	while (at < piece->end) {
		int64_t end = piece->end;

		for (; *i < own->count && own->item[*i].end <= at; ++*i)
			pk_work_add_piece(joined, own->item[*i].start, own->item[*i].end,
					  own->item[*i].class);
		if (*i < own->count && own->item[*i].start <= at) {
			at = own->item[*i].end;
			continue;
		}
		if (*i < own->count && own->item[*i].start < end)
			end = own->item[*i].start;
		pk_work_add_piece(joined, at, end, piece->class);
		at = end;
	}
}

static void join_lane(struct pk_work_lane *own, struct pk_work_lane *overflow)
{
	struct pk_work_pieces joined = {.apart = own->pieces.apart};
	size_t i = 0;

	for (size_t k = 0; k < overflow->pieces.count; k++)
		fill_gaps(&joined, &own->pieces, &i, &overflow->pieces.item[k]);
	for (; i < own->pieces.count; i++)
		pk_work_add_piece(&joined, own->pieces.item[i].start, own->pieces.item[i].end,
				  own->pieces.item[i].class);
	if (overflow->start != PK_NULL && (own->start == PK_NULL || overflow->start < own->start))
		own->start = overflow->start;
	if (overflow->end != PK_NULL && (own->end == PK_NULL || overflow->end > own->end))
		own->end = overflow->end;
	own->marks |= overflow->marks;
	own->active |= overflow->active;
	free(own->pieces.item);
	free(overflow->pieces.item);
	own->pieces = joined;
	*overflow = (struct pk_work_lane){.start = PK_NULL, .end = PK_NULL, .samples = PK_NULL};
}

void pk_work_lanes_join(struct pk_work_lanes *l, const struct pk_profile *p)
{
	struct lane_key *key;
	uint32_t first = 0, overflows = 0;

	for (uint32_t t = 1; t < l->count; t++)
		overflows += is_overflow(p, t);
	if (!overflows)
		return;
	key = pk_malloc(pk_mul(l->count, sizeof(*key)));
	for (uint32_t t = 0; t < l->count; t++)
		key[t] = (struct lane_key){.process = p->thread.process[t],
					   .incarnation = p->thread.incarnation[t],
					   .thread = t,
					   .tid = p->thread.tid[t]};
	qsort(key + 1, l->count - 1, sizeof(*key), compare_keys);
	for (uint32_t i = 1; i < l->count; i++) {
		if (first && is_lane_of(p, &key[first], &key[i]))
			join_lane(&l->lane[key[first].thread], &l->lane[key[i].thread]);
		else
			first = i;
	}
	free(key);
}
