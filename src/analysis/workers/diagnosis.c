/* Rules in order: what is worst, in words, with the numbers behind it. */
#include <math.h>
#include <string.h>

#include "analysis/workers/diagnosis.h"
#include "base/alloc.h"
#include "base/num/units.h"

enum { FEW_SAMPLES = 30 };

static const double GOOD_EFFICIENCY = 0.8, GOOD_BALANCE = 0.9, BAD_STARTUP = 0.3, BAD_SERIAL = 0.2,
		    BAD_WAIT = 0.25, BAD_EXCESS = 0.1;

struct pk_diagnosis *pk_diagnosis_begin(struct pk_workers *w, enum pk_diagnosis_code code,
					double lost)
{
	struct pk_diagnosis *d;

	if (w->diagnoses == PK_DIAGNOSES)
		return NULL;
	d = &w->diagnosis[w->diagnoses++];
	*d = (struct pk_diagnosis){.code = code, .worker = UINT32_MAX};
	d->severity = lost >= 0.5 ? "critical" : "warning";
	return d;
}

void pk_diagnosis_evidence(struct pk_diagnosis *d, const char *name, double value, bool time)
{
	d->evidence[d->evidence_count++] = (struct pk_evidence){name, value, time};
}

void pk_diagnosis_say(struct pk_diagnosis *d, struct pk_buf *text, const char *advice)
{
	d->text = pk_buf_detach(text);
	if (advice)
		d->advice = pk_strdup(advice);
}

bool pk_samples_processors(const struct pk_profile *p)
{
	const char *name = p->metric.count > 1 ? pk_text(p, p->metric.name[1]) : "";

	return strstr(name, "cpu-clock") || strstr(name, "task-clock") || strstr(name, "cycles");
}

