#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/pstats/sort.h"
#include "base/error.h"
#include "model/totals.h"

/*
 * The callers of functions, or their callees.
 */
struct pk_caller_options {
	bool callees;         /* list callees instead of callers */
	const char *function; /* an exact name, otherwise a handle (pk_function_of_handle),
				 otherwise an RE (see pk_function_matches); NULL = all */
	struct pk_sort sort;  /* order of the functions */
	double min_share;     /* only calls with at least this share of the whole total */
};

struct pk_callers {
	const struct pk_profile *profile;
	uint32_t metric;
	bool callees;
	uint32_t behind; /* the function whose handle is the name that was asked for; 0 = none */
	struct pk_functions functions;
	struct pk_arcs arcs;
	struct pk_caller_group { /* one of the functions asked for */
		const struct pk_function_total *function;
		uint32_t first, count; /* its rows in `order` */
	} * groups;
	uint32_t group_count;
	uint32_t *order; /* rows of arcs, group by group: largest total first */
	uint32_t count;
};

/* The number of pairs of a caller and a callee. The table of edges has a row for each metric and
 * line of a pair, and one for each function itself. */
uint32_t pk_edge_pairs(const struct pk_profile *p);

/* The profile must live as long as the result. Returns -1 for a bad RE, or if no function
 * matches. */
int pk_callers_init(struct pk_callers *c, const struct pk_profile *p, uint32_t metric,
		    const struct pk_caller_options *options, struct pk_error *err);
void pk_callers_release(struct pk_callers *c);
