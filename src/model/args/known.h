#ifndef PK_ARG_KNOWN_H
#define PK_ARG_KNOWN_H

#include "base/num/hash.h"
#include "model/args/text.h"

/*
 * The patterns of arguments (arg_text.h) that have been seen: most objects are one of them, which
 * is found by looking up what stands between its numbers, piece by piece: much faster than to
 * take it apart. Pieces are nodes of a tree, so that patterns share how they begin.
 * Zero-initialise to begin, release to end.
 */
struct pk_arg_known {
	struct pk_arg_piece *piece; /* [0]: before the first one */
	struct pk_arg_length *length;
	uint32_t count, alloc, length_count, length_alloc;
	struct pk_index index; /* of pieces */
};

/* The pattern (a string of p) that the object has, and its numbers; 0: it is to be taken apart.
 * Finds what pk_arg_pattern would have found, or nothing. */
uint32_t pk_arg_known_find(struct pk_arg_known *known, const char *text, size_t len,
			   int64_t numbers[PK_MOST_NUMBERS], int *count);
void pk_arg_known_add(struct pk_arg_known *known, const struct pk_profile *p, uint32_t pattern);
void pk_arg_known_release(struct pk_arg_known *known);

#endif
