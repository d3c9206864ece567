#pragma once

#include "analysis/gpu/critical/critical.h"
#include "analysis/gpu/gpu.h"
#include "tools/command.h"

/* Shows the critical path of what is asked for in c, in the trace of that path. */
int pk_gpu_show_critical(const struct pk_common *common, struct pk_critical *c, enum pk_gpu_by by,
			 char *path, struct pk_error *err);
