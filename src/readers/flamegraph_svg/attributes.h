#pragma once

#include <libxml/parser.h>

#include "readers/flamegraph_svg/internal.h"

/* The attributes of an element, as libxml2 hands them to parse.c. */
struct svg_attributes {
	const xmlChar **list; /* name, prefix, namespace, begin, end of the value */
	int count;
};

struct svg_value {
	const char *text;
	size_t len;
};

static inline bool svg_is(const xmlChar *name, const char *word)
{
	return !strcmp((const char *)name, word);
}

/* prefix NULL: an attribute without a namespace. */
bool svg_get(const struct svg_attributes *a, const char *prefix, const char *name,
	     struct svg_value *value);
bool svg_has_value(const struct svg_attributes *a, const char *name, const char *text);
bool svg_get_number(const struct svg_attributes *a, const char *prefix, const char *name,
		    double *number, bool *percent);
/* A zoomed picture that a browser saved keeps what it was in _orig_x, _orig_width. */
bool svg_get_place(const struct svg_attributes *a, struct svg_box *box);
/* The text of onmouseover="s('...')", as in pictures before 2013, or NULL. */
const char *svg_mouse_title(struct pk_arena *arena, const struct svg_attributes *a);
