#pragma once

#include "base/num/hash.h"
#include "model/args/text.h"

/*
 * Patterns of arguments (text.h) that were seen. Most objects have one of them, which is found
 * by looking up the text between their numbers, piece by piece; that is much faster than
 * parsing. Pieces are nodes of a tree, so that patterns share their beginnings.
 * Zero-initialise to begin, release to end.
 */
struct pk_arg_known {
	struct pk_arg_piece *piece; /* [0]: before the first piece */
	struct pk_arg_length *length;
	uint32_t count, alloc, length_count, length_alloc;
	struct pk_index index; /* of pieces */
};

/* The pattern of the object (a string of p) and its numbers; 0: it must be parsed. The result is
 * that of pk_arg_pattern. */
uint32_t pk_arg_known_find(struct pk_arg_known *known, const char *text, size_t len,
			   int64_t numbers[PK_MOST_NUMBERS], int *count);
void pk_arg_known_add(struct pk_arg_known *known, const struct pk_profile *p, uint32_t pattern);
void pk_arg_known_release(struct pk_arg_known *known);
