#pragma once

#include "analysis/gpu/gpu.h"
#include "base/io/output.h"

/*
 * Where the time of GPUs goes as an SVG picture, drawn as a timeline: a bar for each GPU, which is
 * as long as its mean step, with the parts of that side by side. A single GPU has a bar for each
 * step.
 */
int pk_gpu_draw(const struct pk_gpu *g, const char *title, struct pk_output *out,
		struct pk_error *err);
/* The same for what ran at the same time. */
int pk_gpu_draw_overlap(const struct pk_gpu *g, const char *title, struct pk_output *out,
			struct pk_error *err);
/* Counters over time (pk_gpu_counters_alone), with this unit or "". */
int pk_gpu_draw_counters(struct pk_profile *counters, const char *title, const char *unit,
			 struct pk_output *out, struct pk_error *err);
