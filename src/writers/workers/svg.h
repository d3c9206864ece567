#pragma once

#include "analysis/workers/workers.h"
#include "base/io/output.h"

/*
 * Workers over time as an SVG picture, drawn as a timeline. Each worker has a lane, colored by the
 * part that the time belongs to; more than 64 workers share lanes, which show what most of their
 * workers did. Below are the number of useful workers, and what it would be if the work were shared
 * without loss. For a profile without times, lanes show sums side by side.
 * -1 if there are no workers.
 */
int pk_workers_draw(const struct pk_workers *w, const char *title, struct pk_output *out,
		    struct pk_error *err);
