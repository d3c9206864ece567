/* What a heap pushes when a file ends: costs of call paths, samples of live memory, sizes. */
#include <math.h>

#include "base/num/units.h"
#include "base/text/str.h"
#include "readers/heap/internal.h"

#define SIZE_CLASSES 10

void pk_heap_metrics(struct pk_builder *b, unsigned which, struct pk_heap_metrics *m)
{
	static const struct {
		const char *bytes, *count;
		enum pk_aggregate aggregate;
	} names[PK_HEAP_METRICS] = {
		[PK_HEAP_PEAK] = {"peak", "peak_allocations", PK_AGGREGATE_LAST},
		[PK_HEAP_LEAKED] = {"leaked", "leaked_allocations", PK_AGGREGATE_LAST},
		[PK_HEAP_ALLOCATED] = {"allocated", "allocations", PK_AGGREGATE_SUM},
		[PK_HEAP_TEMPORARY] = {"temporary", "temporary_allocations", PK_AGGREGATE_SUM},
	};

	for (int i = 0; i < PK_HEAP_METRICS; i++) {
		if (!(which & 1U << i))
			continue;
		m->bytes[i] =
			pk_build_metric(b, names[i].bytes, "bytes", 0, PK_METRIC_BYTES, PK_EXACT);
		pk_build_set(b, metric, aggregate, m->bytes[i], names[i].aggregate);
		if (which & PK_HEAP_UNCOUNTED)
			continue;
		m->count[i] =
			pk_build_metric(b, names[i].count, "count", 0, PK_METRIC_COUNT, PK_EXACT);
		pk_build_set(b, metric, counts, m->bytes[i], m->count[i]);
		pk_build_set(b, metric, aggregate, m->count[i], names[i].aggregate);
	}
}

static void push(const struct pk_heap *heap, struct pk_cost *cost, uint32_t metric, uint64_t value)
{
	cost->metric = metric;
	cost->self = value < INT64_MAX ? (int64_t)value : INT64_MAX;
	if (metric && value)
		pk_build_cost_of(heap->b, cost);
}

static void push_both(const struct pk_heap *heap, const struct pk_heap_metrics *m,
		      enum pk_heap_metric metric, struct pk_cost *cost, uint64_t bytes,
		      uint64_t count)
{
	push(heap, cost, m->bytes[metric], bytes);
	push(heap, cost, m->count[metric], count);
}

static uint64_t carried(const struct pk_heap *heap, size_t path, bool temporary)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < heap->carries; i++)
		if (heap->carry[i].path == path && heap->carry[i].temporary == temporary)
			sum += (uint64_t)1 << 32;
	return sum;
}

static void push_path(struct pk_heap *heap, const struct pk_heap_metrics *m, size_t i)
{
	const struct path *p = &heap->path[i];
	const struct owner *o = &heap->owner[p->owner];
	struct kept leaked = {p->live, p->live_count};
	struct pk_cost cost = {
		.thread = o->thread, .node = p->node, .labels = o->labels, .calls = PK_NULL};

	if (heap->kept)
		leaked = i < heap->kepts ? heap->kept[i] : (struct kept){0, 0};
	push_both(heap, m, PK_HEAP_PEAK, &cost, p->peak, p->peak_count);
	push_both(heap, m, PK_HEAP_LEAKED, &cost, leaked.bytes, leaked.count);
	push_both(heap, m, PK_HEAP_ALLOCATED, &cost, p->allocated,
		  p->allocations + carried(heap, i, false));
	push_both(heap, m, PK_HEAP_TEMPORARY, &cost, p->temporary,
		  p->temporary_allocations + carried(heap, i, true));
}

static void push_samples(struct pk_heap *heap, uint32_t metric)
{
	heap_join_steps(heap);
	for (size_t i = 0; i < heap->steps; i++) {
		const struct step *s = &heap->step[i];
		const struct path *p = &heap->path[s->path];

		if (s->change)
			pk_build_sample(heap->b, s->step * heap->step_width,
					heap->owner[p->owner].thread, p->node, metric,
					(int64_t)s->change);
	}
}

