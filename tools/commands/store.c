/* profkit store: many runs in one SQLite file. */
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/io/target.h"
#include "base/num/units.h"
#include "store/inspect.h"
#include "tools/command.h"

struct params {
	struct pk_common common;
	const char *label;
	struct pk_opt_list meta, with;
	int64_t keep;
	const char *per, *older_than;
	bool dry_run;
};

static int add_runs(const struct params *params, const char *store, const struct pk_profiles *runs,
		    const char *label, struct pk_error *err)
{
	struct pk_store_notes notes = {label, params->meta.item, params->meta.count};
	int64_t first;

	if (pk_store_add(store, runs, &notes, &first, err))
		return -1;
	if (runs->count == 1)
		pk_note(&params->common, "'%s': run %" PRId64 " added", store, first);
	else
		pk_note(&params->common, "'%s': runs %" PRId64 " to %" PRId64 " added", store,
			first, first + (int64_t)runs->count - 1);
	return 0;
}

/* The label that a run has in the store: that of --label, its own, or the name of its file. */
static const char *label_of(const struct params *params, const struct pk_profile *p)
{
	if (params->label)
		return params->label;
	return p->run.label[1] ? pk_text(p, p->run.label[1])
			       : pk_basename(pk_text(p, p->run.source[1]));
}

/* Profiles of --with get the label of the first run, so that both are chosen together. */
static int add(struct params *params, int argc, char **argv, struct pk_error *err)
{
	struct pk_profiles runs, with = {0};
	int status;

	if (argc < 2)
		return pk_fail(err, PK_EUSAGE,
			       "store add needs a store and a profile (usage: "
			       "profkit store add STORE FILE...)");
	if (pk_load_inputs(&params->common, argc - 1, argv + 1, &runs, err))
		return -1;
	status = params->with.count && pk_load_inputs(&params->common, (int)params->with.count,
						      (char **)params->with.item, &with, err);
	if (!status)
		status = add_runs(params, argv[0], &runs, params->label, err);
	if (!status && with.count)
		status = add_runs(params, argv[0], &with, label_of(params, runs.item[0]), err);
	pk_profiles_release(&runs);
	pk_profiles_release(&with);
	return status ? -1 : 0;
}

static int remove_runs(const struct params *params, int argc, char **argv, struct pk_error *err)
{
	if (argc < 2)
		return pk_fail(err, PK_EUSAGE,
			       "store remove needs a store and a run (usage: "
			       "profkit store remove STORE RUN...)");
	for (int i = 1; i < argc; i++) {
		size_t count;

		if (pk_store_remove(argv[0], argv[i], &count, err))
			return -1;
		pk_note(&params->common, "'%s': %zu run%s removed", argv[0], count,
			count == 1 ? "" : "s");
	}
	return 0;
}

/* "90d": the time that was so long ago, in ns since 1970. */
static int parse_age(const char *age, int64_t *before, struct pk_error *err)
{
	static const struct {
		char unit;
		double seconds;
	} units[] = {{'h', 3600}, {'d', 86400}, {'w', 7 * 86400}};
	char *end;
	double number = strtod(age, &end);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (end == age || *end != units[i].unit || end[1] || !(number >= 0) || number > 1e5)
			continue;
		*before = (int64_t)(((double)time(NULL) - number * units[i].seconds) * 1e9);
		return 0;
	}
	return pk_fail(err, PK_EUSAGE,
		       "--older-than %s: an age is a number and h, d or w (hours, days, weeks)",
		       age);
}

static int show_list(const struct params *params, char *store, const struct pk_run_numbers *only,
		     struct pk_error *err);

static int prune(const struct params *params, int argc, char **argv, struct pk_error *err)
{
	struct pk_prune p = {.keep = params->keep,
			     .per = params->per,
			     .before = PK_NULL,
			     .dry = params->dry_run};
	struct pk_run_numbers runs;
	int status;

	if (argc < 1)
		return pk_fail(err, PK_EUSAGE,
			       "store prune needs a store (usage: profkit store "
			       "prune STORE --keep N [RUN]...)");
	if (!params->keep && !params->older_than)
		return pk_fail(err, PK_EUSAGE, "store prune needs --keep N or --older-than AGE");
	if (params->per && !params->keep)
		return pk_fail(err, PK_EUSAGE,
			       "--per %s needs --keep N: so many runs of each are kept",
			       params->per);
	if (params->older_than && parse_age(params->older_than, &p.before, err))
		return -1;
	p.names = (const char *const *)argv + 1;
	p.name_count = (size_t)argc - 1;
	if (pk_store_prune(argv[0], &p, &runs, err))
		return -1;
	status = params->dry_run ? show_list(params, argv[0], &runs, err) : 0;
	pk_note(&params->common, "'%s': %zu run%s %sremoved", argv[0], runs.count,
		runs.count == 1 ? "" : "s", params->dry_run ? "would be " : "");
	pk_run_numbers_release(&runs);
	return status;
}

