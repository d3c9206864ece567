/*
 * Figures by name. The rules (rules.c) compare them with limits, put them into sentences, and give
 * them to scripts as evidence. A figure that is not known or not defined is NaN.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/rules.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/label.h"
#include "model/nameless.h"

static void put_figure(struct pk_figures *f, const char *name, double value, bool is_time)
{
	PK_GROW(f->item, (size_t)f->count + 1, f->alloc);
	f->item[f->count++] = (struct pk_figure){name, value, is_time};
}

static void put(struct pk_figures *f, const char *name, double value)
{
	put_figure(f, name, value, false);
}

/* In ns, or in samples. */
static void put_time(struct pk_figures *f, const char *name, double value)
{
	put_figure(f, name, value, true);
}

const struct pk_figure *pk_figure(const struct pk_figures *f, const char *name, size_t len)
{
	for (int i = 0; i < f->count; i++)
		if (strlen(f->item[i].name) == len && memcmp(f->item[i].name, name, len) == 0)
			return &f->item[i];
	return NULL;
}

static double known(bool is_known, double value)
{
	return is_known ? value : NAN;
}

/* True if samples are of processors, as perf's: workers that wait for a processor have none. */
static bool samples_processors(const struct pk_profile *p)
{
	const char *name = p->metric.count > 1 ? pk_text(p, p->metric.name[1]) : "";

	return strstr(name, "cpu-clock") || strstr(name, "task-clock") || strstr(name, "cycles");
}

static bool has_python(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->function.count; i++)
		if (p->function.kind[i] == PK_KIND_PYTHON)
			return true;
	return false;
}

static bool has_interpreter(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->function.count; i++)
		if (!strcmp(pk_text(p, p->function.name[i]), "_PyEval_EvalFrameDefault"))
			return true;
	return false;
}

/* What was recorded of Python: its functions, or only those of the interpreter. Words of Python fit
 * either. */
static void put_python(struct pk_figures *f, const struct pk_profile *p)
{
	bool functions = has_python(p), interpreter = !functions && has_interpreter(p);
	bool viztracer =
		p->run.count > 1 && pk_starts_with(pk_text(p, p->run.producer[1]), "viztracer");

	put(f, "blind_to_python", interpreter);
	put(f, "python", known(functions || interpreter || viztracer, 1));
	put(f, "viztracer", known(viztracer, 1));
	put(f, "other_python", known((functions || interpreter) && !viztracer, 1));
}

/* Recorded time of workers by what their functions are. */
struct recorded {
	double python, useful; /* useful time in Python's functions, and all of it */
	double lock, own_lock; /* waiting for locks; for those of the program */
	double waited;         /* in the function in which they wait longest */
	double lost;           /* whose calls were lost */
};

/* For each waiting path, the function that waits: the outermost one. */
static uint32_t *waiting_functions(const struct pk_profile *p, const uint8_t *class)
{
	uint32_t *waits = pk_calloc(p->node.count, sizeof(*waits));

	for (uint32_t i = 1; i < p->node.count; i++) {
		uint32_t parent = p->node.parent[i];

		if (class[i] == PK_CLASS_WAIT)
			waits[i] = class[parent] == PK_CLASS_WAIT && waits[parent]
					   ? waits[parent]
					   : pk_node_function(p, i);
	}
	return waits;
}

/* The function in which calls were lost; 0 = none. */
static uint32_t find_lost(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->function.count; i++)
		if (!strcmp(pk_text(p, p->function.name[i]), PK_CALLS_LOST))
			return i;
	return 0;
}

