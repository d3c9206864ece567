#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json/json.h"
#include "base/num/hash.h"
#include "base/text/str.h"
#include "model/build/builder.h"

/*
 * Functions as V8 writes them, for the readers of its formats:
 *
 *	{"functionName": "sum", "scriptId": "70", "url": "file:///srv/a.js", "lineNumber": 2,
 *	 "columnNumber": 97}
 *
 * Lines and columns count from 0 there, and are where the function begins.
 */
struct pk_v8_call {
	uint32_t name, file;  /* strings; 0 = none */
	int64_t line, column; /* as in the file; negative = not known */
};

/* "(root)" in the file is no function: all call paths begin below it. */
bool pk_v8_is_root(const struct pk_builder *b, uint32_t name);
/* The location of a function. */
uint32_t pk_v8_place(struct pk_builder *b, const struct pk_v8_call *call);

/* Call paths through one function repeat its text: it is read once. Zero-initialise all but b. */
struct pk_v8_frames {
	struct pk_builder *b;
	struct pk_arena text;
	struct pk_index index;
	struct pk_v8_frame {
		const char *text;
		size_t len;
		uint32_t location;
	} * frame; /* from 1 */
	uint32_t count, alloc;
	uint32_t *column; /* by location: that of its first frame, from 1 */
	size_t column_alloc;
	uint64_t joined; /* frames that differ from others by their column alone */
	struct pk_buf buf;
};

/* After the key: the location of the frame that comes next; 0: it is the root. */
uint32_t pk_v8_read_frame(struct pk_v8_frames *f, struct pk_json *j);
/* The same of members that were read one by one. */
uint32_t pk_v8_add_call(struct pk_v8_frames *f, const struct pk_v8_call *call);
/* Records joined frames in the meta data. */
void pk_v8_describe_frames(struct pk_v8_frames *f);
void pk_v8_frames_release(struct pk_v8_frames *f);

/* The number that was just read, as a whole one; `other` if it is none. */
int64_t pk_v8_whole(const struct pk_json *j, int64_t other);
