#pragma once

#include <stdint.h>

#include "base/error.h"
#include "base/io/output.h"
#include "model/profile.h"

/*
 * A profile as one HTML page, which needs neither a server nor a network: functions and call
 * paths as columns, and the script that shows them.
 */
struct pk_report {
	const struct pk_profile *profile;
	const struct pk_profiles *runs; /* as read; only their names and formats count */
	uint32_t metric;                /* shown first; 0: the profile has no values */
	const char *words;              /* what the summary says, in lines */
	const char *options, *files;    /* of the command line, as words of a shell; "": none */
	const char *version;            /* of profkit */
	const struct pk_report_file {
		int64_t size;      /* bytes; PK_NULL: not known */
		uint32_t crc;      /* as zlib's crc32 */
	} * file;                  /* per run */
	const char *const *source; /* folders of sources, whose lines may be shown */
	size_t sources;
	uint64_t max_size; /* of the page, in bytes: functions and paths are left out as needed */
};

/* Enough for the page itself. */
enum { PK_REPORT_LEAST_SIZE = 256 << 10 };

/* Fails if the page is larger with nothing left that could be left out. */
int pk_report_write(const struct pk_report *r, struct pk_output *out, struct pk_error *err);
