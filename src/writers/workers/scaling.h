#pragma once

#include "analysis/workers/scaling.h"
#include "base/io/output.h"

/* Speed-up over the number of workers as an SVG picture: measured, by the fitted laws, and ideal.
 * name: what was measured, or NULL. */
void pk_scaling_draw(const struct pk_scaling *s, const char *name, struct pk_output *out);
