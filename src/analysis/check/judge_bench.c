/* Benchmarks: each is judged by its repeated values, p adjusted for how many there are. */
#include "analysis/check/judge_internal.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats/stats.h"
#include "base/alloc.h"

struct judging {
	struct pk_diff *d;
	const struct pk_judge_options *options;
	double confidence;       /* of the interval of a row */
	double speed;            /* of the machine, by which values after are divided */
	double shifts, variance; /* of the total: sums of logarithms, and of their variance */
	size_t known;
	bool bounded; /* all known ratios have an interval */
};

static struct pk_series series_of(const struct pk_diff *d, enum pk_side s, uint32_t row)
{
	const struct pk_diff_repeated *r = &d->side[s].repeated;

	return (struct pk_series){.value = r->value + r->first[row],
				  .process = r->process + r->first[row],
				  .count = pk_diff_values(d, s, row)};
}

static bool all_equal(const struct pk_series *s)
{
	for (size_t i = 1; i < s->count; i++)
		if (s->value[i] != s->value[0])
			return false;
	return s->count > 1;
}

static bool all_positive(const struct pk_series *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (!(s->value[i] > 0))
			return false;
	return true;
}

static double *logarithms(const struct pk_series *s, double by)
{
	double *made = pk_malloc(pk_mul(s->count, sizeof(*made)));

	for (size_t i = 0; i < s->count; i++)
		made[i] = log(s->value[i] / by);
	return made;
}

/* For positive values; those after are divided by `speed`. */
static void compare_logarithms(const struct pk_series *b, const struct pk_series *a, double speed,
			       double confidence, struct pk_compared_series *result)
{
	PK_FREED double *log_b = logarithms(b, 1);
	PK_FREED double *log_a = logarithms(a, speed);

	pk_compare_series(&(struct pk_series){log_b, b->process, b->count},
			  &(struct pk_series){log_a, a->process, a->count}, confidence, result);
}

static enum pk_verdict direction(const struct pk_diff *d, bool up)
{
	return up != d->more_is_better ? PK_REGRESSED : PK_IMPROVED;
}

/* For one value or a summary a side: the verdict as for profiles with one run a side. */
static enum pk_verdict untested(const struct judging *j, struct pk_change *c)
{
	double most = 1 + j->options->suspect;

	if (c->before == PK_NULL || c->after == PK_NULL)
		return PK_INCONCLUSIVE;
	c->ratio /= j->speed;
	if (c->before == c->after && j->speed == 1)
		return PK_UNCHANGED;
	return !j->d->more_is_better && (c->ratio > most || c->ratio < 1 / most) ? PK_SUSPECT
										 : PK_INCONCLUSIVE;
}

/*
 * The part of the error that the values of a row do not show, as a standard error of the logarithm
 * of the ratio. It has the error of the reference, and, for times with few values, the chance that
 * all values of a side were measured in one phase of the machine, which is assumed to be 3 % faster
 * or slower (standard deviation).
 */
static double hidden_error(const struct pk_diff *d, const struct pk_series *b,
			   const struct pk_series *a)
{
	const double phase = 0.03;
	size_t fewest = b->count < a->count ? b->count : a->count;
	bool few = d->kind == PK_METRIC_TIME && fewest < PK_FEWEST_RANKED;

	return hypot(d->reference_error, few ? phase * sqrt(2) : 0);
}

/* Sets ratio and interval from the shift of the logarithms; returns p. */
static double widen(const struct judging *j, struct pk_change *c,
		    const struct pk_compared_series *result, double error)
{
	const struct pk_interval *shift = &result->shift;
	double off = error * pk_t_critical(1 - j->confidence, 1e9), z;

	c->ratio = exp(shift->estimate);
	c->ci_low = exp(shift->estimate - hypot(shift->estimate - shift->low, off));
	c->ci_high = exp(shift->estimate + hypot(shift->high - shift->estimate, off));
	if (!(error > 0) || !(result->p < 1))
		return result->p;
	z = pk_t_critical(fmax(result->p, 1e-300), 1e9);
	return pk_t_two_sided(shift->estimate / hypot(shift->estimate / z, error), 1e9);
}

/* Returns p of the row alone. */
static double test(const struct judging *j, uint32_t row)
{
	struct pk_series b = series_of(j->d, PK_BEFORE, row), a = series_of(j->d, PK_AFTER, row);
	struct pk_change *c = &j->d->row[row].change[PK_SELF];
	struct pk_compared_series result;

	if (!all_positive(&b) || !all_positive(&a)) {
		pk_compare_series(&b, &a, j->confidence, &result);
		return result.p;
	}
	compare_logarithms(&b, &a, j->speed, j->confidence, &result);
	return widen(j, c, &result, hidden_error(j->d, &b, &a));
}

/* Sets the verdict of rows that need or allow no test; returns true for the others. */
static bool is_tested(const struct judging *j, uint32_t row)
{
	const struct pk_match_function *f = &j->d->match.function[row];
	struct pk_change *c = &j->d->row[row].change[PK_SELF];
	struct pk_series b = series_of(j->d, PK_BEFORE, row), a = series_of(j->d, PK_AFTER, row);

	c->ci_low = c->ci_high = c->p = NAN;
	if (!f->id[PK_BEFORE] || !f->id[PK_AFTER])
		c->verdict = f->id[PK_AFTER] ? PK_NEW : PK_GONE;
	else if (b.count < 2 || a.count < 2)
		c->verdict = untested(j, c);
	else if (j->d->kind != PK_METRIC_TIME && all_equal(&b) && all_equal(&a))
		c->verdict = c->before == c->after ? PK_UNCHANGED
						   : direction(j->d, c->after > c->before);
	else
		return true;
	return false;
}

