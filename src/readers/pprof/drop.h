#pragma once

#include "base/text/regex.h"
#include "base/text/str.h"

/*
 * Frames that pprof leaves out with what they call: those whose whole name without arguments
 * matches the expression drop_frames and not keep_frames.
 */
struct pprof_drop {
	struct pk_regex *drop, *keep; /* NULL: none */
};

/* Returns -1 if the expression is not understood. An empty one is ignored. */
int pprof_drop_compile(struct pk_regex **re, const char *text, size_t len);
void pprof_drop_release(struct pprof_drop *d);
bool pprof_drop_matches(const struct pprof_drop *d, const char *name);
