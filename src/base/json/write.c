/* Writes JSON: nesting, commas, indentation, escapes. */
#include "base/json/write.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num/hash.h"
#include "base/num/units.h"

/* Receives escaped text: an output or a buffer. */
struct sink {
	struct pk_output *out;
	struct pk_buf *buf;
};

static void put(const struct sink *to, const char *text, size_t len)
{
	if (to->out)
		pk_output_write(to->out, text, len);
	else
		pk_buf_add(to->buf, text, len);
}

static void put_escape(const struct sink *to, uint32_t c)
{
	static const char letters[] = "btnvfr"; /* from 8; JSON has no \v */
	char text[8];
	int len;

	if (c == '"' || c == '\\')
		len = snprintf(text, sizeof(text), "\\%c", (int)c);
	else if (c >= '\b' && c <= '\r' && c != '\v')
		len = snprintf(text, sizeof(text), "\\%c", letters[c - '\b']);
	else
		len = snprintf(text, sizeof(text), "\\u%04x", (unsigned)(c & 0xFFFF));
	put(to, text, (size_t)len);
}

/* Bytes that need no escape in any context. */
static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '<';
}

/* Those at the start of a text, eight at a time. */
static size_t plain_bytes(const char *text, size_t len)
{
	const uint64_t each = 0x0101010101010101U;
	size_t i = 0;

	while (len >= 8 && i < len) {
		size_t at = i < len - 8 ? i : len - 8; /* the last eight may overlap others */
		uint64_t x = pk_load64(text + at), quote = x ^ each * '"', slash = x ^ each * '\\';
		uint64_t less = x ^ each * '<', delete = x + each;
		uint64_t hit = (x - each * ' ') | (quote - each) | (slash - each) | (less - each);

		if ((hit | x | delete) & each * 0x80)
			break;
		i = at + 8;
	}
	while (i < len && is_plain((unsigned char)text[i]))
		i++;
	return i;
}

static bool must_escape(uint32_t c, const char *text, size_t len)
{
	if (c == '<')
		return (len >= 8 && strncasecmp(text, "</script", 8) == 0) ||
		       (len >= 4 && memcmp(text, "<!--", 4) == 0);
	return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == '"' || c == '\\' || c == 0x2028 ||
	       c == 0x2029;
}

static size_t quote(const struct sink *to, const char *text, size_t len)
{
	size_t start = 0, i = 0, bad = 0;

	text = len ? text : "";
	put(to, "\"", 1);
	for (;;) {
		uint32_t c;
		bool valid;
		size_t n;

		i += plain_bytes(text + i, len - i);
		if (i == len)
			break;
		n = pk_utf8_decode(text + i, len - i, &c, &valid);
		if (!valid || must_escape(c, text + i, len - i)) {
			put(to, text + start, i - start);
			if (valid)
				put_escape(to, c);
			else
				put(to, "\xEF\xBF\xBD", 3);
			bad += !valid;
			start = i + n;
		}
		i += n;
	}
	put(to, text + start, len - start);
	put(to, "\"", 1);
	return bad;
}

size_t pk_json_quote(struct pk_buf *buf, const char *text, size_t len)
{
	struct sink to = {.buf = buf};

	return quote(&to, text, len);
}

static void new_line(struct pk_json_writer *w, int depth)
{
	int i;

	pk_output_putc(w->out, '\n');
	for (i = 0; i < depth * w->indent; i++)
		pk_output_putc(w->out, ' ');
}

/* Writes what precedes a value or a key: a comma, a new line. */
static void separate(struct pk_json_writer *w)
{
	bool flat = w->indent == 0 || w->level[w->depth].flat;

	if (w->after_key) {
		w->after_key = false;
		return;
	}
	if (w->depth == 0)
		return;
	if (w->level[w->depth].used)
		pk_output_puts(w->out, flat && w->indent ? ", " : ",");
	w->level[w->depth].used = true;
	if (!flat)
		new_line(w, w->depth);
}

