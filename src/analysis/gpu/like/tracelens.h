#pragma once

#include "analysis/gpu/like/rows.h"
#include "base/error.h"
#include "model/profile.h"

/*
 * Sheets of AMD-AGI/TraceLens (generate_perf_report_pytorch) by its definitions: work whose launch
 * is not in the trace is left out, except in the summary of kernels; sets of memory count as
 * computation.
 */
enum pk_tracelens_table {
	PK_TRACELENS_TIMELINE,
	PK_TRACELENS_KERNELS,
	PK_TRACELENS_OPS,
	PK_TRACELENS_CATEGORIES,  /* ops_summary_by_category */
	PK_TRACELENS_ARGUMENTS,   /* ops_unique_args */
	PK_TRACELENS_SHORT,       /* short_kernels_summary */
	PK_TRACELENS_HISTOGRAM,   /* short_kernel_histogram */
	PK_TRACELENS_COLLECTIVES, /* coll_analysis */
	PK_TRACELENS_TABLES
};

/* -1 with err (PK_EFORMAT) for a trace that has nothing on a GPU. */
int pk_tracelens_add(struct pk_gpu_rows *rows, const struct pk_profile *p,
		     enum pk_tracelens_table table, struct pk_error *err);
