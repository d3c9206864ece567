#pragma once

#include <stdbool.h>

#include "model/profile.h"

#define MEMRAY_SIZE 32
/* "12.894MB": as memray prints it, in powers of 1,000 or, in its tree, of 1,024 (base). */
void memray_format_size(char text[MEMRAY_SIZE], double size, int base);
bool memray_is_capture(const struct pk_profile *p);

/* The memory that was alive at the peak: sums of call paths and threads, in the order of the
 * file. */
struct memray_alive {
	struct memray_alive_row {
		uint32_t node;
		int64_t size, count;
	} * row;
	size_t rows;
	int64_t size;
};
void memray_alive_init(struct memray_alive *alive, const struct pk_profile *p);
void memray_alive_release(struct memray_alive *alive);
