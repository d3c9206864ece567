/* How time depends on the number of workers. Expected values are worked out by hand. */
#include "tests/check_util.h"

#include <math.h>

#include "analysis/workers/scaling.h"

#define NEAR(a, b) ck_assert_double_eq_tol(a, b, 1e-9)

static struct pk_scaling_run run(int64_t workers, double time)
{
	return (struct pk_scaling_run){workers, time, NAN, NAN, NAN, NAN};
}

START_TEST(amdahl_is_found)
{
	/* t = 100 * (0.2 + 0.8 / n), in another order. */
	struct pk_scaling_run runs[] = {run(4, 40), run(1, 100), run(2, 60), run(8, 30)};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_scaling s;

	ck_assert_int_eq(pk_scaling_init(&s, runs, 4, &err), 0);
	ck_assert_int_eq(s.reference, 1);
	ck_assert_int_eq(s.point[0].run.workers, 1);
	ck_assert_uint_eq(s.point[0].index, 1);
	ck_assert_int_eq(s.point[3].run.workers, 8);
	NEAR(s.point[0].speedup, 1);
	ck_assert(isnan(s.point[0].serial_fraction));
	NEAR(s.point[1].speedup, 100.0 / 60);
	NEAR(s.point[3].speedup, 100.0 / 30);
	NEAR(s.point[3].efficiency, 100.0 / 240);
	/* Karp and Flatt: (0.3 - 0.125) / 0.875. */
	NEAR(s.point[1].serial_fraction, 0.2);
	NEAR(s.point[2].serial_fraction, 0.2);
	NEAR(s.point[3].serial_fraction, 0.2);
	ck_assert(s.amdahl.known && !s.amdahl.exact);
	NEAR(s.amdahl.time1, 100);
	NEAR(s.amdahl.sigma, 0.2);
	NEAR(s.amdahl.bound, 5);
	NEAR(s.amdahl.error, 0);
	ck_assert(isinf(s.amdahl.peak));
	/* The cost of workers for each other, if there is none, is 0. */
	ck_assert(s.usl.known);
	NEAR(s.usl.sigma, 0.2);
	NEAR(s.usl.kappa, 0);
	pk_scaling_release(&s);
}
END_TEST

START_TEST(usl_is_found)
{
	/* t = 1000 * (1 + 0.1 (n - 1) + 0.02 n (n - 1)) / n: 570, 385, 352.5. */
	struct pk_scaling_run runs[] = {run(1, 1000), run(2, 570), run(4, 385), run(8, 352.5)};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_scaling s;

	ck_assert_int_eq(pk_scaling_init(&s, runs, 4, &err), 0);
	NEAR(s.usl.time1, 1000);
	NEAR(s.usl.sigma, 0.1);
	NEAR(s.usl.kappa, 0.02);
	NEAR(s.usl.peak, sqrt(45));
	NEAR(s.point[3].usl, 352.5);
	NEAR(s.point[2].amdahl, pk_scaling_time(&s.amdahl, 4));
	pk_scaling_release(&s);
}
END_TEST

START_TEST(least_squares)
{
	/* Two runs of each: the fit to the means, 100 and 60, as each number counts the same. The
	 * errors are -1/99, 1/101, -1/59, 1/61. */
	struct pk_scaling_run runs[] = {run(1, 99), run(1, 101), run(2, 59), run(2, 61)};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_scaling s;

	ck_assert_int_eq(pk_scaling_init(&s, runs, 4, &err), 0);
	NEAR(s.time0, 100);
	NEAR(s.point[2].speedup, 100.0 / 59);
	ck_assert(s.amdahl.exact);
	NEAR(s.amdahl.time1, 100);
	NEAR(s.amdahl.sigma, 0.2);
	NEAR(s.amdahl.error,
	     sqrt((1 / 99.0 / 99 + 1 / 101.0 / 101 + 1 / 59.0 / 59 + 1 / 61.0 / 61) / 4));
	ck_assert(!s.usl.known);
	ck_assert(isnan(s.point[0].usl));
	pk_scaling_release(&s);
}
END_TEST

