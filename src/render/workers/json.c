#include <math.h>
#include <string.h>

#include "render/workers/grid.h"

static void put_window(struct pk_json_writer *json, const struct pk_workers *w)
{
	pk_json_put_flat_object(json, "window");
	pk_json_put_int(json, "start", w->window.start);
	pk_json_put_int(json, "end", w->window.end);
	pk_json_put_text(json, "source", pk_window_sources[w->window.source]);
	pk_json_put_text(json, "unit", w->unit);
	pk_json_put_text(json, "by", pk_workers_bys[w->by]);
	pk_json_put_text(json, "clock", w->clock);
	pk_json_end(json);
}

static void put_shares(struct pk_json_writer *json, const struct pk_workers *w)
{
	pk_json_put_flat_object(json, "shares");
	for (int k = 0; k < PK_WORK_COUNT; k++)
		pk_json_put_real(json, pk_work_names[k],
				 k == PK_WORK_TAIL && !w->timed ? NAN : w->share[k]);
	pk_json_end(json);
}

static void put_metrics(struct pk_json_writer *json, const struct pk_workers *w)
{
	const struct pk_work_metrics *m = &w->metrics;

	pk_json_put_object(json, "metrics");
	pk_json_put_int(json, "workers", w->count);
	pk_json_put_real(json, "load_balance", m->load_balance);
	pk_json_put_real(json, "communication_efficiency", m->communication_efficiency);
	pk_json_put_real(json, "parallel_efficiency", m->parallel_efficiency);
	pk_json_put_real(json, "imbalance_percent", m->imbalance_percent);
	pk_json_put_real(json, "imbalance_time", m->imbalance_time);
	pk_json_put_real(json, "craypat_percent", m->craypat_percent);
	pk_json_put_real(json, "cov", m->cov);
	pk_json_put_real(json, "gini", m->gini);
	pk_json_put_real(json, "tail_loss", m->tail_loss);
	pk_json_put_real(json, "startup_loss", m->startup_loss);
	pk_json_put_flat_array(json, "time_at");
	for (uint32_t k = 0; w->timed && k <= w->count; k++)
		pk_json_int(json, w->time_at[k]);
	pk_json_end(json);
	pk_json_put_real(json, "effective_workers", m->effective_workers);
	pk_json_put_real(json, "first_useful_share", m->first_useful_share);
	pk_json_put_real(json, "straggler_ratio", m->straggler_ratio);
	pk_json_put_int(json, "serial_time", w->serial);
	pk_json_put_real(json, "sampling_error_percent", m->sampling_error);
	pk_json_put_bool(json, "significant", m->significant);
	pk_json_put_int(json, "processors", w->processors ? w->processors : PK_NULL);
	pk_json_end(json);
}

static void put_tasks(struct pk_json_writer *json, const struct pk_workers *w)
{
	const struct pk_task_stats *t = &w->tasks;

	pk_json_key(json, "tasks");
	if (t->tasks == PK_NULL) {
		pk_json_null(json);
		return;
	}
	pk_json_flat_object(json);
	pk_json_put_int(json, "count", t->tasks);
	pk_json_put_int(json, "chunks", t->chunks);
	pk_json_put_int(json, "per_chunk", t->per_chunk);
	pk_json_put_int(json, "min", t->tasks ? t->min : PK_NULL);
	pk_json_put_int(json, "median", t->tasks ? t->median : PK_NULL);
	pk_json_put_int(json, "max", t->tasks ? t->max : PK_NULL);
	pk_json_put_real(json, "mean", t->tasks ? t->mean : NAN);
	pk_json_put_real(json, "stddev", t->tasks ? t->stddev : NAN);
	pk_json_put_int(json, "overhead", t->tasks ? t->overhead : PK_NULL);
	pk_json_put_int(json, "best_chunk", t->best_chunk ? t->best_chunk : PK_NULL);
	pk_json_put_real(json, "gain", t->best_chunk ? t->gain : NAN);
	pk_json_end(json);
}

static void put_diagnosis(struct pk_json_writer *json, const struct pk_workers *w,
			  const struct pk_diagnosis *d)
{
	pk_json_object(json);
	pk_json_put_text(json, "code", d->code);
	pk_json_put_text(json, "severity", d->severity);
	pk_json_put_text(json, "text", d->text);
	pk_json_put_flat_object(json, "evidence");
	for (int i = 0; i < d->evidence_count; i++)
		pk_json_put_real(json, d->evidence[i].name, d->evidence[i].value);
	pk_json_end(json);
	pk_json_put_text(json, "advice", d->advice);
	pk_json_put_text(json, "worker",
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

	put_window(json, w);
	pk_workers_grid(&grid, w, 0, false, &left_out);
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
