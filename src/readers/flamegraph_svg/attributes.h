#pragma once

#include "readers/flamegraph_svg/internal.h"

/* The attributes of an element, as expat hands them to parse.c. */
struct svg_attributes {
	const char **list; /* name, value, name, value, ..., NULL */
};

/* The value, or NULL. A name has its namespace as it is written: "fg:x". */
const char *svg_get(const struct svg_attributes *a, const char *name);
bool svg_has_value(const struct svg_attributes *a, const char *name, const char *text);
bool svg_get_number(const struct svg_attributes *a, const char *name, double *number,
		    bool *percent);
/* A zoomed picture that a browser saved keeps what it was in _orig_x, _orig_width. */
bool svg_get_place(const struct svg_attributes *a, struct svg_box *box);
/* The text of onmouseover="s('...')", as in pictures before 2013, or NULL. */
const char *svg_mouse_title(struct pk_arena *arena, const struct svg_attributes *a);
