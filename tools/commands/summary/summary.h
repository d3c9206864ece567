#pragma once

#include "analysis/sampling.h"
#include "analysis/workers/workers.h"
#include "tools/table.h"

/* What is known before; NULL: it is found. */
struct pk_summary_known {
	const struct pk_functions *functions; /* of the metric */
	const struct pk_workers *workers;     /* of the runs */
	const struct pk_sampling *sampling;   /* of the metric, of so many samples */
	uint32_t samples;
	bool page; /* for a page, in which options make no sense */
};
/* Appends the facts of `summary` above the functions, a line each. */
void pk_summary_title(struct pk_buf *title, const struct pk_table_frame *frame,
		      const struct pk_summary_known *known);
/* How the profile was sampled: as the workers of its run know it, or in `own`, which the caller
 * releases. */
const struct pk_sampling *pk_summary_sampling(struct pk_sampling *own, const struct pk_profile *p,
					      uint32_t metric, const struct pk_workers *workers);
/* Appends commands to try next, with the options `words` (each with a blank before it) and the
 * files, a line each: for people as a list with a heading, otherwise with a comment that says what
 * each shows. hottest: the function whose callers are shown; NULL. */
void pk_summary_hints(struct pk_buf *footer, const char *hottest, const struct pk_hotspots *h,
		      const char *words, const char *const *files, bool people);
#define PK_LINES_INCLUDE "the time of a line includes the functions it calls"
/* True if the file has times of lines, which are no call paths. */
bool pk_summary_of_lines(const struct pk_profile *p);
bool pk_summary_has_gpu(const struct pk_profile *p);

/* The functions that show the loaded data: the only difference between `summary` and `brief`.
 * `files` ends with NULL. */
struct pk_summary_form {
	int (*show)(const struct pk_common *c, const struct pk_loaded *loaded,
		    const struct pk_hotspots *h, const char *const *files, struct pk_error *err);
	int (*show_benchmarks)(const struct pk_common *c, const struct pk_loaded *loaded,
			       const char *const *files, struct pk_error *err);
};

int pk_summary_run(const struct pk_common *c, int argc, char **argv,
		   const struct pk_summary_form *form, struct pk_error *err);
int pk_summary_start(void *params, struct pk_error *err);
