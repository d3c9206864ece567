#ifndef PK_BASELINE_H
#define PK_BASELINE_H

#include <stdint.h>

#include "analysis/diff/diff.h"

/* The baseline file of `profkit check`, as format profkit-baseline. */

/* Writes runs as the baseline, with the kind of this machine ("Linux x86_64") where they do not
 * say what they ran on. */
int pk_baseline_write(const char *path, const struct pk_profiles *list, struct pk_error *err);

/*
 * Writes the runs before once more, with the values lowered that are certainly better after: by
 * the ratio of the medians, the machine taken out, so that a faster machine lowers nothing and the
 * runs still scatter as they did; counts become what they are after. memory: the metric in bytes,
 * may be the same diff, or NULL. *lowered is the number of functions; the file is left alone if it
 * is 0.
 */
int pk_baseline_lower(const char *path, const struct pk_diff *d, const struct pk_diff *memory,
		      uint32_t *lowered, struct pk_error *err);

#endif
