/* Text in a limited number of tokens: counting, budgets of every size, lines that go on. */
#include <string.h>

#include "base/io/output.h"
#include "render/brief.h"

#include "tests/check_util.h"

static size_t tokens(const char *text)
{
	return pk_brief_tokens(text, strlen(text));
}

START_TEST(counts)
{
	ck_assert_uint_eq(tokens(""), 0);
	ck_assert_uint_eq(tokens("    "), 0);
	ck_assert_uint_eq(tokens("abcd"), 1);
	ck_assert_uint_eq(tokens("abcde"), 2);
	ck_assert_uint_eq(tokens("123"), 1);
	ck_assert_uint_eq(tokens("1234"), 2);
	ck_assert_uint_eq(tokens("1,234"), 3);
	ck_assert_uint_eq(tokens("f12 x"), 3);
	ck_assert_uint_eq(tokens("a\nb"), 3);
	ck_assert_uint_eq(tokens("\xC3\xBC"), 2);
	ck_assert_uint_eq(tokens("abc\xC3\xBC"
				 "abcd"),
			  4);
}
END_TEST

static void fill(struct pk_brief *b)
{
	pk_brief_part(b, NULL, "lines", 1, 0);
	pk_brief_lines(b, "a long name of a file/and/its/folders.prof: what it is\n");
	pk_brief_part(b, "head | head", "rows", 2, 1);
	for (int i = 0; i < 20; i++)
		pk_brief_lines(b, "row | 1,234.5 | f12 name\n");
	b->part[b->count - 1].left_out = 100;
	pk_brief_part(b, "notes:", "notes", 1, 2);
	pk_brief_lines(b, "one\n   goes on,\n   and on\n  6.9%  is of its own\ntwo\n");
}

static const char *written(struct pk_buf *buf, size_t budget)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_to_buf(buf);
	struct pk_brief b = {0};

	buf->len = 0;
	fill(&b);
	pk_brief_write(&b, budget, out);
	ck_assert_int_eq(pk_output_commit(out, &err), 0);
	return buf->len ? buf->data : "";
}

START_TEST(no_budget_is_exceeded)
{
	struct pk_buf buf = PK_BUF_INIT;
	size_t last = 0;

	for (size_t budget = 10; budget < 500; budget++) {
		const char *text = written(&buf, budget);

		ck_assert_uint_le(tokens(text), budget);
		ck_assert_uint_gt(strlen(text), 0);
		last = tokens(text) > last ? tokens(text) : last;
	}
	ck_assert_uint_eq(tokens(written(&buf, 0)), last); /* all of it */
	pk_buf_release(&buf);
}
END_TEST

START_TEST(what_does_not_fit_is_counted)
{
	struct pk_buf buf = PK_BUF_INIT;

	ck_assert_str_eq(written(&buf, 87),
			 "a long name of a file/and/its/folders.prof: what it is\n"
			 "head | head\n"
			 "row | 1,234.5 | f12 name\n"
			 "row | 1,234.5 | f12 name\n"
			 "row | 1,234.5 | f12 name\n"
			 "\xE2\x80\xA6 117 more rows\n"
			 "notes:\n"
			 "one; goes on, and on\n"
			 "\xE2\x80\xA6 2 more notes\n");
	ck_assert_str_eq(written(&buf, 20), "a long name of a file\xE2\x80\xA6\n");
	pk_buf_release(&buf);
}
END_TEST

CHECK_MAIN("brief", counts, no_budget_is_exceeded, what_does_not_fit_is_counted)
