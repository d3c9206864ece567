/* The JSON tokenizer: what RFC 8259 accepts and rejects, what is mended, windows that end
 * anywhere. */
#include "tests/check_util.h"

#include <math.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/json/phrase.h"

static void add_token(const struct pk_json *j, struct pk_buf *out)
{
	switch (j->token) {
	case PK_JSON_OBJECT:
		pk_buf_addc(out, '{');
		break;
	case PK_JSON_OBJECT_END:
		pk_buf_addc(out, '}');
		break;
	case PK_JSON_ARRAY:
		pk_buf_addc(out, '[');
		break;
	case PK_JSON_ARRAY_END:
		pk_buf_addc(out, ']');
		break;
	case PK_JSON_KEY:
	case PK_JSON_STRING:
		pk_buf_addc(out, j->token == PK_JSON_KEY ? 'k' : 's');
		pk_buf_addc(out, '<');
		pk_json_unescape(out, j->text, j->len);
		pk_buf_addc(out, '>');
		break;
	case PK_JSON_NUMBER:
		pk_buf_addc(out, 'n');
		pk_buf_add(out, j->text, j->len);
		pk_buf_addc(out, ';');
		break;
	default:
		pk_buf_addc(out, j->token == PK_JSON_TRUE    ? 'T'
				 : j->token == PK_JSON_FALSE ? 'F'
							     : 'N');
	}
}

static void add_repairs(const struct pk_json *j, struct pk_buf *out)
{
	pk_buf_addc(out, j->token == PK_JSON_END ? '.' : '!');
	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		if (j->repair[i].count)
			pk_buf_addf(out, " %dx%llu@%llu", i, (unsigned long long)j->repair[i].count,
				    (unsigned long long)j->repair[i].first);
}

/* All tokens as one line: {k"a"n1} and, after a space, the repairs by number. */
static void transcribe(struct pk_input *in, struct pk_buf *out)
{
	struct pk_json j;

	pk_json_open(&j, in);
	while (pk_json_next(&j) > PK_JSON_END)
		add_token(&j, out);
	add_repairs(&j, out);
}

/* The same by phrases: what the last few of them said is kept. */
enum { PHRASES = 16 };
struct said {
	struct pk_json_phrase phrase;
	struct pk_buf key, value;
};

/* Random texts that one process reads: a process for each costs more than the test. */
enum { GROUP = 20 };

static size_t again; /* keys and values that were not read */

static struct said *next_phrase(struct pk_json *j, struct said *said, int *made, struct pk_buf *out)
{
	struct said *s;

	for (int i = 0; i < PHRASES; i++) {
		unsigned same = pk_json_same(j, &said[i].phrase);

		s = &said[i];
		if (!s->phrase.len || same < s->phrase.len)
			continue;
		again++;
		pk_buf_add(out, s->key.data, s->key.len);
		if (same < s->phrase.needed) {
			pk_json_pass_key(j, &s->phrase);
			return s;
		}
		again++;
		pk_json_pass_member(j, &s->phrase);
		pk_buf_add(out, s->value.data, s->value.len);
		return next_phrase(j, said, made, out);
	}
	s = &said[*made % PHRASES];
	if (!pk_json_learn(j, &s->phrase))
		return NULL;
	++*made;
	s->key.len = 0;
	add_token(j, &s->key);
	pk_buf_add(out, s->key.data, s->key.len);
	return s;
}

static void transcribe_by_phrases(struct pk_input *in, struct pk_buf *out)
{
	struct said said[PHRASES] = {0};
	struct pk_json j;
	int made = 0;

	pk_json_open(&j, in);
	for (;;) {
		struct said *s = next_phrase(&j, said, &made, out);

		if (pk_json_next(&j) <= PK_JSON_END)
			break;
		add_token(&j, out);
		if (!s)
			continue;
		pk_json_learn_value(&j, &s->phrase);
		s->value.len = 0;
		if (j.token == PK_JSON_STRING || j.token == PK_JSON_NUMBER)
			add_token(&j, &s->value);
	}
	add_repairs(&j, out);
	for (int i = 0; i < PHRASES; i++) {
		pk_buf_release(&said[i].key);
		pk_buf_release(&said[i].value);
	}
}

/* Writes each byte by a call; a thread, because a fork takes long with sanitizers. */
struct slow {
	const char *text;
	size_t len;
	int fd;
};

static void *write_slowly(void *arg)
{
	const struct slow *slow = arg;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (size_t i = 0; i < slow->len; i++)
		if (write(slow->fd, slow->text + i, 1) != 1)
			break;
	close(slow->fd);
	return NULL;
}

