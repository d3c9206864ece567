/*
 * Ranges of addresses (mmap) that can be freed in parts (munmap), for heap.c.
 *
 *	add 0-9 of path 1; remove 4-5        0-3 and 6-9 of path 1 are left
 */
#include "readers/ranges.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/hash.h"

struct removal {
	void (*cut)(void *data, uint32_t path, uint64_t bytes, int count);
	void *data;
	uint64_t to;
	uint32_t rest; /* the range that goes on behind `to` */
	bool any;
};

static uint64_t end_of(uint64_t from, uint64_t size)
{
	return size < UINT64_MAX - from ? from + size : UINT64_MAX;
}

/* Splits into the ranges that begin before `at`, and the others. */
static void split(struct pk_ranges *r, uint32_t n, uint64_t at, uint32_t *below, uint32_t *above)
{
	if (!n) {
		*below = *above = 0;
	} else if (r->item[n].from < at) {
		split(r, r->item[n].right, at, &r->item[n].right, above);
		*below = n;
	} else {
		split(r, r->item[n].left, at, below, &r->item[n].left);
		*above = n;
	}
}

static uint32_t join(struct pk_ranges *r, uint32_t below, uint32_t above)
{
	if (!below || !above)
		return below | above;
	if (r->item[below].priority > r->item[above].priority) {
		r->item[below].right = join(r, r->item[below].right, above);
		return below;
	}
	r->item[above].left = join(r, below, r->item[above].left);
	return above;
}

static uint32_t new_range(struct pk_ranges *r, uint64_t from, uint64_t to, uint32_t path)
{
	uint32_t n = r->unused;

	if (n) {
		r->unused = r->item[n].left;
	} else {
		PK_GROW(r->item, r->count + 2, r->alloc);
		n = ++r->count;
	}
	r->item[n] = (struct pk_range){
		from, to, path, 0, 0, (uint32_t)pk_hash_pair(from, (uint64_t)n << 32 | path)};
	return n;
}

static void insert(struct pk_ranges *r, uint64_t from, uint64_t to, uint32_t path)
{
	uint32_t n = new_range(r, from, to, path), below, above;

	split(r, r->root, from, &below, &above);
	r->root = join(r, join(r, below, n), above);
}

void pk_ranges_add(struct pk_ranges *r, uint64_t from, uint64_t size, uint32_t path)
{
	if (size)
		insert(r, from, end_of(from, size), path);
}

static void remove_all(struct pk_ranges *r, uint32_t n, struct removal *x)
{
	struct pk_range *item = &r->item[n];
	uint32_t right = item->right;

	if (!n)
		return;
	remove_all(r, item->left, x);
	x->any = true;
	if (item->to > x->to) {
		x->cut(x->data, item->path, x->to - item->from, 0);
		item->from = x->to;
		item->left = item->right = 0;
		x->rest = n;
	} else {
		x->cut(x->data, item->path, item->to - item->from, -1);
		item->left = r->unused;
		r->unused = n;
	}
	remove_all(r, right, x);
}

bool pk_ranges_remove(struct pk_ranges *r, uint64_t from, uint64_t size,
		      void (*cut)(void *data, uint32_t path, uint64_t bytes, int count), void *data)
{
	struct removal x = {.cut = cut, .data = data, .to = end_of(from, size)};
	uint32_t below, in, above, last;

	if (!r->root || !size)
		return false;
	split(r, r->root, from, &below, &above);
	split(r, above, x.to, &in, &above);
	for (last = below; last && r->item[last].right; last = r->item[last].right)
		;
	remove_all(r, in, &x);
	r->root = join(r, below, join(r, x.rest, above));
	if (last && r->item[last].to > from) {
		uint64_t end = r->item[last].to;
		uint32_t path = r->item[last].path;

		r->item[last].to = from;
		x.any = true;
		cut(data, path, (end < x.to ? end : x.to) - from, end > x.to);
		if (end > x.to)
			insert(r, x.to, end, path);
	}
	return x.any;
}

static void visit_all(const struct pk_ranges *r, uint32_t n,
		      void (*visit)(void *data, uint32_t path, uint64_t bytes), void *data)
{
	if (!n)
		return;
	visit_all(r, r->item[n].left, visit, data);
	visit(data, r->item[n].path, r->item[n].to - r->item[n].from);
	visit_all(r, r->item[n].right, visit, data);
}

void pk_ranges_each(const struct pk_ranges *r,
		    void (*visit)(void *data, uint32_t path, uint64_t bytes), void *data)
{
	visit_all(r, r->root, visit, data);
}

void pk_ranges_release(struct pk_ranges *r)
{
	free(r->item);
}
