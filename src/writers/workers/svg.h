#ifndef PK_WORKERS_SVG_H
#define PK_WORKERS_SVG_H

#include "analysis/workers/workers.h"
#include "base/io/output.h"

/*
 * Workers over time as an SVG picture, drawn as a timeline: a lane for each (of many, for several
 * that follow each other: what most of them did), colored by what became of its time; below them
 * how many were useful, and how many would have been if all had done the same. A profile without
 * times has its sums instead, side by side.
 * -1 where there are no workers.
 */
int pk_workers_draw(const struct pk_workers *w, const char *title, struct pk_output *out,
		    struct pk_error *err);

#endif
