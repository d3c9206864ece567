#include "analysis/diff_judge.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/stats_counts.h"
#include "analysis/stats_dist.h"
#include "analysis/stats_family.h"
#include "analysis/stats_rank.h"
#include "base/alloc.h"

#define CONFIDENCE 0.95

struct judge {
	struct pk_diff *d;
	double alpha, min_change, min_share;
	uint32_t before, after; /* runs */
	struct pk_family family;
	struct place { /* of a row of the family */
		uint32_t row;
		enum pk_measure measure;
	} * place;
	size_t places_alloc, values_alloc;
};

static bool is_deterministic(const struct pk_diff *d, enum pk_measure m)
{
	return m == PK_CALLS || (d->kind != PK_METRIC_TIME && d->exactness == PK_EXACT);
}

/* True if all runs of the side agree. */
static bool is_constant(const int64_t *value, uint32_t runs)
{
	for (uint32_t r = 1; r < runs; r++) {
		if (value[r] != value[0])
			return false;
	}
	return true;
}

static const int64_t *values(const struct pk_diff *d, enum pk_side s, enum pk_measure m,
			     uint32_t row)
{
	return &d->side[s].value[m][(size_t)row * d->side[s].runs];
}

static bool is_exact(const struct pk_diff *d, enum pk_measure m, uint32_t row)
{
	return is_deterministic(d, m) &&
	       is_constant(values(d, PK_BEFORE, m, row), d->side[PK_BEFORE].runs) &&
	       is_constant(values(d, PK_AFTER, m, row), d->side[PK_AFTER].runs);
}

static const struct pk_change *whole_of(const struct pk_diff *d, enum pk_measure m)
{
	return m == PK_CALLS ? &d->total_calls : &d->total;
}

/* The larger side's share of its whole; 0 where there is none. */
static double largest_share(const struct pk_change *c, const struct pk_change *whole)
{
	double before = whole->before > 0 ? (double)c->before / (double)whole->before : 0;
	double after = whole->after > 0 ? (double)c->after / (double)whole->after : 0;

	return fmax(fabs(before), fabs(after));
}

/* The difference as a share of the whole. */
static double change_share(const struct pk_change *c, const struct pk_change *whole)
{
	double most = fmax((double)whole->before, (double)whole->after);

	return most > 0 ? fabs((double)c->after - (double)c->before) / most : 0;
}

static double limit(double given, double by_method)
{
	return isnan(given) ? by_method : given;
}

static enum pk_verdict by_sign(const struct pk_change *c)
{
	return c->after > c->before ? PK_REGRESSED : PK_IMPROVED;
}

static void judge_exact(const struct judge *j, struct pk_change *c, const struct pk_change *whole)
{
	double change = c->before ? fabs(pk_change_ratio(c) - 1) : INFINITY;

	c->verdict = PK_UNCHANGED;
	if (c->before != c->after && change >= limit(j->min_change, 0) &&
	    change_share(c, whole) >= limit(j->min_share, 0))
		c->verdict = by_sign(c);
}

/* What one sample stands for, in the values of the diff; 0 = not known, or not sampled. */
static double period_of(const struct pk_diff *d, enum pk_side s)
{
	const struct pk_profile *p = d->match.side[s].profile[0];
	uint32_t metric = d->side[s].metric[0];
	double finer = pow(10, d->exponent - p->metric.exponent[metric]);

	if (p->metric.exactness[metric] != PK_SAMPLED)
		return 0;
	if (metric == 1 && p->run.period[1] != PK_NULL && p->run.period[1] > 0)
		return (double)p->run.period[1] * finer;
	return d->kind == PK_METRIC_COUNT ? pow(10, d->exponent) : 0;
}

/* One run a side. */
static void judge_noise(const struct judge *j, struct pk_change *c, enum pk_measure m,
			const struct pk_change *whole)
{
	const struct pk_diff *d = j->d;
	double factor = isnan(d->machine_factor) || c == whole ? 1 : d->machine_factor;
	double ratio = pk_change_ratio(c) / factor, least = limit(j->min_change, 0.25);
	double before = period_of(d, PK_BEFORE), after = period_of(d, PK_AFTER);

	if (m != PK_CALLS && before > 0 && after > 0 && c->before >= 0 && c->after >= 0) {
		struct pk_interval ci = pk_count_ratio((double)c->before / before, 1 / before,
						       (double)c->after / after, factor / after,
						       PK_PHI_UNKNOWN, CONFIDENCE);

		c->ci_low = ci.low;
		c->ci_high = ci.high;
	}
	c->verdict = PK_UNCHANGED;
	if (change_share(c, whole) < limit(j->min_share, 0.01))
		return;
	if (ratio > 1 + least && !(c->ci_low <= 1))
		c->verdict = PK_SUSPECT;
	if (ratio < 1 / (1 + least) && !(c->ci_high >= 1))
		c->verdict = PK_SUSPECT;
}

