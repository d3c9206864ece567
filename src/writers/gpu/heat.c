/* GPUs as a heat map of their steps. */
#include "writers/gpu/heat.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "render/gpu/grid.h"
#include "writers/heat.h"

enum { PARTS = PK_GPU_KINDS + PK_GPU_IDLES };

static const char *const part_names[PARTS] = {"compute",     "exposed comm", "exposed copies",
					      "launch",      "data loading", "host wait",
					      "kernel wait", "other idle"};

/* What runs at the same time, in the order of its bits; the last is idle. */
static const char *const state_names[PARTS] = {
	"compute",         "comm",         "compute +comm", "copies",
	"compute +copies", "comm +copies", "all three",     "idle"};
_Static_assert((int)PARTS == (int)PK_GPU_STATES, "both have as many columns");

static void find_states(int64_t part[PARTS], const struct pk_gpu_times *t)
{
	for (int i = 1; i < PK_GPU_STATES; i++)
		part[i - 1] = t->ran[i];
	part[PARTS - 1] = pk_gpu_idle_time(t);
}

/* The numbers of all steps; the caller frees them. */
static int64_t *find_steps(const struct pk_gpu *g, uint32_t *steps)
{
	int64_t *step = NULL;
	size_t alloc = 0, count = 0;

	*steps = 0;
	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];

		PK_GROW(step, count + d->windows, alloc);
		for (uint32_t k = 0; k < d->windows; k++)
			step[count++] = d->window[k].step;
	}
	qsort(step, count, sizeof(*step), pk_compare_ints);
	for (size_t i = 0; i < count; i++)
		if (!i || step[i] != step[i - 1])
			step[(*steps)++] = step[i];
	return step;
}

/* The time of a step, without the time in which it only communicates: most of that is waiting for
 * others, so that steps of all ranks take the same time. */
static int64_t own_time(const struct pk_gpu_window *w)
{
	return pk_gpu_whole(&w->times) - pk_gpu_exposed(&w->times, PK_GPU_COMMUNICATION);
}

/* The steps of a GPU are in order. */
static void put_values(struct pk_heat_value *value, const int64_t *step, uint32_t steps,
		       const struct pk_gpu_device *d)
{
	uint32_t window = 0;

	for (uint32_t s = 0; s < steps; s++) {
		const struct pk_gpu_window *w = &d->window[window];

		if (window == d->windows || w->step != step[s]) {
			value[s] = (struct pk_heat_value){PK_NULL, 0};
			continue;
		}
		value[s] = (struct pk_heat_value){pk_gpu_whole(&w->times), own_time(w)};
		window++;
	}
}

static void add_name(struct pk_buf *buf, const void *data, uint32_t row)
{
	const struct pk_gpu *g = data;

	pk_gpu_add_place(buf, g, &g->device[row]);
}

void pk_gpu_draw_heat(const struct pk_gpu *g, bool overlap, const char *title,
		      struct pk_output *out)
{
	uint32_t steps;
	PK_FREED int64_t *step = find_steps(g, &steps);
	PK_FREED struct pk_heat_value *value = pk_malloc(
		pk_mul(pk_mul((size_t)g->devices + 1, (size_t)steps + 1), sizeof(*value)));
	PK_FREED double *share = pk_malloc(pk_mul((size_t)g->devices + 1, PARTS * sizeof(*share)));
	int64_t part[PARTS];

	for (uint32_t i = 0; i < g->devices; i++) {
		put_values(value + (size_t)i * steps, step, steps, &g->device[i]);
		(overlap ? find_states : pk_gpu_parts)(part, &g->device[i].times);
		for (int k = 0; k < PARTS; k++)
			share[(size_t)i * PARTS + k] = pk_gpu_share(part[k], &g->device[i].times);
	}
	pk_heat_draw(&(struct pk_heat){.label = "Heat map of GPUs",
				       .title = title,
				       .what = "time of each step without exposed communication, "
					       "by its median",
				       .own = "its own",
				       .rows_are = "GPUs",
				       .shared = "the steps",
				       .its = "its steps",
				       .data = g,
				       .add_name = add_name,
				       .step = step,
				       .value = value,
				       .part = overlap ? state_names : part_names,
				       .share = share,
				       .rows = g->devices,
				       .steps = steps,
				       .parts = PARTS},
		     out);
}
