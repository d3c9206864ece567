#pragma once

#include <stdint.h>

#include "analysis/diff/diff.h"
#include "analysis/workers/workers.h"
#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"
#include "model/totals.h"
#include "render/check/check.h"

struct pk_report_file {
	int64_t size; /* bytes; PK_NULL: not known */
	uint32_t crc; /* as zlib's crc32 */
};

/* The comparison with another profile. */
struct pk_report_comparison {
	const struct pk_diff *diff; /* judged */
	enum pk_measure measure;
	const uint32_t *order; /* rows of the difference, in the order in which they are shown */
	uint32_t count;                /* of these */
	uint32_t left;                 /* others that were asked for, but are not shown */
	const struct pk_profile *pair; /* paths of both sides, see pk_pair; NULL: there are none */
	const struct pk_check *check;  /* NULL: there are no rules */
	const char *command;           /* of `check`, as words of a shell; "": none */
	const struct pk_profiles *before;
	const struct pk_report_file *file; /* per run of these */
	const char *options, *files;       /* as below, of `diff` */
};

/*
 * A profile as one HTML page, which needs neither a server nor a network: functions and call
 * paths as columns, and the script that shows them.
 */
struct pk_report {
	const struct pk_profile *profile;
	const struct pk_profiles *runs;    /* as read; only their names and formats count */
	uint32_t metric;                   /* shown first; 0: the profile has no values */
	const struct pk_workers *workers;  /* of these; NULL: there are none */
	const char *words;                 /* lines of the summary */
	const char *options, *files;       /* of the command line, as words of a shell; "": none */
	const char *version;               /* of profkit */
	const struct pk_report_file *file; /* per run */
	/* The next two are called while the page is made, maybe in another thread. Sets `file` and
	 * `workers`; NULL: they are set. */
	void (*beside)(void *data);
	/* The samples of the profile and of the runs are not needed any more, but for the tables of
	 * memory; NULL: they stay. */
	void (*forget)(void *data);
	/* Sets `words` after these, with the functions of the metric that is shown first; NULL:
	 * they are set. */
	void (*tell)(void *data, const struct pk_functions *functions);
	void *beside_data;                             /* of these */
	const struct pk_report_comparison *comparison; /* NULL: with nothing */
	const char *const *source; /* folders of sources, whose lines may be shown */
	size_t sources;
	int threads;       /* so many at once, if there is much to do */
	uint64_t max_size; /* of the page, in bytes: functions and paths are left out as needed */
};

/* Enough for the page itself. */
enum { PK_REPORT_LEAST_SIZE = 256 << 10 };

/* Fails if the page is larger although all parts that can be left out were. */
int pk_report_write(const struct pk_report *r, struct pk_output *out, struct pk_error *err);
