/*
 * The numbers and texts of pickles, and the bytes below them. Protocol 0 writes lines of text,
 * later ones write binary numbers, and texts after their length.
 *
 *	I12\n                     4B 0C                 the number 12
 *	F1.5\n                    47 3F F8 00 ...       the double 1.5
 *	Vab\u20ac\n               8C 05 61 62 E2 82 AC  a text of Python 3
 *	S'ab\xe9'\n               55 03 61 62 E9        a str of Python 2
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/pickle/internal.h"
#include "base/text/ascii.h"

int pk_pickle_refill(struct pk_pickle *p, uint64_t n)
{
	uint64_t here = pk_pickle_offset(p);
	size_t avail;

	if (p->frame_end && n > p->frame_end - here)
		return pk_pickle_fail(p, "an opcode that goes beyond the end of its frame");
	if (p->at > p->window)
		pk_input_take(p->in, (size_t)(p->at - p->window));
	p->window = p->at = pk_input_peek(p->in, n, &avail);
	p->window_offset = here;
	p->end = p->at + avail;
	if (p->frame_end && avail > p->frame_end - here)
		p->end = p->at + (p->frame_end - here);
	if (avail >= n)
		return 0;
	if (pk_input_check(p->in, p->err))
		return -1;
	if (n <= 9)
		return pk_fail(p->err, PK_EFORMAT,
			       "byte %llu: the file is cut off: it ends before the pickle does",
			       (unsigned long long)here + avail);
	return pk_pickle_fail(
		p,
		"a length of %llu, but the file has only %zu bytes more: it is cut off or damaged",
		(unsigned long long)n, avail);
}

/* A length of this many bytes. It may be signed only if it has 4. */
static int read_length(struct pk_pickle *p, unsigned bytes, bool is_signed, uint64_t *len)
{
	if (pk_pickle_read_number(p, bytes, len))
		return -1;
	if (is_signed && *len > INT32_MAX)
		return pk_pickle_fail(p, "a negative length");
	return *len ? pk_pickle_need(p, *len) : 0;
}

int pk_pickle_read_line(struct pk_pickle *p, const char **line, size_t *len)
{
	const uint8_t *end;
	size_t seen = 0;

	while (!(end = memchr(p->at + seen, '\n', (size_t)(p->end - p->at) - seen))) {
		seen = (size_t)(p->end - p->at);
		if (pk_pickle_refill(p, seen + 1))
			return -1;
	}
	*line = (const char *)p->at;
	*len = (size_t)(end - p->at);
	p->at = end + 1;
	return 0;
}

/* Texts */

static uint32_t intern(struct pk_pickle *p, const char *text, size_t len)
{
	uint32_t *known = PK_INDEX_FIND(&p->index, pk_hash_bytes(text, len), id,
					p->string[id - 1].len == len &&
						!memcmp(p->string[id - 1].text, text, len));

	if (*known)
		return *known - 1;
	PK_GROW(p->string, (size_t)p->strings + 1, p->string_alloc);
	p->string[p->strings++] = (struct pk_pickle_string){
		pk_arena_copy(&p->arena, text, len),
		len,
	};
	*known = p->strings;
	return p->strings - 1;
}

static bool is_python_utf8(const char *text, size_t len)
{
	bool valid = true;
	uint32_t cp;

	if (pk_utf8_valid(text, len))
		return true;
	for (size_t i = 0; valid && i < len;)
		i += pk_utf8_decode_python(text + i, len - i, &cp, &valid);
	return valid;
}

/* Python 2's str: UTF-8, or else Latin-1. */
static uint32_t intern_str(struct pk_pickle *p, const char *text, size_t len)
{
	PK_BUF_AUTO latin = PK_BUF_INIT;

	if (pk_utf8_valid(text, len))
		return intern(p, text, len);
	for (size_t i = 0; i < len; i++)
		pk_buf_addu8(&latin, (uint8_t)text[i]);
	return intern(p, latin.data, latin.len);
}

/* The digits, at most `most`, of an escape. */
static size_t read_digits(const char *text, size_t len, size_t most, unsigned base, uint32_t *value)
{
	size_t n = 0;

	for (*value = 0; n < most && n < len; n++) {
		unsigned digit = pk_hex_digit(text[n]);

		if (digit >= base)
			break;
		*value = *value * base + digit;
	}
	return n;
}

