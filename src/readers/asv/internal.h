#pragma once

#include "base/text/str.h"
#include "readers/bench.h"
#include "readers/reader.h"

/* Numbers of a benchmark that are lists over its combinations of parameters. Their names in a file
 * of version 2: asv_columns. */
enum asv_column {
	ASV_RESULT,
	ASV_CI_A,
	ASV_CI_B,
	ASV_Q1,
	ASV_Q3,
	ASV_NUMBER,
	ASV_REPEAT,
	ASV_NUMBERS,
	ASV_PARAMS = ASV_NUMBERS,
	ASV_SAMPLES,
	ASV_STARTED,
	ASV_PROFILE,
	ASV_OTHER,
};

struct asv_list {
	double *value; /* NaN: null, or NaN */
	size_t count, alloc;
};

struct asv_param {       /* of the values of one parameter */
	uint32_t *value; /* strings */
	size_t count, alloc;
};

/* The description of a benchmark in benchmarks.json. */
struct asv_description {
	uint32_t name, unit;    /* strings */
	struct asv_param names; /* of its parameters */
};

struct asv {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_json json;
	struct pk_bench bench;
	struct pk_buf text;

	enum asv_column *column; /* by its place in the file */
	size_t columns, columns_alloc;
	struct asv_description *description;
	size_t descriptions, descriptions_alloc;
	uint32_t *description_of; /* by string, the name: number of the description, from 1 */
	size_t names;

	/* the benchmark that is read */
	uint32_t name; /* string */
	struct asv_list number[ASV_NUMBERS];
	struct asv_list samples, begins; /* begins: by combination, where its samples begin */
	struct asv_param *param;
	size_t params, params_alloc;
	int64_t started; /* of all results: the earliest, in ms; PK_NULL */
	size_t results;
	bool medians;       /* of a benchmark without values: the median stands for the mean */
	bool has_profile;   /* a profile of the benchmark is in the file */
	const char *wanted; /* the benchmark whose profile is read; NULL */
};

/* Reads the next value, "result_columns". */
void asv_use_columns(struct asv *a);
/* The columns of a file that does not name them. */
void asv_usual_columns(struct asv *a);
/* After a key of "results": reads the benchmark, and makes its rows. */
int asv_read_benchmark(struct asv *a);
/* Reads the next value, "params". */
void asv_read_machine(struct asv *a);
/* Reads the next value, an object {"numpy": "1.26"}: meta "requirement.numpy". */
void asv_read_meta(struct asv *a, const char *prefix);
/* After "python" was read as text. */
void asv_read_python(struct asv *a);
/* Reads the profile of a benchmark, and nothing else of the file. */
int asv_read_profile(struct asv *a, const char *text, size_t len);

/* Reads the next value, a list of texts, into p. */
void asv_read_texts(struct asv *a, struct asv_param *p);
/* Reads the file of descriptions beside the results, if there is one. */
void asv_describe(struct asv *a, const struct pk_input *in);
/* After the lists of a benchmark were read: its rows. */
int asv_add_benchmark(struct asv *a);
