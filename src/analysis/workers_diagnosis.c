/* Rules in order: what is worst, in words, with the numbers behind it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers_internal.h"
#include "base/alloc.h"
#include "base/compare.h"
#include "base/units.h"

enum { FEW_SAMPLES = 30 };

static const double GOOD_EFFICIENCY = 0.8, GOOD_BALANCE = 0.9, BAD_STARTUP = 0.3,
		    BAD_OVERHEAD = 0.25, BAD_TAIL = 0.1, BAD_BALANCE = 0.8, BAD_SERIAL = 0.2,
		    BAD_WAIT = 0.25, BAD_EXCESS = 0.1;

/* Begins a diagnosis; NULL when there are enough. */
static struct pk_diagnosis *begin(struct pk_workers *w, enum pk_diagnosis_code code, double lost)
{
	struct pk_diagnosis *d;

	if (w->diagnoses == PK_DIAGNOSES)
		return NULL;
	d = &w->diagnosis[w->diagnoses++];
	*d = (struct pk_diagnosis){.code = code, .worker = UINT32_MAX};
	d->severity = lost >= 0.5 ? "critical" : "warning";
	return d;
}

static void evidence(struct pk_diagnosis *d, const char *name, double value, bool time)
{
	d->evidence[d->evidence_count++] = (struct pk_evidence){name, value, time};
}

static void say(struct pk_diagnosis *d, struct pk_buf *text, const char *advice)
{
	d->text = pk_buf_detach(text);
	if (advice)
		d->advice = pk_strdup(advice);
}

static uint32_t busiest(const struct pk_workers *w)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < w->count; i++)
		if (w->worker[i].work[PK_WORK_USEFUL] > w->worker[best].work[PK_WORK_USEFUL])
			best = i;
	return best;
}

static uint32_t last_to_end(const struct pk_workers *w)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < w->count; i++)
		if (w->worker[i].last != PK_NULL &&
		    (w->worker[best].last == PK_NULL || w->worker[i].last > w->worker[best].last))
			best = i;
	return best;
}

static int64_t median_end(const struct pk_workers *w)
{
	int64_t *end = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*end))), median = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++)
		if (w->worker[i].last != PK_NULL)
			end[n++] = w->worker[i].last;
	if (n) {
		qsort(end, n, sizeof(*end), pk_compare_ints);
		median = end[(n - 1) / 2];
	}
	free(end);
	return median;
}

/* When the first worker had nothing more to do. */
static int64_t tail_start(const struct pk_workers *w)
{
	int64_t start = w->window.end;

	for (uint32_t i = 0; i < w->count; i++)
		if (w->worker[i].last != PK_NULL && w->worker[i].last < start)
			start = w->worker[i].last;
	return start;
}

static bool too_few(struct pk_workers *w)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d;
	int64_t least = INT64_MAX;
	double sum = 0;

	for (uint32_t i = 0; i < w->count; i++)
		if (w->worker[i].samples != PK_NULL) {
			sum += (double)w->worker[i].samples;
			least = w->worker[i].samples < least ? w->worker[i].samples : least;
		}
	if (w->count >= 2 && (!w->sampled || sum >= (double)FEW_SAMPLES * w->count) &&
	    w->sum[PK_WORK_USEFUL] + w->sum[PK_WORK_OVERHEAD] > 0)
		return false;
	d = begin(w, PK_DIAG_NOT_ENOUGH_DATA, 0);
	d->severity = "note";
	evidence(d, "workers", w->count, false);
	if (w->count < 2) {
		pk_buf_adds(&text, w->count ? "There is one worker: nothing to compare it with."
					    : "No workers were found.");
		say(d, &text,
		    "profile child processes, too (py-spy record -s does, and viztracer), or say "
		    "who "
		    "is a worker: --by process|thread, --workers RE");
	} else if (w->sum[PK_WORK_USEFUL] + w->sum[PK_WORK_OVERHEAD] <= 0) {
		pk_buf_addf(&text, "None of %u workers did anything.", w->count);
		say(d, &text, NULL);
	} else {
		evidence(d, "samples", sum, false);
		pk_buf_addf(&text, "%.0f samples of %u workers are too few to compare them.", sum,
			    w->count);
		say(d, &text,
		    "record for longer, or at a higher rate: 30 samples a worker at least");
	}
	return true;
}

