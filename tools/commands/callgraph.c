/* profkit callgraph: which functions call which, as DOT or a picture. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/function_name.h"
#include "analysis/split_names.h"
#include "base/alloc.h"
#include "base/text/str.h"
#include "model/totals.h"
#include "render/cells.h"
#include "tools/like/like.h"
#include "tools/picture.h"
#include "tools/table.h"
#include "writers/dot/dot.h"

struct params {
	struct pk_common common;
	int to;                     /* index in pictures */
	const char *list_functions; /* pattern */
	struct pk_dot_params dot;
	struct pk_dot_painter painter;
	int64_t draw_time;
	bool javascript;
	int like;    /* index in pk_graph_likes */
	char *spare; /* "x.svg.dot" */
	const char *diff;
	bool compare;
	struct pk_opt_list map;
};

enum { AUTO, DOT };
static const char *const pictures[] = {"auto", "dot", "svg", "pdf", "png", NULL};

/* The kind of picture by the suffix of the output, ignoring compression; AUTO for an unknown
 * one. */
static int picture_of(const struct params *p)
{
	const char *path = p->common.output, *point;
	size_t len = path ? strlen(path) : 0;
	char suffix[5] = "";

	if (p->to != AUTO)
		return p->to;
	if (path && pk_ends_with(path, ".gz"))
		len -= 3;
	else if (path && pk_ends_with(path, ".zst"))
		len -= 4;
	point = path ? memrchr(path, '.', len) : NULL;
	if (point && path + len - point < (ptrdiff_t)sizeof(suffix))
		memcpy(suffix, point + 1, (size_t)(path + len - point - 1));
	for (int i = DOT; pictures[i]; i++)
		if (strcmp(suffix, pictures[i]) == 0)
			return i;
	return !point || strchr(point, '/') || !strcmp(suffix, "gv") ? DOT : AUTO;
}

static void say(void *data, const char *text)
{
	pk_note(data, "%s", text);
}

static char *spare_name(const char *output)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_adds(&buf, output);
	pk_buf_adds(&buf, ".dot");
	return buf.data;
}

/* Starts the process in which Graphviz draws, before the sandbox. */
static int start(void *data, struct pk_error *err)
{
	struct params *params = data;
	int picture = picture_of(params), forked;

	params->dot.note = say;
	params->dot.note_data = &params->common;
	if (picture == AUTO)
		return pk_fail(
			err, PK_EUSAGE,
			"'%s': callgraph writes dot, svg, pdf and png, not this; --to FORMAT "
			"writes one of them whatever the name",
			params->common.output);
	if (picture == DOT || params->list_functions)
		return 0;
	if (params->like)
		return pk_fail(err, PK_EUSAGE,
			       "--like pprof writes DOT; 'dot -Tsvg' draws a picture of it");
	if (pk_no_terminal(params->common.output, "a picture", err))
		return -1;
	if (params->common.output && strcmp(params->common.output, "-") != 0)
		params->spare = spare_name(params->common.output);
	params->painter = (struct pk_dot_painter){.params = &params->dot,
						  .format = pictures[picture],
						  .spare = params->spare,
						  .seconds = params->draw_time,
						  .javascript = params->javascript};
	forked = pk_dot_fork(&params->painter, err);
	if (forked == 1)
		_exit(pk_confine(&params->common, err) ? PK_FAILED
						       : pk_dot_paint(&params->painter));
	return forked;
}

static int draw(struct params *params, const struct pk_profile *p, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(params->common.output, err);
	int status;

	if (!out)
		return -1;
	if (!params->painter.format)
		status = pk_dot_write(p, &params->dot, out, err);
	else
		status = pk_dot_render(&params->painter, p, out, err);
	if (status) {
		pk_output_discard(out);
		return -1;
	}
	return pk_output_commit(out, err);
}

static void add_function(struct pk_grid *grid, const struct pk_profile *p,
			 const struct pk_function_total *f)
{
	struct pk_cell *cell = pk_grid_row(grid, 0);
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_graph_name(&name, p, f->function);
	pk_cell_text(cell++, pk_arena_copy(&grid->arena, name.data, name.len));
	pk_cell_string(cell++, p, p->function.name[f->function]);
	pk_cell_string(cell++, p, p->function.module[f->function]);
	pk_cell_string(cell++, p, p->function.file[f->function]);
	pk_cell_line(cell++, p->function.line[f->function]);
	pk_cell_int(cell++, f->calls);
	pk_cell_int(cell++, f->self);
	pk_cell_int(cell, f->total);
}

