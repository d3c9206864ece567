/* The tables of diff: functions, and the call tree of both sides. */
#include "render/diff_grid.h"

#include <math.h>

#include "analysis/diff/words.h"
#include "analysis/diff/diff.h"
#include "base/num/units.h"
#include "render/cells.h"

enum {
	D_FUNCTION,
	D_MODULE,
	D_FILE,
	D_LINE,
	D_BEFORE,
	D_AFTER,
	D_DELTA,
	D_RATIO,
	D_SHARE_BEFORE,
	D_SHARE_AFTER,
	D_CI_LOW,
	D_CI_HIGH,
	D_P,
	D_VERDICT,
	D_WORD,
	D_LABEL,
	D_BENCHMARK,
	D_NOTE,
	D_ESTIMATED,
	D_COUNT
};

static const struct pk_grid_column columns[] = {
	[D_FUNCTION] = {"function", NULL, PK_CELL_TEXT,
			.help = "Name of the function after, or before if it is gone"},
	[D_MODULE] = PK_GRID_MODULE,
	[D_FILE] = PK_GRID_FILE,
	[D_LINE] = PK_GRID_LINE,
	[D_BEFORE] = {"before", "before", PK_CELL_VALUE,
		      .help = "Value before: the median of several runs, of a part their mean; 0 "
			      "if the function did not "
			      "exist"},
	[D_AFTER] = {"after", "after", PK_CELL_VALUE, .help = "The same value after"},
	[D_DELTA] = {"delta", "delta", PK_CELL_DELTA, .help = "after - before"},
	[D_RATIO] = {"ratio", "ratio", PK_CELL_RATIO,
		     .help = "after / before; with several runs the estimate that the interval is "
			     "about; null if it is infinite"},
	[D_SHARE_BEFORE] = {"share_before", "before%", PK_CELL_SHARE,
			    .help = "before as a fraction of the whole before"},
	[D_SHARE_AFTER] = {"share_after", "after%", PK_CELL_SHARE,
			   .help = "after as a fraction of the whole after"},
	[D_CI_LOW] =
		{"ci_low", "from", PK_CELL_RATIO,
		 .help = "Lower end of the 95% confidence interval of the ratio, right for all "
			 "functions together; with one run on each side, of the noise of "
			 "sampling"},
	[D_CI_HIGH] = {"ci_high", "to", PK_CELL_RATIO, .help = "Upper end of the interval"},
	[D_P] = {"p", "p", PK_CELL_CHANCE,
		 .help = "Probability of such a change by chance, adjusted for the number of "
			 "functions; null with one run on each side, and for exact values"},
	[D_VERDICT] = {"verdict", NULL, PK_CELL_TEXT,
		       .help = "regressed, improved, unchanged, inconclusive, suspect (probably "
			       "worse or better, but there are too few runs), new, gone, "
			       "shifted (other functions caused the change), minor (too small a "
			       "part of the whole to be judged), or unrecorded (the recorder of "
			       "the other side has no functions of this kind)"},
	[D_WORD] = {.heading = "verdict", .type = PK_CELL_TEXT},
	[D_LABEL] = {.heading = "function", .type = PK_CELL_TEXT},
	[D_BENCHMARK] = {.heading = "benchmark", .type = PK_CELL_TEXT},
	[D_NOTE] = {"note", NULL, PK_CELL_TEXT,
		    .help = "For people: the callee that changed, where the cost came from or "
			    "went, the old name, or the caller that calls it more often"},
	[D_ESTIMATED] = {"estimated", NULL, PK_CELL_BOOL,
			 .help = "true if the row depends on call paths that the input did not "
				 "contain; with --machine also for how much of a total waits"},
};
const struct pk_grid_columns pk_diff_columns = PK_GRID_COLUMNS(columns);

const struct pk_change *pk_diff_whole(const struct pk_diff *d, enum pk_measure m)
{
	return m == PK_CALLS ? &d->total_calls : &d->total;
}

static const char *word_of(const struct pk_diff *d, enum pk_measure m, const struct pk_change *c)
{
	return pk_verdict_word(c, m != PK_CALLS && d->kind == PK_METRIC_TIME);
}

uint8_t pk_diff_tone(const struct pk_change *c)
{
	struct pk_change own = *c;
	int direction;

	own.verdict = pk_change_own(c);
	direction = pk_change_direction(&own);
	if (direction)
		return direction > 0 ? PK_TONE_BAD : PK_TONE_GOOD;
	return own.verdict == PK_SHIFTED ? PK_TONE_NONE : PK_TONE_FAINT;
}

