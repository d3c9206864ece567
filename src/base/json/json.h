#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/io/input.h"
#include "base/text/str.h"

/*
 * A pull tokenizer for JSON (RFC 8259) over an input, in constant memory. Values that are in
 * memory, such as the arguments of an event, are read by members.h.
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
 * What real writers get wrong is mended and counted (see enum pk_json_repair): numbers NaN and
 * Infinity, raw control characters, bad escapes and bad UTF-8 in strings, commas too many or
 * missing, an end that is missing. Everything else is an error with its place. Several documents
 * one after the other are read as such: PK_JSON_END comes at the very end.
 */
enum pk_json_token {
	PK_JSON_ERROR, /* j.error has text and place; it repeats */
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
	PK_JSON_ESCAPE,   /* backslash before a character without an escape: kept as it is */
	PK_JSON_UTF8,     /* bytes that are not UTF-8: kept as they are */
	PK_JSON_INFINITE, /* NaN, Infinity */
	PK_JSON_ZERO,     /* number written 007, +1, .5 or 1. */
	PK_JSON_CUT,      /* the input ended within a value: open containers are closed */
	PK_JSON_REPAIRS
};
extern const char *const pk_json_repair_names[PK_JSON_REPAIRS];

enum { PK_JSON_DEPTH = 10000 }; /* greatest nesting depth */

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
	const uint8_t *window, *at; /* the window; the place of the next token */
	const uint8_t *fast;        /* before this place, pk_json_next need not look for the end */
	const uint8_t
		*list; /* the list that pk_json_list read before, if it is still in the window */
	size_t list_len;
	const struct pk_json_list *list_of;
	size_t pos, end, mark, keep_limit; /* in the window */
	bool last, marked;
	int expect;
	uint8_t after[PK_JSON_DEPTH + 1]; /* by depth: what to expect after a value */
};

void pk_json_open(struct pk_json *j, struct pk_input *in);
/* The same over bytes that the caller keeps. */
void pk_json_open_text(struct pk_json *j, const void *text, size_t len);
enum pk_json_token pk_json_next(struct pk_json *j);
/* Skips the next value; after a key, its value. Returns false on an error. */
bool pk_json_skip(struct pk_json *j);
/* Reads the next key of the open object; false at its end, on an error, and at the end of the
 * input. */
static inline bool pk_json_next_key(struct pk_json *j)
{
	return pk_json_next(j) == PK_JSON_KEY;
}
/* Reads the first token of the next item of the open array. Returns false as above. */
static inline bool pk_json_next_item(struct pk_json *j)
{
	enum pk_json_token token = pk_json_next(j);

	return token > PK_JSON_END && token != PK_JSON_ARRAY_END && token != PK_JSON_OBJECT_END;
}
/* Skips the rest of a value whose first token was read (by pk_json_next_item). */
bool pk_json_rest(struct pk_json *j);
/* As pk_json_next_item, but only for items of one kind, PK_JSON_OBJECT or PK_JSON_ARRAY. Other
 * items are skipped. */
static inline bool pk_json_next_of(struct pk_json *j, enum pk_json_token container)
{
	while (pk_json_next_item(j)) {
		if (j->token == container)
			return true;
		pk_json_rest(j);
	}
	return false;
}
/* The same, but only looks for the end: errors within are not always repaired, counted or refused.
 * Several times as fast. */
bool pk_json_pass(struct pk_json *j);
/* Reads the first token of the next value: true if it is this, PK_JSON_OBJECT or PK_JSON_ARRAY.
 * Anything else is skipped. */
bool pk_json_enter(struct pk_json *j, enum pk_json_token container);
/* True if the key or string equals text and has no escapes. */
static inline bool pk_json_is(const struct pk_json *j, const char *text)
{
	return strlen(text) == j->len && !memcmp(j->text, text, j->len);
}
/*
 * Lists of whole numbers, read fast:
 *
 *	struct pk_json_list list = {NULL};        // of all lists; the caller's to free: list.value
 *
 *	pk_json_list(&j, &list);                  // after PK_JSON_ARRAY: most of them, or none
 *	while (pk_json_next_item(&j))             // the others, and the end
 *		...
 *
 * A value that is not a plain number below 10,000,000, and all that follows it, is left to the
 * tokens. The first `same` values are those that were there already, from the list before: they are
 * not written again.
 */
