/* The metrics of profkit-workers(1); u[i] is the useful time of worker i. */
#include <math.h>
#include <stdlib.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

static double gini(const int64_t *sorted, uint32_t p, double sum)
{
	double weighted = 0;

	for (uint32_t i = 0; i < p; i++)
		weighted += (double)(i + 1) * (double)sorted[i];
	return 2 * weighted / ((double)p * sum) - ((double)p + 1) / (double)p;
}

static double coefficient(const int64_t *u, uint32_t p, double mean)
{
	double squares = 0;

	for (uint32_t i = 0; i < p; i++) {
		double d = (double)u[i] - mean;

		squares += d * d;
	}
	return sqrt(squares / (double)p) / mean;
}

/* The life of a worker is from its first to its last useful moment; the longest / the median. */
static double straggler(const struct pk_workers *w)
{
	int64_t *life = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*life)));
	uint32_t n = 0;
	double ratio = NAN;

	for (uint32_t i = 0; i < w->count; i++)
		if (w->worker[i].first != PK_NULL)
			life[n++] = w->worker[i].last - w->worker[i].first;
	if (n) {
		qsort(life, n, sizeof(*life), pk_compare_ints);
		if (life[(n - 1) / 2] > 0)
			ratio = (double)life[n - 1] / (double)life[(n - 1) / 2];
	}
	free(life);
	return ratio;
}

static double first_useful(const struct pk_workers *w)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (w->worker[i].first == PK_NULL)
			continue;
		sum += (double)(w->worker[i].first - w->window.start);
		n++;
	}
	return n && pk_workers_span(w) > 0 ? sum / n / (double)pk_workers_span(w) : NAN;
}

/* The number of samples in which workers were useful. */
static double useful_samples(const struct pk_workers *w)
{
	double n = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		const struct pk_worker *worker = &w->worker[i];
		double all = 0;

		for (int k = 0; k < PK_CLASS_COUNT; k++)
			all += (double)worker->class_time[k];
		if (worker->samples != PK_NULL && all > 0)
			n += (double)worker->samples * (double)worker->class_time[PK_CLASS_USEFUL] /
			     all;
	}
	return n;
}

/* Two standard errors of the largest share, in per cent of imbalance; 0 if the profile is measured.
 * A share of 1 has no standard error, so one sample less is assumed. */
static double sampling_error(const struct pk_workers *w, double max, double sum)
{
	double n = useful_samples(w), share = max / sum;

	if (!w->sampled)
		return 0;
	if (n < 1)
		return NAN;
	if (share > n / (n + 1))
		share = n / (n + 1);
	return 2 * sqrt(share * (1 - share) / n) * w->count * 100;
}

static void of_window(struct pk_workers *w, double sum, double max)
{
	struct pk_work_metrics *m = &w->metrics;
	double p = w->count, span = (double)pk_workers_span(w);

	if (span <= 0 || !w->timed)
		return;
	m->communication_efficiency = max / span;
	m->parallel_efficiency = sum / p / span;
	m->effective_workers = sum / span;
	m->tail_loss = (double)w->sum[PK_WORK_TAIL] / p / span;
	m->startup_loss = (double)w->sum[PK_WORK_STARTUP] / p / span;
	m->first_useful_share = first_useful(w);
	m->straggler_ratio = straggler(w);
}

static void of_useful(struct pk_workers *w, const int64_t *u)
{
	struct pk_work_metrics *m = &w->metrics;
	double sum = (double)w->sum[PK_WORK_USEFUL], p = w->count, mean = sum / p;
	double max = (double)u[w->count - 1];

	if (max <= 0)
		return;
	m->load_balance = mean / max;
	m->imbalance_percent = (max / mean - 1) * 100;
	m->imbalance_time = max - mean;
	if (w->count > 1)
		m->craypat_percent = (max - mean) / max * p / (p - 1) * 100;
	m->cov = coefficient(u, w->count, mean);
	m->gini = gini(u, w->count, sum);
	m->sampling_error = sampling_error(w, max, sum);
	m->significant = !(m->imbalance_percent <= m->sampling_error);
	of_window(w, sum, max);
}

void pk_workers_metrics(struct pk_workers *w)
{
	int64_t *u = pk_malloc(pk_mul((size_t)w->count + 1, sizeof(*u)));

	w->metrics = (struct pk_work_metrics){NAN, NAN, NAN, NAN, NAN, NAN, NAN,  NAN,
					      NAN, NAN, NAN, NAN, NAN, NAN, false};
	for (uint32_t i = 0; i < w->count; i++)
		u[i] = w->worker[i].work[PK_WORK_USEFUL];
	if (w->count) {
		qsort(u, w->count, sizeof(*u), pk_compare_ints);
		of_useful(w, u);
	}
	free(u);
}
