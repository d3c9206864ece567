#ifndef PK_PROFKIT_BASELINE_INTERNAL_H
#define PK_PROFKIT_BASELINE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io/input.h"
#include "base/json/json.h"
#include "base/text/str.h"
#include "model/build/builder.h"

/* Shared by the files of profkit_baseline.c alone. */

enum { MOST_RUNS = 1000 };

struct baseline {
	struct pk_json json;
	struct pk_error *err;
	struct pk_builder *run[MOST_RUNS];
	uint32_t runs, metrics;
	struct pk_buf text[5]; /* of the line: function, module, file, kind */
	int64_t line, metric;
	struct values {
		bool there;
		size_t count;
		int64_t *value; /* MOST_RUNS; count 1 stands for all runs */
	} self, total, calls, primitive;
};

/* Of text. */
enum { FUNCTION, MODULE, FILE_NAME, KIND, SCRATCH };

/* Functions return -1 with a message in b->err. */
int baseline_fail(struct baseline *b, const char *what);
/* Reads a text into buf, 0 at its end. */
int baseline_text(struct baseline *b, struct pk_buf *buf);
/* Reads a number from least to most. */
int baseline_number(struct baseline *b, int64_t least, int64_t most, int64_t *value);
/* Reads the first line, after which b->run has a builder for each of b->runs: the caller's, also
 * after an error. */
int baseline_header(struct baseline *b, struct pk_input *in);

#endif
