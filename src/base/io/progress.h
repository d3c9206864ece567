#pragma once

#include "base/io/input.h"

/*
 * One line on stderr that shows how far reading is, if stderr is a terminal and the work takes
 * longer than half a second.
 */
void pk_progress_watch(struct pk_input *in);
/* For a watched input that is read through other inputs: `done` bytes of it are read. */
void pk_progress_report(const struct pk_input *in, uint64_t done);
struct pk_progress {
	uint64_t files, bytes;
};
/* The same for many files, of which some are done; what: "merging". The first call, before anything
 * is done, starts the clock of the rate. One thread at a time calls it. */
void pk_progress_files(const char *what, const struct pk_progress *done,
		       const struct pk_progress *all);
/* Removes the line, if there is one. Call before writing anything to stderr. */
void pk_progress_clear(void);
