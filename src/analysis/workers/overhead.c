/* What passing tasks and results takes: with which the workers are busy, but get nothing done. */
#include <string.h>

#include "analysis/workers/diagnosis.h"
#include "base/num/units.h"

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
	if (w->sampled && w->by == PK_BY_PROCESS && pk_samples_processors(w->runs->item[0]))
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

void pk_diagnose_overhead(struct pk_workers *w)
{
	const struct pk_task_stats *t = &w->tasks;
	double share = busy_overhead(w);
	struct pk_buf text = PK_BUF_INIT, advice = PK_BUF_INIT;
	struct pk_diagnosis *d;
	bool tasks = t->tasks != PK_NULL && t->tasks >= 10 && t->overhead >= t->median;

	if (share < PK_BAD_OVERHEAD && !tasks)
		return;
	if (!(d = pk_diagnosis_begin(w, kind_of_overhead(w), share)))
		return;
	pk_diagnosis_evidence(d, "overhead_of_busy", share, false);
	pk_diagnosis_evidence(d, "transfer", (double)class_sum(w, PK_CLASS_TRANSFER), true);
	pk_diagnosis_evidence(d, "serialise", (double)class_sum(w, PK_CLASS_SERIALISE), true);
	pk_diagnosis_evidence(d, "lock", (double)class_sum(w, PK_CLASS_LOCK), true);
	if (t->tasks != PK_NULL) {
		pk_diagnosis_evidence(d, "tasks", (double)t->tasks, false);
		pk_diagnosis_evidence(d, "task_median", (double)t->median, true);
		pk_diagnosis_evidence(d, "task_overhead", (double)t->overhead, true);
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
	pk_diagnosis_say(d, &text, advice.data);
	pk_buf_release(&advice);
}
