#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/*
 * Prints what `python -m line_profiler FILE...` prints.
 */
enum pk_line_profiler_version { /* versions in which the text changed */
				PK_LINE_PROFILER_5_1,
				PK_LINE_PROFILER_5_0,
				PK_LINE_PROFILER_4_2,
				PK_LINE_PROFILER_4_0,
				PK_LINE_PROFILER_3_0
};

struct pk_line_profiler_params {
	enum pk_line_profiler_version version;
	bool skip_zero;             /* -z */
	bool summarize;             /* -m */
	bool sort;                  /* -t */
	double unit;                /* -u, in seconds; 0 = as without it */
	const char *const *folders; /* of sources, see pk_source_find */
	size_t folder_count;
};

/* Several profiles are added as 5.1 does it. Returns -1 with err if one was not written by
 * line_profiler. */
int pk_line_profiler_print(const struct pk_profiles *list,
			   const struct pk_line_profiler_params *params, struct pk_output *out,
			   struct pk_error *err);
