/*
 * The locale is "C" throughout profkit, so regcomp sees bytes: a character beyond
 * ASCII is written as a group of its bytes, and what stands for any character as
 * "an ASCII byte or a sequence".
 */
#include "base/python_regex.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEQUENCE "[\300-\377][\200-\277]*"
#define BEYOND_ASCII "\200-\377"

struct translator {
	const char *at;
	struct pk_buf out;
	struct pk_error *err;
	enum pk_python_regex_result result;
	int groups; /* open parentheses */
	bool ignore_case;
	enum { NOTHING, ITEM, REPEATED } before; /* what a quantifier would repeat */
};

static void invalid(struct translator *t)
{
	if (t->result == PK_REGEX_OK)
		t->result = PK_REGEX_INVALID;
}

static void unsupported(struct translator *t, const char *what)
{
	if (t->result == PK_REGEX_OK)
		pk_fail(t->err, PK_EUSAGE, "regular expression: %s can only be done by python",
			what);
	t->result = PK_REGEX_UNSUPPORTED;
}

static void add_char(struct translator *t, uint32_t cp)
{
	if (cp > 0x7F)
		pk_buf_addc(&t->out, '(');
	else if (cp && strchr(".[]{}()*+?^$|\\", (int)cp))
		pk_buf_addc(&t->out, '\\');
	pk_buf_addu8(&t->out, cp);
	if (cp > 0x7F)
		pk_buf_addc(&t->out, ')');
}

/* The character at t->at, passed over; a byte that is not UTF-8 is what Python makes of it. */
static uint32_t next_char(struct translator *t)
{
	uint32_t cp;
	bool valid;
	size_t len = pk_utf8_decode(t->at, strlen(t->at), &cp, &valid);

	if (!valid)
		cp = 0xDC00U + (uint8_t)*t->at;
	t->at += len;
	return cp;
}

/* What \n, \x41, \u00e9 stand for; -1 if the escape is none of these. */
static long escaped_char(struct translator *t)
{
	static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
	const char *letter = strchr(letters, *t->at);
	int digits = *t->at == 'x' ? 2 : *t->at == 'u' ? 4 : *t->at == 'U' ? 8 : 0;
	char hex[9] = "";

	if (letter && *letter && *letter != 'b') {
		t->at++;
		return values[letter - letters];
	}
	if (!digits)
		return -1;
	strncpy(hex, t->at + 1, (size_t)digits);
	if (strlen(hex) != (size_t)digits || strspn(hex, "0123456789abcdefABCDEF") != strlen(hex))
		return -1;
	t->at += digits + 1;
	return strtol(hex, NULL, 16);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void translate_escape(struct translator *t)
{
	static const char *const classes[][2] = {
		{"d", "[0-9]"},
		{"D", "([^0-9" BEYOND_ASCII "]|" SEQUENCE ")"},
		{"w", "([[:alnum:]_]|" SEQUENCE ")"},
		{"W", "[\1-/:-@[-^`{-\177]"},
		{"s", "\\s"},
		{"S", "([^[:space:]" BEYOND_ASCII "]|" SEQUENCE ")"},
		{"b", "\\b"},
		{"B", "\\B"},
		{"A", "\\`"},
		{"Z", "\\'"},
	};
	long c;
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (*t->at != classes[i][0][0])
			continue;
		pk_buf_adds(&t->out, classes[i][1]);
		t->at++;
		return;
	}
	c = escaped_char(t);
	if (c >= 0) {
		add_char(t, (uint32_t)c);
	} else if (!*t->at || is_letter(*t->at)) {
		invalid(t);
	} else if (*t->at >= '0' && *t->at <= '9') {
		unsupported(t, "a backreference");
	} else {
		add_char(t, next_char(t));
	}
}

/* Parts of a set that have a place of their own in POSIX syntax. */
struct set {
	struct pk_buf body, beyond; /* beyond ASCII: "|(x)|(y)" */
	bool bracket, open, caret, dash;
};

static void add_set_char(struct translator *t, struct set *set, uint32_t cp)
{
	if (cp <= 0x7F) {
		pk_buf_addc(&set->body, (char)cp);
		return;
	}
	pk_buf_adds(&set->beyond, "|");
	pk_buf_addu8(&set->beyond, cp);
	if ((*t->at == '-' && t->at[1] != ']') ||
	    (set->body.len && set->body.data[set->body.len - 1] == '-'))
		unsupported(t, "a range of characters beyond ASCII");
}

static void add_set_escape(struct translator *t, struct set *set)
{
	long c;

	switch (*t->at) {
	case 'd':
		pk_buf_adds(&set->body, "0-9");
		break;
	case 'w':
		pk_buf_adds(&set->body, "[:alnum:]_");
		pk_buf_adds(&set->beyond, "|" SEQUENCE);
		break;
	case 's':
		pk_buf_adds(&set->body, "[:space:]");
		break;
	case ']':
		set->bracket = true;
		break;
	case '[':
		set->open = true;
		break;
	case '^':
		set->caret = true;
		break;
	case '-':
		set->dash = true;
		break;
	case 'D':
	case 'W':
	case 'S':
		unsupported(t, "\\W within a set");
		break;
	default:
		c = *t->at == 'b' ? '\b' : escaped_char(t);
		if (c >= 0 && *t->at != 'b') {
			add_set_char(t, set, (uint32_t)c);
			return;
		}
		if (c < 0 && (!*t->at || is_letter(*t->at)))
			invalid(t);
		else
			pk_buf_addc(&set->body, c < 0 ? *t->at : '\b');
	}
	if (*t->at)
		t->at++;
}

