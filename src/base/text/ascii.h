#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Classes of ASCII characters, independent of the locale, and texts that need not be
 * NUL-terminated. */

static inline bool pk_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool pk_is_blank(int c)
{
	return c == ' ' || c == '\t';
}

static inline bool pk_is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool pk_is_letter(int c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static inline bool pk_is_letter_or_digit(int c)
{
	return pk_is_letter(c) || pk_is_digit(c);
}

/* The value of a hexadecimal digit; 16 for anything else. */
static inline unsigned pk_hex_digit(int c)
{
	if (pk_is_digit(c))
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

static inline bool pk_text_is(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

static inline bool pk_text_begins(const char *text, size_t len, const char *word)
{
	return len >= strlen(word) && !memcmp(text, word, strlen(word));
}

static inline bool pk_text_ends(const char *text, size_t len, const char *word)
{
	return len >= strlen(word) && !memcmp(text + len - strlen(word), word, strlen(word));
}

/* The length without blanks and carriage returns at the end. */
static inline size_t pk_text_trim(const char *text, size_t len)
{
	while (len && (pk_is_blank(text[len - 1]) || text[len - 1] == '\r'))
		len--;
	return len;
}
