/* The statistics of benchstat: see benchstat.h. */
#include "analysis/bench/benchstat.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { FIRST_ROUNDED = 21, MOST_BINOMIAL = 30, MOST_EXACT = 50, MOST_EXACT_TIED = 25 };

static double normal_below(double x, double mean, double sd)
{
	return erfc(-(x - mean) / (sd * M_SQRT2)) / 2;
}

/* The x that a normal value is below with this chance. */
static double normal_quantile(double chance)
{
	double low = -40, high = 40;

	for (int i = 0; i < 100; i++) {
		double x = (low + high) / 2;

		if (normal_below(x, 0, 1) < chance)
			low = x;
		else
			high = x;
	}
	return high;
}

struct orders {
	int low, high; /* the values that bound the interval, from 1 */
};

static double binomial(int n, int k)
{
	double ways = 1;

	if (k < 0 || k > n)
		return 0;
	for (int i = 1; i <= k; i++)
		ways = ways * (n - k + i) / i;
	return ldexp(ways, -n);
}

/*
 * Whether the interval grows to the right in this step; to the left where the chances are equal.
 * From 21 values on, benchstat's chances come from exp(lgamma), so that rounding decides between
 * equal ones: bit i of a number is its step i, as on x86-64.
 */
static bool grows_right(int n, int step, double left, double right)
{
	static const uint32_t rounded[] = {
		0x14CD35,  0x299A69,  0x5334D5,  0xA669A9,   0x14CD34D,
		0x299A69A, 0x5334D2D, 0xA669A65, 0x14CAB4D3, 0x299559A5,
	};

	if (n >= FIRST_ROUNDED)
		return rounded[n - FIRST_ROUNDED] >> step & 1;
	return right > left;
}

/* Adds up the chances of the median to be between two values, from the middle outwards. */
static struct orders binomial_orders(int n, double confidence)
{
	int low = (n + 2) / 2 - 1, high = low + 1;
	double sum = binomial(n, low);

	for (int step = 0; sum < confidence; step++) {
		double left = binomial(n, low - 1), right = binomial(n, high);

		if (left <= 0 && right <= 0)
			break;
		if (grows_right(n, step, left, right)) {
			sum += right;
			high++;
		} else {
			sum += left;
			low--;
		}
	}
	return (struct orders){low, high};
}

static struct orders normal_orders(int n, double confidence)
{
	double mean = n / 2.0, sd = sqrt(n / 4.0);
	double left = mean + sd * normal_quantile((1 - confidence) / 2), right = 2 * mean - left;
	int low = (int)floor(left - 0.5) + 1, high = (int)ceil(right - 0.5) + 1;
	double below = normal_below(low - 0.5, mean, sd);
	double whole = normal_below(high - 0.5, mean, sd) - below;
	double less = normal_below(high - 1.5, mean, sd) - below;

	return (struct orders){low, high - (less >= confidence && less < whole)};
}

static struct orders median_orders(int n, double confidence)
{
	if (confidence >= 1)
		return (struct orders){0, n + 1};
	return n <= MOST_BINOMIAL ? binomial_orders(n, confidence) : normal_orders(n, confidence);
}

/* As benchstat interpolates, which need not give the mean of the two middle values to the last
 * bit. */
static double median(const double *value, size_t count)
{
	double whole, part = modf(1 / 3.0 + 0.5 * ((double)count + 1 / 3.0), &whole);
	size_t k = (size_t)whole;

	if (!k || k >= count)
		return value[k ? count - 1 : 0];
	return value[k - 1] + part * (value[k] - value[k - 1]);
}

struct pk_benchstat_center pk_benchstat_median(const double *value, size_t count, double confidence)
{
	struct orders orders = median_orders((int)count, confidence);
	struct pk_benchstat_center c = {median(value, count), -INFINITY, INFINITY};

	if (orders.low >= 1)
		c.low = value[orders.low - 1];
	if (orders.high <= (int)count)
		c.high = value[orders.high - 1];
	return c;
}

struct pk_benchstat_center pk_benchstat_mode(const double *value, size_t count)
{
	struct pk_benchstat_center c = {value[0], value[0], value[count - 1]};
	size_t most = 1, same = 1;