static void add_recorded(struct recorded *r, struct pk_figures *f, const struct pk_workers *w,
			 uint32_t run)
{
	const struct pk_profile *p = w->runs->item[run];
	const struct pk_classes *c = &w->classes[run];
	uint32_t *worker = pk_workers_of_threads(w, run), most = 0;
	uint32_t *waits = waiting_functions(p, c->of_node);
	int64_t *sum = pk_calloc(p->function.count, sizeof(*sum));
	uint32_t lost = find_lost(p);

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i], function = pk_node_function(p, node);
		double self = (double)p->cost.self[i];

		if (pk_cost_metric(p, i) != 1 || !worker[pk_cost_thread(p, i)] || self <= 0)
			continue;
		r->lost += function && function == lost ? self : 0;
		if (c->of_node[node] == PK_CLASS_USEFUL) {
			r->useful += self;
			r->python += p->function.kind[function] == PK_KIND_PYTHON ? self : 0;
		}
		if (c->of_node[node] == PK_CLASS_LOCK) {
			r->lock += self;
			r->own_lock += c->marks[node] & PK_MARK_OWN_LOCK ? self : 0;
		}
		if (c->of_node[node] == PK_CLASS_WAIT && waits[node]) {
			pk_add_saturated(&sum[waits[node]], p->cost.self[i]);
			most = sum[waits[node]] > sum[most] ? waits[node] : most;
		}
	}
	if ((double)sum[most] > r->waited) {
		struct pk_buf name = PK_BUF_INIT;

		pk_function_label(&name, p, most, PK_LABEL_SHORT);
		free(f->waited);
		f->waited = pk_buf_detach(&name);
		r->waited = (double)sum[most];
	}
	free(worker);
	free(waits);
	free(sum);
}

static double class_sum(const struct pk_workers *w, enum pk_work_class class)
{
	int64_t sum = 0;

	if (w->is_part)
		return NAN;
	for (uint32_t i = 0; i < w->count; i++)
		pk_add_saturated(&sum, w->worker[i].class_time[class]);
	return (double)sum;
}

/* Threads of one CPython process, whose lock (GIL) lets one of them run Python code. Samples of
 * processors show when they ran. */
static bool share_interpreter(const struct pk_workers *w)
{
	for (uint32_t i = 1; i < w->count; i++)
		if (w->worker[i].process != w->worker[0].process)
			return false;
	return w->by == PK_BY_THREAD && !samples_processors(w->runs->item[0]);
}

/* The share of useful time in which more than `limit` workers are useful at once. */
static double over(const struct pk_workers *w, uint32_t limit, uint32_t *most)
{
	double all = 0, over = 0;

	*most = 0;
	for (uint32_t k = 1; k <= w->count; k++) {
		if (!w->time_at[k])
			continue;
		*most = k;
		all += (double)k * (double)w->time_at[k];
		if (k > limit)
			over += (double)(k - limit) * (double)w->time_at[k];
	}
	return all > 0 ? over / all : 0;
}

/* Figures from the names of functions. */
static void put_functions(struct pk_figures *f, const struct pk_workers *w)
{
	double overhead = (double)w->sum[PK_WORK_OVERHEAD];
	double busy = overhead + (double)w->sum[PK_WORK_USEFUL];
	struct recorded r = {0};
	double gil_excess, own_lock;
	uint32_t most;
	bool gil;

	for (size_t i = 0; i < w->runs->count && !w->is_part; i++)
		add_recorded(&r, f, w, (uint32_t)i);
	put_time(f, "lost_time", known(r.lost > 0, r.lost));
	put(f, "lost_share", r.lost / w->count / (double)pk_workers_span(w));
	gil = share_interpreter(w) && r.python >= r.useful / 2 && r.python > 0;
	gil_excess = gil && w->timed ? over(w, 1, &most) : 0;
	put(f, "gil", gil);
	put(f, "gil_excess", gil_excess);
	put(f, "gil_loss", gil_excess * w->share[PK_WORK_USEFUL]);
	own_lock = r.lock > 0 ? r.own_lock / r.lock * class_sum(w, PK_CLASS_LOCK) : 0;
	put(f, "own_lock_share", own_lock > 0 ? own_lock / overhead : 0);
	put(f, "own_lock_of_busy", own_lock > 0 ? own_lock / busy : 0);
	put(f, "waited",
	    known(r.waited * 10 >= (double)w->sum[PK_WORK_WAIT] && r.waited > 0,
		  fmin(r.waited / (double)w->sum[PK_WORK_WAIT], 1)));
}

