#ifndef PK_JSON_MEMBERS_H
#define PK_JSON_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Looks into a small JSON value that is in memory, as the arguments of an event are kept:
 * the members of an object or the items of an array, as texts. Nothing is allocated or
 * checked: what is no JSON ends the walk early.
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

/* Of an object or an array; for anything else there is nothing to walk. */
struct pk_json_members pk_json_members(const char *text, size_t len);
/* The next member: its key without quotes, as written; its value as written, a string with
 * its quotes. False at the end. */
bool pk_json_member(struct pk_json_members *m, struct pk_json_slice *key,
		    struct pk_json_slice *value);
/* The next item of an array. */
bool pk_json_item(struct pk_json_members *m, struct pk_json_slice *value);

/* A string without its quotes (escapes stay); anything else as it is. */
struct pk_json_slice pk_json_slice_unquoted(struct pk_json_slice value);
bool pk_json_slice_is(struct pk_json_slice s, const char *text);
/* A whole number, also one in quotes; false for anything else. */
bool pk_json_slice_int(struct pk_json_slice value, int64_t *number);

#endif
