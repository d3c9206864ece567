#pragma once

#include <stddef.h>

/* Compresses a stream. For output.c only. */
struct pk_packer;

/* The compressor for the suffix of path (.gz, .zst); NULL for others. */
struct pk_packer *pk_packer_for_path(const char *path,
				     void (*write)(void *to, const void *data, size_t len),
				     void *to);
void pk_packer_add(struct pk_packer *packer, const void *data, size_t len);
/* Writes the end; nothing may be added afterwards. */
void pk_packer_finish(struct pk_packer *packer);
void pk_packer_free(struct pk_packer *packer);