/* The share of the workers whose names differ in numbers only, as those of a pool do. */
static double most_alike(const struct pk_workers *w)
{
	char **name = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*name)));
	uint32_t most = 0, same = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		const char *from = w->worker[i].name;
		char *to = name[i] = pk_malloc(strlen(from) + 1);

		for (; *from; from++)
			if (*from < '0' || *from > '9')
				*to++ = *from;
		*to = '\0';
	}
	qsort(name, w->count, sizeof(*name), pk_compare_texts);
	for (uint32_t i = 0; i < w->count; i++) {
		same = i && strcmp(name[i], name[i - 1]) == 0 ? same + 1 : 1;
		most = same > most ? same : most;
	}
	for (uint32_t i = 0; i < w->count; i++)
		free(name[i]);
	free(name);
	return (double)most / w->count;
}

/* Rows of the scheduler with the states of a thread. */
static double count_scheduled(const struct pk_profile *p)
{
	double count = 0;

	for (uint32_t i = 1; i < p->thread.count; i++)
		count += p->thread.role[i] == PK_ROLE_STATES;
	return count;
}

static void put_recording(struct pk_figures *f, const struct pk_workers *w)
{
	const struct pk_profile *p = w->runs->item[0];
	bool counted = false; /* austin's text has sums of time only */
	double samples = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (w->worker[i].samples != PK_NULL)
			samples += (double)w->worker[i].samples;
		counted |= w->worker[i].samples != PK_NULL;
	}
	put(f, "workers", w->count);
	put(f, "is_part", w->is_part);
	put(f, "alike", w->count ? most_alike(w) : 0);
	put(f, "samples", samples);
	put(f, "samples_each", known(w->sampled && counted, samples / w->count));
	put(f, "timed", w->timed);
	put(f, "only_samples", w->timed && w->sampled && p->span.count == 1);
	put(f, "by_rank", w->by == PK_BY_RANK);
	put(f, "async_tasks", w->async_tasks);
	put(f, "scheduled", count_scheduled(p));
	put(f, "by_task", w->by == PK_BY_TASK);
	put(f, "on_host", w->by < PK_BY_RANK);
	put(f, "lone_collectives", w->lone_collectives);
	put(f, "tasks_known", w->tasks.tasks != PK_NULL);
	put_python(f, p);
}

static void put_shares(struct pk_figures *f, const struct pk_workers *w)
{
	const struct pk_work_metrics *m = &w->metrics;
	bool chance = w->sampled && !m->significant;
	double span = (double)pk_workers_span(w);

	for (int k = 0; k < PK_WORK_COUNT; k++)
		put(f, pk_work_names[k], w->share[k]);
	put(f, "parallel_efficiency", m->parallel_efficiency);
	put(f, "communication_efficiency", m->communication_efficiency);
	put(f, "load_balance", m->load_balance);
	put(f, "chance", chance);
	put(f, "likely_balance", chance ? 1 : m->load_balance);
	put(f, "imbalance_percent", m->imbalance_percent);
	put_time(f, "imbalance_time", m->imbalance_time);
	put(f, "imbalance_loss", m->imbalance_time / span);
	put(f, "saving", m->significant ? m->imbalance_time / span : 0);
	put(f, "sampling_error", m->sampling_error);
	put(f, "shown_error", known(w->sampled && isfinite(m->sampling_error), m->sampling_error));
	put(f, "chance_error", known(m->sampling_error > 0 && !m->significant, m->sampling_error));
	put(f, "effective_workers", m->effective_workers);
	put_time(f, "most", (double)w->worker[f->busiest].work[PK_WORK_USEFUL]);
}

static void put_parent(struct pk_figures *f, const struct pk_workers *w)
{
	double span = (double)pk_workers_span(w), busy = 0;
	double serial = known(w->serial != PK_NULL, (double)w->serial / span);
	double alone = w->serial != PK_NULL ? serial : 0;

	for (uint32_t i = 0; i < w->others; i++)
		if (w->other[i].role == PK_WORKER_MAIN)
			busy += (double)w->other[i].work[PK_WORK_USEFUL] +
				(double)w->other[i].work[PK_WORK_OVERHEAD];
	put(f, "parent_busy", busy / span);
	put_time(f, "parent_time", busy);
	put(f, "parent_times", busy / fmax((double)w->sum[PK_WORK_USEFUL], 1));
	put_time(f, "useful_time", (double)w->sum[PK_WORK_USEFUL]);
	put(f, "parent_serial", alone);
	put(f, "serial", serial);
	put_time(f, "serial_time", known(w->serial != PK_NULL, (double)w->serial));
	put(f, "amdahl_bound", 1 / (serial + (1 - serial) / w->count));
	/* Time in which the parent works alone is no start-up of workers. */
	put(f, "slow_start", known(w->timed, w->share[PK_WORK_STARTUP] - alone));
	put(f, "first_useful_share", w->metrics.first_useful_share);
	put_time(f, "first_task", w->metrics.first_useful_share * span);
}

