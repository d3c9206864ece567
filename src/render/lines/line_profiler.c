/*
 * The text of line_profiler, from 3.0 to 5.1. What differs between versions:
 *
 *	3.0	times are in the unit of the file, there is no -u
 *	3.5	-u, by default 1e-6; -z leaves out functions without time
 *	4.1	-t, -m; columns grow; numbers too long for a column are written as %.1g; -z leaves
 *	  out functions without hits 5.0	%.3g
 *	5.1	functions in the order of the file, not of file, line and name
 *
 * Sums are those of Python: ticks exactly, then one multiplication by the unit.
 */
#include "render/lines/line_profiler.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lines/block.h"
#include "base/alloc.h"
#include "base/io/source_text.h"
#include "base/num/compare.h"
#include "base/num/hash.h"
#include "base/num/units.h"
#include "base/text/str.h"

struct timing {
	uint32_t line, place; /* place: in the order of the files */
	int64_t hits, ticks;
	double sum; /* ticks of several files in the common unit */
};

struct function {
	const char *file, *name;
	uint32_t line, place; /* place: in the order of the file */
	struct timing *timing;
	uint32_t count, alloc;
	double total; /* ticks */
	int64_t hits;
};

struct text {
	const struct pk_line_profiler_params *params;
	struct pk_output *out;
	struct function *function;
	uint32_t count, alloc;
	struct pk_index index;        /* of functions */
	struct pk_source_text source; /* of the last function */
	const char *file;             /* NULL: of none yet */
	double unit;                  /* of ticks, in seconds */
	double shown;                 /* the unit of times */
};

static bool is_same(const struct function *a, const struct function *b)
{
	return a->line == b->line && !strcmp(a->name, b->name) && !strcmp(a->file, b->file);
}

/* Functions of several files are the same if file, line and name are. */
static struct function *function_of(struct text *t, const struct pk_profile *p, uint32_t id)
{
	struct function f = {.file = pk_text(p, p->function.file[id]),
			     .name = pk_text(p, p->function.name[id]),
			     .line = p->function.line[id],
			     .place = t->count};
	uint64_t hash = pk_hash_pair(pk_hash_bytes(f.file, strlen(f.file)),
				     pk_hash_pair(pk_hash_bytes(f.name, strlen(f.name)), f.line));
	uint32_t *known = PK_INDEX_FIND(&t->index, hash, row, is_same(&t->function[row - 1], &f));

	if (*known)
		return &t->function[*known - 1];
	PK_GROW(t->function, t->count + 1, t->alloc);
	t->function[t->count] = f;
	*known = ++t->count;
	return &t->function[t->count - 1];
}

/* The unit of a file; 0 if it was not written by line_profiler. */
static double unit_of(const struct pk_profile *p)
{
	const char *unit = pk_meta_find(p, "timer_unit");

	return unit && p->metric.count > 1 ? strtod(unit, NULL) : 0;
}

static void add_profile(struct text *t, const struct pk_profile *p)
{
	double unit = unit_of(p), scale = unit / t->unit;
	long double tick = (long double)unit * 1e9L * powl(10, p->metric.exponent[1]);
	uint32_t metric = pk_metric_find(p, "hits");
	PK_FREED int64_t *hits = pk_calloc(p->node.count, sizeof(*hits));

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == metric)
			hits[p->cost.node[i]] = p->cost.self[i];
	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i], line = pk_node_line(p, node);
		struct function *f = function_of(t, p, pk_node_function(p, node));
		struct timing timing = {.line = line, .place = f->count};

		if (!line || pk_cost_metric(p, i) == metric) /* it never ran; counted above */
			continue;
		timing.hits = hits[node];
		timing.ticks = llroundl((long double)p->cost.self[i] / tick);
		timing.sum = scale * (double)timing.ticks;
		PK_GROW(f->timing, f->count + 1, f->alloc);
		f->timing[f->count++] = timing;
	}
}

PK_COMPARE(by_line, struct timing, PK_ORDER(a->line, b->line) ?: PK_ORDER(a->place, b->place))

/* Sorts the lines of a function, and makes one of those that several files have. */
static void join_lines(struct function *f)
{
	uint32_t kept = 0;

	pk_sort(f->timing, f->count, sizeof(*f->timing), by_line);
	for (uint32_t i = 0; i < f->count; i++) {
		struct timing *last = kept ? &f->timing[kept - 1] : NULL;

		if (last && last->line == f->timing[i].line) {
			pk_add_saturated(&last->hits, f->timing[i].hits);
			last->sum += f->timing[i].sum;
		} else {
			f->timing[kept++] = f->timing[i];
		}
	}
	f->count = kept;
}

