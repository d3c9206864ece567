#pragma once

#include "analysis/workers/workers.h"
#include "tools/command.h"

/* `workers --functions`: the functions in which the busiest worker spent more time than the others
 * on average. */
int pk_workers_show_functions(const struct pk_common *c, const struct pk_workers *w,
			      struct pk_error *err);
