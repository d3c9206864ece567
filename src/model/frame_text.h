#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/build/builder.h"

/*
 * Names of frames that contain their place, as profilers write them in formats with room for
 * one text only. They are parsed here; label.h makes such texts.
 */
struct pk_frame_text { /* pointers into the text taken apart */
	const char *name, *file;
	size_t name_len, file_len; /* 0 = there is none */
	uint32_t line;             /* 0 = not known */
};

/* py-spy, rbspy's SVG, profkit: "name (file:12)", "name (file)". The parentheses may contain
 * others; a line that is not a number from 1 is unknown. Returns false for other forms. */
bool pk_frame_text_place(const char *text, size_t len, struct pk_frame_text *t);
/* austin: "file:name:12"; parts may be missing, but not both file and name. */
bool pk_frame_text_colons(const char *text, size_t len, struct pk_frame_text *t);
/* rbspy: "name - file:12". */
bool pk_frame_text_dash(const char *text, size_t len, struct pk_frame_text *t);

/* The function that it stands for. A file that is a library becomes the module, "?" becomes none,
 * and the kind of code is guessed from the file's name. The line is that of the location and not
 * part of the function. */
struct pk_function pk_frame_text_function(struct pk_builder *b, const struct pk_frame_text *t);
