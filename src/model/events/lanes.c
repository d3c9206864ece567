#include "model/events/lanes.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

static bool is_before(const struct pk_lanes *l, uint32_t a, uint32_t b)
{
	int64_t x = l->free_at[a], y = l->free_at[b];

	return x != y ? x < y : a < b;
}

static void sink(struct pk_lanes *l, uint32_t i)
{
	uint32_t lane = l->heap[i], child;

	while ((child = 2 * i + 1) < l->count) {
		if (child + 1 < l->count && is_before(l, l->heap[child + 1], l->heap[child]))
			child++;
		if (!is_before(l, l->heap[child], lane))
			break;
		l->heap[i] = l->heap[child];
		i = child;
	}
	l->heap[i] = lane;
}

static void rise(struct pk_lanes *l, uint32_t i)
{
	uint32_t lane = l->heap[i];

	for (; i && is_before(l, lane, l->heap[(i - 1) / 2]); i = (i - 1) / 2)
		l->heap[i] = l->heap[(i - 1) / 2];
	l->heap[i] = lane;
}

uint32_t pk_lanes_take(struct pk_lanes *l, int64_t begin, int64_t end)
{
	uint32_t lane;

	if (l->count && l->free_at[l->heap[0]] <= begin) {
		lane = l->heap[0];
		l->free_at[lane] = end;
		sink(l, 0);
		return lane;
	}
	lane = l->count++;
	PK_GROW(l->free_at, l->count, l->free_alloc);
	PK_GROW(l->heap, l->count, l->heap_alloc);
	l->free_at[lane] = end;
	l->heap[lane] = lane;
	rise(l, lane);
	return lane;
}

void pk_lanes_clear(struct pk_lanes *l)
{
	l->count = 0;
}

void pk_lanes_release(struct pk_lanes *l)
{
	free(l->free_at);
	free(l->heap);
}
