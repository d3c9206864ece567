#ifndef PK_PYINSTRUMENT_INTERNAL_H
#define PK_PYINSTRUMENT_INTERNAL_H

#include "base/json.h"
#include "model/builder.h"

/*
 * What the two forms of pyinstrument's JSON share: sessions, and the rendered tree.
 */
struct pyinstrument_reader {
	struct pk_json json;
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_buf text; /* of the last string, resolved */
	uint32_t metric;
	uint32_t thread; /* that samples belong to; 0 = not known */
	bool tree;       /* root_frame was there */
};

/* Reads the value of a key as a string: false if it is something else (which is skipped). */
bool pyinstrument_string(struct pyinstrument_reader *r);
/* The number that was just read, as seconds, in ns, rounded to the nearest. -1 with --strict where
 * it is no time: then *ns is 0. */
int pyinstrument_seconds(struct pyinstrument_reader *r, int64_t *ns);
/* A frame, or 0 and a thread in r->thread: those are written as frames. Names need not be
 * NUL-terminated. */
uint32_t pyinstrument_frame(struct pyinstrument_reader *r, const char *function,
			    size_t function_len, const char *file, size_t file_len,
			    const char *line, size_t line_len);
/* The node of time that a thread spent in no frame. */
uint32_t pyinstrument_no_frame(struct pyinstrument_reader *r);

/* The value of root_frame: frames within frames. */
int pyinstrument_read_tree(struct pyinstrument_reader *r);

#endif
