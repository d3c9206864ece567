#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/io/output.h"
#include "base/text/str.h"

/*
 * What all pictures in SVG share. A picture collects in buf, to which other functions may append
 * too, and goes to out from there.
 */
struct pk_svg {
	struct pk_output *out;
	bool ascii; /* the encoding declared is not UTF-8: write references for other characters */
	struct pk_buf buf;
};

/* Markup, as it is: mostly a literal, the length of which is known where this is compiled. */
static inline __attribute__((always_inline)) void pk_svg_put(struct pk_svg *svg, const char *markup)
{
	size_t len = strlen(markup);

	if (__builtin_constant_p(len)) {
		memcpy(pk_buf_room(&svg->buf, len), markup, len + 1);
		svg->buf.len += len;
	} else {
		pk_buf_add(&svg->buf, markup, len);
	}
}
/* Text, escaped for an element or an attribute. */
void pk_svg_text(struct pk_svg *svg, const char *text);
void pk_svg_text_len(struct pk_svg *svg, const char *text, size_t len);

/* Markup with values in it: %s markup and %t text (const char *), %p px to hundredths and %q a
 * share as percent to 6 decimals (double), %c a color (uint32_t), %% a '%'. */
void pk_svg_format(struct pk_svg *svg, const char *format, ...);

void pk_svg_uint(struct pk_svg *svg, uint64_t value);
/* "1,234" and the words for one or for more. */
void pk_svg_count(struct pk_svg *svg, uint64_t count, const char *one, const char *more);
/* value * 10^-places, without zeros at the end. */
void pk_svg_scaled(struct pk_svg *svg, uint64_t value, int places);
void pk_svg_px(struct pk_svg *svg, double px);       /* to hundredths */
void pk_svg_rgb(struct pk_svg *svg, uint32_t color); /* "#rrggbb" */

/* ' NAME="VALUE"' */
void pk_svg_attr(struct pk_svg *svg, const char *name, const char *text);
void pk_svg_line(struct pk_svg *svg, double x1, double y1, double x2, double y2);

/* Appends as much of a text as fits into so many columns of letters, with ".." at its end or at its
 * begin if something is missing. Appends nothing if that would be less than three letters. */
void pk_svg_fit(struct pk_buf *buf, const char *text, size_t len, size_t columns, bool at_end);

#define PK_SVG_FONT "Verdana"
/* The background of pictures that have no other. */
#define PK_SVG_TOP 0xFFFFFF
#define PK_SVG_BOTTOM 0xF2F4F8

struct pk_svg_head {
	double width, height; /* px */
	const char *encoding; /* NULL = UTF-8 */
	bool links;           /* boxes may be links */
	const char *font;     /* PK_SVG_FONT, for which others may stand in; NULL = the same */
	double font_size;
	const char *fill;  /* of texts; NULL = black, and light on a dark background */
	const char *role;  /* "img", or "group" where a script makes boxes reachable by keyboard */
	const char *label; /* for screen readers */
};
/* Begins the picture: its first tag, which is left open for more attributes. */
void pk_svg_begin(struct pk_svg *svg, const struct pk_svg_head *head);
/* Opens <defs> with the background, whose colors are those of a light scheme. */
void pk_svg_begin_defs(struct pk_svg *svg, uint32_t top, uint32_t bottom);
/* Closes <style> and <defs>, and fills the background. For users who prefer a dark scheme it is
 * dark if `dark` is true, and texts outside of boxes are light if light_text is, too. */
void pk_svg_end_defs(struct pk_svg *svg, bool dark, bool light_text);
/* Writes the collected text if it is long: called now and then by writers of many boxes. */
void pk_svg_flush(struct pk_svg *svg);
/* Ends the picture, writes and releases it. */
void pk_svg_end(struct pk_svg *svg);