static double share(int64_t value, int64_t whole)
{
	return value == PK_NULL || whole == PK_NULL || whole <= 0 ? NAN
								  : (double)value / (double)whole;
}

static int64_t delta(const struct pk_change *c)
{
	return c->before == PK_NULL || c->after == PK_NULL ? PK_NULL : pk_change_delta(c);
}

static void add_row(struct pk_grid *g, const struct pk_diff *d, enum pk_measure m, uint32_t i,
		    bool people)
{
	const struct pk_diff_row *r = &d->row[i];
	const struct pk_change *c = &r->change[m], *whole = pk_diff_whole(d, m);
	struct pk_cell *row = pk_grid_row(g, 0);
	uint32_t id;
	const struct pk_profile *p = pk_match_profile(&d->match, i, &id);

	int label = d->benchmarks ? D_BENCHMARK : D_LABEL;
	bool estimated = r->estimated || (m == PK_TOTAL && r->total_estimated);

	if (people)
		pk_cell_label(g, &row[label], p, id, r->note);
	else
		pk_cells_function(row, p, id);
	pk_cell_int(&row[D_BEFORE], c->before);
	pk_cell_int(&row[D_AFTER], c->after);
	pk_cell_int(&row[D_DELTA], delta(c));
	pk_cell_real(&row[D_RATIO], c->ratio);
	pk_cell_real(&row[D_SHARE_BEFORE], share(c->before, whole->before));
	pk_cell_real(&row[D_SHARE_AFTER], share(c->after, whole->after));
	pk_cell_real(&row[D_CI_LOW], c->ci_low);
	pk_cell_real(&row[D_CI_HIGH], c->ci_high);
	pk_cell_real(&row[D_P], c->p);
	pk_cell_text(&row[D_VERDICT], pk_verdicts[c->verdict]);
	pk_cell_text(&row[D_WORD], word_of(d, m, c));
	pk_cell_text(&row[D_NOTE], r->note);
	row[label].breaks = r->note; /* it would be cut off */
	row[D_WORD].tone = row[D_DELTA].tone = pk_diff_tone(c);
	for (int k = D_BEFORE; k <= D_SHARE_AFTER; k++)
		row[k].estimated = estimated;
	pk_cell_bool(&row[D_ESTIMATED], estimated);
}

/* One unit for before, after and delta, so that they can be compared. */
static const char *common_unit(const struct pk_diff *d, enum pk_measure m, const uint32_t *order,
			       size_t rows)
{
	int64_t most = 0;

	struct pk_unit unit;

	for (size_t i = 0; i < rows; i++) {
		const struct pk_change *c = &d->row[order[i]].change[m];

		most = c->before > most ? c->before : most;
		most = c->after > most ? c->after : most;
	}
	unit = pk_unit_for_scaled(d->unit, most, d->exponent);
	return m != PK_CALLS && *unit.name ? unit.name : NULL;
}

void pk_diff_grid(struct pk_grid *g, const struct pk_diff *d, enum pk_measure m,
		  const uint32_t *order, size_t rows, bool people)
{
	pk_grid_init(g, columns, D_COUNT);
	g->own_units = d->benchmarks; /* some take ns, some seconds */
	g->show_unit = g->own_units ? NULL : common_unit(d, m, order, rows);
	g->unit = m == PK_CALLS ? "count" : d->unit;
	g->exponent = m == PK_CALLS ? 0 : d->exponent;
	g->spare = 1U << D_SHARE_BEFORE | 1U << D_SHARE_AFTER | 1U << D_CI_LOW | 1U << D_CI_HIGH |
		   1U << D_P;
	g->lengthy = g->spare;
	for (size_t i = 0; i < rows; i++)
		add_row(g, d, m, order[i], people);
}

enum {
	T_NODE,
	T_PARENT,
	T_DEPTH,
	T_FUNCTION,
	T_MODULE,
	T_FILE,
	T_LINE,
	T_BEFORE,
	T_AFTER,
	T_DELTA,
	T_SELF_BEFORE,
	T_SELF_AFTER,
	T_SELF_DELTA,
	T_ESTIMATED,
	T_WORD,
	T_LABEL,
	T_COUNT
};