static void put_overhead(struct pk_figures *f, const struct pk_workers *w)
{
	double overhead = (double)w->sum[PK_WORK_OVERHEAD];
	double busy = (double)w->sum[PK_WORK_USEFUL] + overhead;
	double lock = class_sum(w, PK_CLASS_LOCK), pickle = class_sum(w, PK_CLASS_SERIALISE);
	double transfer = class_sum(w, PK_CLASS_TRANSFER), waiting = class_sum(w, PK_CLASS_WAIT);
	double recorded = 0;

	/* If samples are of processors, waiting for a task is time without samples. */
	if (w->sampled && w->by == PK_BY_PROCESS && samples_processors(w->runs->item[0]))
		waiting += (double)w->sum[PK_WORK_WAIT];
	put_time(f, "busy", busy);
	for (int i = 0; i < PK_CLASS_COUNT; i++)
		recorded += class_sum(w, i);
	put_time(f, "recorded", recorded);
	put(f, "overhead_of_busy", busy > 0 ? overhead / busy : 0);
	/* A worker that passes small tasks keeps others waiting. */
	put(f, "passing_loss", w->share[PK_WORK_OVERHEAD] + w->share[PK_WORK_WAIT]);
	put_time(f, "transfer", transfer);
	put_time(f, "serialise", pickle);
	put_time(f, "lock", lock);
	put(f, "serialise_share", pickle / overhead);
	put(f, "passing_share", (pickle + transfer) / overhead);
	put(f, "lock_share", lock / overhead);
	put(f, "passing_per_lock", (transfer + waiting) / lock);
}

static void put_tasks(struct pk_figures *f, const struct pk_workers *w)
{
	const struct pk_task_stats *t = &w->tasks;
	bool has = t->tasks != PK_NULL;
	int64_t size = has ? t->tasks / (10 * (int64_t)w->count) : 0;

	size = size < t->per_chunk / 2 ? size : t->per_chunk / 2;
	put(f, "tasks", known(has, (double)t->tasks));
	put(f, "each", known(t->tasks > 0, (double)t->tasks));
	put(f, "chunks", known(has, (double)t->chunks));
	put_time(f, "task_median", known(has, (double)t->median));
	put_time(f, "task_overhead", known(has, (double)t->overhead));
	put_time(f, "shortest_task", known(has, (double)t->min));
	put_time(f, "longest_task", known(has, (double)t->max));
	put_time(f, "half_task", (double)t->max / 2);
	put(f, "tasks_per_chunk", known(has, (double)t->per_chunk));
	put(f, "best_chunk", known(t->best_chunk > 1, (double)t->best_chunk));
	put(f, "gain", known(t->best_chunk > 1 && t->gain > 0, 100 * t->gain));
	put(f, "smaller_chunk", size > 1 ? (double)size : 1);
}

static double mean_task(const struct pk_worker *w)
{
	return known(w->tasks > 0, (double)w->task_time / (double)w->tasks);
}

/* Compares the tasks of the worker that ends last with those of the others. */
static void put_last_tasks(struct pk_figures *f, const struct pk_workers *w, uint32_t which)
{
	const struct pk_worker *last = &w->worker[which];
	bool has_tasks = w->tasks.tasks != PK_NULL, has_chunks = has_tasks && last->chunks > 0;
	int64_t tasks = has_tasks ? w->tasks.tasks - last->tasks : 0;
	int64_t time = has_tasks ? w->tasks.total - last->task_time : 0;
	double sum = 0, n = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (i == which || w->worker[i].tasks <= 0)
			continue;
		sum += mean_task(&w->worker[i]);
		n++;
	}
	put(f, "has_longest", w->tasks.longest_worker == which);
	put_time(f, "own_task", mean_task(last));
	put_time(f, "other_task", (double)(tasks > 0 ? time / tasks : time));
	put(f, "slowness", mean_task(last) / (sum / n));
	put_time(f, "own_chunk", has_chunks ? (double)(last->task_time / last->chunks) : NAN);
	put(f, "more_chunks",
	    has_chunks ? (double)(last->chunks - w->tasks.chunks / (int64_t)w->count) : NAN);
}

