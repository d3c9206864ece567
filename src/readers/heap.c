/*
 * Allocations and frees followed in one pass, for readers: see heap.h.
 *
 * Live blocks are slots of 16 bytes in 64 tables by address, each of which is between 65 and 81 %
 * full. The peak of call paths is known without a second pass: a path keeps what was live in it at
 * the last peak before it changed, and the number of that peak. If peaks came since then, it had at
 * the last of them what it has now.
 */
#include "readers/heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/hash.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "readers/ranges.h"

#define TABLES 64
#define BIG 0x80000000U   /* the size is in heap->big */
#define LATER 0x80000000U /* of a path: allocated after pk_heap_begin */
#define SMALL_SIZES 16384
#define MOST_STEPS ((size_t)1 << 21)
#define FIRST_STEP 1000000 /* ns */
#define SIZE_CLASSES 10

struct slot {
	uint64_t address;
	uint32_t path; /* 0: the slot is free */
	uint32_t size;
};

struct table {
	struct slot *slot;
	uint32_t count, room;
};

struct path {
	uint32_t thread, node, labels;
	uint32_t epoch; /* of the last peak that is in the values */
	uint64_t live, peak, allocated, temporary;
	uint64_t allocations, temporary_allocations;
	uint32_t live_count, peak_count;
};

/* The last allocations of a thread, in a ring. */
struct recent {
	struct recent_block {
		uint64_t address, size;
		uint32_t path;
		bool range;
	} * block;
	uint32_t next, count;
};

/* The change of live memory in a step of time. */
struct step {
	uint32_t step, path;
	uint64_t change; /* two's complement */
};

struct pk_heap {
	struct pk_builder *b;
	struct table table[TABLES];
	struct pk_ranges ranges;
	struct path *path;
	size_t paths, path_alloc;
	struct pk_index index; /* of paths */
	uint32_t *last_path;   /* by node: the path of it that was asked for last */
	size_t last_paths;
	uint64_t *big; /* sizes of 2 GB and more; [0] leads the list of free ones */
	size_t bigs, big_alloc;
	uint64_t live, peak;
	uint32_t epoch, later;
	int64_t now, grown, peak_time; /* grown: when the last allocation was */

	struct recent *recent; /* by thread */
	size_t recents;
	unsigned window;

	uint64_t small[SMALL_SIZES]; /* allocations by size */
	struct size {
		uint64_t size, count;
	} * size;
	size_t sizes, size_alloc;
	struct pk_index size_index;

	struct step *step;
	size_t steps, step_alloc, step_limit;
	int64_t step_width;
	bool samples;

	struct kept {
		uint64_t bytes, count;
	} * kept; /* what was live at pk_heap_end, by path */
	size_t kepts;
};

struct pk_heap *pk_heap_new(struct pk_builder *b, unsigned window)
{
	struct pk_heap *heap = pk_calloc(1, sizeof(*heap));

	heap->b = b;
	heap->window = (window < PK_HEAP_WINDOW ? window : PK_HEAP_WINDOW) + 1;
	heap->paths = 1;
	PK_GROW_ZERO(heap->path, 1, heap->path_alloc);
	heap->bigs = 1;
	heap->grown = heap->peak_time = PK_NULL;
	heap->now = PK_NULL;
	heap->step_width = FIRST_STEP;
	heap->step_limit = MOST_STEPS;
	heap->samples = pk_builder_wants(b, PK_PART_ORDER);
	return heap;
}

void pk_heap_free(struct pk_heap *heap)
{
	for (size_t i = 0; i < TABLES; i++)
		free(heap->table[i].slot);
	for (size_t i = 0; i < heap->recents; i++)
		free(heap->recent[i].block);
	pk_ranges_release(&heap->ranges);
	pk_index_release(&heap->index);
	pk_index_release(&heap->size_index);
	free(heap->path);
	free(heap->last_path);
	free(heap->big);
	free(heap->recent);
	free(heap->size);
	free(heap->step);
	free(heap->kept);
	free(heap);
}

