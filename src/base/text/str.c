/*
 * Texts that grow, and UTF-8: checking, repairing, widths on a terminal, and control characters
 * made visible.
 */
#include "base/text/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

char *pk_buf_grow(struct pk_buf *buf, size_t more)
{
	PK_GROW(buf->data, buf->len + more + 1, buf->alloc);
	return buf->data + buf->len;
}

void pk_buf_add(struct pk_buf *buf, const void *data, size_t len)
{
	char *end = pk_buf_room(buf, len);

	if (len)
		memcpy(end, data, len);
	end[len] = '\0';
	buf->len += len;
}

void pk_buf_adds(struct pk_buf *buf, const char *text)
{
	pk_buf_add(buf, text, strlen(text));
}

void pk_buf_addi(struct pk_buf *buf, int64_t value)
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char digits[24], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		*--at = '-';
	pk_buf_add(buf, at, (size_t)(digits + sizeof(digits) - at));
}

void pk_buf_addf(struct pk_buf *buf, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	pk_buf_room(buf, (size_t)len);
	va_start(ap, fmt);
	vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, ap);
	va_end(ap);
	buf->len += (size_t)len;
}

void pk_buf_addu8(struct pk_buf *buf, uint32_t cp)
{
	char s[4];

	pk_buf_add(buf, s, pk_utf8_encode(s, cp));
}

void pk_buf_release(struct pk_buf *buf)
{
	free(buf->data);
	memset(buf, 0, sizeof(*buf));
}

char *pk_buf_detach(struct pk_buf *buf)
{
	char *text;

	*pk_buf_room(buf, 0) = '\0';
	text = buf->data;
	memset(buf, 0, sizeof(*buf));
	return text;
}

bool pk_starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool pk_ends_with(const char *text, const char *suffix)
{
	size_t len = strlen(text), end = strlen(suffix);

	return len >= end && memcmp(text + len - end, suffix, end) == 0;
}

bool pk_ends_in_part(const char *text, const char *part, const char *separators)
{
	size_t len = strlen(text), end = strlen(part);

	return end && pk_ends_with(text, part) &&
	       (len == end || strchr(separators, text[len - end - 1]));
}

bool pk_has_any(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (strstr(text, *list))
			return true;
	return false;
}

const char *pk_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

size_t pk_utf8_encode(char out[4], uint32_t cp)
{
	size_t len = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4, i;
	static const uint8_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};

	for (i = len - 1; i > 0; i--, cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3F));
	out[0] = (char)(lead[len] | cp);
	return len;
}

static size_t utf8_length(unsigned char lead)
{
	if (lead >= 0xC2 && lead <= 0xDF)
		return 2;
	if (lead >= 0xE0 && lead <= 0xEF)
		return 3;
	if (lead >= 0xF0 && lead <= 0xF4)
		return 4;
	return 0;
}

size_t pk_utf8_decode(const char *text, size_t len, uint32_t *codepoint, bool *valid)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t need, i;
	uint32_t cp;

	*valid = true;
	if (s[0] < 0x80) {
		*codepoint = s[0];
		return 1;
	}
	need = utf8_length(s[0]);
	if (!need || need > len)
		goto bad;
	cp = s[0] & (0x7FU >> need);
	for (i = 1; i < need; i++) {
		if ((s[i] & 0xC0) != 0x80)
			goto bad;
		cp = cp << 6 | (s[i] & 0x3FU);
	}
	if ((need == 3 && cp < 0x800) || (need == 4 && (cp < 0x10000 || cp > 0x10FFFF)) ||
	    (cp >= 0xD800 && cp <= 0xDFFF))
		goto bad;
	*codepoint = cp;
	return need;
bad:
	*codepoint = 0xFFFD;
	*valid = false;
	return 1;
}

