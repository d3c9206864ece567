#pragma once

#include "model/build/internal.h"
#include "model/events/nest.h"

/* Shared by the files of nest.h alone. Spans are numbered from 0 here: row - 1. */

/* How spans that begin at the same time follow each other. */
enum pk_nest_tie {
	PK_NEST_BY_ROW,       /* as in the file: begins and ends alone */
	PK_NEST_LONGEST,      /* longest first, begins before whole spans, then as in the file */
	PK_NEST_LONGEST_LAST, /* longest first, then backwards */
};

/* Groups rows by thread, in the order of rows. order has room for all; first[thread] becomes the
 * place where a thread begins, first[threads] the end. */
void pk_nest_group(const struct pk_span_table *t, const uint32_t *from, uint32_t *order,
		   uint32_t count, uint32_t *first, uint32_t threads);
/* Sorts rows by time. begun: by row, whether it was a begin; NULL = none was. Where the order of
 * rows decides, those from `first` on come first. */
void pk_nest_sort(const struct pk_span_table *t, uint32_t *order, uint32_t count,
		  enum pk_nest_tie tie, const uint8_t *begun, uint32_t first);
/* Puts row order[i] at i, for all columns; there they are grouped by thread. order has all rows
 * except those of thread 0, which are lost. Takes no memory but that of order, which becomes a
 * column or is freed. place: becomes the places of rows, from 1; NULL = not needed. */
void pk_nest_permute(struct pk_builder *b, uint32_t *order, uint32_t count, uint32_t threads,
		     uint32_t **place);
/* Matches the begins and ends of one thread, which are in order of time: sets durations of
 * begins, and as the node of each end the span (from 1) that it ended, or 0. `open` has a zero
 * for each string; last is when the thread was last seen. */
void pk_nest_match(struct pk_nest *nest, const struct pk_span_table *t, uint32_t *order,
		   uint32_t count, uint32_t *open, int64_t last);
