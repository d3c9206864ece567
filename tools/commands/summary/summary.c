/* profkit FILE: what a file is, the functions that cost most, and commands that show more. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/callers.h"
#include "analysis/function_name.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/lines/lines.h"
#include "analysis/workers/workers.h"
#include "analysis/ops/ops.h"
#include "base/num/units.h"
#include "model/events/time_range.h"
#include "render/memory/grid.h"
#include "render/lines/grid.h"
#include "render/tables.h"
#include "render/workers/grid.h"
#include "tools/load/bench.h"
#include "tools/commands/summary/summary.h"
#include "tools/option.h"
#include "tools/load/sampling.h"
#include "tools/commands/summary/trace.h"

enum { DEFAULT_ROWS = 10 };

static void add_count(struct pk_buf *buf, uint32_t rows, const char *one, const char *many)
{
	if (rows < 2)
		return;
	pk_buf_addf(buf, ", %s %s", pk_in_count(rows - 1).text, rows == 2 ? one : many);
}

static void put_sampling(struct pk_buf *title, const struct pk_profile *p,
			 const struct pk_sampling *sampling)
{
	if (!sampling->sampled || !sampling->timed)
		return;
	pk_buf_adds(title, "sampling: ");
	pk_sampling_sentence(title, p, sampling);
	pk_buf_addc(title, '\n');
}

const struct pk_sampling *pk_summary_sampling(struct pk_sampling *own, const struct pk_profile *p,
					      uint32_t metric, const struct pk_workers *workers)
{
	*own = (struct pk_sampling){.thread = NULL};
	if (workers && workers->sampling.thread && metric == 1 && workers->runs->item[0] == p)
		return &workers->sampling;
	pk_sampling_init(own, p, metric);
	return own;
}

/* Files without ranks may be runs of one program, one after the other. */
static bool may_be_repeated(const struct pk_profiles *runs)
{
	for (size_t i = 0; i < runs->count && runs->count > 1; i++) {
		const struct pk_profile *p = runs->item[i];

		if (!p->run.rank || p->run.rank[1] == PK_NULL)
			return true;
	}
	return false;
}

/* Appends the balance of several workers. A trace of torch has lines of its own, since its threads
 * do not share work. */
static void put_workers(struct pk_buf *title, const struct pk_workers *w)
{
	const struct pk_diagnosis *first = &w->diagnosis[0];
	bool judged;

	if (w->count < 2 || isnan(w->metrics.load_balance) ||
	    (w->by == PK_BY_THREAD && pk_torch_rules(w->runs->item[0]).version))
		return;
	judged = strcmp(first->severity, "note") != 0;
	pk_workers_title(title, w);
	if (judged)
		pk_buf_addf(title, ": load balance %.3f", w->metrics.load_balance);
	if (judged && !isnan(w->metrics.parallel_efficiency))
		pk_buf_addf(title, ", parallel efficiency %.3f", w->metrics.parallel_efficiency);
	pk_buf_addf(title, "; %s", first->headline);
	pk_buf_adds(title, "; profkit workers says more\n");
}

static void add_workers(struct pk_buf *title, const struct pk_profiles *runs,
			const struct pk_workers *known)
{
	struct pk_workers_options options = {.by = PK_BY_AUTO};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_workers w;

	/* a single thread needs no analysis */
	if ((runs->count == 1 && pk_thread_count(runs->item[0]) < 2) || may_be_repeated(runs))
		return;
	if (known) {
		put_workers(title, known);
	} else if (!pk_workers_init(&w, runs, &options, &err)) {
		put_workers(title, &w);
		pk_workers_release(&w);
	}
}

/* Appends the main facts of a profile of memory: the peak, and when it was. */
static void add_memory(struct pk_buf *title, const struct pk_profile *p)
{
	struct pk_memory_view view = {.people = true};
	struct pk_memory m;

	if (!pk_is_memory(p))
		return;
	pk_memory_init(&m, p);
	view.memory = &m;
	pk_memory_summary(title, &view);
	pk_memory_release(&m);
}

/* 1 + the number of functions that `hotspots` lists for the metric that is shown. The file may name
 * further ones: as callers alone, in other metrics, without a call path. */
