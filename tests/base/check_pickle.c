/* Python's pickles: every opcode, containers, damage. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pickle/pickle.h"
#include "tests/check_util.h"

/*
 * Pickles are written as unhex reads them: "80 02 'K' 01 '.'". What they are read as is compared as
 * text, or the message.
 */
static void render(const struct pk_pickle *p, const struct pk_pickle_value *v, struct pk_buf *out)
{
	static const char open[] = "([{<", close[] = ")]}>";
	uint32_t count;
	const struct pk_pickle_value *item = pk_pickle_items(p, v, &count);
	size_t len;
	const char *text = pk_pickle_text(p, v, &len);

	if (pk_pickle_is_container(v)) {
		pk_buf_addc(out, open[v->type - PK_PICKLE_TUPLE]);
		for (uint32_t i = 0; i < count; i++) {
			pk_buf_adds(out, i ? " " : "");
			render(p, &item[i], out);
		}
		pk_buf_addc(out, close[v->type - PK_PICKLE_TUPLE]);
	} else if (text) {
		pk_buf_addf(out, v->type == PK_PICKLE_BYTES ? "b'%s'" : "'%s'", text);
	} else if (v->type == PK_PICKLE_FLOAT) {
		pk_buf_addf(out, "%.17g", v->real);
	} else if (v->type == PK_PICKLE_BIG) {
		pk_buf_addf(out, "%c%016llx", v->negative ? '-' : '+',
			    (unsigned long long)v->integer);
	} else if (v->type == PK_PICKLE_OWN) {
		pk_buf_addf(out, "#%u", v->id);
	} else if (v->type == PK_PICKLE_NONE || v->type == PK_PICKLE_CLASS) {
		pk_buf_adds(out, v->type == PK_PICKLE_NONE ? "None" : "class");
	} else {
		pk_buf_addf(out, v->type == PK_PICKLE_BOOL ? "bool%lld" : "%lld",
			    (long long)v->integer);
	}
}

static const struct pk_pickle_class classes[] = {{"m", "A"}, {"mod.ule", "B"}, {NULL, NULL}};

static char *decode(const uint8_t *data, size_t len)
{
	struct pk_input *in = pk_input_from_memory(data, len, "test");
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf out = PK_BUF_INIT;
	struct pk_pickle_value v;
	struct pk_pickle p;

	pk_pickle_init(&p, in, &err);
	p.classes = classes;
	if (pk_pickle_read(&p, &v))
		pk_buf_adds(&out, err.text);
	else
		render(&p, &v, &out);
	pk_pickle_release(&p);
	pk_input_close(in);
	return pk_buf_detach(&out);
}

static void expect(const char *hex, const char *wanted)
{
	uint8_t *data = malloc(strlen(hex) + 1); /* so that sanitizers see reading beyond the end */
	size_t len = unhex(hex, data);
	char *text;

	data = realloc(data, len);
	text = decode(data, len);
	ck_assert_str_eq(text, wanted);
	free(text);
	free(data);
}

START_TEST(numbers)
{
	expect("'N.'", "None");
	expect("80 02 88 '.'", "bool1");
	expect("'I01|.'", "bool1");
	expect("'I1|.'", "1");
	expect("'I-12|.'", "-12");
	expect("'L12L|.'", "12");
	expect("'K' FF '.'", "255");
	expect("'M' FF FF '.'", "65535");
	expect("'J' FE FF FF FF '.'", "-2");
	expect("8A 00 '.'", "0");
	expect("8A 01 FF '.'", "-1");
	expect("8A 06 00 00 00 00 40 7F '.'", "139912854634496");
	expect("8A 08 FF FF FF FF FF FF FF 7F '.'", "9223372036854775807");
	expect("8A 09 00 00 00 00 00 00 00 80 00 '.'", "+8000000000000000");
	expect("8A 09 00 00 00 00 00 00 00 80 FF '.'", "-9223372036854775808");
	expect("8A 09 FF FF FF FF FF FF FF 7F FF '.'", "-7fffffffffffffff");
	expect("8B 02 00 00 00 01 02 '.'", "513");
	expect("'L9223372036854775807L|.'", "9223372036854775807");
	expect("'L9223372036854775808L|.'", "+8000000000000000");
	expect("'G' 3F F8 00 00 00 00 00 00 '.'", "1.5");
	expect("'F1e+300|.'", "1.0000000000000001e+300");
	expect("'F-inf|.'", "-inf");
	expect("'F0x10|.'", "byte 0: a number that is not one");
	expect("'I1_0|.'", "byte 0: a number that is not one");
	expect("'L|.'", "byte 0: a number without digits");
}
END_TEST

