/* profkit hotspots: functions by cost. */
#include <stddef.h>
#include <string.h>

#include "analysis/hotspots/hotspots.h"
#include "analysis/workers/async.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "render/tables.h"
#include "tools/load/bench.h"
#include "tools/like/like.h"
#include "tools/table.h"

struct hotspots_params {
	struct pk_common common;
	const char *match, *by_label;
	bool strip_dirs, stats, by_worker;
	const char *workers, *main;
	int by, like, tree;
	double fraction;
	bool inclusive;
	double threshold;
	struct pk_pytest_benchmark_params pytest;
};

/* Appends the number of functions, and of calls if all are known. */
static void add_counts(struct pk_buf *title, const struct pk_hotspots *h)
{
	int64_t calls = 0, primitive = 0;
	bool known = true;
	uint32_t count = 0, i;

	for (i = 0; i < h->functions.count; i++) {
		const struct pk_function_total *f = &h->functions.row[i];

		if (!pk_function_has_value(h->profile, f))
			continue;
		count++;
		known = known && f->calls != PK_NULL && f->primitive_calls != PK_NULL;
		pk_add_saturated(&calls, known ? f->calls : 0);
		pk_add_saturated(&primitive, known ? f->primitive_calls : 0);
	}
	pk_buf_addf(title, "%s function%s", pk_in_count(count).text, count == 1 ? "" : "s");
	if (!count || !known)
		return;
	pk_buf_addf(title, ", %s call%s", pk_in_count(calls).text, calls == 1 ? "" : "s");
	if (primitive != calls)
		pk_buf_addf(title, " (%s primitive)", pk_in_count(primitive).text);
}

struct show_frame {
	struct pk_table_frame table; /* first: pk_table_members reads it */
	const struct pk_by_worker *workers;
};

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct show_frame *frame = data;

	pk_table_members(w, data);
	if (!frame->workers)
		return;
	pk_json_put_array(w, "workers");
	for (uint32_t i = 0; i < frame->workers->count; i++)
		pk_json_text(w, frame->workers->name[i]);
	pk_json_end(w);
}

static void make_title(struct pk_buf *title, const struct pk_table_frame *frame,
		       const struct pk_hotspots *h, const char *label)
{
	pk_table_title(title, frame);
	pk_buf_addf(title, ", %s%s", label ? "by label " : "", label ? label : "");
	if (!label)
		add_counts(title, h);
	pk_buf_addc(title, '\n');
}

/* Appends the number of workers, and which threads are not workers. */
static void add_who(struct pk_buf *title, const struct pk_by_worker *b)
{
	if (b->columns && !b->mains && !b->helpers)
		return;
	pk_buf_addf(title, "self of %u worker%s", b->count, b->count == 1 ? "" : "s");
	if (b->mains)
		pk_buf_adds(title, ", not of who gives them work");
	if (b->helpers)
		pk_buf_addf(title, ", not of %u that help%s", b->helpers,
			    b->helpers == 1 ? "s" : "");
	pk_buf_addc(title, '\n');
}

static void add_amount(struct pk_buf *text, const struct pk_hotspots *h, int64_t value)
{
	int exponent = h->profile->metric.exponent[h->metric];

	if (exponent)
		pk_format_decimal(text, value, exponent);
	else
		pk_format_value_unit(text, value, pk_metric_unit(h->profile, h->metric));
}

/* Appends the number of runs, and those whose total is far from the others'. */
static void add_runs(struct pk_buf *title, const struct pk_hotspots *h)
{
	enum { MOST_NAMED = 5 };
	const struct pk_run_stats *runs = h->runs;

	pk_buf_addf(title, "%s of %s run%s",
		    pk_metric_aggregate(h->profile, h->metric) == PK_AGGREGATE_MAX ? "largest"
										   : "sum",
		    pk_in_count(runs->runs).text, runs->runs == 1 ? "" : "s");
	for (uint32_t i = 0; i < runs->outliers && i < MOST_NAMED; i++) {
		const struct pk_outlier *run = &runs->outlier[i];

		pk_buf_addf(title, "%s%s (", i ? ", " : "; unlike the others: ",
			    pk_text(h->profile, h->profile->member.name[run->member]));
		add_amount(title, h, run->total);
		pk_buf_addc(title, ')');
	}
	if (runs->outliers > MOST_NAMED)
		pk_buf_addf(title, ", %u more", runs->outliers - MOST_NAMED);
	if (runs->outliers) {
		pk_buf_adds(title, "; median ");
		add_amount(title, h, runs->median);
	}
	pk_buf_addc(title, '\n');
}

/* A profiler measures a function and its calls by clocks of their own: pstats files of short runs
 * have functions with a larger total than all self times together. */
