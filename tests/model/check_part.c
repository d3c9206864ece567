/* Parts: sketches and statistics over runs, and which runs are the same. */
#include <stdio.h>

#include "tests/model/make.h"
#include "model/part/digest.h"
#include "model/part/sketch.h"
#include "model/part/spread.h"
#include "model/transform/transform.h"

/* A value of a sketch is known to 1 %, and one that is ten times as large is 116 buckets
 * further. */
START_TEST(buckets)
{
	static const int64_t values[] = {1, 2, 9, 10, 116, 999, 1000000007, INT64_MAX / 1000};

	ck_assert_int_eq(pk_bucket(0), 0);
	ck_assert_int_eq(pk_bucket_shift(0, 3), 0);
	ck_assert_double_eq(pk_bucket_value(0), 0);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		int64_t bucket = pk_bucket(values[i]);
		double value = (double)values[i];

		ck_assert_int_gt(bucket, 0);
		ck_assert_int_eq(pk_bucket(-values[i]), -bucket);
		ck_assert_int_eq(pk_bucket_shift(bucket, 2), pk_bucket(100 * values[i]));
		ck_assert_int_eq(pk_bucket_shift(-bucket, 2), pk_bucket(-100 * values[i]));
		ck_assert_double_eq_tol(pk_bucket_value(bucket), value, 0.01 * value);
		ck_assert_double_eq_tol(pk_bucket_value(-bucket), -value, 0.01 * value);
	}
}
END_TEST

/* Values in a finer unit have larger squares, which end at 2^127 - 1. */
START_TEST(squares)
{
	const pk_squares most = ~(pk_squares)0 >> 1;
	pk_squares large = pk_square(INT64_MIN);

	ck_assert(pk_square(-12) == 144);
	ck_assert(pk_squares_scale(144, 0) == 144);
	ck_assert(pk_squares_scale(144, 1) == 14400);
	ck_assert(pk_squares_scale(144, 3) == 144000000);
	ck_assert(pk_squares_scale(large, 0) == large);
	ck_assert(pk_squares_scale(large, 1) == most);
	ck_assert(pk_product(-12, 5) == -60);
	ck_assert(pk_products_scale(-60, 2) == -600000);
	ck_assert(pk_products_add(-60, 100) == 40);
}
END_TEST

static uint32_t add_calls(struct pk_spreads *s, int64_t least, int64_t most)
{
	return pk_spreads_add(s, &(struct pk_spread){.function = 1,
						     .metric = 1,
						     .runs = 1,
						     .sum = 5,
						     .least = 5,
						     .most = 5,
						     .digest = "a",
						     .calls_least = least,
						     .calls_most = most});
}

/* Calls are known if all runs know them, whichever comes first. */
START_TEST(calls_of_runs)
{
	for (int order = 0; order < 3; order++) {
		struct pk_spreads s;
		uint32_t row = 0;

		pk_spreads_init(&s);
		for (int i = 0; i < 3; i++)
			row = i == order ? add_calls(&s, PK_NULL, PK_NULL)
					 : add_calls(&s, 3 + i, 8 - i);
		ck_assert_int_eq(s.item[row].runs, 3);
		ck_assert_int_eq(s.item[row].calls_least, PK_NULL);
		ck_assert_int_eq(s.item[row].calls_most, PK_NULL);
		pk_spreads_release(&s);
		pk_spreads_init(&s);
		add_calls(&s, 4, 4);
		add_calls(&s, 2, 3);
		row = add_calls(&s, 3, 9);
		ck_assert_int_eq(s.item[row].calls_least, 2);
		ck_assert_int_eq(s.item[row].calls_most, 9);
		pk_spreads_release(&s);
	}
}
END_TEST

enum differs { NOTHING, SOURCE, LABEL, HOST, COMMAND, START, RANK, VALUE, NAME };

static void digest_of(enum differs what, char digits[PK_DIGEST_DIGITS + 1])
{
	struct pk_builder *b = new_time();
	struct pk_profile *p;

	stack(b, what == NAME ? "main;g" : "main;f", what == VALUE ? 6 : 5, 1);
	pk_build_set(b, run, source, 1, pk_build_text(b, what == SOURCE ? "b.prof" : "a.prof"));
	pk_build_set(b, run, label, 1, pk_build_text(b, what == LABEL ? "second" : "first"));
	pk_build_set(b, run, host, 1, pk_build_text(b, what == HOST ? "n2" : "n1"));
	pk_build_set(b, run, command, 1, pk_build_text(b, what == COMMAND ? "y" : "x"));
	pk_build_set(b, run, start, 1, what == START ? 8 : 7);
	pk_build_set(b, run, rank, 1, what == RANK ? 1 : 0);
	p = checked(pk_builder_finish(b));
	pk_profile_digest(p, digits);
	pk_profile_free(p);
}

/* A copy of a file under another name is the same run; the same numbers of another host, or of
 * another time, are not. */
START_TEST(digests)
{
	char one[PK_DIGEST_DIGITS + 1], other[PK_DIGEST_DIGITS + 1];

	digest_of(NOTHING, one);
	for (int what = SOURCE; what <= NAME; what++) {
		digest_of((enum differs)what, other);
		ck_assert_msg((strcmp(one, other) == 0) == (what <= LABEL), "%d", what);
		for (int half = 0; what > LABEL && half < 2; half++) /* both have 64 bits of it */
			ck_assert(memcmp(one + half * PK_DIGEST_DIGITS / 2,
					 other + half * PK_DIGEST_DIGITS / 2,
					 PK_DIGEST_DIGITS / 2) != 0);
	}
}
END_TEST

CHECK_MAIN("part", buckets, squares, calls_of_runs, digests)
