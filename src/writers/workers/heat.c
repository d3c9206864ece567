/* Workers of a part as a heat map. */
#include "writers/workers/heat.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/workers/part.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "writers/heat.h"

static const char *const part_names[PK_WORK_COUNT] = {"useful", "overhead", "start-up", "tail",
						      "waiting"};

static int64_t whole_of(const int64_t work[PK_WORK_COUNT])
{
	int64_t whole = 0;

	for (int k = 0; k < PK_WORK_COUNT; k++)
		pk_add_saturated(&whole, work[k]);
	return whole;
}

static struct pk_heat_value value_of(const struct pk_worker_table *t, uint32_t row)
{
	const int64_t work[PK_WORK_COUNT] = {t->useful[row], t->overhead[row], t->startup[row],
					     t->tail[row], t->wait[row]};

	if (!row)
		return (struct pk_heat_value){PK_NULL, 0};
	return (struct pk_heat_value){whole_of(work), t->useful[row]};
}

static void add_name(struct pk_buf *buf, const void *data, uint32_t row)
{
	const struct pk_workers *w = data;

	pk_buf_add_visible(buf, w->worker[row].name);
}

void pk_workers_draw_heat(const struct pk_workers *w, const char *title, struct pk_output *out)
{
	static const int64_t all = PK_NULL;
	struct pk_worker_steps steps;
	struct pk_heat_value *value;
	struct pk_heat heat = {.label = "Heat map of workers",
			       .title = title,
			       .what = "useful time, by its median",
			       .own = "useful",
			       .rows_are = "workers",
			       .shared = "the time",
			       .its = "its time",
			       .data = w,
			       .add_name = add_name,
			       .part = part_names,
			       .rows = w->count,
			       .parts = PK_WORK_COUNT};
	PK_FREED double *share =
		pk_malloc(pk_mul((size_t)w->count + 1, PK_WORK_COUNT * sizeof(*share)));

	pk_worker_steps_init(&steps, w);
	heat.steps = steps.count ? steps.count : 1;
	heat.step = steps.count ? steps.number : &all;
	value = pk_malloc(pk_mul(pk_mul((size_t)w->count + 1, heat.steps), sizeof(*value)));
	for (uint32_t i = 0; i < w->count; i++) {
		const struct pk_worker *worker = &w->worker[i];
		int64_t whole = whole_of(worker->work);

		for (uint32_t s = 0; s < steps.count; s++)
			value[(size_t)i * steps.count + s] = value_of(
				&w->runs->item[0]->worker, steps.row[(size_t)i * steps.count + s]);
		if (!steps.count)
			value[i] = (struct pk_heat_value){whole, worker->work[PK_WORK_USEFUL]};
		for (int k = 0; k < PK_WORK_COUNT; k++)
			share[(size_t)i * PK_WORK_COUNT + k] =
				whole > 0 ? (double)worker->work[k] / (double)whole : NAN;
	}
	heat.value = value;
	heat.share = share;
	pk_heat_draw(&heat, out);
	free(value);
	pk_worker_steps_release(&steps);
}
