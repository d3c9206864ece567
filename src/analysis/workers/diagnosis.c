/*
 * What is wrong with how the work was shared: rules, the most important first. A rule compares the
 * numbers of pk_workers with limits, and hands the numbers to the words of its case (words.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/internal.h"
#include "analysis/workers/words.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"

/* Limits; shares are of the workers' time unless something else is said. */
static const double FEW_SAMPLES = 30; /* for each worker */
static const double GOOD_EFFICIENCY = 0.8;
static const double GOOD_BALANCE = 0.9;
static const double BAD_BALANCE = 0.8;
static const double BAD_STARTUP = 0.3;   /* without the time in which the parent works */
static const double BAD_OVERHEAD = 0.25; /* of the time in which workers do anything */
static const double BAD_TAIL = 0.1;
static const double BAD_SERIAL = 0.2; /* of the run */
static const double BAD_WAIT = 0.25;
static const double BUSY_PARENT = 0.7;   /* of the run */
static const double BAD_EXCESS = 0.1;    /* of useful time: waiting for a processor */
static const double LEAST_SAVING = 0.05; /* of the window, by perfect balance */
static const double SLOW = 1.3;          /* tasks of one worker, compared with the others' */
static const int64_t TINY_TASK = 1000000, TINY_OVERHEAD = 10000000; /* ns */

enum { NONE = UINT32_MAX }; /* no worker in particular */

/* perf samples processors: who waits for one is not seen. */
static bool samples_processors(const struct pk_profile *p)
{
	const char *name = p->metric.count > 1 ? pk_text(p, p->metric.name[1]) : "";

	return strstr(name, "cpu-clock") || strstr(name, "task-clock") || strstr(name, "cycles");
}

static double busy_time(const struct pk_workers *w)
{
	return (double)w->sum[PK_WORK_USEFUL] + (double)w->sum[PK_WORK_OVERHEAD];
}

static bool diagnose_too_few(struct pk_workers *w)
{
	double samples = 0;

	for (uint32_t i = 0; i < w->count; i++)
		if (w->worker[i].samples != PK_NULL)
			samples += (double)w->worker[i].samples;
	if (w->count < 2)
		pk_diagnose(w, w->count ? PK_CASE_ONE_WORKER : PK_CASE_NO_WORKERS, 0, NONE,
			    PK_NUMBERS(PK_NUMBER("workers", w->count)));
	else if (busy_time(w) <= 0)
		pk_diagnose(w, PK_CASE_NO_WORK, 0, NONE,
			    PK_NUMBERS(PK_NUMBER("workers", w->count)));
	else if (w->sampled && samples < FEW_SAMPLES * w->count)
		pk_diagnose(
			w, PK_CASE_FEW_SAMPLES, 0, NONE,
			PK_NUMBERS(PK_NUMBER("workers", w->count), PK_NUMBER("samples", samples)));
	return w->diagnoses;
}

static bool diagnose_good(struct pk_workers *w)
{
	const struct pk_work_metrics *m = &w->metrics;
	bool chance = w->sampled && !m->significant;

	if (w->timed && !(m->parallel_efficiency >= GOOD_EFFICIENCY))
		return false;
	if (!w->timed && (double)w->sum[PK_WORK_OVERHEAD] >= BAD_OVERHEAD * busy_time(w))
		return false;
	if (m->load_balance < GOOD_BALANCE && !chance)
		return false;
	pk_diagnose(w, PK_CASE_GOOD, 0, NONE,
		    PK_NUMBERS(PK_NUMBER("load_balance", m->load_balance),
			       {"parallel_efficiency", m->parallel_efficiency, false, !w->timed},
			       PK_HIDDEN("imbalance", m->imbalance_percent),
			       PK_HIDDEN("error", m->sampling_error > 0 && !m->significant
							  ? m->sampling_error
							  : NAN)));
	return true;
}

static void diagnose_startup(struct pk_workers *w)
{
	double whole = (double)pk_workers_span(w), serial = 0,
	       first = w->metrics.first_useful_share;

	if (!w->timed || whole <= 0)
		return;
	/* While the parent works itself, it is not the workers' start that takes long. */
	if (w->serial != PK_NULL)
		serial = (double)w->serial / whole;
	if (!(w->share[PK_WORK_STARTUP] - serial >= BAD_STARTUP))
		return;
	pk_diagnose(w, PK_CASE_STARTUP, w->share[PK_WORK_STARTUP] - serial, NONE,
		    PK_NUMBERS(PK_NUMBER("startup", w->share[PK_WORK_STARTUP]),
			       PK_NUMBER("first_useful_share", first),
			       PK_NUMBER("parent_serial", serial),
			       PK_HIDDEN_TIME("first_task", first * whole)));
}

