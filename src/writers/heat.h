#pragma once

#include "base/io/output.h"
#include "base/text/str.h"

/*
 * A heat map of very many rows, GPUs or ranks: on the left a column for each step, colored by its
 * time relative to the median of all rows; on the right parts of the time, colored by their share.
 * Thousands of rows share rows of cells, which show the one that is farthest from the median.
 */
struct pk_heat_value {
	int64_t whole,
		own; /* ns: of the step, and the part that is compared; PK_NULL = no such step */
};

struct pk_heat {
	const char *label, *title; /* for screen readers; above the picture */
	const char *what;          /* above the steps: the name of what is compared */
	const char *own;           /* "its own", of a step */
	const char *rows_are;      /* "GPUs" */
	const char *shared, *its;  /* the whole of the shares: "the steps", "its steps" */
	const void *data;          /* for add_name */
	void (*add_name)(struct pk_buf *buf, const void *data, uint32_t row);
	const int64_t *step;               /* numbers, ascending; PK_NULL: all of the run */
	const struct pk_heat_value *value; /* by row and step */
	const char *const *part;           /* names of the parts, of at most two words */
	const double *share;               /* by row and part; NaN = not known */
	uint32_t rows, steps;
	int parts;
};

void pk_heat_draw(const struct pk_heat *heat, struct pk_output *out);
