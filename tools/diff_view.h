#ifndef PK_DIFF_VIEW_H
#define PK_DIFF_VIEW_H

#include "command.h"

/* diff --view tree: the runs of both sides, each added up. The profiles are the caller's. */
int pk_show_diff_tree(const struct pk_common *c, const struct pk_opt_list *map,
		      const struct pk_profiles sides[2], struct pk_error *err);

#endif
