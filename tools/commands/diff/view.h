#pragma once

#include "tools/command.h"

/* diff --view tree: the runs of both sides, each added up. The profiles are the caller's. */
int pk_show_diff_tree(const struct pk_common *c, const struct pk_opt_list *map,
		      const struct pk_profiles sides[2], struct pk_error *err);

/* The measure of --measure and -m: -m calls is a measure unless the profile has a metric of that
 * name. *metric is that of pk_diff_options. */
enum pk_measure pk_common_measure(const struct pk_common *c, int measure,
				  const struct pk_profile *p, const char **metric);
