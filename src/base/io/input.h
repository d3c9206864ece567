#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io/sums.h"

/*
 * A stream of bytes to look ahead in: a file, standard input, or memory. gzip, zstd and
 * lz4 are decompressed (also several members in a row, and one inside the other), and text with a
 * byte order mark arrives as UTF-8 without it (UTF-16 is converted).
 *
 * Errors stick: after a failure (I/O, damaged compression) the input ends, and pk_input_check
 * tells why. So a reader needs no check per read.
 */
struct pk_input;

/* Opens a file; "-" is standard input. A directory and a file that cannot be opened are errors:
 * NULL, with err holding the reason ("No such file or directory") without the path. */
struct pk_input *pk_input_open(const char *path, struct pk_error *err);
/* The same; when it is closed, `sums` may know the checksum of the file. NULL: it is not asked
 * for. */
struct pk_input *pk_input_open_summed(const char *path, struct pk_sums *sums, struct pk_error *err);
/* Reads memory that the caller keeps alive; name is used in messages. */
struct pk_input *pk_input_from_memory(const void *data, size_t len, const char *name);
void pk_input_close(struct pk_input *in);
/* True if a file that begins with these bytes would be decoded or decompressed: for writers of
 * formats without a signature. */
bool pk_input_undoes(const void *data, size_t len);

/*
 * Returns at least `need` bytes at the current place, or as many as are left; *avail is their
 * number (it may be more). They stay valid until the next peek; take does not move them. Never
 * NULL. The window is 256 KB. It grows only if a larger `need` is asked for, and only as far as
 * there are bytes, so that a `need` taken from a file is safe.
 */
static inline const uint8_t *pk_input_peek(struct pk_input *in, size_t need, size_t *avail);
/* Moves on by len bytes, at most those that the last peek returned. */
static inline void pk_input_take(struct pk_input *in, size_t len);
/* Moves on by len bytes without reading them. What is beyond the window can be skipped only where
 * pk_input_plain_path(in) is not NULL, and in inputs for parts of such a file. */
void pk_input_skip(struct pk_input *in, uint64_t len);
/* An input of its own for a part of the file of `whole`, which other threads may read while `whole`
 * is open. pk_input_plain_path(whole) must not be NULL. */
struct pk_input *pk_input_part(const struct pk_input *whole, uint64_t from, uint64_t len);
/* An input of its own for the next `len` bytes, which `whole` reads later: either they are in its
 * window, where they have to stay while this input is used, or pk_input_plain_path(whole) must not
 * be NULL. */
struct pk_input *pk_input_ahead(const struct pk_input *whole, uint64_t len);
/* Returns everything from the current place to the end, owned by the input. */
const uint8_t *pk_input_all(struct pk_input *in, size_t *len);
/* Frees the memory of these bytes, which are not read again: whole pages only, and nothing if the
 * caller owns the bytes. */
void pk_input_forget(struct pk_input *in, const uint8_t *from, size_t len);

/* The current place, counted in decompressed bytes from 0. */
uint64_t pk_input_offset(const struct pk_input *in);
/* Bytes of the file consumed so far, and its size (0 = not known), for the progress line. */
uint64_t pk_input_consumed(const struct pk_input *in);
uint64_t pk_input_size(const struct pk_input *in);
/* When the file was changed last, in ms since 1970; INT64_MIN if it is no file with a name. */
int64_t pk_input_changed(const struct pk_input *in);

/* As given to pk_input_open ("-" is "<stdin>"). */
const char *pk_input_name(const struct pk_input *in);
/* The path if the bytes are those of a regular file without decompression; otherwise NULL. */
const char *pk_input_plain_path(const struct pk_input *in);

/* -1 with the reason when reading has failed, else 0. */
int pk_input_check(const struct pk_input *in, struct pk_error *err);
/* Compressed data that is cut off is no failure from now on: it ends where it is cut. */
void pk_input_allow_cut(struct pk_input *in);
/* Where the end was found to be cut off: "byte 300: the compressed data is cut off here (lz4)";
 * otherwise NULL. */
const char *pk_input_cut(const struct pk_input *in);

/*
 * Limits decompression: `bytes` of output are always allowed, beyond that at most `ratio`
 * times the input (0 = no limit). Default 1 GB, 500. The error names --max-memory, which lifts
 * this limit.
 */
void pk_input_set_ratio_limit(uint64_t bytes, uint64_t ratio);
/* The same limit for what a reader unpacks itself: sums of bytes so far. -1 if they are beyond it.
 * `packing`: name of the compression. */
int pk_input_check_ratio(const char *packing, uint64_t packed, uint64_t unpacked,
			 struct pk_error *err);

/* Sets a function that is called after every 64 KB or so; used for the progress line. May be
 * NULL. */
void pk_input_set_observer(struct pk_input *in, void (*tick)(const struct pk_input *, void *),
			   void *data);

/* Inline part of peek and take: the bytes in the window, and a slow path for more. */
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
