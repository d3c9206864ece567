/*
 * Who worked when: processes, threads or ranks with their useful time, overhead, start-up, tail
 * and waiting. Files of this folder are its steps.
 */
#include "analysis/workers/workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/internal.h"
#include "analysis/workers/part.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/label.h"

const char *const pk_work_names[] = {"useful", "overhead", "startup", "tail", "wait", NULL};
const char *const pk_worker_roles[] = {"worker", "main", "helper", NULL};
const char *const pk_window_sources[] = {"run", "workers", "sums", "runs", NULL};

static int read_runs(struct pk_workers *w, struct pk_work_lanes *lanes,
		     const struct pk_workers_options *options, struct pk_error *err)
{
	for (size_t i = 0; i < w->runs->count; i++) {
		const struct pk_profile *p = w->runs->item[i];

		if (pk_classes_init(&w->classes[i], p, options->classify, options->classify_count,
				    err))
			return -1;
		pk_work_lanes_init(&lanes[i], p, &w->classes[i]);
		w->timed &= lanes[i].timed;
		w->sampled |= lanes[i].sampled;
		if (!i)
			w->unit = pk_strdup(lanes[i].unit);
		else if (strcmp(w->unit, lanes[i].unit) != 0)
			return pk_fail(err, PK_EUSAGE,
				       "'%s' is in %s and '%s' in %s: they cannot be compared",
				       pk_run_name(w->runs->item[0]), w->unit, pk_run_name(p),
				       lanes[i].unit);
	}
	return 0;
}

/* Memory does not tell how busy workers were. */
static int want_time(const struct pk_profiles *runs, const struct pk_work_lanes *lanes,
		     struct pk_error *err)
{
	for (size_t i = 0; i < runs->count; i++) {
		const struct pk_profile *p = runs->item[i];

		if (!lanes[i].timed && p->metric.count > 1 && p->metric.kind[1] == PK_METRIC_BYTES)
			return pk_fail(
				err, PK_EUSAGE,
				"'%s' (%s) has memory and no times: 'profkit memory' shows it, "
				"and 'hotspots --by-worker' what each thread has of it",
				pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]));
	}
	return 0;
}

enum depth { ROLES, TIMES, ALL };

/* Parts have no facts beyond their rows. */
static int init_part(struct pk_workers *w, const struct pk_workers_options *options,
		     struct pk_error *err)
{
	const struct pk_profile *p = w->runs->item[0];

	w->is_part = true;
	if (pk_workers_of_part(w, p, options, err)) {
		pk_workers_release(w);
		return -1;
	}
	w->tasks = (struct pk_task_stats){.tasks = PK_NULL, .chunks = PK_NULL};
	w->time_at = pk_calloc((size_t)w->count + 1, sizeof(*w->time_at));
	pk_workers_add_up(w);
	pk_workers_metrics(w);
	pk_workers_diagnose(w);
	return 0;
}

static int want_no_parts(const struct pk_profiles *runs, struct pk_error *err)
{
	for (size_t i = 0; i < runs->count; i++)
		if (pk_is_part(runs->item[i]))
			return pk_fail(
				err, PK_EUSAGE,
				"'%s' is a part: it is shown alone; profkit merge adds parts",
				pk_file_name(runs->item[i]));
	return 0;
}

static void put_numbers(struct pk_workers *w)
{
	for (uint32_t i = 0; i < w->count + w->others; i++) {
		struct pk_worker *worker = &w->worker[i];
		const struct pk_profile *p = w->runs->item[worker->run];

		worker->pid = worker->process ? p->process.pid[worker->process] : PK_NULL;
		worker->tid = worker->thread ? p->thread.tid[worker->thread] : PK_NULL;
	}
}