/* The same bytes, one at a time: a pipe in packet mode gives each write to one read. */
static void transcribe_slowly(const char *text, size_t len, struct pk_buf *out)
{
	struct pk_error err = PK_ERROR_INIT;
	struct slow slow = {text, len, -1};
	struct pk_input *in;
	pthread_t writer;
	char path[32];
	int fd[2];

	ck_assert(!pipe2(fd, O_DIRECT));
	slow.fd = fd[1];
	ck_assert(!pthread_create(&writer, NULL, write_slowly, &slow));
	snprintf(path, sizeof(path), "/dev/fd/%d", fd[0]);
	in = pk_input_open(path, &err);
	ck_assert_msg(in != NULL, "%s", err.text);
	transcribe(in, out);
	pk_input_close(in);
	close(fd[0]);
	pthread_join(writer, NULL);
}

static void expect(const char *text, size_t len, const char *wanted)
{
	struct pk_input *in = pk_input_from_memory(text, len, "test");
	struct pk_buf at_once = PK_BUF_INIT, slowly = PK_BUF_INIT, phrases = PK_BUF_INIT;

	transcribe(in, &at_once);
	pk_input_close(in);
	in = pk_input_from_memory(text, len, "test");
	transcribe_by_phrases(in, &phrases);
	pk_input_close(in);
	ck_assert_str_eq(phrases.data, at_once.data);
	if (wanted)
		ck_assert_str_eq(at_once.data, wanted);
	transcribe_slowly(text, len, &slowly);
	ck_assert_str_eq(slowly.data, at_once.data);
	pk_buf_release(&at_once);
	pk_buf_release(&slowly);
	pk_buf_release(&phrases);
}

static const struct {
	const char *text, *tokens;
} good[] = {
	{"", "."},
	{" \n\t\r ", "."},
	{"[]", "[]."},
	{"{}", "{}."},
	{"[[]   ]", "[[]]."},
	{"[\"\"]", "[s<>]."},
	{"[\"a\",\"\\u0061\"]", "[s<a>s<a>]."},
	{"{\"\":0}", "{k<>n0;}."},
	{"{\"a\":\"b\",\"a\":\"b\"}", "{k<a>s<b>k<a>s<b>}."},
	{"{ \"a\" : [ 1 , { \"b\" : null } ] }", "{k<a>[n1;{k<b>N}]}."},
	{"[true,false,null]", "[TFN]."},
	{"[-0,0,1,-1,123,0.5,-1.25e10,1E+2,1e-2,0e0]",
	 "[n-0;n0;n1;n-1;n123;n0.5;n-1.25e10;n1E+2;n1e-2;n0e0;]."},
	{"[123456789012345678901234567890]", "[n123456789012345678901234567890;]."},
	{"42", "n42;."},
	{"\"asd\"", "s<asd>."},
	{"null", "N."},
	{"true ", "T."},
	{"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[s<\"\\/\b\f\n\r\t>]."},
	{"[\"\\u00e9\\u20ac\\ud83d\\ude00\"]", "[s<\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80>]."},
	{"[\"\\ud800x\"]", "[s<\xEF\xBF\xBDx>]."},
	{"[\"\xC3\xA9\xF0\x9F\x98\x80\x7F\"]", "[s<\xC3\xA9\xF0\x9F\x98\x80\x7F>]."},
	{"[\"0123456789abcdef0123456789\xC3\xA9 ABCDEF\"]",
	 "[s<0123456789abcdef0123456789\xC3\xA9 ABCDEF>]."},
	{"{\"a\":1}\n{\"b\":2}", "{k<a>n1;}{k<b>n2;}."},
	{"1 2", "n1;n2;."},
};

START_TEST(what_is_json_is_read)
{
	expect(good[_i].text, strlen(good[_i].text), good[_i].tokens);
}
END_TEST

static const struct {
	const char *text, *tokens;
} mended[] = {
	{"[1,]", "[n1;]. 0x1@3"},
	{"[1,,2]", "[n1;n2;]. 0x1@3"},
	{"[,1]", "[n1;]. 0x1@1"},
	{"{\"a\":1,}", "{k<a>n1;}. 0x1@7"},
	{"[{}{}]", "[{}{}]. 0x1@3"},
	{"[\"a\nb\"]", "[s<a\nb>]. 1x1@3"},
	{"[\"C:\\dir\"]", "[s<C:\\dir>]. 2x1@4"},
	{"[\"\\u12\"]", "[s<\\u12>]. 2x1@2"},
	{"[\"\xFF\"]", "[s<\xFF>]. 3x1@2"},
	{"[\"\xC0\x80\"]", "[s<\xC0\x80>]. 3x1@2"},
	{"[\"\xED\xA0\x80\"]", "[s<\xED\xA0\x80>]. 3x1@2"},
	{"[NaN,Infinity,-Infinity]", "[nNaN;nInfinity;n-Infinity;]. 4x3@1"},
	{"[007]", "[n007;]. 5x1@1"},
	{"[+1]", "[n+1;]. 5x1@1"},
	{"[.5]", "[n.5;]. 5x1@1"},
	{"[1.]", "[n1.;]. 5x1@1"},
	{"[1.e1]", "[n1.e1;]. 5x1@1"},
	{"[-012]", "[n-012;]. 5x1@1"},
	{"[1", "[]. 6x1@2"},
	{"[1,{\"a\":", "[n1;{k<a>}]. 6x1@8"},
	{"{\"a\"", "{}. 6x1@4"},
	{"[\"abc", "[]. 6x1@5"},
	{"[\"abc\\", "[]. 6x1@6"},
	{"[tru", "[]. 6x1@4"},
};

