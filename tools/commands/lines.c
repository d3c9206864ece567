/* lines: source lines with their cost beside them. */
#include "analysis/lines/lines.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "analysis/hotspots/hotspots.h"
#include "base/io/source_text.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "render/lines/grid.h"
#include "render/lines/memory_profiler.h"
#include "render/tables.h"
#include "tools/table.h"

struct lines_params {
	struct pk_common common;
	struct pk_opt_list sources;
	int64_t context;
	int like;
};

enum { LIKE_PROFKIT, LIKE_MEMORY_PROFILER };
static const char *const likes[] = {"profkit", "memory_profiler", NULL};

enum { DEFAULT_GROUPS = 10, NEAR = 10, DEFAULT_CONTEXT = 2 };

/* Sources have these suffixes, and profiles do not: a file of this name is what to show. */
static bool is_source_name(const char *name)
{
	static const char *const suffixes[] = {".py", ".pyx", ".c",  ".h",  ".cc",  ".cpp",
					       ".js", ".ts",  ".go", ".rs", ".java"};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (pk_ends_with(name, suffixes[i]))
			return true;
	return false;
}

/* The last operand, unless it is a profile or the only one. */
static const char *take_target(int *argc, char **argv)
{
	const char *last = *argc > 1 ? argv[*argc - 1] : NULL;

	if (!last || (pk_is_input(last) && !is_source_name(last)))
		return NULL;
	--*argc;
	return last;
}

static void say_sources(struct pk_buf *footer, const struct pk_lines_sources *s)
{
	if (s->missing)
		pk_buf_addf(
			footer,
			"no source found for %s%s%s: --source DIR names the folder that it is in\n",
			s->missing > 1 ? pk_in_count(s->missing).text : s->first_missing,
			s->missing > 1 ? " files, the first " : "",
			s->missing > 1 ? s->first_missing : "");
	if (s->changed.len)
		pk_buf_adds(footer, s->changed.data);
}

static void make_footer(struct pk_buf *footer, const struct pk_lines *l, uint32_t shown)
{
	double unplaced = pk_share(l->unplaced, l->total);
	uint32_t left = l->group_count - shown;

	if (left)
		pk_buf_addf(footer, "… %s more %s%s; --limit 0 shows all\n", pk_in_count(left).text,
			    l->by_file ? "file" : "function", left == 1 ? "" : "s");
	if (unplaced >= 0.0005)
		pk_buf_addf(footer, "%.1f %% of self in functions whose lines are not known\n",
			    100 * unplaced);
}

static void choose_view(const struct lines_params *o, const struct pk_lines *l, const char *target,
			struct pk_lines_view *view)
{
	view->extent = l->at                      ? PK_LINES_NEAR
		       : l->by_file               ? PK_LINES_WITH
		       : target && o->context < 0 ? PK_LINES_WHOLE
						  : PK_LINES_HOT;
	view->context = (uint32_t)(o->context >= 0 ? o->context : l->at ? NEAR : DEFAULT_CONTEXT);
}

static int show(const struct lines_params *o, const struct pk_loaded *loaded,
		const struct pk_lines *l, const char *target, struct pk_error *err)
{
	struct pk_table_frame table = {loaded, l->profile, l->metric, l->total, l->group_count};
	struct pk_grid_frame frame = {
		.schema = "lines", .members = pk_table_members, .data = &table};
	struct pk_lines_view view = {.folders = o->sources.item, .folder_count = o->sources.count};
	bool people = pk_notation_is_for_people(pk_common_notation(&o->common));
	uint32_t groups = l->group_count;
	struct pk_lines_sources sources;
	struct pk_grid grid;
	int status;

	if (o->common.limit.given)
		groups = (uint32_t)pk_common_rows(&o->common, groups);
	else if (people && groups > DEFAULT_GROUPS)
		groups = DEFAULT_GROUPS;
	choose_view(o, l, target, &view);
	pk_lines_grid(&grid, l, groups, &view, people, &sources);
	table.rows_total = people ? l->group_count : grid.rows;
	pk_table_title(&frame.title, &table);
	pk_buf_addc(&frame.title, '\n');
	if (people) {
		say_sources(&frame.footer, &sources);
		make_footer(&frame.footer, l, groups);
	} else if (sources.changed.len) {
		pk_note(&o->common, "%s", sources.changed.data);
	}
	status = pk_show_grid(&o->common, &grid, &frame, err);
	pk_buf_release(&sources.changed);
	return status;
}

static int start(void *params, struct pk_error *err)
{
	const struct lines_params *o = params;

	(void)err;
	pk_source_allow(o->sources.item, o->sources.count);
	return 0;
}

/* Prints the tables of all files, one after the other. */
static int show_like_memory_profiler(const struct lines_params *o, int argc, char **argv,
				     struct pk_error *err)
{
	struct pk_profiles runs;
	struct pk_output *out;
	int status = 0;

	if (o->common.format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE,
			       "--like memory_profiler is text, and has no --format %s",
			       pk_notations[o->common.format]);
	if (pk_load_inputs(&o->common, argc, argv, &runs, err))
		return -1;
	out = pk_output_open(o->common.output, err);
	if (!out)
		status = -1;
	for (size_t i = 0; !status && i < runs.count; i++)
		status = pk_memory_profiler_print(runs.item[i], out, err);
	pk_profiles_release(&runs);
	if (out && status)
		pk_output_discard(out);
	return status ? -1 : pk_output_commit(out, err);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct lines_params *o = params;
	struct pk_lines_options options = {.min_share = o->common.min_share,
					   .target = take_target(&argc, argv)};
	struct pk_loaded loaded;
	struct pk_lines lines;
	uint32_t metric;
	int status = -1;

	if (o->like == LIKE_MEMORY_PROFILER)
		return show_like_memory_profiler(o, argc, argv, err);
	if (pk_table_sort(&o->common, PK_SORT_SELF, &options.sort, err) ||
	    pk_load_merged(&o->common, argc, argv, &loaded, err))
		return -1;
	if (!pk_common_metric(&o->common, loaded.one, &metric, err) &&
	    !pk_lines_init(&lines, loaded.one, metric, &options, err)) {
		status = show(o, &loaded, &lines, options.target, err);
		pk_lines_release(&lines);
	}
	pk_loaded_release(&loaded);
	return status;
}

static const struct pk_opt opts[] = {
	{PK_OPT_LIST, "source", 0, offsetof(struct lines_params, sources), "DIR",
	 .help = "folder of source files, also of a tree that was elsewhere when the profile was "
		 "recorded; may be given several times"},
	{PK_OPT_INT, "context", 0, offsetof(struct lines_params, context), "N", .fallback = "-1",
	 .min = -1, .max = 1e6,
	 .help = "show N lines around those with numbers (default: 2; all of a FUNCTION)"},
	{PK_OPT_CHOICE, "like", 0, offsetof(struct lines_params, like), "TOOL", .choices = likes,
	 .fallback = "profkit",
	 .help = "print exactly what this tool prints: of its own report memory_profiler"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_lines = {
	.name = "lines",
	.group = PK_GROUP_LOOK,
	.title = "show source lines with their cost beside them",
	.operands = "FILE... [FUNCTION | SOURCE | SOURCE:LINE]",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SORT |
		PK_USE_SHOW | PK_USE_OUTPUT,
	.wants = PK_PART_SOURCES,
	.ignores = PK_PART_ORDER | PK_PART_MARKS,
	.opts = opts,
	.sorts = PK_SORT_NAMES,
	.params_size = sizeof(struct lines_params),
	.start = start,
	.run = run,
};