static int merge(const struct params *params, int argc, char **argv, struct pk_error *err)
{
	int64_t first, last;

	if (argc < 2)
		return pk_fail(err, PK_EUSAGE,
			       "store merge needs two stores (usage: profkit store merge STORE "
			       "OTHER...)");
	for (int i = 1; i < argc; i++) {
		if (pk_store_merge(argv[0], argv[i], &first, &last, err))
			return -1;
		if (last < first)
			pk_note(&params->common, "'%s': nothing added: '%s' has no runs", argv[0],
				argv[i]);
		else if (first == last)
			pk_note(&params->common, "'%s': run %" PRId64 " added from '%s'", argv[0],
				first, argv[i]);
		else
			pk_note(&params->common,
				"'%s': runs %" PRId64 " to %" PRId64 " added from '%s'", argv[0],
				first, last, argv[i]);
	}
	return 0;
}

enum {
	RUN,
	LABEL,
	FORMAT,
	PRODUCER,
	START,
	DURATION,
	TOTAL,
	UNIT,
	SHOWN_TOTAL,
	FUNCTIONS,
	SAMPLES,
	SPANS,
	COLUMNS
};

static const struct pk_grid_column columns[COLUMNS] = {
	[RUN] = {"run", "Run", PK_CELL_NUMBER, .help = "Number of the run in the store"},
	[LABEL] = {"label", "Label", PK_CELL_TEXT, .help = "Label of the run"},
	[FORMAT] = {"format", "Format", PK_CELL_TEXT, .help = "Format from which it was read"},
	[PRODUCER] = {"producer", "Producer", PK_CELL_TEXT, .help = "Profiler that wrote it"},
	[START] = {"start", NULL, PK_CELL_NUMBER, .help = "Start time in ns since 1970"},
	[DURATION] = {"duration", "Duration", PK_CELL_VALUE, "ns", .help = "Duration in ns"},
	[TOTAL] = {"total", NULL, PK_CELL_REAL, .help = "Sum of its first metric"},
	[UNIT] = {"unit", NULL, PK_CELL_TEXT, .help = "Unit of total"},
	[SHOWN_TOTAL] = {.heading = "Total", .type = PK_CELL_TEXT},
	[FUNCTIONS] = {"functions", "Functions", PK_CELL_INT, .help = "Number of functions"},
	[SAMPLES] = {"samples", "Samples", PK_CELL_INT, .help = "Number of samples"},
	[SPANS] = {"spans", "Spans", PK_CELL_INT, .help = "Number of spans"},
};
const struct pk_grid_columns pk_store_columns = PK_GRID_COLUMNS(columns);

static void add_row(struct pk_grid *g, const struct pk_store_run *r)
{
	struct pk_cell *cell = pk_grid_row(g, 0);
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_cell_int(&cell[RUN], r->run);
	pk_cell_text(&cell[LABEL], r->label);
	pk_cell_text(&cell[FORMAT], r->format);
	pk_cell_text(&cell[PRODUCER], r->producer);
	pk_cell_int(&cell[START], r->start);
	pk_cell_int(&cell[DURATION], r->duration);
	if (r->unit) {
		pk_cell_real(&cell[TOTAL], (double)r->total / pow(10, r->exponent));
		pk_cell_text(&cell[UNIT], r->unit);
		if (r->exponent)
			pk_format_decimal(&text, r->total, r->exponent);
		else
			pk_format_value_unit(&text, r->total, r->unit);
		pk_cell_text(&cell[SHOWN_TOTAL], pk_arena_copy(&g->arena, text.data, text.len));
	}
	pk_cell_int(&cell[FUNCTIONS], r->functions);
	pk_cell_int(&cell[SAMPLES], r->samples);
	pk_cell_int(&cell[SPANS], r->spans);
}

