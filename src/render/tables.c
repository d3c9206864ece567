/* The tables of hotspots, callers, callees and tree. */
#include "render/tables.h"

#include <math.h>
#include <string.h>

#include "analysis/lines/lines.h"
#include "base/text/str.h"
#include "render/cells.h"

#define COUNT(columns) ((int)(sizeof(columns) / sizeof((columns)[0])))

static void set_metric(struct pk_grid *g, const struct pk_profile *p, uint32_t metric)
{
	g->unit = pk_metric_unit(p, metric);
	g->exponent = p->metric.exponent[metric];
}

static void put_value(struct pk_cell *cell, int64_t value, bool estimated)
{
	pk_cell_int(cell, value);
	cell->estimated = estimated;
}

static void put_share(struct pk_cell *cell, double share, bool estimated)
{
	pk_cell_real(cell, share);
	cell->estimated = estimated;
}

enum {
	H_FUNCTION,
	H_MODULE,
	H_FILE,
	H_LINE,
	H_KIND,
	H_CALLS,
	H_PRIMITIVE,
	H_PRIMITIVE_DIFFERS,
	H_SELF,
	H_TOTAL,
	H_SELF_SHARE,
	H_TOTAL_SHARE,
	H_PER_CALL,
	H_SPEEDUP,
	H_ESTIMATED,
	H_LABEL
};

/* Durations of spans, if asked for: before the label. */
enum { S_COUNT, S_MEAN, S_MEAN_SHOWN, S_MIN, S_P50, S_P90, S_P99, S_MAX, S_STDDEV, S_STDDEV_SHOWN };

static const struct pk_grid_column stat_columns[] = {
	[S_COUNT] = {"count", NULL, PK_CELL_INT, .help = "Number of spans of the function"},
	[S_MEAN] = {"mean", NULL, PK_CELL_REAL,
		    .help = "Mean duration of its spans in ns, including what they called"},
	[S_MEAN_SHOWN] = {.heading = "mean", .type = PK_CELL_EACH, .unit = "ns"},
	[S_MIN] = {"min", "min", PK_CELL_EACH, "ns", .help = "Shortest duration"},
	[S_P50] = {"p50", "p50", PK_CELL_EACH, "ns",
		   .help = "Median: the duration at place 0.5 * count, rounded up, in the order of "
			   "durations"},
	[S_P90] = {"p90", "p90", PK_CELL_EACH, "ns", .help = "The same at 0.9 * count"},
	[S_P99] = {"p99", "p99", PK_CELL_EACH, "ns", .help = "The same at 0.99 * count"},
	[S_MAX] = {"max", "max", PK_CELL_EACH, "ns", .help = "Longest duration"},
	[S_STDDEV] = {"stddev", NULL, PK_CELL_REAL,
		      .help = "Standard deviation (divided by count - 1); null for one span"},
	[S_STDDEV_SHOWN] = {.heading = "stddev", .type = PK_CELL_EACH, .unit = "ns"},
};
const struct pk_grid_columns pk_hotspot_stat_columns = PK_GRID_COLUMNS(stat_columns);

/* For a part: statistics of self over its runs. */
enum { R_RUNS, R_MEAN, R_MEAN_SHOWN, R_STDDEV, R_STDDEV_SHOWN, R_P50, R_P95, R_MOST, R_MOST_IN };

static const struct pk_grid_column run_columns[] = {
	[R_RUNS] = {"runs", "runs", PK_CELL_INT, .help = "Number of runs that have the function"},
	[R_MEAN] = {"run_mean", NULL, PK_CELL_REAL,
		    .help = "Mean of self over all runs; it is 0 in a run without the function"},
	[R_MEAN_SHOWN] = {.heading = "mean", .type = PK_CELL_EACH},
	[R_STDDEV] = {"run_stddev", NULL, PK_CELL_REAL,
		      .help = "Standard deviation (divided by runs - 1); null for one run"},
	[R_STDDEV_SHOWN] = {.heading = "stddev", .type = PK_CELL_EACH},
	[R_P50] = {"run_p50", "p50", PK_CELL_EACH,
		   .help = "Median: the value at place ceil(0.5 * runs) in order, to 1%"},
	[R_P95] = {"run_p95", "p95", PK_CELL_EACH, .help = "The same at 0.95 * runs"},
	[R_MOST] = {"run_max", "max", PK_CELL_EACH, .help = "Largest self of any run"},
	[R_MOST_IN] = {"max_run", "in run", PK_CELL_TEXT,
		       .help = "The run that has the largest; null if all have the same"},
};
const struct pk_grid_columns pk_hotspot_run_columns = PK_GRID_COLUMNS(run_columns);