static void begin(struct pk_json_writer *w, char open, char close, bool flat)
{
	separate(w);
	if (w->depth + 1 >= (int)(sizeof(w->level) / sizeof(w->level[0])))
		pk_die("JSON nested deeper than its writer allows");
	flat |= w->depth > 0 && w->level[w->depth].flat;
	w->depth++;
	w->level[w->depth].close = close;
	w->level[w->depth].used = false;
	w->level[w->depth].flat = flat;
	pk_output_putc(w->out, open);
}

void pk_json_init(struct pk_json_writer *w, struct pk_output *out, int indent)
{
	memset(w, 0, sizeof(*w));
	w->out = out;
	w->indent = indent;
}

void pk_json_object(struct pk_json_writer *w)
{
	begin(w, '{', '}', false);
}

void pk_json_array(struct pk_json_writer *w)
{
	begin(w, '[', ']', false);
}

void pk_json_flat_object(struct pk_json_writer *w)
{
	begin(w, '{', '}', true);
}

void pk_json_flat_array(struct pk_json_writer *w)
{
	begin(w, '[', ']', true);
}

void pk_json_end(struct pk_json_writer *w)
{
	int depth = w->depth--;

	if (w->level[depth].used && w->indent && !w->level[depth].flat)
		new_line(w, w->depth);
	pk_output_putc(w->out, w->level[depth].close);
	if (w->depth == 0)
		pk_output_putc(w->out, '\n');
}

static void put_key(struct pk_json_writer *w, const char *key, size_t len)
{
	struct sink to = {.out = w->out};

	separate(w);
	quote(&to, key, len);
	pk_output_puts(w->out, w->indent ? ": " : ":");
	w->after_key = true;
}

void pk_json_key(struct pk_json_writer *w, const char *key)
{
	put_key(w, key, strlen(key));
}

void pk_json_text(struct pk_json_writer *w, const char *text)
{
	if (text)
		pk_json_text_len(w, text, strlen(text));
	else
		pk_json_null(w);
}

void pk_json_text_len(struct pk_json_writer *w, const char *text, size_t len)
{
	struct sink to = {.out = w->out};

	separate(w);
	quote(&to, text, len);
}

/* Writes the digits before `end`, two at a time. Returns where they begin. */
static char *put_digits(char *end, int64_t value)
{
	static const char two[] = "0001020304050607080910111213141516171819"
				  "2021222324252627282930313233343536373839"
				  "4041424344454647484950515253545556575859"
				  "6061626364656667686970717273747576777879"
				  "8081828384858687888990919293949596979899";
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	char *at = end;

	for (; rest >= 10; rest /= 100)
		at = memcpy(at - 2, two + 2 * (rest % 100), 2);
	if (rest || at == end)
		*--at = (char)('0' + rest);
	if (value < 0)
		*--at = '-';
	return at;
}

enum { LONGEST_INT = 20 };

void pk_json_int(struct pk_json_writer *w, int64_t value)
{
	char digits[LONGEST_INT], *end = digits + sizeof(digits);
	const char *from = put_digits(end, value);

	separate(w);
	pk_output_write(w->out, from, (size_t)(end - from));
}

void pk_json_decimal(struct pk_json_writer *w, int64_t value, int exponent)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (value == INT64_MIN) {
		pk_json_null(w);
		return;
	}
	pk_format_decimal(&text, value, exponent);
	pk_json_raw(w, text.data, text.len);
}

void pk_json_double(struct pk_json_writer *w, double value, int digits)
{
	separate(w);
	if (isfinite(value))
		pk_output_printf(w->out, "%.*g", digits, value);
	else
		pk_output_puts(w->out, "null");
}

void pk_json_bool(struct pk_json_writer *w, bool value)
{
	separate(w);
	pk_output_puts(w->out, value ? "true" : "false");
}

void pk_json_null(struct pk_json_writer *w)
{
	separate(w);
	pk_output_puts(w->out, "null");
}

