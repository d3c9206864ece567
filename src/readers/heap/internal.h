#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/num/hash.h"
#include "model/build/id_map.h"
#include "readers/heap/heap.h"
#include "readers/ranges.h"

/* The parts of heap.c: blocks there, call paths in paths.c, changes over time in steps.c, what is
 * pushed at the end in finish.c. */

#define TABLES 64
#define BIG 0x80000000U   /* the size is in heap->big */
#define LATER 0x80000000U /* of a path: allocated after pk_heap_begin */
#define SMALL_SIZES 16384

struct slot {
	uint64_t address;
	uint32_t path; /* 0: the slot is free */
	uint32_t size;
};

struct table {
	struct slot *slot;
	uint32_t count, room;
};

/* 64 bytes; what each allocation and free looks at stands at the begin. */
struct path {
	uint64_t live, peak, allocated;
	uint32_t live_count, peak_count;
	uint32_t epoch; /* of the last peak that is in the values */
	uint32_t allocations;
	uint32_t owner, next; /* next: another one of the node */
	uint64_t temporary;
	uint32_t temporary_allocations;
	uint32_t node;
};

/* Who allocates. */
struct owner {
	uint32_t thread, labels;
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
	struct owner *owner;
	size_t owners, owner_alloc;
	struct pk_id_map owner_of; /* by thread and labels: row of `owner` + 1 */
	uint32_t *first_path; /* by node: some of its paths, that which was asked for last is the
				 first */
	size_t first_paths;
	struct pk_index index; /* of the other paths, where a node has many */
	struct carry {
		uint32_t path;
		bool temporary;
	} * carry; /* 2^32 allocations that do not fit into the path's number */
	size_t carries, carry_alloc;
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

/* Sets the values of a path at the last peak, if there were peaks since it changed. */
static inline void heap_catch_up(const struct pk_heap *heap, struct path *p)
{
	if (p->epoch != heap->epoch) {
		p->epoch = heap->epoch;
		p->peak = p->live;
		p->peak_count = p->live_count;
	}
}
/* Says a time in meta, in seconds. */
void pk_heap_note_time(struct pk_builder *b, const char *key, int64_t time);
/* Notes a peak if more is live than ever before. */
void heap_note_peak(struct pk_heap *heap);
void heap_add_step(struct pk_heap *heap, uint32_t path, int64_t change);
/* Joins the changes of a path in a step. */
void heap_join_steps(struct pk_heap *heap);
