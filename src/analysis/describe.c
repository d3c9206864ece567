/* What analyses know of a run goes into parts: GPUs in each step, collectives, workers. */
#include "analysis/describe.h"

#include "analysis/gpu/ranks/part.h"
#include "analysis/workers/part.h"

void pk_describe_run(struct pk_reduction *part, const struct pk_profile *p, uint32_t member)
{
	pk_gpu_describe(part, p, member);
	pk_workers_describe(part, p, member);
}
