#pragma once

#include <stdint.h>

/*
 * Puts intervals side by side, each on a lane that is free. Intervals must come in the order
 * of their begins. Zero-initialise to begin.
 */
struct pk_lanes {
	int64_t *free_at; /* by lane */
	uint32_t *heap;   /* lanes as a heap; the one that is free first is on top */
	uint32_t count, heap_alloc, free_alloc;
};

/* The lane (from 0) for [begin, end): the one that has been free longest, or a new one. */
uint32_t pk_lanes_take(struct pk_lanes *lanes, int64_t begin, int64_t end);
/* Removes all lanes and keeps their memory. */
void pk_lanes_clear(struct pk_lanes *lanes);
void pk_lanes_release(struct pk_lanes *lanes);
