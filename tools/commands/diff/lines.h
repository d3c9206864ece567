#pragma once

#include "tools/command.h"

/* Options of two sides of lines: `diff --view lines` and `lines A -- B`. */
struct pk_side_lines {
	const char *target;                 /* FUNCTION, SOURCE, SOURCE:LINE or RE; NULL = all */
	struct pk_opt_list sources[2], map; /* folders of sources before and after; see match.h */
	int64_t context;                    /* -1 = not given */
};

/* Shows the lines of both sides, the runs of each added up. The profiles are the caller's. */
int pk_show_side_lines(const struct pk_common *c, const struct pk_side_lines *options,
		       const struct pk_profiles sides[2], struct pk_error *err);
/* Appends "... 12 more functions". */
void pk_say_more_groups(struct pk_buf *footer, uint32_t left, bool files);
/* The number of groups of lines to show: -n; for people by default the first ten. */
uint32_t pk_line_groups(const struct pk_common *c, uint32_t groups);
