#pragma once

#include "analysis/gpu/gpu.h"
#include "base/io/output.h"

/* Draws all GPUs as a heat map: a row for each, columns are steps (their time by the median of all
 * GPUs) and parts of the mean step (shares of it): what the time was spent on, or with `overlap`
 * what ran at the same time. Thousands of GPUs share rows, which show the one that is farthest from
 * the median. */
void pk_gpu_draw_heat(const struct pk_gpu *g, bool overlap, const char *title,
		      struct pk_output *out);
