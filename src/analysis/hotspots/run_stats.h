#pragma once

#include "model/profile.h"

/* How the self of each function differs between the runs of a part. A run without the function
 * counts as 0; a run that does not know the metric does not count. Percentiles are the values at
 * place ceil(p / 100 * runs) in order, known to 1 % (model/part/sketch.h). */
struct pk_run_stat {
	int64_t runs;           /* that have the function */
	double mean, deviation; /* that of a sample (runs - 1); NaN for one run */
	int64_t p50, p95, most;
	uint32_t most_in; /* member, 0 = all have the same */
};

/* A run whose total is far from those of the others. */
struct pk_outlier {
	uint32_t member;
	int64_t total;
};

struct pk_run_stats {
	struct pk_run_stat *of_function;
	int64_t runs;   /* that know the metric */
	int64_t median; /* of their totals */
	/* Farther from the median than 5 times the usual distance, and 5 %; the farthest first. */
	struct pk_outlier *outlier;
	uint32_t outliers;
};

void pk_run_stats_init(struct pk_run_stats *stats, const struct pk_profile *part, uint32_t metric);
void pk_run_stats_release(struct pk_run_stats *stats);
