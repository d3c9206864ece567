#pragma once

#include <stdbool.h>

#include "model/build/builder.h"

/*
 * Names in recordings of XLA's profiler, which come as protocol buffers (xplane.c) and as JSON
 * (readers/chrome/dialects/jax.c).
 */

/* True if the line of a device sums up time of its other lines: "Steps", "XLA Modules". Those of a
 * device with streams do so except for the streams; otherwise "XLA Ops" is the work. */
bool pk_xla_is_sum(const char *line, bool has_streams);
bool pk_xla_is_stream(const char *line);
/* Makes a function of the name of an event, which is in f->name: "$train.py:41 step". */
void pk_xla_function(struct pk_builder *b, bool device, struct pk_function *f);
