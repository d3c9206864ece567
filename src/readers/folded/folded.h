#pragma once

#include "readers/pieces.h"
#include "readers/reader.h"
#include "readers/stack_text.h"
#include "readers/tasks.h"

/*
 * Reading folded stacks, for the formats whose lines are a stack and a count: see folded.c.
 */
enum pk_folded_columns { PK_FOLDED_AUTO, PK_FOLDED_ONE, PK_FOLDED_TWO };

struct pk_folded_params {
	const char *name; /* of the metric */
	int unit;         /* of pk_folded_units */
	int columns;      /* enum pk_folded_columns */
	int names;        /* what frames are, and */
	bool tasks;       /* first frames: for folded.c alone */
};

extern const char *const pk_folded_units[]; /* "count", "bytes", "ns", ...; NULL-terminated */

/* The parts of a dialect beyond names. */
struct pk_folded_dialect {
	pk_read_name *read_name; /* NULL = frames are names */
	/* The thread that the first frames of a stack name; gives the bytes before the next frame,
	 * which may be all. */
	size_t (*take_thread)(struct pk_tasks *tasks, const char *stack, size_t len,
			      uint32_t *thread);
	const char *no_frames; /* the frame that stands for a stack without any; NULL = "" */
};
/* Names like "function (file:line)". */
pk_read_name pk_folded_place;

/* The functions that a struct pk_piece_reader needs, once `begin` has the dialect. */
void *pk_folded_begin(const struct pk_folded_params *params, struct pk_folded_dialect dialect,
		      struct pk_builder *b, bool piece);
int pk_folded_lines(void *reading, struct pk_input *in, struct pk_error *err);
bool pk_folded_join(void *reading, void *piece);
int pk_folded_finish(void *reading, struct pk_error *err);
void pk_folded_release(void *reading);

struct pk_folded_number {
	const char *text;
	size_t len;
};

struct pk_folded_line {
	size_t stack; /* its length; the text begins where the line does */
	int counts;
	struct pk_folded_number count[2];
};

/* Also an empty line. */
bool pk_folded_is_comment(const char *line, size_t len);
/* Takes up to `most` counts from the end of a line, which was trimmed. */
void pk_folded_split(const char *line, size_t len, int most, struct pk_folded_line *l);
