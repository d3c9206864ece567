#ifndef PK_FOLDED_H
#define PK_FOLDED_H

#include "model/build/join.h"
#include "readers/reader.h"
#include "readers/stack_text.h"

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

/* What the texts of a dialect say beyond names. */
struct pk_folded_dialect {
	pk_read_name *read_name; /* NULL = frames are names */
	/* The thread that the first frames of a stack name; gives the bytes before the next frame,
	 * which may be all. NULL = they name none. */
	size_t (*take_thread)(void *data, const char *stack, size_t len, uint32_t *thread);
	const char *no_frames; /* the frame that stands for a stack without any; NULL = "" */
};

/* data is handed to take_thread. */
int pk_folded_read(struct pk_input *in, const struct pk_folded_params *params,
		   const struct pk_folded_dialect *dialect, void *data, struct pk_builder *b,
		   struct pk_error *err);

/* The same step by step, for readers that may be given pieces of a file: see pieces.h. */
struct pk_folded_reading;
struct pk_folded_reading *pk_folded_begin(const struct pk_folded_params *params,
					  const struct pk_folded_dialect *dialect, void *data,
					  struct pk_builder *b, bool piece);
int pk_folded_read_lines(struct pk_folded_reading *f, struct pk_input *in, struct pk_error *err);
/* If this is true, the caller prepares `join`, with the number of lines read by f and with
 * join->thread, and then joins. */
bool pk_folded_may_join(const struct pk_folded_reading *f, const struct pk_folded_reading *piece);
uint64_t pk_folded_line_number(const struct pk_folded_reading *f);
bool pk_folded_join(struct pk_folded_reading *f, struct pk_folded_reading *piece,
		    struct pk_join *join);
int pk_folded_finish(struct pk_folded_reading *f, struct pk_error *err);
void pk_folded_release(struct pk_folded_reading *f);

struct pk_folded_number {
	const uint8_t *text;
	size_t len;
};

struct pk_folded_line {
	size_t stack; /* its length; the text begins where the line does */
	int counts;
	struct pk_folded_number count[2];
};

/* Length of a line without the blanks at its end. */
size_t pk_folded_trim(const uint8_t *line, size_t len);
/* Also an empty line. */
bool pk_folded_is_comment(const uint8_t *line, size_t len);
/* Takes up to `most` counts from the end of a line, which was trimmed. */
void pk_folded_split(const uint8_t *line, size_t len, int most, struct pk_folded_line *l);

#endif
