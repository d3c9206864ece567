/*
 * Readable names of functions of C++, Rust and D.
 *
 *	_ZN4core3fmt5writeE -> core::fmt::write
 */
#include "base/text/demangle.h"

#include <libiberty/demangle.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "base/text/regex.h"

/* Limits, since a crafted name of some hundred bytes may stand for terabytes. */
enum { LONGEST_NAME = 64 << 10, LONGEST_RESULT = 1 << 20, MOST_REFERENCES_OF_D = 12 };

enum language { NONE, CPP, RUST, D };

struct sink {
	struct pk_buf *out;
	size_t most; /* length of out */
	jmp_buf too_long;
};

static bool is_word(char c)
{
	return pk_is_letter_or_digit(c) || c == '_' || c == '$' || c == '.';
}

/* A fast test of a name's begin: false is certain, true is not. */
static bool is_mangled(const char *name, size_t len)
{
	return len > 3 && name[0] == '_' &&
	       (name[1] == 'Z' || name[1] == 'R' || (name[1] == 'D' && pk_is_digit(name[2])) ||
		(name[1] == '_' && (name[2] == 'Z' || name[2] == 'R')) ||
		(len > 8 && !memcmp(name, "_GLOBAL_", 8)));
}

/* The demanglers for C++ and Rust hold no memory that the jump would leak. */
static void take(const char *text, size_t len, void *data)
{
	struct sink *sink = data;

	if (len > sink->most - sink->out->len)
		longjmp(sink->too_long, 1);
	pk_buf_add(sink->out, text, len);
}

static enum language demangle_with_callback(struct pk_buf *out, const char *word, int options)
{
	struct sink sink = {.out = out, .most = out->len + LONGEST_RESULT};

	if (setjmp(sink.too_long))
		return NONE;
	if (rust_demangle_callback(word, options, take, &sink))
		return RUST;
	return cplus_demangle_v3_callback(word, options, take, &sink) ? CPP : NONE;
}

/* Back references can make names of D very long, so their number is limited. */
static enum language demangle_d(struct pk_buf *out, const char *word)
{
	size_t references = 0;
	const char *p;
	char *text;

	for (p = word; *p; p++)
		references += *p == 'Q';
	if (word[1] != 'D' || references > MOST_REFERENCES_OF_D)
		return NONE;
	text = dlang_demangle(word, 0);
	if (!text)
		return NONE;
	pk_buf_adds(out, text);
	free(text);
	return D;
}

/* The length without "::h" and 16 digits at the end, which Rust adds to every function. */
static size_t drop_hash(const char *text, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	if (len < 20 || memcmp(text + len - 19, "::h", 3) != 0)
		return len;
	for (i = len - 16; i < len; i++)
		if (!strchr(digits, text[i]))
			return len;
	return len - 19;
}

/* Mangles a name of Rust again that an old perf took for one of C++, and made half readable:
 * "gc::GcBox$LT$T$GT$::new::ha2ed0674a1c3dc9f". Returns its length, 0 if the name is not of this
 * kind. */
static size_t mangle_again(struct pk_buf *word, const char *name, size_t len)
{
	size_t used = 0, at = 0;

	while (used < len && (is_word(name[used]) || name[used] == ':'))
		used++;
	if (used > LONGEST_NAME || drop_hash(name, used) == used)
		return 0;
	pk_buf_adds(word, "_ZN");
	while (at < used) {
		const char *colons = memmem(name + at, used - at, "::", 2);
		size_t part = colons ? (size_t)(colons - name) - at : used - at;

		if (!part)
			return 0;
		pk_buf_addf(word, "%zu", part);
		pk_buf_add(word, name + at, part);
		at += part + 2;
	}
	pk_buf_addc(word, 'E');
	return used;
}

/* Appends the first word of name in readable form; *used is its length. */
static enum language demangle_word(struct pk_buf *out, const char *name, size_t len, int options,
				   size_t *used)
{
	size_t before = out->len, mac;
	PK_BUF_AUTO again = PK_BUF_INIT;
	enum language language;
	char *word;

	*used = mangle_again(&again, name, len);
	if (*used) {
		if (demangle_with_callback(out, again.data, options) == RUST)
			return RUST;
		out->len = before;
		pk_buf_add(out, "", 0);
		return NONE;
	}
	if (!is_mangled(name, len))
		return NONE;
	mac = name[1] == '_';
	while (*used < len && is_word(name[*used]))
		++*used;
	if (*used > LONGEST_NAME)
		return NONE;
	word = pk_strndup(name + mac, *used - mac);
	language = demangle_with_callback(out, word, options);
	if (language == NONE) {
		out->len = before;
		language = demangle_d(out, word);
	}
	free(word);
	return language;
}

