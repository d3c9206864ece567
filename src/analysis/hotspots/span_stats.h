#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/totals.h"

/*
 * How long the spans of each function took. A percentile is the duration at place ceil(p / 100
 * * count) in order, so that it always is one that occurred.
 */
struct pk_span_stat { /* ns */
	int64_t count;
	int64_t min, p50, p90, p99, max;
	double mean, deviation; /* that of a sample (n - 1); NaN for one span */
};

struct pk_span_stats {
	struct pk_span_stat *of_function; /* by function; count 0 = no spans */
};

/* Statistics of the spans with costs in this metric. Returns -1 if there are no spans. */
int pk_span_stats_init(struct pk_span_stats *stats, const struct pk_profile *p, uint32_t metric,
		       struct pk_error *err);
void pk_span_stats_release(struct pk_span_stats *stats);

/* Sorts by count, mean, min, p50, p90, p99, max or stddev, largest first; the sort is stable.
 * order: indices of rows. */
bool pk_span_stats_is_key(const char *name);
void pk_span_stats_sort(const struct pk_span_stats *stats, const char *key,
			const struct pk_function_total *rows, uint32_t *order, uint32_t count);
