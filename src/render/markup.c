/*
 * Tables in markup: HTML, one page with one table, without scripts and without links to other
 * files; and Markdown, as GitHub and most others read it.
 */
#include <string.h>

#include "render/notation.h"
#include "render/xml.h"

static const char style[] =
	"body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;color:#1b1f24;background:#fff}\n"
	"h1{font-size:1.1em}\n"
	"table{border-collapse:collapse}\n"
	"th,td{padding:.15em .7em;text-align:left;vertical-align:top}\n"
	"th{position:sticky;top:0;background:#eef1f4;border-bottom:1px solid #9aa4ae}\n"
	"tbody tr:nth-child(even){background:#f6f8fa}\n"
	".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
	".t{white-space:pre-wrap;font-family:ui-monospace,monospace;font-size:.93em}\n"
	"@media (prefers-color-scheme:dark){body{color:#d7dde3;background:#14181c}"
	"th{background:#252b31}tbody tr:nth-child(even){background:#1b2025}}\n";

/* The markup before and after lines and rows, and around cells: those aligned to the left, and to
 * the right. */
struct markup {
	void (*escape)(struct pk_buf *to, const char *text, size_t len);
	const char *title[2], *line[2], *footer[2];
	struct row_markup {
		const char *begin, *left, *right, *cell_end, *end;
	} heading, rule, row;
};

static void escape_html(struct pk_buf *to, const char *text, size_t len)
{
	pk_xml_text(to, text, len, false);
}

/* Characters with a meaning in Markdown or HTML. */
static void escape_markdown(struct pk_buf *to, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] && strchr("\\`*_[]<>|~&", text[i]))
			pk_buf_addc(to, '\\');
		pk_buf_addc(to, text[i]);
	}
}

static const struct markup html = {
	.escape = escape_html,
	.title = {"<h1>", "</h1>\n"},
	.line = {"<p>", "</p>\n"},
	.footer = {"<p>", "</p>\n"},
	.heading = {"<thead><tr>", "<th>", "<th class=\"n\">", "</th>", "</tr></thead>\n<tbody>\n"},
	.row = {"<tr>", "<td class=\"t\">", "<td class=\"n\">", "</td>", "</tr>\n"},
};

static const struct markup markdown = {
	.escape = escape_markdown,
	.title = {"", "\n\n"},
	.line = {"", "\n\n"},
	.footer = {"\n", "\n"},
	.heading = {"", "| ", "| ", " ", "|\n"},
	.rule = {"", "| ---", "| ---:", " ", "|\n"},
	.row = {"", "| ", "| ", " ", "|\n"},
};

struct drawing {
	const struct markup *markup;
	const char *const *around; /* the next line */
	const struct pk_view *view;
	struct pk_buf line, cell;
	struct pk_output *out;
};

static void put(struct drawing *d)
{
	pk_output_write(d->out, d->line.data, d->line.len);
	d->line.len = 0;
}

static void put_line(void *data, const char *line, size_t len)
{
	struct drawing *d = data;

	pk_buf_adds(&d->line, d->around[0]);
	d->markup->escape(&d->line, line, len);
	pk_buf_adds(&d->line, d->around[1]);
	put(d);
	if (d->around == d->markup->title)
		d->around = d->markup->line;
}

/* Puts a row of cells, a row of headings, or an empty row. */
static void put_row(struct drawing *d, const struct row_markup *m, size_t row)
{
	pk_buf_adds(&d->line, m->begin);
	for (int i = 0; i < d->view->count; i++) {
		const struct pk_view_column *c = &d->view->columns[i];

		pk_buf_adds(&d->line, c->right ? m->right : m->left);
		d->cell.len = 0;
		pk_buf_add(&d->cell, "", 0);
		if (m == &d->markup->heading)
			pk_view_heading(&d->cell, c);
		else if (m == &d->markup->row)
			pk_view_cell(&d->cell, d->view, row, i);
		if (m == &d->markup->heading || c->column->type == PK_CELL_TEXT)
			d->markup->escape(&d->line, d->cell.data, d->cell.len);
		else
			pk_buf_add(&d->line, d->cell.data, d->cell.len);
		pk_buf_adds(&d->line, m->cell_end);
	}
	pk_buf_adds(&d->line, m->end);
	put(d);
}

static void render(const struct markup *m, const struct pk_grid *g,
		   const struct pk_grid_frame *frame, struct pk_output *out)
{
	struct pk_view view;
	struct drawing d = {.markup = m, .around = m->title, .view = &view, .out = out};

	pk_view_init(&view, g);
	pk_each_line(frame->title.data, put_line, &d);
	if (m == &html)
		pk_output_puts(out, "<table>\n");
	if (m == &html || g->rows)
		put_row(&d, &m->heading, 0);
	if (m->rule.begin && g->rows)
		put_row(&d, &m->rule, 0);
	for (size_t row = 0; row < g->rows && !pk_output_failed(out); row++)
		put_row(&d, &m->row, row);
	if (m == &html)
		pk_output_puts(out, "</tbody>\n</table>\n");
	d.around = m->footer;
	pk_each_line(frame->footer.data, put_line, &d);
	pk_buf_release(&d.line);
	pk_buf_release(&d.cell);
	pk_view_release(&view);
}

void pk_render_html(const struct pk_grid *g, const struct pk_grid_frame *frame,
		    struct pk_output *out)
{
	pk_output_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			    "<meta charset=\"utf-8\">\n"
			    "<meta name=\"viewport\" content=\"width=device-width\">\n");
	pk_output_printf(out, "<title>profkit %s</title>\n<style>\n", frame->schema);
	pk_output_puts(out, style);
	pk_output_puts(out, "</style>\n</head>\n<body>\n");
	render(&html, g, frame, out);
	pk_output_puts(out, "</body>\n</html>\n");
}

void pk_render_html_part(const struct pk_grid *g, const struct pk_grid_frame *frame,
			 struct pk_output *out)
{
	render(&html, g, frame, out);
}

void pk_render_markdown(const struct pk_grid *g, const struct pk_grid_frame *frame,
			struct pk_output *out)
{
	render(&markdown, g, frame, out);
}
