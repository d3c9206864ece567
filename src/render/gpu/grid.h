#pragma once

#include "analysis/gpu/gpu.h"
#include "base/text/str.h"
#include "render/grid.h"

/* The output of profkit gpu: a table for each view. The summary is the table of the breakdown, with
 * words above it. */
enum pk_gpu_view {
	PK_GPU_SUMMARY,
	PK_GPU_BREAKDOWN,
	PK_GPU_STEPS,
	PK_GPU_OVERLAP,
	PK_GPU_IDLE,
	PK_GPU_KERNELS,
	PK_GPU_LAUNCHES,
	PK_GPU_QUEUE_VIEW,
	PK_GPU_COPIES,
	PK_GPU_COMMUNICATION_VIEW,
	PK_GPU_RANKS,
	PK_GPU_SEQUENCES,
	PK_GPU_MEMORY,
	PK_GPU_FLOPS,
	PK_GPU_DISTRIBUTION,
	PK_GPU_VIEWS
};
extern const char *const pk_gpu_views[]; /* "summary", "breakdown", ..., NULL */

/* The rows of a view; texts are borrowed from the result. */
void pk_gpu_grid(struct pk_grid *grid, const struct pk_gpu *g, enum pk_gpu_view view, bool people);
extern const struct pk_grid_columns pk_gpu_columns, pk_gpu_overlap_columns, pk_gpu_idle_columns,
	pk_gpu_kernel_columns, pk_gpu_launch_columns, pk_gpu_queue_columns, pk_gpu_copy_columns,
	pk_gpu_communication_columns, pk_gpu_rank_columns, pk_gpu_sequence_columns,
	pk_gpu_memory_columns, pk_gpu_flop_columns, pk_gpu_distribution_columns;

/* "rank 3", "rank 3, GPU 1", or the name of the file. */
void pk_gpu_add_place(struct pk_buf *buf, const struct pk_gpu *g, const struct pk_gpu_device *d);
/* Appends the main facts in words: where the time goes, and what to do about it. */
void pk_gpu_words(struct pk_buf *buf, const struct pk_gpu *g);
/* For the view of FLOPs: the operations of GPUs in each second of the steps. */
void pk_gpu_flop_words(struct pk_buf *buf, const struct pk_gpu *g);
/* Appends the reason why a view has no rows. */
void pk_gpu_empty_note(struct pk_buf *buf, enum pk_gpu_view view);
/* Notes about odd events in the traces, a line each. */
void pk_gpu_notes(struct pk_buf *buf, const struct pk_gpu *g);
/* Members of the JSON object but "rows". */
void pk_gpu_json(struct pk_json_writer *w, const struct pk_gpu *g, enum pk_gpu_view view);
