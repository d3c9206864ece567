/* Steps in a value over runs, on series made by hand and, seeded, by chance. */
#include "tests/check_util.h"

#include <math.h>

#include "analysis/history.h"
#include "model/profile.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static struct pk_history find(const int64_t *value, size_t count, bool exact)
{
	struct pk_history h;

	pk_history_init(&h, value, count, exact);
	return h;
}

START_TEST(step_is_where_it_is)
{
	int64_t value[] = {1000, 1010, 990, 1005, 1230, 1225, 1240, 1228};
	struct pk_history h = find(value, LEN(value), false);

	ck_assert_uint_eq(h.count, 2);
	ck_assert_uint_eq(h.level[0].from, 0);
	ck_assert_uint_eq(h.level[0].to, 4);
	ck_assert_uint_eq(h.level[1].from, 4);
	ck_assert_uint_eq(h.level[1].to, 8);
	/* Medians of four: half way between 1000 and 1005, and between 1228 and 1230. */
	ck_assert_int_eq(h.level[0].value, 1003);
	ck_assert_int_eq(h.level[1].value, 1229);
	ck_assert_double_eq_tol(pk_history_ratio(&h, 1), 1229.0 / 1003, 1e-12);
	pk_history_release(&h);
}
END_TEST

START_TEST(two_steps)
{
	int64_t value[] = {100, 101, 99, 100, 150, 151, 149, 150, 100, 100, 101, 99};
	struct pk_history h = find(value, LEN(value), false);

	ck_assert_uint_eq(h.count, 3);
	ck_assert_uint_eq(h.level[1].from, 4);
	ck_assert_uint_eq(h.level[2].from, 8);
	pk_history_release(&h);
}
END_TEST

START_TEST(one_odd_run_is_no_step)
{
	int64_t value[] = {100, 101, 99, 100, 300, 101, 99, 100},
		last[] = {100, 101, 99, 100, 101, 99, 100, 300};
	struct pk_history h = find(value, LEN(value), false);

	ck_assert_uint_eq(h.count, 1);
	ck_assert_int_eq(h.level[0].value, 100);
	pk_history_release(&h);
	h = find(last, LEN(last), false);
	ck_assert_uint_eq(h.count, 1);
	pk_history_release(&h);
}
END_TEST

START_TEST(counts_are_exact)
{
	int64_t value[] = {12000, 12000, 12001}, same[] = {5, 5, 5, 5}, new[] = {0, 0, 7};
	struct pk_history h = find(value, LEN(value), true);

	ck_assert_uint_eq(h.count, 2);
	ck_assert_uint_eq(h.level[1].from, 2);
	ck_assert_int_eq(h.level[1].value, 12001);
	pk_history_release(&h);
	h = find(same, LEN(same), true);
	ck_assert_uint_eq(h.count, 1);
	pk_history_release(&h);
	h = find(new, LEN(new), true);
	ck_assert_uint_eq(h.count, 2);
	ck_assert(isinf(pk_history_ratio(&h, 1)));
	pk_history_release(&h);
}
END_TEST

START_TEST(unknown_values_are_passed_over)
{
	int64_t value[] = {100, PK_NULL, 101, 99, 200, PK_NULL, 201, 199}, none[] = {PK_NULL};
	struct pk_history h = find(value, LEN(value), false);

	ck_assert(!h.too_few);
	ck_assert_uint_eq(h.count, 2);
	ck_assert_uint_eq(h.level[0].to, 4);
	ck_assert_uint_eq(h.level[1].from, 4);
	pk_history_release(&h);
	h = find(none, 1, false);
	ck_assert_uint_eq(h.count, 0);
	pk_history_release(&h);
	h = find(NULL, 0, false);
	ck_assert_uint_eq(h.count, 0);
	pk_history_release(&h);
}
END_TEST

START_TEST(few_runs_tell_nothing)
{
	int64_t value[] = {100, 100, 100, 200, 200};
	struct pk_history h = find(value, LEN(value), false);

	ck_assert(h.too_few);
	ck_assert_uint_eq(h.count, 1);
	pk_history_release(&h);
}
END_TEST

START_TEST(extremes)
{
	int64_t value[] = {0, 0, 0, INT64_MAX, INT64_MAX, INT64_MAX}, zero[6] = {0},
		negative[] = {-100, -101, -99, 100, 101, 99};
	struct pk_history h = find(value, LEN(value), false);

	ck_assert_uint_eq(h.count, 2);
	ck_assert_uint_eq(h.level[1].from, 3);
	pk_history_release(&h);
	h = find(zero, LEN(zero), false);
	ck_assert_uint_eq(h.count, 1);
	pk_history_release(&h);
	h = find(negative, LEN(negative), false);
	ck_assert_uint_eq(h.count, 2);
	ck_assert_uint_eq(h.level[1].from, 3);
	pk_history_release(&h);
}
END_TEST

static uint64_t seed;

static double chance(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (double)(seed >> 11) * 0x1p-53;
}

static double normal(void)
{
	return sqrt(-2 * log(chance() + 1e-300)) * cos(2 * M_PI * chance());
}

static int64_t noisy(double level, bool busy)
{
	double off = 0.05 * normal();

	if (busy && chance() < 0.1)
		off += 0.5 * fabs(normal());
	return llround(level * exp(off));
}

/* The number of 1000 series of n values with 5 % of noise, if asked every tenth far off, grown
 * by a quarter half way if asked, that have a step. */
static int stepped(size_t n, bool busy, bool grown)
{
	int64_t value[100];
	int found = 0;

	seed = 88172645463325252;
	for (int series = 0; series < 1000; series++) {
		struct pk_history h;

		for (size_t i = 0; i < n; i++)
			value[i] = noisy(grown && i >= n / 2 ? 1.25e9 : 1e9, busy);
		pk_history_init(&h, value, n, false);
		found += h.count > 1;
		pk_history_release(&h);
	}
	return found;
}

START_TEST(noise_has_no_steps)
{
	static const size_t counts[] = {6, 7, 8, 10, 16, 40, 100};

	for (size_t i = 0; i < LEN(counts); i++)
		ck_assert_int_le(stepped(counts[i], false, false), 50);
	for (size_t i = 0; i < LEN(counts); i++)
		ck_assert_int_le(stepped(counts[i], true, false), 50);
	ck_assert_int_ge(stepped(10, false, true), 850);
	ck_assert_int_ge(stepped(20, false, true), 990);
}
END_TEST

START_TEST(bounded)
{
	size_t count = PK_HISTORY_MOST + 100;
	int64_t *value = malloc(count * sizeof(*value));
	struct pk_history h;

	for (size_t i = 0; i < count; i++)
		value[i] = i < count - 10 ? 100 : 120;
	value[0] = 1;
	pk_history_init(&h, value, count, true);
	ck_assert_uint_eq(h.skipped, 100);
	ck_assert_uint_eq(h.count, 2);
	ck_assert_uint_eq(h.level[0].from, 100);
	ck_assert_uint_eq(h.level[1].from, count - 10);
	pk_history_release(&h);
	free(value);
}
END_TEST

CHECK_MAIN("history", step_is_where_it_is, two_steps, one_odd_run_is_no_step, counts_are_exact,
	   unknown_values_are_passed_over, few_runs_tell_nothing, extremes, noise_has_no_steps,
	   bounded)
