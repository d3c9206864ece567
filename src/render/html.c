/*
 * HTML: one page with one table, without scripts and without links to other files.
 */
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

static void put_element(struct pk_output *out, const char *name, const char *line, size_t len)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_addf(&buf, "<%s>", name);
	pk_xml_text(&buf, line, len, false);
	pk_buf_addf(&buf, "</%s>\n", name);
	pk_output_write(out, buf.data, buf.len);
	pk_buf_release(&buf);
}

struct heading {
	struct pk_output *out;
	bool first;
};

static void put_title(void *data, const char *line, size_t len)
{
	struct heading *h = data;

	put_element(h->out, h->first ? "h1" : "p", line, len);
	h->first = false;
}

static void put_footer(void *data, const char *line, size_t len)
{
	put_element(data, "p", line, len);
}

static void put_head(const struct pk_grid_frame *frame, struct pk_output *out)
{
	struct heading heading = {out, true};

	pk_output_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			    "<meta charset=\"utf-8\">\n"
			    "<meta name=\"viewport\" content=\"width=device-width\">\n");
	pk_output_printf(out, "<title>profkit %s</title>\n<style>\n", frame->schema);
	pk_output_puts(out, style);
	pk_output_puts(out, "</style>\n</head>\n<body>\n");
	pk_each_line(frame->title.data, put_title, &heading);
}

static void put_headings(const struct pk_view *view, struct pk_output *out)
{
	struct pk_buf line = PK_BUF_INIT, cell = PK_BUF_INIT;
	int i;

	pk_buf_adds(&line, "<thead><tr>");
	for (i = 0; i < view->count; i++) {
		cell.len = 0;
		pk_view_heading(&cell, &view->columns[i]);
		pk_buf_adds(&line, view->columns[i].right ? "<th class=\"n\">" : "<th>");
		pk_xml_text(&line, cell.data, cell.len, false);
		pk_buf_adds(&line, "</th>");
	}
	pk_buf_adds(&line, "</tr></thead>\n<tbody>\n");
	pk_output_write(out, line.data, line.len);
	pk_buf_release(&line);
	pk_buf_release(&cell);
}

static void put_row(const struct pk_view *view, size_t row, struct pk_buf *line,
		    struct pk_buf *cell, struct pk_output *out)
{
	int i;

	line->len = 0;
	pk_buf_adds(line, "<tr>");
	for (i = 0; i < view->count; i++) {
		cell->len = 0;
		pk_buf_add(cell, "", 0);
		pk_view_cell(cell, view, row, i);
		pk_buf_adds(line, view->columns[i].right ? "<td class=\"n\">" : "<td class=\"t\">");
		pk_xml_text(line, cell->data, cell->len, false);
		pk_buf_adds(line, "</td>");
	}
	pk_buf_adds(line, "</tr>\n");
	pk_output_write(out, line->data, line->len);
}

void pk_render_html(const struct pk_grid *g, const struct pk_grid_frame *frame,
		    struct pk_output *out)
{
	struct pk_buf line = PK_BUF_INIT, cell = PK_BUF_INIT;
	struct pk_view view;
	size_t row;

	pk_view_init(&view, g);
	put_head(frame, out);
	pk_output_puts(out, "<table>\n");
	put_headings(&view, out);
	for (row = 0; row < g->rows && !pk_output_failed(out); row++)
		put_row(&view, row, &line, &cell, out);
	pk_output_puts(out, "</tbody>\n</table>\n");
	pk_each_line(frame->footer.data, put_footer, out);
	pk_output_puts(out, "</body>\n</html>\n");
	pk_buf_release(&line);
	pk_buf_release(&cell);
	pk_view_release(&view);
}
