#ifndef PK_JSON_H
#define PK_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/io/input.h"
#include "base/text/str.h"

/*
 * A pull tokenizer for JSON (RFC 8259) over an input, in constant memory.
 *
 *	pk_json_open(&j, in);
 *	while ((token = pk_json_next(&j)) > PK_JSON_END)
 *		...
 *	if (token == PK_JSON_ERROR) return pk_fail(err, PK_EFORMAT, "%s", j.error.text);
 *
 * Or by structure, which reads like the format:
 *
 *	while (pk_json_next_key(&j))              // after PK_JSON_OBJECT
 *		if (pk_json_is(&j, "name")) { pk_json_next(&j); ... }
 *		else pk_json_skip(&j);
 *	while (pk_json_next_item(&j))             // after PK_JSON_ARRAY; j.token is the item's
 *		...
 *
 * What real writers get wrong is mended and counted (see enum pk_json_repair): numbers
 * NaN and Infinity, raw control characters, bad escapes and bad UTF-8 in strings, commas
 * too many or missing, an end that is missing. Everything else is an error with its place.
 * Several documents one after the other are read as such: PK_JSON_END comes at the very end.
 */
enum pk_json_token {
	PK_JSON_ERROR, /* j.error says what and where; it comes again and again */
	PK_JSON_END,   /* of the input */
	PK_JSON_OBJECT,
	PK_JSON_OBJECT_END,
	PK_JSON_ARRAY,
	PK_JSON_ARRAY_END,
	PK_JSON_KEY,
	PK_JSON_STRING,
	PK_JSON_NUMBER, /* text is as written, or NaN, Infinity, -Infinity */
	PK_JSON_TRUE,
	PK_JSON_FALSE,
	PK_JSON_NULL,
};

enum pk_json_repair {
	PK_JSON_COMMA,    /* one too many, or missing */
	PK_JSON_CONTROL,  /* raw control character in a string */
	PK_JSON_ESCAPE,   /* backslash before a character that has no escape: kept as it is */
	PK_JSON_UTF8,     /* bytes that are not UTF-8: kept as they are */
	PK_JSON_INFINITE, /* NaN, Infinity */
	PK_JSON_ZERO,     /* number written 007, +1, .5 or 1. */
	PK_JSON_CUT,      /* the input ended inside: what was open is closed */
	PK_JSON_REPAIRS
};
extern const char *const pk_json_repair_names[PK_JSON_REPAIRS];

enum { PK_JSON_DEPTH = 10000 }; /* containers within each other; more are an error */

struct pk_json {
	enum pk_json_token token; /* the last one */
	const char *text;         /* of a key, string or number: between the quotes, as written;
				     valid until the next token */
	size_t len;
	bool escaped; /* text holds backslashes: see pk_json_unescape */
	int depth;    /* containers that are open */

	struct {
		uint64_t count, first; /* first: byte offset */
	} repair[PK_JSON_REPAIRS];
	struct pk_error error;

	/* private */
	struct pk_input *in;
	const uint8_t *window, *at; /* all that is there; where the next token is looked for */
	const uint8_t *fast;        /* before it, pk_json_next need not see the end */
	const uint8_t *list;        /* what pk_json_list read before, if it is still there */
	size_t list_len;
	const struct pk_json_list *list_of;
	size_t pos, end, mark, keep_limit; /* in the window */
	bool last, marked;
	int expect;
	uint8_t after[PK_JSON_DEPTH + 1]; /* for each depth: what to expect after a value */
};

void pk_json_open(struct pk_json *j, struct pk_input *in);
enum pk_json_token pk_json_next(struct pk_json *j);
/* Passes over the next value, whatever it is; after a key: its value. False on error. */
bool pk_json_skip(struct pk_json *j);
/* Next key of the open object; false at its end, at an error, at the end of the input. */
static inline bool pk_json_next_key(struct pk_json *j)
{
	return pk_json_next(j) == PK_JSON_KEY;
}
/* Next item of the open array: reads its first token. False as above. */
static inline bool pk_json_next_item(struct pk_json *j)
{
	enum pk_json_token token = pk_json_next(j);

	return token > PK_JSON_END && token != PK_JSON_ARRAY_END && token != PK_JSON_OBJECT_END;
}
/* Passes over the rest of a value whose first token was read (by pk_json_next_item). */
bool pk_json_rest(struct pk_json *j);
/* The same, looking for no more than its end: what is odd within is not always mended, counted or
 * refused. Several times as fast. */