static void add_excess(struct pk_buf *footer, const struct pk_hotspots *h, size_t rows)
{
	bool negative = pk_has_negative(&h->functions);

	for (size_t i = 0; i < rows; i++) {
		const struct pk_function_total *f = &h->functions.row[h->order[i]];

		if (f->total_unknown || !(pk_share(f->total, h->functions.total) >= 1.0005))
			continue;
		pk_buf_adds(footer, negative
					    ? PK_SHARES_OF_NEGATIVE
					    : "a total% above 100 comes from the file: there, that "
					      "total is larger than the sum of all self values\n");
		return;
	}
}

static int show(const struct hotspots_params *o, const struct pk_loaded *loaded,
		const struct pk_hotspots *h, struct pk_error *err)
{
	struct show_frame members = {{loaded, h->profile, h->metric, h->functions.total, h->count},
				     h->workers};
	struct pk_grid_frame frame = {
		.schema = "hotspots", .members = write_members, .data = &members};
	size_t rows = pk_common_rows(&o->common, h->count);
	bool people = pk_notation_is_for_people(pk_common_notation(&o->common));
	struct pk_grid grid;

	make_title(&frame.title, &members.table, h, o->by_label);
	if (h->workers)
		add_who(&frame.title, h->workers);
	if (h->runs)
		add_runs(&frame.title, h);
	pk_table_left_out(&frame.footer, h, rows);
	add_excess(&frame.footer, h, rows);
	pk_hotspots_grid(&grid, h, (uint32_t)rows, people);
	return pk_show_grid(&o->common, &grid, &frame, err);
}

/* True if --sort names a statistic of spans; pk_table_sort handles the other keys. */
static bool sorts_by_stats(const struct hotspots_params *o)
{
	return o->stats && o->common.sort && pk_span_stats_is_key(o->common.sort);
}

static int add_stats(const struct hotspots_params *o, struct pk_hotspots *h,
		     struct pk_span_stats *stats, struct pk_error *err)
{
	uint32_t i;

	if (!o->stats)
		return 0;
	if (pk_span_stats_init(stats, h->profile, h->metric, err))
		return pk_fail_context(err, "--stats");
	h->stats = stats;
	if (!sorts_by_stats(o))
		return 0;
	pk_span_stats_sort(stats, o->common.sort, h->functions.row, h->order, h->count);
	for (i = 0; o->common.reverse && i < h->count / 2; i++) {
		uint32_t other = h->order[h->count - 1 - i];

		h->order[h->count - 1 - i] = h->order[i];
		h->order[i] = other;
	}
	return 0;
}

static bool has_tasks(const struct pk_profile *p)
{
	PK_FREED uint32_t *loop_of = pk_async_loops(p);
	bool found = false;

	for (uint32_t i = 1; i < p->thread.count && !found; i++)
		found = loop_of[i] != 0;
	return found;
}

/* True if a terminal of `width` columns (0 = no limit) has room for a column of each worker. */
static void workers_fit(struct pk_by_worker *b, size_t width)
{
	size_t used = 60; /* the other columns, at the least */

	for (uint32_t i = 0; i < b->columns; i++)
		used += pk_utf8_width(b->name[i], strlen(b->name[i])) + strlen(" (ms)  ");
	b->narrow = width && used > width;
}

static int add_workers(const struct hotspots_params *o, struct pk_hotspots *h, struct pk_profile *p,
		       struct pk_by_worker *workers, struct pk_error *err)
{
	struct pk_workers_options options = {
		.by = (enum pk_workers_by)o->by, .workers = o->workers, .main = o->main};

	if (!o->by_worker)
		return 0;
	if (o->by == PK_BY_TASK && !has_tasks(p))
		return pk_fail(err, PK_EFORMAT,
			       "--by task: '%s' has no tasks of asyncio; viztracer --log_async "
			       "records them",
			       pk_text(p, p->run.source[1]));
	if (pk_by_worker_init(workers, p, h->metric, &options, err))
		return pk_fail_context(err, "--by-worker");
	if (!o->common.output)
		workers_fit(workers, (size_t)pk_stdout_width());
	h->workers = workers;
	return 0;
}

static int show_loaded(const struct hotspots_params *o, const struct pk_loaded *loaded,
		       struct pk_error *err)
{
	struct pk_hotspot_options options = {.match = o->match, .min_share = o->common.min_share};
	struct pk_profile *stripped = o->strip_dirs ? pk_strip_dirs(loaded->one) : NULL;
	struct pk_profile *p = stripped ? stripped : loaded->one;
	struct pk_common common = o->common;
	struct pk_span_stats stats = {NULL};
	struct pk_by_worker workers = {0};
	struct pk_run_stats runs = {0};
	struct pk_hotspots hotspots;
	uint32_t metric;
	int status = -1;