static const struct pk_grid_column columns[] = {
	{"name", "Name in the graph", PK_CELL_TEXT,
	 .help = "Name in the graph: module:line:function if its file is known"},
	{"function", NULL, PK_CELL_TEXT, .help = "Name of the function, as the profiler wrote it"},
	PK_GRID_MODULE,
	{"file", "File", PK_CELL_TEXT, .help = "Source file of the function"},
	PK_GRID_LINE,
	{"calls", "Calls", PK_CELL_INT, .help = "Number of calls"},
	{"self", "Self", PK_CELL_VALUE, .help = "Value of the function itself"},
	{"total", "Total", PK_CELL_VALUE,
	 .help = "Value of the function including all that it calls"},
};
const struct pk_grid_columns pk_callgraph_columns = PK_GRID_COLUMNS(columns);

static int show_functions(struct params *params, struct pk_table_frame *table,
			  const struct pk_functions *functions, struct pk_pattern *pattern,
			  struct pk_error *err)
{
	const struct pk_profile *p = table->profile;
	struct pk_grid_frame frame = {
		.schema = params->common.command->name, .members = pk_table_members, .data = table};
	struct pk_grid grid;

	pk_grid_init(&grid, columns, pk_callgraph_columns.count);
	grid.unit = pk_metric_unit(p, table->metric);
	grid.exponent = p->metric.exponent[table->metric];
	for (uint32_t i = 0; i < functions->count; i++)
		if (pk_pattern_matches(pattern, p, functions->row[i].function))
			add_function(&grid, p, &functions->row[i]);
	table->rows_total = grid.rows;
	return pk_show_grid(&params->common, &grid, &frame, err);
}

/* The functions that --root and --leaf can choose from. */
static int list_functions(struct params *params, const struct pk_loaded *loaded,
			  struct pk_error *err)
{
	const char *given = params->list_functions;
	const char *text = given + (*given == '%'); /* for gprof2dot: "with all that is known" */
	struct pk_pattern *pattern = pk_pattern_new(strcmp(text, "+") == 0 ? "*" : text, err);
	struct pk_profile *split;
	struct pk_table_frame table = {.loaded = loaded, .metric = params->dot.metric};
	struct pk_functions functions;
	int status;

	if (!pattern)
		return pk_fail_context(err, "--list-functions");
	split = params->dot.names_as_read ? NULL : pk_split_names(loaded->one);
	table.profile = split ? split : loaded->one;
	pk_functions_init(&functions, table.profile, table.metric);
	table.total = functions.total;
	status = show_functions(params, &table, &functions, pattern, err);
	pk_functions_release(&functions);
	pk_pattern_free(pattern);
	pk_profile_free(split);
	return status;
}

/* Both sides matched; they belong to the caller. */
static int draw_sides(struct params *params, struct pk_profile *before, struct pk_profile *after,
		      struct pk_error *err)
{
	struct pk_match_options options = {.map = &params->map};
	struct pk_profile *sides[PK_SIDES] = {before, after};
	struct pk_match match;
	int status;

	if (pk_match_paths(before, after, err) ||
	    pk_match_wanted(&params->common, &match, sides, &options, params->dot.metrics, err))
		return -1;
	params->dot.match = &match;
	status = draw(params, after, err);
	pk_match_release(&match);
	return status;
}

/* --diff BEFORE AFTER..., or gprof2dot's --compare BEFORE AFTER. */
static int draw_difference(struct params *params, int argc, char **argv, struct pk_error *err)
{
	char *path = params->diff ? pk_strdup(params->diff) : NULL;
	struct pk_loaded before, after;
	int status = -1;

	if (!path && argc != 2)
		return pk_fail(err, PK_EUSAGE, "--compare needs two files, before and after");
	if (!pk_load_merged(&params->common, 1, path ? &path : argv, &before, err)) {
		if (!pk_load_merged(&params->common, path ? argc : 1, path ? argv : argv + 1,
				    &after, err)) {
			pk_note_sums(&params->common, &before, &after);
			status = draw_sides(params, before.one, after.one, err);
			pk_loaded_release(&after);
		}
		pk_loaded_release(&before);
	}
	free(path);
	return status;
}