static uint32_t find_path(struct pk_heap *heap, uint32_t thread, uint32_t node, uint32_t labels)
{
	uint32_t tag = pk_index_tag(pk_hash_pair((uint64_t)thread << 32 | node, labels)), i;
	struct pk_index *x = &heap->index;

	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		const struct path *p = &heap->path[x->slot[i].id];

		if (x->slot[i].tag == tag && p->node == node && p->thread == thread &&
		    p->labels == labels)
			return x->slot[i].id;
	}
	PK_GROW(heap->path, heap->paths + 1, heap->path_alloc);
	heap->path[heap->paths] = (struct path){
		.thread = thread, .node = node, .labels = labels, .epoch = heap->epoch};
	pk_index_put(x, i, tag, (uint32_t)heap->paths);
	return (uint32_t)heap->paths++;
}

uint32_t pk_heap_path(struct pk_heap *heap, uint32_t thread, uint32_t node, uint32_t labels)
{
	const struct path *p;
	uint32_t *last;

	PK_GROW_ZERO(heap->last_path, node + 1, heap->last_paths);
	last = &heap->last_path[node];
	p = &heap->path[*last];
	if (!*last || p->thread != thread || p->labels != labels)
		*last = find_path(heap, thread, node, labels);
	return *last;
}

/* Sizes. */

static void count_size(struct pk_heap *heap, uint64_t size)
{
	struct pk_index *x = &heap->size_index;
	uint32_t tag, i;

	if (size < SMALL_SIZES) {
		heap->small[size]++;
		return;
	}
	tag = pk_index_tag(pk_hash_u64(size));
	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		if (heap->size[x->slot[i].id - 1].size == size) {
			heap->size[x->slot[i].id - 1].count++;
			return;
		}
	}
	PK_GROW(heap->size, heap->sizes + 1, heap->size_alloc);
	heap->size[heap->sizes++] = (struct size){size, 1};
	pk_index_put(x, i, tag, (uint32_t)heap->sizes);
}

static uint32_t pack_size(struct pk_heap *heap, uint64_t size)
{
	size_t at;

	if (size < BIG)
		return (uint32_t)size;
	at = heap->big ? (size_t)heap->big[0] : 0;
	if (at) {
		heap->big[0] = heap->big[at];
	} else {
		PK_GROW_ZERO(heap->big, heap->bigs + 1, heap->big_alloc);
		at = heap->bigs++;
	}
	heap->big[at] = size;
	return BIG | (uint32_t)at;
}

static uint64_t size_of(const struct pk_heap *heap, uint32_t packed)
{
	return packed & BIG ? heap->big[packed & ~BIG] : packed;
}

static uint64_t unpack_size(struct pk_heap *heap, uint32_t packed)
{
	uint64_t size = size_of(heap, packed);

	if (packed & BIG) {
		heap->big[packed & ~BIG] = heap->big[0];
		heap->big[0] = packed & ~BIG;
	}
	return size;
}

/* Live blocks. */

static uint32_t home(const struct table *t, uint64_t hash)
{
	return (uint32_t)((uint64_t)(uint32_t)hash * t->room >> 32);
}

/* The slot of the address, or the free one where it would be put. */
static uint32_t find_slot(const struct table *t, uint64_t hash, uint64_t address)
{
	uint32_t i = home(t, hash);

	while (t->slot[i].path && t->slot[i].address != address)
		i = i + 1 == t->room ? 0 : i + 1;
	return i;
}

static void grow_table(struct table *t)
{
	struct table old = *t;

	t->room = old.room + old.room / 4 + 16;
	t->slot = pk_calloc(t->room, sizeof(*t->slot));
	for (uint32_t i = 0; i < old.room; i++) {
		const struct slot *s = &old.slot[i];

		if (s->path)
			t->slot[find_slot(t, pk_hash_u64(s->address), s->address)] = *s;
	}
	free(old.slot);
}

