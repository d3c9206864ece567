#ifndef PK_WORKERS_HEAP_H
#define PK_WORKERS_HEAP_H

#include <stdint.h>

/*
 * Several lists of moments, each in order, as one: the list whose next moment is the earliest is
 * on top. Lists are numbers; who uses it keeps how far each is.
 */
struct pk_heap {
	struct pk_heap_item {
		int64_t time;
		uint32_t list;
	} * item;
	uint32_t count;
};

void pk_heap_init(struct pk_heap *h, uint32_t lists);
void pk_heap_release(struct pk_heap *h);
void pk_heap_put(struct pk_heap *h, int64_t time, uint32_t list);
/* The list on top goes on with its next moment, or is at its end. */
void pk_heap_next(struct pk_heap *h, int64_t time);
void pk_heap_drop(struct pk_heap *h);

#endif
