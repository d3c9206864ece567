/* What the names in a trace tell: where copies go, what the program was written with. */
#include "analysis/gpu/by_name.h"

#include <string.h>

enum pk_copy_way pk_copy_way(const char *name)
{
	static const struct {
		const char *text;
		enum pk_copy_way way;
	} known[] = {
		{"DtoH", PK_COPY_TO_HOST},          {"D2H", PK_COPY_TO_HOST},
		{"D2M", PK_COPY_TO_HOST},           {"DeviceToHost", PK_COPY_TO_HOST},
		{"DtoD", PK_COPY_INSIDE},           {"D2D", PK_COPY_INSIDE},
		{"DeviceToDevice", PK_COPY_INSIDE}, {"PtoP", PK_COPY_INSIDE},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strstr(name, known[i].text))
			return known[i].way;
	return PK_COPY_OTHER;
}

enum pk_sync pk_sync_of(const char *name)
{
	static const struct {
		const char *text;
		enum pk_sync sync;
	} known[] = {
		/* the last that fits counts */
		{"Synchronize", PK_SYNC_OTHER},
		{"DeviceSynchronize", PK_SYNC_DEVICE},
		{"CtxSynchronize", PK_SYNC_DEVICE},
		{"StreamSynchronize", PK_SYNC_STREAM},
		{"EventSynchronize", PK_SYNC_EVENT},
		{"EventRecord", PK_SYNC_RECORD},
		{"StreamWaitEvent", PK_SYNC_WAIT_EVENT},
		/* of Intel's GPUs: SYCL and Level Zero */
		{"QueueFinish", PK_SYNC_STREAM},
		{"QueueSynchronize", PK_SYNC_STREAM},
		{"urEventWait", PK_SYNC_EVENT},
		{"piEventsWait", PK_SYNC_EVENT}, /* before 2025 */
		{"EventsWaitWithBarrier", PK_SYNC_WAIT_EVENT},
		{"HostSynchronize", PK_SYNC_EVENT}, /* zeEvent..., zeFence... */
		{"ListHostSynchronize", PK_SYNC_STREAM},
	};
	enum pk_sync sync = PK_SYNC_NONE;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strstr(name, known[i].text))
			sync = known[i].sync;
	return sync;
}

/* True if the first work names the operator that XLA made it of. */
static bool is_of_xla(const struct pk_launches *l)
{
	for (uint32_t i = 1; i < l->profile->span.count; i++) {
		struct pk_json_slice value;

		if (l->activity[i] == PK_ACT_KERNEL)
			return pk_launches_arg(l, i, "hlo_op", &value) ||
			       pk_launches_arg(l, i, "hlo_category", &value);
	}
	return false;
}

/* True for traces of torch.profiler, and of other recorders with kernels or operators of torch. */
static bool is_of_torch(const struct pk_profile *p)
{
	if (p->run.torch && p->run.torch[1])
		return true;
	for (uint32_t i = 1; i < p->function.count; i++) {
		const char *name = pk_text(p, p->function.name[i]);

		if (strstr(name, "at::native") || strstr(name, "aten::"))
			return true;
	}
	return false;
}

enum pk_program pk_program_of(const struct pk_launches *l)
{
	if (is_of_xla(l))
		return PK_PROGRAM_XLA;
	if (l->elsewhere)
		return PK_PROGRAM_ELSEWHERE;
	return is_of_torch(l->profile) ? PK_PROGRAM_TORCH : PK_PROGRAM_OTHER;
}