void pk_json_raw(struct pk_json_writer *w, const char *json, size_t len)
{
	separate(w);
	pk_output_write(w->out, json, len);
}

void pk_json_int_or_null(struct pk_json_writer *w, int64_t value)
{
	if (value == INT64_MIN)
		pk_json_null(w);
	else
		pk_json_int(w, value);
}

void pk_json_put_object(struct pk_json_writer *w, const char *key)
{
	pk_json_key(w, key);
	pk_json_object(w);
}

void pk_json_put_array(struct pk_json_writer *w, const char *key)
{
	pk_json_key(w, key);
	pk_json_array(w);
}

void pk_json_put_flat_array(struct pk_json_writer *w, const char *key)
{
	pk_json_key(w, key);
	pk_json_flat_array(w);
}

static int length_of(int64_t value)
{
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	int length = 1 + (value < 0);

	for (; rest >= 1000; rest /= 1000)
		length += 3;
	return length + (rest >= 10) + (rest >= 100);
}

void pk_json_begin_ints(struct pk_json_ints *ints, struct pk_json_writer *w, const char *key)
{
	pk_json_put_array(w, key);
	ints->w = w;
	ints->at = ints->text;
}

void pk_json_add_int_slow(struct pk_json_ints *ints, int64_t value)
{
	if (ints->text + sizeof(ints->text) - ints->at < LONGEST_INT + 1) {
		pk_output_write(ints->w->out, ints->text, (size_t)(ints->at - ints->text));
		ints->at = ints->text;
	}
	if (value == INT64_MIN) {
		ints->at = (char *)memcpy(ints->at, "null", 4) + 4;
	} else {
		ints->at += length_of(value);
		put_digits(ints->at, value);
	}
	*ints->at++ = ',';
}

/* The last comma is not written. */
void pk_json_end_ints(struct pk_json_ints *ints)
{
	if (ints->at > ints->text)
		pk_output_write(ints->w->out, ints->text, (size_t)(ints->at - ints->text) - 1);
	pk_json_end(ints->w);
}

void pk_json_put_text(struct pk_json_writer *w, const char *key, const char *text)
{
	pk_json_key(w, key);
	pk_json_text(w, text);
}

void pk_json_put_int(struct pk_json_writer *w, const char *key, int64_t value)
{
	pk_json_key(w, key);
	pk_json_int_or_null(w, value);
}

/* Writes the value of one conversion; returns the rest of the format. */
static const char *put_value(struct pk_json_writer *w, const char *at, va_list *ap)
{
	char *end = (char *)(uintptr_t)at;
	int precision = 0;

	if (*at == '.' && at[1] == '*') {
		precision = va_arg(*ap, int);
		end += 2;
	} else if (*at == '.') {
		precision = (int)strtol(at + 1, &end, 10);
	}
	if (*end == 's')
		pk_json_text(w, va_arg(*ap, const char *));
	else if (*end == 'd')
		pk_json_bool(w, va_arg(*ap, int));
	else if (*end == 'u')
		pk_json_int(w, va_arg(*ap, unsigned));
	else if (*end == 'g')
		pk_json_double(w, va_arg(*ap, double), precision ? precision : 6);
	else if (*end++ == 'j')
		pk_json_decimal(w, va_arg(*ap, intmax_t), precision);
	return end + 1;
}

void pk_json_put(struct pk_json_writer *w, const char *format, ...)
{
	va_list ap;
	size_t len;

	va_start(ap, format);
	for (; *format; format += len) {
		len = strcspn(format, " {}%");
		if (len) {
			put_key(w, format, len);
		} else if (*format == '%') {
			format = put_value(w, format + 1, &ap);
		} else {
			if (*format == '{')
				pk_json_flat_object(w);
			else if (*format == '}')
				pk_json_end(w);
			format++;
		}
	}
	va_end(ap);
}

void pk_json_real(struct pk_buf *buf, double value)
{
	char text[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	if (isfinite(value))
		pk_buf_adds(buf, text);
	else
		pk_json_quote(buf, text, strlen(text));
}
