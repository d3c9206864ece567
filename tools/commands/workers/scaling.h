#pragma once

#include "analysis/workers/workers.h"
#include "tools/command.h"

/* `workers --scaling`: every operand is a run of the same work, RUN or RUN=N with N workers. Shows
 * a table, or draws a picture to a file whose name ends in .svg. */
int pk_workers_scaling(const struct pk_common *c, const struct pk_workers_options *options,
		       int argc, char **argv, struct pk_error *err);