/* ']' first, '^' and '-' last: where POSIX takes them for themselves. */
static void add_ascii_set(struct translator *t, const struct set *set, bool negated)
{
	bool only_caret = !negated && !set->bracket && !set->body.len && !set->open;

	if (only_caret && set->caret && !set->dash) {
		pk_buf_adds(&t->out, "\\^");
		return;
	}
	pk_buf_adds(&t->out, negated ? "[^" : "[");
	pk_buf_adds(&t->out, set->bracket ? "]" : "");
	pk_buf_add(&t->out, set->body.data, set->body.len);
	pk_buf_adds(&t->out, negated ? BEYOND_ASCII : "");
	pk_buf_adds(&t->out, set->open ? "[" : "");
	if (only_caret && set->caret)
		pk_buf_adds(&t->out, "-^");
	else
		pk_buf_adds(&t->out, set->caret ? set->dash ? "^-" : "^" : set->dash ? "-" : "");
	pk_buf_adds(&t->out, negated ? "]|" SEQUENCE : "]");
}

static void add_set(struct translator *t, const struct set *set, bool negated)
{
	bool ascii = set->bracket || set->body.len || set->open || set->caret || set->dash;

	if (negated && set->beyond.len)
		unsupported(t, "a set of all but characters beyond ASCII");
	pk_buf_addc(&t->out, '(');
	if (ascii)
		add_ascii_set(t, set, negated);
	if (set->beyond.len)
		pk_buf_adds(&t->out, set->beyond.data + !ascii);
	pk_buf_addc(&t->out, ')');
}

/* A character of a set that has a place of its own; false if it goes to the body. */
static bool add_set_sign(struct translator *t, struct set *set, bool first)
{
	bool last = t->at[1] == ']', from = t->at[1] == '-' && t->at[2] && t->at[2] != ']';

	switch (*t->at) {
	case ']':
		set->bracket = true;
		break;
	case '[':
		set->open = true;
		break;
	case '^':
		set->caret = true;
		break;
	case '-':
		if (!first && !last) {
			if (t->at[1] == '[' || t->at[1] == '^')
				unsupported(t, "a range that ends with [ or ^");
			return false;
		}
		set->dash = true;
		return true;
	default:
		return false;
	}
	if (from)
		unsupported(t, "a range that begins with [, ] or ^");
	return true;
}

static void translate_set(struct translator *t)
{
	struct set set = {.bracket = false};
	bool negated = *t->at == '^', first = true;

	t->at += negated;
	for (; *t->at && (first || *t->at != ']') && t->result == PK_REGEX_OK; first = false) {
		if (*t->at == '\\') {
			t->at++;
			add_set_escape(t, &set);
		} else if (add_set_sign(t, &set, first)) {
			t->at++;
		} else {
			add_set_char(t, &set, next_char(t));
		}
	}
	if (*t->at != ']')
		invalid(t);
	else
		add_set(t, &set, negated);
	t->at += *t->at != '\0';
	pk_buf_release(&set.body);
	pk_buf_release(&set.beyond);
}

static void translate_group(struct translator *t)
{
	t->groups++;
	t->before = NOTHING;
	pk_buf_addc(&t->out, '(');
	if (*t->at != '?')
		return;
	if (t->at[1] == ':') {
		t->at += 2;
	} else if (t->at[1] == 'P' && t->at[2] == '<' && strchr(t->at, '>')) {
		t->at = strchr(t->at, '>') + 1;
	} else if (pk_starts_with(t->at, "?i)") && t->out.len == 1) {
		t->at += 3;
		*t->out.data = '\0';
		t->out.len = 0;
		t->groups--;
		t->ignore_case = true;
	} else {
		unsupported(t, "what begins with '(?'");
	}
}

/* "{2}", "{2,}", "{,3}", "{2,3}": its length, 0 if the brace stands for itself. */
static size_t braces(const char *text)
{
	size_t low = strspn(text + 1, "0123456789"), len = low + 1, high = 0;

	if (text[len] == ',')
		high = strspn(text + ++len, "0123456789");
	len += high;
	return text[len] == '}' && len > 1 ? len + 1 : 0;
}

static void translate_quantifier(struct translator *t, const char *from)
{
	size_t len = *from == '{' ? braces(from) : 1;

	if (t->before == NOTHING || t->before == REPEATED) {
		invalid(t);
		return;
	}
	if (from[0] == '{' && from[1] == ',') {
		pk_buf_adds(&t->out, "{0");
		pk_buf_add(&t->out, from + 1, len - 1);
	} else {
		pk_buf_add(&t->out, from, len);
	}
	t->at = from + len;
	t->before = REPEATED;
	if (*t->at == '?')
		t->at++; /* lazy: the same as long as only a match is asked for */
	else if (*t->at == '+')
		unsupported(t, "a possessive quantifier");
}

