#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/opt.h"
#include "writers/flamegraph/color.h"
#include "writers/writer.h"

extern const struct pk_writer pk_writer_flamegraph;

/* Options of the writer and of the command: named as flamegraph.pl and inferno name them. */
struct pk_flamegraph_params {
	const char *metric;
	const char *title, *subtitle, *countname, *nametype, *notes, *nameattr;
	int64_t width; /* px; 0 = as wide as the window */
	double height, fontsize, fontwidth;
	const char *minwidth; /* "0.1" px or "1%" */
	const char *fonttype, *bgcolors, *stroke_color, *uicolor, *search_color, *encoding;
	int colors; /* enum pk_flame_palette */
	bool hash, random, deterministic, colordiffusion;
	bool cp;
	const char *palette_map;
	struct pk_opt_list base;
	bool reverse, inverted, flamechart, negate;
	bool truncate_text_right, javascript;
	double factor, total;
	int widths; /* enum pk_flame_widths */
	int delta;  /* index in pk_flame_deltas */
	/* The names of the sides of a difference: then it is drawn with words, and widths are those
	 * of both sides unless asked for. NULL = as flamegraph.pl draws it. */
	const char *before_name, *after_name, *compared; /* compared: the metric of both */
	bool picture; /* what is left out is said in the picture alone */
};
extern const char *const pk_flame_widths[]; /* as the enum; NULL-terminated */
enum pk_flame_delta { PK_FLAME_DELTA_AUTO, PK_FLAME_DELTA_SELF, PK_FLAME_DELTA_TOTAL };
extern const char *const pk_flame_deltas[];

/*
 * The rows of the options, for a table of struct pk_opt: AT(member) is the offset of
 * a member of struct pk_flamegraph_params in what the table fills.
 */
