#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/num/hash.h"
#include "base/io/input.h"
#include "base/io/output.h"

/*
 * Folded stacks of two sides, added up as the texts they are, without taking them apart: for
 * differences in two columns.
 */
struct pk_folded_sum {
	const char *text;
	uint32_t len;
	uint64_t hash;
	int64_t count[2]; /* before, after; saturated */
};

struct pk_folded_sums {
	struct pk_folded_sum *row; /* from 1, as they came first */
	uint32_t count;            /* 0 included */
	size_t alloc;
	struct pk_index index;
	struct pk_arena arena;
	int exponent;            /* counts are in 10^-exponent */
	bool strip_hex;          /* set before adding: numbers such as 0x7f33 become 0x... */
	uint64_t skipped, first; /* lines that do not end in a count; the first of them */
	bool cut;                /* a count was beyond 64 bits, or its decimals */
};

/* Adds the lines of an input to one side (0 or 1). Comments are left out. */
int pk_folded_sums_read(struct pk_folded_sums *s, int side, struct pk_input *in,
			struct pk_error *err);
/* Adds what another has, whose texts are copied where they are new. */
void pk_folded_sums_add(struct pk_folded_sums *s, const struct pk_folded_sums *other);
/* Multiplies the counts before so that their sum is that of the counts after; parts of one are
 * dropped. */
void pk_folded_sums_normalize(struct pk_folded_sums *s);
/* "STACK BEFORE AFTER", a line each. */
void pk_folded_sums_write(const struct pk_folded_sums *s, struct pk_output *out);
void pk_folded_sums_release(struct pk_folded_sums *s);
