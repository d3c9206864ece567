/* lines: source lines with their cost beside them. */
#include "analysis/lines/lines.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/io/source_text.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "render/lines/grid.h"
#include "render/lines/lcov.h"
#include "render/lines/line_profiler.h"
#include "render/lines/memory_profiler.h"
#include "render/tables.h"
#include "tools/commands/diff/lines.h"
#include "tools/like/like.h"
#include "tools/table.h"

struct lines_params {
	struct pk_common common;
	struct pk_opt_list sources, sources_before;
	int64_t context;
	int like; /* of pk_line_likes */
	bool skip_zero, summarize, sort_total;
};

/* The common options, and one of this command. */
static const char *const notations[] = {"text", "csv",   "json", "markdown",
					"html", "brief", "lcov", NULL};
enum { LCOV = PK_BRIEF + 1 };

enum { NEAR = 10, DEFAULT_CONTEXT = 2 };

/* Suffixes of sources, which profiles do not have: a file with one of these is what to show. */
static bool is_source_name(const char *name)
{
	static const char *const suffixes[] = {".py", ".pyx", ".c",  ".h",  ".cc",  ".cpp",
					       ".js", ".ts",  ".go", ".rs", ".java"};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (pk_ends_with(name, suffixes[i]))
			return true;
	return false;
}

/* The last operand, unless it is a profile or the only one; or the first, as of callers, if only
 * that is no file. */
static const char *take_target(const struct pk_common *c, int *argc, char ***argv)
{
	const char *last = *argc > 1 ? (*argv)[*argc - 1] : NULL;

	if (!last)
		return NULL;
	if (pk_is_input(last) && !is_source_name(last)) {
		if (c->dashes >= 0 || (pk_is_input((*argv)[0]) && !is_source_name((*argv)[0])))
			return NULL;
		--*argc;
		return *(*argv)++;
	}
	--*argc;
	return last;
}

static void say_sources(struct pk_buf *footer, const struct pk_lines_sources *s)
{
	pk_lines_say_missing(footer, s);
	if (s->changed.len)
		pk_buf_adds(footer, s->changed.data);
}

