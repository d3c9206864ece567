#include "analysis/workers/heap.h"

#include <stdlib.h>

#include "base/alloc.h"

void pk_heap_init(struct pk_heap *h, uint32_t lists)
{
	h->item = pk_malloc(pk_mul((size_t)lists + 1, sizeof(*h->item)));
	h->count = 0;
}

void pk_heap_release(struct pk_heap *h)
{
	free(h->item);
}

static int before(const struct pk_heap_item *a, const struct pk_heap_item *b)
{
	return a->time != b->time ? a->time < b->time : a->list < b->list;
}

static void swap(struct pk_heap *h, uint32_t a, uint32_t b)
{
	struct pk_heap_item item = h->item[a];

	h->item[a] = h->item[b];
	h->item[b] = item;
}

static void sink(struct pk_heap *h)
{
	uint32_t i = 0;

	for (;;) {
		uint32_t least = i, left = 2 * i + 1;

		if (left < h->count && before(&h->item[left], &h->item[least]))
			least = left;
		if (left + 1 < h->count && before(&h->item[left + 1], &h->item[least]))
			least = left + 1;
		if (least == i)
			return;
		swap(h, i, least);
		i = least;
	}
}

void pk_heap_put(struct pk_heap *h, int64_t time, uint32_t list)
{
	uint32_t i = h->count++;

	h->item[i] = (struct pk_heap_item){time, list};
	for (; i && before(&h->item[i], &h->item[(i - 1) / 2]); i = (i - 1) / 2)
		swap(h, i, (i - 1) / 2);
}

void pk_heap_next(struct pk_heap *h, int64_t time)
{
	h->item[0].time = time;
	sink(h);
}

void pk_heap_drop(struct pk_heap *h)
{
	h->item[0] = h->item[--h->count];
	sink(h);
}
