/* profkit memory: how much, when, and by what. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/label.h"
#include "model/totals.h"
#include "render/memory/grid.h"
#include "render/memray/memray.h"
#include "render/tables.h"
#include "tools/command.h"
#include "tools/table.h"
#include "writers/memory/memory.h"

enum { BY_ALL, BY_FUNCTION, BY_LINE };
enum { LIKE_PROFKIT, LIKE_STATS, LIKE_SUMMARY, LIKE_TREE, LIKE_MPROF_PEAK };
static const char *const likes[] = {"profkit",     "memray-stats", "memray-summary",
				    "memray-tree", "mprof-peak",   NULL};
static const char *const bys[] = {"all", "function", "line", NULL};

struct memory_params {
	struct pk_common common;
	int by, like;
	const char *at, *between, *function;
};

struct frame_data {
	const struct pk_loaded *loaded;
	const struct pk_memory *memory;
};

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct frame_data *d = data;

	pk_write_inputs(w, &d->loaded->runs);
	pk_memory_json(w, d->memory);
}

static void make_title(struct pk_buf *title, const struct pk_loaded *loaded)
{
	pk_table_inputs(title, &loaded->runs);
	if (loaded->filters.len)
		pk_buf_addf(title, " with%s", loaded->filters.data);
	pk_buf_adds(title, ": ");
}

static size_t rows_of_lists(const struct pk_common *c, bool people)
{
	enum { DEFAULT = 5 };

	return c->limit.given ? (size_t)c->limit.count : people ? DEFAULT : 0;
}

/* One unit for all lists: the one that suits the peak, or the live memory. (The sum of all
 * allocations may be much larger.) NULL: neither is known. */
static const char *unit_of(const struct pk_memory *m)
{
	int64_t at, most = pk_memory_peak(m, &at);

	return most > 0 && m->metric[PK_MEMORY_ALLOCATED] ? pk_unit_for("bytes", most / 8).name
							  : NULL;
}

/* For files whose metrics the summary does not know: "memory at most 32.22 MB". */
static void add_total(struct pk_buf *title, const struct pk_profile *p, uint32_t metric)
{
	bool most = pk_metric_aggregate(p, metric) == PK_AGGREGATE_MAX;
	struct pk_functions f;

	pk_functions_init(&f, p, metric);
	pk_buf_addf(title, "%s %s", pk_text(p, p->metric.name[metric]), most ? "at most " : "");
	pk_format_scaled(title, f.total, pk_metric_unit(p, metric), p->metric.exponent[metric]);
	pk_buf_addc(title, '\n');
	pk_functions_release(&f);
}

static int show(const struct memory_params *o, const struct pk_loaded *loaded,
		const struct pk_memory *m, const char *moment, struct pk_error *err)
{
	const struct pk_common *c = &o->common;
	struct pk_common common = *c;
	struct frame_data data = {loaded, m};
	struct pk_grid_frame frame = {.schema = "memory", .members = write_members, .data = &data};
	bool people = pk_notation_is_for_people(pk_common_notation(c));
	int width = c->output || pk_common_notation(c) != PK_TEXT ? 0 : pk_stdout_width();
	struct pk_memory_view view = {.memory = m,
				      .rows = rows_of_lists(c, people),
				      .functions = o->by != BY_LINE,
				      .lines = o->by != BY_FUNCTION,
				      .people = people,
				      .moment = moment};
	struct pk_grid grid;
	size_t title;

	if (moment)
		view.metric = m->metric[PK_MEMORY_LEAKED];
	if (loaded->runs.count == 1 && m->end == PK_NULL)
		view.moment = NULL; /* it is after the end, which counts instead */
	if (c->metric && pk_common_metric(c, m->profile, &view.metric, err))
		return -1;
	make_title(&frame.title, loaded);
	title = frame.title.len;
	pk_memory_summary(&frame.title, &view);
	if (frame.title.len == title && pk_memory_bytes(m->profile))
		add_total(&frame.title, m->profile, pk_memory_bytes(m->profile));
	if (pk_common_notation(c) == PK_TEXT)
		pk_memory_plot(&frame.title, m, width);
	pk_memory_grid(&grid, &view);
	common.unit = c->unit ? c->unit : unit_of(m);
	return pk_show_grid(&common, &grid, &frame, err);
}

