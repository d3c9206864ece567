/* Arguments kept as a pattern and numbers: they are restored without loss. */
#include "model/args/text.h"

#include <string.h>

#include "model/build/builder.h"

#include "tests/check_util.h"

/* Adds an object, which must come back as it was; returns its row's string. */
static const char *keep(const char *text, uint32_t *place)
{
	static struct pk_profile *p;
	struct pk_builder *b = pk_builder_new();
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_json_slice whole;

	pk_profile_free(p);
	pk_build_arg_object(b, PK_TABLE_SPAN, 1, text, strlen(text));
	p = pk_builder_finish(b);
	whole = pk_arg_text(p, 1, &buf);
	ck_assert_uint_eq(whole.len, strlen(text));
	ck_assert_mem_eq(whole.text, text, whole.len);
	pk_buf_release(&buf);
	*place = p->arg.numbers ? p->arg.numbers[1] : 0;
	return pk_text(p, p->arg.value[1]);
}

START_TEST(numbers_are_taken_out)
{
	static const struct {
		const char *text, *pattern;
	} cases[] = {
		{"{\"a\": 1}", "{\"a\": \"$[0]\"}"},
		{"{\"a\":-1, \"b\" :20\n}", "{\"a\":\"$[0]\", \"b\" :\"$[1]\"\n}"},
		{"{\"a\": [1, 2], \"b\": {\"c\": 3}, \"d\": 0}",
		 "{\"a\": [1, 2], \"b\": {\"c\": 3}, \"d\": \"$[0]\"}"},
		{"{\"a\": 999999999999999999}", "{\"a\": \"$[0]\"}"},
		{"{\"say \\\": 5\": 6, \"x\": \": 7\"}",
		 "{\"say \\\": 5\": \"$[0]\", \"x\": \": 7\"}"},
	};
	uint32_t place;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_str_eq(keep(cases[i].text, &place), cases[i].pattern);
		ck_assert(place);
	}
}
END_TEST

START_TEST(others_stay)
{
	static const char *const cases[] = {
		"{}",
		"",
		"[1]",
		"{\"a\": 1.5, \"b\": 1e3, \"c\": 01, \"d\": -0, \"e\": 1x}",
		"{\"a\": 1000000000000000000}",
		"{\"a\": 1, \"b\": \"$[0]\"}", /* would be taken for a place */
		"{\"a\": 1, \"b\": NaN}",      /* no JSON: queries could not look into it */
		"{\"a\": 1, \"b\": \"\xff\"}",
		"{\"a\": 1",
		"{\"a\": 1, \"b",
	};
	uint32_t place;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_str_eq(keep(cases[i], &place), cases[i]);
		ck_assert_uint_eq(place, 0);
	}
}
END_TEST

START_TEST(many_numbers)
{
	struct pk_buf text = PK_BUF_INIT;
	uint32_t place;

	for (int i = 0; i < 3 * PK_MOST_NUMBERS; i++)
		pk_buf_addf(&text, "%s\"n\": %d", i ? ", " : "{", i * 1000003);
	pk_buf_addc(&text, '}');
	ck_assert_ptr_nonnull(strstr(keep(text.data, &place), "\"$[63]\", \"n\": 64000192"));
	pk_buf_release(&text);
}
END_TEST

/* An object is a piece of a file: the bytes after it are not looked at. */
START_TEST(bytes_behind_do_not_count)
{
	int64_t numbers[PK_MOST_NUMBERS];
	struct pk_buf text = PK_BUF_INIT, pattern = PK_BUF_INIT;

	pk_buf_adds(&text, "{\"a\": 7, \"b\": ");
	for (int i = 1; i < 100; i++) /* with the object, as deep as objects may be */
		pk_buf_addc(&text, '[');
	pk_buf_addc(&text, '{');
	ck_assert_int_eq(pk_arg_pattern(&pattern, text.data, text.len, numbers), 0);
	ck_assert_int_eq(pk_arg_pattern(&pattern, text.data, text.len - 1, numbers), 1);
	ck_assert_int_eq(numbers[0], 7);
	pk_buf_release(&text);
	pk_buf_release(&pattern);
}
END_TEST