static const struct pk_grid_column hotspot_columns[] = {
	[H_FUNCTION] = {"function", NULL, PK_CELL_TEXT,
			.help = "Name of the function, as the profiler wrote it"},
	[H_MODULE] = PK_GRID_MODULE,
	[H_FILE] = PK_GRID_FILE,
	[H_LINE] = PK_GRID_LINE,
	[H_KIND] = {"kind", NULL, PK_CELL_TEXT,
		    .help = "Kind of code: python, native, kernel, builtin, gpu, runtime, idle or "
			    "unknown"},
	[H_CALLS] = {"calls", "calls", PK_CELL_INT, .help = "Number of calls"},
	[H_PRIMITIVE] = {"primitive_calls", NULL, PK_CELL_INT,
			 .help = "Calls while the function was not already active (not recursive)"},
	[H_PRIMITIVE_DIFFERS] = {.heading = "primitive", .type = PK_CELL_INT},
	[H_SELF] = {"self", "self", PK_CELL_VALUE, .help = "Value of the function itself"},
	[H_TOTAL] = {"total", "total", PK_CELL_VALUE,
		     .help = "Value of the function including all that it calls; recursion counts "
			     "once"},
	[H_SELF_SHARE] = {"self_share", "self%", PK_CELL_SHARE,
			  .help = "self as a fraction of the profile's total"},
	[H_TOTAL_SHARE] = {"total_share", "total%", PK_CELL_SHARE,
			   .help = "total as a fraction of the profile's total"},
	[H_PER_CALL] = {.heading = "per call", .type = PK_CELL_EACH},
	[H_SPEEDUP] = {"speedup_bound", "speedup \xE2\x89\xA4", PK_CELL_RATIO,
		       .help = "Speed-up of the whole if this function and what it calls cost "
			       "nothing: 1 / (1 - total_share); null if total_share is above 0.99"},
	[H_ESTIMATED] =
		{"estimated", NULL, PK_CELL_BOOL,
		 .help = "true if the row depends on call paths that the input did not contain"},
	[H_LABEL] = {.heading = "function", .type = PK_CELL_TEXT},
};
const struct pk_grid_columns pk_hotspots_columns = PK_GRID_COLUMNS(hotspot_columns);

/* False for memory and numbers of allocations, which have no speed, for the states of threads and
 * Go's delays, which are waiting, and for shares of times that contain each other, which say
 * nothing. */
bool pk_has_speed(const struct pk_profile *p, uint32_t metric)
{
	const char *name = pk_text(p, p->metric.name[metric]);

	return p->metric.kind[metric] != PK_METRIC_BYTES && !pk_ends_with(name, "allocations") &&
	       !pk_ends_with(name, "_objects") && strcmp(name, "delay") != 0 &&
	       strcmp(name, "contentions") != 0 && !pk_lines_include_calls(p) &&
	       strcmp(name, pk_role_metrics[PK_ROLE_STATES]) != 0;
}