static double class_sum(const struct pk_workers *w, enum pk_work_class class)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < w->count; i++)
		pk_add_saturated(&sum, w->worker[i].class_time[class]);
	return (double)sum;
}

/* Locks and payload are told from tiny tasks by what overhead consists of. */
static enum pk_case kind_of_overhead(const struct pk_workers *w)
{
	double all = (double)w->sum[PK_WORK_OVERHEAD];
	double lock = class_sum(w, PK_CLASS_LOCK), pickle = class_sum(w, PK_CLASS_SERIALISE);
	double transfer = class_sum(w, PK_CLASS_TRANSFER), waiting = class_sum(w, PK_CLASS_WAIT);
	const struct pk_task_stats *t = &w->tasks;

	if (w->by == PK_BY_RANK) /* collectives, as fast as the slowest rank lets them be */
		return PK_CASE_COMMUNICATION;
	if (t->tasks >= 10 && t->median < TINY_TASK && t->overhead < TINY_OVERHEAD)
		return PK_CASE_TINY_TASKS;
	if (pickle >= 0.4 * all ||
	    (t->tasks > 0 && pickle + transfer > 0.5 * all && t->overhead > TINY_OVERHEAD))
		return PK_CASE_PAYLOAD;
	/* A worker that locks a pool's queues all the time passes tasks all the time. Where samples
	 * show processes only on processors, waiting for a task is time without samples. */
	if (w->sampled && w->by == PK_BY_PROCESS && samples_processors(w->runs->item[0]))
		waiting += (double)w->sum[PK_WORK_WAIT];
	if (lock >= 0.5 * all && transfer + waiting < 0.2 * lock)
		return PK_CASE_LOCK;
	return PK_CASE_TINY_TASKS;
}

static void diagnose_overhead(struct pk_workers *w)
{
	const struct pk_task_stats *t = &w->tasks;
	double busy = busy_time(w), share = busy > 0 ? (double)w->sum[PK_WORK_OVERHEAD] / busy : 0;
	bool unknown = t->tasks == PK_NULL;

	if (share < BAD_OVERHEAD && !(t->tasks >= 10 && t->overhead >= t->median))
		return;
	pk_diagnose(
		w, kind_of_overhead(w), share, NONE,
		PK_NUMBERS(
			PK_NUMBER("overhead_of_busy", share),
			PK_TIME("transfer", class_sum(w, PK_CLASS_TRANSFER)),
			PK_TIME("serialise", class_sum(w, PK_CLASS_SERIALISE)),
			PK_TIME("lock", class_sum(w, PK_CLASS_LOCK)),
			{"tasks", (double)t->tasks, false, unknown},
			{"task_median", (double)t->median, true, unknown},
			{"task_overhead", (double)t->overhead, true, unknown},
			PK_HIDDEN("each", t->tasks > 0 ? (double)t->tasks : NAN),
			PK_HIDDEN("best_chunk", t->best_chunk > 1 ? (double)t->best_chunk : NAN),
			PK_HIDDEN("gain", t->best_chunk > 1 && t->gain > 0 ? 100 * t->gain : NAN)));
}

static uint32_t busiest(const struct pk_workers *w)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < w->count; i++)
		if (w->worker[i].work[PK_WORK_USEFUL] > w->worker[best].work[PK_WORK_USEFUL])
			best = i;
	return best;
}

/* When workers had nothing more to do, and when the first of them began. */
struct ends {
	int64_t first, median, last, begin; /* PK_NULL: none had anything to do */
	uint32_t last_worker;
};

static struct ends find_ends(const struct pk_workers *w)
{
	int64_t *end = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*end)));
	struct ends e = {PK_NULL, PK_NULL, PK_NULL, INT64_MAX, 0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (w->worker[i].last == PK_NULL)
			continue;
		if (!n || w->worker[i].last > w->worker[e.last_worker].last)
			e.last_worker = i;
		if (w->worker[i].first < e.begin)
			e.begin = w->worker[i].first;
		end[n++] = w->worker[i].last;
	}
	if (n) {
		qsort(end, n, sizeof(*end), pk_compare_ints);
		e.first = end[0];
		e.median = end[(n - 1) / 2];
		e.last = end[n - 1];
	}
	free(end);
	return e;
}

static double mean_task(const struct pk_worker *w)
{
	return w->tasks > 0 ? (double)w->task_time / (double)w->tasks : NAN;
}

static bool is_slow(const struct pk_workers *w, uint32_t who)
{
	double sum = 0, n = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (i == who || w->worker[i].tasks <= 0)
			continue;
		sum += mean_task(&w->worker[i]);
		n++;
	}
	return n > 0 && mean_task(&w->worker[who]) > SLOW * sum / n;
}

