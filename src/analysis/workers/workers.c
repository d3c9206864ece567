#include "analysis/workers/workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"

const char *const pk_work_names[] = {"useful", "overhead", "startup", "tail", "wait", NULL};
const char *const pk_workers_bys[] = {"auto", "process", "thread", "rank", "stream", NULL};
const char *const pk_worker_roles[] = {"worker", "main", "helper", NULL};
const char *const pk_window_sources[] = {"run", "workers", "sums", NULL};
static void note(struct pk_workers *w, const char *text)
{
	pk_buf_adds(&w->notes, text);
	pk_buf_addc(&w->notes, '\n');
}

/* Whether it sees the interpreter, but not what that runs. */
static bool is_blind_to_python(const struct pk_profile *p)
{
	bool interpreter = false;

	for (uint32_t i = 1; i < p->function.count; i++) {
		if (p->function.kind[i] == PK_KIND_PYTHON)
			return false;
		interpreter |=
			strcmp(pk_text(p, p->function.name[i]), "_PyEval_EvalFrameDefault") == 0;
	}
	return interpreter;
}

/* Nobody has work for nearly all of the window: that is hardly the program's doing. */
static void note_break(struct pk_workers *w)
{
	int64_t start = 0, longest = 0;
	struct pk_buf text = PK_BUF_INIT;

	for (size_t i = 0; i + 1 < w->steps; i++) {
		int64_t length = w->step[i + 1].time - w->step[i].time;

		if (w->step[i].active || length <= longest)
			continue;
		longest = length;
		start = w->step[i].time;
	}
	if (!w->count || longest < pk_workers_span(w) / 10 * 9 || w->sum[PK_WORK_USEFUL] <= 0)
		return;
	pk_buf_adds(&text, "nobody has work for ");
	pk_format_value_unit(&text, longest, "ns");
	pk_buf_adds(&text, " from ");
	pk_format_value_unit(&text, start, "ns");
	pk_buf_adds(&text, " on, nearly all of the window: a clock that jumped, or a break? "
			   "--time START..END looks at a part");
	note(w, text.data);
	pk_buf_release(&text);
}

/* What cannot be known from such a profile. */
static void add_notes(struct pk_workers *w)
{
	const struct pk_profile *p = w->runs->item[0];

	if (w->clock)
		note(w, w->clock);
	if (w->uneven)
		note(w, "ranks do not have the same collectives: all of their time is waiting");
	if (!w->timed && w->count)
		note(w, "no times in this profile: only sums are compared. The window is at least "
			"the largest sum; how long it really was, start-up, tail and when workers "
			"waited are not known");
	else if (w->sampled && p->span.count == 1 && w->count)
		note(w, "from samples: time without a sample is time without work, and who has "
			"none is not seen");
	note_break(w);
	if (w->tasks.tasks == PK_NULL && w->count && w->by < PK_BY_RANK)
		note(w, "tasks are not known: that needs every call of a known pool's tasks "
			"(viztracer has them)");
	if (w->tasks.tasks != PK_NULL && w->tasks.tasks < w->tasks.chunks)
		note(w,
		     "there are more chunks than tasks: the shortest tasks are not in the profile "
		     "(viztracer leaves out what is below its --min_duration)");
	if (w->count && is_blind_to_python(p))
		note(w,
		     "Python's functions are not in this profile: what pools do themselves to pass "
		     "tasks counts as useful (py-spy and viztracer see it, perf with python -X "
		     "perf)");
}

/* How many processors the recording program said there were; 0 = it did not. */
static uint32_t find_processors(const struct pk_profile *p)
{
	static const char *const keys[] = {"nrcpus online", "num_cpus"}; /* perf; Chrome */

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *text = pk_meta_find(p, keys[i]);
		long n;

		if (!text)
			continue;
		n = strtol(text + strcspn(text, "0123456789"), NULL, 10);
		if (n > 0 && n < INT32_MAX)
			return (uint32_t)n;
	}
	return 0;
}

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
			return pk_fail(err, PK_EUSAGE, "runs in %s and in %s cannot be compared",
				       w->unit, lanes[i].unit);
	}
	return 0;
}

/* Who is a worker, and, if wanted, all that is to be said of them. */
static int init(struct pk_workers *w, const struct pk_profiles *runs,
		const struct pk_workers_options *options, bool all, struct pk_error *err)
{
	struct pk_work_lanes *lanes = pk_calloc(runs->count + 1, sizeof(*lanes));
	int64_t *shift = pk_calloc(runs->count + 1, sizeof(*shift));
	int status;

	*w = (struct pk_workers){.runs = runs, .timed = true, .serial = PK_NULL};
	w->processors = options->processors ? (uint32_t)options->processors
					    : find_processors(runs->item[0]);
	w->classes = pk_calloc(runs->count + 1, sizeof(*w->classes));
	status = read_runs(w, lanes, options, err);
	if (!status)
		status = pk_workers_find(w, lanes, options, err);
	if (!status && all) {
		pk_workers_align(w, shift);
		pk_workers_times(w, lanes, shift);
		pk_workers_metrics(w);
		pk_workers_tasks(w, shift);
		pk_workers_diagnose(w);
		add_notes(w);
	}
	for (size_t i = 0; i < runs->count; i++)
		pk_work_lanes_release(&lanes[i]);
	free(lanes);
	free(shift);
	if (status)
		pk_workers_release(w);
	return status;
}

int pk_workers_init(struct pk_workers *w, const struct pk_profiles *runs,
		    const struct pk_workers_options *options, struct pk_error *err)
{
	return init(w, runs, options, true, err);
}

int pk_workers_init_roles(struct pk_workers *w, const struct pk_profiles *runs,
			  const struct pk_workers_options *options, struct pk_error *err)
{
	return init(w, runs, options, false, err);
}

void pk_workers_release(struct pk_workers *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		free(w->worker[i].name);
	for (uint32_t i = 0; i < w->others; i++)
		free(w->other[i].name);
	for (int i = 0; i < w->diagnoses; i++) {
		free(w->diagnosis[i].text);
		free(w->diagnosis[i].advice);
	}
	for (size_t i = 0; i < w->runs->count; i++)
		pk_classes_release(&w->classes[i]);
	free(w->classes);
	free(w->worker);
	free(w->other);
	free(w->segment);
	free(w->step);
	free(w->time_at);
	free(w->unit);
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
