#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/build/builder.h"

/*
 * Makes call paths of intervals: which span encloses which, per thread.
 *
 * A reader of a timeline adds spans (pk_build_span) in the order of its file, with the number of
 * a label (from 1) in place of the node, and times in any order. Duration PK_NEST_BEGIN says
 * that the span ends with a row of duration PK_NEST_END, which may have no label (0: it ends
 * what is innermost). pk_nest then
 *
 *   - matches begins and ends per thread, in order of time, ties in order of rows: an end closes
 *     the innermost open span of its name, and what is open above it. An end without a name
 *     closes the innermost. What is open at last ends with its thread (last time seen there);
 *   - sorts the spans as profile.h has them: by thread, time, longest first, row;
 *   - finds for each the span that encloses it, by the rule of its thread, and gives it the node
 *     of its path;
 *   - adds the cost of paths: their exact self time and calls, in the thread's metric. At every
 *     moment the span that began last is running, so that the self times of a thread add up to
 *     the time in which it has spans at all.
 *
 * A reader that calls pk_nest_begin and pk_nest_end gets the same from fewer rows: most ends are
 * matched as they are read, and need none.
 */
#define PK_NEST_BEGIN INT64_MIN
#define PK_NEST_END (INT64_MIN + 1)
#define PK_NEST_MATCHED (INT64_MIN + 2) /* a begin whose end is known: this + the duration */

static inline bool pk_nest_is_matched(int64_t duration)
{
	return duration >= PK_NEST_MATCHED && duration < INT64_MIN / 2;
}

/*
 * The spans of a thread that are open while a file is read. Zero-initialise to begin. The rows of
 * open spans have the number of the next outer one as their duration, until they are closed or
 * pk_nest_end_matching is called, which has to be before anything else looks at the durations.
 */
struct pk_nest_open {
	int64_t last, last_begin; /* times of its last row, and of its last begin */
	uint32_t row;             /* the innermost open span; 0 = none */
	bool off;                 /* ends are no longer matched, but get rows */
	bool any;                 /* some were matched */
	bool unmatch;             /* those must get their rows again: pk_nest_thread.unmatch */
};
/* Add a row as pk_build_span does, and return it. `bare`: nothing refers to the row of this end;
 * then the row may be that of the begin. */
uint32_t pk_nest_begin(struct pk_nest_open *o, struct pk_builder *b, int64_t time, uint32_t thread,
		       uint32_t label, uint32_t category);
uint32_t pk_nest_end(struct pk_nest_open *o, struct pk_builder *b, int64_t time, uint32_t thread,
		     uint32_t label, uint32_t category, bool bare);
/* Leaves all spans that are open to pk_nest. */
void pk_nest_end_matching(struct pk_nest_open *o, struct pk_builder *b);

enum pk_nest_rule {
	/* A span that ends after the span that would enclose it, by more than the slack (up to the
	   slack it is shortened), goes to a lane: another thread with the same process and number,
	   the next incarnation, and a name that tells it. */
	PK_NEST_CLOSED,
	/* Such a span ends the span that it overlaps, as a caller: its parent is the innermost span
	   that encloses it as a whole. Times do not change, and there are no lanes. */
	PK_NEST_ENCLOSING,
};

struct pk_nest_label {
	uint32_t name;     /* string that begins and ends are matched by */
	uint32_t location; /* location of its node; 0: the span is dropped */
};

struct pk_nest_thread { /* zeroed: PK_NEST_CLOSED, metric 1 */
	enum pk_nest_rule rule;
	uint32_t metric; /* metric of its self time; 0 = 1 */
	bool no_cost;    /* its spans repeat time of other threads */
	bool last_outer; /* of equal spans the last row is the outer one: files in the order of
			    ends */
	bool unmatch;    /* ends that were matched while reading are matched again */
};

struct pk_nest_counts { /* Repairs; times are of the first one, PK_NULL = none. */
	int64_t unmatched, misnested, unfinished, overlapping, shortened;
	int64_t first_unmatched, first_misnested, first_unfinished, first_overlapping,
		first_shortened;
	int64_t longest_overlap; /* ns */
};

struct pk_nest {
	const struct pk_nest_label *labels;   /* by number; [0] is not used */
	const struct pk_nest_thread *threads; /* by thread; beyond thread_count: zeroed */
	size_t thread_count;
	int64_t slack;    /* ns */
	bool sampled;     /* spans are not calls, so calls are not known */
	bool wants_place; /* `place` is needed */
	/* Results. */
	/* By old row: the new row, for an end that of its begin; 0 = dropped. NULL unless
	 * wants_place, and where no row was moved. The caller frees it. See pk_nest_place. */
	uint32_t *place;
	size_t place_count;
	struct pk_nest_counts counts;
	/* Threads from first_lane on are lanes: the thread that each belongs to. The caller frees
	 * it. */
	uint32_t *lane_of, first_lane, lane_count, lane_alloc;
};
/* The metrics must exist. Takes 4 bytes per span besides the table (8 with places, if rows are
 * dropped). */
void pk_nest(struct pk_nest *nest, struct pk_builder *b);

/* The new row of an old one; 0 = dropped. For nestings with wants_place. */
static inline uint32_t pk_nest_place(const struct pk_nest *nest, uint32_t row)
{
	if (row >= nest->place_count)
		return 0;
	return nest->place ? nest->place[row] : row;
}

/* By row: the span that called each span; 0 = none. Linear in rows. The caller frees it. */
uint32_t *pk_span_parents(const struct pk_profile *p);
