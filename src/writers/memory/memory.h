#pragma once

#include "analysis/memory/memory.h"
#include "base/error.h"
#include "base/io/output.h"

/* Draws memory over time as a timeline: by function if every allocation is known, with the small
 * functions joined, and the counters of memory, with a mark at the peak; below the spans of the
 * profile, if it has some. Returns -1 if memory over time is not known. */
int pk_memory_draw(const struct pk_memory *m, const char *title, struct pk_output *out,
		   struct pk_error *err);