/* Without an interval, where values are 0 or negative, p alone decides. */
static enum pk_verdict verdict_of(const struct judging *j, struct pk_change *c)
{
	bool up = isnan(c->ci_low) ? c->after > c->before : c->ratio > 1;

	if (c->p < j->options->alpha && (c->after != c->before || !isnan(c->ci_low)))
		return direction(j->d, up);
	if (c->ci_low >= 1 / (1 + j->options->threshold) && c->ci_high <= 1 + j->options->threshold)
		return PK_UNCHANGED;
	return c->before == c->after && isnan(c->ci_low) ? PK_UNCHANGED : PK_INCONCLUSIVE;
}

static void add_to_total(struct judging *j, const struct pk_change *c)
{
	double width = log(c->ci_high) - log(c->ci_low);
	double error = width / 2 / pk_t_critical(1 - j->confidence, 1e9);

	if (!(c->ratio > 0) || !isfinite(c->ratio) || c->verdict == PK_NEW || c->verdict == PK_GONE)
		return;
	j->shifts += log(c->ratio);
	j->variance += isfinite(error) ? error * error : 0;
	j->bounded &= isfinite(width) ||
		      (c->p != c->p && c->verdict != PK_INCONCLUSIVE && c->verdict != PK_SUSPECT);
	j->known++;
}

/* The geometric mean of the ratios. Its interval takes the benchmarks as independent. */
static void judge_total(struct judging *j)
{
	struct pk_change *c = &j->d->total;
	double mean = j->shifts / (double)j->known;
	double error = sqrt(j->variance) / (double)j->known;
	double off = error * pk_t_critical(1 - j->options->confidence, 1e9);

	c->ratio = exp(mean);
	c->verdict = PK_INCONCLUSIVE;
	if (!j->known || !j->bounded)
		return;
	c->ci_low = exp(mean - off);
	c->ci_high = exp(mean + off);
	c->p = error > 0 ? pk_t_two_sided(mean / error, 1e9) : mean == 0 ? 1 : 0;
	c->verdict = verdict_of(j, c);
}

void pk_judge_benchmarks(struct pk_diff *d, const struct pk_judge_options *options)
{
	struct judging j = {.d = d, .options = options, .speed = 1, .bounded = true};
	PK_FREED uint32_t *row = pk_malloc(pk_mul(d->match.count, sizeof(*row)));
	PK_FREED double *p = pk_malloc(pk_mul(d->match.count, sizeof(*p)));
	size_t tested = 0;

	d->method = PK_DIFF_REPEATED;
	if (d->reference && d->kind == PK_METRIC_TIME)
		j.speed = d->machine_factor;
	for (uint32_t i = 1; i < d->match.count; i++)
		if (is_tested(&j, i))
			row[tested++] = i;
	j.confidence = options->confidence;
	if (!options->each && tested)
		j.confidence = 1 - (1 - options->confidence) / (double)tested;
	for (size_t i = 0; i < tested; i++)
		p[i] = test(&j, row[i]);
	pk_holm(p, tested);
	for (size_t i = 0; i < tested; i++) {
		struct pk_change *c = &d->row[row[i]].change[PK_SELF];

		c->p = p[i];
		if (!options->each && !isnan(c->ci_low))
			pk_judge_fit_interval(c, options->alpha, c->ratio > 1);
		c->verdict = verdict_of(&j, c);
	}
	for (uint32_t i = 1; i < d->match.count; i++) {
		add_to_total(&j, &d->row[i].change[PK_SELF]);
		d->row[i].change[PK_TOTAL] = d->row[i].change[PK_SELF];
	}
	judge_total(&j);
}

int pk_judge_calibrate(struct pk_diff *d, const char *name, uint32_t row, struct pk_error *err)
{
	struct pk_compared_series result;
	struct pk_series of[PK_SIDES];

	for (int s = 0; s < PK_SIDES; s++) {
		of[s] = series_of(d, (enum pk_side)s, row);
		if (!d->match.function[row].id[s])
			return pk_fail(err, PK_EUSAGE, "--calibrate: '%s' is not in '%s'", name,
				       d->side[s].name);
		if (of[s].count < 2)
			return pk_fail(err, PK_EUSAGE,
				       "--calibrate: '%s' has %s in '%s', which say nothing of its "
				       "error",
				       name, of[s].count ? "one value" : "no values",
				       d->side[s].name);
		if (!all_positive(&of[s]))
			return pk_fail(err, PK_EUSAGE,
				       "--calibrate: '%s' has values that are not positive", name);
	}
	compare_logarithms(&of[PK_BEFORE], &of[PK_AFTER], 1, 0.95, &result);
	if (!isfinite(result.shift.high))
		return pk_fail(err, PK_EUSAGE,
			       "--calibrate: the times of '%s' change too much in the course of a "
			       "run to say how fast the machine is",
			       name);
	d->reference = row;
	d->machine_factor = exp(result.shift.estimate);
	d->reference_error = (result.shift.high - result.shift.low) / 2 / pk_t_critical(0.05, 1e9);
	return 0;
}
