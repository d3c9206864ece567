#pragma once

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/*
 * Prints what `python -m pyperf COMMAND FILE...` of pyperf 2.10 prints, of benchmarks of any
 * format; runs are processes.
 */
enum pk_pyperf_view {
	PK_PYPERF_SHOW,
	PK_PYPERF_STATS,
	PK_PYPERF_HIST,
	PK_PYPERF_METADATA,
	PK_PYPERF_CHECK,
	PK_PYPERF_DUMP
};

struct pk_pyperf_params {
	enum pk_pyperf_view view;
	uint32_t metric; /* of the first profile; 0: the first that a benchmark has */
	bool quiet;      /* -q: no warnings of results that may be unstable */
};

/* -1 with err if a profile has no benchmark with values. */
int pk_pyperf_print(const struct pk_profiles *list, const struct pk_pyperf_params *params,
		    struct pk_output *out, struct pk_error *err);

struct pk_pyperf_compare_params {
	uint32_t metric;  /* as of pk_pyperf_params */
	bool table;       /* --table */
	bool markdown;    /* --table-format md */
	bool by_speed;    /* -G */
	double min_speed; /* percent */
	bool verbose, quiet;
};

/* What compare_to prints: the first profile is the reference. */
int pk_pyperf_compare(const struct pk_profiles *list, const struct pk_pyperf_compare_params *params,
		      struct pk_output *out, struct pk_error *err);
