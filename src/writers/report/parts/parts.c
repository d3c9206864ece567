/*
 * Tables in the data of the page: the columns of the JSON of the command, column by column. Columns
 * that are null in all rows have a key only; depth is there if rows are below others.
 *
 *	"tables": [{"view": "lines", "name": "", "metric": 0, "words": ["..."], "notes": [],
 *	            "rows": 2, "left": 0, "depth": [0, 1],
 *	            "columns": [{"key": "self", "heading": "self", "type": "value", "unit": "ns",
 *	                         "exponent": 0, "cells": [1200, null]}]}]
 *
 * Values are whole numbers of 10^-exponent of the unit.
 */
#include "writers/report/parts/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/notation.h"

enum { LONGEST_TEXT = 2000, LONGEST_LIST = 10000 }; /* bytes of a cell */

static const char *const types[] = {
	[PK_CELL_TEXT] = "text",   [PK_CELL_INT] = "int",     [PK_CELL_NUMBER] = "number",
	[PK_CELL_VALUE] = "value", [PK_CELL_DELTA] = "delta", [PK_CELL_EACH] = "each",
	[PK_CELL_SHARE] = "share", [PK_CELL_RATIO] = "ratio", [PK_CELL_CHANCE] = "chance",
	[PK_CELL_REAL] = "real",   [PK_CELL_BOOL] = "bool",
};

struct pk_report_table *pk_report_add_table(struct pk_report_parts *parts, const char *view,
					    const char *name)
{
	struct pk_report_table *table;

	PK_GROW(parts->table, parts->count + 1, parts->alloc);
	table = &parts->table[parts->count++];
	*table = (struct pk_report_table){.view = view, .name = name, .metric = UINT32_MAX};
	return table;
}

struct pk_report_parts *pk_report_parts_new(const struct pk_report_data *d)
{
	struct pk_report_parts *parts = pk_calloc(1, sizeof(*parts));

	parts->profile = d->report->profile;
	if (pk_is_benchmark(d->report->profile)) {
		pk_report_add_benchmarks(parts, d);
		return parts;
	}
	pk_report_add_lines(parts, d);
	pk_report_add_workers(parts, d);
	pk_report_add_gpu(parts, d);
	pk_report_add_memory(parts, d);
	parts->time = d->time;
	parts->graphs = pk_report_graphs_new(d);
	return parts;
}

void pk_report_parts_free(struct pk_report_parts *parts)
{
	for (uint32_t i = 0; i < parts->count; i++) {
		struct pk_report_table *table = &parts->table[i];

		pk_grid_release(&table->grid);
		pk_buf_release(&table->words);
		pk_buf_release(&table->notes);
		if (table->release)
			table->release(table->result);
	}
	pk_report_graphs_free(parts->graphs);
	free(parts->table);
	free(parts);
}

static void put_lines(struct pk_json_writer *w, const char *key, const struct pk_buf *text)
{
	const char *line = text->len ? text->data : "";

	pk_json_put_array(w, key);
	for (size_t len; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		pk_json_text_len(w, line, len);
	}
	pk_json_end(w);
}

void pk_report_text(struct pk_json_writer *w, const char *text, size_t len)
{
	PK_BUF_AUTO cut = PK_BUF_INIT;
	size_t shown = LONGEST_TEXT;

	if (len <= LONGEST_TEXT) {
		pk_json_text_len(w, text, len);
		return;
	}
	while (shown && ((unsigned char)text[shown] & 0xC0) == 0x80)
		shown--;
	pk_buf_add(&cut, text, shown);
	pk_buf_adds(&cut, "\xE2\x80\xA6");
	pk_json_text_len(w, cut.data, cut.len);
}

static void put_cell(struct pk_json_writer *w, enum pk_cell_type type, const struct pk_cell *cell)
{
	if (cell->null)
		pk_json_null(w);
	else if (cell->json && cell->len <= LONGEST_LIST)
		pk_json_raw(w, cell->text, cell->len);
	else if (type == PK_CELL_TEXT)
		pk_report_text(w, cell->text, cell->len);
	else if (type == PK_CELL_BOOL)
		pk_json_bool(w, cell->boolean);
	else if (type == PK_CELL_REAL)
		pk_json_double(w, cell->real, 17);
	else if (type == PK_CELL_SHARE || type == PK_CELL_RATIO || type == PK_CELL_CHANCE)
		pk_json_double(w, cell->real, 6);
	else
		pk_json_int_or_null(w, cell->integer);
}

static void put_column(struct pk_json_writer *w, const struct pk_grid *g, int i, size_t rows)
{
	const struct pk_grid_column *c = &g->columns[i];
	size_t row = 0;

	while (row < rows && pk_grid_cell(g, row, i)->null)
		row++;
	if (row == rows && !c->key)
		return;
	pk_json_object(w);
	if (row == rows) {
		pk_json_put_text(w, "key", c->key);
		pk_json_end(w);
		return;
	}
	pk_json_put(w, "key %s heading %s type %s", c->key, c->heading, types[c->type]);
	if (pk_cell_has_unit(c->type))
		pk_json_put(w, "unit %s exponent %jd", c->unit ? c->unit : g->unit,
			    (int64_t)(c->unit ? c->exponent : g->exponent));
	pk_json_put_array(w, "cells");
	for (row = 0; row < rows; row++)
		put_cell(w, c->type, pk_grid_cell(g, row, i));
	pk_json_end(w);
	pk_json_end(w);
}

/* As many rows as the limit allows, the last group as a whole if it is not the only one. */
static size_t rows_within(const struct pk_grid *g, uint32_t limit)
{
	size_t rows = limit;

	if (g->rows <= limit)
		return g->rows;
	while (rows && g->depth[rows])
		rows--;
	return rows ? rows : limit;
}

static void put_table(struct pk_json_writer *w, const struct pk_report_table *table, uint32_t limit)
{
	const struct pk_grid *g = &table->grid;
	size_t rows = rows_within(g, limit);
	int64_t left = table->left;
	bool nested = false;

	for (size_t i = rows; i < g->rows; i++)
		left += !g->depth[i] || i == rows;
	pk_json_object(w);
	pk_json_put(w, "view %s name %s metric %jd rows %jd left %jd", table->view, table->name,
		    table->metric == UINT32_MAX ? PK_NULL : (int64_t)table->metric, (int64_t)rows,
		    left);
	put_lines(w, "words", &table->words);
	put_lines(w, "notes", &table->notes);
	for (size_t i = 0; i < rows; i++)
		nested |= g->depth[i] > 0;
	if (nested) {
		pk_json_put_array(w, "depth");
		for (size_t i = 0; i < rows; i++)
			pk_json_int(w, g->depth[i]);
		pk_json_end(w);
	}
	pk_json_put_array(w, "columns");
	for (int i = 0; i < g->column_count; i++)
		put_column(w, g, i, rows);
	pk_json_end(w);
	if (table->put_more)
		table->put_more(w, table->result, (uint32_t)rows);
	pk_json_end(w);
}

void pk_report_parts_json(struct pk_json_writer *w, const struct pk_report_parts *parts,
			  struct pk_report_names *names, const struct pk_report_limits *limits)
{
	pk_report_time_json(w, parts->time, names, limits->nodes);
	if (limits->nodes)
		pk_report_graphs_json(w, parts->graphs, parts->profile, names);
	pk_report_memory_json(w, parts->memory);
	if (!parts->count)
		return;
	pk_json_put_array(w, "tables");
	for (uint32_t i = 0; i < parts->count; i++)
		put_table(w, &parts->table[i], limits->rows);
	pk_json_end(w);
}
