#include "analysis/gpu/ranks/distribution.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"

const char *const pk_gpu_figures[] = {"step",
				      "computation",
				      "exposed_communication",
				      "exposed_copies",
				      "launch",
				      "data_loading",
				      "host_wait",
				      "kernel_wait",
				      "other_idle",
				      "busy",
				      "communication",
				      "kept_waiting",
				      NULL};

static int64_t figure_of(const struct pk_gpu_device *d, enum pk_gpu_figure what)
{
	int64_t part[PK_GPU_KINDS + PK_GPU_IDLES];

	switch (what) {
	case PK_GPU_STEP_TIME:
		return pk_gpu_whole(&d->times) / d->windows;
	case PK_GPU_BUSY_TIME:
		return pk_gpu_busy(&d->times) / d->windows;
	case PK_GPU_COMMUNICATION_TIME:
		return pk_gpu_ran(&d->times, PK_GPU_COMMUNICATION) / d->windows;
	case PK_GPU_KEPT_WAITING:
		return d->kept_waiting;
	default:
		pk_gpu_parts(part, &d->times);
		return part[what - PK_GPU_PART_TIME] / d->windows;
	}
}

struct value {
	int64_t value;
	uint32_t device;
};

PK_COMPARE(by_value, struct value, PK_ORDER(a->value, b->value) ?: PK_ORDER(a->device, b->device))

static int64_t at(const struct value *v, uint32_t count, uint32_t percent)
{
	return v[((uint64_t)count * percent + 99) / 100 - 1].value;
}

void pk_gpu_distribute(struct pk_gpu_distribution *d, const struct pk_gpu *g,
		       enum pk_gpu_figure what)
{
	uint32_t count = g->devices, most = count - 1;
	PK_FREED struct value *v = pk_malloc(pk_mul((size_t)count + 1, sizeof(*v)));

	for (uint32_t i = 0; i < count; i++)
		v[i] = (struct value){figure_of(&g->device[i], what), i};
	pk_sort(v, count, sizeof(*v), by_value);
	while (most && v[most - 1].value == v[most].value)
		most--;
	*d = (struct pk_gpu_distribution){.least = v[0].value,
					  .p5 = at(v, count, 5),
					  .median = at(v, count, 50),
					  .p95 = at(v, count, 95),
					  .most = v[most].value,
					  .least_in = v[0].device,
					  .most_in = v[most].device};
}
