/* Python's marshal: every type, references, damage. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/marshal.h"
#include "tests/check_util.h"

/*
 * Objects are written as unhex reads them: "A9 02 'ab'". What they decode to is compared as text,
 * which for shared containers is what a reader gets that enters them again.
 */
static int render(struct pk_marshal *m, struct pk_marshal_token *t, struct pk_buf *out);

static int render_items(struct pk_marshal *m, const struct pk_marshal_token *t, struct pk_buf *out)
{
	static const char open[] = "([ {", close[] = ")] }";
	struct pk_marshal_token item;
	int kind = t->type - PK_MARSHAL_TUPLE;

	pk_buf_addc(out, open[kind]);
	for (uint32_t i = 0; t->type == PK_MARSHAL_DICT || i < t->count; i++) {
		if (pk_marshal_next(m, &item))
			return -1;
		if (item.type == PK_MARSHAL_END)
			break;
		if (i)
			pk_buf_addc(out, ' ');
		if (render(m, &item, out))
			return -1;
	}
	pk_buf_addc(out, close[kind]);
	return 0;
}

/* "<f a.py 12>" */
static int render_code(struct pk_marshal *m, struct pk_buf *out)
{
	struct pk_marshal_token file, name;
	uint32_t line;

	if (pk_marshal_code(m, &file, &name, &line))
		return -1;
	ck_assert_int_eq(file.type, PK_MARSHAL_TEXT);
	ck_assert_int_eq(name.type, PK_MARSHAL_TEXT);
	pk_buf_addf(out, "<%.*s %.*s %u>", (int)name.len, name.text, (int)file.len, file.text,
		    line);
	return 0;
}

static int render(struct pk_marshal *m, struct pk_marshal_token *t, struct pk_buf *out)
{
	struct pk_buf text = PK_BUF_INIT;
	const char *utf8;
	size_t len;

	switch (t->type) {
	case PK_MARSHAL_REF:
		if (pk_marshal_enter(m, t))
			return -1;
		return render(m, t, out);
	case PK_MARSHAL_CODE:
		return render_code(m, out);
	case PK_MARSHAL_TUPLE:
	case PK_MARSHAL_LIST:
	case PK_MARSHAL_DICT:
		return render_items(m, t, out);
	case PK_MARSHAL_NONE:
		pk_buf_adds(out, "None");
		break;
	case PK_MARSHAL_BOOL:
		pk_buf_adds(out, t->integer ? "True" : "False");
		break;
	case PK_MARSHAL_INT:
		pk_buf_addf(out, "%lld%s", (long long)t->integer, t->cut ? "+" : "");
		break;
	case PK_MARSHAL_FLOAT:
		pk_buf_addf(out, "%.17g", t->real);
		break;
	case PK_MARSHAL_TEXT:
		utf8 = pk_marshal_text(t, &text, &len);
		pk_buf_addc(out, '\'');
		pk_buf_add(out, utf8, len);
		pk_buf_addc(out, '\'');
		pk_buf_release(&text);
		break;
	default:
		pk_buf_adds(out, "other");
	}
	return 0;
}

/* Decodes from memory that is exactly as long as the data, for the sanitizers. */
static int decode(const uint8_t *data, size_t len, struct pk_buf *out, struct pk_error *err,
		  size_t *used)
{
	uint8_t *copy = malloc(len ? len : 1);
	struct pk_marshal_token t;
	struct pk_marshal m;
	int result;

	memcpy(copy, data, len);
	pk_marshal_init(&m, copy, len, err);
	result = pk_marshal_next(&m, &t) || render(&m, &t, out) ? -1 : 0;
	if (!result)
		ck_assert(pk_marshal_done(&m));
	*used = m.at;
	pk_marshal_release(&m);
	free(copy);
	return result;
}

static void expect(const char *hex, const char *wanted)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf out = PK_BUF_INIT;
	uint8_t data[4096];
	size_t len = unhex(hex, data), used;

	pk_buf_adds(&out, "");
	if (decode(data, len, &out, &err, &used))
		ck_abort_msg("%s: %s", hex, err.text);
	ck_assert_str_eq(out.data, wanted);
	ck_assert_uint_eq(used, len);
	/* If the data ends early, wherever, the message says what is missing. */
	for (size_t cut = 0; cut < len; cut++) {
		out.len = 0;
		ck_assert_int_eq(decode(data, cut, &out, &err, &used), -1);
		ck_assert_int_eq(err.code, PK_EFORMAT);
	}
	pk_buf_release(&out);
}

static void refuse(const char *hex, const char *message)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf out = PK_BUF_INIT;
	uint8_t data[4096];
	size_t used;

	ck_assert_int_eq(decode(data, unhex(hex, data), &out, &err, &used), -1);
	ck_assert_str_eq(err.text, message);
	pk_buf_release(&out);
}

