/* Looking into the arguments of events. */
#include "base/json/members.h"

#include <string.h>

#include "model/events/activity.h"

#include "tests/check_util.h"

static struct pk_json_members open_text(const char *text)
{
	return pk_json_members(text, strlen(text));
}

START_TEST(members)
{
	struct pk_json_members m = open_text(
		" {\"a\" : 1,\"b\":[1,{\"c\":\"]}\"}] , \"d\\\"\":\"x,\\\"y\",\"e\":null}");
	static const char *const want[][2] = {
		{"a", "1"}, {"b", "[1,{\"c\":\"]}\"}]"}, {"d\\\"", "\"x,\\\"y\""}, {"e", "null"}};
	struct pk_json_slice key, value;

	for (unsigned i = 0; i < 4; i++) {
		ck_assert(pk_json_member(&m, &key, &value));
		ck_assert(pk_json_slice_is(key, want[i][0]));
		ck_assert(pk_json_slice_is(value, want[i][1]));
	}
	ck_assert(!pk_json_member(&m, &key, &value));
}
END_TEST

START_TEST(nothing)
{
	struct pk_json_members m = pk_json_members(NULL, 0);
	struct pk_json_slice key, value;

	ck_assert(!pk_json_member(&m, &key, &value));
	ck_assert(!pk_json_item(&m, &value));
}
END_TEST

START_TEST(items)
{
	struct pk_json_members m = open_text("[ [8, 16],[], \"x\" , -3]");
	static const char *const want[] = {"[8, 16]", "[]", "\"x\"", "-3"};
	struct pk_json_slice value;

	for (unsigned i = 0; i < 4; i++) {
		ck_assert(pk_json_item(&m, &value));
		ck_assert(pk_json_slice_is(value, want[i]));
	}
	ck_assert(!pk_json_item(&m, &value));
}
END_TEST

/* No JSON, or cut anywhere: the walk ends, within the text. */
START_TEST(broken)
{
	static const char *const texts[] = {
		"",    "7",    "{\"a\"", "{\"a\":", "{a:1}",    "{\"a\":]",
		"[,,", "[1 2", "{\"\\",  "[\"\\\"", "{\"a\" 1}"};
	struct pk_json_slice key, value;

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *copy = strdup(texts[i]); /* so that a sanitizer sees what is read */
		struct pk_json_members m = pk_json_members(copy, strlen(copy));
		int steps = 0;

		while (pk_json_member(&m, &key, &value))
			ck_assert(++steps < 10);
		m = pk_json_members(copy, strlen(copy));
		while (pk_json_item(&m, &value))
			ck_assert(++steps < 10);
		free(copy);
	}
}
END_TEST

START_TEST(numbers)
{
	static const struct {
		const char *text;
		bool good;
		int64_t number;
	} cases[] = {
		{"0", true, 0},
		{"\"-12\"", true, -12},
		{"9223372036854775807", true, INT64_MAX},
		{"-9223372036854775808", true, INT64_MIN},
		{"9223372036854775808", false, 0},
		{"1.5", false, 0},
		{"-", false, 0},
		{"\"\"", false, 0},
		{"null", false, 0},
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pk_json_slice s = {cases[i].text, strlen(cases[i].text)};
		int64_t number = 0;

		ck_assert_int_eq(pk_json_slice_int(s, &number), cases[i].good);
		ck_assert_int_eq(number, cases[i].number);
	}
}
END_TEST

START_TEST(activities)
{
	ck_assert_int_eq(pk_activity_of("cpu_op"), PK_ACT_OP);
	ck_assert_int_eq(pk_activity_of("Kernel"), PK_ACT_KERNEL);
	ck_assert_int_eq(pk_activity_of(""), PK_ACT_OTHER);
	ck_assert(pk_activity_is_device(pk_activity_of("gpu_user_annotation")));
	ck_assert(!pk_activity_is_device(pk_activity_of("cuda_runtime")));
}
END_TEST

CHECK_MAIN("json_members", members, nothing, items, broken, numbers, activities)
