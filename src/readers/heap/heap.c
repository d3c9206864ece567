/*
 * Allocations and frees followed in one pass, for readers: see heap.h.
 *
 * Live blocks are slots of 16 bytes in 64 tables by address, each of which is between 65 and 81 %
 * full. The peak of call paths is known without a second pass: a path keeps what was live in it at
 * the last peak before it changed, and the number of that peak. If peaks came since then, it had at
 * the last of them what it has now.
 */
#include "readers/heap/internal.h"

#include <stdlib.h>

#include "base/alloc.h"

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
	heap->step_width = 1;
	heap->samples = pk_builder_wants(b, PK_PART_ORDER);
	pk_builder_set_ordered(b, false); /* samples are made here */
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
	free(heap->owner);
	free(heap->first_path);
	free(heap->carry);
	pk_id_map_release(&heap->owner_of);
	free(heap->big);
	free(heap->recent);
	free(heap->size);
	free(heap->step);
	free(heap->kept);
	free(heap);
}

/* Sizes. */

static void count_size(struct pk_heap *heap, uint64_t size)
{
	uint32_t *known;

	if (size < SMALL_SIZES) {
		heap->small[size]++;
		return;
	}
	known = PK_INDEX_FIND(&heap->size_index, pk_hash_u64(size), id,
			      heap->size[id - 1].size == size);
	if (*known) {
		heap->size[*known - 1].count++;
		return;
	}
	PK_GROW(heap->size, heap->sizes + 1, heap->size_alloc);
	heap->size[heap->sizes++] = (struct size){size, 1};
	*known = (uint32_t)heap->sizes;
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

void pk_heap_prefetch(const struct pk_heap *heap, uint64_t address)
{
	uint64_t hash = pk_hash_u64(address);
	const struct table *t = &heap->table[hash >> 58];
	const struct slot *s;

	if (!t->room)
		return;
	s = &t->slot[home(t, hash)];
	__builtin_prefetch(s, 1);
	__builtin_prefetch(s + 4, 1); /* most lookups end here */
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

void heap_note_peak(struct pk_heap *heap)
{
	if (heap->live < heap->peak)
		return;
	if (heap->epoch == UINT32_MAX) {
		for (size_t i = 1; i < heap->paths; i++) {
			heap_catch_up(heap, &heap->path[i]);
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
		heap_note_peak(heap);
	else if (bytes > 0)
		heap->grown = heap->now;
	heap_catch_up(heap, p);
	p->live += (uint64_t)bytes;
	p->live_count += (uint32_t)count;
	heap->live += (uint64_t)bytes;
	if (heap->samples && bytes && (path & LATER) == heap->later)
		heap_add_step(heap, path & ~LATER, bytes);
}

static void carry(struct pk_heap *heap, uint32_t path, bool temporary)
{
	PK_GROW(heap->carry, heap->carries + 1, heap->carry_alloc);
	heap->carry[heap->carries++] = (struct carry){path, temporary};
}

static void remember(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size,
		     bool range)
{
	uint32_t thread = heap->owner[heap->path[path].owner].thread;
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
		if (!++p->temporary_allocations)
			carry(heap, block->path, true);
		block->path = 0;
		return;
	}
}

static void count_allocation(struct pk_heap *heap, uint32_t path, uint64_t size)
{
	heap->path[path].allocated += size;
	if (!++heap->path[path].allocations)
		carry(heap, path, false);
	count_size(heap, size);
}

/* Adds a live block. Returns false if another one was at the address. */
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

void pk_heap_add_earlier(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size)
{
	put_block(heap, path, address, size);
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
