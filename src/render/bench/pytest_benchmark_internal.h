#pragma once

#include "analysis/bench/table.h"
#include "base/text/str.h"
#include "render/bench/pytest_benchmark.h"

/* The columns; those before ops are times. */
enum {
	PYTEST_MIN,
	PYTEST_MAX,
	PYTEST_MEAN,
	PYTEST_STDDEV,
	PYTEST_MEDIAN,
	PYTEST_IQR,
	PYTEST_OPS,
	PYTEST_OUTLIERS,
	PYTEST_ROUNDS,
	PYTEST_ITERATIONS,
	PYTEST_COLUMNS
};

struct pytest_benchmark_column {
	const char *name, *heading;
};
extern const struct pytest_benchmark_column pytest_benchmark_columns[PYTEST_COLUMNS];

struct pytest_line { /* a benchmark of a file */
	const struct pk_benchmarks *list;
	const struct pk_benchmark *row;
	const char *name;
	struct pk_buf fullname, shown, group, outliers; /* group: "" is None */
	double value[PYTEST_COLUMNS];
	const char *written[PYTEST_COLUMNS]; /* as in the file; NULL = value is printed */
	double key;                          /* of the order, with text and second */
	const char *text, *second;
	size_t place;
};

struct pytest_table {
	const struct pk_pytest_benchmark_params *params;
	struct pk_output *out;
	struct pk_bench_table *of_run;
	struct pytest_line *line;
	size_t count, alloc;
	int column[PYTEST_COLUMNS], columns;
	int sort; /* column of which the best value makes the unit */
};

void pytest_benchmark_text(const struct pytest_table *t);
void pytest_benchmark_csv(const struct pytest_table *t);
