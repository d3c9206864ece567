#ifndef PK_CHROME_SLICE_H
#define PK_CHROME_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io/output.h"
#include "model/transform/transform.h"

/*
 * Cuts a file of trace events (JSON) without making a profile of it: the text of events is copied
 * as it is, with all that nobody knows; metadata and what stands beside the events are kept.
 * Memory does not depend on how many events there are, but for 2 bits for each begin and end
 * and 40 bytes for each flow.
 *
 * Of the selection process, thread, category, name, time, step, longer_than and whole are used.
 * Spans that are only partly within the time are cut there, unless they are to stay whole; of
 * flows those are kept whose both ends are.
 */
/* The name of the format. */
extern const char pk_trace_format[];

struct pk_trace_counts {
	uint64_t events, kept; /* metadata not counted */
};

/* True if the file at path is one that can be cut so: a plain file of trace events. */
bool pk_trace_can_slice(const char *path);
/* True if the selection asks for nothing else. */
bool pk_trace_can_select(const struct pk_selection *s);
/* unmatched: as of pk_select. *sorted false: begins and ends are not in the order of time, or there
 * are samples, so that nothing was written, and a profile has to be made. */
int pk_trace_slice(const char *path, const struct pk_selection *s, struct pk_output *out,
		   struct pk_trace_counts *counts, const char **unmatched, bool *sorted,
		   struct pk_error *err);

#endif
