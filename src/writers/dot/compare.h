#ifndef PK_DOT_COMPARE_H
#define PK_DOT_COMPARE_H

#include "writers/dot/dot.h"

/* The graphs of both sides of params->match as one drawing. A function or call is drawn if the
 * options leave it in on either side; its numbers are those of the whole graphs. */
int pk_dot_compare(const struct pk_dot_params *params, struct pk_output *out, struct pk_error *err);

#endif
