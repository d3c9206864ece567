#pragma once

#include "base/error.h"
#include "model/profile.h"

/*
 * The steps of the traces of both sides, a profile of values for each side: see
 * analysis/gpu/steps.h. Nothing if they were made before. -1 with err if traces have no work on a
 * GPU, or one side alone has steps.
 */
int pk_check_steps(struct pk_profiles made[2], const struct pk_profiles sides[2],
		   struct pk_error *err);