START_TEST(texts)
{
	expect("8C 02 'ab.'", "'ab'");
	expect("'X' 02 00 00 00 C3 A9 '.'", "'\xC3\xA9'");
	expect("'X' 03 00 00 00 ED A0 80 '.'", "'\xED\xA0\x80'"); /* half of a pair */
	expect("'X' 01 00 00 00 E9 '.'", "byte 0: a text that is not UTF-8");
	expect("8D 01 00 00 00 00 00 00 00 'a.'", "'a'");
	expect("'U' 01 E9 '.'", "'\xC3\xA9'");
	expect("'T' 02 00 00 00 'ab.'", "'ab'");
	expect("'C' 02 'ab.'", "b'ab'");
	expect("'V' E9 '\\u20ac\\U0001f600a|.'", "'\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"
						 "a'");
	expect("'V\\u20|.'", "byte 0: a text with an escape that is not valid");
	expect("'S`a\\`\\x41\\102\\n\\q\\\\`|.'", "'a'AB\n\\q\\'");
	expect("'Sab|.'", "byte 0: a text without its quotes");
}
END_TEST

START_TEST(containers)
{
	expect("'](K' 01 'K' 02 'e.'", "[1 2]");
	expect("']K' 01 'aK' 02 'a.'", "[1 2]");
	expect("'(K' 01 'K' 02 'l.'", "[1 2]");
	expect("'(tK' 01 85 86 '.'", "(() (1))");
	expect("'K' 01 86 '.'", "byte 2: an opcode without its operands");
	expect("')K' 01 85 86 '.'", "(() (1))");
	expect("'}(K' 01 'K' 02 'K' 03 'K' 04 'u.'", "{1 2 3 4}");
	expect("'(K' 01 'K' 02 'd.'", "{1 2}");
	expect("'}K' 01 'K' 02 's.'", "{1 2}");
	expect("'](}}}e.'", "[{} {} {}]");
	expect("'K' 01 '2' 86 '.'", "(1 1)");
	expect("'K' 01 'K' 02 '0.'", "1");
	expect("'K' 01 '(K' 02 '1.'", "1");
	expect("'](K' 01 'h' 00 '.'", "byte 4: number 0 is not in the memo");
	expect("'(]q' 00 'K' 01 'ah' 00 't.'", "([1] [1])");
	expect("'](}' 94 'h' 00 '}e.'", "[{} {} {}]");
	expect("'(K' 01 94 'h' 00 'j' 00 00 00 00 'g0|t.'", "(1 1 1 1)");
	expect("'}(]K' 01 'u.'", "byte 5: a key of a dict that is a list");
	expect("'}(K' 01 'u.'", "byte 4: a key of a dict without a value");
	expect("'K' 01 'K' 02 'a.'", "byte 4: items for a list that are added to a number");
	expect("'K' 01 'K' 02 '.'", "byte 4: 2 values at the end of the pickle, not one");
	expect("'.'", "byte 0: 0 values at the end of the pickle, not one");
	expect("'K' 01 'e.'", "byte 2: an opcode that needs a mark, where no mark is set");
	expect("'](K' 01", "byte 4: the file is cut off: it ends before the pickle does");
	expect("", "byte 0: the file is cut off: it ends before the pickle does");
}
END_TEST

#define REFUSED "', which no profile of this format has; profkit executes nothing of a file"

