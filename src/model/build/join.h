#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/build/builder.h"
#include "model/transform/copy.h"

/*
 * Adds what was built of one piece of a file to what was built of the pieces before it: ids and
 * tables come out as if one builder had taken both. So everything is carried over in the order in
 * which it was interned; call paths are mapped once each, and samples through arrays.
 *
 *	pk_join_names(&join, b, piece, lines);
 *	... the reader sets join.metric[] and join.thread[] of all ids in piece that have costs or
 *	samples, and join.shift ...
 *	pk_join_facts(&join);
 *
 * Carries over strings, repairs, functions, locations; then call paths, samples and costs.
 */
struct pk_join {
	struct pk_builder *b, *piece;
	struct pk_copy copy;
	uint32_t *string, *metric, *thread; /* of copy.id: id in piece -> id in b */
	uint32_t threads;                   /* room in thread[]: pk_join_threads makes it */
	int64_t shift;                      /* added to times that are known */
};

/* A builder whose repairs are given by pk_build_repair_line alone: their lines count from the begin
 * of the piece; the rest is set as in `whole`. Nothing that pk_join does not carry over may be
 * built in it. */
struct pk_builder *pk_builder_new_piece(const struct pk_builder *whole);

/* lines: number of lines in the pieces before. */
void pk_join_names(struct pk_join *join, struct pk_builder *b, struct pk_builder *piece,
		   uint64_t lines);
/* Makes join.thread, which maps numbers less than count: threads of a piece may be any numbers. */
void pk_join_threads(struct pk_join *join, uint32_t count);
/* False if a sum did not fit and was cut. */
bool pk_join_facts(struct pk_join *join);
void pk_join_release(struct pk_join *join);