/* When workers ran out of work. */
static void put_ends(struct pk_figures *f, const struct pk_workers *w)
{
	int64_t *end = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*end))), begin = INT64_MAX;
	double first = NAN, median = NAN, last = NAN, least;
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (w->worker[i].last == PK_NULL)
			continue;
		if (!n || w->worker[i].last > w->worker[f->last].last)
			f->last = i;
		begin = w->worker[i].first < begin ? w->worker[i].first : begin;
		end[n++] = w->worker[i].last;
	}
	if (n) {
		qsort(end, n, sizeof(*end), pk_compare_ints);
		first = (double)(end[n - 1] - end[0]);
		median = (double)(end[n - 1] - end[(n - 1) / 2]);
		last = (double)(end[n - 1] - begin);
	}
	free(end);
	put_last_tasks(f, w, f->last);
	put(f, "tail_loss", w->share[PK_WORK_TAIL]);
	put_time(f, "tail_time", first);
	put_time(f, "half_tail", first / 2);
	put_time(f, "after_median", median);
	put(f, "tail_of_window", first / (double)pk_workers_span(w));
	put(f, "last_is_busiest", f->last == f->busiest);
	/* How long all tasks would take if the longest came first: the useful time would then be
	 * shared evenly, but the run cannot be shorter than that task. */
	least = fmax(floor(w->metrics.effective_workers * (double)pk_workers_span(w) / w->count),
		     (double)w->tasks.max);
	put_time(f, "least", known(last > least, least));
	put_time(f, "all", last);
}

/* A trace counts waiting for a processor as useful. While k workers are useful on p processors, k -
 * p of them must have waited. Ranks may run on several machines, so nothing is known about them. */
static void put_processors(struct pk_figures *f, const struct pk_workers *w)
{
	bool has = w->processors && w->timed && w->by != PK_BY_RANK;
	uint32_t most;
	double excess = over(w, w->processors, &most), together = 0, single = 0;

	put(f, "processors", w->processors);
	put(f, "most_at_once", most);
	for (uint32_t k = 0; k <= w->count; k++)
		*(k > 1 ? &together : &single) += (double)k * (double)w->time_at[k];
	put(f, "together", w->timed ? together / (together + single) : NAN);
	/* The time of the run if no worker waited for another. */
	put(f, "by_chance", 1 - pow(1 - w->share[PK_WORK_USEFUL], w->count - 1));
	put(f, "quarter_chance", (1 - pow(1 - w->share[PK_WORK_USEFUL], w->count - 1)) / 4);
	put(f, "excess", has ? excess : 0);
	put(f, "excess_loss", has ? excess * w->share[PK_WORK_USEFUL] : 0);
	put(f, "busy_processors",
	    known(has && w->sampled && samples_processors(w->runs->item[0]),
		  w->metrics.effective_workers / w->processors));
}

/* The longest time without a useful worker. */
static void put_break(struct pk_figures *f, const struct pk_workers *w)
{
	int64_t start = 0, longest = 0;

	for (size_t i = 0; i + 1 < w->steps; i++) {
		int64_t length = w->step[i + 1].time - w->step[i].time;

		if (w->step[i].active || length <= longest)
			continue;
		longest = length;
		start = w->step[i].time;
	}
	put_time(f, "break_length", (double)longest);
	put_time(f, "break_start", (double)start);
	put(f, "break_share", (double)longest / (double)pk_workers_span(w));
}

void pk_figures_init(struct pk_figures *f, const struct pk_workers *w)
{
	*f = (struct pk_figures){.busiest = pk_workers_busiest(w)};
	put_recording(f, w);
	if (!w->count)
		return;
	put_shares(f, w);
	put_parent(f, w);
	put_overhead(f, w);
	put_functions(f, w);
	put_tasks(f, w);
	put_ends(f, w);
	put_processors(f, w);
	put_break(f, w);
}

void pk_figures_release(struct pk_figures *f)
{
	free(f->item);
	free(f->waited);
}
