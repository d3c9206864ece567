#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Walks over a small JSON value in memory, such as the arguments of an event: the members of
 * an object or the items of an array, as texts. Nothing is allocated or checked; text that is
 * not JSON ends the walk early.
 *
 *	struct pk_json_members m = pk_json_members(text, len);
 *	struct pk_json_slice key, value;
 *	while (pk_json_member(&m, &key, &value))
 *		if (pk_json_slice_is(key, "correlation")) ...
 */
struct pk_json_slice { /* not NUL-terminated */
	const char *text;
	size_t len;
};

struct pk_json_members {
	const char *at, *end;
};

/* Begins a walk over an object or array; other values have nothing to walk over. */
struct pk_json_members pk_json_members(const char *text, size_t len);
/* The next member: its key without quotes, its value as written, a string with quotes. Returns
 * false at the end. */
bool pk_json_member(struct pk_json_members *m, struct pk_json_slice *key,
		    struct pk_json_slice *value);
/* The next item of an array. */
bool pk_json_item(struct pk_json_members *m, struct pk_json_slice *value);

/* The value of this member of an object, as written; of length 0 if there is none. */
struct pk_json_slice pk_json_slice_member(struct pk_json_slice object, const char *name);

/* A string without its quotes (escapes are kept); other values unchanged. */
struct pk_json_slice pk_json_slice_unquoted(struct pk_json_slice value);
bool pk_json_slice_is(struct pk_json_slice s, const char *text);
/* Reads an integer, also in quotes; false for other values. */
bool pk_json_slice_int(struct pk_json_slice value, int64_t *number);
