#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num/hash.h"
#include "tools/load/operands.h"

/*
 * Files of the same bytes: a run that is there twice. Only files of the same size are looked at;
 * those that begin and end with the same bytes are read once more for a digest of the whole, and
 * those whose digests are equal are compared.
 */
struct pk_twins {
	const struct pk_files *files;
	uint64_t *ends, *whole; /* digests by file: of its ends, of all of it; 0 = not known */
	struct pk_index by_ends, by_whole; /* of digests to files, counted from 1 */
};

void pk_twins_init(struct pk_twins *twins, const struct pk_files *files);
/* Any thread may call it, one for a file. */
void pk_twins_digest(struct pk_twins *twins, size_t file);
/* The path of a file for which it was called before, and which has the same bytes; or NULL. */
const char *pk_twins_find(struct pk_twins *twins, size_t file);
void pk_twins_release(struct pk_twins *twins);
