#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Compares two sets of values by their ranks, without assumptions about their distribution.
 * Values are finite.
 */

/*
 * The two-sided p of the Mann-Whitney test that before and after come from one
 * distribution: twice the smaller tail, at most 1. Exact, by counting all ways to divide the
 * values as they are (equal values have the mean of their ranks), up to 100 values together;
 * beyond that by the normal approximation, corrected for ties and continuity. 1 if a side is
 * empty.
 */
double pk_mann_whitney(const double *before, size_t before_count, const double *after,
		       size_t after_count);

struct pk_interval {
	double estimate, low, high; /* without bounds: -INFINITY, INFINITY */
};
/*
 * The Hodges-Lehmann estimate of how much larger the values after are: the median of all
 * differences between a value after and one before, with the interval that belongs to the
 * Mann-Whitney test. It goes from the `rank`-th smallest difference to the rank-th largest; rank 0
 * gives no bounds. NaN if a side is empty.
 */
struct pk_interval pk_hodges_lehmann(const double *before, size_t before_count, const double *after,
				     size_t after_count, size_t rank);
/* The rank for which the interval contains the true shift with probability `confidence` (0.95) or
 * more, for any distribution; 0 if there are too few values (for 0.95: 3 and 4). */
size_t pk_shift_rank(size_t before_count, size_t after_count, double confidence);

/*
 * Repeated values of one benchmark, in the order in which they were measured. Values of one process
 * stand together.
 */
struct pk_series {
	const double *value;
	const uint32_t *process; /* by value; NULL = all of one */
	size_t count;
};
struct pk_compared_series {
	struct pk_interval shift; /* of the values after */
	double p;                 /* two-sided; NaN if a side has fewer than two values */
	double inflation; /* variance of a mean over that of independent values, at least 1 */
};
/*
 * With 15 or more values a side, Mann-Whitney and Hodges-Lehmann for values that depend on those
 * before them: the variance is multiplied by the inflation, and t with as many degrees of freedom
 * as independent values would be worth takes the place of the normal distribution. With fewer,
 * Welch's t, with the degrees of freedom of the smaller side.
 */
enum { PK_FEWEST_RANKED = 15 };
void pk_compare_series(const struct pk_series *before, const struct pk_series *after,
		       double confidence, struct pk_compared_series *result);

/* Adjusts p so that the chance of any below alpha is alpha, if all are by chance (Holm). */
void pk_holm(double *p, size_t count);

/* The median; sorts the values in place. NaN if there are none. */
double pk_median(double *values, size_t count);

/*
 * One sampled run a side: how far two counts of samples may differ by chance alone. Variation
 * between runs does not show in one run, so these intervals are too narrow for it.
 */

/* The assumed ratio of the counts' variance to Poisson's if the samples do not tell it. */
#define PK_PHI_UNKNOWN 2.0

/*
 * The ratio of the rates after / before, given so many samples out of so much exposure (all
 * samples of the run, or its seconds) a side. The estimate adds half a sample to either count
 * (Haldane); the interval is the exact binomial one (Clopper-Pearson) of the share that falls
 * after, with counts divided by phi >= 1, their variance over that of independent samples.
 * Without any samples there are no bounds: 0 to INFINITY.
 */
struct pk_interval pk_count_ratio(double before, double exposure_before, double after,
				  double exposure_after, double phi, double confidence);

/*
 * phi of a count from its parts in blocks of equal time, at least 10: the jackknife variance
 * of the sum over that of independent samples, at least 1. PK_PHI_UNKNOWN for fewer
 * blocks, 1 without samples.
 */
double pk_variance_factor(const double *block, size_t blocks);

/*
 * Distributions. Pure functions of numbers; arguments out of range give NaN.
 */

/* The regularized incomplete beta function I_x(a, b), a and b > 0: the chance that a
 * beta-distributed value is at most x. */
double pk_beta_below(double x, double a, double b);
/* The x with pk_beta_below(x, a, b) = p. */
double pk_beta_quantile(double p, double a, double b);
/* The chance of a value at least as far from 0 as t, both sides, with df > 0 (not
 * necessarily whole) degrees of freedom. */
double pk_t_two_sided(double t, double df);
/* The t with pk_t_two_sided(t, df) = p, 0 < p <= 1. */
double pk_t_critical(double p, double df);
/* The chance that a normal value is at most z. */
double pk_normal_below(double z);

/*
 * Many functions measured in a few runs before and a few runs after: which of them changed?
 * The unit of replication is the run. Values are logarithms, so that a difference is a ratio.
 */
struct pk_family {
	size_t rows;          /* functions */
	size_t before, after; /* runs a side, at least one each */
	double *value;        /* rows * (before + after): a row holds its runs, before first */
};

/*
 * How fast the machine was in every run: the median over the functions of how far the run is from
 * their mean. That assumes that less than half of the functions changed. `use` says which functions
 * are steady enough to tell (NULL = all). Returns the difference of the mean speeds after and
 * before: the logarithm of the machine factor. With fewer than 5 functions to tell from, one of
 * them may be the one that changed: NaN is returned, speed is 0.
 */
double pk_family_speeds(const struct pk_family *family, const bool *use, double *speed);

struct pk_family_row {
	double shift; /* mean after - mean before */
	double error; /* its standard error, from the moderated variance */
	double p;     /* of this function alone */
	double p_adjusted;
};

struct pk_family_result {
	struct pk_family_row *row; /* as in the family */
	double df;                 /* degrees of freedom of t */
	double critical;           /* shift +- critical * error are intervals that leave out 0 where
				      p_adjusted is below alpha: together right with 1 - alpha; exploratory:
				      all but the share alpha of those that leave out 0 */
	bool exploratory;          /* too few runs for a permutation test */
};

/*
 * Moderated t for every function: its variance within the sides is taken together with the
 * median over functions of its size, which counts as PK_PRIOR_DF degrees of freedom. p_adjusted is
 * the chance that any function at all reaches such a t if none changed, from the largest t of all
 * under other divisions of the runs into sides (max-T, step-down): all of them up to
 * PK_PERMUTATIONS, else that many drawn at random, always the same. It holds however the
 * functions depend on each other. With runs so few that this could not come below
 * 0.01 (fewer than 5 and 5), p_adjusted controls the share of false discoveries
 * (Benjamini-Hochberg) instead, and the result is exploratory. At least 3 runs in all.
 */
enum { PK_PRIOR_DF = 4, PK_PERMUTATIONS = 5000 };
void pk_family_test(const struct pk_family *family, double alpha, struct pk_family_result *result);
void pk_family_result_release(struct pk_family_result *result);

/* adjusted[i] is the least share of false discoveries at which p[i] is one. May be p itself. */
void pk_benjamini_hochberg(const double *p, size_t count, double *adjusted);

/* The number of ways to divide before + after runs into sides of these sizes. */
double pk_divisions(size_t before, size_t after);

/*
 * value holds `rows` rows of before + after numbers, each with mean 0 and scaled so that rows
 * compare. The statistic of a row is how far the sum of its first `before` numbers is from 0.
 * p[row] becomes the share of divisions of the columns into sides in which any row that is not
 * clearly above this one has a statistic as large (step-down max-T, Westfall and Young); of all
 * divisions if there are at most `limit`, else of `limit` drawn at random from a fixed seed, the
 * given division being one of them. Returns what the largest statistic of all rows exceeds in
 * less than the share `alpha` of the divisions.
 */
double pk_permute_largest(const double *value, size_t rows, size_t before, size_t after,
			  size_t limit, double alpha, double *p);