/* Finds the workers and, except for ROLES, compares them. */
static int init(struct pk_workers *w, const struct pk_profiles *runs,
		const struct pk_workers_options *options, enum depth depth, struct pk_error *err)
{
	struct pk_work_lanes *lanes;
	int status;

	*w = (struct pk_workers){.runs = runs, .timed = true, .serial = PK_NULL};
	w->classes = pk_calloc(runs->count + 1, sizeof(*w->classes));
	if (depth == ALL && runs->count == 1 && pk_is_part(runs->item[0]))
		return init_part(w, options, err);
	lanes = pk_calloc(runs->count + 1, sizeof(*lanes));
	w->processors = options->processors             ? (uint32_t)options->processors
			: runs->item[0]->run.processors ? runs->item[0]->run.processors[1]
							: 0;
	status = depth == ROLES ? 0 : want_no_parts(runs, err);
	if (!status)
		status = read_runs(w, lanes, options, err);
	if (!status && depth != ROLES)
		status = want_time(runs, lanes, err);
	if (!status)
		status = pk_workers_find(w, lanes, options, err);
	if (!status && depth != ROLES) {
		put_numbers(w);
		pk_workers_align(w, lanes);
		pk_workers_times(w, lanes);
		pk_workers_tasks(w);
	}
	if (!status && depth == ALL) {
		pk_workers_metrics(w);
		pk_workers_diagnose(w);
	}
	if (!status && runs->count) {
		w->sampling = lanes[0].sampling;
		lanes[0].sampling.thread = NULL;
	}
	for (size_t i = 0; i < runs->count; i++) {
		pk_work_lanes_release(&lanes[i]);
		free(w->classes[i].marks); /* the classes of paths are no longer needed */
		w->classes[i].marks = NULL;
	}
	free(lanes);
	if (status)
		pk_workers_release(w);
	return status;
}

int pk_workers_init(struct pk_workers *w, const struct pk_profiles *runs,
		    const struct pk_workers_options *options, struct pk_error *err)
{
	return init(w, runs, options, ALL, err);
}

int pk_workers_init_times(struct pk_workers *w, const struct pk_profiles *runs,
			  const struct pk_workers_options *options, struct pk_error *err)
{
	return init(w, runs, options, TIMES, err);
}

int pk_workers_init_roles(struct pk_workers *w, const struct pk_profiles *runs,
			  const struct pk_workers_options *options, struct pk_error *err)
{
	return init(w, runs, options, ROLES, err);
}

uint32_t pk_workers_busiest(const struct pk_workers *w)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < w->count; i++)
		if (w->worker[i].work[PK_WORK_USEFUL] > w->worker[best].work[PK_WORK_USEFUL])
			best = i;
	return best;
}

uint32_t *pk_work_owners(const struct pk_workers *w, uint32_t run, uint32_t count)
{
	const struct pk_profile *p = w->runs->item[run];
	uint32_t *of_process = pk_calloc(p->process.count, sizeof(*of_process));
	uint32_t *of = pk_calloc(p->thread.count, sizeof(*of)), all = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct pk_worker *worker = &w->worker[i];

		if (worker->run != run)
			continue;
		if (worker->thread)
			of[worker->thread] = i + 1;
		else if (worker->process)
			of_process[worker->process] = i + 1;
		else
			all = i + 1;
	}
	for (uint32_t t = 0; t < p->thread.count; t++)
		if (!of[t])
			of[t] = all ? all : of_process[p->thread.process[t]];
	free(of_process);
	return of;
}

uint32_t *pk_workers_of_threads(const struct pk_workers *w, uint32_t run)
{
	return pk_work_owners(w, run, w->count);
}

void pk_workers_forget_segments(struct pk_workers *w)
{
	free(w->segment);
	free(w->step);
	w->segment = NULL;
	w->step = NULL;
	w->segments = w->steps = 0;
}

void pk_workers_release(struct pk_workers *w)
{
	for (uint32_t i = 0; i < w->count + w->others; i++)
		free(w->worker[i].name);
	for (int i = 0; i < w->diagnoses; i++) {
		free(w->diagnosis[i].text);
		free(w->diagnosis[i].advice);
	}
	for (size_t i = 0; i < w->runs->count; i++)
		pk_classes_release(&w->classes[i]);
	free(w->classes);
	free(w->worker);
	pk_workers_forget_segments(w);
	free(w->time_at);
	free(w->unit);
	pk_sampling_release(&w->sampling);
	pk_buf_release(&w->summary);
	pk_buf_release(&w->notes);
}

void pk_workers_add_time(struct pk_buf *buf, const struct pk_workers *w, int64_t value)
{
	if (strcmp(w->unit, "ns") == 0) {
		pk_format_value_unit(buf, value, "ns");
	} else {
		pk_format_count(buf, value);
		pk_buf_addf(buf, " %s", w->unit);
	}
}
