/* Statistical tests and distributions, with values of scipy and numpy. */
#include "tests/check_util.h"

#include <math.h>
#include <string.h>

#include "analysis/stats/stats.h"

/*
 * Where a comment does not show how a number comes about by hand, it is what scipy 1.17
 * prints for the call in the comment, or numpy for the formula in it.
 */
#define SAME(a, b) ck_assert_double_eq_tol((a), (b), 1e-12 * fmax(1, fabs((double)(b))))

START_TEST(distributions)
{
	SAME(pk_beta_below(0.3, 2, 5), 0.579825);             /* beta.cdf(.3, 2, 5) */
	SAME(pk_beta_below(0.9, 50, 3.5), 0.147804537349631); /* beta.cdf(.9, 50, 3.5) */
	SAME(pk_beta_below(0, 2, 5), 0);
	SAME(pk_beta_below(1, 2, 5), 1);
	ck_assert(isnan(pk_beta_below(0.5, 0, 1)));
	ck_assert(isnan(pk_median(NULL, 0)));
	SAME(pk_beta_quantile(0.025, 10, 16), 0.211254806465142); /* beta.ppf(.025, 10, 16) */
	SAME(pk_t_two_sided(2.5, 8), 0.0369420377136241);         /* 2 * t.sf(2.5, 8) */
	SAME(pk_t_two_sided(-10, 12), 3.58132368767237e-07);      /* 2 * t.sf(10, 12) */
	SAME(pk_t_two_sided(0, 3), 1);
	SAME(pk_t_critical(0.05, 12), 2.17881282966723); /* t.isf(.025, 12) */
	SAME(pk_t_critical(0.05, 1), 12.7062047361747);  /* t.isf(.025, 1) */
	SAME(pk_normal_below(-1.96), 0.0249978951482204);
}
END_TEST

START_TEST(mann_whitney)
{
	static const double a[] = {1.1, 2.2, 3.3, 4.4, 5.5}, b[] = {3.0, 4.1, 6.2, 7.3, 8.4};
	static const double c[] = {1, 2, 2, 3, 3}, d[] = {3, 3, 4, 5, 2, 6};
	double x[120];

	/* mannwhitneyu(a, b, method='exact') */
	SAME(pk_mann_whitney(a, 5, b, 5), 0.150793650793651);
	SAME(pk_mann_whitney(b, 5, a, 5), 0.150793650793651);
	/* Fully apart: 2 of the 20, the 70 and the 252 ways. */
	SAME(pk_mann_whitney(a, 3, b + 2, 3), 0.1);
	SAME(pk_mann_whitney((double[]){1, 2, 3, 4}, 4, (double[]){5, 6, 7, 8}, 4), 2. / 70);
	SAME(pk_mann_whitney((double[]){9, 8, 7, 6, 10}, 5, a, 5), 2. / 252);
	/* permutation_test((c, d), rank sum of c, n_resamples=inf) */
	SAME(pk_mann_whitney(c, 5, d, 6), 0.103896103896104);
	SAME(pk_mann_whitney(c, 0, d, 6), 1);
	SAME(pk_mann_whitney((double[]){5, 5, 5, 5}, 4, (double[]){5, 5, 5, 5}, 4), 1);
	/* mannwhitneyu(x[:60], x[60:], method='asymptotic') */
	for (int i = 0; i < 120; i++)
		x[i] = i * i % 61 + (i >= 60 ? 4 : 0);
	SAME(pk_mann_whitney(x, 60, x + 60, 60), 0.192014635475173);
}
END_TEST

