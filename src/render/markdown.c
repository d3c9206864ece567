/*
 * Markdown: a table as GitHub and most others read it. Characters with a meaning in Markdown
 * or HTML are escaped with a backslash.
 */
#include <string.h>

#include "render/notation.h"

static void escape(struct pk_buf *to, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (text[i] && strchr("\\`*_[]<>|~&", text[i]))
			pk_buf_addc(to, '\\');
		pk_buf_addc(to, text[i]);
	}
}

/* Every line becomes a paragraph. */
static void put_title(void *data, const char *line, size_t len)
{
	struct pk_buf buf = PK_BUF_INIT;

	escape(&buf, line, len);
	pk_buf_adds(&buf, "\n\n");
	pk_output_write(data, buf.data, buf.len);
	pk_buf_release(&buf);
}

static void put_footer(void *data, const char *line, size_t len)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_addc(&buf, '\n');
	escape(&buf, line, len);
	pk_buf_addc(&buf, '\n');
	pk_output_write(data, buf.data, buf.len);
	pk_buf_release(&buf);
}

static void put_headings(const struct pk_view *view, struct pk_output *out)
{
	struct pk_buf line = PK_BUF_INIT, cell = PK_BUF_INIT;
	int i;

	for (i = 0; i < view->count; i++) {
		cell.len = 0;
		pk_view_heading(&cell, &view->columns[i]);
		pk_buf_adds(&line, i ? " | " : "| ");
		escape(&line, cell.data, cell.len);
	}
	pk_buf_adds(&line, " |\n");
	for (i = 0; i < view->count; i++)
		pk_buf_adds(&line, view->columns[i].right ? "| ---: " : "| --- ");
	pk_buf_adds(&line, "|\n");
	pk_output_write(out, line.data, line.len);
	pk_buf_release(&line);
	pk_buf_release(&cell);
}

static void put_row(const struct pk_view *view, size_t row, struct pk_buf *line,
		    struct pk_buf *cell, struct pk_output *out)
{
	int i;

	line->len = 0;
	for (i = 0; i < view->count; i++) {
		cell->len = 0;
		pk_buf_add(cell, "", 0);
		pk_view_cell(cell, view, row, i);
		pk_buf_adds(line, i ? " | " : "| ");
		if (view->columns[i].column->type == PK_CELL_TEXT)
			escape(line, cell->data, cell->len);
		else
			pk_buf_add(line, cell->data, cell->len);
	}
	pk_buf_adds(line, " |\n");
	pk_output_write(out, line->data, line->len);
}

void pk_render_markdown(const struct pk_grid *g, const struct pk_grid_frame *frame,
			struct pk_output *out)
{
	struct pk_buf line = PK_BUF_INIT, cell = PK_BUF_INIT;
	struct pk_view view;
	size_t row;

	pk_view_init(&view, g);
	pk_each_line(frame->title.data, put_title, out);
	if (g->rows)
		put_headings(&view, out);
	for (row = 0; row < g->rows && !pk_output_failed(out); row++)
		put_row(&view, row, &line, &cell, out);
	pk_each_line(frame->footer.data, put_footer, out);
	pk_buf_release(&line);
	pk_buf_release(&cell);
	pk_view_release(&view);
}
