/* profkit history: a value over the runs of a store, and where it changed. */
#include "analysis/history.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/diff/diff.h"
#include "analysis/diff/series.h"
#include "analysis/check/rules.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "tools/command.h"
#include "tools/commands/diff/view.h"
#include "model/label.h"
#include "render/tables.h"
#include "store/inspect.h"
#include "store/store.h"
#include "writers/history_svg.h"

struct params {
	struct pk_common common;
	int measure;
	struct pk_opt_list map;
};

/* What is shown of a run. Texts are of its profile, or of history.texts. */
struct run {
	int64_t number; /* in the store */
	uint32_t read;  /* how many were read before it */
	int64_t start;
	const char *name, *commit;
	const char *source, *format, *label;
};

struct history {
	const struct params *o;
	struct pk_profiles list; /* in the order of time; none if the runs are a series */
	struct pk_diff diff;     /* of these */
	struct pk_series series;
	struct pk_arena texts;
	struct run *run;
	size_t count, alloc;
	bool said; /* messages on the runs: they are read for the second time */
	int64_t *value;
	const struct pk_match *match;
	struct { /* what the values are */
		const struct pk_profile *p;
		uint32_t metric; /* of p */
		int exponent;
		enum pk_exactness exactness;
	} shown;
	bool estimated; /* the values of the function are */
	enum pk_measure measure;
	uint32_t function;   /* of the match; 0 = the whole */
	uint32_t benchmarks; /* whose geometric mean the values are; 0 = they are no benchmarks */
	struct pk_history result;
	struct pk_buf subject;
};

static struct run run_of(const struct pk_profile *p, int64_t number)
{
	const char *label = p->run.label[1] ? pk_text(p, p->run.label[1]) : NULL;
	const char *source = pk_text(p, p->run.source[1]);

	return (struct run){.number = number,
			    .start = p->run.start[1],
			    .name = label ? label : pk_basename(source),
			    .commit = pk_meta_find(p, "commit"),
			    .source = source,
			    .format = pk_text(p, p->run.format[1]),
			    .label = label};
}

/* A run before it is sorted. */
struct place {
	struct pk_profile *p;
	int64_t number;
	size_t given;
	bool timed;
};

static int compare_places(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;
	int64_t x = a->p->run.start[1], y = b->p->run.start[1];

	if (a->timed && x != y)
		return x < y ? -1 : 1;
	return a->given < b->given ? -1 : a->given > b->given;
}

/* Sets the numbers of runs in a store. Runs of other files count from 1. */
static void set_numbers(struct place *place, size_t count, const char *operand)
{
	struct pk_error ignored = PK_ERROR_INIT;
	const char *at = strrchr(operand, '@');
	struct pk_run_numbers runs;
	PK_FREED char *path = at ? pk_strndup(operand, (size_t)(at - operand)) : NULL;

	if (pk_store_numbers(operand, NULL, &runs, &ignored) && path)
		pk_store_numbers(path, at + 1, &runs, &ignored);
	for (size_t i = 0; i < count && runs.count == count; i++)
		place[i].number = runs.item[i];
	pk_run_numbers_release(&runs);
}

static void order_runs(struct history *h, const char *operand)
{
	size_t count = h->list.count;
	PK_FREED struct place *place = pk_calloc(count, sizeof(*place));
	bool timed = true;

	for (size_t i = 0; i < count; i++)
		timed &= h->list.item[i]->run.start[1] != PK_NULL;
	for (size_t i = 0; i < count; i++)
		place[i] = (struct place){h->list.item[i], (int64_t)i + 1, i, timed};
	if (!h->o->common.run)
		set_numbers(place, count, operand);
	qsort(place, count, sizeof(*place), compare_places);
	h->run = pk_malloc(pk_mul(count, sizeof(*h->run)));
	h->count = count;
	for (size_t i = 0; i < count; i++) {
		h->list.item[i] = place[i].p;
		h->run[i] = run_of(place[i].p, place[i].number);
	}
}