PK_COMPARE(by_name, struct function,
	   strcmp(a->file, b->file) ?: PK_ORDER(a->line, b->line) ?: strcmp(a->name, b->name))
PK_COMPARE(by_total, struct function, PK_ORDER(a->total, b->total) ?: PK_ORDER(a->place, b->place))

/* Sorts lines and functions, and adds up. several: values are those of more than one file. */
static void settle(struct text *t, bool several)
{
	for (uint32_t i = 0; i < t->count; i++) {
		struct function *f = &t->function[i];
		__int128 total = 0;

		join_lines(f);
		for (uint32_t k = 0; k < f->count; k++) {
			if (several)
				f->timing[k].ticks = llrint(f->timing[k].sum);
			total += f->timing[k].ticks;
			pk_add_saturated(&f->hits, f->timing[k].hits);
		}
		f->total = (double)total;
	}
	if (t->params->sort)
		pk_sort(t->function, t->count, sizeof(*t->function), by_total);
	else if (t->params->version != PK_LINE_PROFILER_5_1)
		pk_sort(t->function, t->count, sizeof(*t->function), by_name);
}

enum { HITS, TIME, PER_HIT, PERCENT, COLUMNS };

/* A number as "%5.1f"; in new versions otherwise if that is too long for the column. */
static void add_number(struct pk_buf *cell, const struct text *t, double number, size_t room)
{
	size_t before = cell->len;

	pk_buf_addf(cell, "%5.1f", number);
	if (t->params->version >= PK_LINE_PROFILER_4_0 || cell->len - before <= room)
		return;
	cell->len = before;
	pk_buf_addf(cell, t->params->version == PK_LINE_PROFILER_4_2 ? "%5.1g" : "%5.3g", number);
}

static void make_cells(struct pk_buf cells[COLUMNS], const struct text *t, const struct function *f,
		       const struct timing *timing, const size_t width[COLUMNS])
{
	double scalar = t->unit / t->shown, time = (double)timing->ticks;

	for (int c = 0; c < COLUMNS; c++)
		cells[c].len = 0;
	pk_buf_addf(&cells[HITS], "%" PRId64, timing->hits);
	if (cells[HITS].len > width[HITS] && t->params->version < PK_LINE_PROFILER_4_0) {
		cells[HITS].len = 0;
		pk_buf_addf(&cells[HITS], "%g", (double)timing->hits);
	}
	add_number(&cells[TIME], t, time * scalar, width[TIME]);
	add_number(&cells[PER_HIT], t, time * scalar / (double)(timing->hits ? timing->hits : 1),
		   width[PER_HIT]);
	pk_buf_adds(&cells[PERCENT], "");
	if (f->total > 0)
		pk_buf_addf(&cells[PERCENT], "%5.1f", 100 * time / f->total);
}

static void put_row(struct text *t, const char *line, const struct pk_buf *cells,
		    const size_t width[COLUMNS], const char *source, size_t len)
{
	pk_output_printf(t->out, "%6s", line);
	for (int c = 0; c < COLUMNS; c++)
		pk_output_printf(t->out, " %*s", (int)width[c],
				 cells && cells[c].data ? cells[c].data : "");
	pk_output_printf(t->out, "  %.*s\n", (int)len, source);
}

static void put_header(struct text *t, const size_t width[COLUMNS])
{
	static const char *const names[] = {"Hits", "Time", "Per Hit", "% Time"};
	size_t total = 6 + 2 + strlen("Line Contents");

	pk_output_puts(t->out, "\nLine #");
	for (int c = 0; c < COLUMNS; c++) {
		pk_output_printf(t->out, " %*s", (int)width[c], names[c]);
		total += 1 + width[c];
	}
	pk_output_puts(t->out, "  Line Contents\n");
	while (total--)
		pk_output_putc(t->out, '=');
	pk_output_putc(t->out, '\n');
}

static void put_rows(struct text *t, const struct function *f, const struct pk_source_text *source,
		     uint32_t first, uint32_t count)
{
	static const size_t least[COLUMNS] = {9, 12, 8, 8};
	size_t width[COLUMNS];
	struct pk_buf cells[COLUMNS] = {PK_BUF_INIT};
	uint32_t next = 0;

	memcpy(width, least, sizeof(width));
	for (uint32_t i = 0; i < f->count && t->params->version < PK_LINE_PROFILER_4_0; i++) {
		make_cells(cells, t, f, &f->timing[i], least);
		for (int c = 0; c < PERCENT; c++)
			width[c] = cells[c].len > width[c] ? cells[c].len : width[c];
	}
	put_header(t, width);
	for (uint32_t line = first; line - first < count; line++) {
		char number[16];
		size_t len = 0;
		const char *text = source ? pk_source_line(source, line, &len) : NULL;
		bool has;

		while (next < f->count && f->timing[next].line < line)
			next++;
		has = next < f->count && f->timing[next].line == line;
		snprintf(number, sizeof(number), "%" PRIu32, line);
		if (has)
			make_cells(cells, t, f, &f->timing[next], least);
		put_row(t, number, has ? cells : NULL, width, text ? text : "", len);
	}
	pk_output_putc(t->out, '\n');
	for (int c = 0; c < COLUMNS; c++)
		pk_buf_release(&cells[c]);
}

