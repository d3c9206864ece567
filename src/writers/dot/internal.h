#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/callgraph/callgraph.h"
#include "base/error.h"
#include "base/io/output.h"
#include "base/text/str.h"
#include "writers/dot/dot.h"

/* Channels 0..1. */
struct pk_rgb {
	double r, g, b;
};

/* How weights (0..1) look. Sizes in points. */
struct pk_dot_theme {
	const char *name, *words; /* words: for the legend, NULL = none */
	/* Colors from weight 0 to weight 1: either between two points in HSL (hue in turns,
	 * lightness last), to the power of gamma, or along stops in RGB. */
	struct {
		double h, s, l;
	} low, high;
	double gamma;
	const uint32_t *stops; /* 0xRRGGBB; NULL: low and high are used */
	int stop_count;
	uint32_t background, text; /* text: on the background */
	bool filled;               /* boxes are filled, not outlined */
	double font_min, font_max, pen_min, pen_max;
};

extern const struct pk_dot_theme pk_dot_themes[]; /* ended by one without a name */

struct pk_rgb pk_rgb_from(uint32_t rrggbb);
struct pk_rgb pk_theme_color(const struct pk_dot_theme *theme, double weight, double skew);
double pk_theme_font_size(const struct pk_dot_theme *theme, double weight);
double pk_theme_pen_width(const struct pk_dot_theme *theme, double weight);

/* White, or black where white would be hard to read. */
struct pk_rgb pk_rgb_text_on(struct pk_rgb fill);
/* The color moved away from the background until it has this contrast (WCAG 2: text that can
 * be read has 4.5). */
struct pk_rgb pk_rgb_readable(struct pk_rgb color, struct pk_rgb background, double contrast);
/* "#rrggbb" into text. */
void pk_rgb_format(struct pk_rgb color, char text[8]);

/* Shared by drawings of one call graph and of two. */
struct pk_drawing {
	const struct pk_profile *p;
	const struct pk_dot_params *params;
	const struct pk_dot_theme *theme;
	struct pk_callgraph g;
	uint32_t metric;
	struct pk_rgb background;
	struct pk_output *out;
	bool in_attributes;   /* the statement being written has some */
	double largest_self;  /* ratio, among what is shown */
	uint32_t *cycle_size; /* by cycle */
	uint32_t cut_names;
	struct pk_buf text, name;
};

/* Writes the head of the graph, with the defaults of its statements. Many arrows are laid out less
 * carefully. */
void pk_dot_begin_graph(struct pk_drawing *d, size_t arrows);
/* A statement: its subject ("\t12 -> 15") is written first, then its attributes, in the order of
 * their names. One without a value is left out. */
void pk_dot_set(struct pk_drawing *d, const char *attribute, const char *value);
void pk_dot_set_number(struct pk_drawing *d, const char *attribute, double value);
void pk_dot_set_color(struct pk_drawing *d, const char *attribute, struct pk_rgb color);
void pk_dot_end_statement(struct pk_drawing *d);
/* Labels are put together in d->text. */
void pk_dot_begin_text(struct pk_drawing *d);
void pk_dot_add_line(struct pk_drawing *d); /* a line end, but not at the beginning */
/* The name of a function in d->name, as it may be shown; then put into d->text. */
void pk_dot_name_function(struct pk_drawing *d, uint32_t function);
void pk_dot_add_name(struct pk_drawing *d);
/* The function alone, as the profile has it. */
void pk_dot_add_whole_name(struct pk_drawing *d, uint32_t function);
/* A file or module, if there is one, and a line unless it is 0. */
void pk_dot_add_place(struct pk_drawing *d, uint32_t file, uint32_t line);
/* The statement of the legend, whose text is in d->text; font_color "" = as usual. */
void pk_dot_put_legend(struct pk_drawing *d, const char *color, const char *font_color);

/* "3 names are too long", unless count is 0. */
void pk_dot_note(const struct pk_drawing *d, uint32_t count, const char *text);

/*
 * Texts of labels and tooltips. Graphviz reads backslash sequences and character
 * references in them, so names, which may hold anything, are escaped: shown as they are,
 * control characters as "\n" or "\x1b", bytes that are no UTF-8 as U+FFFD.
 */
void pk_dot_add_text(struct pk_buf *label, const char *text, size_t len);

/* C++ names without arguments, template arguments and a final const. The result is never empty;
 * names in angle brackets ("<module>"), operators and unnamed namespaces stay whole. */
void pk_dot_strip_name(struct pk_buf *name);

/* Breaks a name into lines of at most 32 characters where it has blanks or hyphens (newlines
 * in buf then stand for line ends), and removes blanks in argument lists. */
void pk_dot_wrap_name(struct pk_buf *name);

/* A name of more characters than a label can hold is cut; false if it was not. */
bool pk_dot_cut_name(struct pk_buf *name);

/* A finished text is cut where Graphviz would not read it again (16 KB, quotes escaped), but
 * within no sequence, reference or character. */
void pk_dot_cut_text(struct pk_buf *label);

/* A printf format for one number, given by the user: literal text, %%, and exactly one
 * conversion of e E f F g G a A d i u, without '*' or a length. */
int pk_dot_check_format(const char *format, struct pk_error *err);
void pk_dot_add_formatted(struct pk_buf *label, const char *format, double value);

/* A value of the graph (seconds, or the metric's unit) for people: "1.23 s". */
void pk_dot_add_value(struct pk_buf *label, const struct pk_profile *p, uint32_t metric,
		      double value);

/* The contents of the picture, how to read it, and what was left out, a line each. */
void pk_dot_add_legend(struct pk_buf *label, const struct pk_profile *p, uint32_t metric,
		       const struct pk_callgraph *g, const struct pk_dot_params *params);

/* The graphs of both sides of params->match as one drawing. A function or call is drawn if the
 * options leave it in on either side; its numbers are those of the whole graphs. */
int pk_dot_compare(const struct pk_dot_params *params, struct pk_output *out, struct pk_error *err);