/* Matches all earlier runs, as one side, with the last run; names are those of the last. */
static int match_runs(struct history *h, struct pk_error *err)
{
	size_t count = h->list.count;
	struct pk_profiles before = {h->list.item, count > 1 ? count - 1 : 1, 0},
			   after = {&h->list.item[count - 1], 1, 0};
	struct pk_diff_options options = {.match = {.map = &h->o->map}, .wholes = true};

	h->measure =
		pk_common_measure(&h->o->common, h->o->measure, h->list.item[0], &options.metric);
	if (pk_diff_init(&h->diff, &before, &after, &options, err))
		return -1;
	h->match = &h->diff.match;
	h->shown.p = h->diff.match.side[PK_AFTER].profile[0];
	h->shown.metric = h->diff.side[PK_AFTER].metric[0];
	h->shown.exponent = h->diff.exponent;
	h->shown.exactness = h->diff.exactness;
	return 0;
}

static const char *copy_text(struct history *h, const char *text)
{
	return text ? pk_arena_copy(&h->texts, text, strlen(text)) : NULL;
}

/* Notes a run whose profile is not kept. */
static void note_run(struct history *h, const struct pk_profile *p, int64_t number)
{
	struct run run = run_of(p, number);

	run.name = copy_text(h, run.name);
	run.commit = copy_text(h, run.commit);
	run.source = copy_text(h, run.source);
	run.format = copy_text(h, run.format);
	run.label = copy_text(h, run.label);
	run.read = (uint32_t)h->count;
	PK_GROW(h->run, h->count + 1, h->alloc);
	h->run[h->count++] = run;
}

static int compare_runs(const void *va, const void *vb)
{
	const struct run *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->read < b->read ? -1 : a->read > b->read;
}

/* The runs of a store that are read in pieces. */
struct pieces {
	const char *path;
	struct pk_run_numbers numbers;
	size_t newest; /* of these numbers: the last in time */
	bool timed;    /* the start of each is known */
	bool function; /* a function is wanted */
};

static int find_newest(struct pieces *pieces, struct pk_error *err)
{
	size_t count = pieces->numbers.count;
	PK_FREED int64_t *start = pk_malloc(pk_mul(count, sizeof(*start)));

	if (pk_store_starts(pieces->path, &pieces->numbers, start, err))
		return -1;
	pieces->timed = true;
	for (size_t i = 0; i < count; i++) {
		pieces->timed &= start[i] != PK_NULL;
		if (start[i] >= start[pieces->newest])
			pieces->newest = i;
	}
	if (!pieces->timed)
		pieces->newest = count - 1;
	return 0;
}

/* Adds a piece of the runs to the series. Returns 1 if they cannot be one. */
static int add_piece(struct history *h, const struct pieces *pieces, size_t from, size_t to,
		     struct pk_error *err)
{
	const int64_t *number = pieces->numbers.item;
	PK_BUF_AUTO operand = PK_BUF_INIT;
	struct pk_profiles list;
	int status = 0;
	char *argv[1];

	pk_buf_addf(&operand, "%s@%lld..%lld", pieces->path, (long long)number[from],
		    (long long)number[to - 1]);
	argv[0] = operand.data;
	h->said = true;
	if (pk_load_inputs(&h->o->common, 1, argv, &list, err))
		return -1;
	if (!from) {
		struct pk_series_options o = {.match = {.map = &h->o->map},
					      .functions = pieces->function};

		h->measure =
			pk_common_measure(&h->o->common, h->o->measure, list.item[0], &o.metric);
		o.measure = h->measure;
		status = pk_series_begin(&h->series, &o, err);
	}
	if (!status && list.count != to - from)
		status = 1;
	for (size_t i = 0; !status && i < list.count; i++) {
		struct pk_profile *p = list.item[i];
		bool newest = from + i == pieces->newest;

		list.item[i] = NULL;
		note_run(h, p, number[from + i]);
		status = !pk_series_add(&h->series, p, newest ? PK_AFTER : PK_BEFORE);
	}
	pk_profiles_release(&list);
	return status;
}

static void drop_series(struct history *h)
{
	pk_series_release(&h->series);
	h->series = (struct pk_series){0};
	pk_arena_release(&h->texts);
	h->texts = (struct pk_arena){0};
	free(h->run);
	h->run = NULL;
	h->count = h->alloc = 0;
}