START_TEST(what_writers_get_wrong_is_mended)
{
	expect(mended[_i].text, strlen(mended[_i].text), mended[_i].tokens);
}
END_TEST

static const char *const bad[] = {
	"[1 true]", "[a]",        "[a",        "{1:1}",     "{\"a\" 1}", "{\"a\":}",    "{a:1}",
	"[1}",      "{\"a\":1]",  "]",         "}",         "[1:2]",     "{\"a\":1:2}", "[--1]",
	"[1e]",     "[1e+]",      "[1-2]",     "[1.2.3]",   "[0x1]",     "[truth]",     "[nulll]",
	"[True]",   "['a']",      "*",         "{'a':0}",   "[-]",       "[-.]",        "[+]",
	"[.]",      "[e1]",       "[1 2]",     "{\"a\":a}", "<x/>",      "\xEF",        "[\x01]",
	"[1\x0C]",  "{,}",        "{\"a\",1}", "[\"a\":1]", "//",        "[-foo]",      "[1,:]",
	"[&]",      "{\"a\"::1}",
};

START_TEST(what_is_not_json_is_refused_with_its_place)
{
	struct pk_input *in = pk_input_from_memory(bad[_i], strlen(bad[_i]), "test");
	struct pk_json j;

	pk_json_open(&j, in);
	while (pk_json_next(&j) > PK_JSON_END)
		;
	ck_assert_msg(j.token == PK_JSON_ERROR || bad[_i][0] == '{', "%s", bad[_i]);
	if (j.token == PK_JSON_ERROR) {
		ck_assert(!strncmp(j.error.text, "byte ", 5));
		ck_assert_int_eq(pk_json_next(&j), PK_JSON_ERROR);
	} else {
		ck_assert_uint_gt(j.repair[PK_JSON_COMMA].count, 0);
	}
	pk_input_close(in);
	expect(bad[_i], strlen(bad[_i]), NULL);
}
END_TEST

/* The token after which a text of so many "[" and as many "]" is at its end. */
static enum pk_json_token read_nested(size_t depth, struct pk_error *err)
{
	char *text = malloc(2 * depth);
	struct pk_input *in;
	struct pk_json j;

	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	in = pk_input_from_memory(text, 2 * depth, "test");
	pk_json_open(&j, in);
	while (pk_json_next(&j) > PK_JSON_END)
		;
	*err = j.error;
	ck_assert(pk_json_read_text(text, 2 * depth, NULL) == (depth < 1000));
	pk_input_close(in);
	free(text);
	return j.token;
}

START_TEST(depth_is_limited)
{
	struct pk_error err;

	ck_assert_int_eq(read_nested(999, &err), PK_JSON_END);
	ck_assert_int_eq(read_nested(PK_JSON_DEPTH - 1, &err), PK_JSON_END);
	ck_assert_int_eq(read_nested(PK_JSON_DEPTH, &err), PK_JSON_ERROR);
	ck_assert_int_eq(err.code, PK_ELIMIT);
}
END_TEST

START_TEST(a_nul_is_no_end)
{
	expect("[\"a\0b\",1]", 9, NULL);
	expect("[1,\0]", 5, NULL);
}
END_TEST

START_TEST(structure_calls)
{
	const char *text = "{\"skip\":[1,{\"x\":[2]}],\"list\":[3,[4,5],\"six\"],\"end\":7}";
	struct pk_input *in = pk_input_from_memory(text, strlen(text), "test");
	struct pk_json j;
	int items = 0, keys = 0;

	pk_json_open(&j, in);
	ck_assert_int_eq(pk_json_next(&j), PK_JSON_OBJECT);
	while (pk_json_next_key(&j)) {
		keys++;
		if (!pk_json_is(&j, "list")) {
			ck_assert(pk_json_skip(&j));
			continue;
		}
		ck_assert_int_eq(pk_json_next(&j), PK_JSON_ARRAY);
		for (; pk_json_next_item(&j); items++)
			ck_assert(pk_json_rest(&j));
	}
	ck_assert_int_eq(items, 3);
	ck_assert_int_eq(keys, 3);
	ck_assert_int_eq(pk_json_next(&j), PK_JSON_END);
	pk_input_close(in);
}
END_TEST

