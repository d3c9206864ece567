/* Changes of live memory over time, for heap.c: one for each path and step of time. */
#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/heap/internal.h"

#define MOST_STEPS ((size_t)1 << 21)
/* Steps of less than a millisecond become longer when they have this number, so that what is short
 * is known finely. */
enum { MILLISECOND = 1000000, MOST_SHORT_STEPS = 10000 };

PK_COMPARE(by_step, struct step, PK_ORDER(a->step, b->step) ?: PK_ORDER(a->path, b->path))

void heap_join_steps(struct pk_heap *heap)
{
	size_t kept = 0;

	pk_sort(heap->step, heap->steps, sizeof(*heap->step), by_step);
	for (size_t i = 0; i < heap->steps; i++) {
		struct step *last = kept ? &heap->step[kept - 1] : NULL;

		if (last && last->step == heap->step[i].step && last->path == heap->step[i].path)
			last->change += heap->step[i].change;
		else
			heap->step[kept++] = heap->step[i];
	}
	heap->steps = kept;
}

/* Each step is a part of one longer step: the widths are 1 ns, 10 ns, ... 1 ms, 2 ms, ... */
static void lengthen_steps(struct pk_heap *heap)
{
	uint32_t times = heap->step_width < MILLISECOND ? 10 : 2;

	heap->step_width *= times;
	for (size_t i = 0; i < heap->steps; i++)
		heap->step[i].step /= times;
}

/* Makes steps longer until the changes take half of what they may. */
static void bound_steps(struct pk_heap *heap)
{
	heap_join_steps(heap);
	while (heap->steps > MOST_STEPS / 2 && heap->step[heap->steps - 1].step) {
		lengthen_steps(heap);
		heap_join_steps(heap);
	}
	heap->step_limit = heap->steps * 2 > MOST_STEPS ? heap->steps * 2 : MOST_STEPS;
}

void heap_add_step(struct pk_heap *heap, uint32_t path, int64_t change)
{
	int64_t now = heap->now > 0 ? heap->now : 0, step;

	if (heap->steps >= MOST_STEPS && heap->steps >= heap->step_limit)
		bound_steps(heap);
	while (heap->step_width < MILLISECOND && now / heap->step_width >= MOST_SHORT_STEPS)
		lengthen_steps(heap);
	step = now / heap->step_width;
	PK_GROW(heap->step, heap->steps + 1, heap->step_alloc);
	heap->step[heap->steps++] = (struct step){step < UINT32_MAX ? (uint32_t)step : UINT32_MAX,
						  path, (uint64_t)change};
}
