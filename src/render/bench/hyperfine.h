#pragma once

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/* Prints what hyperfine 1.15 prints, and what it exports, for the times of benchmarks of any
 * format: those of all profiles together, in the order of the files. */
enum pk_hyperfine_view {
	PK_HYPERFINE_TEXT,
	PK_HYPERFINE_MARKDOWN,
	PK_HYPERFINE_ASCIIDOC,
	PK_HYPERFINE_CSV
};

struct pk_hyperfine_params {
	enum pk_hyperfine_view view;
	const char *metric; /* name; NULL = the first one */
	const char *unit;   /* "ms", "s"; NULL = s from a mean of one second on */
};

int pk_hyperfine_print(const struct pk_profiles *list, const struct pk_hyperfine_params *params,
		       struct pk_output *out, struct pk_error *err);