START_TEST(hodges_lehmann)
{
	static const double a[] = {1.1, 2.2, 3.3, 4.4, 5.5}, b[] = {3.0, 4.1, 6.2, 7.3, 8.4};
	struct pk_interval shift = pk_hodges_lehmann(a, 5, b, 5, pk_shift_rank(5, 5, 0.95));

	/* The 13th, 3rd and 23rd of the 25 differences: of 252 ways, 1 + 1 + 2 have U < 3, and
	 * 2 * 4 / 252 <= 0.05, but with 3 more, 2 * 7 / 252 > 0.05. */
	SAME(shift.estimate, 2.9);
	SAME(shift.low, -1.4);
	SAME(shift.high, 6.2);
	ck_assert_uint_eq(pk_shift_rank(5, 5, 0.95), 3);
	ck_assert_uint_eq(pk_shift_rank(3, 3, 0.95), 0);    /* 2 / 20 > 0.05 */
	ck_assert_uint_eq(pk_shift_rank(3, 4, 0.95), 0);    /* 2 / 35 > 0.05 */
	ck_assert_uint_eq(pk_shift_rank(4, 4, 0.95), 1);    /* 2 / 70, not 4 / 70 */
	ck_assert_uint_eq(pk_shift_rank(10, 10, 0.95), 24); /* tables: critical U = 23 */
	/* Of more than 100 runs the normal distribution tells it, which never promises more: all
	 * ways counted, it is 1427, 1311 and 121. */
	ck_assert_uint_eq(pk_shift_rank(60, 60, 0.95), 1427);
	ck_assert_uint_eq(pk_shift_rank(60, 60, 0.99), 1309);
	ck_assert_uint_eq(pk_shift_rank(100, 5, 0.95), 120);
	ck_assert_uint_eq(pk_shift_rank(100, 1, 0.99), 0);
	shift = pk_hodges_lehmann(a, 1, b, 1, 0);
	SAME(shift.estimate, 1.9);
	ck_assert(isinf(shift.low) && isinf(shift.high));
	ck_assert(isnan(pk_hodges_lehmann(a, 0, b, 5, 0).estimate));
}
END_TEST

/* Differences are counted, not made: the same as all of them in order, with ties and of any
 * sign. */
START_TEST(differences_in_order)
{
	enum { N = 37, MOST = 23 };
	double a[N], b[MOST], all[N * MOST];

	for (int m = MOST - 1; m <= MOST; m++) {
		struct pk_interval shift;

		for (int j = 0; j < m; j++)
			b[j] = j * 13 % 19 / 7.0;
		for (int i = 0; i < N; i++) {
			a[i] = i * i % 41 / 7.0 - m % 2 * 3;
			for (int j = 0; j < m; j++)
				all[i * m + j] = b[j] - a[i];
		}
		shift = pk_hodges_lehmann(a, N, b, (size_t)m, 100);
		ck_assert(shift.estimate == pk_median(all, (size_t)(N * m)));
		ck_assert(shift.low == all[99] && shift.high == all[N * m - 100]);
	}
}
END_TEST

/* Twelve functions, 5 + 5 runs: the third 0.5 more after, the sixth 0.2. */
static void fill(double *value)
{
	for (int i = 0; i < 12; i++) {
		for (int k = 0; k < 10; k++)
			value[i * 10 + k] = (i * 7 + k * 13) % 17 / 100.0 +
					    (i == 2 && k >= 5 ? 0.5 : 0) +
					    (i == 5 && k >= 5 ? 0.2 : 0);
	}
}

START_TEST(family)
{
	double value[120];
	struct pk_family f = {12, 5, 5, value};
	struct pk_family_result r;

	/* numpy: t from s0^2 = median over functions of var(ddof=1) and the pooled variance; all
	 * 252 divisions one by one, the largest |t| of the functions not above each. */
	fill(value);
	pk_family_test(&f, 0.05, &r);
	ck_assert(!r.exploratory);
	SAME(r.df, 12);
	SAME(r.row[0].shift, 0.038);
	SAME(r.row[0].shift / r.row[0].error, 1.13509187983945);
	SAME(r.row[0].p, 0.278501009162509);
	SAME(r.row[0].p_adjusted, 236. / 252);
	SAME(r.row[2].shift, 0.504);
	SAME(r.row[2].shift / r.row[2].error, 15.5335178666954);
	SAME(r.row[2].p_adjusted, 2. / 252);
	SAME(r.row[5].p, 1.23177498018301e-05);
	SAME(r.row[5].p_adjusted, 2. / 252);
	SAME(r.row[7].p_adjusted, 244. / 252);
	pk_family_result_release(&r);
}
END_TEST

