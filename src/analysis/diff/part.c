/*
 * Two parts: the runs of each are the repetitions. Their single values are not known, so a value of
 * a side is the mean over its runs, and how far these are from it is the standard deviation.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/diff/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/part/spread.h"

struct collecting {
	struct pk_diff *d;
	struct pk_diff_side *side;
	const struct pk_profile *p;
	const uint32_t *row; /* by function */
	uint32_t metric;
	double sum, squares; /* of the wholes of the runs, in the unit of the part */
	int64_t factor;      /* of values to those of the difference */
	uint32_t *rows;      /* by row of the difference: functions of the part that are this row */
};

static int64_t mean_value(double mean)
{
	return mean >= 9.2e18 ? INT64_MAX : (int64_t)llround(mean);
}

/* Runs that know the metric, and the whole of each. */
static void collect_whole(struct collecting *c)
{
	const struct pk_member_total_table *t = &c->p->member_total;
	struct pk_diff_spread whole = {.least = INT64_MAX, .most = -INT64_MAX};
	struct pk_diff_spread calls = {.deviation = NAN, .least = INT64_MAX, .most = 0};
	double squares = 0, runs = 0;
	bool unknown = false;

	for (uint32_t i = 1; i < t->count; i++) {
		int64_t value = pk_mul_saturated(t->total[i], c->factor);
		double off = (double)value - whole.mean;

		if (t->metric[i] != c->metric)
			continue;
		runs++;
		c->sum += (double)t->total[i];
		c->squares += (double)t->total[i] * (double)t->total[i];
		whole.mean += off / runs;
		squares += off * ((double)value - whole.mean);
		whole.least = value < whole.least ? value : whole.least;
		whole.most = value > whole.most ? value : whole.most;
		unknown |= t->calls[i] == PK_NULL;
		calls.mean += ((double)t->calls[i] - calls.mean) / runs;
		calls.least = t->calls[i] < calls.least ? t->calls[i] : calls.least;
		calls.most = t->calls[i] > calls.most ? t->calls[i] : calls.most;
	}
	if (unknown)
		calls = (struct pk_diff_spread){NAN, NAN, NAN, PK_NULL, PK_NULL};
	whole.deviation = runs > 1 ? sqrt(squares / (runs - 1)) : NAN;
	c->side->members = (uint32_t)runs;
	c->side->whole[0] = mean_value(whole.mean);
	c->side->calls[0] = unknown ? PK_NULL : mean_value(calls.mean);
	c->side->spread[PK_SELF][0] = c->side->spread[PK_TOTAL][0] = whole;
	c->side->spread[PK_CALLS][0] = calls;
}

/* The deviation of value - share * whole; infinite if it is not known. */
static double apart(const struct collecting *c, uint32_t i, double runs)
{
	const struct pk_spread_table *t = &c->p->spread;
	long double share = (long double)t->sum[i] / (c->sum != 0 ? c->sum : 1);
	long double squares = (long double)pk_spread_squares(t, i) -
			      2 * share * (long double)pk_spread_products(t, i) +
			      share * share * c->squares;

	if (pk_spread_products(t, i) == PK_PRODUCTS_UNKNOWN)
		return INFINITY;
	return runs > 1 ? sqrt((double)(squares > 0 ? squares : 0) / (runs - 1)) : NAN;
}

static bool counts_largest(const struct collecting *c)
{
	return pk_metric_aggregate(c->p, c->metric) == PK_AGGREGATE_MAX;
}

/* Adds the statistics of a function. If several functions are one row here, deviations are added,
 * as if all were large in the same runs: the deviation of the sum is not larger than that. Where
 * the largest value counts, the function with the largest mean stands for the row. */
static void add_spread(const struct collecting *c, struct pk_diff_spread *s, uint32_t i)
{
	const struct pk_spread_table *t = &c->p->spread;
	int64_t runs = c->side->members, factor = c->factor;
	bool missing = t->runs[i] < runs;
	int64_t least = missing && t->least[i] > 0 ? 0 : t->least[i];
	int64_t most = missing && t->most[i] < 0 ? 0 : t->most[i];

	if (counts_largest(c)) {
		if ((double)t->sum[i] * (double)factor / (double)runs < s->mean)
			return;
		*s = (struct pk_diff_spread){0};
	}
	s->mean += (double)t->sum[i] * (double)factor / (double)runs;
	s->deviation +=
		pk_spread_deviation(t, i, runs > t->runs[i] ? runs : t->runs[i]) * (double)factor;
	s->apart += apart(c, i, (double)runs) * (double)factor;
	pk_add_saturated(&s->least, pk_mul_saturated(least, factor));
	pk_add_saturated(&s->most, pk_mul_saturated(most, factor));
}