static int draw(const struct pk_common *c, const struct pk_memory *m, struct pk_error *err)
{
	struct pk_memory_view view = {.memory = m};
	PK_BUF_AUTO title = PK_BUF_INIT;
	struct pk_output *out = pk_output_open(c->output, err);

	if (!out)
		return -1;
	pk_buf_addf(&title, "%s: ", pk_basename(pk_run_name(m->profile)));
	pk_memory_summary(&title, &view);
	title.data[strcspn(title.data, "\n")] = '\0';
	if (!pk_memory_draw(m, title.data, out, err))
		return pk_output_commit(out, err);
	pk_output_discard(out);
	return -1;
}

static int show_loaded(const struct memory_params *o, const struct pk_loaded *loaded,
		       const char *moment, struct pk_error *err)
{
	struct pk_memory m;
	int status;

	pk_memory_init(&m, loaded->one);
	if (pk_memory_is_known(&m) && pk_wants_svg(&o->common))
		status = draw(&o->common, &m, err);
	else if (pk_memory_is_known(&m))
		status = show(o, loaded, &m, moment, err);
	else
		status = pk_fail(err, PK_EFORMAT, "'%s' says nothing about memory",
				 pk_text(loaded->one, loaded->one->run.source[1]));
	pk_memory_release(&m);
	return status;
}

/* --at and --between are options of the readers that know every allocation. */
static int ask_for_moment(struct memory_params *o, struct pk_buf *pair, struct pk_buf *moment,
			  struct pk_error *err)
{
	struct pk_opt_list *list = &o->common.read.options;

	if (o->at && o->between)
		return pk_fail(err, PK_EUSAGE, "--at and --between exclude each other");
	if (!o->at && !o->between)
		return 0;
	pk_buf_addf(pair, "%s=%s", o->at ? "at" : "between", o->at ? o->at : o->between);
	if (o->at)
		pk_buf_addf(moment, "alive at %s", o->at);
	else
		pk_buf_addf(moment, "allocated and kept within %s", o->between);
	list->item = pk_realloc(list->item, pk_mul(list->count + 1, sizeof(*list->item)));
	list->item[list->count++] = pair->data;
	return 0;
}

/* Columns of the table of memray summary: without a terminal as many as its numbers need, since
 * memray cuts them there. */
static int columns_of_table(void)
{
	enum { LEAST = 40, ENOUGH = 160, MOST = 10000 };
	const char *text = getenv("COLUMNS");
	int width = text ? atoi(text) : 0;

	if (width < LEAST || width > MOST)
		width = pk_stdout_width();
	return width ? width : ENOUGH;
}

static int show_one_like(const struct memory_params *o, const struct pk_profile *p,
			 struct pk_output *out, struct pk_error *err)
{
	enum { DEFAULT = 5, DEFAULT_OF_SUMMARY = 19, DEFAULT_OF_TREE = 10 };
	const struct pk_common *c = &o->common;
	size_t most = o->like == LIKE_SUMMARY ? DEFAULT_OF_SUMMARY
		      : o->like == LIKE_TREE  ? DEFAULT_OF_TREE
					      : DEFAULT;

	if (c->limit.given)
		most = c->limit.count ? (size_t)c->limit.count : SIZE_MAX;
	if (o->like == LIKE_STATS)
		return pk_memray_stats(p, most, out, err);
	if (o->like == LIKE_SUMMARY)
		return pk_memray_summary(p, most, columns_of_table(), out, err);
	if (o->like == LIKE_TREE)
		return pk_memray_tree(p, most, out, err);
	return pk_mprof_peak(p, o->function, out, err);
}

