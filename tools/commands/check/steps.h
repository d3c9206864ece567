#pragma once

#include "base/error.h"
#include "model/profile.h"

/* Makes a profile of values of the steps of the traces for each side: see analysis/gpu/steps.h.
 * Does nothing if they were made before. Returns -1 with err if traces have no work on a GPU, or
 * only one side has steps. */
int pk_check_steps(struct pk_profiles made[2], const struct pk_profiles sides[2],
		   struct pk_error *err);