/* Frees slot i; those behind it move up, so that they are still found. */
static void clear_slot(struct table *t, uint32_t i)
{
	for (uint32_t j = i;;) {
		uint32_t h;

		j = j + 1 == t->room ? 0 : j + 1;
		if (!t->slot[j].path)
			break;
		h = home(t, pk_hash_u64(t->slot[j].address));
		if (i <= j ? (i < h && h <= j) : (i < h || h <= j))
			continue;
		t->slot[i] = t->slot[j];
		i = j;
	}
	t->slot[i] = (struct slot){.path = 0};
	t->count--;
}

/* Changes over time. */

PK_COMPARE(by_step, struct step, PK_ORDER(a->step, b->step) ?: PK_ORDER(a->path, b->path))

/* Joins the changes of a path in a step. */
static void join_steps(struct pk_heap *heap)
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

/* Makes steps longer until the changes take half of what they may. */
static void bound_steps(struct pk_heap *heap)
{
	join_steps(heap);
	while (heap->steps > MOST_STEPS / 2 && heap->step[heap->steps - 1].step) {
		heap->step_width *= 2;
		for (size_t i = 0; i < heap->steps; i++)
			heap->step[i].step /= 2;
		join_steps(heap);
	}
	heap->step_limit = heap->steps * 2 > MOST_STEPS ? heap->steps * 2 : MOST_STEPS;
}

static void add_step(struct pk_heap *heap, uint32_t path, int64_t change)
{
	int64_t step;

	if (heap->steps >= heap->step_limit)
		bound_steps(heap);
	step = heap->now > 0 ? heap->now / heap->step_width : 0;
	PK_GROW(heap->step, heap->steps + 1, heap->step_alloc);
	heap->step[heap->steps++] = (struct step){step < UINT32_MAX ? (uint32_t)step : UINT32_MAX,
						  path, (uint64_t)change};
}

/* The values of a path at the last peak, if peaks came since it changed. */
static void catch_up(const struct pk_heap *heap, struct path *p)
{
	if (p->epoch != heap->epoch) {
		p->epoch = heap->epoch;
		p->peak = p->live;
		p->peak_count = p->live_count;
	}
}

static void note_peak(struct pk_heap *heap)
{
	if (heap->live < heap->peak)
		return;
	if (heap->epoch == UINT32_MAX) {
		for (size_t i = 1; i < heap->paths; i++) {
			catch_up(heap, &heap->path[i]);
			heap->path[i].epoch = 0;
		}
		heap->epoch = 0;
	}
	heap->epoch++;
	heap->peak = heap->live;
	heap->peak_time = heap->grown;
}

/* Live memory of a path changes; `path` may be marked as LATER. */
static void change(struct pk_heap *heap, uint32_t path, int64_t bytes, int32_t count)
{
	struct path *p = &heap->path[path & ~LATER];

	if (bytes < 0)
		note_peak(heap);
	else if (bytes > 0)
		heap->grown = heap->now;
	catch_up(heap, p);
	p->live += (uint64_t)bytes;
	p->live_count += (uint32_t)count;
	heap->live += (uint64_t)bytes;
	if (heap->samples && bytes && (path & LATER) == heap->later)
		add_step(heap, path & ~LATER, bytes);
}

static void remember(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size,
		     bool range)
{
	uint32_t thread = heap->path[path].thread;
	struct recent *r;

	PK_GROW_ZERO(heap->recent, thread + 1, heap->recents);
	r = &heap->recent[thread];
	if (!r->block)
		r->block = pk_calloc(heap->window, sizeof(*r->block));
	r->block[r->next] = (struct recent_block){address, size, path, range};
	r->next = r->next + 1 == heap->window ? 0 : r->next + 1;
	if (r->count < heap->window)
		r->count++;
}

/* Counts a block that was freed as temporary if its thread frees it at once. */
static void forget(struct pk_heap *heap, uint32_t thread, uint64_t address, uint64_t size,
		   bool range)
{
	struct recent *r = thread < heap->recents ? &heap->recent[thread] : NULL;

	for (uint32_t i = 0; r && i < r->count; i++) {
		struct recent_block *block = &r->block[i];
		struct path *p = &heap->path[block->path];

		if (!block->path || block->address != address || block->range != range ||
		    (range && block->size != size))
			continue;
		p->temporary += block->size;
		p->temporary_allocations++;
		block->path = 0;
		return;
	}
}