struct pk_json_list {
	uint32_t *value;
	size_t count, alloc, same;
	bool whole; /* only the end of the list is left to the tokens */
};
void pk_json_list(struct pk_json *j, struct pk_json_list *list);
/* After PK_JSON_ARRAY, for lists that repeat: the text up to the next ']', which is the list if it
 * contains numbers only; NULL if the ']' is not in the window within 4 KB. Nothing is read. */
const char *pk_json_list_text(const struct pk_json *j, size_t *len);
/* Skips this text, which pk_json_list has read as a whole (list.whole) before: the next token is
 * the end of the list. */
void pk_json_list_pass(struct pk_json *j, size_t len);

/*
 * The same for numbers with fractions and exponents, as doubles:
 *
 *	struct pk_json_reals list = {NULL};       // the caller's to free: list.value
 *
 *	pk_json_reals(&j, &list);                 // after PK_JSON_ARRAY or an item of it: appends
 *	while (pk_json_next_item(&j)) {           // one at the end of each window, and the odd ones
 *		...
 *		pk_json_reals(&j, &list);
 *	}
 */
struct pk_json_reals {
	double *value;
	size_t count, alloc;
};
void pk_json_reals(struct pk_json *j, struct pk_json_reals *list);

/* If a plain number from 0 to 10^15 comes next: reads it; *value is 1000 times the number, rounded
 * half up, and *fraction becomes true unless it is an integer. Otherwise returns false and reads
 * nothing. text and len are not set. */
bool pk_json_thousandths(struct pk_json *j, int64_t *value, bool *fraction);

/*
 * After an error: continues with the next object that looks like an item of the list at this
 * depth: after a "}", with one of the keys. Returns false if there is none; the error stays.
 */
bool pk_json_resume(struct pk_json *j, int depth, const char *const *keys);
/* True if the text, which follows a "}", is the begin of an object with one of the keys
 * (NULL-terminated). */
bool pk_json_begins_item(const uint8_t *text, const uint8_t *end, const char *const *keys);
/* Opens an input that begins after an item of a list at this depth; the next token is its first. */
void pk_json_open_within(struct pk_json *j, struct pk_input *in, int depth);
/* After an item of a list: continues after a later item that ends before this offset of the input,
 * which must be a plain file. */
void pk_json_skip_to(struct pk_json *j, uint64_t offset);

/* The byte offset of the next token, approximately, for messages. */
uint64_t pk_json_offset(const struct pk_json *j);

/*
 * Keeps text: between pk_json_begin and pk_json_finish the window keeps everything from the
 * begin on, up to `limit` bytes. If there are more, the text is dropped.
 */
void pk_json_begin(struct pk_json *j, size_t limit);
void pk_json_finish(struct pk_json *j);
/* The text read since pk_json_begin, as written; blanks may precede the first token. NULL: it was
 * dropped. Valid until the next token. */
const char *pk_json_written(const struct pk_json *j, size_t *len);

/* Appends text with escapes resolved (\u pairs joined; half of a pair is U+FFFD). */
void pk_json_unescape(struct pk_buf *buf, const char *text, size_t len);
/* Reads the next value: a string becomes the text of buf, unescaped. Other values are skipped, buf
 * is "", and it returns false. */
bool pk_json_next_text(struct pk_json *j, struct pk_buf *buf);
/* Reads the next value: a number, or NaN for any other. */
double pk_json_next_real(struct pk_json *j);
/* Reads a text to its end: true if it is one JSON value without anything to repair, and not nested
 * deeper than SQLite reads. Unless mended is NULL, what was read is appended to it as JSON, with
 * the tokenizer's repairs; numbers that JSON does not know (NaN, Infinity, 007) become strings. */
bool pk_json_read_text(const void *text, size_t len, struct pk_buf *mended);