static double log_value(const struct pk_diff *d, enum pk_measure m, int64_t value)
{
	double least = 1;

	if (m != PK_CALLS)
		least = fmax(1, fmax(period_of(d, PK_BEFORE), period_of(d, PK_AFTER)) / 2);
	return log(fmax((double)value, least));
}

static void add_to_family(struct judge *j, uint32_t row, enum pk_measure m)
{
	struct pk_family *f = &j->family;
	size_t runs = f->before + f->after;
	double *value;

	PK_GROW(j->place, f->rows + 1, j->places_alloc);
	PK_GROW(f->value, (f->rows + 1) * runs, j->values_alloc);
	j->place[f->rows] = (struct place){row, m};
	value = &f->value[f->rows++ * runs];
	for (uint32_t r = 0; r < j->before; r++)
		*value++ = log_value(j->d, m, values(j->d, PK_BEFORE, m, row)[r]);
	for (uint32_t r = 0; r < j->after; r++)
		*value++ = log_value(j->d, m, values(j->d, PK_AFTER, m, row)[r]);
}

/* Says what can be said without statistics, and gathers what needs them. */
static void sort_out(struct judge *j, enum pk_measure m)
{
	struct pk_diff *d = j->d;
	const struct pk_change *whole = whole_of(d, m);

	for (uint32_t i = 1; i < d->match.count; i++) {
		const struct pk_match_function *f = &d->match.function[i];
		struct pk_change *c = &d->row[i].change[m];

		c->verdict = PK_UNCHANGED;
		if (c->before == PK_NULL || c->after == PK_NULL)
			c->verdict = PK_INCONCLUSIVE;
		else if (!f->frame[PK_BEFORE])
			c->verdict = PK_NEW;
		else if (!f->frame[PK_AFTER])
			c->verdict = PK_GONE;
		else if (is_exact(d, m, i))
			judge_exact(j, c, whole);
		else if (largest_share(c, whole) >= limit(j->min_share, 0.0001))
			add_to_family(j, i, m);
	}
}

/* Functions that are large enough to tell how fast the machine was. */
static void take_out_machine(struct judge *j)
{
	bool *use = pk_calloc(j->family.rows, sizeof(*use));
	double factor;

	for (size_t i = 0; i < j->family.rows; i++) {
		const struct place *p = &j->place[i];

		use[i] = p->measure == PK_SELF &&
			 largest_share(&j->d->row[p->row].change[PK_SELF], &j->d->total) >= 0.001;
	}
	factor = exp(pk_family_normalise(&j->family, use));
	if (factor != 1)
		j->d->machine_factor = factor;
	free(use);
}

/* Whether the interval leaves room for a change of 5 % of the whole. */
static bool may_hide_much(const struct pk_change *c, const struct pk_change *whole)
{
	double most = fmax(c->ci_high - 1, 1 - c->ci_low);

	return most * largest_share(c, whole) > 0.05;
}

static void judge_tested(const struct judge *j, struct pk_change *c, const struct pk_change *whole)
{
	double least = limit(j->min_change, 0.01);
	bool enough = change_share(c, whole) >= limit(j->min_share, 0.0001);

	if (enough && c->p < j->alpha && c->ci_low > 1 + least)
		c->verdict = PK_REGRESSED;
	else if (enough && c->p < j->alpha && c->ci_high < 1 / (1 + least))
		c->verdict = PK_IMPROVED;
	else
		c->verdict = may_hide_much(c, whole) ? PK_INCONCLUSIVE : PK_UNCHANGED;
}

static void test_family(struct judge *j)
{
	struct pk_family_result result;
	double t;

	pk_family_test(&j->family, &result);
	j->d->method = result.exploratory ? PK_DIFF_EXPLORATORY : PK_DIFF_TESTED;
	t = pk_t_critical(1 - CONFIDENCE, result.df);
	for (size_t i = 0; i < j->family.rows; i++) {
		const struct place *p = &j->place[i];
		const struct pk_family_row *r = &result.row[i];
		struct pk_change *c = &j->d->row[p->row].change[p->measure];

		c->p = r->p_adjusted;
		c->ci_low = exp(r->shift - t * r->error);
		c->ci_high = exp(r->shift + t * r->error);
		judge_tested(j, c, whole_of(j->d, p->measure));
	}
	pk_family_result_release(&result);
}