	for (size_t i = 1; i < count; i++) {
		same = value[i] == value[i - 1] ? same + 1 : 1;
		if (same > most) {
			most = same;
			c.center = value[i];
		}
	}
	return c;
}

int pk_benchstat_need_interval(double confidence)
{
	for (int n = 2; n <= 50; n++) {
		struct orders orders = median_orders(n, confidence);

		if (orders.low > 0 && orders.high <= n)
			return n;
	}
	return 0;
}

int pk_benchstat_need_difference(double alpha)
{
	double ways = 1; /* to choose n of 2 n */

	for (int n = 1; n < 10; n++) {
		ways = ways * (4 * n - 2) / n;
		if (2 / ways <= alpha)
			return n;
	}
	return 0;
}

/* Both sides in order, each value with twice its rank. */
struct ranks {
	size_t n, m; /* values before and after */
	int *rank;   /* of all */
	int sum;     /* of those before */
	bool tied, equal;
	double ties; /* sum of t^3 - t, t = the number of equal values */
};

static void rank_values(struct ranks *r, const double *before, const double *after)
{
	size_t all = r->n + r->m, i = 0, j = 0;

	for (size_t at = 0; at < all;) {
		double value =
			j == r->m || (i < r->n && before[i] < after[j]) ? before[i] : after[j];
		size_t first = i, start = at;

		for (; i < r->n && before[i] == value; at++)
			i++;
		for (; j < r->m && after[j] == value; at++)
			j++;
		for (size_t k = start; k < at; k++)
			r->rank[k] = (int)(start + at + 1);
		r->sum += (int)((i - first) * (start + at + 1));
		r->tied |= at - start > 1;
		r->equal |= at - start == all;
		r->ties += (double)((at - start) * (at - start) * (at - start) - (at - start));
	}
}

/* The chance that U is at most u, without equal values: p(n, m, u) of Mann and Whitney (1947). */
static double chance_of_untied(int n, int m, int u)
{
	int width = u + 1;
	double sum = 0, *row = pk_calloc(pk_mul((size_t)n + 1, (size_t)width), sizeof(*row));

	for (int j = 0; j <= m; j++) {
		row[0] = 1;
		for (int i = 1; i <= n && i <= j; i++) {
			const double *less = row + (size_t)(i - 1) * (size_t)width;
			double *at = row + (size_t)i * (size_t)width;
			const double *before = i < j ? at : less; /* p(n, m) = p(m, n) */

			for (int k = i * j < u ? i * j : u; k >= 0; k--)
				at[k] = ((k >= j ? i * less[k - j] : 0) + j * before[k]) / (i + j);
		}
	}
	for (int k = 0; k <= u; k++)
		sum += row[(size_t)n * (size_t)width + (size_t)k];
	free(row);
	return sum;
}

static double choices(size_t n, size_t k)
{
	double ways = 1;

	for (size_t i = 1; i <= k; i++)
		ways = ways * (double)(n - k + i) / (double)i;
	return ways;
}

/*
 * If there are only two different values, benchstat rounds a negative quotient to 0. So it also
 * counts the ways to choose n of the `low` smaller values, although their U is above u. Here u is
 * doubled.
 */
static double too_many(const struct ranks *r, int u)
{
	size_t all = r->n + r->m, low = (size_t)r->rank[0] - 1; /* rank: 1 + low, doubled */
	int off = u - (int)r->n * ((int)low - (int)r->n);

	if (low == all || r->rank[low] != r->rank[all - 1] || r->n > low || off >= 0 ||
	    off <= -(int)all)
		return 0;
	return choices(low, r->n);
}

/* The chance that U is at most half of u: the share of the ways to choose n of all values. */
static double chance_of_tied(const struct ranks *r, int u)
{
	size_t width = (size_t)u + r->n * (r->n + 1) + 1, all = r->n + r->m; /* of sums of ranks */
	double *ways = pk_calloc(pk_mul(r->n + 1, width), sizeof(*ways)), sum = too_many(r, u);

	ways[0] = 1;
	for (size_t v = 0; v < all; v++)
		for (size_t k = v < r->n ? v + 1 : r->n; k; k--)
			for (size_t s = width; s-- > (size_t)r->rank[v];)
				ways[k * width + s] +=
					ways[(k - 1) * width + s - (size_t)r->rank[v]];
	for (size_t s = 0; s < width; s++)
		sum += ways[r->n * width + s];
	free(ways);
	return sum / choices(all, r->n);
}