static void add_hotspot(struct pk_grid *g, const struct pk_hotspots *h,
			const struct pk_function_total *f)
{
	const struct pk_profile *p = h->profile;
	struct pk_cell *row = pk_grid_row(g, 0);
	int64_t whole = pk_whole(p, h->metric, h->functions.total);
	double self_share = f->self_unknown ? NAN : pk_share(f->self, whole);
	double total_share = f->total_unknown ? NAN : pk_share(f->total, whole);

	pk_cells_function(&row[H_FUNCTION], p, f->function);
	pk_cell_text(&row[H_KIND], pk_function_kinds[p->function.kind[f->function]]);
	put_value(&row[H_CALLS], f->calls, f->estimated);
	put_value(&row[H_PRIMITIVE], f->primitive_calls, f->estimated);
	put_value(&row[H_SELF], f->self_unknown ? PK_NULL : f->self, f->estimated);
	put_value(&row[H_TOTAL], f->total_unknown ? PK_NULL : f->total, f->estimated);
	put_share(&row[H_SELF_SHARE], self_share, f->estimated);
	put_share(&row[H_TOTAL_SHARE], total_share, f->estimated);
	/* beyond 99 % the bound tells nothing */
	if (total_share <= 0.99 && pk_has_speed(p, h->metric))
		put_share(&row[H_SPEEDUP], pk_speedup_bound(total_share), f->estimated);
	if (self_share >= 0.1)
		row[H_SELF].tone = row[H_SELF_SHARE].tone = PK_TONE_STRONG;
	pk_cell_bool(&row[H_ESTIMATED], f->estimated);
}

static struct pk_cell *last_row(struct pk_grid *g)
{
	return &g->cells[(g->rows - 1) * (size_t)g->column_count];
}

/* Sets the label of the last row, which only people see. */
static void add_hotspot_label(struct pk_grid *g, const struct pk_hotspots *h,
			      const struct pk_function_total *f, bool recursive)
{
	struct pk_cell *row = last_row(g);

	if (recursive)
		put_value(&row[H_PRIMITIVE_DIFFERS], f->primitive_calls, f->estimated);
	if (f->primitive_calls > 0 && !f->total_unknown && !h->stats && !h->workers && !h->runs)
		put_value(&row[H_PER_CALL], f->total / f->primitive_calls, f->estimated);
	pk_cell_label(g, &row[g->column_count - 1], h->profile, f->function, NULL);
	pk_grid_handle(g, f->function, g->column_count - 1);
}

static void add_stats(struct pk_grid *g, const struct pk_span_stat *s)
{
	struct pk_cell *row = last_row(g) + H_LABEL;

	pk_cell_int(&row[S_COUNT], s->count);
	if (!s->count)
		return;
	pk_cell_real(&row[S_MEAN], s->mean);
	pk_cell_int(&row[S_MEAN_SHOWN], llround(s->mean));
	pk_cell_int(&row[S_MIN], s->min);
	pk_cell_int(&row[S_P50], s->p50);
	pk_cell_int(&row[S_P90], s->p90);
	pk_cell_int(&row[S_P99], s->p99);
	pk_cell_int(&row[S_MAX], s->max);
	pk_cell_real(&row[S_STDDEV], s->deviation);
	if (!isnan(s->deviation))
		pk_cell_int(&row[S_STDDEV_SHOWN], llround(s->deviation));
}

/* Figures of workers: before the label. The columns of single workers come first. */
enum { W_MEAN, W_MEAN_SHOWN, W_MIN, W_MAX, W_IMBALANCE, W_MIN_WORKER, W_MAX_WORKER };

static const struct pk_grid_column worker_columns[] = {
	[W_MEAN] = {"worker_mean", NULL, PK_CELL_REAL, .help = "Mean of self over all workers"},
	[W_MEAN_SHOWN] = {.heading = "mean", .type = PK_CELL_VALUE},
	[W_MIN] = {"worker_min", "min", PK_CELL_VALUE, .help = "Minimum"},
	[W_MAX] = {"worker_max", "max", PK_CELL_VALUE, .help = "Maximum"},
	[W_IMBALANCE] = {"imbalance", "max/mean", PK_CELL_RATIO,
			 .help = "worker_max / worker_mean; null if the function has no self"},
	[W_MIN_WORKER] =
		{"min_worker", "least in", PK_CELL_TEXT,
		 .help = "The first worker with the minimum; null if all have the same value"},
	[W_MAX_WORKER] = {"max_worker", "most in", PK_CELL_TEXT,
			  .help = "The first worker with the maximum"},
};
const struct pk_grid_columns pk_hotspot_worker_columns = PK_GRID_COLUMNS(worker_columns);

