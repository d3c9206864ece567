#pragma once

#include "analysis/gpu/gpu.h"
#include "model/part/part.h"

/* The facts that a part keeps about the GPUs of a run: pk_part_describe. Runs without work on a GPU
 * have no rows. */
void pk_gpu_describe(struct pk_reduction *part, const struct pk_profile *p, uint32_t member);

/* Adds the GPUs of all runs of a part, as pk_gpu_add adds those of a trace: steps, their times and
 * launches, and collectives. Kernels, streams, calls, copies and memory are not in parts. -1 with
 * err if the part has no GPUs. */
int pk_gpu_add_part(struct pk_gpu *g, const struct pk_profile *p, struct pk_error *err);
