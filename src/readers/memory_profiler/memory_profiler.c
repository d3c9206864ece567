/*
 * Memory of lines, as memory_profiler prints it: python -m memory_profiler, or @profile.
 * Format: memory_profiler.py, show_results; before 0.59 there is no column Occurrences.
 *
 *	Filename: steps.py
 *
 *	Line #    Mem usage    Increment  Occurrences   Line Contents
 *	=============================================================
 *	    11   21.910 MiB   21.910 MiB           1   @profile
 *	    12                                         def grow(n):
 *	    13   37.227 MiB   15.316 MiB           1       return [0] * n
 *
 * - Mem usage is the most that the process had when the line was done: the metric memory, of which
 *   the largest counts. Increment is what the line added, summed over its occurrences, in calls of
 *   other functions, too; after a call of another function with @profile it is all memory of the
 *   process, since memory_profiler forgets the value before the call.
 * - The first row of a function has the memory at its begin, summed over the calls: that is the
 *   metric entry, and no increment.
 * - A function is printed again for each call where memory_profiler.profile was imported: its
 *   second table has the label block=2, and so on. What the program prints between tables is left
 *   out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/lines.h"
#include "readers/reader.h"

/* Columns of a row between its number and its text. */
enum { BLANKS = 41, OLD_BLANKS = 29, NUMBER = 6, DIGITS = 9 };

struct row {
	uint32_t line, file;
	size_t text, len; /* in texts */
	int64_t memory, increment, occurrences;
	bool measured;
};

struct report {
	struct pk_builder *b;
	struct pk_error *err;
	uint64_t number; /* of the line */
	uint32_t file;   /* of the table; 0 = none */
	bool rows_follow, counted;
	int precision, common; /* decimals of the table; of all before */
	struct pk_buf texts, precisions, name;
	struct row *row;
	size_t first, rows, row_alloc; /* first: of the table */
	uint32_t *tables;              /* by function: how many there were */
	size_t tables_alloc;
	uint32_t count; /* of tables */
	uint32_t memory, increment, entry;
};

/* "   37.227 MiB" at *at, in bytes. A negative size that is printed as -0.0 stays -0.0. */
static bool take_size(const char **at, const char *end, int *precision, int64_t *bytes)
{
	const char *text = *at;
	bool exact, overflow;
	int64_t value;
	size_t used, dot;

	while (text < end && *text == ' ')
		text++;
	used = pk_parse_decimal(text, (size_t)(end - text), DIGITS, &value, &exact, &overflow);
	if (!used || !pk_text_begins(text + used, (size_t)(end - text) - used, " MiB"))
		return false;
	for (dot = 0; dot < used && text[dot] != '.'; dot++)
		;
	*precision = dot < used ? (int)(used - dot) - 1 : 0;
	*bytes = (int64_t)((__extension__(__int128) value * (1 << 20) +
			    (value < 0 ? -500000000 : 500000000)) /
			   1000000000);
	if (*text == '-' && !*bytes)
		*bytes = -1;
	*at = text + used + strlen(" MiB");
	return true;
}

/* Takes what is between a row's number and its text. */
static bool take_values(struct report *r, struct row *row, const char **at, const char *end)
{
	const char *text = *at;
	bool exact, overflow;
	size_t used;

	if (!take_size(&text, end, &r->precision, &row->memory) ||
	    !take_size(&text, end, &r->precision, &row->increment))
		return false;
	if (r->counted) {
		while (text < end && *text == ' ')
			text++;
		used = pk_parse_decimal(text, (size_t)(end - text), 0, &row->occurrences, &exact,
					&overflow);
		if (!used || row->occurrences < 0)
			return false;
		text += used;
	}
	row->measured = true;
	*at = text + (end - text < 3 ? end - text : 3);
	return true;
}

/* A row of the table; false if the line is none. */
static bool read_row(struct report *r, const char *line, size_t len)
{
	struct row row = {.file = r->file, .occurrences = PK_NULL};
	const char *at = line, *end = line + len;
	size_t blanks = r->counted ? BLANKS : OLD_BLANKS, used;
	bool exact, overflow;
	int64_t number;

	while (at < end && *at == ' ')
		at++;
	used = pk_parse_decimal(at, (size_t)(end - at), 0, &number, &exact, &overflow);
	if (!used || number < 1 || number >= UINT32_MAX || at + used - line < NUMBER)
		return false;
	at += used;
	for (used = 0; used < blanks && at + used < end && at[used] == ' ';)
		used++;
	if (used == blanks || at + used == end)
		at += used;
	else if (!take_values(r, &row, &at, end))
		return false;
	row.line = (uint32_t)number;
	row.text = r->texts.len;
	row.len = (size_t)(end - at);
	pk_buf_add(&r->texts, at, row.len);
	PK_GROW(r->row, r->rows + 1, r->row_alloc);
	r->row[r->rows++] = row;
	return true;
}