static void count_allocation(struct pk_heap *heap, uint32_t path, uint64_t size)
{
	heap->path[path].allocated += size;
	heap->path[path].allocations++;
	count_size(heap, size);
}

/* A block that is live now; false: another was at the address. */
static bool put_block(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size)
{
	uint64_t hash = pk_hash_u64(address);
	struct table *t = &heap->table[hash >> 58];
	bool clear;
	uint32_t i;

	if (t->count >= t->room - t->room / 16 * 3)
		grow_table(t);
	i = find_slot(t, hash, address);
	clear = !t->slot[i].path;
	if (clear)
		t->count++;
	else
		change(heap, t->slot[i].path, -(int64_t)unpack_size(heap, t->slot[i].size), -1);
	t->slot[i] = (struct slot){address, path | heap->later, pack_size(heap, size)};
	change(heap, path | heap->later, (int64_t)size, 1);
	return clear;
}

bool pk_heap_add(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size)
{
	bool clear = put_block(heap, path, address, size);

	count_allocation(heap, path, size);
	remember(heap, path, address, size, false);
	return clear;
}

bool pk_heap_add_earlier(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size)
{
	return put_block(heap, path, address, size);
}

bool pk_heap_remove(struct pk_heap *heap, uint32_t thread, uint64_t address)
{
	uint64_t hash = pk_hash_u64(address);
	struct table *t = &heap->table[hash >> 58];
	uint32_t i = t->room ? find_slot(t, hash, address) : 0;

	if (!t->room || !t->slot[i].path)
		return false;
	change(heap, t->slot[i].path, -(int64_t)unpack_size(heap, t->slot[i].size), -1);
	clear_slot(t, i);
	forget(heap, thread, address, 0, false);
	return true;
}

static void cut_range(void *data, uint32_t path, uint64_t bytes, int count)
{
	change(data, path, -(int64_t)bytes, count);
}

bool pk_heap_map(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size)
{
	bool clear = !pk_ranges_remove(&heap->ranges, address, size, cut_range, heap);

	size = size < UINT64_MAX - address ? size : UINT64_MAX - address;
	pk_ranges_add(&heap->ranges, address, size, path | heap->later);
	change(heap, path | heap->later, (int64_t)size, 1);
	count_allocation(heap, path, size);
	remember(heap, path, address, size, true);
	return clear;
}

bool pk_heap_unmap(struct pk_heap *heap, uint32_t thread, uint64_t address, uint64_t size)
{
	if (!pk_ranges_remove(&heap->ranges, address, size, cut_range, heap))
		return false;
	forget(heap, thread, address, size, true);
	return true;
}

void pk_heap_set_time(struct pk_heap *heap, int64_t time)
{
	if (heap->now == PK_NULL || time > heap->now)
		heap->now = time;
}

uint64_t pk_heap_live(const struct pk_heap *heap)
{
	return heap->live;
}

uint64_t pk_heap_peak(const struct pk_heap *heap)
{
	return heap->live > heap->peak ? heap->live : heap->peak;
}

void pk_heap_begin(struct pk_heap *heap)
{
	if (!heap->kept)
		heap->later = LATER;
	heap->steps = 0;
}

static void keep(void *data, uint32_t path, uint64_t bytes)
{
	struct pk_heap *heap = data;

	if (heap->later && !(path & LATER))
		return;
	heap->kept[path & ~LATER].bytes += bytes;
	heap->kept[path & ~LATER].count++;
}

void pk_heap_end(struct pk_heap *heap)
{
	if (heap->kept)
		return;
	heap->samples = false;
	heap->kepts = heap->paths;
	heap->kept = pk_calloc(heap->paths, sizeof(*heap->kept));
	for (size_t i = 0; i < TABLES; i++) {
		const struct table *t = &heap->table[i];

		for (uint32_t j = 0; j < t->room; j++) {
			if (t->slot[j].path)
				keep(heap, t->slot[j].path, size_of(heap, t->slot[j].size));
		}
	}
	pk_ranges_each(&heap->ranges, keep, heap);
}