/* Whether the last one was busy with one of its chunks for most of the tail, or had more chunks. */
static bool is_chunk(const struct pk_workers *w, uint32_t last, int64_t tail)
{
	const struct pk_worker *worker = &w->worker[last];

	if (w->tasks.per_chunk <= 1 || worker->chunks <= 0)
		return false;
	return worker->task_time / worker->chunks >= tail / 2 ||
	       worker->chunks > w->tasks.chunks / (int64_t)w->count + 1;
}

static enum pk_case kind_of_tail(const struct pk_workers *w, uint32_t last, int64_t tail)
{
	const struct pk_task_stats *t = &w->tasks;

	if (t->tasks < 2) /* or not known */
		return PK_CASE_UNEVEN_END;
	if (t->max >= tail / 2 && t->longest_worker == last)
		return PK_CASE_LONG_TASK;
	if (is_chunk(w, last, tail))
		return PK_CASE_CHUNKS;
	return is_slow(w, last) ? PK_CASE_SLOW_WORKER : PK_CASE_UNEVEN_END;
}

/* How long all tasks take if the long one comes first: no worker waits for it alone then, as long
 * as the others have enough to do. */
static int64_t best_time(const struct pk_workers *w)
{
	int64_t least =
		(int64_t)(w->metrics.effective_workers * (double)pk_workers_span(w) / w->count);

	return least > w->tasks.max ? least : w->tasks.max;
}

static int64_t smaller_chunk(const struct pk_workers *w)
{
	int64_t size = w->tasks.tasks / (10 * (int64_t)w->count), half = w->tasks.per_chunk / 2;

	size = size < half ? size : half;
	return size > 1 ? size : 1;
}

static void say_tail(struct pk_workers *w, const struct ends *e, enum pk_case which)
{
	const struct pk_task_stats *t = &w->tasks;
	const struct pk_worker *last = &w->worker[e->last_worker];
	bool unknown = t->tasks == PK_NULL;
	int64_t others = unknown ? 0 : t->tasks - last->tasks;
	int64_t rest = unknown ? 0 : t->total - last->task_time;
	double all = (double)(e->last - e->begin), least = (double)best_time(w);

	pk_diagnose(w, which, w->share[PK_WORK_TAIL], e->last_worker,
		    PK_NUMBERS(PK_NUMBER("tail_loss", w->share[PK_WORK_TAIL]),
			       PK_TIME("tail_time", (double)(e->last - e->first)),
			       PK_TIME("after_median", (double)(e->last - e->median)),
			       PK_NUMBER("load_balance", w->metrics.load_balance),
			       {"longest_task", (double)t->max, true, unknown},
			       {"task_median", (double)t->median, true, unknown},
			       {"tasks_per_chunk", (double)t->per_chunk, false, unknown},
			       PK_HIDDEN_TIME("least", all > least ? least : NAN),
			       PK_HIDDEN_TIME("all", all), PK_HIDDEN("tasks", (double)t->tasks),
			       PK_HIDDEN("chunks", (double)t->chunks),
			       PK_HIDDEN("workers", w->count),
			       PK_HIDDEN("chunk", (double)smaller_chunk(w)),
			       PK_HIDDEN_TIME("own_task", mean_task(last)),
			       PK_HIDDEN_TIME("other_task",
					      (double)(rest / (others > 0 ? others : 1)))));
}

/* Some work on while the others have nothing left to do. True if that is so. */
static bool diagnose_tail(struct pk_workers *w)
{
	struct ends e = find_ends(w);
	int64_t length = e.last - e.first, late = e.last - e.median;
	enum pk_case which;

	if (!w->timed || e.last == PK_NULL || !(w->share[PK_WORK_TAIL] >= BAD_TAIL))
		return false;
	if (w->tasks.tasks > 0 && late * 2 < w->tasks.max && length * 2 < w->tasks.max)
		return false;
	if (length * 20 < pk_workers_span(w)) /* all end together, long before the window does */
		return false;
	which = kind_of_tail(w, e.last_worker, length);
	/* The last one need not be the one with the most to do: sums tell that. */
	if (which == PK_CASE_UNEVEN_END && e.last_worker != busiest(w) &&
	    w->metrics.load_balance < BAD_BALANCE)
		return false;
	say_tail(w, &e, which);
	return true;
}

static void diagnose_imbalance(struct pk_workers *w)
{
	const struct pk_work_metrics *m = &w->metrics;
	uint32_t who = busiest(w);

	if (m->load_balance < BAD_BALANCE)
		pk_diagnose(
			w, PK_CASE_UNEVEN, 1 - m->load_balance, who,
			PK_NUMBERS(PK_NUMBER("load_balance", m->load_balance),
				   PK_NUMBER("imbalance_percent", m->imbalance_percent),
				   PK_TIME("imbalance_time", m->imbalance_time),
				   PK_NUMBER("sampling_error", m->sampling_error),
				   PK_HIDDEN_TIME("most",
						  (double)w->worker[who].work[PK_WORK_USEFUL])));
}