START_TEST(classes_of_the_reader)
{
	expect("80 02 'cm|A|)' 81 '}' 8C 01 'xK' 05 'sb.'", "<'x' 5>");
	expect("80 04 8C 07 'mod.ule' 8C 01 'B' 93 ')' 81 '.'", "<>");
	expect("'ccopy_reg|_reconstructor|(cm|A|c__builtin__|object|NtR}V' 'x|I5|sb.'", "<'x' 5>");
	expect("'cos|system|(S`id`|tR.'", "byte 0: it refers to 'os.system" REFUSED);
	expect("80 04 8C 02 'os' 8C 06 'system' 93 '.'",
	       "byte 14: it refers to 'os.system" REFUSED);
	expect("'cm|A.B|.'", "byte 0: it refers to 'm.A.B" REFUSED);
	expect("'cm|A|.'", "byte 5: a class that is used as a value");
	expect("']cm|A|a.'", "byte 6: a class that is used as a value");
	expect("'cm|A|)R.'", "byte 6: a call, which is not executed: this is not a profile");
	expect("']}b.'", "byte 2: attributes that are not a dict for an object of a class");
	expect("'cm|A|)' 81 '}' 8C 01 'xK' 05 'sb}b.'",
	       "byte 16: an object that changes while it is part of another, as one that contains "
	       "itself");
	expect("'(ios|system|.'", "byte 1: opcode 0x69, which no profile needs");
	expect("'P1|.'", "byte 0: opcode 0x50, which no profile needs");
	expect("82 01 '.'", "byte 0: opcode 0x82, which no profile needs");
	expect("FF '.'", "byte 0: 0xff is not an opcode of a pickle");
	expect("80 06 'N.'", "byte 0: protocol 6, of which the latest known is 5");
}
END_TEST

START_TEST(hostile)
{
	expect("']q' 00 'h' 00 'a.'", "byte 5: an object that contains itself");
	expect("']q' 00 ']q' 01 'h' 00 'aa.'",
	       "byte 9: an object that changes while it is part of another, as one that contains "
	       "itself");
	expect("'Nr' FF FF FF FF '.'",
	       "byte 1: number 4294967295 in the memo, more than the file can have");
	expect("'Nr' 00 00 00 80 '.'",
	       "byte 1: number 2147483648 in the memo, more than the file can have");
	expect("'Np99999999999999999999|.'", "byte 1: a number for the memo that is not valid");
	expect("8B 00 00 00 80 '.'", "byte 0: a negative length");
	expect("8B FF FF FF 7F '.'", "byte 0: a length of 2147483647, but the file has only 1 "
				     "bytes more: it is cut off or damaged");
	expect("8D FF FF FF FF FF FF FF FF '.'",
	       "byte 0: a length of 18446744073709551615, but the file has only 1 bytes more: it "
	       "is cut off or damaged");
	expect("'T' FF FF FF FF '.'", "byte 0: a negative length");
	expect("80 04 95 05 00 00 00 00 00 00 00 ']N'",
	       "byte 13: the file is cut off: it ends before the pickle does");
	expect("80 04 95 03 00 00 00 00 00 00 00 'X' 03 00 00 00 'abc.'",
	       "byte 11: an opcode that goes beyond the end of its frame");
	expect("80 04 95 02 00 00 00 00 00 00 00 'N.'", "None");
	expect("80 04 95 01 00 00 00 00 00 00 00 'N.'", "None");
	expect("80 04 95 09 00 00 00 00 00 00 00 'N.'",
	       "byte 12: a frame that goes on after the end of the pickle");
	expect("95 20 00 00 00 00 00 00 00 95 00 00 00 00 00 00 00 00 'N.'",
	       "byte 9: a frame inside another");
	expect("95 FF FF FF FF FF FF FF FF 'N.'", "byte 0: a frame longer than any file");
}
END_TEST

START_TEST(deep)
{
	static uint8_t data[200001];
	char *text;

	for (size_t i = 0; i < sizeof(data) - 1; i++)
		data[i] = i < 100000 ? ']' : 'a';
	data[99999] = ']', data[199999] = '.';
	text = decode(data, sizeof(data));
	ck_assert_str_eq(text, "byte 100064: objects nested more than 64 deep");
	free(text);
}
END_TEST

