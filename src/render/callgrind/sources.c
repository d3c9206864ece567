/*
 * The sources that callgrind_annotate shows, with the costs of lines and, below a line, the calls
 * in it. If functions share a line, it shows only the calls of the first one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io/source_text.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/callgrind/internal.h"

#define RULE                                                                              \
	"@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@" \
	"\n"

struct file {
	uint32_t name;               /* string */
	const uint32_t *line, *call; /* rows of lines; of calls from them, by line */
	uint32_t lines, calls;
	uint32_t printed, called; /* lines and calls so far */
	struct pk_source_text text;
	int *width;
	int64_t *annotated; /* sums of all files */
};

PK_COMPARE_ROWS(by_line, struct annotate,
		PK_ORDER(d->lines.row[a].from, d->lines.row[b].from)
			?: PK_ORDER(d->lines.row[a].line, d->lines.row[b].line))

static uint32_t file_of_call(const struct annotate *a, uint32_t call)
{
	return a->functions.row[a->calls.row[call].from].from;
}

static uint32_t whole_call(const struct annotate *a, uint32_t call)
{
	const struct annotate_row *row = &a->calls.row[call];

	return annotate_row((struct annotate_rows *)&a->calls, row->from, row->to, 0);
}

/* Sorts by line; in a line, by the order of functions in the file. */
PK_COMPARE_ROWS(by_place, struct annotate,
		PK_ORDER(file_of_call(d, a), file_of_call(d, b))
			?: PK_ORDER(d->calls.row[a].line, d->calls.row[b].line)
				   ?: PK_ORDER(a, b))

static int compare_called(const void *x, const void *y, void *data)
{
	const struct annotate *a = data;
	uint32_t left = whole_call(a, *(const uint32_t *)x),
		 right = whole_call(a, *(const uint32_t *)y);
	int order = annotate_compare(a, annotate_values(&a->calls, left),
				     annotate_values(&a->calls, right));

	return order ? order
		     : strcmp(a->functions.row[a->calls.row[left].to].name,
			      a->functions.row[a->calls.row[right].to].name);
}

/* The calls from a line. */
static void print_line_calls(struct annotate *a, struct file *f, uint32_t line)
{
	uint32_t count = 0, i = f->called;
	uint32_t first, end, *called;

	while (i < f->calls && a->calls.row[f->call[i]].line < line)
		i++;
	for (first = end = i; end < f->calls && a->calls.row[f->call[end]].line == line;)
		end++;
	f->called = end;
	if (first == end)
		return;
	called = pk_calloc(end - first, sizeof(*called));
	for (i = first; i < end; i++)
		if (a->calls.row[f->call[i]].from == a->calls.row[f->call[first]].from)
			called[count++] = f->call[i];
	qsort_r(called, count, sizeof(*called), compare_called, a);
	for (i = 0; i < count; i++) {
		const struct annotate_row *call = &a->calls.row[called[i]];

		annotate_costs(a, annotate_values(&a->calls, called[i]), f->width);
		a->buf.len = 0;
		pk_format_count(&a->buf, call->calls);
		pk_output_printf(a->out, " => %s (%sx)\n", a->functions.row[call->to].name,
				 a->buf.data);
	}
	free(called);
}

static void print_mark(struct annotate *a, int64_t line)
{
	pk_output_printf(a->out, "-- line %" PRId64 " ----------------------------------------\n",
			 line);
}

static void print_source_line(struct annotate *a, struct file *f, uint32_t line)
{
	size_t len;
	const char *text = pk_source_line(&f->text, line, &len);

	if (f->printed < f->lines && a->lines.row[f->line[f->printed]].line == line) {
		const int64_t *value = annotate_values(&a->lines, f->line[f->printed++]);

		annotate_costs(a, value, f->width);
		annotate_add(a, f->annotated, value);
	} else {
		annotate_costs(a, a->nothing, f->width);
	}
	pk_output_putc(a->out, ' ');
	pk_output_write(a->out, text, len);
	pk_output_putc(a->out, '\n');
	print_line_calls(a, f, line);
}

