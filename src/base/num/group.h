#pragma once

#include <stddef.h>
#include <stdint.h>

/* Rows grouped by a key. Each group keeps the order of the rows. */
struct pk_groups {
	uint32_t *first; /* the rows of key k are row[first[k]] to row[first[k + 1] - 1] */
	uint32_t *row;
};
/* Groups the rows `from` to `end` - 1 by their keys, which are below `keys`. The key of a row is
 * `stride` bytes behind that of the row before it, and *key that of row 0; key NULL: all are 0. */
void pk_groups_init(struct pk_groups *groups, const uint32_t *key, size_t stride, uint32_t from,
		    uint32_t end, uint32_t keys);
void pk_groups_release(struct pk_groups *groups);
/* Sorts items by a key below `keys`, in linear time; those of one key keep their order. *key is
 * that of the first item. */
void pk_group_sort(void *items, size_t size, const uint32_t *key, uint32_t count, uint32_t keys);
