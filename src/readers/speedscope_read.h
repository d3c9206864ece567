#ifndef PK_SPEEDSCOPE_READ_H
#define PK_SPEEDSCOPE_READ_H

#include "base/json.h"
#include "readers/speedscope_profile.h"
#include "readers/speedscope_stacks.h"

/* Shared by speedscope.c and speedscope_read.c: a file that is being read. */
struct pk_speedscope_reading {
	struct pk_json json;
	struct pk_speedscope s;
	uint32_t *frames; /* of the builder, by number in the file */
	size_t frame_count, frame_alloc;
	uint64_t *columns; /* of each frame, + 1 */
	size_t column_alloc;
	struct pk_json_list stack;
	struct pk_speedscope_stacks *known;
	struct pk_buf text; /* without escapes */
	struct pk_buf unit;
	bool shared, profiles;
};

/* At the current place; -1 with --strict. */
int pk_speedscope_repair(struct pk_speedscope_reading *r, const char *what);
/* The next value, whose key is `key`, must be a list; null is an empty one: *there is false. */
int pk_speedscope_open_list(struct pk_speedscope_reading *r, const char *key, bool *there);
/* The text of the token, escapes resolved; valid until the next one. */
void pk_speedscope_token_text(struct pk_speedscope_reading *r, const char **text, size_t *len);
/* Reads the next value: into buf if it is a text. */
void pk_speedscope_read_text(struct pk_speedscope_reading *r, struct pk_buf *buf);
/* After the key "profiles". */
int pk_speedscope_read_profiles(struct pk_speedscope_reading *r);

#endif
