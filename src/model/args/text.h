#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json/members.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * Arguments of events in little memory. The arguments of millions of events differ only in a
 * few numbers: ids, sizes. So an object is kept as a pattern, which is an ordinary string, and
 * the list of the integers that are members of it:
 *
 *	{"External id": 71936, "Input Dims": [[32, 64]], "Ev Idx": 71936}
 *	{"External id": "$[0]", "Input Dims": [[32, 64]], "Ev Idx": "$[1]"}   [71936, 71936]
 *
 * Both together give the object back byte for byte. Lists of numbers are packed one after the
 * other in arg.packed: a byte with their count, then each number as 7 bits a byte, with the
 * sign in the lowest bit.
 */
#define PK_MOST_NUMBERS 64

/* Makes a pattern of a JSON object and returns the count of its numbers; 0: it has none or cannot
 * be a pattern, and `pattern` is undefined. `pattern` is emptied first. */
int pk_arg_pattern(struct pk_buf *pattern, const char *text, size_t len,
		   int64_t numbers[PK_MOST_NUMBERS]);

/* Reads an integer of at most 18 digits, in its shortest form, that is the whole value of a member.
 * Returns its length; 0 = there is none. */
size_t pk_arg_number(const char *s, const char *end, int64_t *number);

/* Adds a list and returns its place; 0 = no room is left (4 GB), or the list is empty. */
uint32_t pk_arg_pack(struct pk_arg_table *t, const int64_t *numbers, int count);
/* Reads a list; returns its length, 0 for place 0. */
int pk_arg_unpack(const struct pk_arg_table *t, uint32_t place, int64_t numbers[PK_MOST_NUMBERS]);

/* The number in a value "$[3]" of a pattern; -1: it is another value. len counts the quotes. */
int pk_arg_place(const char *value, size_t len);

/* A list as text, "[1,2]", whose length is returned, and back; false: it has another form. */
enum { PK_ARG_LIST = PK_MOST_NUMBERS * 21 + 2 };
size_t pk_arg_list(char text[PK_ARG_LIST], const int64_t *numbers, int count);
bool pk_arg_read_list(const char *text, size_t len, int64_t numbers[PK_MOST_NUMBERS], int *count);

/* The value of a row as it was read: a string of the profile, or text made in buf, which is emptied
 * first. */
struct pk_json_slice pk_arg_text(const struct pk_profile *p, uint32_t row, struct pk_buf *buf);
enum { PK_ARG_NUMBER = 24, PK_ARG_MEMORY = 2048 };

/* Remembers the places of members in patterns. Zero-initialise to begin. */
struct pk_arg_finder {
	const struct pk_profile *profile;
	struct {
		const char *key;
		uint32_t pattern;
		int place; /* of a number of the row, -1 = none */
		struct pk_json_slice value;
	} known[PK_ARG_MEMORY];
	char number[PK_ARG_NUMBER];
};

/* Finds a member of the object in that row; valid until the next call. Returns false if it is
 * missing. key must stay in memory. */
bool pk_arg_member(struct pk_arg_finder *f, uint32_t row, const char *key,
		   struct pk_json_slice *value);
/* The same for a member that is an integer, or a text of one. */
bool pk_arg_int(struct pk_arg_finder *f, uint32_t row, const char *key, int64_t *number);
