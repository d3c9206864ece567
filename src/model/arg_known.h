#ifndef PK_ARG_KNOWN_H
#define PK_ARG_KNOWN_H

#include "model/arg_text.h"

/*
 * The patterns of arguments (arg_text.h) that have been seen: most objects are one of them, which
 * is found by comparing, and that is much faster than to take an object apart. What stands
 * between two numbers is a node of a tree, so that patterns share how they begin.
 * Zero-initialise to begin, release to end.
 */
struct pk_arg_known {
	struct pk_arg_piece *piece; /* [0]: the root */
	uint32_t count, alloc;
};

/* The pattern (a string of p) that the object has, and its numbers; 0: it is to be taken apart.
 * Finds what pk_arg_pattern would have found, or nothing. */
uint32_t pk_arg_known_find(struct pk_arg_known *known, const char *text, size_t len,
			   int64_t numbers[PK_MOST_NUMBERS], int *count);
void pk_arg_known_add(struct pk_arg_known *known, const struct pk_profile *p, uint32_t pattern);
void pk_arg_known_release(struct pk_arg_known *known);

#endif