/* True for the source of a function in a notebook, which is not in a file. */
static bool is_generated(const char *file)
{
	return pk_starts_with(file, "<generated") || pk_starts_with(file, "<ipython-input-") ||
	       pk_starts_with(file, "/tmp/ipykernel_") || pk_starts_with(file, "/tmp/xpython_");
}

/* The number of lines without a source. */
static uint32_t lines_without_source(const struct function *f)
{
	uint32_t least, most;

	if (!f->count)
		return 1;
	least = f->timing[0].line < f->line ? f->timing[0].line : f->line;
	most = f->timing[f->count - 1].line;
	return most - least + 1;
}

static void put_function(struct text *t, const struct function *f)
{
	const struct pk_line_profiler_params *params = t->params;
	const struct pk_source_text *source = &t->source;
	bool found, by_time = params->version >= PK_LINE_PROFILER_4_0;

	if (params->skip_zero && (by_time ? f->total <= 0 : !f->hits))
		return;
	if (!t->file || strcmp(t->file, f->file) != 0) {
		pk_source_release(&t->source);
		pk_source_find(&t->source, f->file, params->folders, params->folder_count);
		t->file = f->file;
	}
	found = t->source.text;
	pk_output_printf(t->out, "Total time: %g s\n", f->total * t->unit);
	if (found || is_generated(f->file)) {
		uint32_t end = f->line && f->line <= source->count
				       ? pk_python_block_end(source, f->line)
				       : 0;

		pk_output_printf(t->out, "File: %s\nFunction: %s at line %" PRIu32 "\n", f->file,
				 f->name, f->line);
		put_rows(t, f, source, f->line, end ? end - f->line + 1 : 0);
	} else {
		pk_output_printf(
			t->out,
			"\nCould not find file %s\n"
			"Are you sure you are running this program from the same directory\n"
			"that you ran the profiler from?\n"
			"Continuing without the function's contents.\n",
			f->file);
		put_rows(t, f, NULL, f->line, lines_without_source(f));
	}
}

int pk_line_profiler_print(const struct pk_profiles *list,
			   const struct pk_line_profiler_params *params, struct pk_output *out,
			   struct pk_error *err)
{
	struct text t = {.params = params, .out = out};
	PK_FREED bool *done = pk_calloc(list->count, sizeof(*done));

	for (size_t i = 0; i < list->count; i++) {
		const struct pk_profile *p = list->item[i];

		if (!(unit_of(p) > 0))
			return pk_fail(err, PK_EFORMAT, "'%s' (%s) was not made by line_profiler",
				       pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]));
		t.unit = fmax(t.unit, unit_of(p));
	}
	for (size_t n = 0; n < list->count; n++) { /* the finest unit first */
		size_t next = SIZE_MAX;

		for (size_t i = 0; i < list->count; i++)
			if (!done[i] && (next == SIZE_MAX ||
					 unit_of(list->item[i]) < unit_of(list->item[next])))
				next = i;
		done[next] = true;
		add_profile(&t, list->item[next]);
	}
	settle(&t, list->count > 1);
	t.shown = params->version == PK_LINE_PROFILER_3_0 ? t.unit
		  : params->unit                          ? params->unit
							  : 1e-6;
	pk_output_printf(out, "Timer unit: %g s\n\n", t.shown);
	for (uint32_t i = 0; i < t.count; i++)
		put_function(&t, &t.function[i]);
	for (uint32_t i = 0; params->summarize && i < t.count; i++) {
		const struct function *f = &t.function[i];

		if (!params->skip_zero || f->total > 0)
			pk_output_printf(out, "%6.2f seconds - %s:%" PRIu32 " - %s\n",
					 f->total * t.unit, f->file, f->line, f->name);
	}
	for (uint32_t i = 0; i < t.count; i++)
		free(t.function[i].timing);
	free(t.function);
	pk_index_release(&t.index);
	pk_source_release(&t.source);
	return 0;
}
