#pragma once

#include "base/text/str.h"
#include "readers/bench.h"
#include "readers/reader.h"

/* The facts of a result besides its values. Names: hyperfine_fact_names. */
enum hyperfine_fact {
	HYPERFINE_MEAN,
	HYPERFINE_STDDEV,
	HYPERFINE_MEDIAN,
	HYPERFINE_USER,
	HYPERFINE_SYSTEM,
	HYPERFINE_MIN,
	HYPERFINE_MAX,
	HYPERFINE_FACTS
};
extern const char *const hyperfine_fact_names[HYPERFINE_FACTS];

struct hyperfine_parameter {
	uint32_t key, text;
};

struct hyperfine_result {
	uint32_t command, name;       /* strings; the name is that of no other result */
	double fact[HYPERFINE_FACTS]; /* NaN: not there */
	size_t time, times;           /* in value */
	size_t memory, memories;
	size_t parameter, parameters;
	char *exit_codes; /* "2, 2, 0"; NULL: all are 0, or not known */
	size_t failed, exits;
};

/* A file as it is read. */
struct hyperfine {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_buf text;
	struct hyperfine_result *result;
	size_t results, results_alloc;
	double *value;
	size_t values, values_alloc;
	struct hyperfine_parameter *parameter;
	size_t parameters, parameters_alloc;
};

struct hyperfine_result *hyperfine_add_result(struct hyperfine *h);
void hyperfine_add_parameter(struct hyperfine *h, uint32_t key, uint32_t text);
/* False unless it is a finite number from 0 on; *number is not to be used then. */
bool hyperfine_number(const char *text, size_t len, double *number);

int hyperfine_read_csv(struct hyperfine *h, struct pk_input *in);
