/*
 * Repeated values of a benchmark on two sides. Values that follow each other are seldom
 * independent: the machine is slow for a while, caches warm up. So the variance that
 * Mann-Whitney's test assumes is multiplied by an inflation, found from the values themselves.
 * With few values that is not possible, and ranks say little: 5 and 5 have no p below 0.008,
 * however far they are apart. There, t compares the means.
 */
#include "analysis/stats/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"

enum {
	/* processes a side from which processes are the unit of replication */
	FEWEST_PROCESSES = 5,
	BLOCKS = 10, /* blocks of a side, where there are fewer processes */
};

/* A side with its values in ascending order. */
struct side {
	const struct pk_series *series;
	const double *sorted;
	size_t n;
};

/* Values less than the given one, or at most as large. */
static size_t count_below(const struct side *s, double value, bool equal)
{
	return PK_BISECT(i, 0, s->n, s->sorted[i] < value || (equal && s->sorted[i] == value));
}

/* Values less than the given one, equal ones counted as a half. */
static double rank_in(const struct side *s, double value)
{
	return ((double)count_below(s, value, false) + (double)count_below(s, value, true)) / 2;
}

/* The distance of U from its mean: how far the values after are above those before. */
static double excess(const struct side *b, const struct side *a)
{
	double u = 0;

	for (size_t i = 0; i < a->n; i++)
		u += rank_in(b, a->series->value[i]);
	return u - (double)b->n * (double)a->n / 2;
}

/* Sum of t^3 - t over groups of t equal values of both sides. */
static double ties(const struct side *b, const struct side *a)
{
	size_t i = 0, k = 0;
	double sum = 0;

	while (i < b->n || k < a->n) {
		double value = k == a->n || (i < b->n && b->sorted[i] < a->sorted[k])
				       ? b->sorted[i]
				       : a->sorted[k];
		double t = 0;

		for (; i < b->n && b->sorted[i] == value; i++)
			t++;
		for (; k < a->n && a->sorted[k] == value; k++)
			t++;
		sum += t * t * t - t;
	}
	return sum;
}

static uint32_t process_of(const struct pk_series *s, size_t i)
{
	return s->process ? s->process[i] : 0;
}

static size_t count_processes(const struct pk_series *s)
{
	size_t count = s->count > 0;

	for (size_t i = 1; i < s->count; i++)
		count += process_of(s, i) != process_of(s, i - 1);
	return count;
}

/* Sums over the ranks of a side, as distances from their mean. */
struct spread {
	double squares;    /* of each */
	double neighbours; /* products with the next of the process */
	double blocks;     /* squares of the sums of blocks, for independent blocks */
};

static void add_spread(struct spread *sum, const struct pk_series *s, const double *rank)
{
	size_t processes = count_processes(s);
	bool by_process = processes >= FEWEST_PROCESSES;
	double blocks = (double)(by_process ? processes : BLOCKS), squares = 0, block = 0, mean = 0;

	for (size_t i = 0; i < s->count; i++)
		mean += rank[i] / (double)s->count;
	for (size_t i = 0; i < s->count; i++) {
		double d = rank[i] - mean;
		bool same = i + 1 < s->count && process_of(s, i) == process_of(s, i + 1);
		bool ends =
			by_process ? !same : (i + 1) * BLOCKS / s->count != i * BLOCKS / s->count;

		sum->squares += d * d;
		if (same)
			sum->neighbours += d * (rank[i + 1] - mean);
		block += d;
		if (ends) {
			squares += block * block;
			block = 0;
		}
	}
	sum->blocks += squares * blocks / (blocks - 1);
}

/*
 * The factor by which the variance of a mean exceeds that of independent values, at least 1: the
 * larger one of (1 + r) / (1 - r), from the correlation r of neighbours, and of the variance of the
 * means of blocks. Blocks are processes if there are enough, else parts of equal length. The shift
 * between the sides is removed before values are ranked.
 */