/* The lines with costs and those around them. */
static void print_ranges(struct annotate *a, struct file *f)
{
	int64_t context = a->params->context, at = 0;

	for (uint32_t i = 0; i < f->lines; i++) {
		int64_t low = a->lines.row[f->line[i]].line - context, high;

		while (i + 1 < f->lines && a->lines.row[f->line[i]].line + 2 * context >=
						   a->lines.row[f->line[i + 1]].line)
			i++;
		high = a->lines.row[f->line[i]].line + context;
		low = low < 1 ? 1 : low;
		at = low - 1 > at ? low - 1 : at;
		if (low != 1)
			print_mark(a, low);
		for (; at < high && at < f->text.count; at++)
			print_source_line(a, f, (uint32_t)at + 1);
		if (at < high)
			return;
		print_mark(a, high);
	}
}

/* Lines with costs beyond the end of the source. */
static void print_bogus(struct annotate *a, struct file *f)
{
	const char *name = pk_text(a->p, f->name);
	bool header = pk_ends_with(name, ".h");

	if (f->printed == f->lines)
		return;
	for (; f->printed < f->lines; f->printed++) {
		annotate_costs(a, annotate_values(&a->lines, f->line[f->printed]), f->width);
		pk_output_printf(a->out, " <bogus line %" PRIu32 ">\n",
				 a->lines.row[f->line[f->printed]].line);
	}
	pk_output_putc(a->out, '\n');
	pk_output_puts(a->out, RULE);
	pk_output_puts(a->out, "@@ WARNING @@ WARNING @@ WARNING @@ WARNING @@ WARNING @@ WARNING "
			       "@@ WARNING @@\n");
	pk_output_puts(a->out, RULE);
	pk_output_printf(
		a->out,
		"@@\n@@ Information recorded about lines past the end of '%s'.\n"
		"@@\n@@ Probable cause and solution:\n%s@@\n",
		name,
		header ? "@@ cause:    bug in the Valgrind's debug info reader that screws "
			 "up with .h\n@@           files sometimes\n@@ solution: none, "
			 "sorry\n"
		       : "@@ cause:    not sure, sorry\n");
	pk_output_puts(a->out, RULE);
	pk_output_putc(a->out, '\n');
}

static void print_file(struct annotate *a, struct file *f, const char *folder)
{
	struct annotate_rows rows = a->lines;
	uint32_t unknown = f->lines && !a->lines.row[f->line[0]].line ? f->line[0] : UINT32_MAX;
	PK_FREED int64_t *value =
		pk_calloc(pk_mul((size_t)f->lines + 1, a->events), sizeof(*value));

	annotate_rule(a);
	pk_output_printf(a->out, "-- Auto-annotated source: %s%s%s\n", folder ? folder : "",
			 !folder                     ? ""
			 : pk_ends_with(folder, "/") ? " + "
						     : "/ + ",
			 pk_text(a->p, f->name));
	annotate_rule(a);
	for (uint32_t i = 0; i < f->lines; i++)
		memcpy(value + (size_t)i * a->events, annotate_values(&a->lines, f->line[i]),
		       a->events * sizeof(*value));
	rows.value = value;
	rows.count = f->lines;
	annotate_fit(a, &rows, f->width);
	annotate_events(a, f->width);
	pk_output_puts(a->out, "\n\n");
	if (unknown != UINT32_MAX) {
		f->line++;
		f->lines--;
	}
	print_ranges(a, f);
	print_bogus(a, f);
	pk_output_putc(a->out, '\n');
	if (unknown == UINT32_MAX)
		return;
	annotate_costs(a, annotate_values(&a->lines, unknown), f->width);
	pk_output_printf(a->out, " <counts for unidentified lines in %s>\n\n",
			 pk_text(a->p, f->name));
}

