/*
 * Attributes of the elements of a flame graph: numbers, and the place of a box in one of the ways
 * in which pictures have it.
 *
 *	x="0.0000%" y="69" width="66.6667%" height="15" fg:x="0" fg:w="200"
 */
#include <stdlib.h>
#include <string.h>

#include "readers/flamegraph_svg/attributes.h"

bool svg_get(const struct svg_attributes *a, const char *prefix, const char *name,
	     struct svg_value *value)
{
	for (int i = 0; i < a->count; i++) {
		const xmlChar **item = a->list + (ptrdiff_t)5 * i;

		if (svg_is(item[0], name) &&
		    (prefix ? item[1] && svg_is(item[1], prefix) : !item[1])) {
			value->text = (const char *)item[3];
			value->len = (size_t)(item[4] - item[3]);
			return true;
		}
	}
	return false;
}

bool svg_has_value(const struct svg_attributes *a, const char *name, const char *text)
{
	struct svg_value value;

	return svg_get(a, NULL, name, &value) && value.len == strlen(text) &&
	       !memcmp(value.text, text, value.len);
}

bool svg_get_number(const struct svg_attributes *a, const char *prefix, const char *name,
		    double *number, bool *percent)
{
	struct svg_value value;
	char text[40], *end;

	if (!svg_get(a, prefix, name, &value) || !value.len || value.len >= sizeof(text))
		return false;
	memcpy(text, value.text, value.len);
	text[value.len] = '\0';
	*number = strtod(text, &end);
	*percent = *end == '%';
	return end > text && *number >= -1e15 && *number <= 1e15;
}

bool svg_get_place(const struct svg_attributes *a, struct svg_box *box)
{
	bool percent = false, other;

	if (!svg_get_number(a, NULL, "y", &box->y, &other) ||
	    !svg_get_number(a, NULL, "height", &box->height, &other))
		return false;
	box->measure = SVG_SAMPLES;
	if (svg_get_number(a, "fg", "x", &box->x, &other) &&
	    svg_get_number(a, "fg", "w", &box->width, &other))
		return true;
	if (!svg_get_number(a, NULL, "_orig_x", &box->x, &percent) &&
	    !svg_get_number(a, NULL, "x", &box->x, &percent))
		return false;
	if (!svg_get_number(a, NULL, "_orig_width", &box->width, &percent) &&
	    !svg_get_number(a, NULL, "width", &box->width, &percent))
		return false;
	box->measure = percent ? SVG_PERCENT : SVG_PIXELS;
	return true;
}

const char *svg_mouse_title(struct pk_arena *arena, const struct svg_attributes *a)
{
	struct svg_value value;
	const char *from, *to;
	char *title, *out;

	if (!svg_get(a, NULL, "onmouseover", &value))
		return NULL;
	from = memmem(value.text, value.len, "s('", 3);
	to = from ? memrchr(from, '\'', (size_t)(value.text + value.len - from)) : NULL;
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
