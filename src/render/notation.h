#pragma once

#include "base/text/str.h"
#include "base/num/units.h"
#include "render/grid.h"

/*
 * Functions that the renderers share: cells as text, and lines of trees.
 */
void pk_render_text(const struct pk_grid *g, const struct pk_grid_frame *frame,
		    struct pk_output *out);
void pk_render_csv(const struct pk_grid *g, const struct pk_grid_frame *frame,
		   struct pk_output *out);
void pk_render_json(const struct pk_grid *g, const struct pk_grid_frame *frame,
		    struct pk_output *out);
void pk_render_markdown(const struct pk_grid *g, const struct pk_grid_frame *frame,
			struct pk_output *out);
void pk_render_html(const struct pk_grid *g, const struct pk_grid_frame *frame,
		    struct pk_output *out);
void pk_render_brief(const struct pk_grid *g, const struct pk_grid_frame *frame,
		     struct pk_output *out);
/* As pk_render_html, for a page that has more than the table: what is between <body> and </body>. */
void pk_render_html_part(const struct pk_grid *g, const struct pk_grid_frame *frame,
			 struct pk_output *out);

/* Appends a number or truth value for machines: base units, no grouping. The cell is neither null
 * nor a text. */
void pk_cell_machine(struct pk_buf *buf, const struct pk_grid *g,
		     const struct pk_grid_column *column, const struct pk_cell *cell);

/* The columns of a grid that people see, and how each is shown. */
struct pk_view {
	const struct pk_grid *grid;
	struct pk_view_column {
		const struct pk_grid_column *column;
		int index;
		bool right; /* aligned to the right */
		bool named; /* the heading has the unit */
		struct pk_unit unit;
		const char *own; /* base unit of values that have their own; NULL */
	} * columns;
	int count;
	bool *last; /* per row: no sibling follows; NULL unless the grid is drawn as a tree */
	bool *more; /* by depth: siblings follow the ancestor; kept by pk_view_cell */
};

void pk_view_init(struct pk_view *view, const struct pk_grid *g);
void pk_view_release(struct pk_view *view);
/* Appends "self (ms)". */
void pk_view_heading(struct pk_buf *buf, const struct pk_view_column *column);
/* Appends the cell for people, with the lines of the tree before it and without characters that a
 * terminal acts on. Returns its width. Rows of a tree must be asked for in order. */
size_t pk_view_cell(struct pk_buf *buf, const struct pk_view *view, size_t row, int column);

/* The width of the widest cell of a column. */
size_t pk_view_width(const struct pk_view *view, int column);

/* Calls put for every line of text, with control characters made visible. */
void pk_each_line(const char *text, void (*put)(void *data, const char *line, size_t len),
		  void *data);

static inline const struct pk_cell *pk_grid_cell(const struct pk_grid *g, size_t row, int column)
{
	return &g->cells[row * (size_t)g->column_count + (size_t)column];
}
