/*
 * Statistics of ranks: median, the test of Mann and Whitney, and shifts with intervals (Hodges and
 * Lehmann).
 */
#include "analysis/stats/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"

enum { EXACT_LIMIT = 100 };

double pk_median(double *values, size_t count)
{
	if (!count)
		return NAN;
	pk_sort_reals(values, count);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/*
 * The number of ways to choose k of the numbers item[0..n) so that they add up to s, for every
 * s up to `most`; the caller frees it. Doubles suffice: the counts have up to 30 digits, but
 * only their ratios matter.
 */
static double *count_sums(const size_t *item, size_t n, size_t k, size_t most)
{
	PK_FREED double *ways = pk_calloc(pk_mul(k + 1, most + 1), sizeof(*ways));
	double *chosen = pk_malloc(pk_mul(most + 1, sizeof(*chosen)));

	ways[0] = 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t c = k; c >= 1; c--) {
			const double *from = ways + (c - 1) * (most + 1);
			double *to = ways + c * (most + 1);

			for (size_t s = item[i]; s <= most; s++)
				to[s] += from[s - item[i]];
		}
	}
	memcpy(chosen, ways + k * (most + 1), (most + 1) * sizeof(*chosen));
	return chosen;
}

/* Both sides in one row, sorted, with twice their ranks, which are whole numbers even for ties. */
struct ranked {
	double *value;
	size_t *rank;
	size_t count;
	double ties; /* sum of t^3 - t over groups of t equal values */
};

static void rank_values(struct ranked *r, const double *a, size_t n, const double *b, size_t m)
{
	size_t end;

	r->count = n + m;
	r->ties = 0;
	r->value = pk_malloc(pk_mul(r->count, sizeof(*r->value)));
	r->rank = pk_malloc(pk_mul(r->count, sizeof(*r->rank)));
	memcpy(r->value, a, n * sizeof(*a));
	memcpy(r->value + n, b, m * sizeof(*b));
	pk_sort(r->value, r->count, sizeof(*r->value), pk_compare_reals);
	for (size_t i = 0; i < r->count; i = end) {
		double group;

		for (end = i + 1; end < r->count && r->value[end] == r->value[i];)
			end++;
		for (size_t k = i; k < end; k++)
			r->rank[k] = i + end + 1;
		group = (double)(end - i);
		r->ties += group * group * group - group;
	}
}

static size_t rank_sum(const struct ranked *r, const double *values, size_t count)
{
	size_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		const double *at = bsearch(&values[i], r->value, r->count, sizeof(*r->value),
					   pk_compare_reals);

		sum += r->rank[at - r->value];
	}
	return sum;
}

static double exact_p(const struct ranked *r, size_t n, size_t sum)
{
	size_t most = r->count * (r->count + 1); /* twice the sum of all ranks */
	double *ways = count_sums(r->rank, r->count, n, most);
	double all = 0, below = 0, above = 0, tail;

	for (size_t s = 0; s <= most; s++) {
		all += ways[s];
		below += s <= sum ? ways[s] : 0;
		above += s >= sum ? ways[s] : 0;
	}
	free(ways);
	tail = below < above ? below : above;
	return 2 * tail < all ? 2 * tail / all : 1;
}

static double approximate_p(const struct ranked *r, double n, double m, size_t sum)
{
	double total = n + m;
	double off = fabs((double)sum / 2 - n * (total + 1) / 2) - 0.5;
	double variance = n * m / 12 * (total + 1 - r->ties / (total * (total - 1)));

	if (off <= 0 || variance <= 0)
		return 1;
	return 2 * pk_normal_below(-off / sqrt(variance));
}

double pk_mann_whitney(const double *before, size_t before_count, const double *after,
		       size_t after_count)
{
	struct ranked r;
	size_t sum;
	double p;

	if (!before_count || !after_count)
		return 1;
	rank_values(&r, before, before_count, after, after_count);
	sum = rank_sum(&r, before, before_count);
	if (r.count <= EXACT_LIMIT)
		p = exact_p(&r, before_count, sum);
	else
		p = approximate_p(&r, (double)before_count, (double)after_count, sum);
	free(r.value);
	free(r.rank);
	return p;
}

/* The largest rank for which twice the probability of a smaller Mann-Whitney U is at most 1 -
 * confidence. */
size_t pk_shift_rank(size_t n, size_t m, double confidence)
{
	size_t most = n * m, *item, rank = 0;
	double *ways, all = 0, below = 0, alpha = 1 - confidence;

	if (n + m > EXACT_LIMIT) {
		double mean = (double)most / 2, sd = sqrt((double)most * (double)(n + m + 1) / 12);
		double low = mean + 0.5 - sd * pk_t_critical(alpha, 1e9);

		return low > 0 ? (size_t)low : 0;
	}
	item = pk_malloc(pk_mul(n + m, sizeof(*item)));
	for (size_t i = 0; i < n + m; i++)
		item[i] = i;
	/* The sum of n places among n + m, from 0, is U + n (n - 1) / 2. */
	ways = count_sums(item, n + m, n, most + n * (n - 1) / 2);
	for (size_t u = 0; u <= most; u++)
		all += ways[u + n * (n - 1) / 2];
	for (; rank < most / 2; rank++) {
		below += ways[rank + n * (n - 1) / 2];
		if (2 * below > alpha * all * (1 + 1e-12))
			break;
	}
	free(ways);
	free(item);
	return rank;
}

/* The number of differences that are at most that large; both sides are sorted. */
static size_t count_differences(const double *before, size_t n, const double *after, size_t m,
				double most)
{
	size_t count = 0, j = 0;

	for (size_t i = 0; i < n; i++) {
		while (j < m && after[j] - before[i] <= most)
			j++;
		count += j;
	}
	return count;
}

/* The difference with that many smaller ones before it in order: bisected, because there are n *
 * m. */
static double nth_difference(const double *before, size_t n, const double *after, size_t m,
			     size_t nth)
{
	uint64_t low = pk_real_key(-INFINITY), high = pk_real_key(INFINITY);

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (count_differences(before, n, after, m, pk_real_of_key(middle)) > nth)
			high = middle;
		else
			low = middle + 1;
	}
	return pk_real_of_key(low) + 0.0; /* no -0 */
}

double pk_shift_estimate(const double *before, size_t n, const double *after, size_t m)
{
	size_t count = pk_mul(n, m);
	double middle = nth_difference(before, n, after, m, count / 2);

	if (count % 2)
		return middle;
	return (nth_difference(before, n, after, m, count / 2 - 1) + middle) / 2;
}

void pk_shift_bounds(const double *before, size_t n, const double *after, size_t m, size_t rank,
		     struct pk_interval *interval)
{
	if (!rank)
		return;
	interval->low = nth_difference(before, n, after, m, rank - 1);
	interval->high = nth_difference(before, n, after, m, n * m - rank);
}

struct pk_interval pk_hodges_lehmann(const double *before, size_t before_count, const double *after,
				     size_t after_count, size_t rank)
{
	PK_FREED double *b = pk_sorted_reals(before, before_count);
	PK_FREED double *a = pk_sorted_reals(after, after_count);
	struct pk_interval interval = {NAN, -INFINITY, INFINITY};

	if (!before_count || !after_count)
		return interval;
	interval.estimate = pk_shift_estimate(b, before_count, a, after_count);
	pk_shift_bounds(b, before_count, a, after_count, rank, &interval);
	return interval;
}
