#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "writers/writer.h"

extern const struct pk_writer pk_writer_timeline;

/* The color of a category, in the order of the legend. */
struct pk_timeline_key {
	const char *category;
	uint32_t color;
};

struct pk_timeline_params {
	const char *title, *subtitle, *metric;
	int64_t width; /* px; 0 = as wide as the window */
	int64_t depth; /* rows of a thread; 0 = as many as there is room for */
	int color;     /* enum pk_timeline_color */
	bool flows, javascript;
	const struct pk_timeline_key *keys; /* ended by one without a name; NULL = chosen here */
	int plot; /* px: height of counters; 0 = low, so that lanes have the room */
	/* of counters, which are then as high as each other: "GB/s", "" */
	const char *counter_unit;
	const char *unit; /* the unit if it is no time: "samples"; NULL = ns */
};

enum pk_timeline_color { PK_TIMELINE_BY_NAME, PK_TIMELINE_BY_CATEGORY };
extern const char *const pk_timeline_colors[];

/* The rows of the options: AT(member) is the offset of a member of the params. */
/* clang-format off */
#define PK_TIMELINE_OPTIONS(AT) \
	{PK_OPT_CHOICE, "color", 0, AT(color), "WHAT", .choices = pk_timeline_colors, \
	 .fallback = "name", .help = "what colors distinguish"}, \
	{PK_OPT_INT, "depth", 0, AT(depth), "N", .min = 0, .max = 100000, .fallback = "0", \
	 .help = "rows of calls for each thread (0: as many as fit)"}, \
	{PK_OPT_FLAG, "flows", 0, AT(flows), \
	 .help = "draw arrows from spans to the spans that they launched"}, \
	{PK_OPT_TEXT, "title", 0, AT(title), "TEXT", \
	 .help = "title (default: the name of the file)"}, \
	{PK_OPT_TEXT, "subtitle", 0, AT(subtitle), "TEXT", \
	 .help = "a smaller line below the title"}, \
	{PK_OPT_INT, "width", 0, AT(width), "PX", .min = 0, .max = 100000, .fallback = "0", \
	 .help = "width of the picture; 0 fills the window"}, \
	{PK_OPT_FLAG, "javascript", 0, AT(javascript), .fallback = "yes", \
	 .help = "include zoom, search and details"}
/* clang-format on */
