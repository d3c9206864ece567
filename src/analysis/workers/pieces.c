/*
 * Lists of pieces of time, and how they are merged: those of the threads of a worker, and those of
 * overlapping spans, which readers put on lanes that are threads of the profile.
 */
#include <stdlib.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"

void pk_work_add_piece(struct pk_work_pieces *p, int64_t start, int64_t end, unsigned class)
{
	struct pk_work_piece *last = p->count ? &p->item[p->count - 1] : NULL;

	if (end <= start)
		return;
	if (last && last->end == start && last->class == class &&
	    !(p->apart && class == PK_CLASS_COLLECTIVE)) {
		last->end = end;
		return;
	}
	PK_GROW(p->item, p->count + 1, p->alloc);
	p->item[p->count++] = (struct pk_work_piece){start, end, (uint8_t) class};
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void pk_work_merge(struct pk_work_pieces *a, struct pk_work_pieces *b, const uint8_t *rank)
{
	struct pk_work_pieces merged = {.apart = a->apart};
	int64_t now = INT64_MIN;
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		const struct pk_work_piece *x = i < a->count ? &a->item[i] : NULL;
		const struct pk_work_piece *y = k < b->count ? &b->item[k] : NULL, *first = x;
		int64_t end;

		if ((x && x->end <= now) || (y && y->end <= now)) {
			i += x && x->end <= now;
			k += y && y->end <= now;
			continue;
		}
		if (!x || !y) {
			first = x ? x : y;
			end = first->end;
		} else if (later(x->start, now) != later(y->start, now)) {
			first = x->start < y->start ? x : y;
			end = earlier(first->end, later(x->start, y->start));
		} else {
			first = rank && rank[y->class] < rank[x->class] ? y : x;
			end = rank ? earlier(x->end, y->end) : x->end;
		}
		now = later(now, first->start);
		pk_work_add_piece(&merged, now, end, first->class);
		now = end;
	}
	free(a->item);
	free(b->item);
	*a = merged;
	*b = (struct pk_work_pieces){.count = 0};
}

struct lane_key {
	uint32_t process, incarnation, thread;
	int64_t tid;
};

PK_COMPARE(compare_keys, struct lane_key,
	   PK_ORDER(a->process, b->process)
		   ?: PK_ORDER(a->tid, b->tid)
		   ?: PK_ORDER(a->incarnation, b->incarnation))

static bool is_overflow(const struct pk_profile *p, uint32_t thread)
{
	return pk_ends_with(pk_text(p, p->thread.name[thread]), "(overlapping)");
}

/* The name of a lane is the name of the thread and "(overlapping)". */
static bool is_lane_of(const struct pk_profile *p, const struct lane_key *own,
		       const struct lane_key *lane)
{
	return lane->process == own->process && lane->tid == own->tid &&
	       is_overflow(p, lane->thread) &&
	       pk_starts_with(pk_text(p, p->thread.name[lane->thread]),
			      pk_text(p, p->thread.name[own->thread]));
}

static void join_lane(struct pk_work_lane *own, struct pk_work_lane *overflow)
{
	pk_work_merge(&own->pieces, &overflow->pieces, NULL);
	pk_work_extend(&own->start, &own->end, overflow->start, overflow->end);
	own->marks |= overflow->marks;
	own->active |= overflow->active;
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