START_TEST(atoms)
{
	expect("'N'", "None");
	expect("CE", "None");
	expect("'T'", "True");
	expect("'F'", "False");
	expect("'i' FF FF FF FF", "-1");
	expect("'I' 00 00 00 00 01 00 00 00", "4294967296");
	expect("'g' 00 00 00 00 00 00 F8 3F", "1.5");
	expect("'g' 00 00 00 00 00 00 F0 FF", "-inf");
	expect("'f' 03 '0.5'", "0.5");
	expect("'f' 13 '0.10000000000000001'", "0.10000000000000001");
	expect("'f' 06 '1e+300'", "1.0000000000000001e+300");
	expect("'f' 04 '-inf'", "-inf");
	refuse("'f' 00", "byte 1: a number that is not one");
	refuse("'f' 04 '0x10'", "byte 1: a number that is not one");
	refuse("'f' 02 ' 1'", "byte 1: a number that is not one");
	refuse("'f' 02 '1' 00", "byte 1: a number that is not one");
	refuse("'?'", "byte 0: an object that Python could not write");
	refuse("07", "byte 0: 0x07 is not the type of an object in a profile");
	refuse("80", "byte 0: 0x00 is not the type of an object in a profile");
	refuse("'0'", "byte 0: an end of a dict outside of dicts");
}
END_TEST

START_TEST(longs)
{
	expect("'l' 00 00 00 00", "0");
	expect("'l' 01 00 00 00 FF 7F", "32767");
	expect("EC 03 00 00 00 00 00 00 00 02 00", "2147483648");
	expect("'l' FD FF FF FF 01 00 00 00 02 00", "-2147483649");
	/* 2^63 - 1, 2^63 and -2^63 */
	expect("'l' 05 00 00 00 FF 7F FF 7F FF 7F FF 7F 07 00", "9223372036854775807");
	expect("'l' 05 00 00 00 00 00 00 00 00 00 00 00 08 00", "9223372036854775807+");
	expect("'l' FB FF FF FF 00 00 00 00 00 00 00 00 08 00", "-9223372036854775807+");
	refuse("'l' 01 00 00 00 00 80", "byte 1: a number that is not in its normal form");
	refuse("'l' 02 00 00 00 01 00 00 00", "byte 1: a number that is not in its normal form");
	refuse("'l' 00 00 00 80 01 00", "byte 1: a number that is longer than the rest of the "
					"file: it is cut off or damaged");
	refuse("'l' FF FF FF 7F 01 00", "byte 1: a number that is longer than the rest of the "
					"file: it is cut off or damaged");
}
END_TEST

/* The numbers at the begin of a code object, and the objects in it, depend on the version of
 * Python: 2.7, 3.6, 3.8, 3.11. */
START_TEST(code)
{
#define INT "01 00 00 00"
#define INNER                                   \
	"'c'" INT INT INT INT "'s' 00 00 00 00" \
	"29 00 29 00 29 00 29 00 29 00"         \
	"'z' 04 'b.py'"                         \
	"'t' 01 00 00 00 'g' 07 00 00 00 's' 00 00 00 00"

	expect("'c'" INT INT INT INT "'s' 01 00 00 00 'x'"
	       "'(' 01 00 00 00" INNER "29 00 29 00 29 00 29 00"
	       "'s' 04 00 00 00 'a.py' 't' 01 00 00 00 'f' 0C 00 00 00 's' 00 00 00 00",
	       "<f a.py 12>");
	expect("E3" INT INT INT INT INT "F3 01 00 00 00 'x'"
	       "29 03 '.' 'y' 00 00 00 00 00 00 00 00 00 00 00 00 00 00 F0 3F '>' 01 00 00 00 'N'"
	       "A9 00 'r' 02 00 00 00 'r' 02 00 00 00 'r' 02 00 00 00"
	       "FA 04 'a.py' DA 01 'f' 00 02 00 00 'r' 01 00 00 00",
	       "<f a.py 512>");
	expect("'c'" INT INT INT INT INT INT "'s' 01 00 00 00 'x'"
	       "29 02 ':' 'N' 'i' 02 00 00 00 'N' 'x' 01 '0' 01 '1'"
	       "29 00 29 00 29 00 29 00 'z' 04 'a.py' 'z' 01 'f' 0C 00 00 00 's' 00 00 00 00",
	       "<f a.py 12>");
	expect("29 02 E3" INT INT INT INT INT "'s' 01 00 00 00 'x' 29 00 29 00 29 00"
	       "F3 00 00 00 00 'z' 04 'a.py' 'z' 01 'f' 'z' 03 'C.f' 0C 00 00 00"
	       "'s' 00 00 00 00 'r' 01 00 00 00 'r' 00 00 00 00",
	       "(<f a.py 12> <f a.py 12>)");
	refuse("'c' 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
	       "00 00 00 00 00",
	       "byte 0: a code object of an unknown version of Python");
}
END_TEST