static double inflation(const struct side *b, const struct side *a, double shift)
{
	const struct side *sides[] = {b, a};
	struct spread sum = {0};
	double n = (double)(b->n + a->n) / 2, r, by_neighbours, by_blocks;
	bool blocks = true;

	for (int s = 0; s < 2; s++) {
		const struct pk_series *series = sides[s]->series;
		double *rank = pk_malloc(pk_mul(series->count, sizeof(*rank)));
		double off = s ? shift : 0;

		for (size_t i = 0; i < series->count; i++)
			rank[i] = rank_in(b, series->value[i] - off) +
				  rank_in(a, series->value[i] - off + shift);
		add_spread(&sum, series, rank);
		blocks &= series->count >= 3 * (size_t)BLOCKS ||
			  count_processes(series) >= FEWEST_PROCESSES;
		free(rank);
	}
	if (!(sum.squares > 0))
		return 1;
	r = sum.neighbours / sum.squares;
	r = fmin(r + (1 + 3 * r) / n, 0.98); /* for few values it is too small */
	by_neighbours = (1 + r) / (1 - r);
	by_blocks = blocks ? sum.blocks / sum.squares : 0;
	return fmax(1, fmax(by_neighbours, by_blocks));
}

static void mean_of(const struct pk_series *s, double *mean, double *variance)
{
	double squares = 0;

	*mean = 0;
	for (size_t i = 0; i < s->count; i++)
		*mean += s->value[i] / (double)s->count;
	for (size_t i = 0; i < s->count; i++)
		squares += (s->value[i] - *mean) * (s->value[i] - *mean);
	*variance = squares / (double)(s->count - 1) / (double)s->count;
}

/* Welch's t with the degrees of freedom of the smaller side, for two or more values a side. */
static void compare_means(const struct pk_series *before, const struct pk_series *after,
			  double confidence, struct pk_compared_series *result)
{
	size_t fewest = before->count < after->count ? before->count : after->count;
	double df = (double)fewest - 1, mean[2], variance[2], error, shift;

	mean_of(before, &mean[0], &variance[0]);
	mean_of(after, &mean[1], &variance[1]);
	error = sqrt(variance[0] + variance[1]);
	shift = mean[1] - mean[0];
	result->p = error > 0 ? pk_t_two_sided(shift / error, df) : shift == 0;
	error *= pk_t_critical(1 - confidence, df);
	result->shift = (struct pk_interval){shift, shift - error, shift + error};
}

/* By the approximation with t: p, and the rank of the interval. */
static double approximate(const struct side *b, const struct side *a, double deviation, double df,
			  double confidence, size_t *rank)
{
	double low = (double)b->n * (double)a->n / 2 - 0.5 -
		     deviation * pk_t_critical(1 - confidence, df);
	double off = fabs(excess(b, a)) - 0.5;

	*rank = low >= 1 ? (size_t)low : 0;
	return off > 0 && deviation > 0 ? pk_t_two_sided(off / deviation, df) : 1;
}

static void compare_ranks(const struct pk_series *before, const struct pk_series *after,
			  double confidence, struct pk_compared_series *result)
{
	PK_FREED double *sorted_b = pk_sorted_reals(before->value, before->count);
	PK_FREED double *sorted_a = pk_sorted_reals(after->value, after->count);
	struct side b = {before, sorted_b, before->count}, a = {after, sorted_a, after->count};
	double n = (double)b.n, m = (double)a.n, all = n + m, variance;
	size_t rank;

	result->shift.estimate = pk_shift_estimate(b.sorted, b.n, a.sorted, a.n);
	result->inflation = inflation(&b, &a, result->shift.estimate);
	variance = n * m / 12 * (all + 1 - ties(&b, &a) / (all * (all - 1))) * result->inflation;
	result->p = approximate(&b, &a, sqrt(variance), fmax(all / result->inflation - 2, 1),
				confidence, &rank);
	pk_shift_bounds(b.sorted, b.n, a.sorted, a.n, rank, &result->shift);
}

void pk_compare_series(const struct pk_series *before, const struct pk_series *after,
		       double confidence, struct pk_compared_series *result)
{
	size_t fewest = before->count < after->count ? before->count : after->count;

	*result = (struct pk_compared_series){
		.shift = {NAN, -INFINITY, INFINITY}, .p = NAN, .inflation = 1};
	if (fewest >= PK_FEWEST_RANKED)
		compare_ranks(before, after, confidence, result);
	else if (fewest >= 2)
		compare_means(before, after, confidence, result);
}

static int compare_p(const void *va, const void *vb)
{
	return pk_compare_reals(*(const double *const *)va, *(const double *const *)vb);
}

void pk_holm(double *p, size_t count)
{
	double **order = pk_malloc(pk_mul(count, sizeof(*order))), least = 0;

	for (size_t i = 0; i < count; i++)
		order[i] = &p[i];
	qsort(order, count, sizeof(*order), compare_p);
	for (size_t i = 0; i < count; i++) {
		least = fmax(least, fmin(1, *order[i] * (double)(count - i)));
		*order[i] = least;
	}
	free(order);
}