	common.sort = sorts_by_stats(o) ? NULL : common.sort;
	if (pk_common_metric(&o->common, p, &metric, err) ||
	    pk_table_sort(&common, PK_SORT_SELF, &options.sort, err))
		goto out;
	if (pk_hotspots_init(&hotspots, p, metric, &options, err)) {
		pk_fail_context(err, "--match");
		goto out;
	}
	if (!hotspots.count && o->match)
		pk_note(&o->common, "--match matches no function");
	status = add_stats(o, &hotspots, &stats, err);
	if (!status)
		status = add_workers(o, &hotspots, p, &workers, err);
	if (!status && pk_is_part(p) && !o->stats && !o->by_worker) {
		pk_run_stats_init(&runs, p, metric);
		hotspots.runs = &runs;
	}
	if (!status)
		status = show(o, loaded, &hotspots, err);
	pk_run_stats_release(&runs);
	pk_span_stats_release(&stats);
	pk_by_worker_release(&workers);
	pk_hotspots_release(&hotspots);
out:
	if (stripped)
		pk_profile_free(stripped);
	return status;
}

static int show_benchmarks(const struct hotspots_params *o, const struct pk_loaded *loaded,
			   struct pk_error *err)
{
	struct pk_bench_show how = {.match = o->match};

	if (o->stats || o->by_worker)
		return pk_fail(
			err, PK_EUSAGE,
			"--stats and --by-worker are for calls and workers, which benchmarks "
			"do not have");
	return pk_show_benchmarks(&o->common, loaded, &how, err);
}

/* With --by-label, rows are the values of a label. */
static int count_labels(const struct hotspots_params *o, struct pk_loaded *loaded,
			struct pk_error *err)
{
	struct pk_profile *counted;

	if (!o->by_label)
		return 0;
	if (pk_group_by_label(loaded->one, o->by_label, true, &counted, err))
		return pk_fail_context(err, "--by-label");
	pk_loaded_replace(loaded, counted);
	return 0;
}

static int check_options(const struct hotspots_params *o, struct pk_error *err)
{
	const char *tool = pk_likes[o->like];
	bool other = o->like && o->like != PK_LIKE_PSTATS;

	if (!o->by_worker && (o->workers || o->main || o->by != PK_BY_AUTO))
		return pk_fail(err, PK_EUSAGE, "--by, --workers and --main need --by-worker");
	if (o->like && (o->stats || o->by_worker || o->by_label))
		return pk_fail(
			err, PK_EUSAGE,
			"--like %s cannot be combined with --stats, --by-worker or --by-label",
			tool);
	if (other && o->strip_dirs)
		return pk_fail(err, PK_EUSAGE, "--like %s cannot be combined with --strip-dirs",
			       tool);
	if (other && o->like != PK_LIKE_PYTEST_BENCHMARK && o->match)
		return pk_fail(err, PK_EUSAGE, "--like %s cannot be combined with --match", tool);
	if (o->like != PK_LIKE_PYTEST_BENCHMARK &&
	    (o->pytest.columns || o->pytest.group_by || o->pytest.names))
		return pk_fail(err, PK_EUSAGE,
			       "--columns, --group-by and --names need --like pytest-benchmark");
	if (o->like != PK_LIKE_CALLGRIND && (o->inclusive || o->tree))
		return pk_fail(err, PK_EUSAGE,
			       "--inclusive and --tree need --like callgrind_annotate");
	return 0;
}

