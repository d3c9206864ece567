/* Steps of traces as values of a benchmark: how long each took, and its parts. */
#include "analysis/gpu/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/build/builder.h"

enum { LAUNCHES = -1, STEP = -2, IDLE = -3 };

/* part: of pk_gpu_parts, or one of these. */
static const struct {
	const char *name;
	int part;
} metrics[] = {
	{"step_time", STEP},
	{"computation", PK_GPU_COMPUTATION},
	{"exposed_comm", PK_GPU_COMMUNICATION},
	{"exposed_copies", PK_GPU_COPY},
	{"idle", IDLE},
	{"launch", PK_GPU_KINDS + PK_GPU_LAUNCH},
	{"data_loading", PK_GPU_KINDS + PK_GPU_DATA},
	{"host_wait", PK_GPU_KINDS + PK_GPU_HOST_WAIT},
	{"kernel_wait", PK_GPU_KINDS + PK_GPU_KERNEL_WAIT},
	{"other_idle", PK_GPU_KINDS + PK_GPU_OTHER},
	{"launches", LAUNCHES},
};
enum { METRICS = sizeof(metrics) / sizeof(*metrics) };

bool pk_gpu_is_step_metric(const char *name)
{
	for (size_t i = 0; i < METRICS; i++)
		if (!strcmp(name, metrics[i].name))
			return true;
	return false;
}

bool pk_gpu_has_steps(const struct pk_gpu *g)
{
	for (uint32_t i = 0; i < g->devices; i++)
		if (g->device[i].window->step == PK_NULL)
			return false;
	return g->devices > 0;
}

/* Seconds, or a number of launches. */
static double value_of(const struct pk_gpu_window *w, int part)
{
	int64_t parts[PK_GPU_KINDS + PK_GPU_IDLES];

	switch (part) {
	case LAUNCHES:
		return (double)w->launches;
	case STEP:
		return (double)pk_gpu_whole(&w->times) * 1e-9;
	case IDLE:
		return (double)pk_gpu_idle_time(&w->times) * 1e-9;
	default:
		pk_gpu_parts(parts, &w->times);
		return (double)parts[part] * 1e-9;
	}
}

struct at { /* a step on a GPU */
	uint32_t job;
	const struct pk_gpu_window *window;
};

PK_COMPARE(by_step, struct at,
	   PK_ORDER(a->job, b->job) ?: PK_ORDER(a->window->step, b->window->step))

static bool are_ranks_of_one_job(const struct pk_gpu *g)
{
	/* traces are in the order of their ranks */
	for (uint32_t i = 0; i < g->traces; i++)
		if (g->trace[i].rank == PK_NULL || (i && g->trace[i].rank == g->trace[i - 1].rank))
			return false;
	return true;
}

static struct at *collect(const struct pk_gpu *g, size_t *count)
{
	bool one_job = are_ranks_of_one_job(g);
	struct at *at;
	size_t all = 0;

	for (uint32_t i = 0; i < g->devices; i++)
		all += g->device[i].windows;
	at = pk_calloc(all + 1, sizeof(*at));
	*count = 0;
	for (uint32_t i = 0; i < g->devices; i++)
		for (uint32_t k = 0; k < g->device[i].windows; k++)
			at[(*count)++] = (struct at){.job = one_job ? 0 : g->device[i].trace,
						     .window = &g->device[i].window[k]};
	pk_sort(at, *count, sizeof(*at), by_step);
	return at;
}

static void add_values(struct pk_builder *b, uint32_t node, uint32_t metric, int part,
		       const struct at *at, size_t count)
{
	size_t next;

	pk_build_cost_of(b, &(struct pk_cost){.node = node, .metric = metric, .calls = PK_NULL});
	for (size_t i = 0; i < count; i = next) {
		struct pk_value value = {.node = node, .metric = metric, .iterations = PK_NULL};
		struct pk_thread thread = {.tid = (int64_t)at[i].job + 1, .sort = PK_NULL};
		double sum = 0;

		for (next = i; next < count && !by_step(&at[i], &at[next]); next++)
			sum += value_of(at[next].window, part);
		thread.process = pk_build_process(b, thread.tid, 0, PK_NULL);
		value.thread = pk_build_thread(b, &thread);
		value.value = sum / (double)(next - i);
		pk_build_value(b, &value);
	}
}

struct pk_profile *pk_gpu_step_values(const struct pk_gpu *g)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_function function = {
		.name = pk_build_text(b, pk_gpu_has_steps(g) ? "step" : "trace")};
	uint32_t id = pk_build_function(b, &function);
	uint32_t node = pk_build_node(b, 0, pk_build_place(b, id, 0));
	size_t count;
	PK_FREED struct at *at = collect(g, &count);

	pk_build_run_text(b, PK_RUN_FORMAT, "gpu");
	pk_build_run_text(b, PK_RUN_SOURCE, pk_texts_get(&g->names, g->trace->path));
	for (size_t m = 0; m < METRICS; m++) {
		bool counts = metrics[m].part == LAUNCHES;
		uint32_t metric =
			pk_build_metric(b, metrics[m].name, counts ? "" : "ns", 3,
					counts ? PK_METRIC_COUNT : PK_METRIC_TIME, PK_EXACT);

		pk_build_set(b, metric, aggregate, metric, PK_AGGREGATE_MEAN);
		add_values(b, node, metric, metrics[m].part, at, count);
	}
	return pk_builder_finish(b);
}