static double *as_reals(const int64_t *value, uint32_t n)
{
	double *real = pk_malloc(pk_mul(n, sizeof(*real)));

	for (uint32_t i = 0; i < n; i++)
		real[i] = (double)value[i];
	return real;
}

/* The whole, by ranks: whatever the distribution, and with the machine's part. */
static void test_whole(const struct judge *j, struct pk_change *c, const int64_t *before,
		       const int64_t *after)
{
	double *b = as_reals(before, j->before), *a = as_reals(after, j->after);
	size_t rank = pk_shift_rank(j->before, j->after, CONFIDENCE);
	struct pk_interval shift = pk_hodges_lehmann(b, j->before, a, j->after, rank);

	c->p = pk_mann_whitney(b, j->before, a, j->after);
	if (c->before > 0 && isfinite(shift.low) && isfinite(shift.high)) {
		c->ci_low = 1 + shift.low / (double)c->before;
		c->ci_high = 1 + shift.high / (double)c->before;
	}
	if (c->p < j->alpha && c->before != c->after)
		c->verdict = by_sign(c);
	else if (isnan(c->ci_low) || may_hide_much(c, c))
		c->verdict = PK_INCONCLUSIVE;
	else
		c->verdict = PK_UNCHANGED;
	free(a);
	free(b);
}

static void judge_whole(const struct judge *j, enum pk_measure m)
{
	struct pk_diff *d = j->d;
	struct pk_change *c = m == PK_CALLS ? &d->total_calls : &d->total;
	const int64_t *b = m == PK_CALLS ? d->side[PK_BEFORE].calls : d->side[PK_BEFORE].whole;
	const int64_t *a = m == PK_CALLS ? d->side[PK_AFTER].calls : d->side[PK_AFTER].whole;

	if (c->before == PK_NULL || c->after == PK_NULL)
		c->verdict = PK_INCONCLUSIVE;
	else if (is_deterministic(d, m) && is_constant(b, j->before) && is_constant(a, j->after))
		judge_exact(j, c, c);
	else if (j->before + j->after > 2)
		test_whole(j, c, b, a);
	else
		judge_noise(j, c, m, c);
}

/* Numbers that the machine has the same part in: those of time, or of calls. */
static void judge_group(struct judge *j, unsigned measures)
{
	struct pk_diff *d = j->d;

	j->family.rows = 0;
	for (int m = 0; m < PK_MEASURES; m++) {
		if (measures & 1U << m)
			sort_out(j, m);
	}
	if (!j->family.rows)
		return;
	if (!(measures & 1U << PK_CALLS))
		take_out_machine(j);
	if (j->before + j->after > 2) {
		test_family(j);
		return;
	}
	d->method = PK_DIFF_NOISE;
	for (size_t i = 0; i < j->family.rows; i++) {
		const struct place *p = &j->place[i];

		judge_noise(j, &d->row[p->row].change[p->measure], p->measure,
			    whole_of(d, p->measure));
	}
}

void pk_diff_judge(struct pk_diff *d, const struct pk_judge_options *options)
{
	enum { CALLS = 1U << PK_CALLS, SELF = 1U << PK_SELF };
	struct judge j = {
		.d = d,
		.alpha = options->alpha,
		.min_change = options->min_change,
		.min_share = options->min_share,
		.before = d->side[PK_BEFORE].runs,
		.after = d->side[PK_AFTER].runs,
	};

	j.family.before = j.before;
	j.family.after = j.after;
	d->method = PK_DIFF_EXACT;
	if (options->measures & CALLS)
		judge_group(&j, CALLS);
	if (options->measures & ~(unsigned)CALLS) /* self tells the factor of the machine */
		judge_group(&j, (options->measures & ~(unsigned)CALLS) | SELF);
	judge_whole(&j, PK_SELF);
	judge_whole(&j, PK_CALLS);
	free(j.place);
	free(j.family.value);
	pk_diff_attribute(d, options->measures);
}

int pk_change_direction(const struct pk_change *c)
{
	switch (c->verdict) {
	case PK_REGRESSED:
	case PK_NEW:
		return 1;
	case PK_IMPROVED:
	case PK_GONE:
		return -1;
	case PK_SUSPECT:
		return c->after > c->before ? 1 : -1;
	default:
		return 0;
	}
}
