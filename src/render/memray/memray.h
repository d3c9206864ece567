#pragma once

#include <stddef.h>

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/* What memray prints of a capture, by version 1.20; most: as its -n. -1 with err for profiles that
 * do not say it: others than those of memray, and of captures of sums. */
int pk_memray_stats(const struct pk_profile *p, size_t most, struct pk_output *out,
		    struct pk_error *err);
/* What memray summary prints in a terminal of this width; most: rows, as its -r. */
int pk_memray_summary(const struct pk_profile *p, size_t most, int width, struct pk_output *out,
		      struct pk_error *err);
/* What memray tree printed up to version 1.7; most: allocations, as its --biggest-allocs. */
int pk_memray_tree(const struct pk_profile *p, size_t most, struct pk_output *out,
		   struct pk_error *err);