/* Numbers the dicts; those with one entry are gone. */
static int count_dicts(void *data, struct pk_pickle *p, struct pk_pickle_value *v)
{
	uint32_t items;

	pk_pickle_items(p, v, &items);
	if (v->type == PK_PICKLE_DICT)
		*v = items == 2 ? pk_pickle_nothing() : pk_pickle_own(1, ++*(uint32_t *)data);
	return 0;
}

static char *replace(const uint8_t *bytes, size_t len, size_t *room)
{
	struct pk_input *in = pk_input_from_memory(bytes, len, "test");
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf out = PK_BUF_INIT;
	struct pk_pickle_value v;
	struct pk_pickle p;
	uint32_t dicts = 0;

	pk_pickle_init(&p, in, &err);
	p.finish = count_dicts;
	p.data = &dicts;
	ck_assert_msg(!pk_pickle_read(&p, &v), "%s", err.text);
	render(&p, &v, &out);
	pk_buf_addf(&out, " %llu", (unsigned long long)pk_pickle_nothings(&p, &v));
	*room = p.stack_alloc + p.object_alloc;
	pk_pickle_release(&p);
	pk_input_close(in);
	return pk_buf_detach(&out);
}

static void expect_replaced(const char *hex, const char *wanted)
{
	uint8_t data[200];
	size_t room, len = unhex(hex, data);
	char *text = replace(data, len, &room);

	ck_assert_str_eq(text, wanted);
	free(text);
}

START_TEST(replacing)
{
	expect_replaced("'](}}}e.'", "[#1 #2 #3] 0");
	expect_replaced("'](}q' 00 '}q' 01 'h' 00 'h' 01 'e.'", "[#1 #2 #1 #2] 0");
	expect_replaced("'}q' 00 'h' 00 'h' 00 87 '.'", "(#1 #1 #1) 0");
	expect_replaced("'}q' 00 'q' 01 'h' 00 'h' 01 87 'h' 00 86 '.'", "((#1 #1 #1) #1) 0");
	expect_replaced("'](}K' 01 'K' 02 's}K' 01 'K' 02 's}K' 01 'K' 02 's}e.'", "[#1] 3");
}
END_TEST

/* Of a million dicts under one mark, those already handled take no memory. */
START_TEST(streaming)
{
	enum { DICTS = 1000000, EACH = 6 };
	size_t len = 2 + DICTS * EACH + 2, room;
	uint8_t *data = malloc(len);
	char *text;

	memcpy(data, "](", 2);
	for (size_t i = 0; i < DICTS; i++)
		memcpy(data + 2 + i * EACH, "}K\1K\2s", EACH);
	memcpy(data + len - 2, "e.", 2);
	text = replace(data, len, &room);
	ck_assert_str_eq(text, "[] 1000000");
	ck_assert_uint_lt(room, 1000);
	free(text);
	free(data);
}
END_TEST

static char *decode_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	static uint8_t data[1 << 20];
	size_t len = fread(data, 1, sizeof(data), f);

	fclose(f);
	return decode(data, len);
}

/* Files of the corpus, where there is one. */
START_TEST(corpus)
{
	const char *folder = getenv("PROFKIT_CORPUS");
	char pattern[4096], *first = NULL;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/generated/pickle/*.pkl",
		 folder ? folder : "../shared/corpus");
	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *name = strrchr(found.gl_pathv[i], '/') + 1;
		char *text = decode_file(found.gl_pathv[i]);

		if (getenv("CHECK_VERBOSE"))
			printf("%s: %.200s\n", name, text);
		if (strchr("eb", *name) && strncmp(name, "bytes-proto5", 12) != 0)
			ck_assert_msg(!strncmp(text, "byte ", 5), "%s: %s", name, text);
		if (!strncmp(name, "plain-proto", 11) && !first)
			first = strdup(text);
		else if (!strncmp(name, "plain-proto", 11))
			ck_assert_str_eq(text, first);
		free(text);
	}
	free(first);
	globfree(&found);
}
END_TEST

CHECK_MAIN("pickle", numbers, texts, containers, classes_of_the_reader, hostile, deep, replacing,
	   streaming, corpus)
