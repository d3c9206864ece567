#pragma once

#include "base/error.h"
#include "base/io/input.h"
#include "base/json/json.h"
#include "model/build/builder.h"

/* A baseline that is being read, for the two files of its reader. */
enum { MOST_RUNS = 1000 };
enum { FUNCTION, MODULE, FILE_NAME, KIND, SCRATCH, TEXTS };
enum { SELF, TOTAL, CALLS, PRIMITIVE, VALUES };

struct baseline {
	struct pk_json json;
	struct pk_error *err;
	struct pk_builder *run[MOST_RUNS];
	uint32_t runs, metrics;
	/* Of the line. */
	struct pk_buf text[TEXTS];
	int64_t line, metric;
	bool named; /* has a function */
	struct values {
		bool there;
		size_t count;
		int64_t value[MOST_RUNS]; /* one stands for all runs if count is 1 */
	} values[VALUES];
};

/* baseline.c: fails at the place that was read last. */
int baseline_fail(struct baseline *b, const char *what);
int baseline_text(struct baseline *b, struct pk_buf *buf);
int baseline_number(struct baseline *b, int64_t least, int64_t most, int64_t *value);
/* The place of a name in a list that ends with NULL; -1 if it is not there. */
int baseline_index(const char *const *names, const char *name);

/* header.c: reads the first line and makes the runs. */
int baseline_header(struct baseline *b, struct pk_input *in);
