#pragma once

#include <math.h>
#include <stdint.h>

#include "analysis/hotspots/by_worker.h"
#include "analysis/hotspots/run_stats.h"
#include "analysis/hotspots/span_stats.h"
#include "analysis/pstats/sort.h"
#include "base/error.h"
#include "model/totals.h"

/*
 * The flat table: every function with its calls, self and total. If there are several metrics,
 * functions without a value in this one are left out.
 */
struct pk_hotspot_options {
	struct pk_sort sort;
	const char *match;          /* only functions that match this RE; NULL = all */
	double min_share;           /* only functions with at least this share of the total */
	const struct pk_tree *tree; /* of the profile in the metric; NULL: it is made */
	struct pk_arcs *arcs;       /* made, too; NULL: not asked for */
};

struct pk_hotspots {
	const struct pk_profile *profile;
	uint32_t metric;
	struct pk_functions functions; /* all functions, and the 100 % */
	uint32_t *order;               /* rows of functions, as sorted */
	uint32_t count;                /* number of rows left */
	/* Shown if not NULL. The caller sets it. */
	const struct pk_span_stats *stats;
	const struct pk_by_worker *workers;
	const struct pk_run_stats *runs; /* of a part; then the others are NULL */
};

/* The profile must live as long as the result. -1 for a bad RE. */
int pk_hotspots_init(struct pk_hotspots *h, const struct pk_profile *p, uint32_t metric,
		     const struct pk_hotspot_options *options, struct pk_error *err);
void pk_hotspots_release(struct pk_hotspots *h);

/* True if the function has a value in the metric; with several metrics it may have none. */
bool pk_function_has_value(const struct pk_profile *p, const struct pk_function_total *f);

/* The share of the whole; NaN if one is not known or the whole is 0. */
static inline double pk_share(int64_t value, int64_t whole)
{
	return value == PK_NULL || whole <= 0 ? NAN : (double)value / (double)whole;
}

/* What shares of a metric are of: 0, of which there are none, where the largest value counts, and
 * parts do not add up to it. */
static inline int64_t pk_whole(const struct pk_profile *p, uint32_t metric, int64_t total)
{
	return pk_metric_adds_up(p, metric) ? total : 0;
}

/* True if values below 0, such as memory that was freed, make the whole notably less than its
 * parts: shares are above 100 % and below 0 then. */
bool pk_has_negative(const struct pk_functions *functions);

/* How many times faster the whole gets if the part with this share cost nothing (Amdahl); NaN if
 * there is no bound or the share is negative. */
static inline double pk_speedup_bound(double total_share)
{
	return total_share >= 0 && total_share < 1 ? 1 / (1 - total_share) : NAN;
}
