#pragma once

#include "analysis/diff/diff.h"

/*
 * A value of each of many runs, with functions matched as pk_diff does it with one of the runs as
 * the side after. Runs are added one after the other; only runs that name functions are kept.
 * Benchmarks, parts, and runs whose metrics differ are left to pk_diff.
 */
struct pk_series_options {
	struct pk_match_options match;
	const char *metric; /* by name; NULL = the first */
	enum pk_measure measure;
	bool functions; /* values of functions are wanted, too, not only those of the runs */
};

struct pk_series {
	struct pk_series_options o;
	struct pk_match match; /* after pk_series_end */
	struct pk_matcher *matcher;
	struct pk_profiles kept;
	struct pk_series_run {
		int64_t whole; /* PK_NULL: calls are not known */
		size_t first;  /* of its values, which end where those of the next run begin */
		enum pk_side side;
		uint8_t exponent;
	} * run;
	uint32_t count; /* runs */
	size_t alloc;
	struct pk_series_values {
		uint32_t *item; /* number of pk_match_add */
		int64_t *value;
		size_t count, item_alloc, value_alloc;
	} values;
	bool *estimated[PK_SIDES]; /* by item: a value is estimated */
	size_t estimated_alloc[PK_SIDES];
	uint32_t metric; /* of the run after */
	int exponent;
	enum pk_exactness exactness;
};

int pk_series_begin(struct pk_series *s, const struct pk_series_options *options,
		    struct pk_error *err);
/* Adds a run, which the series then owns. Returns false if runs of this kind are left to
 * pk_diff. */
bool pk_series_add(struct pk_series *s, struct pk_profile *p, enum pk_side side);
/* After the last run. Returns false if it has no function of the others. */
bool pk_series_end(struct pk_series *s);
/* The value of a function of the match, or of the whole (function 0): 0 if the run does not have
 * it, PK_NULL for calls that are not known. */
int64_t pk_series_value(const struct pk_series *s, uint32_t run, uint32_t function);
bool pk_series_is_estimated(const struct pk_series *s, uint32_t function);
void pk_series_release(struct pk_series *s);