static int worker_column_count(const struct pk_hotspots *h)
{
	return h->workers ? (int)h->workers->columns + COUNT(worker_columns) : 0;
}

/* With a column for each worker, the reader sees which worker has most. */
static void make_worker_columns(struct pk_grid *g, const struct pk_by_worker *b,
				struct pk_grid_column *columns)
{
	PK_BUF_AUTO key = PK_BUF_INIT;

	for (uint32_t i = 0; i < b->columns; i++) {
		key.len = 0;
		pk_buf_addf(&key, "worker_%u", i + 1);
		columns[i] = (struct pk_grid_column){
			.key = pk_arena_copy(&g->arena, key.data, key.len),
			.heading = b->narrow ? NULL : b->name[i],
			.type = PK_CELL_VALUE,
		};
	}
	columns += b->columns;
	memcpy(columns, worker_columns, sizeof(worker_columns));
	if (b->columns && !b->narrow)
		columns[W_MIN_WORKER].heading = columns[W_MAX_WORKER].heading = NULL;
}

static void add_workers(struct pk_grid *g, const struct pk_by_worker *b, uint32_t function)
{
	const struct pk_worker_row *r = &b->of_function[function];
	struct pk_cell *row =
		last_row(g) + g->column_count - 1 - COUNT(worker_columns) - b->columns;
	double mean = pk_worker_mean(b, function);

	for (uint32_t i = 0; i < b->columns; i++)
		pk_cell_int(row++, b->value[(size_t)function * b->columns + i]);
	pk_cell_real(&row[W_MEAN], mean);
	pk_cell_int(&row[W_MEAN_SHOWN], llround(mean * b->scale));
	pk_cell_int(&row[W_MIN], r->min);
	pk_cell_int(&row[W_MAX], r->max);
	pk_cell_real(&row[W_IMBALANCE], pk_worker_imbalance(b, function));
	if (r->min == r->max)
		return;
	pk_cell_text(&row[W_MIN_WORKER], b->name[r->min_worker]);
	pk_cell_text(&row[W_MAX_WORKER], b->name[r->max_worker]);
}

static void add_runs(struct pk_grid *g, const struct pk_hotspots *h, uint32_t function)
{
	const struct pk_run_stat *s = &h->runs->of_function[function];
	double scale = pk_metric_scale(h->profile, h->metric);
	struct pk_cell *row = last_row(g) + H_LABEL;

	if (!s->runs)
		return;
	pk_cell_int(&row[R_RUNS], s->runs);
	pk_cell_real(&row[R_MEAN], s->mean / scale);
	pk_cell_int(&row[R_MEAN_SHOWN], llround(s->mean));
	pk_cell_int(&row[R_P50], s->p50);
	pk_cell_int(&row[R_P95], s->p95);
	pk_cell_int(&row[R_MOST], s->most);
	if (s->most_in)
		pk_cell_text(&row[R_MOST_IN],
			     pk_text(h->profile, h->profile->member.name[s->most_in]));
	if (isnan(s->deviation))
		return;
	pk_cell_real(&row[R_STDDEV], s->deviation / scale);
	pk_cell_int(&row[R_STDDEV_SHOWN], llround(s->deviation));
}

/* The columns that a narrow terminal can do without: from the left in those of runs, so that the
 * run of the largest value goes last; else from the right. */
static uint64_t spare_columns(const struct pk_hotspots *h, int stats)
{
	uint64_t spare =
		1U << H_PRIMITIVE_DIFFERS | 1U << H_SELF_SHARE | 1U << H_PER_CALL | 1U << H_SPEEDUP;
	int workers;

	if (h->runs)
		return spare | 1ULL << H_CALLS | 1ULL << H_TOTAL | 1ULL << H_TOTAL_SHARE |
		       1ULL << (H_LABEL + R_STDDEV_SHOWN) | 1ULL << (H_LABEL + R_MOST_IN);
	if (stats)
		spare |= 1ULL << H_TOTAL | 1ULL << H_TOTAL_SHARE | 1ULL << (H_LABEL + S_MIN) |
			 1ULL << (H_LABEL + S_P90) | 1ULL << (H_LABEL + S_STDDEV_SHOWN);
	if (!h->workers)
		return spare;
	workers = H_LABEL + stats + (int)h->workers->columns;
	return spare | 1ULL << H_TOTAL | 1ULL << H_TOTAL_SHARE | 1ULL << (workers + W_MEAN_SHOWN) |
	       1ULL << (workers + W_MIN) | 1ULL << (workers + W_MAX) |
	       1ULL << (workers + W_MIN_WORKER);
}