static void write_members(struct pk_json_writer *w, void *path)
{
	pk_json_put_array(w, "inputs");
	pk_write_input(w, path, "store", NULL);
	pk_json_end(w);
}

/* All runs, or only the chosen ones. */
static int show_list(const struct params *params, char *store, const struct pk_run_numbers *only,
		     struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "store", .members = write_members};
	struct pk_store_list runs;
	struct pk_grid g;
	int status;

	size_t chosen = 0;

	if (pk_store_list(store, &runs, err))
		return -1;
	frame.data = store;
	pk_grid_init(&g, columns, COLUMNS);
	for (size_t i = 0; i < runs.count; i++) {
		if (only && (chosen == only->count || only->item[chosen] != runs.item[i].run))
			continue;
		chosen++;
		add_row(&g, &runs.item[i]);
	}
	status = pk_show_grid(&params->common, &g, &frame, err);
	pk_store_list_release(&runs);
	return status;
}

static int list(const struct params *params, int argc, char **argv, struct pk_error *err)
{
	if (argc != 1)
		return pk_fail(err, PK_EUSAGE,
			       "store list takes one store (usage: profkit store list STORE)");
	return show_list(params, argv[0], NULL, err);
}

static int run(void *data, int argc, char **argv, struct pk_error *err)
{
	struct params *params = data;
	const char *what = argc ? argv[0] : "";
	int status;

	if (!strcmp(what, "add"))
		status = add(params, argc - 1, argv + 1, err);
	else if (!strcmp(what, "list"))
		status = list(params, argc - 1, argv + 1, err);
	else if (!strcmp(what, "remove"))
		status = remove_runs(params, argc - 1, argv + 1, err);
	else if (!strcmp(what, "prune"))
		status = prune(params, argc - 1, argv + 1, err);
	else if (!strcmp(what, "merge"))
		status = merge(params, argc - 1, argv + 1, err);
	else if (argc)
		status =
			pk_fail(err, PK_EUSAGE,
				"store can add, list, remove, prune and merge, but not '%s'", what);
	else
		status = pk_fail(
			err, PK_EUSAGE,
			"no action (usage: profkit store add|list|remove|prune|merge STORE ...)");
	return status;
}

static void name_outputs(const void *params, int argc, char **argv)
{
	(void)params;
	if (argc > 1)
		pk_target_name(argv[1]); /* here "-" is the name of a file */
}

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "label", 'l', offsetof(struct params, label), "LABEL",
	 .help = "add: label of the runs (default: the name of the file)"},
	{PK_OPT_LIST, "meta", 0, offsetof(struct params, meta), "KEY=VALUE",
	 .help = "add: information to keep with the runs, such as commit=1f3c"},
	{PK_OPT_LIST, "with", 0, offsetof(struct params, with), "PROFILE",
	 .help = "add: a profile of what the benchmarks run, kept with their results under the "
		 "same label"},
	{PK_OPT_INT, "keep", 0, offsetof(struct params, keep), "N", .min = 1, .max = 1e9,
	 .help = "prune: keep the N runs that were added last"},
	{PK_OPT_TEXT, "per", 0, offsetof(struct params, per), "KEY",
	 .help = "prune: keep N runs of each label (label), or of each value of this key of "
		 "--meta"},
	{PK_OPT_TEXT, "older-than", 0, offsetof(struct params, older_than), "AGE",
	 .help = "prune: remove only runs that began longer ago than this: 36h, 90d, 8w"},
	{PK_OPT_FLAG, "dry-run", 0, offsetof(struct params, dry_run),
	 .help = "prune: list what would be removed, and remove nothing"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_store = {
	.name = "store",
	.group = PK_GROUP_KEEP,
	.title = "keep many runs in one SQLite file",
	.operands = "add|list|remove|prune|merge STORE [FILE|RUN]...",
	.uses = PK_USE_READ | PK_USE_SELECT | PK_USE_SHOW | PK_USE_OUTPUT,
	.wants = PK_PART_ARGS | PK_PART_SOURCES,
	.opts = opts,
	.params_size = sizeof(struct params),
	.name_outputs = name_outputs,
	.benchmarks = PK_BENCHMARKS_AND_PROFILES,
	.run = run,
};