START_TEST(family_of_few_runs)
{
	double all[120], value[72];
	struct pk_family f = {12, 3, 3, value};
	struct pk_family_result r;

	fill(all);
	for (int i = 0; i < 12; i++) {
		memcpy(value + i * 6, all + i * 10, 3 * sizeof(*value));
		memcpy(value + i * 6 + 3, all + i * 10 + 5, 3 * sizeof(*value));
	}
	pk_family_test(&f, 0.05, &r);
	ck_assert(r.exploratory);
	SAME(r.row[2].p, 1.54919046985616e-06);
	SAME(r.row[2].p_adjusted, 1.85902856382739e-05); /* false_discovery_control(p) */
	SAME(r.row[5].p_adjusted, 0.00477968857401212);
	SAME(r.row[0].p_adjusted, 0.597530977168879);
	pk_family_result_release(&r);
}
END_TEST

START_TEST(family_without_noise)
{
	double value[30] = {0};
	struct pk_family f = {3, 5, 5, value};
	struct pk_family_result r;

	for (int k = 5; k < 10; k++)
		value[10 + k] = 1;
	pk_family_test(&f, 0.05, &r);
	SAME(r.row[0].p, 1);
	SAME(r.row[0].p_adjusted, 1);
	SAME(r.row[1].p_adjusted, 2. / 252);
	pk_family_result_release(&r);
	/* Whichever way the means of tenths are rounded. */
	for (int level = 0; level < 30; level++) {
		for (int k = 0; k < 10; k++)
			value[10 + k] = (k < 5 ? level : 2 * level + 1) / 10.;
		pk_family_test(&f, 0.05, &r);
		SAME(r.row[1].p, 0);
		pk_family_result_release(&r);
	}
}
END_TEST

START_TEST(random_divisions)
{
	double value[12 * 20], first[12];
	struct pk_family f = {12, 10, 10, value};
	struct pk_family_result r;

	for (int i = 0; i < 12; i++) {
		for (int k = 0; k < 20; k++)
			value[i * 20 + k] = (i * 7 + k * 13 + k * k) % 17 / 100.0 +
					    (i == 4 && k >= 10 ? 0.1 : 0);
	}
	for (int again = 0; again < 2; again++) {
		pk_family_test(&f, 0.05, &r);
		for (int i = 0; i < 12; i++) {
			if (again)
				ck_assert_double_eq(first[i], r.row[i].p_adjusted);
			first[i] = r.row[i].p_adjusted;
		}
		pk_family_result_release(&r);
	}
	/* numpy, with all 184,756 divisions: p_adjusted of the fifth and second. */
	ck_assert_double_eq_tol(first[4], 0.00176449, 0.0015);
	ck_assert_double_eq_tol(first[1], 0.93641343, 0.015);
}
END_TEST

/* Against the definition, with more rows than are handled at a time. */
START_TEST(divisions_of_many_rows)
{
	enum { ROWS = 300, COLUMNS = 4 };
	static double value[ROWS * COLUMNS], p[ROWS];

	for (int i = 0; i < ROWS; i++) {
		double *row = value + i * COLUMNS;

		row[3] = 0;
		for (int k = 0; k < 3; k++) {
			row[k] = (i * 37 + k * 101 + i * i * (k + 1)) % 211 / 100.0 - 1;
			row[3] -= row[k];
		}
		if (i < 10) /* clear ones */
			row[0] = row[1] = -(row[2] = row[3] = 2 + i);
	}
	pk_permute_largest(value, ROWS, 2, 2, 100, 0.05, p);
	for (int i = 0; i < ROWS; i++) {
		double wanted = 0;

		for (int above = 0; above < ROWS; above++) { /* rows that are not below this one */
			double need = fabs(value[above * 4] + value[above * 4 + 1]);
			int reached = 0;

			if (need < fabs(value[i * 4] + value[i * 4 + 1]))
				continue;
			for (int a = 0; a < COLUMNS; a++) {
				for (int b = a + 1; b < COLUMNS; b++) {
					double most = 0;

					for (int k = 0; k < ROWS; k++)
						if (fabs(value[k * 4] + value[k * 4 + 1]) <= need)
							most = fmax(most, fabs(value[k * 4 + a] +
									       value[k * 4 + b]));
					reached += most >= need - 1e-9;
				}
			}
			wanted = fmax(wanted, reached / 6.0);
		}
		ck_assert_double_eq_tol(p[i], wanted, 1e-12);
	}
}
END_TEST

