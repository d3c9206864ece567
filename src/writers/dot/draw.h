#ifndef PK_DOT_DRAW_H
#define PK_DOT_DRAW_H

#include "analysis/callgraph/callgraph.h"
#include "base/io/output.h"
#include "base/text/str.h"
#include "writers/dot/dot.h"
#include "writers/dot/theme.h"

/* What drawings of one call graph and of two have in common. */
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

/* Writes the head of the graph, with the defaults of its statements. */
void pk_dot_begin_graph(struct pk_drawing *d);
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

struct pk_callgraph_params pk_dot_graph_params(const struct pk_dot_params *params);
/* "3 names are too long", unless count is 0. */
void pk_dot_note(const struct pk_dot_params *params, uint32_t count, const char *text);

#endif
