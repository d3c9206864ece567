/* profkit formats: which formats there are, what each keeps, and what a conversion loses. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/command.h"
#include "tools/help/doc.h"
#include "tools/formats.h"
#include "tools/help/manual.h"
#include "tools/write/tables.h"

/* One letter for each bit of enum pk_part. */
static const char letters[] = "PECFTMOSKADXL";

static const char *mask(struct pk_grid *g, bool there, unsigned keeps, unsigned some)
{
	char text[sizeof(letters)];

	if (!there)
		return NULL;
	for (int i = 0; letters[i]; i++)
		text[i] = some >> i & 1    ? (char)(letters[i] + 'a' - 'A')
			  : keeps >> i & 1 ? letters[i]
					   : '-';
	text[sizeof(letters) - 1] = 0;
	return pk_arena_copy(&g->arena, text, strlen(text));
}

/* Copies what is in text to the grid and empties it; NULL if it was empty. */
static const char *keep(struct pk_grid *g, struct pk_buf *text)
{
	const char *copy = text->len ? pk_arena_copy(&g->arena, text->data, text->len) : NULL;

	text->len = 0;
	return copy;
}

static const char *parts(struct pk_grid *g, bool there, unsigned keeps, struct pk_buf *text)
{
	if (there)
		pk_format_parts(text, keeps);
	return keep(g, text);
}

static void add_format(struct pk_grid *g, const struct pk_format *f, struct pk_buf *text)
{
	unsigned reads = f->reader ? f->reader->keeps : 0;
	unsigned some = f->writer ? pk_writer_keeps_some(f->writer) : 0;
	unsigned writes = f->writer ? f->writer->keeps & ~some : 0;
	struct pk_cell *cell = pk_grid_row(g, 0);

	pk_cell_text(cell++, f->name);
	pk_cell_text(cell++, mask(g, f->reader, reads, 0));
	pk_cell_text(cell++, mask(g, f->writer, writes, some));
	pk_cell_text(cell++, parts(g, f->reader, reads, text));
	pk_cell_text(cell++, parts(g, f->writer, writes, text));
	pk_format_suffixes(text, f->reader && f->reader->suffixes ? f->reader->suffixes
				 : f->writer                      ? f->writer->suffixes
								  : NULL);
	pk_cell_text(cell++, keep(g, text));
	pk_cell_text(cell++, f->title);
	pk_cell_text(cell, parts(g, some, some, text));
}

enum { SUFFIXES = 5 };

static const struct pk_grid_column columns[] = {
	{"format", "Format", PK_CELL_TEXT, .help = "Name of the format, for `-f` and `--to`"},
	{.heading = "Read", .type = PK_CELL_TEXT},
	{.heading = "Written", .type = PK_CELL_TEXT},
	{"read", NULL, PK_CELL_TEXT,
	 .help = "The parts that are read, separated by commas; null: it cannot be read"},
	{"written", NULL, PK_CELL_TEXT,
	 .help = "The parts that are written; null: it cannot be written"},
	[SUFFIXES] = {"suffixes", "Suffixes", PK_CELL_TEXT,
		      .help = "Suffixes of its files, separated by commas"},
	{"title", "What it is", PK_CELL_TEXT, .help = "Short description"},
	{"sometimes", NULL, PK_CELL_TEXT, .help = "The parts that are written of some profiles"},
};
const struct pk_grid_columns pk_formats_columns = PK_GRID_COLUMNS(columns);

static const struct pk_grid_column fate_columns[] = {
	{"part", "Part", PK_CELL_TEXT, .help = "A part of a profile that one of the formats has"},
	{"fate", "Fate", PK_CELL_TEXT,
	 .help = "kept, lost, kept if (the column `when`), estimated, or missing (TO needs it, but "
		 "FROM does not have it)"},
	{"when", "", PK_CELL_TEXT, .help = "If only some profiles keep it: which"},
};
const struct pk_grid_columns pk_formats_fate_columns = PK_GRID_COLUMNS(fate_columns);

