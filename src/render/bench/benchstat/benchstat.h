#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/io/output.h"
#include "model/transform/transform.h"

/* A column of the table: some runs that are compared with others. */
struct pk_bench_side {
	const char *name;
	struct pk_profiles runs;
};

struct pk_benchstat_params {
	const char *metric; /* only this one; NULL = all */
	const char *match;  /* RE: only benchmarks of such names; NULL = all */
	const char *row;    /* key whose values are the rows; NULL = .fullname */
	const char *column; /* key whose values are the sides instead of files; NULL = .file */
	double alpha, confidence;
	bool csv;
};

/* The tables that benchstat prints of these sides: one for each configuration and unit. *notes: the
 * lines that it prints on standard error. */
int pk_benchstat_print(const struct pk_bench_side *sides, size_t count,
		       const struct pk_benchstat_params *params, struct pk_output *out,
		       struct pk_buf *notes, struct pk_error *err);