START_TEST(long_beyond_all_bounds)
{
	uint8_t data[1024] = {'l', 67};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_marshal_token t;
	struct pk_marshal m;

	memset(data + 5, 1, 134);
	pk_marshal_init(&m, data, 139, &err);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert(t.cut && t.integer == INT64_MAX && !isinf(t.real) && t.real > 1e300);
	ck_assert(pk_marshal_done(&m));
	ck_assert_int_eq(pk_marshal_next(&m, &t), -1);
	memcpy(data + 1, "\xBD\xFF\xFF\xFF", 4);
	pk_marshal_init(&m, data, 139, &err);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert(t.cut && t.integer == -INT64_MAX && t.real < -1e300);
	pk_marshal_release(&m);
}
END_TEST

START_TEST(texts)
{
	expect("'z' 02 'ab'", "'ab'");
	expect("DA 02 'ab'", "'ab'");
	expect("'a' 02 00 00 00 'ab'", "'ab'");
	expect("'A' 00 00 00 00", "''");
	expect("'u' 03 00 00 00 E2 82 AC", "'\xE2\x82\xAC'");
	/* Python 2: UTF-8 where it is, else Latin-1 */
	expect("'s' 03 00 00 00 E2 82 AC", "'\xE2\x82\xAC'");
	expect("'s' 02 00 00 00 E4 FF", "'\xC3\xA4\xC3\xBF'");
	expect("'t' 02 00 00 00 E4 FF", "'\xC3\xA4\xC3\xBF'");
	/* Python 3: undecodable bytes of a file name are lone surrogates */
	expect("'u' 04 00 00 00 'a' ED B2 80", "'a\xED\xB2\x80'");
	expect("'s' 03 00 00 00 ED B2 80", "'\xC3\xAD\xC2\xB2\xC2\x80'");
	refuse("'u' FF FF FF FF", "byte 1: a negative length");
	refuse("'u' FF FF FF 7F 'abc'", "byte 1: a length of 2147483647, but the file has only 3 "
					"bytes more: it is cut off or damaged");
	refuse("'z' 04 'abc'", "byte 1: a length of 4, but the file has only 3 bytes more: it is "
			       "cut off or damaged");
}
END_TEST

START_TEST(containers)
{
	expect("')' 00", "()");
	expect("'(' 00 00 00 00", "()");
	expect("')' 03 'N' 29 00 29 01 'T'", "(None () (True))");
	expect("'[' 02 00 00 00 'NF'", "[None False]");
	expect("'{0'", "{}");
	expect("'{N{0' 29 00 '{N' 29 01 'N00'", "{None {} () {None (None)}}");
	expect("')' 02 '{NN0{0'", "({None None} {})");
	refuse("'{N0'", "byte 2: a dict that ends between a key and its value");
	refuse("')' 01 '0'", "byte 2: an end of a dict outside of dicts");
	refuse("'{' 29 01 '0'", "byte 3: an end of a dict outside of dicts");
	refuse("'(' FF FF FF 7F 'N'", "byte 1: a length of 2147483647, but the file has only 1 "
				      "bytes more: it is cut off or damaged");
	refuse("'[' 00 00 00 80 'N'", "byte 1: a negative length");
}
END_TEST

