#pragma once

#include "analysis/gpu/gpu.h"

/*
 * The steps of traces as a benchmark, for rules of `check`: one row "step" ("trace" without steps)
 * with a value of each metric for each step, which is the mean over the GPUs. Traces of different
 * known ranks are one job; else each trace is a process of its own.
 */
bool pk_gpu_is_step_metric(const char *name);
struct pk_profile *pk_gpu_step_values(const struct pk_gpu *g);
/* True if all GPUs have steps. */
bool pk_gpu_has_steps(const struct pk_gpu *g);