static int add_pieces(struct history *h, struct pieces *pieces, struct pk_error *err)
{
	enum { PIECE = PK_HISTORY_MOST };
	size_t count = pieces->numbers.count;
	int status;

	if (count <= PIECE)
		return 1;
	status = find_newest(pieces, err);
	for (size_t from = 0; !status && from < count; from += PIECE)
		status = add_piece(h, pieces, from, from + PIECE < count ? from + PIECE : count,
				   err);
	if (!status && !pk_series_end(&h->series))
		status = 1;
	if (!status && pieces->timed)
		qsort(h->run, h->count, sizeof(*h->run), compare_runs);
	return status;
}

/* Reads very many runs of a store in pieces, and keeps only their values. Returns 1 if the runs are
 * few, or must be in memory together: benchmarks and parts. */
static int load_series(struct history *h, const char *path, const char *label, bool function,
		       struct pk_error *err)
{
	struct pk_error ignored = PK_ERROR_INIT;
	struct pieces pieces = {.path = path, .function = function};
	int status;

	if (h->o->common.run || pk_store_numbers(path, label, &pieces.numbers, &ignored))
		return 1;
	status = add_pieces(h, &pieces, err);
	pk_run_numbers_release(&pieces.numbers);
	if (status) {
		drop_series(h);
		return status;
	}
	h->match = &h->series.match;
	h->shown.p = h->match->side[PK_AFTER].profile[0];
	h->shown.metric = h->series.metric;
	h->shown.exponent = h->series.exponent;
	h->shown.exactness = h->series.exactness;
	return 0;
}

static bool function_matches(const struct history *h, const struct pk_rule_pattern *pattern,
			     uint32_t function, struct pk_buf *scratch)
{
	const struct pk_match_function *f = &h->match->function[function];

	for (int s = 0; s < PK_SIDES; s++) {
		if (f->id[s] && pk_rule_matches(pattern, h->match->side[s].profile[f->run[s]],
						f->id[s], scratch))
			return true;
	}
	return false;
}

/* Sets h->function to the function that matches; it is an error if several do. */
static int find_function(struct history *h, const char *wanted, struct pk_error *err)
{
	enum { NAMED = 5 };
	PK_BUF_AUTO scratch = PK_BUF_INIT, there = PK_BUF_INIT;
	struct pk_rules rules = {0};
	size_t found = 0;

	if (pk_rules_ignore(&rules, wanted, "FUNCTION", err)) {
		pk_rules_release(&rules);
		return -1;
	}
	for (uint32_t i = 1; i < h->match->count; i++) {
		const struct pk_profile *p;
		uint32_t id;

		if (!function_matches(h, &rules.ignored[0], i, &scratch))
			continue;
		h->function = i;
		if (++found > NAMED)
			continue;
		p = pk_match_profile(h->match, i, &id);
		pk_buf_adds(&there, found > 1 ? ", " : "");
		pk_function_label(&there, p, id, PK_LABEL_FULL);
	}
	if (!found)
		pk_fail(err, PK_EUSAGE, "no function '%s' in any run", wanted);
	else if (found > 1)
		pk_fail(err, PK_EUSAGE, "'%s' is %zu functions: %s%s", wanted, found, there.data,
			found > NAMED ? ", ..." : "");
	pk_rules_release(&rules);
	return found == 1 ? 0 : -1;
}

static int64_t value_of(const struct history *h, size_t r)
{
	enum pk_side s = r + 1 == h->count ? PK_AFTER : PK_BEFORE;
	const struct pk_diff_side *side = &h->diff.side[s];
	uint32_t run = s == PK_AFTER ? 0 : (uint32_t)r;

	if (h->series.count)
		return pk_series_value(&h->series, h->run[r].read, h->function);
	if (h->function)
		return pk_diff_value(&h->diff, s, run, h->measure, h->function);
	return (h->measure == PK_CALLS ? side->calls : side->whole)[run];
}

/* The means of all benchmarks of a run: mean[function * runs + r]. */
static void add_means(const struct history *h, size_t r, int64_t *mean)
{
	enum pk_side s = r + 1 == h->list.count ? PK_AFTER : PK_BEFORE;
	size_t run = s == PK_AFTER ? 0 : r;
	const struct pk_profile *p = h->diff.match.side[s].profile[run];

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t id = pk_node_function(p, p->cost.node[i]);
		uint32_t function = h->diff.match.side[s].of_function[run][id];

		if (pk_cost_metric(p, i) == h->diff.side[s].metric[run])
			mean[function * h->list.count + r] = p->cost.self[i];
	}
}