START_TEST(shared)
{
	/* atoms come as they are, containers again where they are entered */
	expect("29 03 E9 05 00 00 00 'r' 00 00 00 00 'r' 00 00 00 00", "(5 5 5)");
	expect("29 03 A9 01 'N' 'r' 00 00 00 00 'r' 00 00 00 00", "((None) (None) (None))");
	expect("29 02 FB 'T' 29 01 'N' '0' 'r' 00 00 00 00", "({True (None)} {True (None)})");
	expect("29 02 A9 00 'r' 00 00 00 00", "(() ())");
	/* a container takes its number before its items: 0 tuple, 1 text, 2 tuple */
	expect("29 03 A9 01 FA 01 'a' A9 00 'r' 01 00 00 00", "(('a') () 'a')");
	/* singletons take none */
	expect("29 04 CE D4 E9 07 00 00 00 'r' 00 00 00 00", "(None True 7 7)");
	/* within a dict, as key and as value, last in a tuple, and nested */
	expect("'{' A9 01 'N' 29 02 'T' 'r' 00 00 00 00 'r' 00 00 00 00 'r' 00 00 00 00 '0'",
	       "{(None) (True (None)) (None) (None)}");
	expect("29 03 A9 01 'N' A9 01 'r' 00 00 00 00 'r' 01 00 00 00",
	       "((None) ((None)) ((None)))");
	/* an object that is read again is not counted again: 0 is (5), 1 is 5, 2 is 6 */
	expect("29 04 A9 01 E9 05 00 00 00 'r' 00 00 00 00 E9 06 00 00 00 'r' 02 00 00 00",
	       "((5) (5) 6 6)");
	/* Python 2: `t` has a table of its own */
	expect("29 04 't' 01 00 00 00 'a' 't' 01 00 00 00 'b' 'R' 01 00 00 00 'R' 00 00 00 00",
	       "('a' 'b' 'b' 'a')");
	refuse("29 02 'N' 'r' 00 00 00 00",
	       "byte 3: a reference to an object that was not there before");
	refuse("29 02 'N' 'R' 00 00 00 00",
	       "byte 3: a reference to an object that was not there before");
	refuse("29 02 E9 01 00 00 00 'r' FF FF FF FF",
	       "byte 7: a reference to an object that was not there before");
	refuse("A9 02 'r' 00 00 00 00 'N'", "byte 2: an object that contains itself");
	refuse("DB 01 00 00 00 'r' 00 00 00 00", "byte 5: an object that contains itself");
	refuse("FB 'r' 00 00 00 00 'N0'", "byte 1: an object that contains itself");
}
END_TEST

START_TEST(memos)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_marshal_token t;
	struct pk_marshal m;
	uint8_t data[100];
	size_t len = unhex("29 05 A9 01 FA 01 'x' 'r' 00 00 00 00 'r' 01 00 00 00 "
			   "'t' 01 00 00 00 'y' 'R' 00 00 00 00",
			   data);

	pk_marshal_init(&m, data, len, &err);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert_uint_eq(t.ref, 0);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert(t.type == PK_MARSHAL_TUPLE && t.ref && !t.memo);
	pk_marshal_remember(&m, t.ref, 11);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	pk_marshal_remember(&m, t.ref, 12);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert(t.type == PK_MARSHAL_REF && t.memo == 11);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert(t.type == PK_MARSHAL_TEXT && t.memo == 12);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	pk_marshal_remember(&m, t.ref, 13);
	ck_assert(!m.python2);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert(t.type == PK_MARSHAL_TEXT && t.memo == 13);
	ck_assert(m.python2 && pk_marshal_done(&m));
	pk_marshal_release(&m);
}
END_TEST

START_TEST(nesting)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf out = PK_BUF_INIT;
	uint8_t data[20000];
	size_t used;

	for (size_t i = 0; i < sizeof(data) - 1; i += 2)
		memcpy(data + i, ")\1", 2);
	data[64] = 'N';
	ck_assert_int_eq(decode(data, 65, &out, &err, &used), 0);
	data[64] = ')';
	ck_assert_int_eq(decode(data, sizeof(data), &out, &err, &used), -1);
	ck_assert_str_eq(err.text, "byte 64: objects nested more than 32 deep");
	pk_buf_release(&out);
}
END_TEST

/* Tuples of two references to the one before: 2^n items from 12 n bytes. */
START_TEST(bomb)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf out = PK_BUF_INIT;
	uint8_t data[1000];
	size_t len = unhex("29 1C A9 00", data), used;

	for (uint8_t i = 0; i < 27; i++) {
		const uint8_t pair[] = {0xA9, 2, 'r', i, 0, 0, 0, 'r', i, 0, 0, 0};

		memcpy(data + len, pair, sizeof(pair));
		len += sizeof(pair);
	}
	ck_assert_int_eq(decode(data, len, &out, &err, &used), -1);
	ck_assert_int_eq(err.code, PK_ELIMIT);
	pk_buf_release(&out);
}
END_TEST

START_TEST(skipping)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_marshal_token t;
	struct pk_marshal m;
	uint8_t data[100];
	size_t len = unhex("'{' 29 02 29 01 'N' 'T' '{NN0' 29 00 'T' 'F' 29 01 'N' '0'", data);

	pk_marshal_init(&m, data, len, &err);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
		ck_assert_int_eq(pk_marshal_skip(&m, &t), 0);
	}
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert(t.type == PK_MARSHAL_END && pk_marshal_done(&m));
	pk_marshal_init(&m, data, len, &err);
	ck_assert_int_eq(pk_marshal_next(&m, &t), 0);
	ck_assert_int_eq(pk_marshal_skip(&m, &t), 0);
	ck_assert(pk_marshal_done(&m) && m.at == len);
	pk_marshal_release(&m);
}
END_TEST

CHECK_MAIN("marshal", atoms, longs, code, long_beyond_all_bounds, texts, containers, shared, memos,
	   nesting, bomb, skipping)