/* clang-format off */
#define PK_FLAMEGRAPH_OPTIONS(AT) \
	{PK_OPT_TEXT, "title", 0, AT(title), "TEXT", \
	 .help = "title (default: the kind of picture)"}, \
	{PK_OPT_TEXT, "subtitle", 0, AT(subtitle), "TEXT", .help = "second line of the title"}, \
	{PK_OPT_FLAG, "inverted", 'i', AT(inverted), .help = "icicle graph: the root on top"}, \
	{PK_OPT_FLAG, "reverse", 0, AT(reverse), \
	 .help = "reverse stacks: begin with the leaf, then its callers"}, \
	{PK_OPT_FLAG, "flamechart", 0, AT(flamechart), \
	 .help = "keep the order of the input, without merging"}, \
	{PK_OPT_LIST, "base", 0, AT(base), "FUNCTION", \
	 .help = "show only this function and its callees"}, \
	{PK_OPT_TEXT, "minwidth", 0, AT(minwidth), "PX", .fallback = "0.1", \
	 .help = "hide boxes narrower than this; also a share: 0.5%"}, \
	{PK_OPT_CHOICE, "colors", 'c', AT(colors), "PALETTE", .choices = pk_flame_palettes, \
	 .fallback = "hot", .help = "palette"}, \
	{PK_OPT_FLAG, "negate", 0, AT(negate), \
	 .help = "in a difference, swap red and blue, + and -"}, \
	{PK_OPT_CHOICE, "delta", 0, AT(delta), "WHAT", .choices = pk_flame_deltas, \
	 .fallback = "auto", \
	 .help = "in a difference, color by the change of: the function itself, or its total"}, \
	{PK_OPT_GROUP, .help = "size"}, \
	{PK_OPT_CHOICE, "widths", 0, AT(widths), "SIDE", .choices = pk_flame_widths, \
	 .fallback = "auto", .help = "in a difference, the side whose values are the widths"}, \
	{PK_OPT_INT, "width", 0, AT(width), "PX", .min = 0, .max = 100000, .fallback = "0", \
	 .help = "width of the picture; 0 fills the window"}, \
	{PK_OPT_NUMBER, "height", 0, AT(height), "PX", .min = 2, .max = 1000, .fallback = "16", \
	 .help = "height of a box"}, \
	{PK_OPT_NUMBER, "total", 0, AT(total), "N", .min = 0, .max = 9e18, .fallback = "0", \
	 .help = "value of the whole width, if larger than the sum"}, \
	{PK_OPT_GROUP, .help = "text"}, \
	{PK_OPT_TEXT, "countname", 0, AT(countname), "TEXT", \
	 .help = "unit shown with numbers (default: the unit of the metric)"}, \
	{PK_OPT_NUMBER, "factor", 0, AT(factor), "F", .min = 1e-9, .max = 1e9, .fallback = "1", \
	 .help = "multiply the numbers shown by F"}, \
	{PK_OPT_TEXT, "nametype", 0, AT(nametype), "TEXT", .fallback = "Function:", \
	 .help = "text before a name in the line of details"}, \
	{PK_OPT_TEXT, "fonttype", 0, AT(fonttype), "FONT", .fallback = "Verdana", \
	 .help = "font"}, \
	{PK_OPT_NUMBER, "fontsize", 0, AT(fontsize), "PX", .min = 1, .max = 200, \
	 .fallback = "12", .help = "size of the font"}, \
	{PK_OPT_NUMBER, "fontwidth", 0, AT(fontwidth), "F", .min = 0.05, .max = 10, \
	 .fallback = "0.59", .help = "width of a letter, relative to the size of the font"}, \
	{PK_OPT_FLAG, "truncate-text-right", 0, AT(truncate_text_right), .fallback = "yes", \
	 .help = "shorten long names at their end, not at their beginning"}, \
	{PK_OPT_TEXT, "notes", 0, AT(notes), "TEXT", .help = "comment in the file"}, \
	{PK_OPT_GROUP, .help = "color"}, \
	{PK_OPT_TEXT, "bgcolors", 0, AT(bgcolors), "COLOR", \
	 .help = "background: yellow, blue, green, grey or #rrggbb"}, \
	{PK_OPT_FLAG, "hash", 0, AT(hash), .help = "color by the first letters of the name"}, \
	{PK_OPT_FLAG, "deterministic", 0, AT(deterministic), \
	 .help = "color by all letters of the name"}, \
	{PK_OPT_FLAG, "random", 0, AT(random), .help = "use random colors, the same in every run"}, \
	{PK_OPT_FLAG, "colordiffusion", 0, AT(colordiffusion), .help = "make wider boxes redder"}, \
	{PK_OPT_FLAG, "cp", 0, AT(cp), .help = "keep the colors of functions in ./palette.map"}, \
	{PK_OPT_TEXT, "palette-map", 0, AT(palette_map), "FILE", \
	 .help = "keep the colors of functions in FILE"}, \
	{PK_OPT_TEXT, "stroke-color", 0, AT(stroke_color), "COLOR", .fallback = "none", \
	 .help = "color of the border of boxes"}, \
	{PK_OPT_TEXT, "uicolor", 0, AT(uicolor), "COLOR", \
	 .help = "color of title and buttons (default: black, or white on dark)"}, \
	{PK_OPT_TEXT, "search-color", 0, AT(search_color), "COLOR", .fallback = "#e600e6", \
	 .help = "color of boxes that a search found"}, \
	{PK_OPT_GROUP, .help = "file"}, \
	{PK_OPT_TEXT, "nameattr", 0, AT(nameattr), "FILE", \
	 .help = "file with attributes and links of functions; in each line NAME, and KEY=VALUE after tabs"}, \
	{PK_OPT_TEXT, "encoding", 0, AT(encoding), "NAME", .fallback = "UTF-8", \
	 .help = "encoding declared in the file"}, \
	{PK_OPT_FLAG, "javascript", 0, AT(javascript), .fallback = "yes", \
	 .help = "include zoom, search and details"}
/* clang-format on */

/* Where the colors of functions are kept, with cp or palette_map. */
const char *pk_flamegraph_map_path(const struct pk_flamegraph_params *o);