static const struct pk_grid_column tree_columns[] = {
	[T_NODE] = PK_GRID_NODE,
	[T_PARENT] = PK_GRID_PARENT,
	[T_DEPTH] = PK_GRID_DEPTH,
	[T_FUNCTION] = PK_GRID_PATH_FUNCTION,
	[T_MODULE] = PK_GRID_MODULE,
	[T_FILE] = PK_GRID_FILE,
	[T_LINE] = PK_GRID_LINE,
	[T_BEFORE] = {"before", "before", PK_CELL_VALUE,
		      .help = "Value of the path and all paths below it before; the mean of "
			      "several runs"},
	[T_AFTER] = {"after", "after", PK_CELL_VALUE, .help = "The same value after"},
	[T_DELTA] = {"delta", "delta", PK_CELL_DELTA, .help = "after - before"},
	[T_SELF_BEFORE] = {"self_before", NULL, PK_CELL_VALUE,
			   .help = "Value of the path itself before"},
	[T_SELF_AFTER] = {"self_after", NULL, PK_CELL_VALUE, .help = "The same value after"},
	[T_SELF_DELTA] = {"self_delta", "self delta", PK_CELL_DELTA,
			  .help = "self_after - self_before"},
	[T_ESTIMATED] = {"estimated", NULL, PK_CELL_BOOL,
			 .help = "true if the input did not contain this path"},
	[T_WORD] = {.heading = "", .type = PK_CELL_TEXT},
	[T_LABEL] = {.heading = "function", .type = PK_CELL_TEXT},
};
const struct pk_grid_columns pk_diff_tree_columns = PK_GRID_COLUMNS(tree_columns);

/* Marks the places of the change, in the words of the table of functions: new and gone functions,
 * and those whose self changed by 1 % of the whole. */
static const char *tree_word(const struct pk_diff_tree *t, uint32_t node,
			     const struct pk_change *judged, double whole)
{
	int64_t before = pk_diff_tree_value(t, node, PK_BEFORE, false);
	int64_t after = pk_diff_tree_value(t, node, PK_AFTER, false);
	double change = (double)pk_diff_tree_value(t, node, PK_AFTER, true) -
			(double)pk_diff_tree_value(t, node, PK_BEFORE, true);
	bool time = t->pair->metric.kind[PK_AFTER + 1] == PK_METRIC_TIME;

	if (!before || !after) {
		if (judged && judged->verdict == PK_UNRECORDED)
			return pk_verdict_word(judged, time);
		return before ? "gone" : "new";
	}
	if (!judged || fabs(change) < 0.01 * whole)
		return NULL;
	if (judged->verdict == PK_UNCHANGED || judged->verdict == PK_MINOR ||
	    (pk_change_direction(judged) && (judged->after > judged->before) != (change > 0)))
		return NULL;
	return pk_verdict_word(judged, time);
}

static int64_t difference(int64_t after, int64_t before)
{
	int64_t d;

	if (__builtin_sub_overflow(after, before, &d) || d == PK_NULL)
		return after > before ? INT64_MAX : -INT64_MAX;
	return d;
}

static void add_path(struct pk_grid *g, const struct pk_diff_tree *t,
		     const struct pk_diff_tree_row *r, const struct pk_change *const *judged,
		     bool people, double whole)
{
	struct pk_cell *row = pk_grid_row(g, r->depth);
	const struct pk_profile *p = t->pair;
	uint32_t function = pk_node_function(p, r->node);
	const struct pk_change *change = judged ? judged[function] : NULL;
	int64_t value[4];

	for (int i = 0; i < 4; i++)
		value[i] = pk_diff_tree_value(t, r->node, i % 2, i >= 2);
	if (people) {
		pk_cell_label(g, &row[T_LABEL], p, function, NULL);
		pk_cell_text(&row[T_WORD], tree_word(t, r->node, change, whole));
		if (!row[T_WORD].null && change)
			row[T_WORD].tone = row[T_SELF_DELTA].tone = pk_diff_tone(change);
	} else {
		pk_cell_int(&row[T_NODE], r->node);
		if (r->parent)
			pk_cell_int(&row[T_PARENT], r->parent);
		pk_cell_int(&row[T_DEPTH], r->depth);
		pk_cells_function(row + T_FUNCTION, p, function);
	}
	pk_cell_int(&row[T_BEFORE], value[0]);
	pk_cell_int(&row[T_AFTER], value[1]);
	pk_cell_int(&row[T_DELTA], difference(value[1], value[0]));
	pk_cell_int(&row[T_SELF_BEFORE], value[2]);
	pk_cell_int(&row[T_SELF_AFTER], value[3]);
	pk_cell_int(&row[T_SELF_DELTA], difference(value[3], value[2]));
	pk_cell_bool(&row[T_ESTIMATED], r->estimated);
	for (int i = T_BEFORE; i <= T_SELF_DELTA; i++)
		row[i].estimated = r->estimated;
}

