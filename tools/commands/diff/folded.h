#pragma once

#include "tools/command.h"

/*
 * diff --format folded: every stack with its counts before and after, as difffolded.pl writes
 * them. Stacks are equal if their texts are.
 */
enum { PK_DIFF_FOLDED = PK_BRIEF + 1 };
extern const char *const pk_diff_notations[]; /* as enum pk_notation, then that; NULL */

struct pk_diff_folded_options {
	bool normalize; /* scale counts before to the sum of those after */
	bool strip_hex; /* 0x7f33 becomes 0x... */
};

/* Operands as for pk_load_sides. */
int pk_diff_folded(const struct pk_common *c, const struct pk_diff_folded_options *options,
		   int argc, char **argv, struct pk_error *err);
