/* Several runs a side: judges differences against the variation between the runs of a side. */
#include "analysis/check/judge_internal.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats/stats.h"
#include "base/alloc.h"

enum pk_verdict pk_judge_verdict(const struct pk_change *c, const struct pk_judge_options *o,
				 bool exploratory)
{
	if (c->p < o->alpha && (c->ci_low >= 1 || c->ci_high <= 1))
		return exploratory ? PK_SUSPECT : c->ci_low >= 1 ? PK_REGRESSED : PK_IMPROVED;
	if (c->ci_low >= 1 / (1 + o->threshold) && c->ci_high <= 1 + o->threshold)
		return PK_UNCHANGED;
	return PK_INCONCLUSIVE;
}

static void set_estimate(struct pk_change *c, const struct pk_family_row *tested, double critical)
{
	double off = critical * tested->error;

	c->p = tested->p_adjusted;
	if (c->before > 0 && c->after > 0)
		c->ratio = exp(tested->shift);
	c->ci_low = exp(tested->shift - off);
	c->ci_high = exp(tested->shift + off);
}

/* p is found in steps and can be smaller than the interval implies; then the interval ends at 1. */
void pk_judge_fit_interval(struct pk_change *c, double alpha, bool up)
{
	bool real = c->p < alpha;

	if (!real || !up)
		c->ci_low = fmin(c->ci_low, 1);
	else
		c->ci_low = fmax(c->ci_low, 1);
	if (!real || up)
		c->ci_high = fmax(c->ci_high, 1);
	else
		c->ci_high = fmin(c->ci_high, 1);
}

static void judge_functions(struct pk_judging *judging, enum pk_measure measure)
{
	const struct pk_judge_options *o = judging->options;
	struct pk_diff *d = judging->d;
	struct pk_family_result result;
	struct pk_judged j;
	double critical;

	pk_judged_init(&j, judging, measure);
	pk_judge_machines(judging, &j, measure);
	pk_family_test(&j.family, o->alpha, &result);
	critical = o->each ? pk_t_critical(1 - o->confidence, result.df) : result.critical;
	d->method = result.exploratory ? PK_DIFF_EXPLORATORY : PK_DIFF_TESTED;
	for (size_t i = 0; i < j.family.rows; i++) {
		struct pk_change *c = &d->row[j.row[i]].change[measure];

		set_estimate(c, &result.row[i], critical);
		if (!o->each)
			pk_judge_fit_interval(c, o->alpha, result.row[i].shift > 0);
		c->verdict = pk_judge_verdict(c, o, result.exploratory);
	}
	pk_family_result_release(&result);
	pk_judged_release(&j);
}

static double *logarithms(const int64_t *value, uint32_t count)
{
	double *log_of = pk_malloc(pk_mul(count, sizeof(*log_of)));

	for (uint32_t i = 0; i < count; i++) {
		if (value[i] <= 0) { /* a run whose whole is 0 */
			free(log_of);
			return NULL;
		}
		log_of[i] = log((double)value[i]);
	}
	return log_of;
}

static void judge_whole(struct pk_judging *judging)
{
	struct pk_diff *d = judging->d;
	const struct pk_diff_side *b = &d->side[PK_BEFORE], *a = &d->side[PK_AFTER];
	double *before = logarithms(b->whole, b->runs), *after = logarithms(a->whole, a->runs);
	struct pk_change *c = &d->total;

	c->verdict = PK_INCONCLUSIVE;
	c->ci_low = c->ci_high = c->p = NAN;
	if (before && after) {
		size_t rank = pk_shift_rank(b->runs, a->runs, judging->options->confidence);
		struct pk_interval shift = pk_hodges_lehmann(before, b->runs, after, a->runs, rank);

		c->p = pk_mann_whitney(before, b->runs, after, a->runs);
		if (rank) {
			c->ratio = exp(shift.estimate);
			c->ci_low = exp(shift.low);
			c->ci_high = exp(shift.high);
		}
		c->verdict = pk_judge_verdict(c, judging->options, false);
	}
	free(before);
	free(after);
}

void pk_judge_runs(struct pk_judging *judging)
{
	judge_functions(judging, PK_SELF); /* first, because it finds the machine factors */
	pk_judge_waiting(judging);
	judge_functions(judging, PK_TOTAL);
	judge_whole(judging);
	pk_judge_like_whole(judging);
}
