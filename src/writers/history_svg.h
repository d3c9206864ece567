#pragma once

#include "analysis/history.h"
#include "base/io/output.h"

/* A value over runs and its levels as an SVG picture. */
struct pk_history_plot {
	const struct pk_history *history;
	const int64_t *value;    /* as in the history; PK_NULL is left out */
	const char *const *name; /* of each run */
	size_t count;
	const char *title;
	const char *unit; /* base unit, of which values are 10^-exponent */
	int exponent;
};
void pk_history_draw(const struct pk_history_plot *plot, struct pk_output *out);