static void add_calls(struct pk_diff_spread *s, const struct pk_spread_table *t, uint32_t i,
		      int64_t runs)
{
	if (t->calls_least[i] == PK_NULL || s->least == PK_NULL) {
		s->least = s->most = PK_NULL;
		return;
	}
	pk_add_saturated(&s->least, t->runs[i] < runs ? 0 : t->calls_least[i]);
	pk_add_saturated(&s->most, t->calls_most[i]);
}

static void collect_spreads(struct collecting *c)
{
	const struct pk_spread_table *t = &c->p->spread;
	int64_t runs = c->side->members;

	for (uint32_t i = 1; i < t->count; i++) {
		enum pk_measure m = t->of[i] == PK_SPREAD_SELF ? PK_SELF : PK_TOTAL;
		uint32_t row = c->row[t->function[i]];

		if (t->metric[i] != c->metric)
			continue;
		add_spread(c, &c->side->spread[m][row], i);
		if (m == PK_SELF) {
			c->rows[row]++;
			add_calls(&c->side->spread[PK_CALLS][row], t, i, runs);
		}
	}
}

/* Turns values, which are sums over the runs, into means. The total of functions that became one
 * row is that of the profile, because the sum of their totals would count calls between them
 * twice. */
static void make_means(struct collecting *c)
{
	struct pk_diff_side *side = c->side;
	bool calls = side->calls[0] != PK_NULL;

	for (uint32_t i = 1; i < c->d->match.count; i++) {
		struct pk_diff_spread *total = &side->spread[PK_TOTAL][i];
		int64_t *of_calls = &side->value[PK_CALLS][i];

		if (c->rows[i] > 1 && !counts_largest(c))
			total->mean = (double)side->value[PK_TOTAL][i] / side->members;
		side->value[PK_SELF][i] = mean_value(side->spread[PK_SELF][i].mean);
		side->value[PK_TOTAL][i] = mean_value(total->mean);
		*of_calls = !calls || *of_calls == PK_NULL
				    ? PK_NULL
				    : mean_value((double)*of_calls / side->members);
	}
}

void pk_diff_collect_part(struct pk_diff *d, enum pk_side s)
{
	const struct pk_match_side *from = &d->match.side[s];
	struct collecting c = {.d = d,
			       .side = &d->side[s],
			       .p = from->profile[0],
			       .row = from->of_function[0],
			       .metric = d->side[s].metric[0],
			       .factor = 1};
	int exponent = c.p->metric.exponent[c.metric];

	for (; exponent < d->exponent; exponent++)
		c.factor = pk_mul_saturated(c.factor, 10);
	c.rows = pk_calloc(d->match.count, sizeof(*c.rows));
	for (int m = 0; m < PK_MEASURES; m++)
		c.side->spread[m] = pk_calloc(d->match.count, sizeof(*c.side->spread[m]));
	collect_whole(&c);
	if (c.side->members) {
		collect_spreads(&c);
		make_means(&c);
	}
	free(c.rows);
}

void pk_diff_scale_part(struct pk_diff *d, double factor, const int64_t *waits)
{
	for (int m = PK_SELF; m <= PK_TOTAL; m++) {
		for (uint32_t i = 0; i < d->match.count; i++) {
			struct pk_diff_spread *s = &d->side[PK_BEFORE].spread[m][i];
			double by = d->row[i].waits ? 1 : factor;

			if ((!i || m == PK_TOTAL) && waits[i] > 0 && s->mean > 0)
				by += fmin(1, (double)waits[i] / s->mean) * (1 - by);
			s->mean *= by;
			s->deviation *= by;
			s->apart *= by;
			s->least = pk_scaled(s->least, by);
			s->most = pk_scaled(s->most, by);
		}
	}
}