/* Objects that begin alike and go on differently, each seen several times. */
START_TEST(known_patterns)
{
	static const char *const cases[] = {
		"{\"a\": 1, \"b\": 2}",
		"{\"a\": 1, \"b\": 2.5}",
		"{\"a\": 1, \"b\": 2, \"c\": [3]}",
		"{\"a\": \"x\", \"b\": 7}",
		"{\"a\": 1}",
		"{\"a\": -12, \"b\": 345}",
		"{\"a\": 1000000000000000000}",
		"{\"a\": 1, \"b\": 2, \"c\": [30]}",
		"{\"a\": 1, \"b\": 2, \"c\": \"\"}",
		"{\"a\": 01, \"b\": 2}",
		"{\"a\": 5, \"b\": \"$[0]\"}",
		"{\"a\": 5, \"b\": nul}",
		"{\"a\": 5, \"b\": 6",
	};
	enum { COUNT = sizeof(cases) / sizeof(*cases) };
	struct pk_builder *b = pk_builder_new();
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_profile *p;

	for (unsigned i = 0; i < 3 * COUNT; i++) {
		const char *text = cases[i * 7 % COUNT];

		pk_build_arg_object(b, PK_TABLE_SPAN, 1, text, strlen(text));
	}
	p = pk_builder_finish(b);
	for (unsigned i = 0; i < 3 * COUNT; i++) {
		struct pk_json_slice whole = pk_arg_text(p, i + 1, &buf);

		ck_assert_uint_eq(whole.len, strlen(cases[i * 7 % COUNT]));
		ck_assert_mem_eq(whole.text, cases[i * 7 % COUNT], whole.len);
		ck_assert_uint_eq(p->arg.value[i + 1], p->arg.value[i % COUNT + 1]);
	}
	pk_buf_release(&buf);
	pk_profile_free(p);
}
END_TEST

START_TEST(lists)
{
	static const int64_t values[] = {0, -1, INT64_MAX, INT64_MIN, 63, -64, 1LL << 40};
	enum { COUNT = sizeof(values) / sizeof(*values) };
	int64_t back[PK_MOST_NUMBERS];
	struct pk_arg_table t = {0};
	char text[PK_ARG_LIST];
	uint32_t place, other;
	size_t len;
	int count;

	ck_assert_int_eq(pk_arg_unpack(&t, 0, back), 0); /* nothing is there yet */
	place = pk_arg_pack(&t, values, COUNT);
	other = pk_arg_pack(&t, values + 1, 1);
	ck_assert_int_eq(pk_arg_unpack(&t, place, back), COUNT);
	ck_assert_mem_eq(back, values, sizeof(values));
	ck_assert_int_eq(pk_arg_unpack(&t, other, back), 1);
	ck_assert_int_eq(back[0], -1);
	ck_assert_int_eq(pk_arg_unpack(&t, 0, back), 0);
	ck_assert_uint_eq(pk_arg_pack(&t, values, 0), 0);
	len = pk_arg_list(text, values, COUNT);
	ck_assert_mem_eq(text, "[0,-1,9223372036854775807,-9223372036854775808,63,-64,", 54);
	ck_assert(pk_arg_read_list(text, len, back, &count));
	ck_assert_int_eq(count, COUNT);
	ck_assert_mem_eq(back, values, sizeof(values));
	free(t.packed);
}
END_TEST

START_TEST(what_is_no_list)
{
	static const char *const cases[] = {"",           "[]",    "[1",  "1",
					    "{\"a\": 1}", "[1.5]", "[x]", "[99999999999999999999]",
					    "[[1]]"};
	int64_t numbers[PK_MOST_NUMBERS];
	int count;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(!pk_arg_read_list(cases[i], strlen(cases[i]), numbers, &count), "%s",
			      cases[i]);
}
END_TEST