/* Records of a few MB together: windows end inside of strings, numbers, kept texts. */
START_TEST(kept_texts_survive_windows)
{
	enum { LONGEST = 1000 };
	static const char ITEM[] = "{\"name\":\"function number %d\",\"pad\":[1,2,3],\"value\":%d}";
	char path[] = "/tmp/check_json.XXXXXX", item[100];
	struct pk_error err = PK_ERROR_INIT;
	FILE *f = fdopen(mkstemp(path), "w");
	struct pk_input *in;
	struct pk_json j;
	int i, n = 0;

	fputs("[", f);
	for (i = 0; i < 100000; i++) {
		fputs(i ? ", " : "", f);
		fprintf(f, ITEM, i, i * 7);
	}
	fputs("]", f);
	fclose(f);
	in = pk_input_open(path, &err);
	pk_json_open(&j, in);
	ck_assert_int_eq(pk_json_next(&j), PK_JSON_ARRAY);
	for (pk_json_begin(&j, LONGEST); pk_json_next_item(&j); pk_json_begin(&j, LONGEST)) {
		const char *written;
		size_t len;

		ck_assert(pk_json_rest(&j));
		written = pk_json_written(&j, &len);
		ck_assert_ptr_nonnull(written);
		written = memchr(written, '{', len);
		snprintf(item, sizeof(item), ITEM, n, n * 7);
		ck_assert(!strncmp(written, item, strlen(item)));
		pk_json_finish(&j);
		n++;
	}
	ck_assert_int_eq(n, 100000);
	ck_assert_int_eq(j.token, PK_JSON_ARRAY_END);
	pk_input_close(in);
	unlink(path);
}
END_TEST

/* Far from the end of a window there is a faster way: it must not see anything else. */
static void expect_far_from_the_end(const char *text)
{
	char padded[4096];
	int n = snprintf(padded, sizeof(padded), "%s%200s", text, "");

	if (n < (int)sizeof(padded))
		expect(padded, (size_t)n, NULL);
	n = snprintf(padded, sizeof(padded), "{\"a\":[1,%s, 2],\"b\" : [\"x\"]}%200s", text, "");
	if (n < (int)sizeof(padded))
		expect(padded, (size_t)n, NULL);
}

START_TEST(far_from_the_end_good)
{
	expect_far_from_the_end(good[_i].text);
}
END_TEST

START_TEST(far_from_the_end_mended)
{
	expect_far_from_the_end(mended[_i].text);
}
END_TEST

START_TEST(far_from_the_end_bad)
{
	expect_far_from_the_end(bad[_i]);
}
END_TEST

/* Made of what the tokenizer looks at, in any order; the same on every run. */
static void read_random_parts(int number)
{
	static const char *const parts[] = {"{",
					    "}",
					    "[",
					    "]",
					    ",",
					    ":",
					    "\"a\"",
					    "\"key\":",
					    "1",
					    "-2.5",
					    "0",
					    "12345",
					    "1e5",
					    "0.1234567890123456789",
					    "true",
					    "null",
					    " ",
					    "\n",
					    "\"\\u00e9\"",
					    "\"\xc3\xa9\"",
					    "\"\xff\"",
					    "false",
					    "-",
					    "01",
					    "\"",
					    "[[1,2],[]],",
					    "{\"k\":\"v\"},",
					    "123456789012345678",
					    "\"a text of more than sixteen bytes, \\\"quoted\"",
					    "\"another one that has more than sixteen bytes\",",
					    "NaN",
					    "1.",
					    "\x01"};
	struct pk_buf text = PK_BUF_INIT;
	uint32_t seed = 1 + (uint32_t)number;
	int i;

	pk_buf_adds(&text, number % 2 ? "[" : "{\"a\":[");
	for (i = 0; i < 40; i++) {
		seed = seed * 1664525 + 1013904223;
		pk_buf_adds(&text, parts[(seed >> 16) % (sizeof(parts) / sizeof(parts[0]))]);
		if (seed >> 28 < 12)
			pk_buf_addc(&text, ',');
	}
	pk_buf_addf(&text, "%200s", "");
	expect(text.data, text.len, NULL);
	pk_buf_release(&text);
}

START_TEST(far_from_the_end_any)
{
	for (int i = 0; i < GROUP; i++)
		read_random_parts(_i * GROUP + i);
}
END_TEST

