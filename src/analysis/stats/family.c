/*
 * Tests many functions at once: corrects for runs that were slower as a whole, uses the variances
 * of functions of similar size, and adjusts for the number of tests (Benjamini and Hochberg, or
 * permutations).
 */
#include "analysis/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"

enum { LEAST_TO_TELL = 5 };

static double mean_of(const double *value, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += value[i];
	return sum / (double)count;
}

double pk_family_speeds(const struct pk_family *family, const bool *use, double *speed)
{
	size_t runs = family->before + family->after, told = 0;
	double *off = pk_malloc(pk_mul(family->rows, sizeof(*off)));
	double *mean = pk_malloc(pk_mul(family->rows, sizeof(*mean)));

	for (size_t i = 0; i < family->rows; i++) {
		told += !use || use[i];
		mean[i] = mean_of(family->value + i * runs, runs);
	}
	for (size_t run = 0; run < runs; run++) {
		size_t count = 0;

		for (size_t i = 0; i < family->rows; i++) {
			if (!use || use[i])
				off[count++] = family->value[i * runs + run] - mean[i];
		}
		speed[run] = told < LEAST_TO_TELL ? 0 : pk_median(off, count);
	}
	free(off);
	free(mean);
	if (told < LEAST_TO_TELL)
		return NAN;
	return mean_of(speed + family->before, family->after) - mean_of(speed, family->before);
}

struct spread {
	double mean, variance;
	size_t row;
};

PK_COMPARE(compare_means, struct spread, PK_ORDER(a->mean, b->mean) ?: PK_ORDER(a->row, b->row))

/*
 * The sums of squares around the mean of each function, and its prior variance: the median over
 * the functions of about the same size, because large values vary less than small ones. Sides
 * are not used, so that the prior is the same under every permutation.
 */
static void prior_variances(const struct pk_family *f, double *squares, double *prior)
{
	enum { NEAR = 25 };
	size_t runs = f->before + f->after, near = f->rows < NEAR ? f->rows : NEAR;
	PK_FREED struct spread *order = pk_malloc(pk_mul(f->rows, sizeof(*order)));
	double variance[NEAR];

	for (size_t i = 0; i < f->rows; i++) {
		const double *row = f->value + i * runs;
		double mean = mean_of(row, runs);

		squares[i] = 0;
		for (size_t k = 0; k < runs; k++)
			squares[i] += (row[k] - mean) * (row[k] - mean);
		order[i] = (struct spread){mean, squares[i] / (double)(runs - 1), i};
	}
	pk_sort(order, f->rows, sizeof(*order), compare_means);
	for (size_t i = 0; i < f->rows; i++) {
		size_t first = i < near / 2 ? 0 : i - near / 2;

		first = first > f->rows - near ? f->rows - near : first;
		for (size_t k = 0; k < near; k++)
			variance[k] = order[first + k].variance;
		prior[order[i].row] = pk_median(variance, near);
	}
}

static void test_row(const struct pk_family *f, size_t i, double squares, double prior, double df,
		     struct pk_family_row *result)
{
	const double *row = f->value + i * (f->before + f->after);
	double weight = 1 / (double)f->before + 1 / (double)f->after, within;

	result->shift = mean_of(row + f->before, f->after) - mean_of(row, f->before);
	within = squares - result->shift * result->shift / weight;
	if (within < 1e-12 * squares)
		within = 0; /* rounding errors can make it negative */
	result->error = sqrt((PK_PRIOR_DF * prior + within) / df * weight);
	if (result->shift == 0)
		result->p = 1;
	else
		result->p = pk_t_two_sided(result->shift / result->error, df);
}

/*
 * With n runs before and m after, d the difference of means and T the sum of squares around
 * the common mean, t^2 is df d^2 / ((4 s0^2 + T) / (1/n + 1/m) - d^2): it grows with
 * d^2 / (4 s0^2 + T), where only d depends on the division. So each function's values are
 * divided by the root of that once, and the permutations only add.
 */