static void init_hotspots(struct pk_grid *g, const struct pk_hotspots *h)
{
	int stats = h->stats ? COUNT(stat_columns) : h->runs ? COUNT(run_columns) : 0;
	int count = COUNT(hotspot_columns) + stats + worker_column_count(h);
	struct pk_grid_column *columns;

	pk_grid_init(g, hotspot_columns, count);
	g->spare = spare_columns(h, stats);
	g->spare_leftmost = h->runs;
	g->lengthy = 1U << H_PER_CALL | 1U << H_SPEEDUP | 1U << H_PRIMITIVE_DIFFERS;
	set_metric(g, h->profile, h->metric);
	if (!h->stats && !h->workers && !h->runs)
		return;
	columns = pk_arena_alloc(&g->arena, (size_t)count * sizeof(*columns));
	memcpy(columns, hotspot_columns, sizeof(hotspot_columns));
	memcpy(columns + H_LABEL, h->stats ? stat_columns : run_columns,
	       (size_t)stats * sizeof(*columns));
	if (h->workers)
		make_worker_columns(g, h->workers, columns + H_LABEL + stats);
	columns[count - 1] = hotspot_columns[H_LABEL];
	g->columns = columns;
}

void pk_hotspots_grid(struct pk_grid *g, const struct pk_hotspots *h, uint32_t rows, bool people)
{
	bool recursive = false;
	uint32_t i;

	init_hotspots(g, h);
	for (i = 0; people && i < rows && i < h->count; i++) {
		const struct pk_function_total *f = &h->functions.row[h->order[i]];

		recursive |= f->calls != f->primitive_calls;
	}
	for (i = 0; i < rows && i < h->count; i++) {
		const struct pk_function_total *f = &h->functions.row[h->order[i]];

		add_hotspot(g, h, f);
		if (h->stats)
			add_stats(g, &h->stats->of_function[f->function]);
		if (h->workers)
			add_workers(g, h->workers, f->function);
		if (h->runs)
			add_runs(g, h, f->function);
		if (people)
			add_hotspot_label(g, h, f, recursive);
	}
}

enum {
	C_CALLER,
	C_CALLER_FILE,
	C_CALLER_LINE,
	C_CALLEE,
	C_CALLEE_FILE,
	C_CALLEE_LINE,
	C_CALLS,
	C_PRIMITIVE,
	C_SELF,
	C_TOTAL,
	C_ESTIMATED
};

static const struct pk_grid_column caller_columns[] = {
	[C_CALLER] = {"caller", NULL, PK_CELL_TEXT, .help = "Name of the calling function"},
	[C_CALLER_FILE] = {"caller_file", NULL, PK_CELL_TEXT,
			   .help = "Source file of the function"},
	[C_CALLER_LINE] = {"caller_line", NULL, PK_CELL_INT, .help = "Line where it begins"},
	[C_CALLEE] = {"callee", NULL, PK_CELL_TEXT, .help = "Name of the function called"},
	[C_CALLEE_FILE] = {"callee_file", NULL, PK_CELL_TEXT,
			   .help = "Source file of the function"},
	[C_CALLEE_LINE] = {"callee_line", NULL, PK_CELL_INT, .help = "Line where it begins"},
	[C_CALLS] = {"calls", NULL, PK_CELL_INT, .help = "Number of calls from caller to callee"},
	[C_PRIMITIVE] = {"primitive_calls", NULL, PK_CELL_INT,
			 .help = "Calls while the callee was not already active (not recursive)"},
	[C_SELF] = {"self", NULL, PK_CELL_VALUE,
		    .help = "Value of the callee itself in these calls"},
	[C_TOTAL] = {"total", NULL, PK_CELL_VALUE,
		     .help = "Value of the callee in these calls, including all that it called"},
	[C_ESTIMATED] =
		{"estimated", NULL, PK_CELL_BOOL,
		 .help = "true if the row depends on call paths that the input did not contain"},
};
const struct pk_grid_columns pk_callers_columns = PK_GRID_COLUMNS(caller_columns);

