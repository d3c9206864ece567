/* Names of frames that tell their place: what is taken apart, and what is no such name. */
#include "tests/check_util.h"

#include <stdio.h>
#include <string.h>

#include "model/frame_text.h"

typedef bool take_apart(const char *text, size_t len, struct pk_frame_text *t);

/* "name|file|line", NULL for what is not of this form. */
static void expect(take_apart *form, const char *text, const char *expected)
{
	struct pk_frame_text t;
	char got[100] = "";
	bool is = form(text, strlen(text), &t);

	if (is)
		snprintf(got, sizeof(got), "%.*s|%.*s|%u", (int)t.name_len, t.name, (int)t.file_len,
			 t.file, t.line);
	ck_assert_msg(is == (expected != NULL) && (!is || !strcmp(got, expected)), "'%s' is %s",
		      text, is ? got : "nothing");
}

START_TEST(place)
{
	expect(pk_frame_text_place, "f (a.py:12)", "f|a.py|12");
	expect(pk_frame_text_place, "f (a.py)", "f|a.py|0");
	expect(pk_frame_text_place, "f g(int) (C:\\a b.c:3)", "f g(int)|C:\\a b.c|3");
	expect(pk_frame_text_place, "f (a (1).py:12)", "f|a (1).py|12");
	expect(pk_frame_text_place, "f (a).py:12)", "f|a).py|12");
	expect(pk_frame_text_place, "f ((a):7)", "f|(a)|7");
	expect(pk_frame_text_place, "f (a:0)", "f|a|0");
	expect(pk_frame_text_place, "f (a:-12)", "f|a|0");
	expect(pk_frame_text_place, "f (a:4294967295)", "f|a|4294967295");
	expect(pk_frame_text_place, "f (a:4294967296)", "f|a|0");
	expect(pk_frame_text_place, "f (libc.so.6)", "f|libc.so.6|0");
	expect(pk_frame_text_place, "f (12)", "f|12|0");
	expect(pk_frame_text_place, "f (:12)", "f||12");
	expect(pk_frame_text_place, "f", NULL);
	expect(pk_frame_text_place, "", NULL);
	expect(pk_frame_text_place, "f(a.py:12)", NULL);
	expect(pk_frame_text_place, " (a.py:12)", NULL);
	expect(pk_frame_text_place, "f ()", NULL);
	expect(pk_frame_text_place, "f (a.py:12) ", NULL);
	expect(pk_frame_text_place, "f a.py)", NULL);
}
END_TEST

START_TEST(colons)
{
	expect(pk_frame_text_colons, "/a b.py:<module>:40", "<module>|/a b.py|40");
	expect(pk_frame_text_colons, "C:\\x.py:f.<locals>.g:3", "f.<locals>.g|C:\\x.py|3");
	expect(pk_frame_text_colons, "a.py:f:", "f|a.py|0");
	expect(pk_frame_text_colons, "a.py::46", "|a.py|46");
	expect(pk_frame_text_colons, ":GC:", "GC||0");
	expect(pk_frame_text_colons, ":GC:0", "GC||0");
	expect(pk_frame_text_colons, "::", NULL);
	expect(pk_frame_text_colons, "::1", NULL);
	expect(pk_frame_text_colons, "a.py:f:4)", NULL);
	expect(pk_frame_text_colons, "f:4", NULL);
	expect(pk_frame_text_colons, "12", NULL);
	expect(pk_frame_text_colons, "", NULL);
}
END_TEST

START_TEST(dash)
{
	expect(pk_frame_text_dash, "block in run - /a - b.rb:12", "block in run - /a|b.rb|12");
	expect(pk_frame_text_dash, "sleep [c function] - (unknown):0", NULL);
	expect(pk_frame_text_dash, "a - b", NULL);
	expect(pk_frame_text_dash, "a-b:1", NULL);
	expect(pk_frame_text_dash, " - b:1", NULL);
	expect(pk_frame_text_dash, "", NULL);
}
END_TEST

/* The kind and what the file is taken for. */
static void expect_frame(const char *text, enum pk_function_kind kind, const char *file,
			 const char *module)
{
	struct pk_builder *b = pk_builder_new();
	const struct pk_profile *p = pk_builder_profile(b);
	struct pk_frame_text t;
	struct pk_function frame;

	ck_assert(pk_frame_text_place(text, strlen(text), &t));
	frame = pk_frame_text_function(b, &t);
	ck_assert_int_eq(frame.kind, kind);
	ck_assert_str_eq(pk_text(p, frame.file), file);
	ck_assert_str_eq(pk_text(p, frame.module), module);
	ck_assert_uint_eq(frame.line, 0);
	pk_builder_free(b);
}

START_TEST(frames)
{
	expect_frame("f (a.py:1)", PK_KIND_PYTHON, "a.py", "");
	expect_frame("f (a.py)", PK_KIND_PYTHON, "a.py", "");
	expect_frame("f (<string>:1)", PK_KIND_PYTHON, "<string>", "");
	expect_frame("f (a.cpp:7)", PK_KIND_NATIVE, "a.cpp", "");
	expect_frame("f (script:7)", PK_KIND_UNKNOWN, "script", "");
	expect_frame("f (libc.so.6)", PK_KIND_NATIVE, "", "libc.so.6");
	expect_frame("f (x/_y.cpython-311.so)", PK_KIND_NATIVE, "", "x/_y.cpython-311.so");
	expect_frame("0x7f01 (?)", PK_KIND_NATIVE, "", "");
}
END_TEST

CHECK_MAIN("frame_text", place, colons, dash, frames)
