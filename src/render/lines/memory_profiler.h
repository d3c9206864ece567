#pragma once

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/* Prints the tables of memory_profiler from which the profile was read, byte for byte. Returns -1
 * with err if it was read from something else. */
int pk_memory_profiler_print(const struct pk_profile *p, struct pk_output *out,
			     struct pk_error *err);
