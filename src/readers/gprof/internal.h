#pragma once

#include "readers/reader.h"

enum gprof_state { OUTSIDE, FLAT_HEADER, FLAT, GRAPH };

struct gprof_sums { /* of a function */
	int64_t self, total, calls, primitive;
	bool in_flat, in_graph, in_cycle;
};

struct gprof_arc {
	uint32_t caller, callee;               /* functions */
	uint32_t caller_number, callee_number; /* of the file; 0 = none */
	int64_t self, total, calls;            /* PK_NULL = not known */
};

struct gprof {
	struct pk_builder *b;
	struct pk_error *err;
	uint64_t line;
	uint32_t metric;
	int64_t factor;   /* values in what the columns count */
	int64_t per_call; /* the same of the columns by call; 0 = there are none */
	enum gprof_state state;
	bool any, cycles;
	struct gprof_sums *sums; /* by function */
	size_t sums_alloc;
	struct gprof_arc *arc; /* of the whole file */
	size_t arcs, arc_alloc;
	size_t entry;              /* the first arc of the entry that is read */
	uint32_t function, number; /* of the entry; 0: its line was not met yet */
	bool skipped;              /* the entry is that of a cycle */
};

struct gprof_text {
	const char *at, *end;
};
void gprof_skip_blanks(struct gprof_text *t);
/* A number with a point, and a blank behind it. */
bool gprof_take_value(struct gprof_text *t, int64_t *value);
/* "228", "228/300", "60+381": the number behind the sign is 0 where there is none. */
bool gprof_take_count(struct gprof_text *t, int64_t *count, char *sign, int64_t *second);
/* The function that the rest of a line names; 0 if there is no name. *number is its own, "[12]",
 * *line that of -l; 0 = none. */
uint32_t gprof_take_function(struct gprof *r, struct gprof_text *t, uint32_t *number,
			     uint32_t *line);

/* Makes edges of what was read. */
void gprof_push_edges(struct gprof *r);