/* Objects that are mostly alike; the same on every run. */
static void read_random_objects(int number)
{
	static const char *const keys[] = {"\"ph\":",
					   "\"ph\": ",
					   " \"name\" :\n",
					   "\"ts\":",
					   "\"ts\": ",
					   "\"\\u0061\":",
					   "\"\xFF\": ",
					   "\"a\tb\":",
					   "\"pid\" ",
					   ",\"pid\":",
					   "\"\xC3\xA9\":",
					   "\"x\"::",
					   "\"a long key, longer than most are\":"};
	static const char *const values[] = {"\"X\"",
					     "\"X\" ",
					     "\"XY\"",
					     "12",
					     "12 ",
					     "123",
					     "12.5",
					     "12e1",
					     "[12]",
					     "{}",
					     "\"\"",
					     "012",
					     "\"\\n\"",
					     "-3",
					     "\"\xFF\"",
					     "\"\xC3\xA9\"",
					     "1-2",
					     "true",
					     "-",
					     "12x",
					     "",
					     "\"\t\"",
					     "\"a text so long that it is not kept\""};
	struct pk_buf text = PK_BUF_INIT;
	uint32_t seed = 77 + (uint32_t)number, odd = number % 4 * 5;
	size_t before = again;

	pk_buf_addc(&text, '[');
	for (int i = 0; i < 60; i++) {
		pk_buf_adds(&text, i ? ",\n{" : "{");
		for (int k = 0; k < 4; k++) {
			seed = seed * 1664525 + 1013904223;
			pk_buf_adds(&text, k ? "," : "");
			pk_buf_adds(&text, keys[(seed >> 16) % (seed >> 27 || !odd ? 5 : 13)]);
			pk_buf_adds(
				&text,
				values[(seed >> 8 & 255) % (odd && seed >> 20 & 63 ? 4 : 4 + odd)]);
		}
		pk_buf_addc(&text, '}');
	}
	pk_buf_addf(&text, "]%100s", "");
	expect(text.data, text.len, NULL);
	ck_assert(odd || again > before);
	pk_buf_release(&text);
}

START_TEST(phrases_say_what_tokens_say)
{
	for (int i = 0; i < GROUP; i++)
		read_random_objects(_i * GROUP + i);
}
END_TEST

static const struct {
	const char *text;
	int64_t value; /* -1: not that way */
	bool fraction;
} numbers[] = {
	{"0", 0, false},
	{"7", 7000, false},
	{"12.5", 12500, true},
	{"12.50", 12500, true},
	{"0.001", 1, true},
	{"0.0005", 1, true},
	{"0.00049999", 0, false},
	{"3.9996", 4000, true},
	{"60.710000000000001", 60710, true},
	{"12345678", 12345678000, false},
	{"123456789.123", 123456789123, true},
	{"999999999999999", 999999999999999000, false},
	{"1000000000000000", -1, false},
	{"0.123456789012345678901234567890", -1, false},
	{"-1", -1, false},
	{"01", -1, false},
	{"1.", -1, false},
	{".5", -1, false},
	{"1e3", -1, false},
	{"1.5e3", -1, false},
	{"1x", -1, false},
	{"\"1\"", -1, false},
	{"", -1, false},
};

START_TEST(numbers_are_read_as_thousandths)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char text[300];
		struct pk_input *in;
		struct pk_json j;
		int64_t value = -1;
		bool fraction = false;

		snprintf(text, sizeof(text), "{\"one of its members\" : %s, \"b\": 1%200s}",
			 numbers[i].text, "");
		in = pk_input_from_memory(text, strlen(text), "test");
		pk_json_open(&j, in);
		ck_assert(!pk_json_thousandths(&j, &value, &fraction));
		pk_json_next(&j);
		ck_assert(!pk_json_thousandths(&j, &value, &fraction));
		ck_assert_int_eq(pk_json_next(&j), PK_JSON_KEY);
		ck_assert_msg(pk_json_thousandths(&j, &value, &fraction) == (numbers[i].value >= 0),
			      "%s", numbers[i].text);
		ck_assert_int_eq(value, numbers[i].value);
		ck_assert(fraction == numbers[i].fraction);
		ck_assert(value < 0 || pk_json_next_key(&j));
		pk_input_close(in);
	}
}
END_TEST

/* A list of lists as text again: by tokens alone, by pk_json_list, or also by their text. */
enum how { TOKENS, LISTS, TEXTS };

static void read_list(struct pk_json *j, struct pk_json_list *list, enum how how,
		      struct pk_buf *out)
{
	static char known[4096];
	size_t i, len = 0;
	const char *text = how == TEXTS ? pk_json_list_text(j, &len) : NULL;

	if (text && list->whole && len && len == strlen(known) && !memcmp(text, known, len)) {
		pk_json_list_pass(j, len);
		for (i = 0; i < list->count; i++)
			pk_buf_addf(out, "%u,", list->value[i]);
		ck_assert_int_eq(pk_json_next(j), PK_JSON_ARRAY_END);
		return;
	}
	list->count = 0;
	if (how != TOKENS)
		pk_json_list(j, list);
	for (i = 0; i < list->count; i++)
		pk_buf_addf(out, "%u,", list->value[i]);
	if (list->whole && text && len < sizeof(known)) {
		memcpy(known, text, len);
		known[len] = '\0';
	}
	while (pk_json_next_item(j)) {
		ck_assert(!list->whole);
		if (j->token == PK_JSON_NUMBER)
			pk_buf_add(out, j->text, j->len);
		pk_buf_addf(out, "%s,", j->token == PK_JSON_NUMBER ? "" : "?");
		pk_json_rest(j);
	}
}

