/*
 * Attributes of the elements of a flame graph: numbers, and the place of a box in one of the ways
 * in which pictures have it.
 *
 *	x="0.0000%" y="69" width="66.6667%" height="15" fg:x="0" fg:w="200"
 */
#include <stdlib.h>
#include <string.h>

#include "readers/flamegraph_svg/attributes.h"

enum { LONGEST_NUMBER = 39 };

const char *svg_get(const struct svg_attributes *a, const char *name)
{
	for (const char **item = a->list; *item; item += 2) {
		if (!strcmp(item[0], name))
			return item[1];
	}
	return NULL;
}

bool svg_has_value(const struct svg_attributes *a, const char *name, const char *text)
{
	const char *value = svg_get(a, name);

	return value && !strcmp(value, text);
}

bool svg_get_number(const struct svg_attributes *a, const char *name, double *number, bool *percent)
{
	const char *value = svg_get(a, name);
	char *end;

	if (!value || strlen(value) > LONGEST_NUMBER)
		return false;
	*number = strtod(value, &end);
	*percent = *end == '%';
	return end > value && *number >= -1e15 && *number <= 1e15;
}

bool svg_get_place(const struct svg_attributes *a, struct svg_box *box)
{
	bool percent = false, other;

	if (!svg_get_number(a, "y", &box->y, &other) ||
	    !svg_get_number(a, "height", &box->height, &other))
		return false;
	box->measure = SVG_SAMPLES;
	if (svg_get_number(a, "fg:x", &box->x, &other) &&
	    svg_get_number(a, "fg:w", &box->width, &other))
		return true;
	if (!svg_get_number(a, "_orig_x", &box->x, &percent) &&
	    !svg_get_number(a, "x", &box->x, &percent))
		return false;
	if (!svg_get_number(a, "_orig_width", &box->width, &percent) &&
	    !svg_get_number(a, "width", &box->width, &percent))
		return false;
	box->measure = percent ? SVG_PERCENT : SVG_PIXELS;
	return true;
}

const char *svg_mouse_title(struct pk_arena *arena, const struct svg_attributes *a)
{
	const char *value = svg_get(a, "onmouseover"), *from, *to;
	char *title, *out;

	from = value ? strstr(value, "s('") : NULL;
	to = from ? strrchr(from, '\'') : NULL;
	if (!to || to < from + 3)
		return NULL;
	title = out = pk_arena_copy(arena, from + 3, (size_t)(to - from - 3));
	for (const char *at = title; *at; at++) {
		if (*at == '\\' && at[1])
			at++;
		*out++ = *at;
	}
	*out = '\0';
	return title;
}