/* Which of the ten classes of memray's histogram a size is in. Python divides floats by fmod, so a
 * size at a limit may be in the class below it. */
static int size_class(uint64_t size, double low, double step)
{
	double above = size && step > 0 ? log((double)size) - low : 0;
	int i = above > 0 ? (int)round((above - fmod(above, step)) / step) : 0;

	return i < SIZE_CLASSES ? i : SIZE_CLASSES - 1;
}

static void smallest_and_largest(const struct pk_heap *heap, uint64_t *first, uint64_t *above_0,
				 uint64_t *last)
{
	*first = *above_0 = UINT64_MAX;
	*last = 0;
	for (uint64_t i = 0; i < SMALL_SIZES + heap->sizes; i++) {
		uint64_t size = i < SMALL_SIZES ? i : heap->size[i - SMALL_SIZES].size;

		if (i < SMALL_SIZES && !heap->small[i])
			continue;
		*first = size < *first ? size : *first;
		*above_0 = size && size < *above_0 ? size : *above_0;
		*last = size > *last ? size : *last;
	}
}

/* Says in meta how many allocations of which sizes there were: "16 to 900: 3 <55, ..., 2 <=900". */
static void push_sizes(struct pk_heap *heap, const char *of)
{
	uint64_t first, above_0, last, count[SIZE_CLASSES] = {0};
	PK_BUF_AUTO text = PK_BUF_INIT, key = PK_BUF_INIT;
	double low, high, step;

	smallest_and_largest(heap, &first, &above_0, &last);
	if (!last)
		return;
	low = log((double)above_0);
	high = log((double)last);
	if (low == high)
		low /= 2;
	step = (high - low) / SIZE_CLASSES;
	for (uint64_t i = 0; i < SMALL_SIZES; i++)
		count[size_class(i, low, step)] += heap->small[i];
	for (size_t i = 0; i < heap->sizes; i++)
		count[size_class(heap->size[i].size, low, step)] += heap->size[i].count;
	pk_buf_addf(&text, "%llu to %llu:", (unsigned long long)first, (unsigned long long)last);
	for (int i = 0; i < SIZE_CLASSES; i++) {
		uint64_t limit = (uint64_t)exp(low + step * (i + 1));

		pk_buf_addf(&text, "%s %llu <%s%llu", i ? "," : "", (unsigned long long)count[i],
			    i < SIZE_CLASSES - 1 ? "" : "=", (unsigned long long)limit);
	}
	pk_buf_addf(&key, "allocation sizes%s%s", of ? " of " : "", of ? of : "");
	pk_build_meta(heap->b, key.data, text.data);
}

void pk_heap_note_time(struct pk_builder *b, const char *key, int64_t time)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_format_decimal(&text, time, 9);
	pk_buf_adds(&text, " s");
	pk_build_meta(b, key, text.data);
}

void pk_heap_finish(struct pk_heap *heap, bool state, const char *of)
{
	struct pk_heap_metrics m = {{0}, {0}};

	pk_heap_metrics(heap->b, state ? 1U << PK_HEAP_LEAKED : (1U << PK_HEAP_METRICS) - 1, &m);
	heap_note_peak(heap);
	for (size_t i = 1; i < heap->paths; i++) {
		heap_catch_up(heap, &heap->path[i]);
		push_path(heap, &m, i);
	}
	if (heap->steps)
		push_samples(heap, m.bytes[PK_HEAP_LEAKED]);
	else if (!pk_builder_wants(heap->b, PK_PART_ORDER) && !heap->kept && heap->paths > 1)
		pk_build_unread(heap->b, PK_PART_ORDER);
	if (!state && heap->peak_time != PK_NULL) /* when most was live */
		pk_heap_note_time(heap->b, "peak at", heap->peak_time);
	push_sizes(heap, of);
	pk_heap_free(heap);
}