/* The name after "def" in the first row that has one. */
static uint32_t find_name(const struct report *r)
{
	for (size_t i = r->first; i < r->rows; i++) {
		const char *at = r->texts.data + r->row[i].text, *end = at + r->row[i].len, *name;

		while (at < end && pk_is_blank(*at))
			at++;
		if (pk_text_begins(at, (size_t)(end - at), "async "))
			at += strlen("async ");
		if (!pk_text_begins(at, (size_t)(end - at), "def "))
			continue;
		for (name = at += strlen("def "); at < end && *at != '(' && *at != ':';)
			at++;
		return pk_build_string(r->b, name, (size_t)(at - name));
	}
	return pk_build_text(r->b, "<lambda>");
}

/* The metric of how often lines were executed, which reports of old versions lack. */
static uint32_t hits_of(const struct report *r)
{
	uint32_t hits = pk_build_metric(r->b, "hits", "count", 0, PK_METRIC_COUNT, PK_EXACT);

	pk_build_set(r->b, metric, counts, r->increment, hits);
	return hits;
}

static void add_row(const struct report *r, const struct row *row, uint32_t function,
		    uint32_t labels)
{
	uint32_t place = pk_build_place(r->b, function, row->line);
	struct pk_cost cost = {.node = pk_build_node(r->b, 0, place), .labels = labels};
	bool first = row == &r->row[r->first];

	if (!row->measured)
		return;
	cost.metric = r->memory;
	cost.self = row->memory;
	cost.calls = PK_NULL;
	pk_build_cost_of(r->b, &cost);
	if (first) {
		cost.metric = r->entry;
		cost.self = row->increment;
		pk_build_cost_of(r->b, &cost);
	}
	cost.metric = r->increment;
	cost.self = first ? 0 : row->increment;
	pk_build_cost_of(r->b, &cost);
	if (row->occurrences == PK_NULL)
		return;
	cost.metric = hits_of(r);
	cost.self = row->occurrences;
	pk_build_cost_of(r->b, &cost);
}

/* The decimals of a table, for printing it again: one number if all values have the same. */
static void add_precision(struct report *r)
{
	pk_buf_addf(&r->precisions, "%s%d", r->count > 1 ? "," : "", r->precision);
	if (r->count == 1)
		r->common = r->precision;
	else if (r->common != r->precision)
		r->common = -1;
}

static void end_table(struct report *r)
{
	struct pk_function f = {.file = r->file, .kind = PK_KIND_PYTHON};
	struct pk_label label = {.number = PK_NULL};
	uint32_t function, labels = 0;

	if (!r->file || r->first == r->rows)
		goto end;
	r->count++;
	f.line = r->row[r->first].line;
	f.name = find_name(r);
	function = pk_build_function(r->b, &f);
	PK_GROW_ZERO(r->tables, (size_t)function + 1, r->tables_alloc);
	if (++r->tables[function] > 1) {
		label.key = pk_build_text(r->b, "block");
		label.number = r->tables[function];
		labels = pk_build_label_set(r->b, &label, 1);
	}
	/* The last line without values tells where the function ends. */
	for (size_t i = r->first; i < r->rows; i++)
		if (r->row[i].measured || i + 1 == r->rows)
			add_row(r, &r->row[i], function, labels);
	add_precision(r);
end:
	r->first = r->rows;
	r->file = 0;
	r->rows_follow = false;
}

static bool begins_table(struct report *r, const char *line, size_t len)
{
	static const char old[] = "Line #    Mem usage    Increment   Line Contents";
	static const char counted[] =
		"Line #    Mem usage    Increment  Occurrences   Line Contents";

	r->counted = pk_text_is(line, len, counted);
	return r->counted || pk_text_is(line, len, old);
}

