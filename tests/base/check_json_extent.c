/* Where objects and arrays in memory end. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/json/extent.h"

#include "tests/check_util.h"

static size_t length(const char *text)
{
	struct pk_json_extent x;

	return pk_json_extent(text, strlen(text), &x) ? x.len : 0;
}

START_TEST(ends)
{
	ck_assert_uint_eq(length("{} {}"), 2);
	ck_assert_uint_eq(length("[{}, [1]] x"), 9);
	ck_assert_uint_eq(length("{\"}\": \"]\"}"), 10);
	ck_assert_uint_eq(length("{\"a\\\"}\": 1}"), 11);
	ck_assert_uint_eq(length("{\"a\\\\\"}"), 7);
	ck_assert_uint_eq(length("{\"a\": [1, 2"), 0);
	ck_assert_uint_eq(length("{\"a}"), 0);
}
END_TEST

/* Whatever stands where blocks of 64 bytes meet. */
START_TEST(any_place)
{
	static const char tail[] = "{\"k\\\\\": \"}\\\"{\\\\\\\\\", \"n\": [1]}";
	char text[400];
	int i;

	for (i = 0; i < 200; i++) {
		int len = snprintf(text, sizeof(text), "{\"%0*d\": %s}}", i + 1, 0, tail);

		ck_assert_uint_eq(length(text), (size_t)len - 1);
	}
}
END_TEST

START_TEST(nested_values)
{
	static const char text[] = "{\"a\": {\"b\": [1]}, \"c\": 2, \"d\": []}";
	struct pk_json_extent x;

	ck_assert(pk_json_extent(text, strlen(text), &x));
	ck_assert_int_eq(x.nested_count, 2);
	ck_assert_uint_eq(x.nested[0].begin, 6);
	ck_assert_uint_eq(x.nested[0].end, 16);
	ck_assert_uint_eq(x.nested[1].begin, 31);
	ck_assert_uint_eq(x.nested[1].end, 33);
}
END_TEST

CHECK_MAIN("json_extent", ends, any_place, nested_values)