static void make_footer(struct pk_buf *footer, const struct pk_lines *l, uint32_t shown)
{
	double unplaced = pk_share(l->unplaced, pk_whole(l->profile, l->metric, l->total));

	pk_say_more_groups(footer, l->group_count - shown, l->by_file);
	if (unplaced >= 0.0005)
		pk_buf_addf(footer, "%.1f%% of self in functions whose lines are not known\n",
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
	uint32_t groups = pk_line_groups(&o->common, l->group_count);
	struct pk_lines_sources sources;
	struct pk_grid grid;
	int status;

	choose_view(o, l, target, &view);
	pk_lines_grid(&grid, l, groups, &view, people, &sources);
	table.rows_total = people ? l->group_count : grid.rows;
	pk_table_title(&frame.title, &table);
	pk_buf_adds(&frame.title, pk_lines_include_calls(l->profile)
					  ? "\nthe time of a line includes the functions it calls\n"
					  : "\n");
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

static int show_lcov(const struct lines_params *o, const struct pk_lines *l, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(o->common.output, err);

	if (!out)
		return -1;
	if (!l->counted)
		pk_note(&o->common,
			"'%s' does not say how often lines were executed: LCOV has %s in place of "
			"hits",
			pk_text(l->profile, l->profile->run.source[1]),
			pk_text(l->profile, l->profile->metric.name[l->metric]));
	pk_lines_lcov(l, out);
	return pk_output_commit(out, err);
}

/* BEFORE... -- AFTER... [FUNCTION | SOURCE[:LINE]]; the line is that of the side after. */
static int compare_sides(const struct lines_params *o, int argc, char **argv, const char *target,
			 struct pk_error *err)
{
	const struct pk_side_lines options = {.target = target,
					      .sources = {o->sources_before, o->sources},
					      .context = o->context};
	struct pk_profiles runs[2];
	int status;

	if (o->common.format == LCOV)
		return pk_fail(err, PK_EUSAGE, "--format lcov is for one side");
	if (pk_load_sides(&o->common, argc, argv, runs, err))
		return -1;
	status = pk_show_side_lines(&o->common, &options, runs, err);
	pk_profiles_release(&runs[0]);
	pk_profiles_release(&runs[1]);
	return status;
}

static int start(void *params, struct pk_error *err)
{
	const struct lines_params *o = params;

	(void)err;
	pk_source_allow(o->sources.item, o->sources.count);
	pk_source_allow(o->sources_before.item, o->sources_before.count);
	return 0;
}

/* --unit in seconds: a name, or a number as line_profiler takes it; 0 = not given. */
static int parse_unit(const char *text, double *seconds, struct pk_error *err)
{
	struct pk_unit unit;
	char *end;

	*seconds = 0;
	if (!text)
		return 0;
	if (pk_unit_named("ns", text, &unit)) {
		*seconds = unit.divisor / 1e9;
		return 0;
	}
	*seconds = strtod(text, &end);
	if (*end || !(*seconds > 0) || isinf(*seconds))
		return pk_fail(err, PK_EUSAGE,
			       "--unit: '%s' is neither a unit of time nor a number of seconds",
			       text);
	return 0;
}

static int print_like(const struct lines_params *o, const struct pk_profiles *runs,
		      struct pk_output *out, struct pk_error *err)
{
	struct pk_line_profiler_params params = {
		.version = (enum pk_line_profiler_version)(o->like - PK_LIKE_LINE_PROFILER),
		.skip_zero = o->skip_zero,
		.summarize = o->summarize,
		.sort = o->sort_total ? "total" : o->common.sort,
		.folders = o->sources.item,
		.folder_count = o->sources.count,
	};
	int status = 0;

	if (o->like >= PK_LIKE_LINE_PROFILER)
		return parse_unit(o->common.unit, &params.unit, err)
			       ? -1
			       : pk_line_profiler_print(runs, &params, out, err);
	for (size_t i = 0; !status && i < runs->count; i++)
		status = pk_memory_profiler_print(runs->item[i], out, err);
	return status;
}

static int show_like(const struct lines_params *o, int argc, char **argv, struct pk_error *err)
{
	struct pk_profiles runs;
	struct pk_output *out;
	int status = -1;

	if (o->common.format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE,
			       "--like %s prints text: it cannot be combined with --format %s",
			       pk_line_likes[o->like], notations[o->common.format]);
	if (o->common.sort && strcmp(o->common.sort, "total") != 0)
		return pk_fail(err, PK_EUSAGE, "--sort: line_profiler sorts only by total");
	if (o->common.metric)
		return pk_fail(err, PK_EUSAGE,
			       "-m %s: --like %s has no choice of metrics; -m of line_profiler is "
			       "--summarize",
			       o->common.metric, pk_line_likes[o->like]);
	if (pk_load_inputs(&o->common, argc, argv, &runs, err))
		return -1;
	out = pk_output_open(o->common.output, err);
	if (out && !print_like(o, &runs, out, err))
		status = pk_output_commit(out, err);
	else if (out)
		pk_output_discard(out);
	pk_profiles_release(&runs);
	return status;
}

static int show_like_callgrind(const struct lines_params *o, int argc, char **argv,
			       struct pk_error *err)
{
	struct pk_callgrind_annotate params = {
		.threshold = 0.99,
		.sources = true,
		.context = o->context < 0 ? 8 : o->context,
		.folders = o->sources.item,
		.folder_count = o->sources.count,
	};

	return pk_show_like_callgrind(&o->common, &params, argc, argv, err);
}

/* -m A,B,C, unless a metric has this name: the first is that of the table. */
static int choose_metrics(const struct lines_params *o, const struct pk_profile *p,
			  uint32_t metric[PK_LINES_MORE + 1], uint32_t *more, struct pk_error *err)
{
	struct pk_common common = o->common;
	PK_FREED char *names = o->common.metric && !pk_metric_find(p, o->common.metric)
				       ? pk_strdup(o->common.metric)
				       : NULL;
	char *rest = names;

	for (uint32_t i = 0; i <= PK_LINES_MORE; i++) {
		common.metric = names ? strsep(&rest, ",") : o->common.metric;
		if (pk_common_metric(&common, p, &metric[i], err))
			return -1;
		*more = i;
		if (!rest)
			return 0;
	}
	return pk_fail(err, PK_EUSAGE, "-m: at most %d metrics at once", PK_LINES_MORE + 1);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct lines_params *o = params;
	struct pk_lines_options options = {
		.min_share = o->common.min_share,
		.target = o->like ? NULL : take_target(&o->common, &argc, &argv)};
	struct pk_loaded loaded;
	struct pk_lines lines;
	uint32_t metric[PK_LINES_MORE + 1];
	int status = -1;

	options.by_file = o->common.format == LCOV;
	if (o->like == PK_LIKE_CALLGRIND_LINES)
		return show_like_callgrind(o, argc, argv, err);
	if (o->like)
		return show_like(o, argc, argv, err);
	if (o->skip_zero || o->summarize || o->sort_total)
		return pk_fail(err, PK_EUSAGE,
			       "--skip-zero, --summarize and -t need --like line_profiler");
	if (o->common.dashes >= 0)
		return compare_sides(o, argc, argv, options.target, err);
	if (pk_table_sort(&o->common, PK_SORT_SELF, &options.sort, err) ||
	    pk_load_merged(&o->common, argc, argv, &loaded, err))
		return -1;
	options.more = &metric[1];
	if (!choose_metrics(o, loaded.one, metric, &options.more_count, err) &&
	    !pk_lines_init(&lines, loaded.one, metric[0], &options, err)) {
		status = options.by_file ? show_lcov(o, &lines, err)
					 : show(o, &loaded, &lines, options.target, err);
		pk_lines_release(&lines);
	}
	pk_loaded_release(&loaded);
	return status;
}

static const struct pk_opt opts[] = {
	{PK_OPT_LIST, "source", 0, offsetof(struct lines_params, sources), "DIR",
	 .help = "folder of source files, also of a tree that was elsewhere when the profile was "
		 "recorded; may be given several times"},
	{PK_OPT_LIST, "source-before", 0, offsetof(struct lines_params, sources_before), "DIR",
	 .help = "the same for the side before"},
	{PK_OPT_INT, "context", 0, offsetof(struct lines_params, context), "N", .fallback = "-1",
	 .min = -1, .max = 1e6,
	 .help = "lines around those with numbers; -1: as many as suit what is shown"},
	{PK_OPT_CHOICE, "format", 0, offsetof(struct pk_common, format), "NOTATION",
	 .choices = notations,
	 .help = "notation of the result (default: by the suffix of -o, otherwise text); lcov has "
		 "the hits of lines, for editors and viewers of coverage"},
	{PK_OPT_CHOICE, "like", 0, offsetof(struct lines_params, like), "TOOL",
	 .choices = pk_line_likes, .fallback = "profkit", .help = PK_LIKE_HELP},
	{PK_OPT_GROUP, .help = "with --like"},
	{PK_OPT_FLAG, "skip-zero", 'z', offsetof(struct lines_params, skip_zero),
	 .help = "with --like: leave out functions that never ran"},
	{PK_OPT_FLAG, "summarize", 0, offsetof(struct lines_params, summarize),
	 .help = "with --like: add a list of functions with their times"},
	{PK_OPT_FLAG, "sort-total", 't', offsetof(struct lines_params, sort_total),
	 .help = "with --like line_profiler: the same as --sort total"},
	{PK_OPT_TEXT, "output-unit", 'u', offsetof(struct pk_common, unit), "UNIT",
	 .help = "the same as --unit, as line_profiler calls it: 1e-3, or ms"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_lines = {
	.name = "lines",
	.group = PK_GROUP_LOOK,
	.title = "show source lines with their cost beside them",
	.operands = "FILE... [-- FILE...] [FUNCTION | SOURCE[:LINE]]",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SORT |
		PK_USE_SHOW | PK_USE_OUTPUT,
	.wants = PK_PART_SOURCES,
	.ignores = PK_PART_ORDER | PK_PART_MARKS | PK_PART_SPANS | PK_PART_THREADS,
	.opts = opts,
	.sorts = PK_SORT_NAMES,
	.params_size = sizeof(struct lines_params),
	.start = start,
	.run = run,
};