size_t pk_utf8_decode_python(const char *text, size_t len, uint32_t *codepoint, bool *valid)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t used = pk_utf8_decode(text, len, codepoint, valid);

	if (*valid || len < 3 || s[0] != 0xED || (s[1] & 0xE0) != 0xA0 || (s[2] & 0xC0) != 0x80)
		return used;
	*valid = true;
	*codepoint = 0xD000U | (s[1] & 0x3FU) << 6 | (s[2] & 0x3FU);
	return 3;
}

bool pk_utf8_valid(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len) {
		uint32_t cp;
		uint64_t eight;
		bool valid;

		if (len - i >= 8) {
			memcpy(&eight, text + i, 8);
			if (!(eight & 0x8080808080808080U)) {
				i += 8;
				continue;
			}
		}
		if (!(text[i] & 0x80)) {
			i++;
			continue;
		}
		i += pk_utf8_decode(text + i, len - i, &cp, &valid);
		if (!valid)
			return false;
	}
	return true;
}

void pk_utf8_repair(struct pk_buf *buf, const char *text, size_t len)
{
	size_t i = 0;

	while (i < len) {
		uint32_t cp;
		bool valid;
		size_t n = pk_utf8_decode(text + i, len - i, &cp, &valid);

		if (valid)
			pk_buf_add(buf, text + i, n);
		else
			pk_buf_adds(buf, "\xEF\xBF\xBD");
		i += n;
	}
}

int pk_utf8_columns(uint32_t cp)
{
	if ((cp >= 0x300 && cp <= 0x36F) || (cp >= 0x200B && cp <= 0x200F) ||
	    (cp >= 0xFE00 && cp <= 0xFE0F))
		return 0;
	if ((cp >= 0x1100 && cp <= 0x115F) || (cp >= 0x2E80 && cp <= 0xA4CF) ||
	    (cp >= 0xAC00 && cp <= 0xD7A3) || (cp >= 0xF900 && cp <= 0xFAFF) ||
	    (cp >= 0xFE30 && cp <= 0xFE6F) || (cp >= 0xFF00 && cp <= 0xFF60) ||
	    (cp >= 0x1F300 && cp <= 0x1FAFF) || (cp >= 0x20000 && cp <= 0x3FFFD))
		return 2;
	return 1;
}

size_t pk_utf8_width(const char *text, size_t len)
{
	size_t columns = 0, i = 0;

	while (i < len) {
		uint32_t c;
		bool valid;

		i += pk_utf8_decode(text + i, len - i, &c, &valid);
		columns += (size_t)pk_utf8_columns(c);
	}
	return columns;
}

size_t pk_utf8_count(const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += ((unsigned char)text[i] & 0xC0) != 0x80;
	return count;
}

/* True for characters that change the display and are not shown themselves. */
static bool is_invisible(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0, 0x1F},        {0x7F, 0x9F},       {0x61C, 0x61C},   {0x200B, 0x200B},
		{0x200E, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
		{0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
	};
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

static void add_escape(struct pk_buf *buf, uint32_t c)
{
	if (c == '\n' || c == '\t' || c == '\r')
		pk_buf_addf(buf, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
	else
		pk_buf_addf(buf, c < 0x80 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
}

size_t pk_utf8_visible(struct pk_buf *buf, const char *text, size_t len)
{
	size_t i = 0, columns = 0;

	while (i < len) {
		size_t start = i, before;
		uint32_t c;
		bool valid;

		while (i < len && text[i] >= 0x20 && text[i] < 0x7F)
			i++;
		pk_buf_add(buf, text + start, i - start);
		columns += i - start;
		if (i == len)
			break;
		i += pk_utf8_decode(text + i, len - i, &c, &valid);
		before = buf->len;
		if (is_invisible(c)) {
			add_escape(buf, c);
			columns += buf->len - before;
		} else {
			pk_buf_addu8(buf, c);
			columns += (size_t)pk_utf8_columns(c);
		}
	}
	return columns;
}

void pk_buf_add_visible(struct pk_buf *buf, const char *text)
{
	pk_utf8_visible(buf, text, strlen(text));
}