/* The end. */

static int64_t cut(uint64_t value)
{
	return value < INT64_MAX ? (int64_t)value : INT64_MAX;
}

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
		m->count[i] =
			pk_build_metric(b, names[i].count, "count", 0, PK_METRIC_COUNT, PK_EXACT);
		pk_build_set(b, metric, counts, m->bytes[i], m->count[i]);
		pk_build_set(b, metric, aggregate, m->bytes[i], names[i].aggregate);
		pk_build_set(b, metric, aggregate, m->count[i], names[i].aggregate);
	}
}

static void push_path(struct pk_heap *heap, const struct pk_heap_metrics *m, size_t i)
{
	const struct path *p = &heap->path[i];
	struct kept leaked = {p->live, p->live_count};
	uint64_t value[PK_HEAP_METRICS][2];

	if (heap->kept)
		leaked = i < heap->kepts ? heap->kept[i] : (struct kept){0, 0};
	memcpy(value[PK_HEAP_PEAK], (uint64_t[2]){p->peak, p->peak_count}, 16);
	memcpy(value[PK_HEAP_LEAKED], (uint64_t[2]){leaked.bytes, leaked.count}, 16);
	memcpy(value[PK_HEAP_ALLOCATED], (uint64_t[2]){p->allocated, p->allocations}, 16);
	memcpy(value[PK_HEAP_TEMPORARY], (uint64_t[2]){p->temporary, p->temporary_allocations}, 16);
	for (int j = 0; j < PK_HEAP_METRICS; j++) {
		if (!m->bytes[j])
			continue;

		struct pk_cost cost = {.thread = p->thread,
				       .node = p->node,
				       .labels = p->labels,
				       .calls = PK_NULL};

		cost.metric = m->bytes[j];
		cost.self = cut(value[j][0]);
		if (cost.self)
			pk_build_cost_of(heap->b, &cost);
		cost.metric = m->count[j];
		cost.self = cut(value[j][1]);
		if (cost.self)
			pk_build_cost_of(heap->b, &cost);
	}
}

static void push_samples(struct pk_heap *heap, uint32_t metric)
{
	join_steps(heap);
	for (size_t i = 0; i < heap->steps; i++) {
		const struct step *s = &heap->step[i];
		const struct path *p = &heap->path[s->path];

		if (s->change)
			pk_build_sample(heap->b, s->step * heap->step_width, p->thread, p->node,
					metric, (int64_t)s->change);
	}
}

/* Which of the ten classes of memray's histogram a size is in. Python divides floats by fmod: what
 * is at a limit may be below it. */
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
static void push_sizes(struct pk_heap *heap)
{
	uint64_t first, above_0, last, count[SIZE_CLASSES] = {0};
	PK_BUF_AUTO text = PK_BUF_INIT;
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
	pk_build_meta(heap->b, "allocation sizes", text.data);
}

/* "peak at": in seconds, when most was live. */
static void push_peak_time(struct pk_heap *heap)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (heap->peak_time == PK_NULL)
		return;
	pk_format_decimal(&text, heap->peak_time, 9);
	pk_buf_adds(&text, " s");
	pk_build_meta(heap->b, "peak at", text.data);
}

void pk_heap_finish(struct pk_heap *heap, bool state)
{
	struct pk_heap_metrics m = {{0}, {0}};

	pk_heap_metrics(heap->b, state ? 1U << PK_HEAP_LEAKED : (1U << PK_HEAP_METRICS) - 1, &m);
	note_peak(heap);
	for (size_t i = 1; i < heap->paths; i++) {
		catch_up(heap, &heap->path[i]);
		push_path(heap, &m, i);
	}
	if (heap->steps)
		push_samples(heap, m.bytes[PK_HEAP_LEAKED]);
	if (!state)
		push_peak_time(heap);
	push_sizes(heap);
	pk_heap_free(heap);
}