void pk_diff_tree_grid(struct pk_grid *g, const struct pk_diff_tree *t,
		       const struct pk_change *const *judged, bool people)
{
	double whole = fmax((double)pk_diff_tree_value(t, 0, PK_BEFORE, false),
			    (double)pk_diff_tree_value(t, 0, PK_AFTER, false));
	const char *unit;

	pk_grid_init(g, tree_columns, T_COUNT);
	g->unit = pk_metric_unit(t->pair, PK_AFTER + 1);
	g->exponent = t->pair->metric.exponent[PK_AFTER + 1];
	unit = pk_unit_for_scaled(g->unit, whole < 9e18 ? (int64_t)whole : INT64_MAX, g->exponent)
		       .name;
	g->show_unit = *unit ? unit : NULL;
	g->tree_column = people ? T_LABEL : -1;
	g->spare = 1U << T_BEFORE | 1U << T_AFTER;
	for (uint32_t i = 0; i < t->count; i++)
		add_path(g, t, &t->row[i], judged, people, whole);
}

void pk_diff_total_member(struct pk_json_writer *w, const struct pk_change *c, int exponent)
{
	pk_json_put_object(w, "total");
	pk_json_put(w, "before %.*jd after %.*jd delta %.*jd ratio %g", exponent, c->before,
		    exponent, c->after, exponent, delta(c), c->ratio);
	pk_json_put(w, "ci_low %g ci_high %g p %g verdict %s", c->ci_low, c->ci_high, c->p,
		    pk_verdicts[c->verdict]);
	pk_json_end(w);
}

void pk_diff_members(struct pk_json_writer *w, const struct pk_diff *d, enum pk_measure m)
{
	pk_json_put_text(w, "measure", pk_measures[m]);
	pk_json_put_object(w, "sides");
	pk_json_put(w, "before {label %s runs %u} after {label %s runs %u}",
		    d->side[PK_BEFORE].name, pk_diff_runs(d, PK_BEFORE), d->side[PK_AFTER].name,
		    pk_diff_runs(d, PK_AFTER));
	pk_json_end(w);
	pk_json_put(w, "machine_factor %g", d->machine_factor);
	pk_diff_total_member(w, pk_diff_whole(d, m), m == PK_CALLS ? 0 : d->exponent);
	pk_json_put(w, "method %s scale %g",
		    pk_diff_methods[m == PK_CALLS ? PK_DIFF_EXACT : d->method],
		    m == PK_CALLS ? 1 : d->scale);
}

void pk_side_title(struct pk_buf *buf, enum pk_side side, const char *name,
		   const struct pk_profile *first, uint32_t runs, const char *made,
		   const char *what)
{
	pk_buf_adds(buf, side == PK_BEFORE ? "before: " : "after:  ");
	pk_buf_add_visible(buf, name);
	pk_buf_addf(buf, " (%s)", pk_text(first, first->run.format[1]));
	if (pk_is_part(first))
		pk_buf_addf(buf, ", %s of %u run%s", made ? made : "mean", runs,
			    runs == 1 ? "" : "s");
	else if (runs > 1)
		pk_buf_addf(buf, " and %u more run%s%s%s", runs - 1, runs == 2 ? "" : "s",
			    made ? ", " : "", made ? made : "");
	pk_buf_addf(buf, ": %s ", what);
}

static void add_side(struct pk_buf *buf, const struct pk_diff *d, enum pk_side s,
		     const struct pk_unit *unit, const char *what, int64_t value)
{
	const struct pk_profile *first = d->match.side[s].profile[0];

	pk_side_title(buf, s, d->side[s].name, first, pk_diff_runs(d, s),
		      pk_is_part(first) ? NULL : "median", what);
	if (value == PK_NULL)
		pk_buf_adds(buf, "not known");
	else
		pk_format_value(buf, value, unit);
	pk_buf_addf(buf, "%s%s", *unit->name ? " " : "", value == PK_NULL ? "" : unit->name);
}

