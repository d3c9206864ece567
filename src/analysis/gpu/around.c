/*
 * What is around the call that launched work: modules of torch, the innermost annotation
 * (record_function), or all of the stack; as a name, "Net_0 > Linear_1", or as call paths that end
 * with the work, for flame graphs.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/text/str.h"
#include "model/build/builder.h"

enum { DEEPEST = 256 };

/* The name of the span in a path; NULL: the span is left out. Steps are left out because their
 * contents are alike, and so is the call that launches. */
static const char *name_in(const struct pk_gpu_input *in, uint32_t span)
{
	static const char module[] = "nn.Module: ";
	const char *name = pk_launches_name(&in->launches, span);
	enum pk_activity activity = in->launches.activity[span];

	if (in->result->by == PK_GPU_BY_MODULE)
		return pk_starts_with(name, module) ? name + strlen(module) : NULL;
	if (activity == PK_ACT_RUNTIME || pk_starts_with(name, "ProfilerStep#"))
		return NULL;
	return in->result->by == PK_GPU_BY_STACK || activity == PK_ACT_ANNOTATION ? name : NULL;
}

/* The names from the outermost to the innermost; for annotations, only the innermost. */
static int collect(const struct pk_gpu_input *in, uint32_t work, const char *name[DEEPEST])
{
	int most = in->result->by == PK_GPU_BY_ANNOTATION ? 1 : DEEPEST, count = 0;
	uint32_t span = in->launches.call[work] ?: in->launches.op[work];

	for (uint32_t steps = 0; span && count < most && steps < in->profile->span.count; steps++) {
		const char *text = name_in(in, span);

		if (text)
			name[count++] = text;
		span = in->parent[span];
	}
	for (int i = 0; i < count / 2; i++) {
		const char *other = name[i];

		name[i] = name[count - 1 - i];
		name[count - 1 - i] = other;
	}
	return count;
}

void pk_gpu_add_around(struct pk_buf *buf, const struct pk_gpu_input *in, uint32_t work)
{
	const char *name[DEEPEST];
	int count = collect(in, work, name);

	for (int i = 0; i < count; i++)
		pk_buf_addf(buf, "%s%s", i ? " > " : "", name[i]);
}

void pk_gpu_add_paths(struct pk_gpu_input *in)
{
	struct pk_builder *b = in->result->paths;
	uint32_t metric = pk_build_metric(b, "gpu_time", "ns", 0, PK_METRIC_TIME, PK_EXACT);

	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		const char *name[DEEPEST], *kernel = pk_launches_name(&in->launches, w.span);
		int count = collect(in, w.span, name);
		uint32_t node = 0;

		for (int k = 0; k < count; k++)
			node = pk_build_node(b, node, pk_build_label(b, name[k], strlen(name[k])));
		node = pk_build_node(b, node, pk_build_label(b, kernel, strlen(kernel)));
		pk_build_cost(b, 0, node, metric, w.end - w.start, 1);
	}
}