static int list_formats(const struct pk_common *c, struct pk_error *err)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	struct pk_grid_frame frame = {.schema = "formats"};
	struct pk_grid grid;
	size_t count;
	struct pk_format *formats = pk_formats(&count);
	int status;

	pk_grid_init(&grid, columns, pk_formats_columns.count);
	grid.spare = 1U << SUFFIXES;
	for (size_t i = 0; i < count; i++)
		add_format(&grid, &formats[i], &text);
	for (int i = 0; letters[i]; i++)
		pk_buf_addf(&frame.footer, "%s%c %s", i % 4 ? ", " : "\n", letters[i],
			    pk_part_names[i]);
	pk_buf_adds(
		&frame.footer,
		"\nsmall letters: kept of some profiles"
		"\n\n'profkit convert FILE NAME.parquet/' writes all parts as a folder of tables."
		"\n\n'profkit formats FORMAT' lists the options of one, 'profkit formats "
		"FROM TO' what is lost.");
	status = pk_show_grid(c, &grid, &frame, err);
	free(formats);
	return status;
}

static int unknown_format(const char *name, struct pk_error *err)
{
	PK_BUF_AUTO there = PK_BUF_INIT;
	size_t count;
	PK_FREED struct pk_format *formats = pk_formats(&count);

	for (size_t i = 0; i < count; i++)
		pk_buf_addf(&there, "%s%s", i ? ", " : "", formats[i].name);
	if (!strcmp(name, "parquet"))
		return pk_fail(err, PK_EUSAGE, PK_PARQUET_IS_FOLDER);
	pk_fail(err, PK_EUSAGE, "no format '%s'; there are: %s", name, there.data);
	return -1;
}

static int show_format(const struct pk_common *c, const char *name, struct pk_error *err)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	struct pk_doc d = {.out = &text};
	struct pk_format format;
	struct pk_output *out;

	if (!pk_format_find(name, &format))
		return unknown_format(name, err);
	out = pk_output_open(c->output, err);
	if (!out)
		return -1;
	pk_manual_format(&d, &format);
	pk_doc_end(&d);
	pk_output_puts(out, text.data + strspn(text.data, "\n"));
	return pk_output_commit(out, err);
}

/* How a part is converted from one format to another. */
static const char *fate(unsigned part, const struct pk_reader *from, const struct pk_writer *to,
			const char **when)
{
	static const char *const names[] = {"lost", "kept", "kept if"};

	if (from->keeps & part)
		return names[pk_writer_fate(to, from->name, from->keeps, part, when)];
	/* pk_write estimates call paths from caller edges */
	if (part == PK_PART_PATHS && pk_writer_wants_paths(to) && (from->keeps & PK_PART_EDGES))
		return "estimated";
	return to->needs & part ? "missing" : NULL;
}

static int compare_formats(const struct pk_common *c, char **names, struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "formats"};
	struct pk_format from, to;
	struct pk_grid grid;
	bool possible = true;

	for (int i = 0; i < 2; i++) {
		if (!pk_format_find(names[i], i ? &to : &from))
			return unknown_format(names[i], err);
	}
	if (!from.reader)
		return pk_fail(err, PK_EUSAGE, "%s cannot be read, only written", from.name);
	if (!to.writer)
		return pk_fail(err, PK_EUSAGE, "%s cannot be written, only read", to.name);
	pk_grid_init(&grid, fate_columns, pk_formats_fate_columns.count);
	for (int i = 0; pk_part_names[i]; i++) {
		const char *when = NULL, *what = fate(1U << i, from.reader, to.writer, &when);
		struct pk_cell *cell;

		if (!what)
			continue;
		possible &= strcmp(what, "missing") != 0;
		cell = pk_grid_row(&grid, 0);
		pk_cell_text(cell, pk_part_names[i]);
		pk_cell_text(cell + 1, what);
		pk_cell_text(cell + 2, when);
	}
	pk_buf_addf(&frame.title,
		    possible ? "What a %s file may hold, written as %s:"
			     : "A %s file cannot be written as %s: what it needs is missing",
		    from.name, to.name);
	return pk_show_grid(c, &grid, &frame, err);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct pk_common *c = params;
	int status;

	if (argc == 0)
		status = list_formats(c, err);
	else if (argc == 1)
		status = show_format(c, argv[0], err);
	else if (argc == 2)
		status = compare_formats(c, argv, err);
	else
		status = pk_fail(err, PK_EUSAGE, "too many operands (usage: profkit formats %s)",
				 c->command->operands);
	return status;
}

const struct pk_command pk_cmd_formats = {
	.name = "formats",
	.group = PK_GROUP_HELP,
	.title = "list formats, what each keeps, and what a conversion loses",
	.operands = "[FORMAT | FROM TO]",
	.uses = PK_USE_SHOW | PK_USE_OUTPUT,
	.params_size = sizeof(struct pk_common),
	.benchmarks = PK_BENCHMARKS_AND_PROFILES,
	.run = run,
};