static bool good(struct pk_workers *w)
{
	const struct pk_work_metrics *m = &w->metrics;
	double busy = (double)w->sum[PK_WORK_USEFUL] + (double)w->sum[PK_WORK_OVERHEAD];
	bool balanced = m->load_balance >= GOOD_BALANCE || (w->sampled && !m->significant);
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (w->timed && !(m->parallel_efficiency >= GOOD_EFFICIENCY))
		return false;
	if (!w->timed && (double)w->sum[PK_WORK_OVERHEAD] >= BAD_OVERHEAD * busy)
		return false;
	if (!balanced)
		return false;
	d = begin(w, PK_DIAG_GOOD, 0);
	d->severity = "good";
	evidence(d, "load_balance", m->load_balance, false);
	if (w->timed) {
		evidence(d, "parallel_efficiency", m->parallel_efficiency, false);
		pk_format_percent(&text, m->parallel_efficiency);
		pk_buf_adds(&text, " of the workers' time is useful, and the");
	} else {
		pk_buf_adds(&text, "The");
	}
	pk_buf_adds(&text, " busiest worker has ");
	pk_format_fixed(&text, m->imbalance_percent, 1);
	pk_buf_adds(&text, " % more to do than the average");
	if (m->sampling_error > 0 && !m->significant) {
		pk_buf_adds(&text, ", less than the error of sampling (");
		pk_format_fixed(&text, m->sampling_error, 1);
		pk_buf_adds(&text, " %)");
	}
	pk_buf_addc(&text, '.');
	say(d, &text, NULL);
	return true;
}

static void startup(struct pk_workers *w)
{
	double whole = (double)pk_workers_span(w), serial = 0, late;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (!w->timed || whole <= 0)
		return;
	/* While the parent works itself, it is not the workers' start that takes long. */
	if (w->serial != PK_NULL)
		serial = (double)w->serial / whole;
	late = w->share[PK_WORK_STARTUP] - serial;
	if (!(late >= BAD_STARTUP) || !(d = begin(w, PK_DIAG_STARTUP, late)))
		return;
	evidence(d, "startup", w->share[PK_WORK_STARTUP], false);
	evidence(d, "first_useful_share", w->metrics.first_useful_share, false);
	evidence(d, "parent_serial", serial, false);
	pk_buf_adds(&text, "Starting takes ");
	pk_format_percent(&text, w->share[PK_WORK_STARTUP]);
	pk_buf_adds(&text, " of the workers' time; ");
	if (isnan(w->metrics.first_useful_share)) {
		pk_buf_adds(&text, "none gets to work.");
	} else {
		pk_buf_adds(&text, "a worker begins its first task ");
		pk_workers_add_time(&text, w, (int64_t)(w->metrics.first_useful_share * whole));
		pk_buf_adds(&text, " after the start, on average.");
	}
	say(d, &text,
	    "start the pool once and use it again, or have fewer workers; import less in the main "
	    "module; fork or forkserver instead of spawn; give it more work at a time");
}

static double busy_overhead(const struct pk_workers *w)
{
	double overhead = (double)w->sum[PK_WORK_OVERHEAD];
	double busy = overhead + (double)w->sum[PK_WORK_USEFUL];

	return busy > 0 ? overhead / busy : 0;
}

static int64_t class_sum(const struct pk_workers *w, enum pk_work_class class)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < w->count; i++)
		pk_add_saturated(&sum, w->worker[i].class_time[class]);
	return sum;
}