/* "1.25 times as much (1.20 to 1.30)" */
static void add_ratio(struct pk_buf *buf, const struct pk_change *c, const char *words)
{
	pk_format_ratio(buf, c->ratio, c->ratio < 0.1 || fabs(c->ratio - 1) < 0.005 ? 4 : 2);
	pk_buf_adds(buf, words);
	if (isfinite(c->ci_low) && isfinite(c->ci_high)) {
		pk_buf_adds(buf, " (");
		pk_format_ratio(buf, c->ci_low, 2);
		pk_buf_adds(buf, " to ");
		pk_format_ratio(buf, c->ci_high, 2);
		pk_buf_adds(buf, ")");
	}
	pk_buf_adds(buf, ": ");
}

/* ", 1.25 times as much: slower" */
static void add_change(struct pk_buf *buf, const struct pk_diff *d, enum pk_measure m)
{
	const struct pk_change *c = pk_diff_whole(d, m);

	pk_buf_adds(buf, ", ");
	if (isfinite(c->ratio) && c->before != c->after)
		add_ratio(buf, c, " times as much");
	pk_buf_addf(buf, "%s\n", word_of(d, m, c));
}

/* Says which functions the recorder of a side cannot record. */
static void add_unrecorded(struct pk_buf *buf, const struct pk_diff *d, enum pk_side s)
{
	const struct pk_profile *p = d->match.side[s].given[0];
	const char *tool = pk_text(p, p->run.producer[1]), *between = "";

	if (!d->unrecorded[s])
		return;
	pk_buf_addf(buf, "%s has no functions of the kind ", s ? "after" : "before");
	for (unsigned kind = 0; pk_function_kinds[kind]; kind++) {
		if (!(d->unrecorded[s] >> kind & 1))
			continue;
		pk_buf_addf(buf, "%s%s", between, pk_function_kinds[kind]);
		between = ", ";
	}
	pk_buf_addf(buf, ": not recorded by %s\n", *tool ? tool : pk_text(p, p->run.format[1]));
}

static void add_method(struct pk_buf *buf, const struct pk_diff *d, enum pk_measure m)
{
	static const char *const texts[] = {
		[PK_DIFF_EXACT] = NULL,
		[PK_DIFF_NOISE] =
			"one run a side tells no more than \"maybe\"; several do: profkit diff "
			"A1 A2 A3 -- B1 B2 B3\n",
		[PK_DIFF_EXPLORATORY] = "few runs: exploratory; 5 a side let chance be excluded\n",
		[PK_DIFF_TESTED] = NULL,
		[PK_DIFF_MEANS] = NULL,
	};
	enum pk_diff_method method = m == PK_CALLS ? PK_DIFF_EXACT : d->method;

	if (d->scale != 1 && m != PK_CALLS) {
		pk_buf_adds(buf, "normalized: values before are multiplied by ");
		pk_format_significant(buf, d->scale);
		pk_buf_addf(buf, ", so that %s\n",
			    d->shares ? "shares are compared"
				      : "a typical function takes as much as before");
	}
	if (fabs(d->machine_factor - 1) >= 0.05 && m != PK_CALLS) {
		pk_buf_adds(buf, "a typical function takes ");
		pk_format_fixed(buf, d->machine_factor, 2);
		pk_buf_addf(buf, " times as much%s\n",
			    d->scale == 1 ? "; --machine takes that out" : "");
	}
	for (int s = 0; s < PK_SIDES; s++)
		add_unrecorded(buf, d, (enum pk_side)s);
	if (method == PK_DIFF_NOISE && d->side[PK_BEFORE].members)
		pk_buf_adds(
			buf,
			"one run a side tells no more than \"maybe\"; parts of several runs do\n");
	else if (texts[method])
		pk_buf_adds(buf, texts[method]);
}

static const char medians_beside_ratio[] =
	"before, after: medians; ratio: estimated from all values, can differ from that of the "
	"medians\n";

/* Whether the ratio of a row, which is estimated from all values, seems wrong beside its medians:
 * it is on the other side of 1, or far from theirs, as where values are of two kinds. */
