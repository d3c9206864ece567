/* The JSON writer: quotes, numbers, layout. */
#include <math.h>
#include <string.h>

#include "base/json/write.h"

#include "tests/check_util.h"

static void expect_quoted_len(const char *text, size_t len, const char *expected, size_t bad)
{
	struct pk_buf buf = PK_BUF_INIT;

	ck_assert_uint_eq(pk_json_quote(&buf, text, len), bad);
	ck_assert_str_eq(buf.data, expected);
	pk_buf_release(&buf);
}

static void expect_quoted(const char *text, const char *expected)
{
	expect_quoted_len(text, strlen(text), expected, 0);
}

START_TEST(quoting)
{
	expect_quoted("", "\"\"");
	expect_quoted("plain <module> & 'x'", "\"plain <module> & 'x'\"");
	expect_quoted("a\"b\\c", "\"a\\\"b\\\\c\"");
	expect_quoted("\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\"");
	expect_quoted("\v\x01\x1b[31m\x7f", "\"\\u000b\\u0001\\u001b[31m\\u007f\"");
	expect_quoted("\xC2\x9B", "\"\\u009b\""); /* CSI as one character */
	expect_quoted("\xE2\x80\xA8\xE2\x80\xA9", "\"\\u2028\\u2029\"");
	expect_quoted("gr\xC3\xBC\xC3\x9F\xE2\x82\xAC\xF0\x9F\x94\xA5",
		      "\"gr\xC3\xBC\xC3\x9F\xE2\x82\xAC\xF0\x9F\x94\xA5\"");
	expect_quoted("</SCRIPT><!--</x>", "\"\\u003c/SCRIPT>\\u003c!--</x>\"");
	expect_quoted_len("a\0b", 3, "\"a\\u0000b\"", 0);
}
END_TEST

/* The treatment of a byte does not depend on its place, although eight are processed at once. */
START_TEST(quoting_of_any_byte)
{
	struct pk_buf alone = PK_BUF_INIT, expected = PK_BUF_INIT;
	char text[21];

	for (int c = 0; c < 256; c++) {
		alone.len = 0;
		pk_json_quote(&alone, &(char){(char)c}, 1);
		for (size_t i = 0; i < sizeof(text); i++) {
			memset(text, 'x', sizeof(text));
			text[i] = (char)c;
			expected.len = 0;
			pk_buf_addf(&expected, "\"%.*s%.*s%.*s\"", (int)i, "xxxxxxxxxxxxxxxxxxxx",
				    (int)alone.len - 2, alone.data + 1, (int)(20 - i),
				    "xxxxxxxxxxxxxxxxxxxx");
			expect_quoted_len(text, sizeof(text), expected.data, c >= 0x80);
		}
	}
	pk_buf_release(&alone);
	pk_buf_release(&expected);
}
END_TEST

START_TEST(quoting_mends_what_is_not_utf8)
{
	expect_quoted_len("a\xFFz", 3, "\"a\xEF\xBF\xBDz\"", 1);
	expect_quoted_len("\xED\xB2\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"", 3);
	expect_quoted_len("x\xC3", 2, "\"x\xEF\xBF\xBD\"", 1);
}
END_TEST

static void write_document(struct pk_json_writer *w)
{
	pk_json_object(w);
	pk_json_key(w, "name");
	pk_json_text(w, "x");
	pk_json_key(w, "none");
	pk_json_text(w, NULL);
	pk_json_key(w, "rows");
	pk_json_array(w);
	pk_json_flat_object(w);
	pk_json_key(w, "a");
	pk_json_int(w, INT64_MIN);
	pk_json_key(w, "b");
	pk_json_array(w); /* inside a flat object: flat too */
	pk_json_double(w, 0.123456789, 6);
	pk_json_double(w, NAN, 6);
	pk_json_end(w);
	pk_json_end(w);
	pk_json_flat_object(w);
	pk_json_end(w);
	pk_json_end(w);
	pk_json_key(w, "empty");
	pk_json_array(w);
	pk_json_end(w);
	pk_json_key(w, "flag");
	pk_json_bool(w, true);
	pk_json_key(w, "raw");
	pk_json_raw(w, "[1]", 3);
	pk_json_key(w, "zero");
	pk_json_int(w, 0);
	pk_json_end(w);
}

static void expect_document(int indent, const char *expected)
{
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&buf);
	struct pk_error err = PK_ERROR_INIT;
	struct pk_json_writer w;

	pk_json_init(&w, out, indent);
	write_document(&w);
	ck_assert_int_eq(pk_output_commit(out, &err), 0);
	ck_assert_str_eq(buf.data, expected);
	pk_buf_release(&buf);
}

START_TEST(indented)
{
	expect_document(2, "{\n"
			   "  \"name\": \"x\",\n"
			   "  \"none\": null,\n"
			   "  \"rows\": [\n"
			   "    {\"a\": -9223372036854775808, \"b\": [0.123457, null]},\n"
			   "    {}\n"
			   "  ],\n"
			   "  \"empty\": [],\n"
			   "  \"flag\": true,\n"
			   "  \"raw\": [1],\n"
			   "  \"zero\": 0\n"
			   "}\n");
}
END_TEST

START_TEST(on_one_line)
{
	expect_document(0, "{\"name\":\"x\",\"none\":null,\"rows\":[{\"a\":-9223372036854775808,"
			   "\"b\":[0.123457,null]},{}],\"empty\":[],\"flag\":true,\"raw\":[1],"
			   "\"zero\":0}\n");
}
END_TEST

/* As one after the other, also where they do not fit into the memory of one piece. */
START_TEST(many_integers)
{
	enum { MANY = 3000 };
	static int64_t value[MANY];

	for (int i = 0; i < MANY; i++)
		value[i] = (i % 7 - 3) * ((INT64_C(1) << i % 62) - 1);
	value[0] = value[MANY - 1] = INT64_MIN;
	value[1] = INT64_MAX;
	value[2] = -INT64_MAX;
	for (int count = 0; count <= MANY; count = count ? count * 3 : 1) {
		struct pk_buf text = PK_BUF_INIT, each = PK_BUF_INIT;
		struct pk_output *out = pk_output_to_buf(&text);
		struct pk_error err = PK_ERROR_INIT;
		struct pk_json_ints ints;
		struct pk_json_writer w;

		pk_json_init(&w, out, 0);
		pk_json_object(&w);
		pk_json_begin_ints(&ints, &w, "all");
		for (int i = 0; i < count; i++)
			pk_json_add_int(&ints, value[i]);
		pk_json_end_ints(&ints);
		pk_json_end(&w);
		ck_assert_int_eq(pk_output_commit(out, &err), 0);
		out = pk_output_to_buf(&each);
		pk_json_init(&w, out, 0);
		pk_json_object(&w);
		pk_json_put_array(&w, "all");
		for (int i = 0; i < count; i++)
			pk_json_int_or_null(&w, value[i]);
		pk_json_end(&w);
		pk_json_end(&w);
		ck_assert_int_eq(pk_output_commit(out, &err), 0);
		ck_assert_str_eq(text.data, each.data);
		pk_buf_release(&text);
		pk_buf_release(&each);
	}
}
END_TEST

CHECK_MAIN("json_write", quoting, quoting_of_any_byte, quoting_mends_what_is_not_utf8, indented,
	   on_one_line, many_integers)
