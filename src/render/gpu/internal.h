#pragma once

#include "render/gpu/grid.h"

/* For the files of this folder: the rows of each view. */
void pk_gpu_overlap_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_idle_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_kernel_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_launch_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_queue_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_copy_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_communication_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_sequence_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_memory_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_flop_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_distribution_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);
void pk_gpu_rank_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people);

/* The first cells of rows about a GPU: rank and name for machines; for people the place. */
#define PK_GPU_RANK_COLUMNS(rank, gpu, place)                                                   \
	[rank] = {"rank", NULL, PK_CELL_NUMBER,                                                 \
		  .help = "Rank of the trace in a distributed program; null if the trace does " \
			  "not say it"},                                                        \
	[gpu] = {"gpu", NULL, PK_CELL_TEXT, .help = "Name of the GPU"},                         \
	[place] = {.heading = "GPU", .type = PK_CELL_TEXT}
/* Of a step, ns. */
double pk_gpu_median_computation(const struct pk_gpu *g);
/* A name as it is, or if longest is not 0 no longer than that. */
void pk_gpu_name_cell(struct pk_grid *grid, struct pk_cell *cell, const char *name, size_t longest);
/* Appends a name for people, without prefixes of many kernels or operators, which do not tell them
 * apart. */
void pk_gpu_add_short(struct pk_buf *buf, const char *name, size_t len, size_t longest);
/* place: NULL for machines. */
void pk_gpu_place_cells(struct pk_grid *grid, struct pk_cell *rank, struct pk_cell *gpu,
			struct pk_cell *place, const struct pk_gpu *g,
			const struct pk_gpu_device *d);
