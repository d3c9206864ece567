#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * A stable sort of row numbers that uses parts already in order, such as the spans of several
 * threads: its time is count * log(parts) comparisons.
 */
void pk_merge_sort(uint32_t *item, uint32_t count,
		   bool (*before)(const void *data, uint32_t a, uint32_t b), const void *data);