/* Means of benchmarks do not add up: a run has the geometric mean of those that all runs have. */
static void collect_benchmarks(struct history *h)
{
	size_t count = h->list.count, all = pk_mul(h->diff.match.count, count);
	PK_FREED int64_t *mean = pk_malloc(pk_mul(all, sizeof(*mean)));
	PK_FREED double *sum = pk_calloc(count, sizeof(*sum));

	for (size_t i = 0; i < all; i++)
		mean[i] = PK_NULL;
	for (size_t r = 0; r < count; r++)
		add_means(h, r, mean);
	for (uint32_t f = 1; f < h->diff.match.count; f++) {
		bool measured = true;

		for (size_t r = 0; r < count; r++)
			measured &= mean[f * count + r] > 0;
		for (size_t r = 0; r < count; r++)
			sum[r] += measured ? log((double)mean[f * count + r]) : 0;
		h->benchmarks += measured;
	}
	for (size_t r = 0; r < count; r++) {
		h->value[r] = mean[h->function * count + r];
		if (!h->function && h->benchmarks)
			h->value[r] = llround(exp(sum[r] / h->benchmarks));
	}
}

static int collect(struct history *h, struct pk_error *err)
{
	size_t count = h->count, known = 0;
	bool calls = h->measure == PK_CALLS, benchmarks = pk_is_benchmark(h->shown.p), exact;

	if (benchmarks && calls)
		return pk_fail(err, PK_EUSAGE, "--measure calls: benchmarks have no calls");
	h->value = pk_malloc(pk_mul(count, sizeof(*h->value)));
	for (size_t r = 0; r < count && !benchmarks; r++)
		h->value[r] = value_of(h, r);
	if (benchmarks)
		collect_benchmarks(h);
	for (size_t r = 0; r < count; r++)
		known += h->value[r] != PK_NULL;
	if (!known && benchmarks)
		return pk_fail(err, PK_EFORMAT, "no benchmark was measured in all runs: name one");
	if (!known)
		return pk_fail(err, PK_EFORMAT, "no run knows how often functions were called");
	exact = h->shown.p->metric.kind[h->shown.metric] != PK_METRIC_TIME &&
		h->shown.exactness == PK_EXACT;
	pk_history_init(&h->result, h->value, count, calls || exact);
	return 0;
}

static const char *metric_of(const struct history *h)
{
	return pk_text(h->shown.p, h->shown.p->metric.name[h->shown.metric]);
}

static const char *unit_of(const struct history *h)
{
	return h->measure == PK_CALLS ? "count" : pk_metric_unit(h->shown.p, h->shown.metric);
}

static int exponent_of(const struct history *h)
{
	return h->measure == PK_CALLS ? 0 : h->shown.exponent;
}

/* "price_of (orders.py:30), self time", "the whole, time". */
static void add_subject(struct pk_buf *buf, const struct history *h)
{
	if (h->function) {
		uint32_t id;
		const struct pk_profile *p = pk_match_profile(h->match, h->function, &id);

		pk_function_label(buf, p, id, PK_LABEL_SHORT);
		pk_buf_addf(buf, ": %s", pk_measures[h->measure]);
		if (h->measure != PK_CALLS)
			pk_buf_addf(buf, " %s", metric_of(h));
	} else if (h->benchmarks) {
		pk_buf_addf(buf, "geometric mean of %u benchmark%s: %s", h->benchmarks,
			    h->benchmarks == 1 ? "" : "s", metric_of(h));
	} else {
		pk_buf_addf(buf, "whole run: %s", h->measure == PK_CALLS ? "calls" : metric_of(h));
	}
}

/* The median of the known values of [from, to); PK_NULL if there is none. */
static int64_t typical(const struct history *h, size_t from, size_t to)
{
	int64_t *known = pk_malloc(pk_mul(to - from, sizeof(*known))), value = PK_NULL;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		if (h->value[i] != PK_NULL)
			known[n++] = h->value[i];
	}
	if (n)
		value = pk_diff_median(known, n);
	free(known);
	return value;
}

/* Appends a character of eight heights for each value; for many values, for the median of several.
 */