static bool misleads(const struct pk_change *c)
{
	if (!(c->before > 0 && c->after > 0 && c->ratio > 0 && isfinite(c->ratio)))
		return false;
	return fabs(log(c->ratio / pk_change_ratio(c))) > 0.05 ||
	       (fabs(c->ratio - 1) >= 0.005 && (c->ratio > 1) != (c->after > c->before));
}

/* Of benchmarks, all rows are shown; of functions, those that changed, and the whole. */
static bool medians_mislead(const struct pk_diff *d, enum pk_measure m)
{
	for (uint32_t i = d->benchmarks; i < d->match.count && !d->reference; i++) {
		const struct pk_change *c = i ? &d->row[i].change[m] : pk_diff_whole(d, m);
		bool changed = c->verdict != PK_MINOR && c->verdict != PK_UNCHANGED;

		if ((changed || d->benchmarks) && misleads(c))
			return true;
	}
	return false;
}

static void title_of_functions(struct pk_buf *buf, const struct pk_diff *d, enum pk_measure m)
{
	const struct pk_change *c = pk_diff_whole(d, m);
	int64_t most = c->before > c->after ? c->before : c->after;
	struct pk_unit unit =
		pk_unit_for_scaled(m == PK_CALLS ? "count" : d->unit, most == PK_NULL ? 0 : most,
				   m == PK_CALLS ? 0 : d->exponent);
	const char *what = m == PK_CALLS ? "calls" : d->metric;

	add_side(buf, d, PK_BEFORE, &unit, what, c->before);
	pk_buf_addc(buf, '\n');
	add_side(buf, d, PK_AFTER, &unit, what, c->after);
	add_change(buf, d, m);
	add_method(buf, d, m);
	if (medians_mislead(d, m))
		pk_buf_adds(buf, medians_beside_ratio);
}

/* "before: a.json (pyperf): 12 benchmarks, 3 to 60 values each" */
static void add_benchmarks(struct pk_buf *buf, const struct pk_diff *d, enum pk_side s)
{
	const struct pk_profile *p = d->match.side[s].profile[0];
	size_t least = SIZE_MAX, most = 0, count = 0;

	for (uint32_t i = 1; i < d->match.count; i++) {
		size_t values = pk_diff_values(d, s, i);

		if (!d->match.function[i].id[s] || isnan(d->side[s].repeated.given[i]))
			continue;
		count++;
		least = values < least ? values : least;
		most = values > most ? values : most;
	}
	pk_buf_adds(buf, s == PK_BEFORE ? "before: " : "after:  ");
	pk_buf_add_visible(buf, d->side[s].name);
	pk_buf_addf(buf, " (%s)", pk_text(p, p->run.format[1]));
	if (d->side[s].runs > 1)
		pk_buf_addf(buf, " and %u more", d->side[s].runs - 1);
	pk_buf_addf(buf, ": %zu benchmark%s", count, count == 1 ? "" : "s");
	if (!most)
		pk_buf_adds(buf, ", summaries only");
	else if (least == most)
		pk_buf_addf(buf, ", %zu value%s each", most, most == 1 ? "" : "s");
	else
		pk_buf_addf(buf, ", %zu to %zu values each", least, most);
	pk_buf_addc(buf, '\n');
}

static void title_of_benchmarks(struct pk_buf *buf, const struct pk_diff *d)
{
	PK_BUF_AUTO machines = PK_BUF_INIT;

	add_benchmarks(buf, d, PK_BEFORE);
	add_benchmarks(buf, d, PK_AFTER);
	pk_diff_machines(&machines, d);
	if (machines.len)
		pk_buf_addf(buf, "different machines: %s\n", machines.data);
	if (d->reference)
		pk_buf_addf(buf, "machine: %s takes %.2f times as much; ratios are without that\n",
			    pk_diff_reference(d), d->machine_factor);
	if (medians_mislead(d, PK_SELF))
		pk_buf_adds(buf, medians_beside_ratio);
	pk_buf_addf(buf, "%s: geometric mean of the ratios ", d->metric);
	if (isnan(d->total.ratio)) {
		pk_buf_adds(buf, "not known\n");
		return;
	}
	add_ratio(buf, &d->total, "");
	pk_buf_addf(buf, "%s\n", word_of(d, PK_SELF, &d->total));
}

void pk_diff_title(struct pk_buf *buf, const struct pk_diff *d, enum pk_measure m)
{
	if (d->benchmarks)
		title_of_benchmarks(buf, d);
	else
		title_of_functions(buf, d, m);
}
