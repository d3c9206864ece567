#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/io/output.h"
#include "model/profile.h"

/* The flat profile of gprof -b -p, byte for byte, in a metric of any profile. If the metric is no
 * time, the columns are in its own unit. */
void pk_gprof_flat(const struct pk_profile *p, uint32_t metric, bool demangle,
		   struct pk_output *out);
