#ifndef PK_HOTSPOTS_H
#define PK_HOTSPOTS_H

#include <math.h>
#include <stdint.h>

#include "analysis/hotspots/by_worker.h"
#include "analysis/pstats/sort.h"
#include "analysis/hotspots/span_stats.h"
#include "base/error.h"
#include "model/totals.h"

/*
 * The flat table: every function with its calls, self and total. Where there are several metrics,
 * those that have no value of this one are left out.
 */
struct pk_hotspot_options {
	struct pk_sort sort;
	const char *match; /* only functions that match this RE; NULL = all */
	double min_share;  /* only functions with at least this share of the total */
};

struct pk_hotspots {
	const struct pk_profile *profile;
	uint32_t metric;
	struct pk_functions functions; /* all of them, and the 100 % */
	uint32_t *order;               /* rows of functions, as sorted */
	uint32_t count;                /* how many are left */
	/* Shown too; NULL = not. For the caller to set. */
	const struct pk_span_stats *stats;
	const struct pk_by_worker *workers;
};

/* The profile must live as long as the result. -1 for a bad RE. */
int pk_hotspots_init(struct pk_hotspots *h, const struct pk_profile *p, uint32_t metric,
		     const struct pk_hotspot_options *options, struct pk_error *err);
void pk_hotspots_release(struct pk_hotspots *h);

/* Whether a function has anything to do with the metric: of several, it may have another alone. */
bool pk_function_has_value(const struct pk_profile *p, const struct pk_function_total *f);

/* value as a share of the whole: NaN where one is not known or there is no whole. */
static inline double pk_share(int64_t value, int64_t whole)
{
	return value == PK_NULL || whole <= 0 ? NAN : (double)value / (double)whole;
}

/* How many times faster the whole gets if what has this share cost nothing (Amdahl);
 * NaN where that has no bound, and for what made the whole less. */
static inline double pk_speedup_bound(double total_share)
{
	return total_share >= 0 && total_share < 1 ? 1 / (1 - total_share) : NAN;
}

#endif