START_TEST(members)
{
	static const char text[] = "{\"id\": -5, \"dims\": [[1]], \"s\": \"$\", \"name\": \"x\", "
				   "\"text\": \"7\"}";
	struct pk_builder *b = pk_builder_new();
	struct pk_arg_finder f = {0};
	struct pk_json_slice value;
	struct pk_profile *p;
	int64_t id;

	pk_build_arg_object(b, PK_TABLE_SPAN, 1, text, sizeof(text) - 1);
	f.profile = p = pk_builder_finish(b);
	ck_assert(pk_arg_member(&f, 1, "id", &value));
	ck_assert(pk_json_slice_int(value, &id));
	ck_assert_int_eq(id, -5);
	ck_assert(pk_arg_member(&f, 1, "dims", &value));
	ck_assert(pk_json_slice_is(value, "[[1]]"));
	ck_assert(pk_arg_member(&f, 1, "s", &value));
	ck_assert(pk_json_slice_is(value, "\"$\""));
	ck_assert(!pk_arg_member(&f, 1, "x", &value));
	ck_assert(pk_arg_int(&f, 1, "id", &id));
	ck_assert_int_eq(id, -5);
	ck_assert(pk_arg_int(&f, 1, "text", &id));
	ck_assert_int_eq(id, 7);
	ck_assert(!pk_arg_int(&f, 1, "dims", &id));
	ck_assert(!pk_arg_int(&f, 1, "s", &id));
	ck_assert(!pk_arg_int(&f, 1, "x", &id));
	pk_profile_free(p);
}
END_TEST

static void give(struct pk_builder *b, const char *text)
{
	pk_build_arg_object(b, PK_TABLE_SPAN, 1, text, strlen(text));
}

START_TEST(keys_that_are_wanted)
{
	static const char *const keys[] = {"call", "kind", NULL};
	static const char *const kept[] = {
		"{\"call\": 71}",
		"{\"call\": 72}",
		"{\"call\": -3, \"kind\": [8]}",
		"{\"call\": 10}",
		"{\"kind\": \"x\"}",
		"{\"kind\": \"x\"}",
		"{\"b\": \"\", \"kind\": \"y\"}",
		"{\"call\": 5}",
		"{\"call\": 6}",
	};
	struct pk_builder *b = pk_builder_new();
	struct pk_buf buf = PK_BUF_INIT;
	const struct pk_last_arg *last;
	struct pk_profile *p;
	uint32_t pattern;

	pk_builder_set_arg_keys(b, keys);
	ck_assert(pk_builder_wants_arg(b, "kind") && !pk_builder_wants_arg(b, "id"));
	give(b, "{\"id\": 5, \"call\": 71, \"calls\": 7}");
	give(b, "{\"id\": 6, \"call\": 72, \"calls\": 8}");
	give(b, "{\"call\": -3, \"id\": 1, \"kind\": [8]}");
	give(b, "{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":7,\"i\":8,\"j\":9,"
		"\"call\":10,\"k\":11}");
	give(b, "{\"kind\": \"x\", \"id\": 3}"); /* no number is left */
	give(b, "{\"kind\": \"x\"}");
	give(b, "{\"b\": \"\", \"kind\": \"y\"}"); /* no pattern: it stays whole */
	give(b, "{\"b\": \"z\"}");
	give(b, "{\"id\": 8, \"n\": {\"call\": 1}}");
	/* readers give the pattern again, of which the builder keeps the same part */
	give(b, "{\"call\": 5, \"id\": 9}");
	last = pk_build_last_arg(b);
	pattern = last->value;
	ck_assert_uint_eq(last->number, 10);
	ck_assert_int_eq(last->count, 2);
	ck_assert_int_eq(last->numbers[1], 9);
	ck_assert(pk_build_arg_pattern(b, PK_TABLE_SPAN, 1, pattern, (int64_t[]){6, 10}, 2));
	give(b, "{\"id\": 4}");
	ck_assert_uint_eq(last->number, 11);
	ck_assert_int_eq(last->numbers[0], 4);
	p = pk_builder_finish(b);
	ck_assert_uint_eq(p->arg.count, 1 + sizeof(kept) / sizeof(*kept));
	ck_assert(p->unread & PK_PART_ARGS);
	for (uint32_t i = 1; i < p->arg.count; i++) {
		struct pk_json_slice text = pk_arg_text(p, i, &buf);

		ck_assert_msg(pk_json_slice_is(text, kept[i - 1]), "%.*s", (int)text.len,
			      text.text);
	}
	pk_buf_release(&buf);
	pk_profile_free(p);
}
END_TEST

CHECK_MAIN("arg_text", numbers_are_taken_out, others_stay, bytes_behind_do_not_count, many_numbers,
	   known_patterns, lists, what_is_no_list, members, keys_that_are_wanted)
