#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/*
 * Prints what callgrind_annotate of valgrind prints of a callgrind file, byte for byte: with -m
 * only that event. Rows of callers with equal costs are sorted by name; callgrind_annotate has no
 * order for them.
 */
enum pk_callgrind_tree { PK_TREE_NONE, PK_TREE_CALLER, PK_TREE_CALLING, PK_TREE_BOTH };
extern const char *const pk_callgrind_trees[]; /* names, NULL-terminated */

struct pk_callgrind_annotate {
	uint32_t metric;  /* --show, --sort; 0 = all */
	double threshold; /* 0.99 */
	bool inclusive;
	enum pk_callgrind_tree tree;
	bool sources;               /* --auto: the source files of the functions shown */
	int64_t context;            /* lines around those with costs */
	const char *const *folders; /* of sources, see pk_source_find */
	size_t folder_count;
	const char *here; /* the current folder, left out of names of files; NULL */
};
void pk_callgrind_annotate(const struct pk_profile *p, const struct pk_callgrind_annotate *params,
			   struct pk_output *out);
/* Replaces sums of costs by the summary of the file, if the reader kept one and the sums are still
 * those that it kept with it: then the profile was not changed. */
void pk_callgrind_summary(const struct pk_profile *p, int64_t *sum, uint32_t events);
