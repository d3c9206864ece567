#pragma once

#include <stddef.h>

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/* The output of memray 1.20 for a capture; most: as its -n. Returns -1 with err for profiles
 * without these facts: those of other tools, and captures of sums. */
int pk_memray_stats(const struct pk_profile *p, size_t most, struct pk_output *out,
		    struct pk_error *err);
/* The output of memray summary in a terminal of this width; most: rows, as its -r. */
int pk_memray_summary(const struct pk_profile *p, size_t most, int width, struct pk_output *out,
		      struct pk_error *err);
/* The output of memray tree up to version 1.7; most: allocations, as its --biggest-allocs. */
int pk_memray_tree(const struct pk_profile *p, size_t most, struct pk_output *out,
		   struct pk_error *err);
