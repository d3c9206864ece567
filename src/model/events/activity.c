#include "model/events/activity.h"

#include <strings.h>

enum pk_activity pk_activity_of(const char *category)
{
	static const struct {
		const char *name;
		enum pk_activity activity;
	} known[] = {
		{"cpu_op", PK_ACT_OP},
		{"Operator", PK_ACT_OP},
		{"nvtx", PK_ACT_OP}, /* ranges of programs stand for operators */
		{"roctx", PK_ACT_OP},
		{"user_annotation", PK_ACT_ANNOTATION},
		{"python_function", PK_ACT_PYTHON},
		{"cuda_runtime", PK_ACT_RUNTIME},
		{"cuda_driver", PK_ACT_RUNTIME},
		{"hip_runtime", PK_ACT_RUNTIME},
		{"hsa", PK_ACT_RUNTIME},
		{"Runtime", PK_ACT_RUNTIME},
		{"xpu_runtime", PK_ACT_RUNTIME},
		{"xpu_driver", PK_ACT_RUNTIME},
		{"mtia_runtime", PK_ACT_RUNTIME},
		{"glow_runtime", PK_ACT_RUNTIME},
		{"privateuse1_runtime", PK_ACT_RUNTIME},
		{"privateuse1_driver", PK_ACT_RUNTIME},
		{"overhead", PK_ACT_OVERHEAD},
		{"Trace", PK_ACT_TRACE},
		{"kernel", PK_ACT_KERNEL},
		{"gpu_graph", PK_ACT_KERNEL}, /* of CUDA, whose kernels nsys did not trace */
		{"gpu_render_stage", PK_ACT_KERNEL},
		{"gpu_memcpy", PK_ACT_MEMCPY},
		{"Memcpy", PK_ACT_MEMCPY},
		{"gpu_memset", PK_ACT_MEMSET},
		{"Memset", PK_ACT_MEMSET},
		{"gpu_user_annotation", PK_ACT_GPU_ANNOTATION},
		{"cuda_sync", PK_ACT_SYNC},
		{"xpu_sync", PK_ACT_SYNC},
		{"cuda_event", PK_ACT_DEVICE},
		{"cuda_profiler_range", PK_ACT_DEVICE},
		{"hpu_op", PK_ACT_DEVICE},
		{"mtia_ccp_events", PK_ACT_KERNEL},
		{"mtia_insight", PK_ACT_DEVICE},
		{"collective_comm", PK_ACT_DEVICE},
		{"xpu_scope_profiler", PK_ACT_DEVICE},
	};

	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcasecmp(category, known[i].name))
			return known[i].activity;
	return PK_ACT_OTHER;
}
