#pragma once

#include "analysis/gpu/like/hta.h"
#include "analysis/gpu/like/nsys.h"
#include "analysis/gpu/like/tracelens.h"
#include "render/grid.h"

/* Tables of HTA, TraceLens and nsys as grids, with their names of columns. */
void pk_hta_grid(struct pk_grid *grid, const struct pk_hta *h);
void pk_tracelens_grid(struct pk_grid *grid, const struct pk_gpu_rows *rows,
		       enum pk_tracelens_table table);
void pk_nsys_grid(struct pk_grid *grid, const struct pk_gpu_rows *rows, enum pk_nsys_table table);
