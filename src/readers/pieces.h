#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io/input.h"
#include "model/build/builder.h"

/*
 * Reads a file in pieces with several threads, for formats in which the begin of a record can be
 * found from the middle of a file. Each piece goes to a builder of its own; the builders are joined
 * in the order of the file, and the result is the same, to the last id, as with one thread. Only
 * plain files are cut. If a piece turns out to depend on what comes before it (an error, a repair
 * that --strict forbids, a state of the format), the attempt ends and one thread reads the whole
 * file, so that errors have their places.
 */
struct pk_piece_reader {
	/* The first place after data[0], in bytes from the middle of a file, at which a record
	 * begins that can be read without the bytes before it; 0 = none. */
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

/* Reads any input in one piece: for `read` of a struct pk_reader. */
int pk_piece_read_whole(const struct pk_piece_reader *reader, struct pk_input *in,
			const void *params, struct pk_builder *b, struct pk_error *err);

struct pk_cut {
	unsigned threads;
	uint64_t piece; /* bytes of a piece, about; 0 = what suits the file */
	bool progress;  /* report it: pk_progress_report */
};

enum pk_cut_result {
	PK_CUT_READ,
	/* nothing was done: there is only one thread or piece, or the input is no plain file */
	PK_CUT_NOT,
	PK_CUT_FAILED, /* the builder cannot be used; the file must be read in one piece */
};

/* `in` stands at the begin of the file, and stays there. */
enum pk_cut_result pk_piece_read_cut(const struct pk_piece_reader *reader, struct pk_input *in,
				     const void *params, const struct pk_cut *cut,
				     struct pk_builder *b);
