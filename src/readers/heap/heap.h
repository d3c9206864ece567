#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/build/builder.h"

/*
 * Follows allocations and frees for readers of files that hold each of them, and pushes what they
 * add up to as costs of call paths: peak, leaked, allocated, temporary (bytes) and the number of
 * allocations of each. A live block takes 24 bytes, a call path 68.
 *
 *	heap = pk_heap_new(b, 1);
 *	path = pk_heap_path(heap, thread, node, labels);
 *	pk_heap_add(heap, path, address, size);         each allocation
 *	pk_heap_remove(heap, thread, address);          each free
 *	pk_heap_finish(heap, false, NULL);
 *
 * The peak is the last moment at which most bytes were live.
 */
struct pk_heap;

/* A block is temporary if its thread frees it before more than `window` (at most
 * PK_HEAP_WINDOW) other allocations of that thread. */
struct pk_heap *pk_heap_new(struct pk_builder *b, unsigned window);
#define PK_HEAP_WINDOW 1000
/* Pushes the metrics and costs, and frees the heap. `state`: the file has one moment and no
 * history, so that only leaked is known. `of` is the device, if the file has several heaps. */
void pk_heap_finish(struct pk_heap *heap, bool state, const char *of);
void pk_heap_free(struct pk_heap *heap);

/* The number of a call path (with labels of what is allocated there), from 1. */
uint32_t pk_heap_path(struct pk_heap *heap, uint32_t thread, uint32_t node, uint32_t labels);
/* Returns false if another block was live at the address, whose free is missing; that block counts
 * as freed now. */
bool pk_heap_add(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size);
/* The same for a block that was there before the recording began: it is live, and not allocated. */
void pk_heap_add_earlier(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size);
/* Returns false if no block is known at the address. */
bool pk_heap_remove(struct pk_heap *heap, uint32_t thread, uint64_t address);
/* Fetches the memory for an address that will be added or removed after some ten others. */
void pk_heap_prefetch(const struct pk_heap *heap, uint64_t address);
/* The same for ranges of addresses, parts of which may be freed (mmap, munmap): each part that is
 * left counts as an allocation. */
bool pk_heap_map(struct pk_heap *heap, uint32_t path, uint64_t address, uint64_t size);
bool pk_heap_unmap(struct pk_heap *heap, uint32_t thread, uint64_t address, uint64_t size);

/* Sets the current time, in ns from the start: for the moment of the peak, and for samples of live
 * memory (metric leaked) if the builder wants PK_PART_ORDER. */
void pk_heap_set_time(struct pk_heap *heap, int64_t time);
/* Bytes live now. */
uint64_t pk_heap_live(const struct pk_heap *heap);

/* Lets `leaked` count the memory that is live at this moment, instead of at the end; after
 * pk_heap_begin only memory allocated since then. */
void pk_heap_begin(struct pk_heap *heap);
void pk_heap_end(struct pk_heap *heap);
/* The times of pk_heap_begin and pk_heap_end, from the options -O at=TIME or -O between=A..B (NULL
 * = not given): in ns from the start, PK_NULL = not at all. */
int pk_heap_read_moments(struct pk_builder *b, const char *at, const char *between, int64_t *begin,
			 int64_t *end, struct pk_error *err);
/* Says these times in meta ("leaked since", "leaked at"), since live memory is known between them
 * only. Adds a message if `end` is after `last`, the end of the recording. */
int pk_heap_note_moments(struct pk_builder *b, int64_t begin, int64_t end, int64_t last,
			 struct pk_error *err);

/* For files that give sums instead of allocations: makes the metrics in their usual order. `which`
 * has a bit for each, and PK_HEAP_UNCOUNTED if numbers of allocations are not known. */
enum pk_heap_metric { PK_HEAP_PEAK, PK_HEAP_LEAKED, PK_HEAP_ALLOCATED, PK_HEAP_TEMPORARY };
#define PK_HEAP_METRICS 4
#define PK_HEAP_UNCOUNTED (1U << PK_HEAP_METRICS)
struct pk_heap_metrics {
	uint32_t bytes[PK_HEAP_METRICS], count[PK_HEAP_METRICS];
};
void pk_heap_metrics(struct pk_builder *b, unsigned which, struct pk_heap_metrics *m);
