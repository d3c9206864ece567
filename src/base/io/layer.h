#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io/sums.h"

/*
 * The layers of an input: the file or memory at the bottom, and above it one layer for each
 * decompression or conversion. For input.c only.
 */
struct pk_layer;

/* The most bytes moved at once between layers. */
#define PK_LAYER_CHUNK ((size_t)256 << 10)
/* The least room that pk_layer_read needs. */
#define PK_LAYER_ROOM ((size_t)64)

/* The bottom layer. pk_layer_close closes fd if it is `owned`. sum: of what is read. */
struct pk_layer *pk_layer_file(int fd, bool owned, struct pk_sum_part sum);
/* At most `len` bytes of the same file from `at` on. The position of `file` does not move, so
 * several parts may be read at once. The caller keeps `file`. summed: they belong to its sum. */
struct pk_layer *pk_layer_part(const struct pk_layer *file, uint64_t at, uint64_t len, bool summed);
/* Skips bytes of such a file or part. */
void pk_layer_skip(struct pk_layer *file, uint64_t len);
struct pk_layer *pk_layer_memory(const void *data, size_t len);

/*
 * Puts a layer on top of `below` (which it takes over) if `data`, the first bytes read from
 * it, begin a known compression; those bytes are copied. Returns `below` if there is nothing
 * to decompress. len is less than PK_LAYER_CHUNK + PK_LAYER_ROOM. `level` counts compressed
 * layers; more than 3 are an error.
 */
struct pk_layer *pk_layer_unpack(struct pk_layer *below, const uint8_t *data, size_t len,
				 int *level, struct pk_error *err);
/* The same for UTF-16 with a byte order mark. */
struct pk_layer *pk_layer_decode(struct pk_layer *below, const uint8_t *data, size_t len);

/* True if a layer would decompress or convert a file that begins with these bytes. */
bool pk_layer_undoes(const uint8_t *data, size_t len);

/* Reads at most `room` bytes; fewer at the end or on an error. It must not be called again after it
 * returned 0 or set err. */
size_t pk_layer_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err);
/* Bytes taken from the bottom layer so far. */
uint64_t pk_layer_consumed(const struct pk_layer *layer);
void pk_layer_close(struct pk_layer *layer);