static uint32_t count_functions(const struct pk_profile *p, uint32_t metric,
				const struct pk_functions *functions)
{
	struct pk_functions own = {0};
	uint32_t count = 1;

	if (!functions) {
		pk_functions_init(&own, p, metric);
		functions = &own;
	}
	for (uint32_t i = 0; i < functions->count; i++)
		count += pk_function_has_value(p, &functions->row[i]);
	pk_functions_release(&own);
	return count;
}

/* Appends what made the file, or all files. */
static void add_producer(struct pk_buf *title, const struct pk_profiles *runs)
{
	const char *name = pk_text(runs->item[0], runs->item[0]->run.producer[1]);

	for (size_t i = 1; i < runs->count; i++) {
		if (strcmp(name, pk_text(runs->item[i], runs->item[i]->run.producer[1])) != 0)
			return;
	}
	if (*name)
		pk_buf_addf(title, ", by %s", name);
}

void pk_summary_title(struct pk_buf *title, const struct pk_table_frame *frame,
		      const struct pk_summary_known *known)
{
	const struct pk_profile *p = frame->profile;
	struct pk_sampling own = {.thread = NULL};
	const struct pk_sampling *sampling = known->sampling;

	if (!sampling)
		sampling = pk_summary_sampling(&own, p, frame->metric, known->workers);
	if (known->page)
		pk_table_page_title(title, frame);
	else
		pk_table_title(title, frame);
	add_count(title, count_functions(p, frame->metric, known->functions), "function",
		  "functions");
	add_count(title, pk_edge_pairs(p) + 1, "call edge", "call edges");
	if (pk_has_paths(p))
		add_count(title, p->node.count, "call path", "call paths");
	add_count(title, 1 + (known->sampling ? known->samples : pk_sample_count(p, frame->metric)),
		  "sample", "samples");
	add_count(title, p->span.count, "span", "spans");
	add_count(title, pk_thread_count(p) + 1, "thread", "threads");
	add_producer(title, &frame->loaded->runs);
	pk_buf_addc(title, '\n');
	if (p->function.count <= 1 && p->counter.count <= 1)
		pk_buf_addf(title, "%s recorded: it has no functions\n",
			    p->instant.count > 1 ? "only marks were" : "nothing was");
	add_memory(title, p);
	put_sampling(title, p, sampling);
	pk_sampling_release(&own);
	add_workers(title, &frame->loaded->runs, known->workers);
}

/* A command to try next, and what it shows. */
struct hint {
	const char *command, *operand, *rest, *why;
	struct pk_buf line;
};

/* Appends the files as they were given; false if a name cannot be shown. */
static bool add_files(struct pk_buf *line, const char *const *files)
{
	for (size_t start = line->len; *files; files++) {
		if (line->len > start)
			pk_buf_addc(line, ' ');
		if (!pk_option_word(line, *files))
			return false;
	}
	return true;
}

/* Makes the command line of a hint; empty if there is no such command or a name cannot be shown. */
static void make_hint(struct hint *hint, const char *words, const char *const *files)
{
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(hint->command, " "), hint->command);
	if (!pk_command_find(name))
		return;
	pk_buf_addf(&hint->line, "profkit %s%s ", hint->command, words);
	if (hint->operand && !pk_option_word(&hint->line, hint->operand)) {
		hint->line.len = 0;
		return;
	}
	pk_buf_adds(&hint->line, hint->operand ? " " : "");
	if (add_files(&hint->line, files))
		pk_buf_adds(&hint->line, hint->rest ? hint->rest : "");
	else
		hint->line.len = 0;
}

/* For people, what a command shows is in a column; otherwise a comment. words: options, each with a
 * blank before it. */
static void print_hints(struct pk_buf *footer, struct hint *hints, size_t count, const char *words,
			const char *const *files, bool people)
{
	size_t widest = 0;

	for (size_t i = 0; i < count; i++) {
		make_hint(&hints[i], words, files);
		if (hints[i].line.len > widest)
			widest = hints[i].line.len;
	}
	if (widest && people)
		pk_buf_adds(footer, "\nto see more:\n");
	for (size_t i = 0; i < count; i++) {
		if (hints[i].line.len && people)
			pk_buf_addf(footer, "  %-*s   %s\n", (int)widest, hints[i].line.data,
				    hints[i].why);
		else if (hints[i].line.len)
			pk_buf_addf(footer, "%s  # %s\n", hints[i].line.data, hints[i].why);
		pk_buf_release(&hints[i].line);
	}
}

