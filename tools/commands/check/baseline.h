#pragma once

#include <stdint.h>

#include "analysis/diff/diff.h"

/* The baseline file of `profkit check`: format profkit-baseline, of benchmarks, which need all their
 * values, a store. */
const char *pk_baseline_format(const struct pk_profiles *list);

/* Writes runs as the baseline. Runs that do not name their host get the kind of this machine
 * ("Linux x86_64"). */
int pk_baseline_write(const char *path, const struct pk_profiles *list, struct pk_error *err);

/*
 * Writes the baseline again with lower values for functions that certainly improved: times by
 * the ratio of the medians, with the machine factor removed, so that a faster machine lowers
 * nothing and the runs scatter as before; counts become those after. memory: the difference in
 * the metric of bytes; it may be the same, or NULL. *lowered is the number of functions; if it
 * is 0, nothing is written.
 */
int pk_baseline_lower(const char *path, const struct pk_diff *d, const struct pk_diff *memory,
		      uint32_t *lowered, struct pk_error *err);
