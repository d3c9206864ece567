#pragma once

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/*
 * Prints what `pytest-benchmark compare FILE...` prints, or what its --csv writes.
 */
struct pk_pytest_benchmark_params {
	const char *sort;     /* min, max, mean, stddev, name or fullname; NULL = min */
	const char *columns;  /* "min,max", NULL = all */
	const char *group_by; /* "group", "fullname,param:n"; NULL = group */
	const char *unit;     /* ns, us, ms, s; NULL = each group has its own */
	const char *match;    /* RE on name, file or class; NULL = all */
	int names;            /* index in pk_pytest_benchmark_names */
	bool csv;
};
/* How benchmarks are named: normal, short, long, trial. */
extern const char *const pk_pytest_benchmark_names[];

int pk_pytest_benchmark_print(const struct pk_profiles *runs,
			      const struct pk_pytest_benchmark_params *params,
			      struct pk_output *out, struct pk_error *err);
