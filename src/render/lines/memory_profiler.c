/*
 * The tables of memory_profiler, as it prints them itself.
 *
 *	Filename: steps.py
 *
 *	Line #    Mem usage    Increment  Occurrences   Line Contents
 *	=============================================================
 *	    11   21.910 MiB   21.910 MiB           1   @profile
 *
 * A table is a function, or one of its blocks, in the order of costs. It begins with the line of
 * the function and ends with its last line that is known.
 */
#include "render/lines/memory_profiler.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io/source_text.h"

struct values {
	int64_t memory, increment, calls;
	bool measured;
};

struct printing {
	const struct pk_profile *p;
	struct pk_buf text;
	uint32_t memory, increment, entry, hits;
	uint32_t *last; /* by function: its last line */
	struct values *row;
	size_t rows, row_alloc;
	uint32_t file; /* whose text is in source */
	struct pk_source_text source;
	const char *precision; /* of the tables left */
};

static void set_source(struct printing *w, uint32_t file)
{
	const struct pk_profile *p = w->p;

	if (file == w->file)
		return;
	pk_source_release(&w->source);
	w->source = (struct pk_source_text){0};
	w->file = file;
	for (uint32_t i = 1; i < p->source.count; i++)
		if (p->source.file[i] == file) {
			pk_source_from_bytes(&w->source, pk_text(p, p->source.text[i]),
					     p->string.len[p->source.text[i]]);
			break;
		}
}

/* The decimals of the next table: one number for all, or a list. */
static int take_precision(struct printing *w)
{
	const char *comma = strchr(w->precision, ',');
	int precision = atoi(w->precision);

	if (comma)
		w->precision = comma + 1;
	return precision >= 0 && precision < 30 ? precision : 0;
}

/* Reads the costs of a table from row i on; returns the first row behind them. */
static uint32_t collect(struct printing *w, uint32_t i)
{
	const struct pk_profile *p = w->p;
	uint32_t function = pk_node_function(p, p->cost.node[i]), labels = pk_cost_labels(p, i);
	uint32_t first = p->function.line[function];

	w->rows = (size_t)w->last[function] - first + 1;
	PK_GROW(w->row, w->rows, w->row_alloc);
	memset(w->row, 0, w->rows * sizeof(*w->row));
	for (; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i], metric = pk_cost_metric(p, i);
		struct values *row = &w->row[pk_node_line(p, node) - first];

		if (pk_node_function(p, node) != function || pk_cost_labels(p, i) != labels)
			break;
		row->measured = true;
		if (metric == w->memory) {
			row->memory = p->cost.self[i];
		} else if (metric == w->entry || metric == w->increment) {
			row->increment += p->cost.self[i];
		} else if (metric == w->hits) {
			row->calls = p->cost.self[i];
		}
	}
	return i;
}

static void add_size(struct printing *w, int precision, int64_t bytes)
{
	char number[80], cell[88];

	snprintf(number, sizeof(number), "%.*f", precision, (double)bytes / (1 << 20));
	snprintf(cell, sizeof(cell), "%*s MiB", precision + 4, number);
	pk_buf_addf(&w->text, " %12s", cell);
}

static void add_row(struct printing *w, uint32_t line, const struct values *row, int precision,
		    bool counted)
{
	const char *text;
	size_t len = 0;

	pk_buf_addf(&w->text, "%6" PRIu32, line);
	if (row->measured) {
		add_size(w, precision, row->memory);
		add_size(w, precision, row->increment);
	} else {
		pk_buf_addf(&w->text, " %12s %12s", "", "");
	}
	if (counted && row->measured)
		pk_buf_addf(&w->text, "  %10" PRId64, row->calls);
	else if (counted)
		pk_buf_addf(&w->text, "  %10s", "");
	pk_buf_adds(&w->text, "   ");
	text = pk_source_line(&w->source, line, &len);
	if (text)
		pk_buf_add(&w->text, text, len);
	pk_buf_addc(&w->text, '\n');
}

static uint32_t put_table(struct printing *w, uint32_t i, struct pk_output *out)
{
	static const char old[] = "Line #    Mem usage    Increment   Line Contents";
	static const char with[] = "Line #    Mem usage    Increment  Occurrences   Line Contents";
	const struct pk_profile *p = w->p;
	uint32_t function = pk_node_function(p, p->cost.node[i]);
	int precision = take_precision(w);
	bool counted = w->hits != 0;

	set_source(w, p->function.file[function]);
	i = collect(w, i);
	w->text.len = 0;
	pk_buf_addf(&w->text, "Filename: %s\n\n%s\n", pk_text(p, p->function.file[function]),
		    counted ? with : old);
	for (size_t n = strlen(counted ? with : old); n; n--)
		pk_buf_addc(&w->text, '=');
	pk_buf_addc(&w->text, '\n');
	for (size_t n = 0; n < w->rows; n++)
		add_row(w, p->function.line[function] + (uint32_t)n, &w->row[n], precision,
			counted);
	pk_buf_adds(&w->text, "\n\n");
	pk_output_write(out, w->text.data, w->text.len);
	return i;
}

/* Other profiles with this meta data were edited: lines are outside of their functions, or there
 * are too many. */
static bool find_lines(struct printing *w)
{
	const struct pk_profile *p = w->p;
	uint64_t lines = 0;

	w->last = pk_calloc(p->function.count, sizeof(*w->last));
	for (uint32_t i = 1; i < p->node.count; i++) {
		uint32_t function = pk_node_function(p, i), line = pk_node_line(p, i);

		if (!function || !line || line < p->function.line[function])
			return false;
		if (line > w->last[function])
			w->last[function] = line;
	}
	for (uint32_t f = 1; f < p->function.count; f++)
		lines += w->last[f] - (w->last[f] ? p->function.line[f] : 0);
	return lines < 1000000;
}

int pk_memory_profiler_print(const struct pk_profile *p, struct pk_output *out,
			     struct pk_error *err)
{
	struct printing w = {.p = p,
			     .memory = pk_metric_find(p, "memory"),
			     .increment = pk_metric_find(p, "increment"),
			     .entry = pk_metric_find(p, "entry"),
			     .hits = pk_metric_find(p, "hits"),
			     .precision = pk_meta_find(p, "memory_profiler.precision")};
	bool good = w.precision && find_lines(&w);

	if (!good)
		pk_fail(err, PK_EUSAGE, "'%s' is no report of memory_profiler",
			pk_text(p, p->run.source[1]));
	for (uint32_t i = 1; good && i < p->cost.count;)
		i = put_table(&w, i, out);
	pk_source_release(&w.source);
	pk_buf_release(&w.text);
	free(w.last);
	free(w.row);
	return good ? 0 : -1;
}
