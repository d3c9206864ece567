/* Rules about traces of GPUs: exposed_comm>2%, launches(step)>0. */
#include "tools/commands/check/steps.h"

#include "analysis/gpu/ranks/part.h"
#include "analysis/gpu/steps.h"

static int make_side(struct pk_profiles *made, const struct pk_profiles *side, bool *steps,
		     struct pk_error *err)
{
	struct pk_gpu gpu = {.without = PK_GPU_DETAILS};
	int status = 0;

	for (size_t i = 0; !status && i < side->count; i++)
		status = pk_is_part(side->item[i]) ? pk_gpu_add_part(&gpu, side->item[i], err)
						   : pk_gpu_add(&gpu, side->item[i], err);
	if (!status) {
		pk_gpu_finish(&gpu);
		*steps = pk_gpu_has_steps(&gpu);
		pk_profiles_add(made, pk_gpu_step_values(&gpu));
	}
	pk_gpu_release(&gpu);
	return status;
}

int pk_check_steps(struct pk_profiles made[2], const struct pk_profiles sides[2],
		   struct pk_error *err)
{
	bool steps[2];

	if (made[0].count)
		return 0;
	if (!make_side(&made[0], &sides[0], &steps[0], err) &&
	    !make_side(&made[1], &sides[1], &steps[1], err)) {
		if (steps[0] == steps[1])
			return 0;
		pk_fail(err, PK_EUSAGE, "traces of only one side have steps (ProfilerStep#N)");
	}
	pk_profiles_release(&made[0]);
	pk_profiles_release(&made[1]);
	return -1;
}
