/*
 * Text for people: columns two spaces apart, numbers aligned right, the last column cut at the
 * width of the terminal.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/notation.h"

#define GAP 2
#define SHORTEST_CUT 12 /* the last column is never cut to less */
#define WANTED_ROOM 36  /* columns are left out until the last column has this much room */

struct layout {
	struct pk_view *view;
	size_t *width;          /* per column of the view */
	size_t last_room;       /* room for the last column; 0 = no limit */
	struct pk_buf left_out; /* headings of columns that were left out */
	struct pk_buf line, cell;
	struct pk_output *out;
};

/* Cuts text to `room` columns, including an ellipsis. */
static void cut(struct pk_buf *text, size_t room)
{
	size_t columns = 0, i = 0;

	while (i < text->len) {
		uint32_t c;
		bool valid;
		size_t n = pk_utf8_decode(text->data + i, text->len - i, &c, &valid);

		columns += (size_t)pk_utf8_columns(c);
		if (columns > room - 1)
			break;
		i += n;
	}
	text->len = i;
	pk_buf_adds(text, "\xE2\x80\xA6");
}

/* Adds layout->cell, `columns` wide, to the line. */
static void add_cell(struct layout *l, int column, size_t columns)
{
	bool last = column == l->view->count - 1;
	size_t pad = l->width[column] > columns ? l->width[column] - columns : 0;

	if (column)
		pk_buf_add(&l->line, "  ", GAP);
	if (last && l->last_room && columns > l->last_room && !l->view->columns[column].right)
		cut(&l->cell, l->last_room);
	for (; pad && l->view->columns[column].right; pad--)
		pk_buf_addc(&l->line, ' ');
	pk_buf_add(&l->line, l->cell.data, l->cell.len);
	for (; pad && !last; pad--)
		pk_buf_addc(&l->line, ' ');
}

static void put_line(struct layout *l)
{
	while (l->line.len && l->line.data[l->line.len - 1] == ' ')
		l->line.len--;
	pk_buf_addc(&l->line, '\n');
	pk_output_write(l->out, l->line.data, l->line.len);
	l->line.len = 0;
}

static void put_headings(struct layout *l, bool color)
{
	int i;

	if (color)
		pk_output_puts(l->out, "\033[1m");
	for (i = 0; i < l->view->count; i++) {
		l->cell.len = 0;
		pk_view_heading(&l->cell, &l->view->columns[i]);
		add_cell(l, i, pk_utf8_width(l->cell.data, l->cell.len));
	}
	put_line(l);
	if (color)
		pk_output_puts(l->out, "\033[0m");
}

static void put_row(struct layout *l, size_t row)
{
	int i;

	for (i = 0; i < l->view->count; i++) {
		size_t columns;

		l->cell.len = 0;
		columns = pk_view_cell(&l->cell, l->view, row, i);
		add_cell(l, i, columns);
	}
	put_line(l);
}

/* Leaves out spare columns until the last column has room. */
static size_t make_room(struct layout *l, size_t used, size_t width)
{
	struct pk_view *view = l->view;
	size_t wanted = pk_view_width(view, view->count - 1);
	int i;

	if (wanted > WANTED_ROOM)
		wanted = WANTED_ROOM;
	for (i = view->count - 2; i >= 0 && used + wanted > width; i--) {
		const struct pk_view_column *c = &view->columns[i];
		size_t behind = (size_t)(view->count - 1 - i);

		if (c->index >= 64 || !(view->grid->spare >> c->index & 1))
			continue;
		if (l->left_out.len)
			pk_buf_adds(&l->left_out, ", ");
		pk_utf8_visible(&l->left_out, c->column->heading, strlen(c->column->heading));
		used -= l->width[i] + GAP;
		memmove(&view->columns[i], &view->columns[i + 1], behind * sizeof(*view->columns));
		memmove(&l->width[i], &l->width[i + 1], behind * sizeof(*l->width));
		view->count--;
	}
	return used;
}

static void measure(struct layout *l, int width)
{
	size_t used = 0;
	bool cuts = false;
	int i;

	for (i = 0; i < l->view->count; i++) {
		size_t widest;

		l->cell.len = 0;
		pk_view_heading(&l->cell, &l->view->columns[i]);
		l->width[i] = pk_utf8_width(l->cell.data, l->cell.len);
		cuts = i == l->view->count - 1 && !l->view->columns[i].right;
		if (cuts)
			break;
		widest = pk_view_width(l->view, i);
		if (widest > l->width[i])
			l->width[i] = widest;
		used += l->width[i] + GAP;
	}
	if (!width)
		return;
	if (cuts)
		used = make_room(l, used, (size_t)width);
	l->last_room = (size_t)width > used + SHORTEST_CUT ? (size_t)width - used : SHORTEST_CUT;
}

static void put_text_line(void *data, const char *line, size_t len)
{
	struct pk_output *out = data;

	pk_output_write(out, line, len);
	pk_output_putc(out, '\n');
}

void pk_render_text(const struct pk_grid *g, const struct pk_grid_frame *frame,
		    struct pk_output *out)
{
	struct pk_view view;
	struct layout l = {.view = &view, .out = out};
	size_t row;

	pk_view_init(&view, g);
	l.width = pk_calloc((size_t)view.count + 1, sizeof(*l.width));
	measure(&l, frame->width);
	pk_each_line(frame->title.data, put_text_line, out);
	if (frame->title.len && g->rows)
		pk_output_putc(out, '\n');
	if (g->rows)
		put_headings(&l, frame->color);
	for (row = 0; row < g->rows && !pk_output_failed(out); row++) {
		if (g->spaced && row && g->depth[row] == 0)
			pk_output_putc(out, '\n');
		put_row(&l, row);
	}
	pk_each_line(frame->footer.data, put_text_line, out);
	if (l.left_out.len)
		pk_output_printf(out, "no room for: %s\n", l.left_out.data);
	pk_buf_release(&l.left_out);
	pk_buf_release(&l.line);
	pk_buf_release(&l.cell);
	free(l.width);
	pk_view_release(&view);
}
