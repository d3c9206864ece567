#ifndef PK_MERGE_SORT_H
#define PK_MERGE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sorts numbers of rows; equal ones stay as they are. Made for what is in order by parts already,
 * as the spans of several threads are: its time is that of count * log(parts) comparisons.
 */
void pk_merge_sort(uint32_t *item, uint32_t count,
		   bool (*before)(const void *data, uint32_t a, uint32_t b), const void *data);

#endif