bool pk_json_pass(struct pk_json *j);
/* True if the key or string is this (written without escapes). */
static inline bool pk_json_is(const struct pk_json *j, const char *text)
{
	return strlen(text) == j->len && !memcmp(j->text, text, j->len);
}
/*
 * Lists of whole numbers, as fast as they can be read:
 *
 *	struct pk_json_list list = {NULL};        // of all lists; the caller's to free: list.value
 *
 *	pk_json_list(&j, &list);                  // after PK_JSON_ARRAY: most of them, or none
 *	while (pk_json_next_item(&j))             // the others, and the end
 *		...
 *
 * What is no plain number below 10,000,000, and all that follows it, is left to the tokens. The
 * first `same` values are those that were there already, from the list before: they are not
 * written again.
 */
struct pk_json_list {
	uint32_t *value;
	size_t count, alloc, same;
	bool whole; /* nothing but the end is left to the tokens */
};
void pk_json_list(struct pk_json *j, struct pk_json_list *list);
/* After PK_JSON_ARRAY, when lists come again: the text up to the next ']', which is the list if it
 * is one of numbers; NULL if that is not at hand within 4 KB. Nothing is read. */
const char *pk_json_list_text(const struct pk_json *j, size_t *len);
/* Passes over this text, which pk_json_list has read whole (list.whole) when it was there before:
 * the next token is the end of the list. */
void pk_json_list_pass(struct pk_json *j, size_t len);

/* If a plain number comes next, not below zero nor above 10^15: reads it, *value is 1000 times as
 * much, rounded half up, and *fraction becomes true unless it is whole. False: nothing was read.
 * text and len are not set. */
bool pk_json_thousandths(struct pk_json *j, int64_t *value, bool *fraction);

/*
 * After an error: goes on, as if nothing had been, with the next object that begins like an item of
 * the list at this depth: after a "}", with one of the keys. False: there is none; the error stays.
 */
bool pk_json_resume(struct pk_json *j, int depth, const char *const *keys);
/* At what follows a "}": is it an object that begins with one of the keys (ended by NULL)? */
bool pk_json_begins_item(const uint8_t *text, const uint8_t *end, const char *const *keys);
/* Opens an input that begins behind an item of a list at this depth, of which the next token is
 * the first. */
void pk_json_open_within(struct pk_json *j, struct pk_input *in, int depth);
/* After an item of a list: goes on behind a later one that ends before this offset of the input,
 * which is read from a plain file. */
void pk_json_skip_to(struct pk_json *j, uint64_t offset);

/* Byte offset of the next token's neighbourhood, for messages. */
uint64_t pk_json_offset(const struct pk_json *j);

/*
 * Text that stays: between pk_json_begin and pk_json_finish the input's window does not move past
 * the begin, unless more than `limit` bytes would have to be kept: then it is given up.
 */
void pk_json_begin(struct pk_json *j, size_t limit);
void pk_json_finish(struct pk_json *j);
/* All that was read since, as written: from the first token on, which blanks may precede. NULL:
 * it was given up. Valid until the next token. */
const char *pk_json_written(const struct pk_json *j, size_t *len);

/* Appends text with escapes resolved (\u pairs joined; half of a pair is U+FFFD). */
void pk_json_unescape(struct pk_buf *buf, const char *text, size_t len);
/* Reads the next value: a string becomes the text of buf, without escapes. False for anything else,
 * which is passed over, and the text is "". */
bool pk_json_next_text(struct pk_json *j, struct pk_buf *buf);
/* True if the bytes are one JSON value, with nothing that would have to be mended, and not nested
 * deeper than SQLite reads. */
bool pk_json_is_valid(const void *text, size_t len);

#endif