/* True if the file has times of lines, which are no call paths. */
bool pk_summary_of_lines(const struct pk_profile *p)
{
	return pk_lines_include_calls(p) && pk_has_lines(p);
}

bool pk_summary_has_gpu(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->thread.count; i++)
		if (p->thread.role[i] == PK_ROLE_GPU)
			return true;
	return false;
}

void pk_summary_hints(struct pk_buf *footer, const char *hottest, const struct pk_hotspots *h,
		      const char *words, const char *const *files, bool people)
{
	const struct pk_profile *p = h->profile;
	bool torch = pk_torch_rules(p).version, memory = pk_is_memory(p);
	bool time = p->metric.kind[h->metric] == PK_METRIC_TIME;
	/* Where the largest value counts, paths do not add up. */
	bool paths = !pk_summary_of_lines(p) && pk_metric_adds_up(p, h->metric);
	/* a file of callers and one of call paths make no tree together */
	bool draws = paths && h->functions.total > 0 && !(p->edge.count > 1 && pk_has_paths(p));
	bool calls = pk_has_paths(p) || p->edge.count > 1;
	bool gpu = pk_summary_has_gpu(p) && !memory;
	struct hint hints[] = {
		{.command = gpu ? "gpu" : "",
		 .why = "where the time of the GPU goes, and why it is idle"},
		{.command = memory ? "memory" : "",
		 .why = p->counter.count > 1 || pk_has_times(p)
				? "memory over time, what was alive when, by function and by line"
				: "memory by function and by line"},
		{.command = pk_has_lines(p) ? "lines" : "",
		 .why = "source lines with their cost beside them"},
		{.command = p->function.count > 1 ? "hotspots --sort total" : "",
		 .why = time ? "functions by total time" : "functions with what they call"},
		{.command = paths && hottest ? "callers" : "",
		 .operand = hottest,
		 .why = memory ? "the callers of the largest function"
			       : "the callers of the hottest function"},
		{.command = torch ? "ops" : "",
		 .why = "operators and kernels, as torch counts them"},
		{.command = paths && calls ? "tree" : "", .why = "the call tree"},
		{.command = draws ? "flamegraph" : "",
		 .rest = " -o flame.svg",
		 .why = "the call tree as a picture"},
		{.command = "info", .why = "all that the file says about itself"},
	};

	print_hints(footer, hints, sizeof(hints) / sizeof(*hints), words, files, people);
}

static void add_bench_hints(struct pk_buf *footer, const char *const *files)
{
	struct hint hints[] = {
		{.command = "hotspots --sort median", .why = "benchmarks by another statistic"},
		{.command = files[1] && files[2] ? "" : "diff",
		 .rest = files[1] ? NULL : " AFTER",
		 .why = "what became slower or faster"},
		{.command = "store add bench.db", .why = "keep the result, for profkit history"},
		{.command = "info", .why = "all that the file says about itself"},
	};

	print_hints(footer, hints, sizeof(hints) / sizeof(*hints), "", files, true);
}

/* For a longer name, as C++ has them, a command uses the handle of the function. */
enum { LONG_NAME = 60 };

static void make_footer(struct pk_buf *footer, const struct pk_hotspots *h, size_t shown,
			const struct pk_profiles *runs, const char *const *files, bool columns)
{
	const struct pk_profile *p = h->profile;
	uint32_t function = h->count ? h->functions.row[h->order[0]].function : 0;
	const char *hottest = function ? pk_text(p, p->function.name[function]) : NULL;
	char handle[16];

	if (!pk_summary_of_lines(p))
		pk_table_left_out(footer, h, shown);
	pk_trace_summary_text(footer, runs->count == 1 ? p : NULL);
	if (hottest && pk_starts_with(hottest, "[all ")) /* functions without callers */
		hottest = NULL;
	if (hottest && strlen(hottest) > LONG_NAME && !pk_handles_are_names(p)) {
		snprintf(handle, sizeof(handle), "f%u", function);
		hottest = handle;
	}
	pk_summary_hints(footer, hottest, h, "", files, columns);
}

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct pk_table_frame *frame = data;

	pk_table_members(w, data);
	pk_trace_summary_json(w, frame->loaded->runs.count == 1 ? frame->profile : NULL);
}