/* Closes the input. */
static char *read_lists(struct pk_input *in, enum how how)
{
	struct pk_json_list list = {0};
	struct pk_buf out = PK_BUF_INIT;
	struct pk_json j;
	int i;

	pk_json_open(&j, in);
	pk_json_next(&j);
	while (pk_json_next_item(&j)) {
		if (j.token == PK_JSON_ARRAY)
			read_list(&j, &list, how, &out);
		else
			pk_json_rest(&j);
		pk_buf_addf(&out, " %llu;", (unsigned long long)pk_json_offset(&j));
	}
	pk_buf_addf(&out, "%d %s", j.token, j.error.text);
	for (i = 0; i < PK_JSON_REPAIRS; i++)
		pk_buf_addf(&out, " %llu@%llu", (unsigned long long)j.repair[i].count,
			    (unsigned long long)j.repair[i].first);
	free(list.value);
	pk_input_close(in);
	return pk_buf_detach(&out);
}

/* Stacks as profilers write them: mostly like the one before; and lists that are not stacks. */
static void make_lists(struct pk_buf *text, uint32_t seed, int count, bool errors)
{
	static const char *const odd[] = {
		"3.0",   "-1", "01",   "12345678", "1e3", "\"a,b]\"", "[1,2],[3]", "",    "1 ",
		"\n7\n", "{}", "null", "9999999",  "NaN", "10000000", "1 ",        "1 2", "x"};
	uint32_t stack[60] = {0}, depth = 0;

	pk_buf_addc(text, '[');
	while (count--) {
		const char *comma = count % 7 ? "," : " ,  ";
		uint32_t i;

		seed = seed * 1664525 + 1013904223;
		for (i = depth ? seed % depth : 0; i < 60; i++)
			stack[i] = (seed * (i + 1)) >> (12 + (seed >> (i & 15) & 15));
		depth = seed >> 8 & 7 ? (seed >> 24) % 60 : depth;
		pk_buf_addc(text, '[');
		for (i = 0; i < depth; i++)
			pk_buf_addf(text, "%s%u", i ? comma : "", stack[i]);
		if (!(seed >> 16 & 63) || (seed >> 16 & 63) == 1)
			pk_buf_addf(text, "%s%s", depth ? "," : "",
				    odd[(seed >> 20) % (errors ? 18 : 16)]);
		pk_buf_addf(text, "]%s", count ? "," : "");
	}
	pk_buf_addf(text, "]%100s", "");
}

static void expect_lists(uint32_t seed, int count)
{
	struct pk_buf text = PK_BUF_INIT;
	char *right, *lists, *texts;

	make_lists(&text, seed, count, seed & 1);
	right = read_lists(pk_input_from_memory(text.data, text.len, "test"), TOKENS);
	lists = read_lists(pk_input_from_memory(text.data, text.len, "test"), LISTS);
	texts = read_lists(pk_input_from_memory(text.data, text.len, "test"), TEXTS);
	ck_assert_str_eq(lists, right);
	ck_assert_str_eq(texts, right);
	free(right);
	free(lists);
	free(texts);
	pk_buf_release(&text);
}

/* Where each item of a list ends. */
static void find_ends(const char *text, size_t len, bool pass, struct pk_buf *out)
{
	struct pk_input *in = pk_input_from_memory(text, len, "test");
	struct pk_json j;

	pk_json_open(&j, in);
	pk_json_next(&j);
	while (pk_json_next_item(&j)) {
		enum pk_json_token token = j.token;

		if (!(pass ? pk_json_pass(&j) : pk_json_rest(&j)))
			break;
		pk_buf_addf(out, "%d-%d@%llu ", token, j.token,
			    (unsigned long long)pk_json_offset(&j));
	}
	pk_buf_addf(out, "%d", j.token);
	pk_input_close(in);
}

/* Strings with brackets, quotes and more, at every distance from the 64 bytes of a step. */
START_TEST(values_are_passed_whole)
{
	static const char *const values[] = {
		"{}",
		"[]",
		"[[],{}]",
		"{\"a\":\"}\",\"b\":[\"]\",\"{[\"]}",
		"{\"a\":\"\\\"}\"}",
		"{\"a\":\"\\\\\",\"b\":1}",
		"[\"\xC3\xA4]\"]",
		"[1,2,[3,[4,[5,{\"x\":[6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]}]]]]",
		"[\"a\tb]\"]",
		"{\"a\" : { \"b\" : [ 1 , 2 ] } , \n \"c\" : \"[[[[\" }"};
	struct pk_buf text = PK_BUF_INIT, rest = PK_BUF_INIT, pass = PK_BUF_INIT;

	pk_buf_addc(&text, '[');
	for (int i = 0; i < 5000; i++) {
		pk_buf_addf(&text, "%s%*s%s", i ? "," : "", i * 7 % 67, "",
			    values[(size_t)i % (sizeof(values) / sizeof(*values))]);
	}
	pk_buf_adds(&text, "]");
	find_ends(text.data, text.len, false, &rest);
	find_ends(text.data, text.len, true, &pass);
	ck_assert_str_eq(rest.data, pass.data);
	ck_assert_uint_gt(rest.len, 50000);
	/* Cut off within the last one. */
	rest.len = pass.len = 0;
	find_ends(text.data, text.len - 5, false, &rest);
	find_ends(text.data, text.len - 5, true, &pass);
	ck_assert_str_eq(rest.data, pass.data);
	pk_buf_release(&text);
	pk_buf_release(&rest);
	pk_buf_release(&pass);
}
END_TEST