static void add_arc(struct pk_grid *g, const struct pk_profile *p, const struct pk_arc *arc)
{
	struct pk_cell *row = pk_grid_row(g, 0);

	pk_cell_string(&row[C_CALLER], p, p->function.name[arc->caller]);
	pk_cell_string(&row[C_CALLER_FILE], p, p->function.file[arc->caller]);
	pk_cell_line(&row[C_CALLER_LINE], p->function.line[arc->caller]);
	pk_cell_string(&row[C_CALLEE], p, p->function.name[arc->callee]);
	pk_cell_string(&row[C_CALLEE_FILE], p, p->function.file[arc->callee]);
	pk_cell_line(&row[C_CALLEE_LINE], p->function.line[arc->callee]);
	pk_cell_int(&row[C_CALLS], arc->calls);
	pk_cell_int(&row[C_PRIMITIVE], arc->primitive_calls);
	pk_cell_int(&row[C_SELF], arc->self);
	pk_cell_int(&row[C_TOTAL], arc->total);
	pk_cell_bool(&row[C_ESTIMATED], arc->estimated);
}

enum { P_CALLS, P_SELF, P_TOTAL, P_SHARE, P_LABEL };

/* Functions, and what calls them or is called by them below each. */
static const struct pk_grid_column relative_columns[] = {
	[P_CALLS] = {.heading = "calls", .type = PK_CELL_INT},
	[P_SELF] = {.heading = "self", .type = PK_CELL_VALUE},
	[P_TOTAL] = {.heading = "total", .type = PK_CELL_VALUE},
	[P_SHARE] = {.heading = "share", .type = PK_CELL_SHARE},
	[P_LABEL] = {.heading = "function", .type = PK_CELL_TEXT},
};

static void add_relative(struct pk_grid *g, const struct pk_callers *c, const struct pk_arc *arc,
			 int64_t whole)
{
	struct pk_cell *row = pk_grid_row(g, 1);
	uint32_t function = c->callees ? arc->callee : arc->caller;

	put_value(&row[P_CALLS], arc->calls, arc->estimated);
	put_value(&row[P_SELF], arc->self, arc->estimated);
	put_value(&row[P_TOTAL], arc->total, arc->estimated);
	put_share(&row[P_SHARE], pk_share(arc->total, whole), arc->estimated);
	pk_cell_label(g, &row[P_LABEL], c->profile, function, NULL);
	pk_grid_handle(g, function, P_LABEL);
}

/* Adds a function with at most `rows` of its relatives; returns how many. */
static uint32_t add_group(struct pk_grid *g, const struct pk_callers *c,
			  const struct pk_caller_group *group, uint32_t rows)
{
	const struct pk_function_total *f = group->function;
	struct pk_cell *row = pk_grid_row(g, 0);
	int64_t all = pk_whole(c->profile, c->metric, c->functions.total);
	int64_t whole = pk_whole(c->profile, c->metric, f->total);
	uint32_t i;

	put_value(&row[P_CALLS], f->calls, f->estimated);
	put_value(&row[P_SELF], f->self_unknown ? PK_NULL : f->self, f->estimated);
	put_value(&row[P_TOTAL], f->total_unknown ? PK_NULL : f->total, f->estimated);
	put_share(&row[P_SHARE], f->total_unknown ? NAN : pk_share(f->total, all), f->estimated);
	pk_cell_label(g, &row[P_LABEL], c->profile, f->function, NULL);
	pk_grid_handle(g, f->function, P_LABEL);
	for (i = 0; i < group->count && i < rows; i++)
		add_relative(g, c, &c->arcs.row[c->order[group->first + i]], whole);
	return i;
}

