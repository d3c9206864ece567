/*
 * CSV as RFC 4180 has it, with '\n' for line ends. The header line holds the keys.
 */
#include <string.h>

#include "render/notation.h"

static bool needs_quotes(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r')
			return true;
	return false;
}

static void add_quoted(struct pk_buf *line, const char *text, size_t len)
{
	size_t i;

	pk_buf_addc(line, '"');
	for (i = 0; i < len; i++) {
		if (text[i] == '"')
			pk_buf_addc(line, '"');
		pk_buf_addc(line, text[i]);
	}
	pk_buf_addc(line, '"');
}

static void add_text(struct pk_buf *line, struct pk_buf *scratch, const struct pk_cell *cell,
		     bool excel)
{
	const char *text = cell->text;
	size_t len = cell->len;
	/* spreadsheets run texts with these as formulas; an apostrophe prevents that */
	bool formula = excel && len && *text && strchr("=+-@\t\r", *text);

	if (formula || !pk_utf8_valid(text, len)) {
		scratch->len = 0;
		if (formula)
			pk_buf_addc(scratch, '\'');
		pk_utf8_repair(scratch, text, len);
		text = scratch->data;
		len = scratch->len;
	}
	if (needs_quotes(text, len))
		add_quoted(line, text, len);
	else
		pk_buf_add(line, text, len);
}

static void put_header(const struct pk_grid *g, struct pk_output *out)
{
	PK_BUF_AUTO line = PK_BUF_INIT, scratch = PK_BUF_INIT;
	struct pk_cell cell;
	int i;

	for (i = 0; i < g->column_count; i++) {
		if (!g->columns[i].key)
			continue;
		if (line.len)
			pk_buf_addc(&line, ',');
		pk_cell_text(&cell, g->columns[i].key);
		add_text(&line, &scratch, &cell, false);
	}
	pk_buf_addc(&line, '\n');
	pk_output_write(out, line.data, line.len);
}

void pk_render_csv(const struct pk_grid *g, const struct pk_grid_frame *frame,
		   struct pk_output *out)
{
	PK_BUF_AUTO line = PK_BUF_INIT, scratch = PK_BUF_INIT;
	size_t row;
	int i;

	put_header(g, out);
	for (row = 0; row < g->rows && !pk_output_failed(out); row++) {
		bool any = false;

		line.len = 0;
		for (i = 0; i < g->column_count; i++) {
			const struct pk_cell *cell = pk_grid_cell(g, row, i);

			if (!g->columns[i].key)
				continue;
			if (any)
				pk_buf_addc(&line, ',');
			any = true;
			if (cell->null)
				continue;
			if (g->columns[i].type == PK_CELL_TEXT)
				add_text(&line, &scratch, cell, frame->csv_excel);
			else
				pk_cell_machine(&line, g, &g->columns[i], cell);
		}
		pk_buf_addc(&line, '\n');
		pk_output_write(out, line.data, line.len);
	}
}
