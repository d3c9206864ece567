#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Ranges of addresses that do not overlap, each with a path; of heap.c. A treap: every operation
 * takes the logarithm of their number, plus the number of ranges that it removes. Zero-initialise
 * to begin. */
struct pk_ranges {
	struct pk_range {
		uint64_t from, to;
		uint32_t path, left, right, priority;
	} * item; /* from 1 */
	uint32_t root, unused, count;
	uint64_t alloc;
};

/* The range must be free: ranges in it were removed before. */
void pk_ranges_add(struct pk_ranges *r, uint64_t from, uint64_t size, uint32_t path);
/* Calls cut for each range of which something is removed, with its path, the number of bytes, and
 * the change of the number of ranges (-1: it was removed as a whole, 1: two parts are left).
 * Returns true if there was any range. */
bool pk_ranges_remove(struct pk_ranges *r, uint64_t from, uint64_t size,
		      void (*cut)(void *data, uint32_t path, uint64_t bytes, int count),
		      void *data);
void pk_ranges_each(const struct pk_ranges *r,
		    void (*visit)(void *data, uint32_t path, uint64_t bytes), void *data);
void pk_ranges_release(struct pk_ranges *r);