static int show_like(struct hotspots_params *o, int argc, char **argv, struct pk_error *err)
{
	struct pk_pprof_params pprof = {.view = PK_PPROF_TOP, .fraction = o->fraction};
	struct pk_callgrind_annotate callgrind = {.threshold = o->threshold,
						  .inclusive = o->inclusive,
						  .tree = (enum pk_callgrind_tree)o->tree};

	switch (o->like) {
	case PK_LIKE_PPROF:
		return pk_show_like_pprof(&o->common, &pprof, argc, argv, err);
	case PK_LIKE_PSTATS:
		return pk_show_like_pstats(&o->common, PK_PSTATS_STATS, o->match, o->strip_dirs,
					   argc, argv, err);
	case PK_LIKE_CALLGRIND:
		return pk_show_like_callgrind(&o->common, &callgrind, argc, argv, err);
	case PK_LIKE_GPROF:
		return pk_show_like_gprof(&o->common, argc, argv, err);
	case PK_LIKE_PYTEST_BENCHMARK:
		o->pytest.match = o->match;
		return pk_show_like_pytest_benchmark(&o->common, o->pytest, argc, argv, err);
	}
	if (o->like < PK_LIKE_PYPERF)
		return pk_show_like_hyperfine(&o->common,
					      (enum pk_hyperfine_view)(o->like - PK_LIKE_HYPERFINE),
					      argc, argv, err);
	return pk_show_like_pyperf(&o->common, (enum pk_pyperf_view)(o->like - PK_LIKE_PYPERF),
				   argc, argv, err);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct hotspots_params *o = params;
	struct pk_loaded loaded;
	int status;

	if (check_options(o, err))
		return -1;
	if (o->like)
		return show_like(o, argc, argv, err);
	if (o->by_worker) /* the order of samples tells which worker came first */
		o->common.read.wanted |= PK_PART_ORDER;
	if (o->by_worker || o->stats)
		o->common.read.wanted |= PK_PART_SPANS | PK_PART_THREADS;
	if (pk_load_merged(&o->common, argc, argv, &loaded, err))
		return -1;
	status = count_labels(o, &loaded, err);
	if (!status)
		status = pk_is_benchmark(loaded.one) ? show_benchmarks(o, &loaded, err)
						     : show_loaded(o, &loaded, err);
	pk_loaded_release(&loaded);
	return status;
}

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "match", 0, offsetof(struct hotspots_params, match), "RE",
	 .help = "only functions whose name, file:line or module matches"},
	{PK_OPT_FLAG, "strip-dirs", 0, offsetof(struct hotspots_params, strip_dirs),
	 .help = "reduce file names to their last part"},
	{PK_OPT_FLAG, "stats", 0, offsetof(struct hotspots_params, stats),
	 .help = "add the durations of single calls: mean, percentiles, maximum"},
	{PK_OPT_TEXT, "by-label", 0, offsetof(struct hotspots_params, by_label), "KEY",
	 .help = "the cost of each value of a label, in place of functions"},
	{PK_OPT_FLAG, "by-worker", 0, offsetof(struct hotspots_params, by_worker),
	 .help = "add the self of each process or thread, and how even they are"},
	{PK_OPT_CHOICE, "like", 0, offsetof(struct hotspots_params, like), "TOOL",
	 .choices = pk_likes, .fallback = "profkit", .help = PK_LIKE_HELP},
	{PK_OPT_GROUP, .help = "with --by-worker"},
	{PK_OPT_CHOICE, "by", 0, offsetof(struct hotspots_params, by), "WHAT",
	 .choices = pk_workers_bys, .fallback = "auto",
	 .help = "with --by-worker: what a worker is, a process, a thread or a task of asyncio"},
	{PK_OPT_TEXT, "workers", 0, offsetof(struct hotspots_params, workers), "RE",
	 .help = "with --by-worker: the workers are those whose name, as shown, matches"},
	{PK_OPT_TEXT, "main", 0, offsetof(struct hotspots_params, main), "RE",
	 .help = "with --by-worker: the parent that gives them work is the one whose name, as "
		 "shown, matches"},
	{PK_OPT_GROUP, .help = "with --like"},
	PK_LIKE_PPROF_OPTION(struct hotspots_params, fraction),
	{PK_OPT_FLAG, "inclusive", 0, offsetof(struct hotspots_params, inclusive),
	 .help = "with --like callgrind_annotate: costs with those of called functions"},
	{PK_OPT_CHOICE, "tree", 0, offsetof(struct hotspots_params, tree), "WHAT",
	 .choices = pk_callgrind_trees, .fallback = "none",
	 .help = "with --like callgrind_annotate: add the callers of each function, and what it "
		 "calls"},
	{PK_OPT_PERCENT, "threshold", 0, offsetof(struct hotspots_params, threshold), "P",
	 .fallback = "99", .min = 0, .max = 100,
	 .help = "with --like callgrind_annotate: functions until they have this share of all"},
	{PK_OPT_GROUP, .help = "Options of --like pytest-benchmark"},
	{PK_OPT_TEXT, "columns", 0, offsetof(struct hotspots_params, pytest.columns), "LIST",
	 .help = "its columns: min, max, mean, stddev, median, iqr, outliers, ops, rounds, "
		 "iterations"},
	{PK_OPT_TEXT, "group-by", 0, offsetof(struct hotspots_params, pytest.group_by), "LIST",
	 .help = "what makes a group: group (the default), name, func, fullname, fullfunc, param, "
		 "param:NAME"},
	{PK_OPT_CHOICE, "names", 0, offsetof(struct hotspots_params, pytest.names), "HOW",
	 .choices = pk_pytest_benchmark_names, .fallback = "normal",
	 .help = "how benchmarks are named"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_hotspots = {
	.name = "hotspots",
	.alias = "top",
	.group = PK_GROUP_LOOK,
	.title = "list the functions that cost most",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SORT |
		PK_USE_SHOW | PK_USE_OUTPUT,
	.ignores = PK_PART_ORDER | PK_PART_MARKS | PK_PART_SPANS | PK_PART_THREADS,
	.opts = opts,
	.sorts = PK_SORT_NAMES,
	.params_size = sizeof(struct hotspots_params),
	.benchmarks = PK_BENCHMARKS_SHOWN,
	.run = run,
};
