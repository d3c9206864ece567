#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/gpu/like/rows.h"
#include "base/error.h"
#include "model/profile.h"

/*
 * The tables of facebookresearch/HolisticTraceAnalysis 0.5, by its definitions: times are cut to
 * whole us (begins up, ends down), the last ProfilerStep is left out if there are several, and all
 * work on a GPU that was launched before it counts. Traces are added one after the other.
 */
enum pk_hta_table {
	PK_HTA_TEMPORAL,
	PK_HTA_IDLE,
	PK_HTA_IDLE_INTERVALS,
	PK_HTA_KERNEL_TYPES,
	PK_HTA_KERNELS,
	PK_HTA_OVERLAP,
	PK_HTA_QUEUE,
	PK_HTA_QUEUE_SERIES,
	PK_HTA_FULL_QUEUE,
	PK_HTA_BANDWIDTH,
	PK_HTA_BANDWIDTH_SERIES,
	PK_HTA_LAUNCHES,
	PK_HTA_GPU_ANNOTATIONS,
	PK_HTA_CPU_ANNOTATIONS,
	PK_HTA_OPERATORS,
	PK_HTA_CUPTI,
	PK_HTA_DIFF, /* of two traces; the others of one or more */
	PK_HTA_DIFF_CPU,
	PK_HTA_DIFF_GPU,
	PK_HTA_TABLES
};

struct pk_hta {
	enum pk_hta_table table;
	bool exact;      /* times are not rounded, as with HTA_DISABLE_NS_ROUNDING=1 */
	int64_t kernels; /* number of kernels that are named for each type and rank; 0 = all */
	struct pk_gpu_rows rows;
	size_t traces; /* that were added */
	int64_t first; /* begin of the first trace: in the end, times of series count from there */
};

/* -1 with err (PK_EFORMAT) for a trace that has nothing on a GPU; tables of the CPU and of counters
 * need nothing there. */
int pk_hta_add(struct pk_hta *h, const struct pk_profile *p, int64_t rank, struct pk_error *err);
/* Call it after the last trace: puts the rows in HTA's order. */
void pk_hta_finish(struct pk_hta *h);