static void translate_one(struct translator *t)
{
	const char *from = t->at++;

	switch (*from) {
	case '\\':
		translate_escape(t);
		t->before = strchr("AZbB", from[1]) ? NOTHING : ITEM;
		return;
	case '[':
		translate_set(t);
		break;
	case '(':
		translate_group(t);
		return;
	case ')':
		if (!t->groups--)
			invalid(t);
		pk_buf_addc(&t->out, ')');
		break;
	case '|':
		pk_buf_addc(&t->out, '|');
		t->before = NOTHING;
		return;
	case '^':
	case '$':
		pk_buf_addc(&t->out, *from);
		t->before = NOTHING;
		return;
	case '.':
		pk_buf_adds(&t->out, "([^\n" BEYOND_ASCII "]|" SEQUENCE ")");
		break;
	case '{':
		if (braces(from)) {
			translate_quantifier(t, from);
			return;
		}
		add_char(t, '{');
		break;
	case '*':
	case '+':
	case '?':
		translate_quantifier(t, from);
		return;
	default:
		t->at = from;
		add_char(t, next_char(t));
	}
	t->before = ITEM;
}

enum pk_python_regex_result pk_python_regex(regex_t *re, const char *pattern, struct pk_error *err)
{
	struct translator t = {.at = pattern, .err = err};
	int flags = REG_EXTENDED | REG_NOSUB;

	pk_buf_adds(&t.out, "");
	while (*t.at && t.result == PK_REGEX_OK)
		translate_one(&t);
	if (t.groups > 0)
		invalid(&t);
	if (t.result == PK_REGEX_OK &&
	    regcomp(re, t.out.data, flags | (t.ignore_case ? REG_ICASE : 0)))
		invalid(&t);
	pk_buf_release(&t.out);
	return t.result;
}

bool pk_python_regex_search(const regex_t *re, const char *text, size_t len)
{
	regmatch_t match = {0, (regoff_t)len};

	return regexec(re, text, 1, &match, REG_STARTEND) == 0;
}

/* False for what Python's str.isprintable says no to: controls, formats, surrogates,
 * separators, private use. */
static bool is_printable(uint32_t cp)
{
	static const uint32_t ranges[][2] = {
		{0x00, 0x1F},     {0x7F, 0xA0},        {0xAD, 0xAD},     {0x600, 0x605},
		{0x61C, 0x61C},   {0x6DD, 0x6DD},      {0x70F, 0x70F},   {0x1680, 0x1680},
		{0x180E, 0x180E}, {0x2000, 0x200F},    {0x2028, 0x202F}, {0x205F, 0x206F},
		{0x3000, 0x3000}, {0xD800, 0xF8FF},    {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB},
		{0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF},
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (cp >= ranges[i][0] && cp <= ranges[i][1])
			return false;
	return true;
}

static void repr_char(struct pk_buf *buf, uint32_t cp, char quote)
{
	if (cp == '\n')
		pk_buf_adds(buf, "\\n");
	else if (cp == '\t')
		pk_buf_adds(buf, "\\t");
	else if (cp == '\r')
		pk_buf_adds(buf, "\\r");
	else if (cp == '\\' || cp == (uint32_t)quote)
		pk_buf_addf(buf, "\\%c", (char)cp);
	else if (is_printable(cp))
		pk_buf_addu8(buf, cp);
	else
		pk_buf_addf(buf, cp < 0x100 ? "\\x%02x" : cp < 0x10000 ? "\\u%04x" : "\\U%08x", cp);
}

void pk_python_repr(struct pk_buf *buf, const char *text)
{
	size_t len = strlen(text), i = 0;
	char quote = strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';

	pk_buf_addc(buf, quote);
	while (i < len) {
		uint32_t cp;
		bool valid;
		size_t n = pk_utf8_decode(text + i, len - i, &cp, &valid);

		/* An argument that is not UTF-8 reaches Python with surrogates in it. */
		repr_char(buf, valid ? cp : 0xDC00U + (uint8_t)text[i], quote);
		i += n;
	}
	pk_buf_addc(buf, quote);
}

void pk_python_repr_float(struct pk_buf *buf, double value)
{
	char text[40] = "";
	int digits;
	const char *e;

	if (!isfinite(value)) {
		pk_buf_adds(buf, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
		return;
	}
	for (digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*e", digits - 1, value);
		if (strtod(text, NULL) == value)
			break;
	}
	e = strchr(text, 'e');
	if (value != 0 && (atoi(e + 1) < -4 || atoi(e + 1) >= 16)) {
		pk_buf_adds(buf, text);
		return;
	}
	digits = digits - 1 - atoi(e + 1);
	pk_buf_addf(buf, "%.*f", digits < 1 ? 1 : digits, value);
}
