/*
 * JSON: one object with schema, version, the command's own members, and the rows,
 * one a line.
 */
#include <math.h>

#include "render/notation.h"

#define SCHEMA_VERSION 1

static void put_cell(struct pk_json_writer *w, struct pk_buf *scratch, const struct pk_grid *g,
		     const struct pk_grid_column *column, const struct pk_cell *cell)
{
	bool real = column->type == PK_CELL_SHARE || column->type == PK_CELL_RATIO ||
		    column->type == PK_CELL_CHANCE || column->type == PK_CELL_REAL;

	pk_json_key(w, column->key);
	if (cell->null || (real && !isfinite(cell->real))) {
		pk_json_null(w);
	} else if (cell->json) {
		pk_json_raw(w, cell->text, cell->len);
	} else if (column->type == PK_CELL_TEXT) {
		pk_json_text_len(w, cell->text, cell->len);
	} else {
		scratch->len = 0;
		pk_cell_machine(scratch, g, column, cell);
		pk_json_raw(w, scratch->data, scratch->len);
	}
}

void pk_grid_rows_json(struct pk_json_writer *w, const char *key, const struct pk_grid *g)
{
	PK_BUF_AUTO scratch = PK_BUF_INIT;

	pk_json_put_array(w, key);
	for (size_t row = 0; row < g->rows && !pk_output_failed(w->out); row++) {
		pk_json_flat_object(w);
		for (int i = 0; i < g->column_count; i++)
			if (g->columns[i].key)
				put_cell(w, &scratch, g, &g->columns[i], pk_grid_cell(g, row, i));
		pk_json_end(w);
	}
	pk_json_end(w);
}

void pk_render_json(const struct pk_grid *g, const struct pk_grid_frame *frame,
		    struct pk_output *out)
{
	PK_BUF_AUTO scratch = PK_BUF_INIT;
	struct pk_json_writer w;

	pk_json_init(&w, out, 2);
	pk_json_object(&w);
	pk_json_key(&w, "schema");
	pk_buf_addf(&scratch, "profkit.%s", frame->schema);
	pk_json_text(&w, scratch.data);
	pk_json_put_int(&w, "version", SCHEMA_VERSION);
	if (frame->members)
		frame->members(&w, frame->data);
	if (frame->filters.len)
		pk_json_put_text(&w, "filters", frame->filters.data);
	if (!frame->only_members)
		pk_grid_rows_json(&w, "rows", g);
	pk_json_end(&w);
}
