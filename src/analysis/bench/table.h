#pragma once

#include "analysis/bench/bench.h"
#include "base/error.h"

/*
 * Benchmarks sorted by a statistic, those of one group together. The groups are in the order of
 * their first benchmark.
 */
struct pk_bench_line {
	const struct pk_benchmark *row;
	const char *group; /* "" = none */
};

struct pk_bench_table {
	struct pk_benchmarks list;
	struct pk_bench_line *line;
	uint32_t count, groups;
	bool files, modules; /* benchmarks are of more than one */
};

#define PK_BENCH_SORTS "mean, median, min, max, stddev, iqr, rounds, outliers, name"

struct pk_bench_options {
	const char *sort; /* one of PK_BENCH_SORTS, or self, total, calls; NULL = mean */
	bool reverse;
	const char *match; /* only benchmarks whose name, file or module matches; NULL = all */
};

/* The profile must live as long as the table. -1 for a bad RE or order. */
int pk_bench_table_init(struct pk_bench_table *t, const struct pk_profile *p, uint32_t metric,
			const struct pk_bench_options *options, struct pk_error *err);
void pk_bench_table_release(struct pk_bench_table *t);
