/* Distributions, and what sampling noise alone makes of counts of samples. */
#include "analysis/stats/stats.h"

#include <float.h>
#include <math.h>

/* The j-th numerator, from 1, of the continued fraction of the incomplete beta function
 * (Abramowitz and Stegun 26.5.8). */
static double beta_term(int j, double x, double a, double b)
{
	int m = j / 2;

	if (j % 2)
		return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
	return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

/* 1 / (1 + term 1 / (1 + term 2 / (1 + ...))) by the modified Lentz method. Converges fast
 * for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
	enum { STEPS = 100000 };
	const double tiny = DBL_MIN / DBL_EPSILON;
	double f = 1, c = 1, d = 0;

	for (int j = 1; j < STEPS; j++) {
		double term = beta_term(j, x, a, b);

		d = 1 + term * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + term / c;
		c = fabs(c) < tiny ? tiny : c;
		f *= c * d;
		if (fabs(c * d - 1) < 2 * DBL_EPSILON)
			break;
	}
	return 1 / f;
}

double pk_beta_below(double x, double a, double b)
{
	double front;

	if (!(a > 0 && b > 0) || isnan(x))
		return NAN;
	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* Newton's steps from the mean; where one leaves the bracket, or steps no longer help, halves it. */
double pk_beta_quantile(double p, double a, double b)
{
	enum { NEWTON = 12 };
	double low = 0, high = 1, x = a / (a + b), log_beta;

	if (!(a > 0 && b > 0 && p >= 0 && p <= 1))
		return NAN;
	log_beta = lgamma(a) + lgamma(b) - lgamma(a + b);
	for (int step = 0; high - low > DBL_EPSILON * high && x > low && x < high; step++) {
		double off = pk_beta_below(x, a, b) - p, next;

		if (off < 0)
			low = x;
		else
			high = x;
		next = x - off * exp(log_beta - (a - 1) * log(x) - (b - 1) * log1p(-x));
		if (step < NEWTON && fabs(next - x) <= 2 * DBL_EPSILON * x)
			return next;
		x = step < NEWTON && next > low && next < high ? next : low + (high - low) / 2;
	}
	return high;
}

double pk_t_two_sided(double t, double df)
{
	if (!(df > 0) || isnan(t))
		return NAN;
	return pk_beta_below(df / (df + t * t), df / 2, 0.5);
}

double pk_t_critical(double p, double df)
{
	double x;

	if (!(p > 0 && p <= 1 && df > 0))
		return NAN;
	x = pk_beta_quantile(p, df / 2, 0.5);
	return sqrt(df * (1 - x) / x);
}

double pk_normal_below(double z)
{
	return erfc(-z / sqrt(2)) / 2;
}

struct pk_interval pk_count_ratio(double before, double exposure_before, double after,
				  double exposure_after, double phi, double confidence)
{
	double exposure = exposure_before / exposure_after, tail = (1 - confidence) / 2;
	double k = after / phi, rest = before / phi, low, high;
	struct pk_interval interval = {NAN, 0, INFINITY};

	if (!(exposure_before > 0 && exposure_after > 0 && before >= 0 && after >= 0))
		return interval;
	interval.estimate = (after + 0.5) / (before + 0.5) * exposure;
	if (k > 0) {
		low = pk_beta_quantile(tail, k, rest + 1);
		interval.low = low / (1 - low) * exposure;
	}
	if (rest > 0) {
		high = pk_beta_quantile(1 - tail, k + 1, rest);
		interval.high = high / (1 - high) * exposure;
	}
	return interval;
}

double pk_variance_factor(const double *block, size_t blocks)
{
	enum { LEAST_BLOCKS = 10 };
	double sum = 0, squares = 0, mean, factor;

	if (blocks < LEAST_BLOCKS)
		return PK_PHI_UNKNOWN;
	for (size_t i = 0; i < blocks; i++)
		sum += block[i];
	if (!(sum > 0))
		return 1;
	mean = sum / (double)blocks;
	for (size_t i = 0; i < blocks; i++)
		squares += (block[i] - mean) * (block[i] - mean);
	factor = (double)blocks / (double)(blocks - 1) * squares / sum;
	return factor > 1 ? factor : 1;
}