bool pk_demangle(struct pk_buf *out, const char *name, size_t len)
{
	size_t used;

	if (demangle_word(out, name, len, DMGL_PARAMS | DMGL_ANSI, &used) == NONE)
		return false;
	pk_buf_add(out, name + used, len - used);
	return true;
}

/* Brackets in brackets; the '>' of "->" closes nothing. */
#define ROUND "(?<round>\\((?:[^()]++|(?&round))*+\\))"
#define CURLY "(?<curly>\\{(?:[^{}]++|(?&curly))*+\\})"
#define ANGLE "(?<angle><(?:[^<>]++|(?<=-)>|(?&angle))*+>)"
#define NAME "\\w$[:^ascii:]"
#define BEFORE_ANGLE "\\])><= +*/%^&|~!,-" /* the last ones of operators: operator+<char> */
#define KEEP "(*SKIP)(*FAIL)"

/* The parts that are left out of a name: arguments of calls and of templates, with the blanks
 * before them and "const" after them. Names that contain brackets and lambdas are kept, and
 * everything from a bracket on that is not closed. */
static const char cpp[] = "(?s)(?:\\(anonymous namespace\\)|" CURLY "|(?<![" NAME "])operator"
			  "(?:\\(\\)|\\[\\]|<=>|<<=|>>=|->\\*|<<|>>|<=|>=|->|<|>))" KEEP
			  "|(?!^) *+" ROUND "(?: const)?| *+(?<=[" NAME BEFORE_ANGLE "])" ANGLE
			  "|(?:\\{|(?!^)\\(|(?<=[" NAME BEFORE_ANGLE "])<).*" KEEP;

/* "<T as Trait<X>>::f::<u8>" is "<T as Trait>::f". */
static const char rust[] = "(?s):*+(?<=[" NAME ":])" ANGLE "|(?<=[" NAME ":])<.*" KEEP;

/* Appends the text without the parts that the expression matches. One thread at a time may use an
 * expression. */
static void leave_out(struct pk_buf *out, const struct pk_buf *text, enum language language)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static struct pk_regex *made[2];
	struct pk_regex **re = &made[language == RUST];
	struct pk_error err = PK_ERROR_INIT;

	pthread_mutex_lock(&mutex);
	if (!*re)
		*re = pk_regex_new(language == RUST ? rust : cpp, &err);
	if (!*re)
		pk_die("%s", err.text);
	if (!pk_regex_replace(*re, text->data, text->len, "", out))
		pk_buf_add(out, text->data, text->len);
	pthread_mutex_unlock(&mutex);
}

static bool holds(const char *text, size_t len, const char *what)
{
	return memmem(text, len, what, strlen(what)) != NULL;
}

/* Guesses the language of a readable name: C++ unless something indicates Rust; NONE if there is
 * nothing to leave out. */
static enum language guess_language(const char *text, size_t len)
{
	bool hash = drop_hash(text, len) < len;

	if (!holds(text, len, "::") || (!hash && !holds(text, len, ">") && !holds(text, len, ")")))
		return NONE;
	if (hash || text[0] == '<' || holds(text, len, "{{") || holds(text, len, "{closure") ||
	    holds(text, len, "::<"))
		return RUST;
	return CPP;
}

bool pk_demangle_simple(struct pk_buf *out, const char *name, size_t len)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	size_t used;
	enum language language = demangle_word(&text, name, len, DMGL_ANSI, &used);

	if (language == NONE) {
		text.len = 0;
		pk_buf_add(&text, name, len);
		used = len;
		language = guess_language(name, len);
	}
	if (language == RUST)
		text.len = drop_hash(text.data, text.len);
	if (language == D)
		pk_buf_add(out, text.data, text.len);
	else if (language != NONE)
		leave_out(out, &text, language);
	if (language != NONE)
		pk_buf_add(out, name + used, len - used);
	return language != NONE;
}

size_t pk_simple_length(const char *name)
{
	static const char *const parts[] = {"(anonymous namespace)", "operator()"};
	const char *open = name;

	while ((open = strchr(open, '('))) {
		if (pk_starts_with(open, parts[0]))
			open += strlen(parts[0]);
		else if (open - name >= 8 && pk_starts_with(open - 8, parts[1]))
			open++;
		else
			return (size_t)(open - name);
	}
	return strlen(name);
}
