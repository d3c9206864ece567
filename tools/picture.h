#pragma once

#include "analysis/match/match.h"
#include "tools/command.h"
#include "writers/writer.h"

/* Draws a profile with the writer to -o or standard output. With `metric`, it is set to that of -m
 * before, if the profile has it. */
int pk_draw(const struct pk_common *c, const struct pk_writer *writer, const void *params,
	    const char **metric, struct pk_profile *p, struct pk_error *err);
/*
 * Returns -1. If the output is a pipe, a picture with the message (text is XML) is written, so that
 * the reader of the pipe gets one. An existing file is not changed.
 */
int pk_draw_fail(const struct pk_common *c, double width, double fontsize, const char *text,
		 const struct pk_error *err);

/* For pictures of differences: finds the metric asked for on both sides, which must have one unit,
 * and matches functions. side must live as long as the match. */
int pk_match_wanted(const struct pk_common *c, struct pk_match *match,
		    struct pk_profile *const side[PK_SIDES], const struct pk_match_options *options,
		    uint32_t metric[PK_SIDES], struct pk_error *err);
/* A note that the difference is that of sums, if they are of different numbers of runs. */
void pk_note_sums(const struct pk_common *c, const struct pk_loaded *before,
		  const struct pk_loaded *after);

/* -1 with err if -o has a suffix that is not that of SVG, or the output is a terminal. */
int pk_check_svg_name(const struct pk_common *c, struct pk_error *err);