static bool too_few(struct pk_workers *w)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d;
	double sum = 0;

	for (uint32_t i = 0; i < w->count; i++)
		if (w->worker[i].samples != PK_NULL)
			sum += (double)w->worker[i].samples;
	if (w->count >= 2 && (!w->sampled || sum >= (double)FEW_SAMPLES * w->count) &&
	    w->sum[PK_WORK_USEFUL] + w->sum[PK_WORK_OVERHEAD] > 0)
		return false;
	d = pk_diagnosis_begin(w, PK_DIAG_NOT_ENOUGH_DATA, 0);
	d->severity = "note";
	pk_diagnosis_evidence(d, "workers", w->count, false);
	if (w->count < 2) {
		pk_buf_adds(&text, w->count ? "There is one worker: nothing to compare it with."
					    : "No workers were found.");
		pk_diagnosis_say(d, &text,
				 "profile child processes, too (py-spy record -s does, and "
				 "viztracer), or say who is a worker: --by process|thread, "
				 "--workers RE");
	} else if (w->sum[PK_WORK_USEFUL] + w->sum[PK_WORK_OVERHEAD] <= 0) {
		pk_buf_addf(&text, "None of %u workers did anything.", w->count);
		pk_diagnosis_say(d, &text, NULL);
	} else {
		pk_diagnosis_evidence(d, "samples", sum, false);
		pk_buf_addf(&text, "%.0f samples of %u workers are too few to compare them.", sum,
			    w->count);
		pk_diagnosis_say(
			d, &text,
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
	if (!w->timed && (double)w->sum[PK_WORK_OVERHEAD] >= PK_BAD_OVERHEAD * busy)
		return false;
	if (!balanced)
		return false;
	d = pk_diagnosis_begin(w, PK_DIAG_GOOD, 0);
	d->severity = "good";
	pk_diagnosis_evidence(d, "load_balance", m->load_balance, false);
	if (w->timed) {
		pk_diagnosis_evidence(d, "parallel_efficiency", m->parallel_efficiency, false);
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
	pk_diagnosis_say(d, &text, NULL);
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
	if (!(late >= BAD_STARTUP) || !(d = pk_diagnosis_begin(w, PK_DIAG_STARTUP, late)))
		return;
	pk_diagnosis_evidence(d, "startup", w->share[PK_WORK_STARTUP], false);
	pk_diagnosis_evidence(d, "first_useful_share", w->metrics.first_useful_share, false);
	pk_diagnosis_evidence(d, "parent_serial", serial, false);
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
	pk_diagnosis_say(
		d, &text,
		"start the pool once and use it again, or have fewer workers; import less in the "
		"main module; fork or forkserver instead of spawn; give it more work at a time");
}

static void serial(struct pk_workers *w)
{
	double whole = (double)pk_workers_span(w), share, bound;
	struct pk_buf text = PK_BUF_INIT, advice = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (w->serial == PK_NULL || whole <= 0)
		return;
	share = (double)w->serial / whole;
	if (share < BAD_SERIAL || !(d = pk_diagnosis_begin(w, PK_DIAG_SERIAL_SECTION, share)))
		return;
	bound = 1 / (share + (1 - share) / w->count);
	pk_diagnosis_evidence(d, "serial", share, false);
	pk_diagnosis_evidence(d, "serial_time", (double)w->serial, true);
	pk_diagnosis_evidence(d, "amdahl_bound", bound, false);
	pk_buf_adds(&text, "While at most one worker has work, the parent itself works for ");
	pk_workers_add_time(&text, w, w->serial);
	pk_buf_adds(&text, ", ");
	pk_format_percent(&text, share);
	pk_buf_addf(&text, " of the run. So %u workers can make it at most ", w->count);
	pk_format_fixed(&text, bound, 2);
	pk_buf_adds(&text, " times as fast as one (Amdahl's law).");
	pk_buf_adds(&advice, "move work from the parent to the workers, or let it go on while they "
			     "work (imap, as_completed)");
	pk_diagnosis_say(d, &text, advice.data);
	pk_buf_release(&advice);
}

static void starved(struct pk_workers *w)
{
	double whole = (double)pk_workers_span(w), busy = 0;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d;

	if (!w->timed || !(w->share[PK_WORK_WAIT] >= BAD_WAIT) ||
	    w->share[PK_WORK_TAIL] >= PK_BAD_TAIL || whole <= 0)
		return;
	for (uint32_t i = 0; i < w->others; i++)
		if (w->other[i].role == PK_WORKER_MAIN)
			busy += (double)w->other[i].work[PK_WORK_USEFUL] +
				(double)w->other[i].work[PK_WORK_OVERHEAD];
	if (busy / whole < 0.7 ||
	    !(d = pk_diagnosis_begin(w, PK_DIAG_STARVED, w->share[PK_WORK_WAIT])))
		return;
	pk_diagnosis_evidence(d, "wait", w->share[PK_WORK_WAIT], false);
	pk_diagnosis_evidence(d, "parent_busy", busy / whole, false);
	pk_buf_adds(&text, "Workers wait for tasks for ");
	pk_format_percent(&text, w->share[PK_WORK_WAIT]);
	pk_buf_adds(&text, " of their time, while the parent is busy for ");
	pk_format_percent(&text, busy / whole);
	pk_buf_adds(&text, " of the run: it cannot hand them out faster.");
	pk_diagnosis_say(d, &text,
			 "let workers make or read their input themselves; pass less with each "
			 "task, or several at a time (chunksize)");
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
	return w->sampled && w->count > w->processors && pk_samples_processors(w->runs->item[0]) &&
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
	struct pk_diagnosis *d = pk_diagnosis_begin(w, PK_DIAG_OVERSUBSCRIBED, lost);

	if (!d)
		return;
	pk_diagnosis_evidence(d, "processors", w->processors, false);
	pk_diagnosis_evidence(d, "workers", w->count, false);
	pk_diagnosis_evidence(d, "most_at_once", most, false);
	pk_diagnosis_evidence(d, "effective_workers", w->metrics.effective_workers, false);
	pk_diagnosis_evidence(d, over >= BAD_EXCESS ? "excess" : "wait", lost, false);
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
	pk_diagnosis_say(
		d, &text,
		"start no more workers than processors; one thread in each where libraries have "
		"threads of their own (OMP_NUM_THREADS=1)");
}

static void mixed(struct pk_workers *w)
{
	static const char *const names[] = {"useful work", "overhead", "start-up", "tail",
					    "waiting"};
	struct pk_buf text = PK_BUF_INIT;
	struct pk_diagnosis *d = pk_diagnosis_begin(w, PK_DIAG_MIXED, 0);

	pk_buf_adds(&text, "Of the workers' time, ");
	for (int k = 0; k < PK_WORK_COUNT; k++) {
		pk_diagnosis_evidence(d, pk_work_names[k], w->share[k], false);
		pk_buf_adds(&text, k ? ", " : "");
		if (isnan(w->share[k]))
			pk_buf_addc(&text, '?');
		else
			pk_format_percent(&text, w->share[k]);
		pk_buf_addf(&text, " is %s", names[k]);
	}
	pk_buf_addc(&text, '.');
	pk_diagnosis_say(d, &text, NULL);
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
		pk_diagnose_imbalance(w);
	pk_diagnose_overhead(w);
	if (w->by != PK_BY_RANK && balance_matters(w) && !pk_diagnose_tail(w))
		pk_diagnose_imbalance(w);
	serial(w);
	starved(w);
	if (crowded)
		oversubscribed(w);
	if (!w->diagnoses)
		mixed(w);
}
