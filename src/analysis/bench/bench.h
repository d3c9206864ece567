#pragma once

#include "base/num/hash.h"
#include "model/profile.h"

/*
 * Results of benchmarks (struct pk_value_table): a row for each benchmark and metric that has its
 * values, and their statistics. Times are in seconds, other metrics in their unit.
 */
struct pk_benchmark {
	uint32_t node, metric;
	uint32_t cost;       /* row of the cost, whose labels are group and parameters */
	uint32_t count;      /* values without warm-ups; 0 = the file has a summary alone */
	const double *value; /* in the order of the file */
};

struct pk_benchmarks {
	const struct pk_profile *profile;
	struct pk_benchmark *row; /* in the order of the file */
	uint32_t count;
	uint32_t summaries;     /* rows without values */
	double *copied;         /* values of rows that do not stand together in the file */
	struct pk_index index;  /* (node, metric) -> row + 1 */
	uint32_t *fact, *after; /* by node its last argument; by argument the one before it */
};

/* Lists the benchmarks in all metrics (metric 0) or in one. The profile must live as long as the
 * result. */
void pk_benchmarks_init(struct pk_benchmarks *list, const struct pk_profile *p, uint32_t metric);
void pk_benchmarks_release(struct pk_benchmarks *list);
/* NULL if there is none. */
const struct pk_benchmark *pk_benchmarks_find(const struct pk_benchmarks *list, uint32_t node,
					      uint32_t metric);
/* A fact that the file gives about the benchmark (pk_bench_fact); NULL if it does not give it. */
const char *pk_benchmark_fact(const struct pk_benchmarks *list, uint32_t node, const char *key);
/* The same as a number; NaN if there is none. */
double pk_benchmark_number(const struct pk_benchmarks *list, uint32_t node, const char *key);
/* Its group or a parameter; NULL if it has none. */
const char *pk_benchmark_label(const struct pk_benchmarks *list, const struct pk_benchmark *row,
			       const char *key);

/* Unknown values are NaN or PK_NULL. Mean and deviation are correct to the last digit but one. */
struct pk_bench_stats {
	int64_t count;
	double mean, stddev; /* of a sample (n - 1); of one value 0 */
	double median, min, max;
	double q1, q3; /* medians of the lower and upper half, as pytest-benchmark has them */
	int64_t outside_stddev,
		outside_fences; /* of mean +- stddev; of q1 and q3 +- 1.5 * (q3-q1) */
};

/*
 * The statistics of the values. If there are no values, those that the file gives: the mean, and
 * facts named "count", "stddev", "median", "min", "max", "q1", "q3", "outside_stddev",
 * "outside_fences", for metrics other than the first with the name of the metric in front
 * ("size.min").
 */
void pk_bench_describe(const struct pk_benchmarks *list, const struct pk_benchmark *row,
		       struct pk_bench_stats *stats);
/* The same of any values. */
void pk_bench_describe_values(const double *value, size_t count, struct pk_bench_stats *stats);
double pk_bench_mean_of(const double *value, size_t count);