static double approximate(const struct ranks *r, double u)
{
	double product = (double)(r->n * r->m), all = (double)(r->n + r->m);
	double sd = sqrt(product * ((all + 1) - r->ties / (all * (all - 1))) / 12);
	double off = u - product / 2, below;

	off -= off > 0 ? 0.5 : off < 0 ? -0.5 : 0;
	below = normal_below(off / sd, 0, 1);
	return 2 * (below < 1 - below ? below : 1 - below);
}

double pk_benchstat_test(const double *before, size_t n, const double *after, size_t m, bool *equal)
{
	struct ranks r = {.n = n, .m = m};
	PK_FREED int *rank = pk_malloc(pk_mul(n + m, sizeof(*rank)));
	size_t limit;
	int u, other, small; /* twice U */

	r.rank = rank;
	rank_values(&r, before, after);
	*equal = r.equal;
	if (r.equal)
		return 1;
	u = r.sum - (int)(n * (n + 1));
	other = (int)(2 * n * m) - u;
	small = u < other ? u : other;
	limit = r.tied ? MOST_EXACT_TIED : MOST_EXACT;
	if (n > limit || m > limit)
		return approximate(&r, u / 2.0);
	if (u == other)
		return 1;
	if (r.tied)
		return 2 * chance_of_tied(&r, small);
	return 2 * chance_of_untied((int)(n < m ? n : m), (int)(n < m ? m : n), small / 2);
}

/*
 * Logarithm and exponential with the rounding of Go's on x86-64, so that a geometric mean is the
 * same to its last digit.
 */
static double go_log(double x)
{
	static const double c[] = {1.479819860511658591e-01, 1.531383769920937332e-01,
				   1.818357216161805012e-01, 2.222219843214978396e-01,
				   2.857142874366239149e-01, 3.999999999940941908e-01,
				   6.666666666666735130e-01};
	int exponent;
	double f = frexp(x, &exponent), k, s, s4, odd, even, half;

	if (f < M_SQRT1_2) {
		f *= 2;
		exponent--;
	}
	f -= 1;
	k = exponent;
	s = f / (2 + f);
	s4 = s * s * (s * s);
	odd = s * s * (c[6] + s4 * (c[4] + s4 * (c[2] + s4 * c[0])));
	even = s4 * (c[5] + s4 * (c[3] + s4 * c[1]));
	half = 0.5 * f * f;
	return k * 6.93147180369123816490e-01 -
	       ((half - (s * (half + (odd + even)) + k * 1.90821492927058770002e-10)) - f);
}

static double go_exp(double x)
{
	double k = nearbyint(x * M_LOG2E), sum = 1 / 40320.0;

	x = fma(-0.69314718055966295651160180568695068359375, k, x);
	x = fma(-0.28235290563031577122588448175013436025525412068e-12, k, x) / 16;
	for (int i = 7; i >= 1; i--) {
		static const double inverse[] = {0,        1,         1 / 2.0,   1 / 6.0,
						 1 / 24.0, 1 / 120.0, 1 / 720.0, 1 / 5040.0};

		sum = fma(sum, x, inverse[i]);
	}
	x *= sum; /* e^x - 1, which is doubled four times: e^2x - 1 = (e^x - 1) (e^x + 1) */
	for (int i = 0; i < 3; i++)
		x *= x + 2;
	return ldexp(fma(x + 2, x, 1), (int)k);
}

double pk_benchstat_geomean(const double *value, size_t count)
{
	double mean = 0;

	if (!count)
		return NAN;
	for (size_t i = 0; i < count; i++) {
		if (!(value[i] > 0))
			return NAN;
		mean += (go_log(value[i]) - mean) / (double)(i + 1);
	}
	return go_exp(mean);
}