void pk_callers_grid(struct pk_grid *g, const struct pk_callers *c, uint32_t rows, bool people)
{
	uint32_t i;

	if (people)
		pk_grid_init(g, relative_columns, COUNT(relative_columns));
	else
		pk_grid_init(g, caller_columns, COUNT(caller_columns));
	set_metric(g, c->profile, c->metric);
	for (i = 0; !people && i < rows && i < c->count; i++)
		add_arc(g, c->profile, &c->arcs.row[c->order[i]]);
	for (i = 0; people && i < c->group_count; i++) {
		if (!rows && c->count)
			break;
		rows -= add_group(g, c, &c->groups[i], rows);
	}
	g->tree_column = people ? P_LABEL : -1;
	g->spaced = people;
}

enum {
	T_NODE,
	T_PARENT,
	T_DEPTH,
	T_FUNCTION,
	T_MODULE,
	T_FILE,
	T_LINE,
	T_CALLS,
	T_SELF,
	T_TOTAL,
	T_TOTAL_SHARE,
	T_ESTIMATED,
	T_LABEL
};

static const struct pk_grid_column tree_columns[] = {
	[T_NODE] = PK_GRID_NODE,
	[T_PARENT] = PK_GRID_PARENT,
	[T_DEPTH] = PK_GRID_DEPTH,
	[T_FUNCTION] = PK_GRID_PATH_FUNCTION,
	[T_MODULE] = PK_GRID_MODULE,
	[T_FILE] = PK_GRID_FILE,
	[T_LINE] = PK_GRID_LINE,
	[T_CALLS] = {"calls", "calls", PK_CELL_INT, .help = "Number of calls of the path"},
	[T_SELF] = {"self", "self", PK_CELL_VALUE, .help = "Value of the path itself"},
	[T_TOTAL] = {"total", "total", PK_CELL_VALUE,
		     .help = "Value of the path including all paths below it"},
	[T_TOTAL_SHARE] = {"total_share", "total%", PK_CELL_SHARE,
			   .help = "total as a fraction of the profile's total"},
	[T_ESTIMATED] = {"estimated", NULL, PK_CELL_BOOL,
			 .help = "true if the input did not contain this path"},
	[T_LABEL] = {.heading = "function", .type = PK_CELL_TEXT},
};
const struct pk_grid_columns pk_call_tree_columns = PK_GRID_COLUMNS(tree_columns);

static struct pk_cell *add_path(struct pk_grid *g, const struct pk_call_tree *t,
				const struct pk_call_tree_row *r)
{
	const struct pk_profile *p = t->profile;
	struct pk_cell *row = pk_grid_row(g, r->depth - 1);
	uint32_t function = pk_node_function(p, r->node);
	int64_t total = t->tree.total[r->node];

	pk_cell_int(&row[T_NODE], r->node);
	if (r->parent)
		pk_cell_int(&row[T_PARENT], r->parent);
	pk_cell_int(&row[T_DEPTH], r->depth - 1);
	pk_cells_function(&row[T_FUNCTION], p, function);
	put_value(&row[T_CALLS], t->tree.calls ? t->tree.calls[r->node] : PK_NULL, r->estimated);
	put_value(&row[T_TOTAL], total, r->estimated);
	put_share(&row[T_TOTAL_SHARE], pk_share(total, pk_whole(p, t->metric, t->total)),
		  r->estimated);
	pk_cell_bool(&row[T_ESTIMATED], r->estimated);
	return row;
}

void pk_call_tree_grid(struct pk_grid *g, const struct pk_call_tree *t, bool people)
{
	uint32_t i;

	pk_grid_init(g, tree_columns, COUNT(tree_columns));
	set_metric(g, t->profile, t->metric);
	g->tree_column = people ? T_LABEL : -1;
	for (i = 0; i < t->count; i++) {
		uint32_t node = t->rows[i].node;
		struct pk_cell *row = add_path(g, t, &t->rows[i]);

		/* Bottom-up, self only tells where a path ends, so it is hidden from people. */
		if (!people || !t->bottom_up)
			put_value(&row[T_SELF], t->tree.self[node], t->rows[i].estimated);
		if (people)
			pk_cell_label(g, &row[T_LABEL], t->profile,
				      pk_node_function(t->profile, node), NULL);
	}
}
