/* A grid: rows of cells with types, from which each notation is written. */
#include "render/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/profile.h"
#include "render/notation.h"

const char *const pk_notations[] = {"text", "csv", "json", "markdown", "html", "brief", NULL};

void pk_grid_init(struct pk_grid *g, const struct pk_grid_column *columns, int count)
{
	memset(g, 0, sizeof(*g));
	g->columns = columns;
	g->column_count = count;
	g->tree_column = -1;
	g->handle_column = -1;
	g->unit = "count";
}

void pk_grid_release(struct pk_grid *g)
{
	free(g->cells);
	free(g->depth);
	free(g->handle);
	pk_arena_release(&g->arena);
	pk_buf_release(&g->scratch);
	memset(g, 0, sizeof(*g));
}

struct pk_cell *pk_grid_row(struct pk_grid *g, int depth)
{
	size_t count = (size_t)g->column_count, i;
	struct pk_cell *row;

	if (g->rows == g->alloc) {
		g->alloc = pk_grow_size(g->alloc, g->rows + 1);
		g->cells = pk_realloc(g->cells, pk_mul(g->alloc, pk_mul(count, sizeof(*g->cells))));
		g->depth = pk_realloc(g->depth, pk_mul(g->alloc, sizeof(*g->depth)));
		g->handle = pk_realloc(g->handle, pk_mul(g->alloc, sizeof(*g->handle)));
	}
	g->depth[g->rows] = depth;
	g->handle[g->rows] = 0;
	row = g->cells + g->rows++ * count;
	for (i = 0; i < count; i++)
		row[i] = (struct pk_cell){.null = true};
	return row;
}

void pk_grid_handle(struct pk_grid *g, uint32_t function, int column)
{
	g->handle[g->rows - 1] = function;
	g->handle_column = column;
}

void pk_cell_text(struct pk_cell *cell, const char *text)
{
	cell->null = !text;
	if (text)
		pk_cell_text_len(cell, text, strlen(text));
}

void pk_cell_text_len(struct pk_cell *cell, const char *text, size_t len)
{
	cell->null = false;
	cell->text = text;
	cell->len = len < UINT32_MAX ? (uint32_t)len : UINT32_MAX;
}

void pk_cell_copy(struct pk_grid *g, struct pk_cell *cell, const struct pk_buf *text)
{
	pk_cell_text_len(cell, pk_arena_copy(&g->arena, text->data, text->len), text->len);
}

void pk_cell_int(struct pk_cell *cell, int64_t value)
{
	cell->null = value == PK_NULL;
	cell->integer = value;
}

void pk_cell_real(struct pk_cell *cell, double value)
{
	cell->null = !isfinite(value);
	cell->real = value;
}

void pk_cell_bool(struct pk_cell *cell, bool value)
{
	cell->null = false;
	cell->boolean = value;
}

int pk_grid_check_unit(const struct pk_grid *g, struct pk_error *err)
{
	const char *base = NULL, *first = NULL;
	PK_BUF_AUTO why = PK_BUF_INIT;
	struct pk_unit unit;
	int i;

	for (i = 0; i < g->column_count; i++) {
		const struct pk_grid_column *c = &g->columns[i];

		if (!pk_cell_has_unit(c->type))
			continue;
		base = c->unit ? c->unit : g->unit;
		first = first && c->unit ? first : base;
		if (!g->show_unit || pk_unit_named(base, g->show_unit, &unit))
			return 0;
	}
	if (!g->show_unit || !first)
		return 0;
	pk_unit_refuse(&why, first, g->show_unit);
	return pk_fail(err, PK_EUSAGE, "%s", why.data);
}

void pk_grid_frame_release(struct pk_grid_frame *frame)
{
	pk_buf_release(&frame->title);
	pk_buf_release(&frame->footer);
	pk_buf_release(&frame->filters);
	pk_buf_release(&frame->more);
}

void pk_grid_render(const struct pk_grid *g, enum pk_notation notation,
		    const struct pk_grid_frame *frame, struct pk_output *out)
{
	static void (*const renderers[])(const struct pk_grid *, const struct pk_grid_frame *,
					 struct pk_output *) = {
		[PK_TEXT] = pk_render_text, [PK_CSV] = pk_render_csv,
		[PK_JSON] = pk_render_json, [PK_MARKDOWN] = pk_render_markdown,
		[PK_HTML] = pk_render_html, [PK_BRIEF] = pk_render_brief,
	};

	renderers[notation](g, frame, out);
}