START_TEST(lists_are_what_their_tokens_are)
{
	for (int i = 0; i < GROUP; i++)
		expect_lists((uint32_t)(_i * GROUP + i) * 77777, 40);
}
END_TEST

START_TEST(lists_survive_windows)
{
	char path[] = "/tmp/check_json.XXXXXX", *right, *lists, *texts;
	int fd = mkstemp(path);
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf text = PK_BUF_INIT;

	make_lists(&text, 1, 40000, false);
	ck_assert_uint_gt(text.len, 3000000);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text.data, text.len), (ssize_t)text.len);
	close(fd);
	right = read_lists(pk_input_from_memory(text.data, text.len, "test"), TOKENS);
	lists = read_lists(pk_input_open(path, &err), LISTS);
	texts = read_lists(pk_input_open(path, &err), TEXTS);
	ck_assert(!strstr(right, "expected in JSON"));
	ck_assert(strcmp(lists, right) == 0);
	ck_assert(strcmp(texts, right) == 0);
	unlink(path);
	free(right);
	free(lists);
	free(texts);
	pk_buf_release(&text);
}
END_TEST

/* The numbers of a list, by lists of reals and the tokens that they leave, or by tokens alone. */
static void take_reals(struct pk_json *j, struct pk_json_reals *list, bool fast)
{
	ck_assert(pk_json_enter(j, PK_JSON_ARRAY));
	if (fast)
		pk_json_reals(j, list);
	while (pk_json_next_item(j)) {
		PK_GROW(list->value, list->count + 1, list->alloc);
		list->value[list->count] = -77;
		pk_parse_real(j->text, j->len, &list->value[list->count++]);
		if (fast)
			pk_json_reals(j, list);
	}
}

static char *read_reals(const struct pk_buf *text, bool fast)
{
	struct pk_json_reals list = {NULL};
	struct pk_buf out = PK_BUF_INIT;
	struct pk_json j;

	pk_json_open_text(&j, text->data, text->len);
	take_reals(&j, &list, fast);
	for (size_t i = 0; i < list.count; i++)
		pk_buf_addf(&out, "%.17g ", list.value[i]);
	pk_buf_addf(&out, "%d %d %zu", (int)j.token, (int)j.repair[PK_JSON_ZERO].count, list.count);
	free(list.value);
	return pk_buf_detach(&out);
}

START_TEST(reals_are_what_their_tokens_are)
{
	static const char *const items[] = {"1.4520333328012688e-05",
					    "0",
					    "-0.5",
					    "1E+3",
					    "0.00011581499984458787",
					    "12",
					    "1e-300",
					    "007",
					    "1.",
					    "NaN",
					    "123456789012345678",
					    "0.123456789012345678901234567890123456789"};
	struct pk_buf text = PK_BUF_INIT;
	char *fast, *slow;

	pk_buf_addc(&text, '[');
	for (int i = 0; i < 300; i++)
		pk_buf_addf(&text, "%s%s%*s%s", i ? "," : "", i % 3 ? "\n" : "", i * _i % 37, "",
			    items[(size_t)(i * (_i + 1)) % (_i % 2 ? 7 : 12)]);
	pk_buf_adds(&text, "\n]");
	for (int i = 0; i < 100; i++)
		pk_buf_addc(&text, ' ');
	fast = read_reals(&text, true);
	slow = read_reals(&text, false);
	ck_assert_str_eq(fast, slow);
	ck_assert_ptr_nonnull(strstr(fast, " 300"));
	free(fast);
	free(slow);
	pk_buf_release(&text);
}
END_TEST

/* A number of any form: digits before and behind the point, and exponents. */
static void add_random_real(struct pk_buf *text, uint64_t *state)
{
	unsigned form, digits;

	*state = *state * 6364136223846793005U + 1442695040888963407U;
	form = (unsigned)(*state >> 33) % 8;
	digits = (unsigned)(*state >> 40) % 23;
	if (form < 3)
		pk_buf_addf(text, "%.*f", (int)digits, ldexp((double)(*state >> 11), -58));
	else if (form < 6)
		pk_buf_addf(text, "%.*e", (int)digits,
			    ldexp((double)(*state >> 11), -(int)(*state % 100)));
	else /* halfway between two doubles, and beside that */
		pk_buf_addf(text, "%.*e", 14 + (int)form,
			    ldexp((double)((*state >> 11 | UINT64_C(1) << 52) * 2 + 1),
				  -(int)(*state % 70)));
}