START_TEST(faster_than_possible)
{
	/* More than twice as fast with two: no serial part, t1 by least squares through the
	 * origin of 1/n: (100 + 40 / 2) / (1 + 1 / 4). */
	struct pk_scaling_run runs[] = {run(1, 100), run(2, 40)};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_scaling s;

	ck_assert_int_eq(pk_scaling_init(&s, runs, 2, &err), 0);
	NEAR(s.point[1].efficiency, 1.25);
	NEAR(s.point[1].serial_fraction, -0.2);
	NEAR(s.amdahl.sigma, 0);
	NEAR(s.amdahl.time1, 96);
	ck_assert(isinf(s.amdahl.bound));
	pk_scaling_release(&s);
}
END_TEST

START_TEST(slower_with_more)
{
	/* Amdahl knows no slowing down: all is serial, the time the mean. */
	struct pk_scaling_run runs[] = {run(1, 100), run(2, 130), run(4, 160)};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_scaling s;

	ck_assert_int_eq(pk_scaling_init(&s, runs, 3, &err), 0);
	NEAR(s.amdahl.sigma, 1);
	NEAR(s.amdahl.time1, 130);
	NEAR(s.amdahl.bound, 1);
	NEAR(s.usl.peak, 1);
	ck_assert_double_gt(s.usl.kappa, 0);
	pk_scaling_release(&s);
}
END_TEST

START_TEST(terms_with_the_least_squares)
{
	/* All three terms would need one below 0. Without it 15 + 5 (n - 1) is best, 15, 20, 25:
	 * its squares are 25 + 100 + 25 = 150; those of 20 are 100 + 100 + 0 = 200, which is less
	 * without the first run. In the error they are parts of the times. */
	struct pk_scaling_run runs[] = {run(1, 10), run(2, 30), run(3, 20)};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_scaling s;

	ck_assert_int_eq(pk_scaling_init(&s, runs, 3, &err), 0);
	ck_assert(s.usl.known && !s.usl.exact);
	NEAR(s.usl.time1, 15);
	NEAR(s.usl.sigma, 1);
	NEAR(s.usl.kappa, 1.0 / 3);
	NEAR(s.usl.peak, 1);
	NEAR(s.usl.bound, 1);
	NEAR(s.usl.error, sqrt((1 / 4.0 + 1 / 9.0 + 1 / 16.0) / 3));
	NEAR(s.amdahl.time1, 20);
	NEAR(s.amdahl.sigma, 1);
	/* 20 / 10 - 1, 20 / 30 - 1, 20 / 20 - 1. */
	NEAR(s.amdahl.error, sqrt((1 + 1 / 9.0 + 0) / 3));
	pk_scaling_release(&s);
}
END_TEST

START_TEST(factors)
{
	/* Of 2 workers, 100 long, 160 useful; of 4, 80 long, 200 useful: more work in all. */
	struct pk_scaling_run runs[] = {{2, 100, 160, 0.8, 1, 0.8},
					{4, 80, 200, 0.78125, 0.8, 0.625}};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_scaling s;

	ck_assert_int_eq(pk_scaling_init(&s, runs, 2, &err), 0);
	ck_assert_int_eq(s.reference, 2);
	NEAR(s.point[0].computation, 1);
	NEAR(s.point[0].global, 0.8);
	NEAR(s.point[1].speedup, 1.25);
	NEAR(s.point[1].efficiency, 0.625);
	NEAR(s.point[1].computation, 0.8);
	NEAR(s.point[1].global, 0.5);
	/* The efficiency is what the global one is of that of the reference. */
	NEAR(s.point[1].efficiency, s.point[1].global / s.point[0].global);
	/* Twice as many: (0.8 - 0.5) / 0.5. */
	NEAR(s.point[1].serial_fraction, 0.6);
	pk_scaling_release(&s);
}
END_TEST

START_TEST(mistakes)
{
	struct pk_scaling_run same[] = {run(2, 10), run(2, 20)}, none[] = {run(0, 1), run(2, 1)},
			      no_time[] = {run(1, 0), run(2, 1)};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_scaling s;

	ck_assert_int_eq(pk_scaling_init(&s, same, 2, &err), -1);
	ck_assert_int_eq(pk_scaling_init(&s, same, 1, &err), -1);
	ck_assert_int_eq(pk_scaling_init(&s, same, 0, &err), -1);
	ck_assert_int_eq(pk_scaling_init(&s, none, 2, &err), -1);
	ck_assert_int_eq(pk_scaling_init(&s, no_time, 2, &err), -1);
}
END_TEST

CHECK_MAIN("scaling", amdahl_is_found, usl_is_found, least_squares, faster_than_possible,
	   slower_with_more, terms_with_the_least_squares, factors, mistakes)
