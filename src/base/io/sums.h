#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sizes and checksums (CRC-32) of files, made while they are read: several threads may read parts
 * of a file, in any order.
 */
struct pk_sums;
struct pk_sums *pk_sums_new(void);
void pk_sums_free(struct pk_sums *sums);
/* Finds the sum of a file that was read completely; returns false if it was not. */
bool pk_sums_find(struct pk_sums *sums, const char *path, uint64_t *size, uint32_t *crc);

/* `crc` is the CRC-32 of the bytes before these, 0 if there are none; returns that of all. */
uint32_t pk_crc32(uint32_t crc, const void *data, size_t len);

/* A part of a file that is being read, for input.c and layer.c. */
struct pk_sum_part {
	struct pk_sums *sums; /* NULL: it is not asked for */
	uint32_t file;        /* number in these */
	uint32_t crc;
	uint64_t from, len;
};
/* Begins a file. */
struct pk_sum_part pk_sum_begin(struct pk_sums *sums, const char *path, uint64_t size);
/* Adds the bytes that follow. */
void pk_sum_add(struct pk_sum_part *part, const void *data, size_t len);
/* Keeps what was read, and goes on elsewhere. */
void pk_sum_move(struct pk_sum_part *part, uint64_t from);
