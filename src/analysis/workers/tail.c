/* Some have more to do than others: one works on when the rest is done, or has more in all. */
#include <math.h>
#include <stdlib.h>

#include "analysis/workers/diagnosis.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"

static const double BAD_BALANCE = 0.8;

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

bool pk_diagnose_tail(struct pk_workers *w)
{
	uint32_t last = last_to_end(w);
	int64_t end = w->worker[last].last, length, late;
	enum pk_diagnosis_code code;
	struct pk_buf text = PK_BUF_INIT, advice = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (!w->timed || end == PK_NULL || !(w->share[PK_WORK_TAIL] >= PK_BAD_TAIL))
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
	if (!(d = pk_diagnosis_begin(w, code, w->share[PK_WORK_TAIL])))
		return true;
	d->worker = last;
	pk_diagnosis_evidence(d, "tail_loss", w->share[PK_WORK_TAIL], false);
	pk_diagnosis_evidence(d, "tail_time", (double)length, true);
	pk_diagnosis_evidence(d, "after_median", (double)late, true);
	pk_diagnosis_evidence(d, "load_balance", w->metrics.load_balance, false);
	if (w->tasks.tasks != PK_NULL) {
		pk_diagnosis_evidence(d, "longest_task", (double)w->tasks.max, true);
		pk_diagnosis_evidence(d, "task_median", (double)w->tasks.median, true);
		pk_diagnosis_evidence(d, "tasks_per_chunk", (double)w->tasks.per_chunk, false);
	}
	tail_text(&text, w, last, length, code);
	tail_advice(&advice, w, code, end);
	pk_diagnosis_say(d, &text, advice.data);
	pk_buf_release(&advice);
	return true;
}

void pk_diagnose_imbalance(struct pk_workers *w)
{
	uint32_t who = busiest(w);
	int64_t most = w->worker[who].work[PK_WORK_USEFUL];
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (!(w->metrics.load_balance < BAD_BALANCE))
		return;
	if (!(d = pk_diagnosis_begin(w, PK_DIAG_STATIC_IMBALANCE, 1 - w->metrics.load_balance)))
		return;
	d->worker = who;
	pk_diagnosis_evidence(d, "load_balance", w->metrics.load_balance, false);
	pk_diagnosis_evidence(d, "imbalance_percent", w->metrics.imbalance_percent, false);
	pk_diagnosis_evidence(d, "imbalance_time", w->metrics.imbalance_time, true);
	pk_diagnosis_evidence(d, "sampling_error", w->metrics.sampling_error, false);
	pk_buf_addf(&text, "%s has the most to do: ", w->worker[who].name);
	pk_workers_add_time(&text, w, most);
	pk_buf_adds(&text, ", ");
	pk_format_fixed(&text, w->metrics.imbalance_percent, 1);
	pk_buf_adds(&text, " % more than the average. Perfect balance would save up to ");
	pk_workers_add_time(&text, w, (int64_t)w->metrics.imbalance_time);
	pk_buf_addc(&text, '.');
	pk_diagnosis_say(d, &text, uneven_advice);
}