/* As `go tool pprof -dot` draws it. */
static int draw_like_pprof(const struct params *params, int argc, char **argv, struct pk_error *err)
{
	const struct pk_callgraph_params *shown = &params->dot.shown;
	struct pk_common common = params->common;
	struct pk_pprof_params pprof = {.view = PK_PPROF_DOT,
					.fraction = shown->node_threshold,
					.edge_fraction = shown->edge_threshold};

	if (params->diff || params->compare || params->list_functions || shown->root ||
	    shown->leaf || shown->paths.count || shown->depth >= 0)
		return pk_fail(err, PK_EUSAGE,
			       "--like pprof draws one profile, and cannot be combined with "
			       "--diff, --compare, "
			       "--list-functions, --root, --leaf, --depth or --path; filters such "
			       "as --focus can be");
	common.limit = shown->limit;
	return pk_show_like_pprof(&common, &pprof, argc, argv, err);
}

static int run(void *data, int argc, char **argv, struct pk_error *err)
{
	struct params *params = data;
	struct pk_loaded loaded;
	int status;

	if (params->common.min_share > 0)
		params->dot.shown.node_threshold = params->common.min_share;
	if (params->like)
		return draw_like_pprof(params, argc, argv, err);
	if (params->diff || params->compare)
		return draw_difference(params, argc, argv, err);
	if (pk_load_merged(&params->common, argc, argv, &loaded, err))
		return -1;
	params->dot.names_as_read = pk_is_by_place(params->common.select.granularity);
	status = pk_common_metric(&params->common, loaded.one, &params->dot.metric, err);
	if (!status && params->list_functions)
		status = list_functions(params, &loaded, err);
	else if (!status)
		status = draw(params, loaded.one, err);
	pk_loaded_release(&loaded);
	return status;
}

static int run_and_free(void *data, int argc, char **argv, struct pk_error *err)
{
	struct params *params = data;
	int status = run(params, argc, argv, err);

	free(params->spare);
	return status;
}

static void name_outputs(const void *data, int argc, char **argv)
{
	const struct params *params = data;

	(void)argc;
	(void)argv;
	if (params->spare)
		pk_output_name(params->spare);
}

#define AT(member) offsetof(struct params, dot.member)

static const struct pk_opt opts[] = {
	{PK_OPT_CHOICE, "to", 't', offsetof(struct params, to), "FORMAT", .choices = pictures,
	 .fallback = "auto", .help = "kind"},
	{PK_OPT_TEXT, "list-functions", 0, offsetof(struct params, list_functions), "F",
	 .help = "list names for --root and --leaf; '*' = all"},
#include "writers/dot/options.def"
	{PK_OPT_CHOICE, "like", 0, offsetof(struct params, like), "TOOL", .choices = pk_graph_likes,
	 .fallback = "profkit", .help = "write exactly what this tool writes"},
	{PK_OPT_FLAG, "javascript", 0, offsetof(struct params, javascript), .fallback = "yes",
	 .help = "include the script that makes an SVG fit the window, zoom and move"},
	{PK_OPT_INT, "draw-time", 0, offsetof(struct params, draw_time), "S", .fallback = "60",
	 .min = 0, .max = 86400,
	 .help = "seconds of processor time that Graphviz may take for a picture; 0 = any"},
	{PK_OPT_GROUP, .help = "difference"},
	{PK_OPT_TEXT, "diff", 0, offsetof(struct params, diff), "BEFORE", .file = true,
	 .help = "draw the difference to this file"},
	{PK_OPT_FLAG, "compare", 0, offsetof(struct params, compare),
	 .help = "draw the difference of two files, BEFORE AFTER"},
	{PK_OPT_NUMBER, "compare-tolerance", 0, AT(tolerance), "P", .fallback = "0.001",
	 .min = 1e-9, .max = 100, .help = "ignore differences below P percentage points"},
	{PK_OPT_FLAG, "compare-only-slower", 0, AT(only_slower),
	 .help = "show only what is slower"},
	{PK_OPT_FLAG, "compare-only-faster", 0, AT(only_faster),
	 .help = "show only what is faster"},
	{PK_OPT_FLAG, "compare-color-by-difference", 0, AT(color_by_difference),
	 .help = "use the colors of --colormap for the size of the difference"},
	{PK_OPT_LIST, "map", 0, offsetof(struct params, map), "OLD=NEW",
	 .help = "new name of OLD (see profkit-diff(1))"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_callgraph = {
	.name = "callgraph",
	.group = PK_GROUP_DRAW,
	.title = "draw the call graph",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SHOW |
		PK_USE_OUTPUT,
	.ignores = PK_PART_ORDER | PK_PART_MARKS | PK_PART_SPANS | PK_PART_THREADS,
	.opts = opts,
	.params_size = sizeof(struct params),
	.start = start,
	.name_outputs = name_outputs,
	.makes = "flamegraph-svg",
	.run = run_and_free,
};
