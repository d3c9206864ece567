#pragma once

#include "analysis/gpu/gpu.h"

/* Figures of a GPU: the mean over its steps, in ns; the time that others waited for it is the sum
 * over all steps. */
enum pk_gpu_figure {
	PK_GPU_STEP_TIME,
	PK_GPU_PART_TIME, /* the parts of a step, which add up to it */
	PK_GPU_BUSY_TIME = PK_GPU_PART_TIME + PK_GPU_KINDS + PK_GPU_IDLES,
	PK_GPU_COMMUNICATION_TIME,
	PK_GPU_KEPT_WAITING,
	PK_GPU_FIGURES
};
extern const char *const pk_gpu_figures[]; /* "step", "computation", ..., NULL */

/* Over all GPUs; pN: the value at place ceil(N / 100 * devices) in order. Of several GPUs with the
 * least or the most, the first is named. */
struct pk_gpu_distribution {
	int64_t least, p5, median, p95, most;
	uint32_t least_in, most_in; /* index of the device */
};
void pk_gpu_distribute(struct pk_gpu_distribution *d, const struct pk_gpu *g,
		       enum pk_gpu_figure what);
