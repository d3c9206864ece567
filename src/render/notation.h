#ifndef PK_NOTATION_H
#define PK_NOTATION_H

#include "base/text/str.h"
#include "base/num/units.h"
#include "render/grid.h"

/*
 * What the renderers of a grid share: cells as text, and trees drawn with lines.
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

/* Appends a number or truth value for machines: base units, no grouping. The cell is
 * neither null nor text. */
void pk_cell_machine(struct pk_buf *buf, const struct pk_grid *g,
		     const struct pk_grid_column *column, const struct pk_cell *cell);

/* What people see of a grid: its columns with a heading, and how to show each. */
struct pk_view {
	const struct pk_grid *grid;
	struct pk_view_column {
		const struct pk_grid_column *column;
		int index;
		bool right; /* aligned */
		bool named; /* the heading has the unit */
		struct pk_unit unit;
	} * columns;
	int count;
	bool *last; /* per row: no sibling follows; NULL unless the grid is drawn as a tree */
	bool *more; /* by depth: siblings follow the ancestor; kept by pk_view_cell */
};

void pk_view_init(struct pk_view *view, const struct pk_grid *g);
void pk_view_release(struct pk_view *view);
/* Appends "self (ms)". */
void pk_view_heading(struct pk_buf *buf, const struct pk_view_column *column);
/* Appends the cell as people read it, with the lines of the tree before it, nothing in
 * it that a terminal would act on. Returns the columns it takes. Rows of a tree must be
 * asked for in their order. */
size_t pk_view_cell(struct pk_buf *buf, const struct pk_view *view, size_t row, int column);

/* The columns that the widest cell of a column takes. */
size_t pk_view_width(const struct pk_view *view, int column);

/* Calls put for every line of text, made visible. */
void pk_each_line(const char *text, void (*put)(void *data, const char *line, size_t len),
		  void *data);

static inline const struct pk_cell *pk_grid_cell(const struct pk_grid *g, size_t row, int column)
{
	return &g->cells[row * (size_t)g->column_count + (size_t)column];
}

#endif
