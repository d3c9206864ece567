#ifndef PK_FRAME_TEXT_H
#define PK_FRAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/build/builder.h"

/*
 * Names of frames that tell their place as well, as profilers write them where a format has
 * room for one text only. What they say is taken apart here; label.h does the opposite.
 */
struct pk_frame_text { /* pointers into the text taken apart */
	const char *name, *file;
	size_t name_len, file_len; /* 0 = there is none */
	uint32_t line;             /* 0 = not known */
};

/* py-spy, rbspy's SVG, profkit: "name (file:12)", "name (file)". The parentheses at the end may
 * hold others; a line that is no number from 1 is not known. False: not of this form. */
bool pk_frame_text_place(const char *text, size_t len, struct pk_frame_text *t);
/* austin: "file:name:12", where any of the three may be missing, but not file and name. */
bool pk_frame_text_colons(const char *text, size_t len, struct pk_frame_text *t);
/* rbspy: "name - file:12". */
bool pk_frame_text_dash(const char *text, size_t len, struct pk_frame_text *t);

/* The function it stands for. A file that is a library is the module, "?" is none; what can be told
 * of the kind of code from the name of the file is told. The line is that of a location, no part of
 * it.
 */
struct pk_function pk_frame_text_function(struct pk_builder *b, const struct pk_frame_text *t);

#endif
