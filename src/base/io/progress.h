#pragma once

#include "base/io/input.h"

/*
 * One line on stderr that shows how far reading is, if stderr is a terminal and the work takes
 * longer than half a second.
 */
void pk_progress_watch(struct pk_input *in);
/* For a watched input that is read through other inputs: `done` bytes of it are read. */
void pk_progress_report(const struct pk_input *in, uint64_t done);
/* The same for many files, `done` of `total`, with the rate and the time left; what: "merging". One
 * thread at a time calls it. */
void pk_progress_count(const char *what, uint64_t done, uint64_t total);
/* Removes the line, if there is one. Call before writing anything to stderr. */
void pk_progress_clear(void);
