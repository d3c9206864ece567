#ifndef PK_INPUT_H
#define PK_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * A stream of bytes to look ahead in: a file, standard input, or memory.
 * gzip and zstd are undone transparently (also several members in a row, also
 * one inside the other), and text that begins with a byte order mark arrives as
 * UTF-8 without it (UTF-16 is transcoded).
 *
 * Errors stick: once reading failed (I/O, damaged compression), the input ends
 * there, and pk_input_check says why. So a reader needs no check per read.
 */
struct pk_input;

/* "-" is standard input. A directory, or what cannot be opened, is an error: NULL,
 * and err holds the reason alone ("No such file or directory"), without the path. */
struct pk_input *pk_input_open(const char *path, struct pk_error *err);
/* Reads memory that the caller keeps alive; name is used in messages. */
struct pk_input *pk_input_from_memory(const void *data, size_t len, const char *name);
void pk_input_close(struct pk_input *in);
/* A file that begins with these bytes would not be read as it is: a byte order mark, or gzip's or
 * zstd's first bytes. For writers of formats without a head of their own. */
bool pk_input_undoes(const void *data, size_t len);

/*
 * Gives at least `need` bytes at the current place, or as many as are left;
 * *avail is how many there are (it may be more than asked for). The bytes stay
 * valid and in place until the next peek; take does not move them. Never NULL.
 * The window is 1 MB, and grows only when a larger `need` is asked for, and only
 * as far as there are bytes to put in: a `need` taken from a file costs nothing.
 */
static inline const uint8_t *pk_input_peek(struct pk_input *in, size_t need, size_t *avail);
/* Moves on by len bytes, at most those the last peek gave. */
static inline void pk_input_take(struct pk_input *in, size_t len);
/* Moves on by len bytes, which need not have been looked at. pk_input_plain_path(in) is not NULL.
 */
void pk_input_skip(struct pk_input *in, uint64_t len);
/* Some bytes of the file that `whole` reads, as they are: an input of its own, which other threads
 * may read, for as long as `whole` is open. pk_input_plain_path(whole) is not NULL. */
struct pk_input *pk_input_part(const struct pk_input *whole, uint64_t from, uint64_t len);
/* Everything from the current place to the end, in one piece owned by the input. */
const uint8_t *pk_input_all(struct pk_input *in, size_t *len);
/* Gives back the memory of some of these bytes, which are never looked at again: whole
 * pages only, and nothing where the bytes are the caller's own. */
void pk_input_forget(struct pk_input *in, const uint8_t *from, size_t len);

/* The current place in the bytes as they are given here, from 0. */
uint64_t pk_input_offset(const struct pk_input *in);
/* Bytes of the file itself consumed so far, and its size (0 = not known): progress. */
uint64_t pk_input_consumed(const struct pk_input *in);
uint64_t pk_input_size(const struct pk_input *in);

/* As given to pk_input_open ("-" is "<stdin>"). */
const char *pk_input_name(const struct pk_input *in);
/* The path, when the bytes are those of a regular file and nothing was undone; or NULL. */
const char *pk_input_plain_path(const struct pk_input *in);

/* -1 with the reason when reading has failed, else 0. */
int pk_input_check(const struct pk_input *in, struct pk_error *err);

/*
 * Limit for what decompression may yield: `bytes` of output are always allowed,
 * beyond that at most `ratio` times the input (0 = no limit). Default 1 GB, 500.
 * The error names --max-memory as the way on: who sets that lifts this limit.
 */
void pk_input_set_ratio_limit(uint64_t bytes, uint64_t ratio);

/* Called with every 64 KB or so consumed; used for the progress line. May be NULL. */
void pk_input_set_observer(struct pk_input *in, void (*tick)(const struct pk_input *, void *),
			   void *data);

/* How peek and take work: the bytes that are there, and a slow path for more. */
struct pk_input_window {
	const uint8_t *at, *end; /* the first member of struct pk_input */
};
const uint8_t *pk_input_fill(struct pk_input *in, size_t need, size_t *avail);

static inline const uint8_t *pk_input_peek(struct pk_input *in, size_t need, size_t *avail)
{
	const struct pk_input_window *window = (const struct pk_input_window *)in;

	*avail = (size_t)(window->end - window->at);
	return *avail >= need ? window->at : pk_input_fill(in, need, avail);
}

static inline void pk_input_take(struct pk_input *in, size_t len)
{
	((struct pk_input_window *)in)->at += len;
}

#endif
