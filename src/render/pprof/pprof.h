#pragma once

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"
#include "model/transform/transform.h"

/* The output of `go tool pprof` (of Go 1.26), byte for byte: -top, -tree, -peek, -traces, -dot.
 * Names are demangled as pprof does; programs are never searched for, so that addresses without a
 * function stay addresses. */
enum pk_pprof_view { PK_PPROF_TOP, PK_PPROF_TREE, PK_PPROF_PEEK, PK_PPROF_TRACES, PK_PPROF_DOT };

struct pk_pprof_params {
	enum pk_pprof_view view;
	uint32_t metric;
	bool cum;                         /* -cum */
	enum pk_granularity granularity;  /* functions, -lines, -addresses or -files */
	bool no_columns;                  /* of addresses, as -noinlines has it */
	int64_t nodes;                    /* -nodecount; 0 = all */
	double fraction;                  /* -nodefraction */
	double edge_fraction;             /* -edgefraction */
	const char *unit;                 /* -unit; NULL = minimum */
	const char *match;                /* of -peek */
	int64_t total;                    /* of percentages; 0 = that of whole */
	const struct pk_profile *whole;   /* before filters: header and percentages refer to this */
	const struct pk_profile *program; /* whose first mapping is named; NULL = whole */
	const char *filters;              /* "   focus=main\n...", NULL = none */
};

/* As of struct pk_selection, but by pprof's rules; labels also without "KEY=". NULL = none. */
struct pk_pprof_filters {
	const char *focus, *ignore, *show, *hide, *show_from, *prune_from;
	struct pk_opt_list labels, no_labels;
	bool no_inlines;
};

/* The profile, with call paths, after the filters; returns -1 with err for a bad expression.
 * *unmatched: as of pk_select. */
int pk_pprof_filter(const struct pk_profile *p, const struct pk_pprof_filters *filters,
		    struct pk_profile **result, const char **unmatched, struct pk_error *err);

/* The sum of absolute values of a metric. */
int64_t pk_pprof_total(const struct pk_profile *p, uint32_t metric);
/* Returns -1 with err for a bad expression, or if nothing matches it. */
int pk_pprof_print(const struct pk_profile *p, const struct pk_pprof_params *params,
		   struct pk_output *out, struct pk_error *err);