/* Lines of protocol 0: Latin-1 with \uXXXX and \UXXXXXXXX. */
static int unescape_unicode(struct pk_pickle *p, const char *text, size_t len)
{
	p->buf.len = 0;
	pk_buf_adds(&p->buf, "");
	for (size_t i = 0; i < len; i++) {
		size_t digits = i + 1 >= len || text[i] != '\\' ? 0
				: text[i + 1] == 'u'            ? 4
				: text[i + 1] == 'U'            ? 8
								: 0;
		uint32_t cp = (uint8_t)text[i];

		if (digits && (read_digits(text + i + 2, len - i - 2, digits, 16, &cp) != digits ||
			       cp > 0x10FFFF))
			return pk_pickle_fail(p, "a text with an escape that is not valid");
		i += digits ? digits + 1 : 0;
		pk_buf_addu8(&p->buf, cp);
	}
	return 0;
}

/* Appends the byte of the escape at text[0] = '\\'; returns how many characters that were. */
static size_t unescape_byte(struct pk_buf *buf, const char *text, size_t len)
{
	static const char names[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
	const char *name = memchr(names, text[1], sizeof(names) - 1);
	size_t n = read_digits(text + 1, len - 1, 3, 8, &(uint32_t){0});
	uint32_t value;

	if (name) {
		pk_buf_addc(buf, values[name - names]);
		return 2;
	}
	if (n) {
		read_digits(text + 1, n, 3, 8, &value);
		pk_buf_addc(buf, (char)value);
		return 1 + n;
	}
	if (text[1] == 'x' && read_digits(text + 2, len - 2, 2, 16, &value) == 2) {
		pk_buf_addc(buf, (char)value);
		return 4;
	}
	pk_buf_add(buf, text, 2);
	return 2;
}

/* 'text' or "text", with the escapes of Python's bytes. */
static int unescape_str(struct pk_pickle *p, const char *text, size_t len)
{
	if (len < 2 || (*text != '\'' && *text != '"') || text[len - 1] != *text)
		return pk_pickle_fail(p, "a text without its quotes");
	p->buf.len = 0;
	pk_buf_adds(&p->buf, "");
	for (size_t i = 1; i < len - 1;)
		if (text[i] == '\\' && i + 1 < len - 1)
			i += unescape_byte(&p->buf, text + i, len - 1 - i);
		else
			pk_buf_addc(&p->buf, text[i++]);
	return 0;
}

/* Values */

static int set_whole(struct pk_pickle *p, unsigned bytes, struct pk_pickle_value *v)
{
	uint64_t number;

	if (pk_pickle_read_number(p, bytes, &number))
		return -1;
	v->integer = bytes == 4 ? (int32_t)number : (int64_t)number;
	return 0;
}

/* Two's complement of any length. */
static int set_long(struct pk_pickle *p, unsigned bytes, struct pk_pickle_value *v)
{
	uint64_t len, low = 0, fill;

	if (read_length(p, bytes, bytes == 4, &len))
		return -1;
	v->negative = len && p->at[len - 1] & 0x80;
	fill = v->negative ? 0xFF : 0;
	memcpy(&low, p->at, len < 8 ? len : 8);
	low = le64toh(low);
	if (len < 8 && v->negative)
		low |= UINT64_MAX << (8 * len);
	v->integer = (int64_t)low;
	for (uint64_t i = 8; i < len; i++)
		if (p->at[i] != fill)
			v->type = PK_PICKLE_BIG;
	if (len > 8 && (v->integer < 0) != v->negative)
		v->type = PK_PICKLE_BIG;
	p->at += len;
	return 0;
}

/* "-12", and "12L" of Python 2; of INT, 00 and 01 are False and True. */
static int set_decimal(struct pk_pickle *p, bool is_long, struct pk_pickle_value *v)
{
	uint64_t low = 0;
	const char *line;
	size_t len, i;

	if (pk_pickle_read_line(p, &line, &len))
		return -1;
	if (!is_long && len == 2 && line[0] == '0' && (line[1] == '0' || line[1] == '1'))
		v->type = PK_PICKLE_BOOL;
	if (is_long && len && line[len - 1] == 'L')
		len--;
	i = len && (*line == '-' || *line == '+');
	v->negative = i && *line == '-';
	if (i == len)
		return pk_pickle_fail(p, "a number without digits");
	for (; i < len; i++) {
		uint64_t digit = (uint64_t)(line[i] - '0');

		if (line[i] < '0' || line[i] > '9')
			return pk_pickle_fail(p, "a number that is not one");
		if (low > ((uint64_t)INT64_MAX + v->negative - digit) / 10)
			v->type = PK_PICKLE_BIG;
		low = low * 10 + digit;
	}
	v->integer = (int64_t)(v->negative ? -low : low);
	return 0;
}

static int set_float_line(struct pk_pickle *p, struct pk_pickle_value *v)
{
	char text[64], *end;
	const char *line;
	size_t len;

	if (pk_pickle_read_line(p, &line, &len))
		return -1;
	v->type = PK_PICKLE_FLOAT;
	memcpy(text, line, len < sizeof(text) ? len : 0);
	text[len < sizeof(text) ? len : 0] = '\0';
	v->real = strtod(text, &end);
	if (end == text || *end || strspn(text, "0123456789+-.einfa") != len)
		return pk_pickle_fail(p, "a number that is not one");
	return 0;
}

static int set_double(struct pk_pickle *p, struct pk_pickle_value *v)
{
	uint64_t bits;

	if (pk_pickle_read_number(p, 8, &bits))
		return -1;
	bits = __builtin_bswap64(bits);
	v->type = PK_PICKLE_FLOAT;
	memcpy(&v->real, &bits, sizeof(bits));
	return 0;
}

enum text { UTF8, STR, BYTES };

static int set_text(struct pk_pickle *p, unsigned bytes, enum text kind, struct pk_pickle_value *v)
{
	const char *text;
	uint64_t len;

	if (read_length(p, bytes, kind == STR && bytes == 4, &len))
		return -1;
	text = (const char *)p->at;
	p->at += len;
	v->type = kind == BYTES ? PK_PICKLE_BYTES : PK_PICKLE_TEXT;
	if (kind == UTF8 && !is_python_utf8(text, len))
		return pk_pickle_fail(p, "a text that is not UTF-8");
	v->id = kind == STR ? intern_str(p, text, len) : intern(p, text, len);
	return 0;
}

static int set_text_line(struct pk_pickle *p, enum text kind, struct pk_pickle_value *v)
{
	const char *line;
	size_t len;

	if (pk_pickle_read_line(p, &line, &len) ||
	    (kind == STR ? unescape_str(p, line, len) : unescape_unicode(p, line, len)))
		return -1;
	v->type = PK_PICKLE_TEXT;
	v->id = kind == STR ? intern_str(p, p->buf.data, p->buf.len)
			    : intern(p, p->buf.data, p->buf.len);
	return 0;
}

/* Reads what follows the opcode: 1 if it is an opcode of no number and no text. */
static int set(struct pk_pickle *p, int code, struct pk_pickle_value *v)
{
	switch (code) {
	case 'K':
		return set_whole(p, 1, v);
	case 'M':
		return set_whole(p, 2, v);
	case 'J':
		return set_whole(p, 4, v);
	case 0x8A:
		return set_long(p, 1, v);
	case 0x8B:
		return set_long(p, 4, v);
	case 'I':
		return set_decimal(p, false, v);
	case 'L':
		return set_decimal(p, true, v);
	case 'F':
		return set_float_line(p, v);
	case 'G':
		return set_double(p, v);
	case 0x8C:
		return set_text(p, 1, UTF8, v);
	case 'X':
		return set_text(p, 4, UTF8, v);
	case 0x8D:
		return set_text(p, 8, UTF8, v);
	case 'U':
		return set_text(p, 1, STR, v);
	case 'T':
		return set_text(p, 4, STR, v);
	case 'C':
		return set_text(p, 1, BYTES, v);
	case 'B':
		return set_text(p, 4, BYTES, v);
	case 0x8E:
		return set_text(p, 8, BYTES, v);
	case 'S':
		return set_text_line(p, STR, v);
	case 'V':
		return set_text_line(p, UTF8, v);
	case 'N':
		v->type = PK_PICKLE_NONE;
		return 0;
	case 0x88:
	case 0x89:
		v->type = PK_PICKLE_BOOL;
		v->integer = code == 0x88;
		return 0;
	default:
		return 1;
	}
}

int pk_pickle_read_scalar(struct pk_pickle *p, int code, struct pk_pickle_value *v)
{
	int other;

	*v = (struct pk_pickle_value){.type = PK_PICKLE_INT};
	other = set(p, code, v);
	return other < 0 ? -1 : !other;
}
