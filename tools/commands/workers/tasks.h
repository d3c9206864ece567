#pragma once

#include "analysis/workers/workers.h"
#include "tools/command.h"

/* `workers --by task`: the tasks of asyncio: when they ran, when they could have run, and what they
 * awaited. */
int pk_workers_show_tasks(const struct pk_common *c, const struct pk_profiles *runs,
			  const struct pk_workers_options *options, struct pk_error *err);
