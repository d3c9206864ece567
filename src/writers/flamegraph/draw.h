#ifndef PK_FLAME_DRAW_H
#define PK_FLAME_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io/output.h"
#include "base/text/str.h"
#include "writers/flamegraph/color.h"

/* Pieces of pictures that flame graphs and timelines share; all append to buf. */

void pk_flame_uint(struct pk_buf *buf, uint64_t value);
/* value * 10^-places, without zeros at the end. */
void pk_flame_scaled(struct pk_buf *buf, uint64_t value, int places);
void pk_flame_px(struct pk_buf *buf, double px);       /* to hundredths */
void pk_flame_rgb(struct pk_buf *buf, uint32_t color); /* "#rrggbb" */
/* As much of text as fits into so many columns of letters, ".." where something is missing: at
 * its end or at its begin. Nothing where that would be less than three letters. */
void pk_flame_fit(struct pk_buf *buf, const char *text, size_t len, size_t columns, bool at_end);

/* The gradient of the background, for <defs>. */
void pk_flame_gradient(struct pk_buf *buf, const struct pk_flame_background *background);
/* Opens <style>: what the script needs, and the color of what a search found. */
void pk_flame_styles(struct pk_buf *buf, const char *search_color);
/* A dark background where people want that; text: texts outside of boxes become light, too. */
void pk_flame_dark(struct pk_buf *buf, bool text);

/* The width of a picture, where nothing else is asked for; px at both its sides. */
enum { PK_FLAME_WIDTH = 1200, PK_FLAME_MARGIN = 10 };

/* A picture that says that there is nothing to draw, as flamegraph.pl makes it: text is XML. */
void pk_flame_put_error(struct pk_output *out, double width, double fontsize, const char *text);

#endif
