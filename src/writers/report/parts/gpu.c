/* Where the time of GPUs goes, a table for each view of `gpu`, and the operators, as `ops` has
 * them. */
#include <stdlib.h>

#include "analysis/gpu/gpu.h"
#include "analysis/ops/ops.h"
#include "base/alloc.h"
#include "render/gpu/grid.h"
#include "render/ops/grid.h"
#include "writers/report/parts/parts.h"

static void release_gpu(void *result)
{
	pk_gpu_release(result);
	free(result);
}

static void release_ops(void *result)
{
	pk_ops_release(result);
	free(result);
}

/* If a rank has no work on a GPU, `gpu` refuses them all, and so does the page. */
static struct pk_gpu *look_at_gpus(const struct pk_profiles *runs)
{
	struct pk_gpu *gpu = pk_calloc(1, sizeof(*gpu));
	struct pk_error err = PK_ERROR_INIT;

	gpu->details = gpu->count_flops = true;
	for (size_t i = 0; i < runs->count; i++) {
		if (runs->item[i]->span.count > 1 && !pk_gpu_add(gpu, runs->item[i], &err))
			continue;
		release_gpu(gpu);
		return NULL;
	}
	pk_gpu_finish(gpu);
	return gpu;
}

/* The first table has the result, which the others use, too. */
static void add_views(struct pk_report_parts *parts, struct pk_gpu *gpu)
{
	for (int view = PK_GPU_BREAKDOWN; view < PK_GPU_VIEWS; view++) {
		struct pk_report_table *table =
			pk_report_add_table(parts, "gpu", pk_gpu_views[view]);

		pk_gpu_grid(&table->grid, gpu, (enum pk_gpu_view)view, false);
		if (view != PK_GPU_BREAKDOWN)
			continue;
		table->result = gpu;
		table->release = release_gpu;
		pk_gpu_words(&table->words, gpu);
		pk_gpu_notes(&table->notes, gpu);
	}
}

static void add_ops(struct pk_report_parts *parts, const struct pk_profile *p)
{
	static const struct pk_ops_options options = {.sort = PK_OPS_CPU_SELF};
	struct pk_ops *ops = pk_calloc(1, sizeof(*ops));
	struct pk_error err = PK_ERROR_INIT;
	struct pk_report_table *table;

	if (pk_ops_init(ops, p, &options, &err)) {
		free(ops);
		return;
	}
	table = pk_report_add_table(parts, "ops", "");
	table->result = ops;
	table->release = release_ops;
	pk_ops_grid(&table->grid, ops, SIZE_MAX, false);
}

void pk_report_add_gpu(struct pk_report_parts *parts, const struct pk_report_data *d)
{
	const struct pk_profiles *runs = d->report->runs;
	const struct pk_profile *first = runs->item[0];
	struct pk_gpu *gpu = look_at_gpus(runs);

	if (gpu)
		add_views(parts, gpu);
	if (runs->count == 1 && first->span.count > 1 && (gpu || pk_torch_rules(first).version))
		add_ops(parts, first);
}