/* perf samples processors: who waits for one is not seen. */
static bool samples_processors(const struct pk_profile *p)
{
	const char *name = p->metric.count > 1 ? pk_text(p, p->metric.name[1]) : "";

	return strstr(name, "cpu-clock") || strstr(name, "task-clock") || strstr(name, "cycles");
}

/* Locks and payload are told from tiny tasks by what overhead consists of. */
static enum pk_diagnosis_code kind_of_overhead(const struct pk_workers *w)
{
	double all = (double)w->sum[PK_WORK_OVERHEAD];
	double lock = (double)class_sum(w, PK_CLASS_LOCK);
	double pickle = (double)class_sum(w, PK_CLASS_SERIALISE);
	double transfer = (double)class_sum(w, PK_CLASS_TRANSFER);
	double waiting = (double)class_sum(w, PK_CLASS_WAIT);
	const struct pk_task_stats *t = &w->tasks;

	if (w->by == PK_BY_RANK) /* collectives, as fast as the slowest rank lets them be */
		return PK_DIAG_OVERHEAD_PAYLOAD;
	if (t->tasks != PK_NULL && t->tasks >= 10 && t->median < 1000000 && t->overhead < 10000000)
		return PK_DIAG_OVERHEAD_TINY_TASKS;
	if (pickle >= 0.4 * all ||
	    (t->tasks > 0 && pickle + transfer > 0.5 * all && t->overhead > 10000000))
		return PK_DIAG_OVERHEAD_PAYLOAD;
	/* Who locks a pool's queues all the time passes tasks all the time. Of processes that are
	 * seen on processors only, waiting for a task is time without samples. */
	if (w->sampled && w->by == PK_BY_PROCESS && samples_processors(w->runs->item[0]))
		waiting += (double)w->sum[PK_WORK_WAIT];
	if (lock >= 0.5 * all && transfer + waiting < 0.2 * lock)
		return PK_DIAG_OVERHEAD_LOCK;
	return PK_DIAG_OVERHEAD_TINY_TASKS;
}

static void chunk_advice(struct pk_buf *advice, const struct pk_workers *w)
{
	const struct pk_task_stats *t = &w->tasks;

	if (t->best_chunk > 1) {
		pk_buf_addf(advice, "pass several tasks at a time: chunksize=%lld",
			    (long long)t->best_chunk);
		if (t->gain > 0) {
			pk_buf_adds(advice, " takes about ");
			pk_format_fixed(advice, t->gain * 100, 0);
			pk_buf_adds(advice, " % less time for all tasks (an estimate)");
		}
	} else {
		pk_buf_adds(advice, "pass several tasks at a time (chunksize), until a chunk takes "
				    "10 to 100 times as long as passing it");
	}
	pk_buf_adds(advice, "; or do more in one task");
}

static void overhead_text(struct pk_buf *text, const struct pk_workers *w,
			  enum pk_diagnosis_code code, double share)
{
	const struct pk_task_stats *t = &w->tasks;

	pk_buf_adds(text, w->by == PK_BY_RANK ? "Communication takes "
			  : code == PK_DIAG_OVERHEAD_LOCK
				  ? "Waiting for locks and passing tasks take "
				  : "Passing tasks and results takes ");
	pk_format_percent(text, share);
	pk_buf_adds(text, " of the time in which workers do anything");
	if (t->tasks != PK_NULL && t->tasks > 0) {
		pk_buf_adds(text, ": ");
		pk_workers_add_time(text, w, t->overhead);
		pk_buf_adds(text, " for each of ");
		pk_format_count(text, t->tasks);
		pk_buf_adds(text, " tasks, while the work of one takes ");
		pk_workers_add_time(text, w, t->median);
		pk_buf_adds(text, " (median)");
	}
	pk_buf_addc(text, '.');
}

