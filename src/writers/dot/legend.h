#ifndef PK_DOT_LEGEND_H
#define PK_DOT_LEGEND_H

#include "analysis/callgraph/callgraph.h"
#include "base/text/str.h"
#include "writers/dot/dot.h"

/* A value of the graph (seconds, or the metric's unit) for people: "1.23 s". */
void pk_dot_add_value(struct pk_buf *label, const struct pk_profile *p, uint32_t metric,
		      double value);

/* What the picture shows, how to read it, and what was left out, a line each. */
void pk_dot_add_legend(struct pk_buf *label, const struct pk_profile *p, uint32_t metric,
		       const struct pk_callgraph *g, const struct pk_dot_params *params);

#endif
