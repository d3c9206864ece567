/* Workers as JSON: shares, measures, tasks, diagnoses. */
#include <math.h>
#include <string.h>

#include "render/workers/grid.h"

static void put_shares(struct pk_json_writer *json, const struct pk_workers *w)
{
	pk_json_key(json, "shares");
	pk_json_flat_object(json);
	for (int k = 0; k < PK_WORK_COUNT; k++) {
		pk_json_key(json, pk_work_names[k]);
		pk_json_double(json, k == PK_WORK_TAIL && !w->timed ? NAN : w->share[k], 6);
	}
	pk_json_end(json);
}

static void put_metrics(struct pk_json_writer *json, const struct pk_workers *w)
{
	const struct pk_work_metrics *m = &w->metrics;

	pk_json_put_object(json, "metrics");
	pk_json_put(json,
		    "workers %u load_balance %g communication_efficiency %g parallel_efficiency %g",
		    w->count, m->load_balance, m->communication_efficiency, m->parallel_efficiency);
	pk_json_put(json,
		    "imbalance_percent %g imbalance_time %g craypat_percent %g cov %g gini %g",
		    m->imbalance_percent, m->imbalance_time, m->craypat_percent, m->cov, m->gini);
	pk_json_put(json, "tail_loss %g startup_loss %g", m->tail_loss, m->startup_loss);
	pk_json_put_flat_array(json, "time_at");
	for (uint32_t k = 0; w->timed && !w->is_part && k <= w->count; k++)
		pk_json_int(json, w->time_at[k]);
	pk_json_end(json);
	pk_json_put(json, "effective_workers %g first_useful_share %g straggler_ratio %g",
		    m->effective_workers, m->first_useful_share, m->straggler_ratio);
	pk_json_put(json, "serial_time %jd sampling_error_percent %g significant %d processors %jd",
		    w->serial, m->sampling_error, m->significant,
		    w->processors ? w->processors : PK_NULL);
	pk_json_end(json);
}

static void put_tasks(struct pk_json_writer *json, const struct pk_workers *w)
{
	const struct pk_task_stats *t = &w->tasks;

	if (t->tasks == PK_NULL) {
		pk_json_put(json, "tasks %g", NAN);
		return;
	}
	pk_json_put(json,
		    "tasks {count %jd chunks %jd per_chunk %jd min %jd median %jd max %jd mean %g "
		    "stddev %g overhead %jd best_chunk %jd gain %g}",
		    t->tasks, t->chunks, t->per_chunk, t->tasks ? t->min : PK_NULL,
		    t->tasks ? t->median : PK_NULL, t->tasks ? t->max : PK_NULL,
		    t->tasks ? t->mean : NAN, t->tasks ? t->stddev : NAN,
		    t->tasks ? t->overhead : PK_NULL, t->best_chunk ? t->best_chunk : PK_NULL,
		    t->best_chunk ? t->gain : NAN);
}

static void put_diagnosis(struct pk_json_writer *json, const struct pk_workers *w,
			  const struct pk_diagnosis *d)
{
	pk_json_object(json);
	pk_json_put(json, "code %s severity %s text %s evidence", d->code, d->severity, d->text);
	pk_json_flat_object(json);
	for (int i = 0; i < d->evidence_count; i++) {
		pk_json_key(json, d->evidence[i].name);
		pk_json_double(json, d->evidence[i].value, 6);
	}
	pk_json_end(json);
	pk_json_put(json, "advice %s worker %s", d->advice,
		    d->worker == UINT32_MAX ? NULL : w->worker[d->worker].name);
	pk_json_end(json);
}

static void put_notes(struct pk_json_writer *json, const struct pk_workers *w)
{
	const char *text = w->notes.len ? w->notes.data : "";

	pk_json_put_array(json, "notes");
	while (*text) {
		size_t len = strcspn(text, "\n");

		pk_json_text_len(json, text, len);
		text += len + 1;
	}
	pk_json_end(json);
}

void pk_workers_json(struct pk_json_writer *json, const struct pk_workers *w)
{
	struct pk_grid grid;
	size_t left_out;

	pk_json_put(json, "window {start %jd end %jd source %s unit %s by %s clock %s}",
		    w->window.start, w->window.end, pk_window_sources[w->window.source], w->unit,
		    pk_workers_bys[w->by], w->clock);
	pk_workers_grid(&grid, w, 0, false, 0, &left_out);
	pk_grid_rows_json(json, "workers", &grid);
	pk_grid_release(&grid);
	put_shares(json, w);
	put_metrics(json, w);
	put_tasks(json, w);
	pk_json_put_array(json, "diagnosis");
	for (int i = 0; i < w->diagnoses; i++)
		put_diagnosis(json, w, &w->diagnosis[i]);
	pk_json_end(json);
	put_notes(json, w);
}