static void add_sparkline(struct pk_buf *buf, const struct history *h)
{
	enum { MOST = 60, HEIGHTS = 8, LOWEST = 0x2581 };
	size_t runs = h->count, count = runs > MOST ? MOST : runs;
	double low = INFINITY, high = -INFINITY;
	int64_t value[MOST];

	for (size_t i = 0; i < count; i++) {
		value[i] = typical(h, i * runs / count, (i + 1) * runs / count);
		if (value[i] == PK_NULL)
			continue;
		low = fmin(low, (double)value[i]);
		high = fmax(high, (double)value[i]);
	}
	for (size_t i = 0; i < count; i++) {
		double part = high > low ? ((double)value[i] - low) / (high - low) : 0.5;

		if (value[i] == PK_NULL)
			pk_buf_addc(buf, ' ');
		else
			pk_buf_addu8(buf, LOWEST + (uint32_t)(part * (HEIGHTS - 0.01)));
	}
}

/* The commit of a run, from `store add --meta commit=...` or `--label commit=...`; NULL. */
static const char *commit_of(const struct history *h, size_t run)
{
	static const char key[] = "commit=";
	const struct run *r = &h->run[run];

	if (!r->commit && r->label && !strncmp(r->label, key, sizeof(key) - 1))
		return r->label + sizeof(key) - 1;
	return r->commit;
}

static void add_step(struct pk_buf *buf, const struct history *h, size_t level)
{
	const struct pk_history_level *l = &h->result.level[level];
	double ratio = pk_history_ratio(&h->result, level);
	const struct run *r = &h->run[l->from];

	pk_buf_addf(buf, "since run %lld (%s", (long long)r->number, r->name);
	if (r->commit)
		pk_buf_addf(buf, ", commit=%s", r->commit);
	pk_buf_adds(buf, "): ");
	pk_format_scaled(buf, l->value, unit_of(h), exponent_of(h));
	pk_buf_adds(buf, " instead of ");
	pk_format_scaled(buf, l[-1].value, unit_of(h), exponent_of(h));
	if (isfinite(ratio) && ratio > 0)
		pk_buf_addf(buf, ratio < 0.1 ? ", %.3g times as much" : ", %.2f times as much",
			    ratio);
	pk_buf_addc(buf, '\n');
}

static void make_footer(struct pk_buf *buf, const struct history *h, size_t left_out)
{
	if (left_out)
		pk_buf_addf(buf, "… %zu older run%s; --limit 0 shows all\n", left_out,
			    left_out == 1 ? "" : "s");
	for (size_t i = 1; i < h->result.count; i++)
		add_step(buf, h, i);
	if (h->result.too_few)
		pk_buf_adds(buf,
			    "too few runs to tell a change from noise: at least 6 are needed\n");
	else if (h->result.count <= 1)
		pk_buf_adds(buf, "no change beyond noise\n");
	if (h->result.skipped)
		pk_buf_addf(buf, "changes are looked for in the newest %d runs\n", PK_HISTORY_MOST);
}

enum {
	H_RUN,
	H_LABEL,
	H_COMMIT,
	H_START,
	H_VALUE,
	H_DELTA,
	H_RATIO,
	H_LEVEL,
	H_STEP,
	H_ESTIMATED,
	H_COLUMNS
};

static const struct pk_grid_column columns[H_COLUMNS] = {
	[H_RUN] = {"run", "run", PK_CELL_NUMBER,
		   .help = "Number of the run in the store; for other files its position, from 1"},
	[H_LABEL] = {"label", "label", PK_CELL_TEXT, .help = "Label of the run"},
	[H_COMMIT] = {"commit", "commit", PK_CELL_TEXT,
		      .help = "Commit, as given by `--meta commit=...`"},
	[H_START] = {"start", NULL, PK_CELL_NUMBER, .help = "Start time in ns since 1970"},
	[H_VALUE] = {"value", "value", PK_CELL_VALUE,
		     .help = "The value; 0 if the run does not contain the function"},
	[H_DELTA] = {"delta", "change", PK_CELL_DELTA, .help = "value - value of the run before"},
	[H_RATIO] = {"ratio", "ratio", PK_CELL_RATIO,
		     .help = "value / value of the run before; null if it is infinite"},
	[H_LEVEL] = {"level", "level", PK_CELL_VALUE,
		     .help = "Median of the runs between two steps"},
	[H_STEP] = {"step", NULL, PK_CELL_BOOL, .help = "true if a new level begins with this run"},
	[H_ESTIMATED] = {"estimated", NULL, PK_CELL_BOOL,
			 .help = "true if the value depends on call paths that the input did not "
				 "contain"},
};
const struct pk_grid_columns pk_history_columns = PK_GRID_COLUMNS(columns);

