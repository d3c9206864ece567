#pragma once

#include "render/svg.h"

/* Shared by flame graphs and timelines beyond render/svg.h. */

/* Opens <style>: the rules that the script needs, and the color of search results. */
void pk_flame_styles(struct pk_svg *svg, const char *search_color);

/* The width of a picture, where nothing else is asked for; px at both its sides. */
enum { PK_FLAME_WIDTH = 1200, PK_FLAME_MARGIN = 10 };

/* A picture that says that there is nothing to draw, as flamegraph.pl makes it: text is XML. */
void pk_flame_put_error(struct pk_output *out, double width, double fontsize, const char *text);
