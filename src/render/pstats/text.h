#pragma once

#include <stdbool.h>

#include "analysis/pstats/sort.h"
#include "base/error.h"
#include "base/io/output.h"
#include "base/opt.h"
#include "model/profile.h"

/*
 * The output of `python -m pstats` for its commands stats, callers and callees, byte for byte, so
 * that programs that parse that text keep working. Names are printed as Python prints them, control
 * characters included; bytes of a file name that cannot be decoded (lone surrogates in the profile)
 * are printed as these bytes.
 */
enum pk_pstats_what { PK_PSTATS_STATS, PK_PSTATS_CALLERS, PK_PSTATS_CALLEES };

struct pk_pstats_params {
	enum pk_pstats_what what;
	const char *metric;  /* name; NULL = the first */
	struct pk_sort sort; /* no keys: the order of the file, which is never reversed */
	bool strip_dirs;
	const char
		*match; /* Python's RE, searched in "file:line(name)", before limit; NULL = all */
	struct pk_opt_limit limit;
	/* Profiles read from these are printed with their date; runs of a store and standard input
	 * are not. */
	char **files;
	int file_count;
};

/* The profiles of list (at least one) are added as pstats.Stats(first, second, ...) does. The
 * output reports a wrong regular expression, as Python's does. Returns -1 with err if the profiles
 * cannot be added. */
int pk_pstats_print(const struct pk_profiles *list, const struct pk_pstats_params *params,
		    struct pk_output *out, struct pk_error *err);
