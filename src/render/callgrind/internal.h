#pragma once

#include <inttypes.h>

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/text/str.h"
#include "render/callgrind/annotate.h"

/* Costs by event; PK_NULL: no line has one, printed as '.'. */
struct annotate_row {
	uint32_t from,
		to;    /* names; of a function: from is its file (string), to its name (string) */
	uint32_t line; /* of a call: 0 = all */
	const char *name;   /* of a function: "file:name" */
	const char *object; /* of a function: NULL = none is known */
	bool has_costs, is_called;
	int64_t calls;
};

struct annotate_rows {
	struct annotate_row *row;
	int64_t *value; /* by row and event */
	struct pk_index index;
	uint32_t count, events;
	size_t alloc, value_alloc;
};

struct annotate {
	const struct pk_profile *p;
	const struct pk_callgrind_annotate *params;
	struct pk_output *out;
	struct pk_buf buf;
	struct pk_arena arena;

	uint32_t *event;   /* metrics */
	const char **name; /* of each, as the file has it */
	int64_t *unit;     /* by which values are divided: what is 1 in the file */
	uint32_t events;
	bool of_yappi, calculated; /* calculated: the file has no summary */
	uint32_t *shown;           /* of the events, in their order */
	uint32_t shown_count;
	uint32_t *of_metric; /* -> event + 1 */
	int64_t *summary;
	int *width;
	int64_t *nothing; /* no costs */

	uint32_t *of_function; /* -> row of functions */
	struct annotate_rows functions, calls, lines;
	bool *shown_file; /* by string */
};

uint32_t annotate_row(struct annotate_rows *rows, uint32_t from, uint32_t to, uint32_t line);
static inline int64_t *annotate_values(const struct annotate_rows *rows, uint32_t row)
{
	return rows->value + (size_t)row * rows->events;
}
/* Adds values that are known. */
void annotate_add(const struct annotate *a, int64_t *sum, const int64_t *value);
/* Adds up functions, calls and lines. */
void annotate_sum(struct annotate *a);
void annotate_release(struct annotate *a);

/* The order of two rows by all events, the largest first. */
int annotate_compare(const struct annotate *a, const int64_t *x, const int64_t *y);
void annotate_fit(const struct annotate *a, const struct annotate_rows *rows, int *width);
void annotate_events(struct annotate *a, const int *width);
void annotate_costs(struct annotate *a, const int64_t *value, const int *width);
void annotate_rule(struct annotate *a);
/* The sources of the files that are shown. */
void annotate_sources(struct annotate *a);