START_TEST(normalise)
{
	double value[120], speed[10];
	struct pk_family f = {12, 5, 5, value};
	bool few[12] = {true, true, true, true};

	fill(value);
	ck_assert(isnan(pk_family_speeds(&f, few, speed)));
	SAME(speed[9], 0);
	SAME(value[20], 0.14);
	/* numpy: m = median over functions of (x - mean of its row); x - m */
	SAME(pk_family_speeds(&f, NULL, speed), 0.0278);
	SAME(value[20], 0.14);
	SAME(value[20] - speed[0], 0.1555);
	SAME(value[25] - speed[5], 0.6045);
	SAME(value[29] - speed[9], 0.6215);
}
END_TEST

/* A machine that is 30 % slower after, and one function that is really slower. */
START_TEST(normalise_exactly)
{
	double value[7 * 4], speed[4];
	struct pk_family f = {7, 2, 2, value};

	for (int i = 0; i < 7; i++) {
		for (int k = 0; k < 4; k++)
			value[i * 4 + k] =
				log((i + 1) * (k >= 2 ? 1.3 : 1) * (i == 3 && k >= 2 ? 2 : 1));
	}
	SAME(pk_family_speeds(&f, NULL, speed), log(1.3));
	SAME(speed[2] - speed[0], log(1.3));
	SAME(speed[3] - speed[1], log(1.3));
}
END_TEST

START_TEST(discoveries)
{
	double p[] = {0.01, 0.04, 0.03, 0.005, 0.5};

	pk_benjamini_hochberg(p, 5, p);
	SAME(p[3], 0.025); /* 0.005 * 5 / 1 */
	SAME(p[0], 0.025); /* 0.01 * 5 / 2 */
	SAME(p[2], 0.05);  /* 0.03 * 5 / 3, but the next is 0.04 * 5 / 4 */
	SAME(p[1], 0.05);
	SAME(p[4], 0.5);
}
END_TEST

START_TEST(counts)
{
	struct pk_interval i = pk_count_ratio(100, 1000, 120, 1100, 2, 0.95);
	double block[20];

	/* beta.ppf(.025, 60, 51), beta.ppf(.975, 61, 50): x / (1 - x) * 1000 / 1100 */
	SAME(i.low, 0.737019811176873);
	SAME(i.high, 1.62084431920956);
	SAME(i.estimate, 120.5 / 100.5 * 1000 / 1100);
	i = pk_count_ratio(0, 1000, 10, 1000, 1, 0.95);
	SAME(i.estimate, 21);
	ck_assert(isinf(i.high) && i.low > 1);
	i = pk_count_ratio(0, 1000, 0, 1000, 1, 0.95);
	ck_assert(i.low == 0 && isinf(i.high));
	ck_assert(isnan(pk_count_ratio(1, 0, 1, 10, 1, 0.95).estimate));
	for (int k = 0; k < 20; k++)
		block[k] = k % 2 ? 30 : 10;
	SAME(pk_variance_factor(block, 20), 20. / 19 * 20 * 100 / 400);
	SAME(pk_variance_factor(block, 9), 2);
	memset(block, 0, sizeof(block));
	SAME(pk_variance_factor(block, 20), 1);
}
END_TEST

CHECK_MAIN("stats", distributions, mann_whitney, hodges_lehmann, differences_in_order, family,
	   family_of_few_runs, family_without_noise, random_divisions, divisions_of_many_rows,
	   normalise, normalise_exactly, discoveries, counts)