/* Of a profile of lines, people see only these rows; others see all functions. */
static int make_grid(struct pk_grid *grid, const struct pk_hotspots *h, uint32_t rows, bool people,
		     struct pk_error *err)
{
	const struct pk_lines_options all = {.sort = {.key = {PK_SORT_SELF}, .count = 1}};
	struct pk_lines lines;

	if (!people || !pk_summary_of_lines(h->profile)) {
		pk_hotspots_grid(grid, h, rows, people);
		return 0;
	}
	if (pk_lines_init(&lines, h->profile, h->metric, &all, err))
		return -1;
	pk_hottest_lines_grid(grid, &lines, rows);
	pk_lines_release(&lines);
	return 0;
}

static int show(const struct pk_common *c, const struct pk_loaded *loaded,
		const struct pk_hotspots *h, const char *const *files, struct pk_error *err)
{
	struct pk_table_frame table = {loaded, h->profile, h->metric, h->functions.total, h->count};
	struct pk_grid_frame frame = {
		.schema = "summary", .members = write_members, .data = &table};
	bool people = pk_notation_is_for_people(pk_common_notation(c));
	size_t rows = c->limit.given            ? pk_common_rows(c, h->count)
		      : h->count < DEFAULT_ROWS ? h->count
						: DEFAULT_ROWS;
	struct pk_grid grid;

	pk_summary_title(&frame.title, &table,
			 &(struct pk_summary_known){.functions = &h->functions});
	if (people && pk_summary_of_lines(h->profile)) {
		pk_buf_adds(&frame.title, PK_LINES_INCLUDE "\n");
		rows = c->limit.given ? pk_common_rows(c, UINT32_MAX) : DEFAULT_ROWS;
	}
	make_footer(&frame.footer, h, rows, &loaded->runs, files,
		    pk_common_notation(c) != PK_BRIEF);
	if (make_grid(&grid, h, (uint32_t)rows, people, err)) {
		pk_grid_frame_release(&frame);
		return -1;
	}
	return pk_show_grid(c, &grid, &frame, err);
}

static int show_benchmarks(const struct pk_common *c, const struct pk_loaded *loaded,
			   const char *const *files, struct pk_error *err)
{
	struct pk_bench_show how = {.hints = add_bench_hints, .files = (const char **)files};

	return pk_show_benchmarks(c, loaded, &how, err);
}

int pk_summary_start(void *params, struct pk_error *err)
{
	(void)params;
	(void)err;
	pk_source_allow(NULL, 0);
	return 0;
}

int pk_summary_run(const struct pk_common *c, int argc, char **argv,
		   const struct pk_summary_form *form, struct pk_error *err)
{
	struct pk_hotspot_options options = {.min_share = c->min_share,
					     .sort = {.key = {PK_SORT_SELF}, .count = 1}};
	const char *const *files = (const char *const *)argv;
	struct pk_hotspots hotspots;
	struct pk_loaded loaded;
	uint32_t metric;
	int status;

	if (pk_load_merged(c, argc, argv, &loaded, err))
		return -1;
	argv[argc] = NULL; /* options were there, or the end */
	if (pk_is_benchmark(loaded.one)) {
		status = form->show_benchmarks(c, &loaded, files, err);
		pk_loaded_release(&loaded);
		return status;
	}
	status = pk_common_metric(c, loaded.one, &metric, err);
	if (!status)
		status = pk_hotspots_init(&hotspots, loaded.one, metric, &options, err);
	if (!status) {
		status = form->show(c, &loaded, &hotspots, files, err);
		pk_hotspots_release(&hotspots);
	}
	pk_loaded_release(&loaded);
	return status;
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	static const struct pk_summary_form form = {show, show_benchmarks};

	return pk_summary_run(params, argc, argv, &form, err);
}

const struct pk_command pk_cmd_summary = {
	.name = "summary",
	.group = PK_GROUP_LOOK,
	.title = "show what a file is, and the functions that cost most",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SHOW |
		PK_USE_OUTPUT,
	.params_size = sizeof(struct pk_common),
	.whole_runs = true,
	.start = pk_summary_start,
	.benchmarks = PK_BENCHMARKS_SHOWN,
	.run = run,
};