/* Prints what another tool prints of each file. */
static int show_like(const struct memory_params *o, int argc, char **argv, struct pk_error *err)
{
	const struct pk_common *c = &o->common;
	struct pk_profiles runs;
	struct pk_output *out;
	int status = 0;

	if (c->format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE,
			       "--like %s prints text: it cannot be combined with --format %s",
			       likes[o->like], pk_notations[c->format]);
	if (pk_load_inputs(c, argc, argv, &runs, err))
		return -1;
	out = pk_output_open(c->output, err);
	if (!out)
		status = -1;
	for (size_t i = 0; !status && i < runs.count; i++)
		status = show_one_like(o, runs.item[i], out, err);
	pk_profiles_release(&runs);
	if (out && status)
		pk_output_discard(out);
	return status ? -1 : pk_output_commit(out, err);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct memory_params *o = params;
	PK_BUF_AUTO pair = PK_BUF_INIT;
	PK_BUF_AUTO moment = PK_BUF_INIT;
	struct pk_loaded loaded;
	int status;

	if (o->common.dashes > 0 && o->common.dashes < argc)
		return pk_fail(err, PK_EUSAGE,
			       "'--' stands between two sides, and memory shows one; to compare: "
			       "profkit diff -m leaked BEFORE -- AFTER (or -m peak), by line: "
			       "profkit lines -m leaked BEFORE -- AFTER");
	if (o->function && o->like != LIKE_MPROF_PEAK)
		return pk_fail(err, PK_EUSAGE, "--func needs --like mprof-peak");
	if (o->like)
		return show_like(o, argc, argv, err);
	if (ask_for_moment(o, &pair, &moment, err))
		return -1;
	status = pk_load_merged(&o->common, argc, argv, &loaded, err);
	if (status)
		return pair.len && err->code == PK_EUSAGE && !strstr(err->text, "-O ")
			       ? pk_fail_context(err, "%s is for files that know every allocation",
						 o->at ? "--at" : "--between")
			       : -1;
	status = show_loaded(o, &loaded, moment.len ? moment.data : NULL, err);
	pk_loaded_release(&loaded);
	return status;
}

#define AT(member) offsetof(struct memory_params, member)

static const struct pk_opt opts[] = {
	{PK_OPT_CHOICE, "by", 0, AT(by), "WHAT", .choices = bys, .fallback = "all",
	 .help = "lists of functions, of lines, or both"},
	{PK_OPT_CHOICE, "like", 0, AT(like), "TOOL", .choices = likes, .fallback = "profkit",
	 .help = "what memray stats (-n: as its -n), memray summary (-n: as its -r), memray tree "
		 "(-n: as its -b) or mprof peak prints, of their files"},
	{PK_OPT_TEXT, "func", 0, AT(function), "NAME",
	 .help = "with --like mprof-peak: the peak while this function ran (__main__.work)"},
	{PK_OPT_TEXT, "at", 0, AT(at), "TIME",
	 .help = "what was alive then, instead of at the end: for files that know every "
		 "allocation (memray, torch-memory)"},
	{PK_OPT_TEXT, "between", 0, AT(between), "A..B",
	 .help = "what was allocated after A and is alive at B, for such files"},
	{PK_OPT_LIMIT, "limit", 'n', offsetof(struct memory_params, common.limit), "N",
	 .help = "rows of each list (default: 5 in text, all in CSV and JSON); 0: all"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_memory = {
	.name = "memory",
	.group = PK_GROUP_LOOK,
	.title = "show how much memory was used when, and by what",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_SHOW | PK_USE_OUTPUT,
	.wants = PK_PART_ORDER | PK_PART_ARGS,
	.opts = opts,
	.params_size = sizeof(struct memory_params),
	.makes = "flamegraph-svg",
	.run = run,
};