static void add_row(struct pk_grid *g, const struct history *h, size_t run, bool people)
{
	struct pk_cell *cell = pk_grid_row(g, 0);
	int64_t delta;

	pk_cell_int(&cell[H_RUN], h->run[run].number);
	pk_cell_text(&cell[H_LABEL], h->run[run].name);
	pk_cell_text(&cell[H_COMMIT], people ? h->run[run].commit : commit_of(h, run));
	pk_cell_int(&cell[H_START], h->run[run].start);
	pk_cell_int(&cell[H_VALUE], h->value[run]);
	cell[H_VALUE].estimated = h->function && h->estimated;
	pk_cell_bool(&cell[H_ESTIMATED], cell[H_VALUE].estimated);
	if (run && h->value[run] != PK_NULL && h->value[run - 1] != PK_NULL) {
		struct pk_change c = {.before = h->value[run - 1], .after = h->value[run]};
		double ratio = pk_change_ratio(&c);

		if (!__builtin_sub_overflow(c.after, c.before, &delta))
			pk_cell_int(&cell[H_DELTA], delta);
		pk_cell_real(&cell[H_RATIO], ratio);
	}
	for (size_t i = 0; i < h->result.count; i++) {
		const struct pk_history_level *l = &h->result.level[i];

		if (run >= l->from && run < l->to)
			pk_cell_int(&cell[H_LEVEL], l->value);
		if (run >= l->from && run < l->to)
			pk_cell_bool(&cell[H_STEP], i && run == l->from);
	}
}

static void write_steps(struct pk_json_writer *w, const struct history *h)
{
	pk_json_put_array(w, "steps");
	for (size_t i = 1; i < h->result.count; i++) {
		const struct pk_history_level *l = &h->result.level[i];

		pk_json_put(w, "{run %jd label %s commit %s before %.*jd after %.*jd ratio %g}",
			    h->run[l->from].number, h->run[l->from].name, commit_of(h, l->from),
			    exponent_of(h), l[-1].value, exponent_of(h), l->value,
			    pk_history_ratio(&h->result, i));
	}
	pk_json_end(w);
}

static void write_function(struct pk_json_writer *w, const struct history *h)
{
	uint32_t id = 0;
	const struct pk_profile *p = pk_match_profile(h->match, h->function, &id);

	if (h->function)
		pk_json_put(w, "function {function %s file %s line %jd}",
			    pk_text(p, p->function.name[id]),
			    p->function.file[id] ? pk_text(p, p->function.file[id]) : NULL,
			    p->function.line[id] ? p->function.line[id] : PK_NULL);
	else
		pk_json_put(w, "function %g", NAN);
}

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct history *h = data;

	pk_json_put_array(w, "inputs");
	for (const struct run *r = h->run; r < h->run + h->count; r++)
		pk_write_input(w, r->source, r->format, r->label);
	pk_json_end(w);
	pk_write_metric(w, h->shown.p, h->shown.metric);
	pk_json_put_text(w, "measure", pk_measures[h->measure]);
	write_function(w, h);
	write_steps(w, h);
}

static int show(struct history *h, struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "history", .members = write_members, .data = h};
	size_t count = h->count, rows = pk_common_rows(&h->o->common, count);
	struct pk_grid g;

	pk_buf_addf(&frame.title, "%s\n", h->subject.data);
	pk_title_filters(&frame.title, &h->o->common);
	add_sparkline(&frame.title, h);
	pk_buf_addc(&frame.title, '\n');
	make_footer(&frame.footer, h, count - rows);
	pk_grid_init(&g, columns, H_COLUMNS);
	g.unit = unit_of(h);
	g.exponent = exponent_of(h);
	for (size_t i = count - rows; i < count; i++)
		add_row(&g, h, i, pk_notation_is_for_people(pk_common_notation(&h->o->common)));
	return pk_show_grid(&h->o->common, &g, &frame, err);
}

