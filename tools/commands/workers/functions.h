#pragma once

#include "analysis/workers/workers.h"
#include "tools/command.h"

/* `workers --functions`: what the busiest worker did more than the others did on average. */
int pk_workers_show_functions(const struct pk_common *c, const struct pk_workers *w,
			      struct pk_error *err);
