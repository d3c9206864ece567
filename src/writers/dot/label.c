/*
 * Texts of boxes in call graphs: cut, broken into lines, and made of the format that the user
 * gave.
 */
#include "writers/dot/internal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"

/* "&amp;", "&#60;", "&#x3c;": what Graphviz would turn into one character. */
static bool is_reference(const char *text, size_t len)
{
	size_t i = 1;

	while (i < len && (pk_is_letter_or_digit(text[i]) || text[i] == '#'))
		i++;
	return i > 1 && i < len && text[i] == ';';
}

/* U+FFFE and U+FFFF are not allowed in XML. Returns the number of their further bytes. */
static size_t no_character(struct pk_buf *label)
{
	pk_buf_addu8(label, 0xfffd);
	return 2;
}

void pk_dot_add_text(struct pk_buf *label, const char *text, size_t len)
{
	struct pk_buf visible = PK_BUF_INIT;

	pk_buf_adds(&visible, "");
	pk_utf8_visible(&visible, text, len);
	for (size_t i = 0; i < visible.len; i++) {
		const char *at = visible.data + i;

		if (*at == '\\')
			pk_buf_adds(label, "\\\\");
		else if (*at == '&' && is_reference(at, visible.len - i))
			pk_buf_adds(label, "&amp;");
		else if (pk_starts_with(at, "\xef\xbf\xbe") || pk_starts_with(at, "\xef\xbf\xbf"))
			i += no_character(label);
		else
			pk_buf_addc(label, *at);
	}
	pk_buf_release(&visible);
}

/* Removes brackets that pair with all that stands between them. */
static void remove_pairs(struct pk_buf *name, char open, char close)
{
	size_t kept = 0, depth = 0, *stack;
	char *text = name->data;

	stack = pk_malloc(pk_mul(name->len + 1, sizeof(*stack)));
	for (size_t i = 0; i < name->len; i++) {
		text[kept++] = text[i];
		if (text[i] == open)
			stack[depth++] = kept - 1;
		else if (text[i] == close && depth)
			kept = stack[--depth];
	}
	free(stack);
	text[kept] = '\0';
	name->len = kept;
}

/* Bytes that stand for brackets which are part of a name. They are not UTF-8, and names that could
 * hold them are not stripped. */
static const char brackets[] = "()<>";
static const char stand_ins[] = "\xf8\xf9\xfa\xfb";

static void replace_bytes(char *text, size_t len, const char *from, const char *to)
{
	for (size_t i = 0; i < len; i++) {
		const char *found = text[i] ? strchr(from, text[i]) : NULL;

		if (found)
			text[i] = to[found - from];
	}
}

static bool is_word(char c)
{
	return pk_is_letter_or_digit(c) || c == '_' || c == '$';
}

static void protect_all(struct pk_buf *name, const char *what)
{
	char *at = name->data;

	while ((at = strstr(at, what))) {
		replace_bytes(at, strlen(what), brackets, stand_ins);
		at += strlen(what);
	}
}

/* The brackets among C++'s operators, longer ones first. */
static size_t operator_length(const char *text)
{
	static const char *const operators[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
						"<=",  ">=",  "->",  "()",  "<",  ">"};

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (pk_starts_with(text, operators[i]))
			return strlen(operators[i]);
	return 0;
}

static void protect_operators(struct pk_buf *name)
{
	static const char word[] = "operator";
	char *at = name->data;

	while ((at = strstr(at, word))) {
		bool whole = at == name->data || !is_word(at[-1]);

		at += strlen(word);
		if (!whole || is_word(*at))
			continue;
		at += strspn(at, " ");
		replace_bytes(at, operator_length(at), brackets, stand_ins);
	}
}

void pk_dot_strip_name(struct pk_buf *name)
{
	char *whole;
	size_t len = name->len;

	if (!len || !pk_utf8_valid(name->data, len) ||
	    (name->data[0] == '<' && name->data[len - 1] == '>'))
		return;
	whole = pk_strndup(name->data, len);
	protect_all(name, "(anonymous namespace)");
	protect_all(name, "(anonymous class)");
	protect_operators(name);
	remove_pairs(name, '(', ')');
	while (name->len > 6 && memcmp(name->data + name->len - 6, " const", 6) == 0) {
		name->len -= 6;
		name->data[name->len] = '\0';
	}
	remove_pairs(name, '<', '>');
	replace_bytes(name->data, name->len, stand_ins, brackets);
	while (name->len && name->data[name->len - 1] == ' ')
		name->data[--name->len] = '\0';
	if (!name->len)
		pk_buf_add(name, whole, len);
	free(whole);
}

enum { LINE_WIDTH = 32 };

/* Characters of a piece of valid or invalid UTF-8. */
static size_t characters(const char *text, size_t len)
{
	size_t count = 0;
	uint32_t c;
	bool valid;

	for (size_t i = 0; i < len; count++)
		i += pk_utf8_decode(text + i, len - i, &c, &valid);
	return count;
}

/* The next piece that stays together: blanks, or a word up to and with a hyphen
 * between letters. */
static size_t piece(const char *text, size_t len)
{
	size_t i = 0;

	if (pk_is_space(text[0])) {
		while (i < len && pk_is_space(text[i]))
			i++;
		return i;
	}
	for (i = 1; i < len && !pk_is_space(text[i]); i++)
		if (text[i - 1] == '-' && i >= 2 && pk_is_letter(text[i - 2]) &&
		    pk_is_letter(text[i]))
			return i;
	return i;
}

