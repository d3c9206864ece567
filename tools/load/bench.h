#pragma once

#include "render/bench/pytest_benchmark.h"
#include "tools/command.h"

/* The output of hotspots and the summary for benchmarks (pk_is_benchmark): a row for each, with the
 * statistics of its values. */
struct pk_bench_show {
	const char *match; /* RE, or NULL */
	/* For the summary, which also shows the machine: the next commands, with files as given. */
	void (*hints)(struct pk_buf *footer, const char *const *files);
	const char *const *files;
};
int pk_show_benchmarks(const struct pk_common *c, const struct pk_loaded *loaded,
		       const struct pk_bench_show *how, struct pk_error *err);

/* For benchmarks: a message about metrics that only one side has, and that are not compared. */
void pk_note_lone_metrics(const struct pk_common *c, const struct pk_profile *before,
			  const struct pk_profile *after);

/* --like pytest-benchmark. Sort, unit and CSV are those of the common options. */
int pk_show_like_pytest_benchmark(const struct pk_common *c,
				  struct pk_pytest_benchmark_params params, int argc, char **argv,
				  struct pk_error *err);
