#ifndef PK_PICTURE_H
#define PK_PICTURE_H

#include "analysis/match/match.h"
#include "tools/command.h"
#include "writers/writer.h"

/* Draws a profile with the writer to -o or standard output. */
int pk_draw(const struct pk_common *c, const struct pk_writer *writer, const void *params,
	    struct pk_profile *p, struct pk_error *err);
/*
 * Prints the error and returns PK_FAILED. Whoever runs this in a pipeline gets a picture in any
 * case: where there is nothing to draw, one that says so (text is XML). A file that is there
 * already is left as it is.
 */
int pk_draw_fail(const struct pk_common *c, double width, double fontsize, const char *text,
		 const struct pk_error *err);

/* For a picture of what has changed: the metric asked for, of both sides, which must have one unit,
 * and which functions of them are the same. side must live as long as the match. */
int pk_match_wanted(const struct pk_common *c, struct pk_match *match,
		    struct pk_profile *const side[PK_SIDES], const struct pk_match_options *options,
		    uint32_t metric[PK_SIDES], struct pk_error *err);

#endif
