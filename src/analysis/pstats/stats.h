#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/build/builder.h"
#include "model/totals.h"

/*
 * Profiles as Python's pstats.Stats holds them: functions are (file, line, name) in the order of
 * its dict, and numbers are those of the files, added in its order, so that sums of times come out
 * the same to the last digit.
 */
struct pk_stats {
	const struct pk_profile *p; /* its functions are named as in Python */
	struct pk_profile *made;    /* that profile, if it had to be made; else NULL */
	struct pk_functions functions;
	struct pk_arcs arcs;
	uint32_t *first; /* after pk_stats_group, per function: its first in arc */
	uint32_t *arc;   /* rows of arcs, those of a function together */
	bool raw;        /* the files have all times themselves; NaN is one that is not finite */
	double scale;    /* values that divided by it are seconds, or 1 of another unit */
};

struct pk_stats_options {
	const char *metric; /* NULL = the first */
	bool callers;       /* false: arcs are left empty */
	bool strip_dirs;    /* as Stats.strip_dirs does */
	/* Changes a function's name and file (texts of b); NULL = nothing. */
	void (*edit)(void *data, struct pk_builder *b, struct pk_function *f);
	void *data;
};

/*
 * Loads profiles as Stats(first, second, third) does: the first, then the others from the last to
 * the second. -1 with err if they cannot be added.
 */
int pk_stats_init(struct pk_stats *s, const struct pk_profiles *list,
		  const struct pk_stats_options *options, struct pk_error *err);
/* Puts together the rows of arcs that have the same callee, or the same caller, in their order. */
void pk_stats_group(struct pk_stats *s, bool by_caller);
void pk_stats_release(struct pk_stats *s);

/* A function, or a function while it was called by one caller. */
struct pk_stats_numbers {
	int64_t nc, cc;  /* all calls, primitive calls */
	double tt, ct;   /* self and total, seconds; NaN = not known */
	bool unknown;    /* the numbers of calls are not known, and 0 here */
	bool only_count; /* of a caller: only nc is known, as the profile module writes it */
};
struct pk_stats_numbers pk_stats_of_function(const struct pk_stats *s, size_t row);
struct pk_stats_numbers pk_stats_of_caller(const struct pk_stats *s, size_t arc);