/* Of zeros, too, the sign. */
START_TEST(reals_are_the_nearest_doubles)
{
	static const char *const some[] = {
		"0.0",
		"-0.0",
		"0.0e-05",
		"9.9999999999999999",
		"9.99999999999999999",
		"9.999999999999999999",
		"0.0009999999999999999999",
		"0.9999999999999999999",
		"0.99999999999999999999",
		"0.00000000000000011102230246251565",
		"9.0071992547409930",
		"9.007199254740993e-99",
		"1.0000000000000000e-11",
		"1.0000000000000001e-12",
		"1.5E-07",
		"5.551115123125783e-17",
	};
	enum { SOME = sizeof(some) / sizeof(some[0]), RANDOM = 200000 };
	struct pk_json_reals list = {NULL};
	struct pk_buf text = PK_BUF_INIT;
	uint64_t state = 1;
	struct pk_json j;
	const char *at;

	for (int i = 0; i < SOME + RANDOM; i++) {
		pk_buf_addc(&text, i ? ',' : '[');
		if (i < SOME)
			pk_buf_adds(&text, some[i]);
		else
			add_random_real(&text, &state);
	}
	pk_buf_addf(&text, "]%100s", "");
	at = text.data;
	pk_json_open_text(&j, text.data, text.len);
	take_reals(&j, &list, true);
	ck_assert_uint_eq(list.count, SOME + RANDOM);
	for (size_t i = 0; i < list.count; i++) {
		char *end;
		double expected = strtod(++at, &end);

		ck_assert_msg(!memcmp(&list.value[i], &expected, sizeof(expected)),
			      "%.*s: %.17g, not %.17g", (int)(end - at), at, list.value[i],
			      expected);
		at = end;
	}
	free(list.value);
	pk_buf_release(&text);
}
END_TEST

START_TEST(lists_equal_what_was_read_before)
{
	static const char text[] = "[[11,12,13,14,15,16,17,18],[11,12,13,14,15,16,17,19],"
				   "[11,12,13,14,15,16],[5,6]]";
	struct pk_buf padded = PK_BUF_INIT;
	struct pk_json_list list = {0};
	struct pk_input *in;
	struct pk_json j;

	pk_buf_addf(&padded, "%50s%s%100s", "", text, "");
	in = pk_input_from_memory(padded.data, padded.len, "test");
	pk_json_open(&j, in);
	ck_assert_int_eq(pk_json_next(&j), PK_JSON_ARRAY);
	ck_assert(pk_json_next_item(&j));
	pk_json_list(&j, &list);
	ck_assert_uint_eq(list.count, 8);
	ck_assert_uint_eq(list.same, 0);
	ck_assert(!pk_json_next_item(&j) && pk_json_next_item(&j));
	pk_json_list(&j, &list);
	ck_assert_uint_eq(list.count, 8);
	ck_assert_uint_ge(list.same, 5); /* 16 bytes at a time */
	ck_assert_uint_eq(list.value[7], 19);
	ck_assert(!pk_json_next_item(&j) && pk_json_next_item(&j));
	pk_json_list(&j, &list);
	ck_assert_uint_eq(list.count, 6);
	ck_assert_uint_eq(list.value[5], 16);
	ck_assert(!pk_json_next_item(&j) && pk_json_next_item(&j));
	pk_json_list(&j, &list);
	ck_assert_uint_eq(list.count, 2);
	ck_assert_uint_eq(list.same, 0);
	ck_assert_uint_eq(list.value[1], 6);
	free(list.value);
	pk_input_close(in);
	pk_buf_release(&padded);
}
END_TEST

static void add_loops(TCase *tcase)
{
	tcase_add_loop_test(tcase, what_is_json_is_read, 0, sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(tcase, what_writers_get_wrong_is_mended, 0,
			    sizeof(mended) / sizeof(mended[0]));
	tcase_add_loop_test(tcase, what_is_not_json_is_refused_with_its_place, 0,
			    sizeof(bad) / sizeof(bad[0]));
	tcase_add_loop_test(tcase, far_from_the_end_good, 0, sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(tcase, far_from_the_end_mended, 0, sizeof(mended) / sizeof(mended[0]));
	tcase_add_loop_test(tcase, far_from_the_end_bad, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_loop_test(tcase, far_from_the_end_any, 0, 500 / GROUP);
	tcase_add_loop_test(tcase, phrases_say_what_tokens_say, 0, 200 / GROUP);
	tcase_add_loop_test(tcase, lists_are_what_their_tokens_are, 0, 300 / GROUP);
	tcase_add_loop_test(tcase, reals_are_what_their_tokens_are, 0, 12);
	tcase_add_test(tcase, reals_are_the_nearest_doubles);
}

CHECK_MAIN_AND("json", add_loops, numbers_are_read_as_thousandths, lists_equal_what_was_read_before,
	       lists_survive_windows, values_are_passed_whole, depth_is_limited, a_nul_is_no_end,
	       structure_calls, kept_texts_survive_windows)