static void overhead(struct pk_workers *w)
{
	const struct pk_task_stats *t = &w->tasks;
	double share = busy_overhead(w);
	struct pk_buf text = PK_BUF_INIT, advice = PK_BUF_INIT;
	struct pk_diagnosis *d;
	bool tasks = t->tasks != PK_NULL && t->tasks >= 10 && t->overhead >= t->median;

	if (share < BAD_OVERHEAD && !tasks)
		return;
	if (!(d = begin(w, kind_of_overhead(w), share)))
		return;
	evidence(d, "overhead_of_busy", share, false);
	evidence(d, "transfer", (double)class_sum(w, PK_CLASS_TRANSFER), true);
	evidence(d, "serialise", (double)class_sum(w, PK_CLASS_SERIALISE), true);
	evidence(d, "lock", (double)class_sum(w, PK_CLASS_LOCK), true);
	if (t->tasks != PK_NULL) {
		evidence(d, "tasks", (double)t->tasks, false);
		evidence(d, "task_median", (double)t->median, true);
		evidence(d, "task_overhead", (double)t->overhead, true);
	}
	overhead_text(&text, w, d->code, share);
	if (d->code == PK_DIAG_OVERHEAD_LOCK)
		pk_buf_adds(&advice,
			    "hold the lock for less, or let each worker have data of its own "
			    "and join them at the end");
	else if (w->by == PK_BY_RANK)
		pk_buf_adds(&advice, "communicate less often or less at a time (larger buckets, "
				     "gradient accumulation, compression), or while computing");
	else if (d->code == PK_DIAG_OVERHEAD_PAYLOAD)
		pk_buf_adds(&advice, "send less: indices or file names instead of data, "
				     "multiprocessing.shared_memory, an initializer for what is "
				     "the same in all tasks");
	else
		chunk_advice(&advice, w);
	say(d, &text, advice.data);
	pk_buf_release(&advice);
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
	return n > 0 && mean_task(&w->worker[who]) > 1.3 * sum / n;
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

static enum pk_diagnosis_code kind_of_tail(const struct pk_workers *w, uint32_t last, int64_t tail)
{
	const struct pk_task_stats *t = &w->tasks;
	int64_t longest = t->longest_end - t->longest_start;

	if (t->tasks == PK_NULL || t->tasks < 2)
		return PK_DIAG_STATIC_IMBALANCE;
	if (longest >= tail / 2 && t->longest_worker == last)
		return PK_DIAG_TAIL_LONG_TASK;
	if (is_chunk(w, last, tail))
		return PK_DIAG_TAIL_CHUNKS;
	return is_slow(w, last) ? PK_DIAG_TAIL_SLOW_WORKER : PK_DIAG_STATIC_IMBALANCE;
}

static const char uneven_advice[] =
	"give out work in smaller parts while it runs (a smaller chunksize, imap_unordered, a "
	"queue) instead of dividing it beforehand; begin with the long parts";

/* What is saved if the long task comes first: then nobody waits for it alone, if the others have
 * as much to do. */
static void add_saving(struct pk_buf *advice, const struct pk_workers *w, int64_t end)
{
	const struct pk_task_stats *t = &w->tasks;
	int64_t begin = INT64_MAX, least = (int64_t)(w->metrics.effective_workers *
						     (double)pk_workers_span(w) / w->count);

	for (uint32_t i = 0; i < w->count; i++)
		if (w->worker[i].first != PK_NULL && w->worker[i].first < begin)
			begin = w->worker[i].first;
	least = least > t->max ? least : t->max;
	if (end - begin <= least)
		return;
	pk_buf_adds(advice, "; all tasks could be done in about ");
	pk_workers_add_time(advice, w, least);
	pk_buf_adds(advice, " instead of ");
	pk_workers_add_time(advice, w, end - begin);
}

static void tail_advice(struct pk_buf *advice, const struct pk_workers *w,
			enum pk_diagnosis_code code, int64_t end)
{
	const struct pk_task_stats *t = &w->tasks;
	int64_t size;

	switch (code) {
	case PK_DIAG_TAIL_LONG_TASK:
		pk_buf_adds(advice, "put long tasks first (sort them by how long they will take), "
				    "or divide this one");
		add_saving(advice, w, end);
		break;
	case PK_DIAG_TAIL_CHUNKS:
		size = t->tasks / (10 * (int64_t)w->count);
		size = size < t->per_chunk / 2 ? size : t->per_chunk / 2;
		pk_buf_addf(advice,
			    "make chunks smaller, so that each worker gets about ten, and who is "
			    "done early gets another: chunksize=%lld; put long tasks first",
			    (long long)(size > 1 ? size : 1));
		break;
	case PK_DIAG_TAIL_SLOW_WORKER:
		pk_buf_adds(advice, "look for other programs on its processor, memory of another "
				    "NUMA node, throttling");
		break;
	default:
		pk_buf_adds(advice, uneven_advice);
	}
}

static void add_slow(struct pk_buf *text, const struct pk_workers *w, uint32_t who)
{
	const struct pk_worker *worker = &w->worker[who];
	int64_t others = w->tasks.tasks - worker->tasks;

	pk_buf_adds(text, " Its tasks take ");
	pk_workers_add_time(text, w, (int64_t)mean_task(worker));
	pk_buf_adds(text, " on average, those of the others ");
	pk_workers_add_time(text, w,
			    (w->tasks.total - worker->task_time) / (others > 0 ? others : 1));
	pk_buf_addc(text, '.');
}

static void tail_text(struct pk_buf *text, const struct pk_workers *w, uint32_t last, int64_t tail,
		      enum pk_diagnosis_code code)
{
	const struct pk_task_stats *t = &w->tasks;

	pk_buf_addf(text, "%s works for ", w->worker[last].name);
	pk_workers_add_time(text, w, tail);
	pk_buf_adds(text, " more after the first worker has nothing left to do. In all, ");
	pk_format_percent(text, w->share[PK_WORK_TAIL]);
	pk_buf_adds(text, " of the workers' time is lost at the end.");
	if (code == PK_DIAG_TAIL_LONG_TASK) {
		pk_buf_adds(text, " Its longest task takes ");
		pk_workers_add_time(text, w, t->longest_end - t->longest_start);
		pk_buf_adds(text, "; the median of all is ");
		pk_workers_add_time(text, w, t->median);
		pk_buf_addc(text, '.');
	} else if (code == PK_DIAG_TAIL_CHUNKS) {
		pk_buf_adds(text, " There are ");
		pk_format_count(text, t->tasks);
		pk_buf_adds(text, " tasks in ");
		pk_format_count(text, t->chunks);
		pk_buf_adds(text, " chunks of up to ");
		pk_format_count(text, t->per_chunk);
		pk_buf_addf(text, ", for %u workers.", w->count);
	} else if (code == PK_DIAG_TAIL_SLOW_WORKER) {
		add_slow(text, w, last);
	}
}

/* True if there is one. */
static bool tail(struct pk_workers *w)
{
	uint32_t last = last_to_end(w);
	int64_t end = w->worker[last].last, length, late;
	enum pk_diagnosis_code code;
	struct pk_buf text = PK_BUF_INIT, advice = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (!w->timed || end == PK_NULL || !(w->share[PK_WORK_TAIL] >= BAD_TAIL))
		return false;
	length = end - tail_start(w);
	late = end - median_end(w);
	if (w->tasks.tasks > 0 && late * 2 < w->tasks.max && length * 2 < w->tasks.max)
		return false;
	if (length * 20 < pk_workers_span(w)) /* all end together, long before the window does */
		return false;
	code = kind_of_tail(w, last, length);
	/* Who was seen last need not be who had the most to do: that is told by sums. */
	if (code == PK_DIAG_STATIC_IMBALANCE && last != busiest(w) &&
	    w->metrics.load_balance < BAD_BALANCE)
		return false;
	if (!(d = begin(w, code, w->share[PK_WORK_TAIL])))
		return true;
	d->worker = last;
	evidence(d, "tail_loss", w->share[PK_WORK_TAIL], false);
	evidence(d, "tail_time", (double)length, true);
	evidence(d, "after_median", (double)late, true);
	evidence(d, "load_balance", w->metrics.load_balance, false);
	if (w->tasks.tasks != PK_NULL) {
		evidence(d, "longest_task", (double)w->tasks.max, true);
		evidence(d, "task_median", (double)w->tasks.median, true);
		evidence(d, "tasks_per_chunk", (double)w->tasks.per_chunk, false);
	}
	tail_text(&text, w, last, length, code);
	tail_advice(&advice, w, code, end);
	say(d, &text, advice.data);
	pk_buf_release(&advice);
	return true;
}

static void imbalance(struct pk_workers *w)
{
	uint32_t who = busiest(w);
	int64_t most = w->worker[who].work[PK_WORK_USEFUL];
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (!(w->metrics.load_balance < BAD_BALANCE))
		return;
	if (!(d = begin(w, PK_DIAG_STATIC_IMBALANCE, 1 - w->metrics.load_balance)))
		return;
	d->worker = who;
	evidence(d, "load_balance", w->metrics.load_balance, false);
	evidence(d, "imbalance_percent", w->metrics.imbalance_percent, false);
	evidence(d, "imbalance_time", w->metrics.imbalance_time, true);
	evidence(d, "sampling_error", w->metrics.sampling_error, false);
	pk_buf_addf(&text, "%s has the most to do: ", w->worker[who].name);
	pk_workers_add_time(&text, w, most);
	pk_buf_adds(&text, ", ");
	pk_format_fixed(&text, w->metrics.imbalance_percent, 1);
	pk_buf_adds(&text, " % more than the average. Perfect balance would save up to ");
	pk_workers_add_time(&text, w, (int64_t)w->metrics.imbalance_time);
	pk_buf_addc(&text, '.');
	say(d, &text, uneven_advice);
}

static void serial(struct pk_workers *w)
{
	double whole = (double)pk_workers_span(w), share, bound;
	struct pk_buf text = PK_BUF_INIT, advice = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (w->serial == PK_NULL || whole <= 0)
		return;
	share = (double)w->serial / whole;
	if (share < BAD_SERIAL || !(d = begin(w, PK_DIAG_SERIAL_SECTION, share)))
		return;
	bound = 1 / (share + (1 - share) / w->count);
	evidence(d, "serial", share, false);
	evidence(d, "serial_time", (double)w->serial, true);
	evidence(d, "amdahl_bound", bound, false);
	pk_buf_adds(&text, "While at most one worker has work, the parent itself works for ");
	pk_workers_add_time(&text, w, w->serial);
	pk_buf_adds(&text, ", ");
	pk_format_percent(&text, share);
	pk_buf_addf(&text, " of the run. So %u workers can make it at most ", w->count);
	pk_format_fixed(&text, bound, 2);
	pk_buf_adds(&text, " times as fast as one (Amdahl's law).");
	pk_buf_adds(&advice, "move work from the parent to the workers, or let it go on while they "
			     "work (imap, as_completed)");
	say(d, &text, advice.data);
	pk_buf_release(&advice);
}

static void starved(struct pk_workers *w)
{
	double whole = (double)pk_workers_span(w), busy = 0;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (!w->timed || !(w->share[PK_WORK_WAIT] >= BAD_WAIT) ||
	    w->share[PK_WORK_TAIL] >= BAD_TAIL || whole <= 0)
		return;
	for (uint32_t i = 0; i < w->others; i++)
		if (w->other[i].role == PK_WORKER_MAIN)
			busy += (double)w->other[i].work[PK_WORK_USEFUL] +
				(double)w->other[i].work[PK_WORK_OVERHEAD];
	if (busy / whole < 0.7 || !(d = begin(w, PK_DIAG_STARVED, w->share[PK_WORK_WAIT])))
		return;
	evidence(d, "wait", w->share[PK_WORK_WAIT], false);
	evidence(d, "parent_busy", busy / whole, false);
	pk_buf_adds(&text, "Workers wait for tasks for ");
	pk_format_percent(&text, w->share[PK_WORK_WAIT]);
	pk_buf_adds(&text, " of their time, while the parent is busy for ");
	pk_format_percent(&text, busy / whole);
	pk_buf_adds(&text, " of the run: it cannot hand them out faster.");
	say(d, &text,
	    "let workers make or read their input themselves; pass less with each task, or several "
	    "at a time (chunksize)");
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

/* More workers at work than there are processors; of ranks nobody knows on how many machines. */
static bool is_oversubscribed(const struct pk_workers *w)
{
	uint32_t most;

	return w->processors && w->timed && w->by != PK_BY_RANK &&
	       (excess(w, &most) >= BAD_EXCESS || all_busy(w));
}

static void oversubscribed(struct pk_workers *w)
{
	uint32_t most;
	double over = excess(w, &most), lost = over >= BAD_EXCESS ? over : w->share[PK_WORK_WAIT];
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d = begin(w, PK_DIAG_OVERSUBSCRIBED, lost);

	if (!d)
		return;
	evidence(d, "processors", w->processors, false);
	evidence(d, "workers", w->count, false);
	evidence(d, "most_at_once", most, false);
	evidence(d, "effective_workers", w->metrics.effective_workers, false);
	evidence(d, over >= BAD_EXCESS ? "excess" : "wait", lost, false);
	if (over >= BAD_EXCESS) {
		pk_buf_addf(&text, "Up to %u workers are at work at once on %u processors: ", most,
			    w->processors);
		pk_format_percent(&text, over);
		pk_buf_adds(&text, " of what counts as useful is waiting for one.");
	} else {
		pk_buf_addf(&text, "%u workers share %u processors, of which ", w->count,
			    w->processors);
		pk_format_fixed(&text, w->metrics.effective_workers, 1);
		pk_buf_adds(&text, " are busy on average: workers wait ");
		pk_format_percent(&text, lost);
		pk_buf_adds(&text, " of their time.");
	}
	say(d, &text,
	    "start no more workers than processors; one thread in each where libraries have "
	    "threads of "
	    "their own (OMP_NUM_THREADS=1)");
}

static void mixed(struct pk_workers *w)
{
	static const char *const names[] = {"useful work", "overhead", "start-up", "tail",
					    "waiting"};
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d = begin(w, PK_DIAG_MIXED, 0);

	pk_buf_adds(&text, "Of the workers' time, ");
	for (int k = 0; k < PK_WORK_COUNT; k++) {
		evidence(d, pk_work_names[k], w->share[k], false);
		pk_buf_adds(&text, k ? ", " : "");
		if (isnan(w->share[k]))
			pk_buf_addc(&text, '?');
		else
			pk_format_percent(&text, w->share[k]);
		pk_buf_addf(&text, " is %s", names[k]);
	}
	pk_buf_addc(&text, '.');
	say(d, &text, NULL);
}

/* Whether better balance would save a twentieth of the time. */
static bool balance_matters(const struct pk_workers *w)
{
	return w->metrics.significant &&
	       w->metrics.imbalance_time * 20 >= (double)pk_workers_span(w);
}

void pk_workers_diagnose(struct pk_workers *w)
{
	bool crowded = is_oversubscribed(w);

	/* Who waits for a processor looks useful: that is not good. */
	if (too_few(w) || (!crowded && good(w)))
		return;
	startup(w);
	if (w->by == PK_BY_RANK &&
	    balance_matters(w)) /* ranks wait for each other in collectives */
		imbalance(w);
	overhead(w);
	if (w->by != PK_BY_RANK && balance_matters(w) && !tail(w))
		imbalance(w);
	serial(w);
	starved(w);
	if (crowded)
		oversubscribed(w);
	if (!w->diagnoses)
		mixed(w);
}