static void permute(const struct pk_family *f, const double *squares, const double *prior,
		    double alpha, struct pk_family_result *result)
{
	size_t runs = f->before + f->after;
	PK_FREED double *scaled = pk_malloc(pk_mul(pk_mul(f->rows, runs), sizeof(*scaled)));
	PK_FREED double *p = pk_malloc(pk_mul(f->rows, sizeof(*p)));
	double weight = 1 / (double)f->before + 1 / (double)f->after, most, part;

	for (size_t i = 0; i < f->rows; i++) {
		const double *row = f->value + i * runs;
		double mean = mean_of(row, runs), scale = sqrt(PK_PRIOR_DF * prior[i] + squares[i]);

		for (size_t k = 0; k < runs; k++)
			scaled[i * runs + k] = scale > 0 ? (row[k] - mean) / scale : 0;
	}
	most = pk_permute_largest(scaled, f->rows, f->before, f->after, PK_PERMUTATIONS, alpha, p);
	for (size_t i = 0; i < f->rows; i++)
		result->row[i].p_adjusted = p[i];
	/* the sum of one side is d / weight */
	part = most * most * weight;
	result->critical = part < 1 ? sqrt(result->df * part / (1 - part)) : INFINITY;
}

static void adjust_by_discoveries(struct pk_family_result *result, size_t rows, double alpha)
{
	PK_FREED double *p = pk_malloc(pk_mul(rows, sizeof(*p)));
	size_t found = 0;

	for (size_t i = 0; i < rows; i++)
		p[i] = result->row[i].p;
	pk_benjamini_hochberg(p, rows, p);
	for (size_t i = 0; i < rows; i++) {
		result->row[i].p_adjusted = p[i];
		found += p[i] < alpha;
	}
	/* Benjamini and Yekutieli: intervals that leave out 0 where p is below alpha */
	if (rows)
		result->critical = pk_t_critical((double)(found ? found : 1) * alpha / (double)rows,
						 result->df);
}

void pk_family_test(const struct pk_family *family, double alpha, struct pk_family_result *result)
{
	const double needed = 0.01;
	PK_FREED double *squares = pk_malloc(pk_mul(family->rows, sizeof(*squares)));
	PK_FREED double *prior = pk_malloc(pk_mul(family->rows, sizeof(*prior)));
	double divisions = pk_divisions(family->before, family->after);
	bool both_ways = family->before == family->after; /* each division has a mirror image */

	result->row = pk_calloc(family->rows, sizeof(*result->row));
	result->df = (double)(family->before + family->after) - 2 + PK_PRIOR_DF;
	result->exploratory = (both_ways ? 2 : 1) / divisions > needed;
	prior_variances(family, squares, prior);
	for (size_t i = 0; i < family->rows; i++)
		test_row(family, i, squares[i], prior[i], result->df, &result->row[i]);
	result->critical = INFINITY;
	if (result->exploratory)
		adjust_by_discoveries(result, family->rows, alpha);
	else
		permute(family, squares, prior, alpha, result);
}

void pk_family_result_release(struct pk_family_result *result)
{
	free(result->row);
	memset(result, 0, sizeof(*result));
}

struct ranked_p {
	double p;
	size_t row;
};

PK_COMPARE(compare_ranked, struct ranked_p, PK_ORDER(a->p, b->p))

void pk_benjamini_hochberg(const double *p, size_t count, double *adjusted)
{
	PK_FREED struct ranked_p *order = pk_malloc(pk_mul(count, sizeof(*order)));
	double least = 1;

	for (size_t i = 0; i < count; i++)
		order[i] = (struct ranked_p){p[i], i};
	pk_sort(order, count, sizeof(*order), compare_ranked);
	for (size_t i = count; i-- > 0;) {
		double share = order[i].p * (double)count / (double)(i + 1);

		least = share < least ? share : least;
		adjusted[order[i].row] = least;
	}
}