static void break_lines(struct pk_buf *out, const char *text, size_t len)
{
	size_t width = 0, blanks = 0;

	for (size_t i = 0, n; i < len; i += n) {
		n = piece(text + i, len - i);
		if (pk_is_space(text[i])) {
			blanks = n;
			continue;
		}
		size_t wide = characters(text + i, n);

		if (width && width + blanks + wide > LINE_WIDTH) {
			pk_buf_addc(out, '\n');
			width = blanks = 0;
		}
		if (!width)
			blanks = 0;
		pk_buf_addf(out, "%*s", (int)blanks, "");
		pk_buf_add(out, text + i, n);
		width += blanks + wide;
		blanks = 0;
	}
}

static void squeeze(struct pk_buf *name, const char *from, const char *to)
{
	struct pk_buf out = PK_BUF_INIT;
	size_t n = strlen(from);

	pk_buf_adds(&out, "");
	for (size_t i = 0; i < name->len;) {
		if (name->len - i >= n && memcmp(name->data + i, from, n) == 0) {
			pk_buf_adds(&out, to);
			i += n;
		} else {
			pk_buf_addc(&out, name->data[i++]);
		}
	}
	pk_buf_release(name);
	*name = out;
}

void pk_dot_wrap_name(struct pk_buf *name)
{
	for (size_t i = 0; i < name->len; i++)
		if (pk_is_space(name->data[i]))
			name->data[i] = ' ';
	if (characters(name->data, name->len) > LINE_WIDTH) {
		struct pk_buf lines = PK_BUF_INIT;

		break_lines(&lines, name->data, name->len);
		pk_buf_release(name);
		*name = lines;
	}
	squeeze(name, ", ", ",");
	squeeze(name, "> >", ">>");
	squeeze(name, "> >", ">>");
}

bool pk_dot_cut_name(struct pk_buf *name)
{
	enum { LONGEST = 4096 };
	size_t i = 0, next = 0;
	uint32_t c;
	bool valid;

	if (name->len < LONGEST)
		return false;
	while (next < LONGEST) {
		i = next;
		next += pk_utf8_decode(name->data + i, name->len - i, &c, &valid);
	}
	name->len = i;
	pk_buf_addu8(name, 0x2026);
	return true;
}

/* The length of the unit that begins here: a sequence, a reference or a character. */
static size_t unit_length(const char *text, size_t len)
{
	const char *end;
	uint32_t c;
	bool valid;

	if (*text == '\\' && len > 1)
		return 1 + pk_utf8_decode(text + 1, len - 1, &c, &valid);
	if (*text == '&' && is_reference(text, len)) {
		end = memchr(text, ';', len);
		return (size_t)(end - text) + 1;
	}
	return pk_utf8_decode(text, len, &c, &valid);
}

void pk_dot_cut_text(struct pk_buf *label)
{
	enum { LONGEST = 8000 };
	size_t i = 0, next = 0;

	if (label->len <= LONGEST)
		return;
	while (next <= LONGEST) {
		i = next;
		next += unit_length(label->data + i, label->len - i);
	}
	label->len = i;
	pk_buf_addu8(label, 0x2026);
}

/* The conversion of a format: its place, and its length with the letter. NULL when there is
 * none or something else is wrong. */
static const char *conversion(const char *format, size_t *len)
{
	const char *found = NULL;

	for (const char *f = format; *f; f++) {
		size_t n = 1;

		if (*f != '%')
			continue;
		if (f[1] == '%') {
			f++;
			continue;
		}
		if (found)
			return NULL;
		found = f;
		n += strspn(f + n, "-+ #0");
		if (n > 6)
			return NULL;
		for (int part = 0; part < 2; part++) {
			size_t digits = strspn(f + n, "0123456789");

			if (digits > 2)
				return NULL;
			n += digits;
			if (part == 0 && f[n] != '.')
				break;
			n += part == 0;
		}
		if (!f[n] || !strchr("eEfFgGaAdiu", f[n]))
			return NULL;
		*len = n + 1;
		f += n;
	}
	return found;
}

int pk_dot_check_format(const char *format, struct pk_error *err)
{
	size_t len;

	if (conversion(format, &len))
		return 0;
	return pk_fail(err, PK_EUSAGE,
		       "'%s' is not a format for one number, such as %%.7g or %%.3f s", format);
}

static void add_literal(struct pk_buf *label, const char *text, size_t len)
{
	struct pk_buf literal = PK_BUF_INIT;

	for (size_t i = 0; i < len; i++) {
		pk_buf_addc(&literal, text[i]);
		if (text[i] == '%')
			i++;
	}
	pk_dot_add_text(label, literal.data, literal.len);
	pk_buf_release(&literal);
}

void pk_dot_add_formatted(struct pk_buf *label, const char *format, double value)
{
	char spec[32], letter;
	size_t len;
	const char *at = conversion(format, &len);

	if (!at)
		return;
	letter = at[len - 1];
	add_literal(label, format, (size_t)(at - format));
	if (strchr("diu", letter))
		snprintf(spec, sizeof(spec), "%.*s.0f", (int)(strcspn(at, ".diu")), at);
	else
		snprintf(spec, sizeof(spec), "%.*s", (int)len, at);
	pk_buf_addf(label, spec, strchr("diu", letter) ? trunc(value) : value);
	add_literal(label, at + len, strlen(at + len));
}