static int draw(const struct history *h, struct pk_error *err)
{
	PK_FREED const char **name = pk_malloc(pk_mul(h->count, sizeof(*name)));
	struct pk_history_plot plot = {&h->result,      h->value,   name,          h->count,
				       h->subject.data, unit_of(h), exponent_of(h)};
	struct pk_output *out = pk_output_open(h->o->common.output, err);

	if (!out)
		return -1;
	for (size_t i = 0; i < h->count; i++)
		name[i] = h->run[i].name;
	pk_history_draw(&plot, out);
	return pk_output_commit(out, err);
}

/* The newest runs of a store with very many: steps are searched only in these, because a run takes
 * time and memory. --limit can ask for more. NULL = all runs of the operand. */
static char *newest_runs(const struct history *h, const char *operand)
{
	const struct pk_opt_limit *limit = &h->o->common.limit;
	long long most = limit->count > PK_HISTORY_MOST ? limit->count : PK_HISTORY_MOST;
	struct pk_buf wanted = PK_BUF_INIT;
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_run_numbers runs = {0};
	size_t count;

	if (limit->given && !limit->count)
		return NULL;
	pk_buf_addf(&wanted, "last=%lld", most + 1);
	if (!pk_store_numbers(operand, wanted.data, &runs, &ignored) && runs.count > (size_t)most) {
		wanted.len = 0;
		pk_buf_addf(&wanted, "%s@last=%lld", operand, most);
		pk_note(&h->o->common,
			"'%s': its newest %lld runs are read; --limit 0 reads all of them", operand,
			most);
	}
	count = runs.count;
	pk_run_numbers_release(&runs);
	if (count > (size_t)most)
		return pk_buf_detach(&wanted);
	pk_buf_release(&wanted);
	return NULL;
}

/* Loads all runs at once. */
static int load_runs(struct history *h, char **argv, int count, struct pk_error *err)
{
	struct pk_common c = h->o->common;

	c.quiet |= h->said;
	if (pk_load_inputs(&c, count, argv, &h->list, err))
		return -1;
	order_runs(h, argv[0]);
	return match_runs(h, err);
}

static int make(struct history *h, int argc, char **argv, struct pk_error *err)
{
	bool is_file = argc && access(argv[0], F_OK) == 0;
	PK_FREED char *newest = is_file ? newest_runs(h, argv[0]) : NULL;
	int status = 1;

	if (argc > 2)
		return pk_fail(err, PK_EUSAGE,
			       "too many operands (usage: profkit history STORE [FUNCTION])");
	if (is_file)
		status = load_series(h, argv[0], newest ? strrchr(newest, '@') + 1 : NULL, argc > 1,
				     err);
	if (newest)
		argv[0] = newest;
	if (status > 0)
		status = load_runs(h, argv, argc ? 1 : 0, err);
	if (status || (argc > 1 && find_function(h, argv[1], err)) || collect(h, err))
		return -1;
	if (h->function)
		h->estimated = h->series.count ? pk_series_is_estimated(&h->series, h->function)
					       : h->diff.row[h->function].estimated;
	add_subject(&h->subject, h);
	return (pk_wants_svg(&h->o->common) ? draw(h, err) : show(h, err));
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct history h = {.o = params};
	int status = make(&h, argc, argv, err);

	pk_history_release(&h.result);
	pk_diff_release(&h.diff);
	pk_profiles_release(&h.list);
	drop_series(&h);
	pk_buf_release(&h.subject);
	free(h.value);
	return status;
}

static const struct pk_opt opts[] = {
	{PK_OPT_CHOICE, "measure", 0, offsetof(struct params, measure), "WHAT",
	 .choices = pk_measures, .fallback = "self", .help = "value to show"},
	{PK_OPT_LIST, "map", 0, offsetof(struct params, map), "OLD=NEW",
	 .help = "name of a function, file or folder in the last run; re:OLD=NEW replaces matches"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_history = {
	.name = "history",
	.group = PK_GROUP_COMPARE,
	.title = "show a value over the runs of a store, and where it changed",
	.operands = "STORE [FUNCTION]",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SHOW |
		PK_USE_OUTPUT,
	.opts = opts,
	.params_size = sizeof(struct params),
	.benchmarks = PK_BENCHMARKS_SHOWN,
	.run = run,
};
