#ifndef PK_PSTATS_ROWS_H
#define PK_PSTATS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io/input.h"
#include "base/marshal.h"
#include "base/text/str.h"
#include "model/build/builder.h"

/*
 * The parts of the pstats reader share this: pstats.c reads the file function by function,
 * pstats_key.c what these are called, pstats_rows.c turns what was read into rows of the edge
 * table, and at the end judges from all of them who wrote the file.
 */
#define PSTATS_UNKNOWN (-1) /* a count */

struct pstats_row {
	uint32_t function;
	int64_t nc, cc; /* all and primitive calls */
	double tt, ct;  /* seconds; NaN = unknown */
};

struct pstats_function { /* its own rows in the edge table, two for a key given twice */
	uint32_t first, last;
};

struct pstats_reader {
	struct pk_marshal m;
	struct pk_input *in;
	size_t forgotten; /* bytes of the file that were given back ... */
	size_t refs_seen; /* ... and what of m.shared was looked at for that */
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_buf text;
	uint32_t metric;
	uint32_t tilde; /* the string "~", once it was met */

	uint32_t functions;     /* read so far */
	struct pstats_row *row; /* the function being read, and then its callers */
	size_t row_count, row_alloc;
	struct pstats_function *function; /* by function */
	uint32_t *caller_of;              /* by function: the last function it was a caller of */
	size_t function_alloc, caller_alloc;
	bool caller_repeated; /* in the function being read */
	uint32_t *place;      /* by function, zero but while repeated callers are put together */
	size_t place_alloc;

	/* What tells who wrote the file, and what of it must be put right. */
	bool sampled, bytes_names, repeated;
	bool counts;         /* a function's calls are known */
	bool less_primitive; /* of a function: fewer primitive calls than calls */
	bool more_primitive; /* more: then the two are swapped */
};

/* Counts a repair at a byte of the file; -1 if it must not be. */
int pstats_repair(struct pstats_reader *r, size_t at, const char *what);
/* -1, with a message: another token was wanted. */
int pstats_unexpected(struct pstats_reader *r, const struct pk_marshal_token *t,
		      const char *wanted);
/* Reads a key of a dict into *t and *function: 0 in *function is the dict's end, or the marker of a
 * sampled profile. */
int pstats_read_key(struct pstats_reader *r, struct pk_marshal_token *t, uint32_t *function);
/* Does a file name of line 0 stand for builtin functions? profile leaves it empty, yappi
 * names the module, pyinstrument says "<built-in>". */
bool pstats_is_module(const char *file);
/* Appends the rows read: the function's own, then those of its callers. */
void pstats_push(struct pstats_reader *r);
/* After the last function. -1 for a repair that must not be. */
int pstats_finish(struct pstats_reader *r);

#endif
