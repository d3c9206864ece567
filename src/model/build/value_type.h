#pragma once

#include "model/build/builder.h"

/*
 * A type of value of pprof and OpenTelemetry, "alloc_space" in "bytes", as a metric; name and unit
 * are strings, 0 = none. Times become ns, sizes bytes: values are to be multiplied by *factor. What
 * is in use (inuse_...) is a state.
 */
uint32_t pk_build_value_type(struct pk_builder *b, uint32_t name, uint32_t unit, int64_t *factor);
/* The factor by which values in this unit were multiplied. */
int64_t pk_value_factor(const char *unit);
/* The unit of the file from which the metric was read, and the factor; NULL and 1 if
 * it is that of the metric, or if a value is not whole in it. */
const char *pk_own_unit(const struct pk_profile *p, uint32_t metric, int64_t *factor);
/* Derived meta: the unit of a type in the file, where another one is written. */
#define PK_META_UNIT_OF "unit of "
/* The error of a reader that finds many more frames than the file has bytes. */
#define PK_TOO_MANY_FRAMES                                                                  \
	"the stacks have far more frames than the file has bytes: it repeats locations of " \
	"very many lines"
/* NAME_space is the size of what NAME_objects counts. */
void pk_link_value_types(struct pk_builder *b);