static int read_line(void *data, const char *line, size_t len)
{
	static const char file[] = "Filename: ";
	struct report *r = data;

	len -= len && line[len - 1] == '\r';
	if (pk_text_begins(line, len, file)) {
		end_table(r);
		r->file = pk_build_string(r->b, line + strlen(file), len - strlen(file));
	} else if (!r->rows_follow) {
		r->rows_follow = r->file && begins_table(r, line, len);
	} else if (!len) {
		end_table(r);
	} else if (*line != '=' && !read_row(r, line, len)) {
		return pk_build_repair_line(r->b, r->err, "row without its columns ignored",
					    r->number);
	}
	return 0;
}

PK_COMPARE(by_place, struct row,
	   PK_ORDER(a->file, b->file) ?: PK_ORDER(a->line, b->line) ?: PK_ORDER(a->text, b->text))

/* The text of the files as far as it was printed; the lines between are blank, but no more of them
 * than the report has bytes: a file that needs more has no text. */
static void build_sources(struct report *r)
{
	size_t room = r->texts.len + (1 << 16);
	struct pk_buf *text = &r->name;
	uint32_t line = 1;
	bool whole = true;

	pk_sort(r->row, r->rows, sizeof(*r->row), by_place);
	for (size_t i = 0; i < r->rows; i++) {
		const struct row *row = &r->row[i];

		if (row->line >= line) {
			whole &= row->line - line <= room;
			for (; whole && line < row->line; line++, room--)
				pk_buf_addc(text, '\n');
			pk_buf_add(text, r->texts.data + row->text, row->len);
			pk_buf_addc(text, '\n');
			line++;
		}
		if (i + 1 < r->rows && r->row[i + 1].file == row->file)
			continue;
		if (whole)
			pk_build_source(r->b, row->file,
					pk_build_string(r->b, text->data, text->len));
		text->len = 0;
		line = 1;
		whole = true;
	}
}

static void make_metrics(struct report *r)
{
	struct {
		uint32_t *metric;
		const char *name;
		enum pk_aggregate aggregate;
	} metrics[] = {{&r->memory, "memory", PK_AGGREGATE_MAX},
		       {&r->increment, "increment", PK_AGGREGATE_SUM},
		       {&r->entry, "entry", PK_AGGREGATE_MAX}};

	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		*metrics[i].metric = pk_build_metric(r->b, metrics[i].name, "bytes", 0,
						     PK_METRIC_BYTES, PK_ROUNDED);
		pk_build_set(r->b, metric, aggregate, *metrics[i].metric, metrics[i].aggregate);
	}
}

static int read_report(struct pk_input *in, struct report *r)
{
	static const struct pk_line_reader lines = {.line = read_line};
	char common[12];

	if (pk_read_lines(in, &lines, r, &r->number, r->err))
		return -1;
	end_table(r);
	if (!r->count)
		return pk_fail(r->err, PK_EFORMAT, "no table of memory_profiler with lines");
	snprintf(common, sizeof(common), "%d", r->common);
	pk_build_meta(r->b, "memory_profiler.precision",
		      r->common < 0 ? r->precisions.data : common);
	if (pk_builder_wants(r->b, PK_PART_SOURCES))
		build_sources(r);
	else
		pk_build_unread(r->b, PK_PART_SOURCES);
	return 0;
}

static int read_memory_profiler(struct pk_input *in, const void *params, struct pk_builder *b,
				struct pk_error *err)
{
	struct report r = {.b = b, .err = err};
	int ret;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "memory_profiler");
	make_metrics(&r);
	ret = read_report(in, &r);
	pk_buf_release(&r.texts);
	pk_buf_release(&r.precisions);
	pk_buf_release(&r.name);
	free(r.row);
	free(r.tables);
	return ret;
}

static enum pk_score probe_memory_profiler(const struct pk_probe *probe)
{
	return pk_probe_may_be_text(probe) && pk_probe_has(probe, "Filename: ") &&
			       pk_probe_has(probe, "\nLine #    Mem usage    Increment ")
		       ? PK_SURE
		       : PK_NO;
}

static const char *const suffixes[] = {".txt", NULL};

const struct pk_reader pk_reader_memory_profiler = {
	.name = "memory-profiler",
	.title = "memory of lines, as memory_profiler prints it",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_METRICS | PK_PART_META | PK_PART_SOURCES |
		 PK_PART_LABELS,
	.probe = probe_memory_profiler,
	.read = read_memory_profiler,
};
