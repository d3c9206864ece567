#pragma once

#include "base/io/input.h"
#include "base/text/str.h"
#include "readers/bench.h"

/* Shared by the files of the reader alone. */

struct gb_counter {
	uint32_t name; /* string */
	double value;
};

/* An object of "benchmarks", a row of CSV. Texts are strings of the builder, 0 = none. Times and
 * coefficients are in `unit`. */
struct gb_row {
	uint32_t name, run_name, unit, label, error;
	uint32_t aggregate, big_o; /* "mean", ..., "BigO", "RMS"; 0 = a repetition */
	bool failed, skipped, fraction;
	int64_t iterations;                  /* PK_NULL */
	double time[2], coefficient[2], rms; /* real and CPU; NaN */
	struct gb_counter *counter;
	size_t counters, counters_alloc;
};

struct google_benchmark {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_bench bench;
	uint32_t time[2]; /* metrics */
	bool *measured;   /* by node: it has values */
	size_t measured_alloc;
	size_t seen, rows; /* with values or a mean */
	bool rounded;      /* numbers have six digits */
};

void pk_gb_row_clear(struct gb_row *row);
/* -1 with err if --strict makes what is odd an error. */
int pk_gb_add_row(struct google_benchmark *g, const struct gb_row *row);

int pk_gb_read_csv(struct google_benchmark *g, struct pk_input *in);