static bool find_source(const struct annotate *a, struct file *f, const char **folder)
{
	const struct pk_callgrind_annotate *o = a->params;
	const char *path = pk_text(a->p, f->name);

	*folder = NULL;
	if (pk_source_find(&f->text, path, NULL, 0))
		return true;
	for (size_t i = 0; i < o->folder_count; i++) {
		*folder = o->folders[i];
		if (pk_source_find(&f->text, path, &o->folders[i], 1))
			return true;
	}
	return false;
}

PK_COMPARE_ROWS(by_name, struct pk_profile, strcmp(pk_text(d, a), pk_text(d, b)))

static void print_missing(struct annotate *a, const uint32_t *missing, uint32_t count)
{
	if (!count)
		return;
	annotate_rule(a);
	pk_output_puts(a->out,
		       "The following files chosen for auto-annotation could not be found:\n");
	annotate_rule(a);
	for (uint32_t i = 0; i < count; i++)
		pk_output_printf(a->out, "  %s\n", pk_text(a->p, missing[i]));
	pk_output_putc(a->out, '\n');
}

/* Prints the share of the whole that is in lines that were shown. */
static void print_annotated(struct annotate *a, int64_t *annotated)
{
	struct annotate_rows sum = {.value = annotated, .count = 1, .events = a->events};

	for (uint32_t e = 0; e < a->events; e++)
		if (a->summary[e] == PK_NULL || !a->summary[e] || annotated[e] > a->summary[e])
			a->summary[e] = annotated[e];
	annotate_fit(a, &sum, a->width);
	annotate_rule(a);
	annotate_events(a, a->width);
	pk_output_putc(a->out, '\n');
	annotate_rule(a);
	annotate_costs(a, annotated, a->width);
	pk_output_puts(a->out, " events annotated\n\n");
}

void annotate_sources(struct annotate *a)
{
	uint32_t strings = a->p->string.count, files = 0, missing = 0, calls = 0, l, c;
	PK_FREED uint32_t *file = pk_calloc((size_t)strings * 2, sizeof(*file));
	PK_FREED uint32_t *line = pk_calloc((size_t)a->lines.count + 1, sizeof(*line));
	PK_FREED uint32_t *call = pk_calloc((size_t)a->calls.count + 1, sizeof(*call));
	PK_FREED int64_t *annotated = pk_calloc((size_t)a->events + 1, sizeof(*annotated));
	PK_FREED int *width = pk_calloc((size_t)a->events + 1, sizeof(*width));
	bool any = false;

	for (uint32_t e = 0; e < a->events; e++)
		annotated[e] = PK_NULL;
	for (uint32_t s = 1; s < strings; s++)
		if (a->shown_file[s])
			file[files++] = s;
	qsort_r(file, files, sizeof(*file), by_name, (void *)a->p);
	for (uint32_t i = 0; i < a->lines.count; i++)
		line[i] = i;
	for (uint32_t i = 0; i < a->calls.count; i++)
		if (a->calls.row[i].line)
			call[calls++] = i;
	qsort_r(line, a->lines.count, sizeof(*line), by_line, a);
	qsort_r(call, calls, sizeof(*call), by_place, a);
	for (uint32_t i = 0; i < files; i++) {
		struct file f = {.name = file[i], .width = width, .annotated = annotated};
		const char *folder;

		if (!find_source(a, &f, &folder)) {
			file[strings + missing++] = file[i];
			continue;
		}
		for (l = 0; l < a->lines.count && a->lines.row[line[l]].from != f.name;)
			l++;
		for (c = 0; c < calls && file_of_call(a, call[c]) != f.name;)
			c++;
		f.line = line + l;
		f.call = call + c;
		while (l + f.lines < a->lines.count &&
		       a->lines.row[line[l + f.lines]].from == f.name)
			f.lines++;
		while (c + f.calls < calls && file_of_call(a, call[c + f.calls]) == f.name)
			f.calls++;
		any = true;
		print_file(a, &f, folder);
		pk_source_release(&f.text);
	}
	print_missing(a, file + strings, missing);
	if (any)
		print_annotated(a, annotated);
}
