#pragma once

#include <stdint.h>

#include "base/error.h"
#include "model/profile.h"

/* A part of a run's time: from <= t < to, ns from its start. */
struct pk_time_range {
	int64_t from, to;
};

/*
 * Reads "A..B", where either may be missing: a number with ns, us, ms, s (also nothing),
 * m or h, or a share of the run's time: "1.5s..2s", "250ms..", "10%..20%".
 */
int pk_time_range_parse(struct pk_time_range *range, const char *text, const struct pk_profile *p,
			struct pk_error *err);
/* What to add to a message about such a range: that a number in it has no unit; "" = it has. */
const char *pk_time_range_advice(const char *text);
/*
 * Reads "N..M", where either may be missing, or "N": the time from the begin of step N to the
 * end of step M, for traces with spans "ProfilerStep#N" as torch's profiler writes them.
 * Errors, also for steps that do not exist, list the existing steps.
 */
int pk_step_range_parse(struct pk_time_range *range, const char *text, const struct pk_profile *p,
			struct pk_error *err);
/* The number of a step from the name of its span; -1 for other names. */
int64_t pk_step_number(const char *name);
/* By function: the number of its step, -1 = not a step. Steps of functions on a GPU are copies and
 * do not count. The caller frees it. */
int64_t *pk_step_numbers(const struct pk_profile *p);
/* True if samples or spans of p have times. */
bool pk_has_times(const struct pk_profile *p);
/* The last known time, or the duration of the run: 100 %; 0 = not known. */
int64_t pk_last_moment(const struct pk_profile *p);
