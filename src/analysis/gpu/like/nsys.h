#pragma once

#include "analysis/gpu/like/rows.h"
#include "base/error.h"
#include "model/profile.h"

/* Tables of `nsys stats`, by its definitions: sums, medians and sample deviations by name; shares
 * are of all rows. For copies, the size is summed up, too. */
enum pk_nsys_table {
	PK_NSYS_KERNELS,
	PK_NSYS_CALLS,
	PK_NSYS_COPIES,
	PK_NSYS_SYSTEM,
	PK_NSYS_SIZES,
	PK_NSYS_TABLES
};

/* Values of a row. */
enum {
	PK_NSYS_SHARE, /* in percent */
	PK_NSYS_TOTAL,
	PK_NSYS_COUNT,
	PK_NSYS_MEAN,
	PK_NSYS_MEDIAN,
	PK_NSYS_LEAST,
	PK_NSYS_MOST,
	PK_NSYS_DEVIATION
};

/* Returns -1 with err (PK_EFORMAT) for a trace that has no such events. */
int pk_nsys_add(struct pk_gpu_rows *rows, const struct pk_profile *p, enum pk_nsys_table table,
		struct pk_error *err);
