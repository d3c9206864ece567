#ifndef PK_LAYER_H
#define PK_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * What an input is made of: the file or memory at the bottom, and above it one
 * layer for everything that has to be undone. For input.c only.
 */
struct pk_layer;

/* Most bytes moved at once from one layer to the next. */
#define PK_LAYER_CHUNK ((size_t)256 << 10)
/* Least room that pk_layer_read must be given. */
#define PK_LAYER_ROOM ((size_t)64)

/* The bottom. fd is closed by pk_layer_close if `owned`. */
struct pk_layer *pk_layer_file(int fd, bool owned);
/* The bytes from `at` on, at most `len`, of the file of such a bottom layer: its place does not
 * move, so that several parts may be read at once. `file` stays the caller's. */
struct pk_layer *pk_layer_part(const struct pk_layer *file, uint64_t at, uint64_t len);
/* Passes over bytes of such a file. */
void pk_layer_skip(struct pk_layer *file, uint64_t len);
struct pk_layer *pk_layer_memory(const void *data, size_t len);

/*
 * Puts a layer on top of `below` (which it takes over) when `data`, the first bytes
 * that were read from there, begin what a layer can undo; those bytes are copied.
 * Returns `below` itself when there is nothing to undo. len is less than PK_LAYER_CHUNK +
 * PK_LAYER_ROOM; `level` counts the compressed layers; more than 3 are an error.
 */
struct pk_layer *pk_layer_unpack(struct pk_layer *below, const uint8_t *data, size_t len,
				 int *level, struct pk_error *err);
/* The same for UTF-16 with a byte order mark. */
struct pk_layer *pk_layer_decode(struct pk_layer *below, const uint8_t *data, size_t len);

/* The first bytes begin what one of these undoes. */
bool pk_layer_undoes(const uint8_t *data, size_t len);

/* Reads at most `room` bytes; fewer at the end, or where err was set. Once it gave
 * 0, or err was set, it must not be called again. */
size_t pk_layer_read(struct pk_layer *layer, uint8_t *buf, size_t room, struct pk_error *err);
/* Bytes taken so far from what is at the bottom. */
uint64_t pk_layer_consumed(const struct pk_layer *layer);
void pk_layer_close(struct pk_layer *layer);

void pk_layer_set_limit(uint64_t bytes, uint64_t ratio);

#endif
