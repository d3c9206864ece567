#ifndef PK_PROGRESS_H
#define PK_PROGRESS_H

#include "base/io/input.h"

/*
 * One line on stderr that says how far reading is; only when stderr is a
 * terminal and the work takes longer than half a second.
 */
void pk_progress_watch(struct pk_input *in);
/* For an input that is watched but read through others: `done` of its bytes are. */
void pk_progress_report(const struct pk_input *in, uint64_t done);
/* Removes the line, if there is one. Call before writing anything to stderr. */
void pk_progress_clear(void);

#endif
