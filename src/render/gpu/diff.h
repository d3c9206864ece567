#pragma once

#include "analysis/gpu/gpu.h"
#include "render/grid.h"

/* The changes between two sides of traces: the parts of the time, then kernels and copies, largest
 * change first. Names are borrowed from both. */
void pk_gpu_diff_grid(struct pk_grid *grid, const struct pk_gpu *before, const struct pk_gpu *after,
		      bool people);
extern const struct pk_grid_columns pk_gpu_diff_columns;
