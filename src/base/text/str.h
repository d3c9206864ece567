#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A growing byte string, always NUL-terminated once something was added. */
struct pk_buf {
	char *data;
	size_t len, alloc;
};

#define PK_BUF_INIT        \
	{                  \
		NULL, 0, 0 \
	}

/* Makes room for more bytes and the NUL after them, and returns where they go. */
char *pk_buf_grow(struct pk_buf *buf, size_t more);
static inline char *pk_buf_room(struct pk_buf *buf, size_t more)
{
	return buf->len + more < buf->alloc ? buf->data + buf->len : pk_buf_grow(buf, more);
}

void pk_buf_add(struct pk_buf *buf, const void *data, size_t len);
static inline void pk_buf_addc(struct pk_buf *buf, char c)
{
	char *end = pk_buf_room(buf, 1);

	end[0] = c;
	end[1] = '\0';
	buf->len++;
}
void pk_buf_adds(struct pk_buf *buf, const char *text);
void pk_buf_addi(struct pk_buf *buf, int64_t value); /* as PRId64 does, but fast */
void pk_buf_addf(struct pk_buf *buf, const char *fmt, ...) PK_PRINTF(2, 3);
void pk_buf_addu8(struct pk_buf *buf, uint32_t codepoint); /* as UTF-8 */
void pk_buf_release(struct pk_buf *buf);
/* PK_BUF_AUTO text = PK_BUF_INIT; is released where its block ends. */
#define PK_BUF_AUTO __attribute__((cleanup(pk_buf_release))) struct pk_buf
/* Hands the text over to the caller, who frees it. Never NULL. */
char *pk_buf_detach(struct pk_buf *buf);

bool pk_starts_with(const char *text, const char *prefix);
bool pk_ends_with(const char *text, const char *suffix);
/* True if the text is `part`, which is not empty, or ends in a separator and `part`. */
bool pk_ends_in_part(const char *text, const char *part, const char *separators);
/* True if one of the texts of the list, which ends with NULL, is in this one. */
bool pk_has_any(const char *text, const char *const *list);
/* What follows the last '/', or all of it. */
const char *pk_basename(const char *path);

/*
 * Decodes one UTF-8 sequence of at most len > 0 bytes into *codepoint and
 * returns its length. A byte that begins no valid sequence (overlong forms,
 * surrogates, beyond U+10FFFF included) gives U+FFFD and 1, with *valid false.
 */
size_t pk_utf8_decode(const char *text, size_t len, uint32_t *codepoint, bool *valid);
/* The same, but lone surrogates, which Python writes as UTF-8 (ED A0..BF 80..BF), are valid. */
size_t pk_utf8_decode_python(const char *text, size_t len, uint32_t *codepoint, bool *valid);
bool pk_utf8_valid(const char *text, size_t len);
/* Appends text with every byte that is not part of valid UTF-8 replaced by U+FFFD. */
void pk_utf8_repair(struct pk_buf *buf, const char *text, size_t len);
/* Encodes a code point in 1 to 4 bytes (no NUL follows); returns how many. */
size_t pk_utf8_encode(char out[4], uint32_t codepoint);
/* Columns of a terminal that a code point takes: 0 combining, 2 wide, else 1. */
int pk_utf8_columns(uint32_t codepoint);
size_t pk_utf8_width(const char *text, size_t len); /* columns of a text */
size_t pk_utf8_count(const char *text, size_t len); /* code points of valid UTF-8 */
/* Appends text fit for a terminal and for eyes: control characters and those that hide
 * or reorder text (bidi controls, zero-width space) become "\n", "\x1b", "\u202e",
 * bytes that are not UTF-8 U+FFFD. Returns the columns that it takes. */
size_t pk_utf8_visible(struct pk_buf *buf, const char *text, size_t len);
void pk_buf_add_visible(struct pk_buf *buf, const char *text);