static void diagnose_serial(struct pk_workers *w)
{
	double whole = (double)pk_workers_span(w), share = (double)w->serial / whole;

	if (w->serial != PK_NULL && whole > 0 && share >= BAD_SERIAL)
		pk_diagnose(
			w, PK_CASE_SERIAL, share, NONE,
			PK_NUMBERS(PK_NUMBER("serial", share),
				   PK_TIME("serial_time", (double)w->serial),
				   PK_NUMBER("amdahl_bound", 1 / (share + (1 - share) / w->count)),
				   PK_HIDDEN("workers", w->count)));
}

static void diagnose_starved(struct pk_workers *w)
{
	double whole = (double)pk_workers_span(w), busy = 0, wait = w->share[PK_WORK_WAIT];

	if (!w->timed || !(wait >= BAD_WAIT) || w->share[PK_WORK_TAIL] >= BAD_TAIL || whole <= 0)
		return;
	for (uint32_t i = 0; i < w->others; i++)
		if (w->other[i].role == PK_WORKER_MAIN)
			busy += (double)w->other[i].work[PK_WORK_USEFUL] +
				(double)w->other[i].work[PK_WORK_OVERHEAD];
	if (busy / whole >= BUSY_PARENT)
		pk_diagnose(w, PK_CASE_STARVED, wait, NONE,
			    PK_NUMBERS(PK_NUMBER("wait", wait),
				       PK_NUMBER("parent_busy", busy / whole)));
}

/* Of useful time at moments with more useful workers than processors, what can only have been
 * waiting for one: a trace counts that as useful. */
static double excess(const struct pk_workers *w, uint32_t *most)
{
	double all = 0, over = 0;

	*most = 0;
	for (uint32_t k = 1; k <= w->count; k++) {
		if (!w->time_at[k])
			continue;
		*most = k;
		all += (double)k * (double)w->time_at[k];
		if (k > w->processors)
			over += (double)(k - w->processors) * (double)w->time_at[k];
	}
	return all > 0 ? over / all : 0;
}

/* Whether as many as there are were busy, with workers to spare. */
static bool all_busy(const struct pk_workers *w)
{
	return w->sampled && w->count > w->processors && samples_processors(w->runs->item[0]) &&
	       w->metrics.effective_workers >= GOOD_EFFICIENCY * (double)w->processors &&
	       w->share[PK_WORK_WAIT] >= BAD_WAIT;
}

/* More workers at work than there are processors; the machines of ranks are not known. */
static bool is_oversubscribed(const struct pk_workers *w)
{
	uint32_t most;

	return w->processors && w->timed && w->by != PK_BY_RANK &&
	       (excess(w, &most) >= BAD_EXCESS || all_busy(w));
}

static void diagnose_oversubscribed(struct pk_workers *w)
{
	uint32_t most;
	double over = excess(w, &most), wait = w->share[PK_WORK_WAIT];
	bool seen = over >= BAD_EXCESS;

	pk_diagnose(w, seen ? PK_CASE_CROWDED : PK_CASE_CROWDED_SAMPLED, seen ? over : wait, NONE,
		    PK_NUMBERS(PK_NUMBER("processors", w->processors),
			       PK_NUMBER("workers", w->count), PK_NUMBER("most_at_once", most),
			       PK_NUMBER("effective_workers", w->metrics.effective_workers),
			       PK_NUMBER(seen ? "excess" : "wait", seen ? over : wait)));
}

static void diagnose_mixed(struct pk_workers *w)
{
	struct pk_evidence shares[PK_WORK_COUNT + 1] = {{NULL, 0, false, false}};

	for (int k = 0; k < PK_WORK_COUNT; k++)
		shares[k] = (struct pk_evidence)PK_NUMBER(pk_work_names[k], w->share[k]);
	pk_diagnose(w, PK_CASE_MIXED, 0, NONE, shares);
}

void pk_workers_diagnose(struct pk_workers *w)
{
	bool crowded = is_oversubscribed(w);
	bool uneven = w->metrics.significant &&
		      w->metrics.imbalance_time >= LEAST_SAVING * (double)pk_workers_span(w);

	/* A worker that waits for a processor looks useful: that is not good. */
	if (diagnose_too_few(w) || (!crowded && diagnose_good(w)))
		return;
	diagnose_startup(w);
	if (w->by == PK_BY_RANK && uneven) /* ranks wait for each other in collectives */
		diagnose_imbalance(w);
	diagnose_overhead(w);
	if (w->by != PK_BY_RANK && uneven && !diagnose_tail(w))
		diagnose_imbalance(w);
	diagnose_serial(w);
	diagnose_starved(w);
	if (crowded)
		diagnose_oversubscribed(w);
	if (!w->diagnoses)
		diagnose_mixed(w);
}
