#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io/input.h"
#include "model/build/builder.h"

/*
 * Reading a file in pieces, several threads at once, for formats whose records can be told apart
 * from the middle of a file. Each piece goes to a builder of its own; these are joined in the order
 * of the file, and what comes out is what one thread would have made of it, to the last id.
 *
 * Only plain files are cut. Whatever makes a piece mean something else than it seemed (an error, a
 * repair that --strict forbids, a state that only what comes before can tell) ends the attempt, and
 * the file is read by one thread: errors and their places are those of that, too.
 */
struct pk_piece_reader {
	/* Where, in bytes from the middle of a file, a record begins that can be read without
	 * what stands before it: the first such place that is not data[0]; 0 = none. */
	size_t (*boundary)(const uint8_t *data, size_t len);
	/* Begins to read a whole file or its first piece, into b, or a later piece, into a builder
	 * of that piece: see model/build/join.h for what may be built there. */
	void *(*begin)(const void *params, struct pk_builder *b, bool piece);
	int (*read)(void *reading, struct pk_input *in, struct pk_error *err);
	/* Adds the piece that follows all that was read by `reading`. False: it cannot be added. */
	bool (*join)(void *reading, void *piece);
	int (*finish)(void *reading, struct pk_error *err); /* at the end of the file */
	void (*release)(void *reading);
};

/* In one piece, from any input: what the `read` of a struct pk_reader does. */
int pk_piece_read_whole(const struct pk_piece_reader *reader, struct pk_input *in,
			const void *params, struct pk_builder *b, struct pk_error *err);

struct pk_cut {
	unsigned threads;
	uint64_t piece; /* bytes of a piece, about; 0 = what suits the file */
	bool progress;  /* report it: pk_progress_report */
};

enum pk_cut_result {
	PK_CUT_READ,
	PK_CUT_NOT,    /* nothing was done: there is one thread, one piece, or no plain file */
	PK_CUT_FAILED, /* the builder is spoiled, the file is to be read in one piece */
};

/* `in` stands at the begin of the file, and stays there. */
enum pk_cut_result pk_piece_read_cut(const struct pk_piece_reader *reader, struct pk_input *in,
				     const void *params, const struct pk_cut *cut,
				     struct pk_builder *b);
