#include "base/text/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"

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

static bool is_name(char c)
{
	return (is_word(c) && c != '.') || (c & 0x80);
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

/* Appends the first word of name in readable form; *used is its length. */
static enum language demangle_word(struct pk_buf *out, const char *name, size_t len, int options,
				   size_t *used)
{
	size_t before = out->len, mac = name[1] == '_';
	enum language language;
	char *word;

	*used = 0;
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

	if (!is_mangled(name, len) ||
	    demangle_word(out, name, len, DMGL_PARAMS | DMGL_ANSI, &used) == NONE)
		return false;
	pk_buf_add(out, name + used, len - used);
	return true;
}

/* The place after the bracket that closes the one at `at`; 0 if none does. The '>' of "->" does not
 * count. */
static size_t find_close(const char *text, size_t len, size_t at)
{
	char open = text[at], close = open == '(' ? ')' : open == '<' ? '>' : '}';
	size_t depth = 0;

	for (; at < len; at++) {
		if (text[at] == open)
			depth++;
		else if (text[at] == close && (close != '>' || text[at - 1] != '-') && !--depth)
			return at + 1;
	}
	return 0;
}

/* The length of the operator after "operator" at text[at - 8..at); 0 if a word follows. */
static size_t operator_length(const char *text, size_t len, size_t at)
{
	static const char *const names[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
					    ">>", "<=", ">=",  "->",  "<",   ">"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t n = strlen(names[i]);

		if (len - at >= n && !memcmp(text + at, names[i], n))
			return n;
	}
	return 0;
}

static bool follows(const char *text, size_t len, size_t at, const char *what)
{
	size_t n = strlen(what);

	return len - at >= n && !memcmp(text + at, what, n);
}

/* True if the text appended from `begin` on ends in an operator. */
static bool ends_in_operator(const struct pk_buf *out, size_t begin)
{
	size_t n = out->len - begin;

	return n >= 8 && !memcmp(out->data + out->len - 8, "operator", 8) &&
	       (n == 8 || !is_name(out->data[out->len - 9]));
}

/* True if template or call arguments begin here: after a name, or after an operator and a blank. */
static bool opens_arguments(const char *text, size_t at)
{
	if (!at || text[at] == '(')
		return at;
	return text[at] == '<' && (is_name(text[at - 1]) || strchr(")]><= ", text[at - 1]));
}

/* Removes blanks before arguments, and "const" after arguments that end before `at`. Returns the
 * place to continue at. */
static size_t leave_out(struct pk_buf *out, size_t begin, const char *text, size_t len, size_t at)
{
	while (out->len > begin && out->data[out->len - 1] == ' ')
		out->len--;
	if (text[at - 1] == ')' && follows(text, len, at, " const"))
		at += strlen(" const");
	return at;
}

static void simplify_cpp(struct pk_buf *out, const char *text, size_t len)
{
	static const char anonymous[] = "(anonymous namespace)";
	size_t at = 0, next, begin = out->len;
	bool closed = true; /* false: a bracket is still open, so nothing more is left out */

	while (at < len) {
		next = at + 1;
		if (ends_in_operator(out, begin) && operator_length(text, len, at)) {
			next = at + operator_length(text, len, at);
		} else if (follows(text, len, at, anonymous)) {
			next = at + strlen(anonymous);
		} else if (closed && (text[at] == '{' || opens_arguments(text, at))) {
			next = find_close(text, len, at);
			closed = next != 0;
			next = closed ? next : at + 1;
			if (closed && text[at] != '{') {
				at = leave_out(out, begin, text, len, next);
				continue;
			}
		}
		pk_buf_add(out, text + at, next - at);
		at = next;
	}
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

/* "<T as Trait<X>>::f::<u8>" is "<T as Trait>::f". */
static void simplify_rust(struct pk_buf *out, const char *text, size_t len)
{
	size_t at = 0, next = 1;

	len = drop_hash(text, len);
	while (at < len) {
		if (next && text[at] == '<' && at &&
		    (is_name(text[at - 1]) || text[at - 1] == ':') &&
		    (next = find_close(text, len, at))) {
			at = next;
			while (out->len > 1 && out->data[out->len - 1] == ':')
				out->len--;
			continue;
		}
		pk_buf_add(out, text + at++, 1);
	}
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
	struct pk_buf text = PK_BUF_INIT;
	enum language language = NONE;
	size_t used = 0;

	if (is_mangled(name, len))
		language = demangle_word(&text, name, len, DMGL_ANSI, &used);
	if (language == NONE) {
		text.len = 0;
		pk_buf_add(&text, name, len);
		used = len;
		language = guess_language(name, len);
	}
	if (language == CPP)
		simplify_cpp(out, text.data, text.len);
	else if (language == RUST)
		simplify_rust(out, text.data, text.len);
	else if (language == D)
		pk_buf_add(out, text.data, text.len);
	if (language != NONE)
		pk_buf_add(out, name + used, len - used);
	pk_buf_release(&text);
	return language != NONE;
}
