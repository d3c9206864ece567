/*
 * The verdict of each rule of check: by counts, by a test over several runs, or by a single run;
 * and how much values may vary by chance on this machine.
 */
#include "analysis/check/gate_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff.h"
#include "analysis/check/judge.h"
#include "base/alloc.h"
#include "base/num/compare.h"

const char *const pk_gate_verdicts[] = {"pass", "inconclusive", "suspect", "fail", NULL};

const struct pk_gate_options pk_gate_defaults = {
	.alpha = 0.05,
	.suspect = 0.25,
	.least = 0.01,
};

void pk_gate_judge(struct pk_diff *d, const struct pk_gate_options *options)
{
	struct pk_judge_options judge = pk_judge_defaults;

	judge.alpha = options->alpha;
	judge.suspect = options->suspect;
	judge.least = options->least;
	judge.floor = options->floor;
	judge.machine = judge.each = true;
	pk_diff_judge(d, &judge);
	pk_diff_attribute(d, 1U << PK_SELF | 1U << PK_TOTAL | 1U << PK_CALLS);
}

struct gating {
	struct pk_gate *gate;
	const struct pk_rules *rules;
	const struct pk_gate_options *options;
	const struct pk_diff *diff; /* metric of rules that name none */
};

/* A value in base units as a number of 10^-exponent units. */
static double in_values(const struct pk_diff *d, enum pk_measure measure, double base)
{
	return measure == PK_CALLS ? base : base * pow(10, d->exponent);
}

/*
 * What a value after would at least be on the machine before. A wait is not divided by the speed of
 * the machine; but the thread that it waits for may be slower because of the machine, so what a
 * wait is longer than before counts only as far as it is above that even if it is divided.
 * Functions take up to `doubt` times what the speed of the machine makes of them.
 */
static double least_after(const struct pk_diff *d, uint32_t row, enum pk_measure m,
			  const struct pk_change *c, double doubt)
{
	double factor = isnan(d->machine_factor) || m == PK_CALLS ? 1 : d->machine_factor;
	double before = pk_diff_waiting(d, row, m, PK_BEFORE, c->before);
	double waits = pk_diff_waiting(d, row, m, PK_AFTER, c->after);

	return ((double)c->after - waits) / (factor * doubt) +
	       fmax(fmin(waits, before), waits / fmax(factor, 1));
}

/* By what the machine makes a value longer that was nothing before. Others are compared by their
 * ratio, which is without the machine. */
static double slowness(const struct pk_gate_finding *f)
{
	double least;

	if (f->change->before > 0 || f->diff->benchmarks)
		return 1;
	least = least_after(f->diff, f->row, f->measure, f->change, 1);
	return least > 0 ? (double)f->change->after / least : 1;
}

/* The largest value after the change that the rule allows. */
double pk_gate_allowed(const struct pk_gate_finding *f)
{
	const struct pk_rule *rule = f->rule;
	double before = (double)f->change->before, most = -INFINITY;

	if (rule->subject == PK_RULE_NEW) {
		if (!isnan(rule->relative))
			most = rule->relative * (double)f->diff->total.after;
		before = 0;
	} else if (!isnan(rule->relative)) {
		most = before * (1 + rule->relative);
	}
	if (!isnan(rule->absolute))
		most = fmax(most,
			    before + in_values(f->diff, f->measure, rule->absolute) * slowness(f));
	return most;
}

double pk_gate_limit(const struct pk_gate_finding *f)
{
	if (f->diff->benchmarks && !f->row) /* the mean of ratios is already a ratio */
		return 1 + f->rule->relative;
	return f->change->before > 0 ? pk_gate_allowed(f) / (double)f->change->before : NAN;
}

static void range(const struct pk_gate_finding *f, enum pk_side s, int64_t *low, int64_t *high)
{
	pk_diff_range(f->diff, s, f->measure, f->row, low, high);
}

/* Counts that are the same in several runs before do not depend on chance: one run after with more
 * calls is a change, though their median is the same. If a single run is before, that is not
 * known. */
static void decide_odd_runs(struct pk_gate_finding *f, int64_t most)
{
	const struct pk_diff_side *after = &f->diff->side[PK_AFTER];
	const int64_t *calls =
		f->row ? after->value[PK_CALLS] + (size_t)f->row * after->runs : after->calls;

	f->verdict = pk_diff_runs(f->diff, PK_BEFORE) > 1 ? PK_GATE_FAIL : PK_GATE_INCONCLUSIVE;
	f->reason = PK_REASON_ODD_RUNS;
	f->most = most;
	for (uint32_t i = 0; i < after->runs && !after->members; i++)
		f->odd_runs += (double)calls[i] > pk_gate_allowed(f);
}

/* Judges counts: a failure is certain if the smallest count after exceeds what the largest count
 * before allows. */
static void decide_counts(struct pk_gate_finding *f)
{
	int64_t low[PK_SIDES], high[PK_SIDES];
	double over = pk_gate_allowed(f) - (double)f->change->before;

	range(f, PK_BEFORE, &low[PK_BEFORE], &high[PK_BEFORE]);
	range(f, PK_AFTER, &low[PK_AFTER], &high[PK_AFTER]);
	if (pk_change_own(f->change) == PK_REGRESSED &&
	    (double)low[PK_AFTER] - (double)high[PK_BEFORE] > over)
		f->verdict = PK_GATE_FAIL;
	else if (f->measure == PK_CALLS && low[PK_BEFORE] == high[PK_BEFORE] &&
		 low[PK_AFTER] != high[PK_AFTER] && (double)high[PK_AFTER] > pk_gate_allowed(f))
		decide_odd_runs(f, high[PK_AFTER]);
	else if ((double)f->change->after - (double)f->change->before > over) {
		f->verdict = PK_GATE_INCONCLUSIVE;
		f->reason = PK_REASON_RUNS;
	}
}

/* How many more runs a side would make the interval narrow enough, if its width shrinks with the
 * root of the number of runs. */
static uint32_t runs_needed(const struct pk_gate_finding *f, double limit)
{
	enum { FEWEST = 5, MOST = 100 };
	uint32_t before = pk_diff_runs(f->diff, PK_BEFORE), after = pk_diff_runs(f->diff, PK_AFTER);
	uint32_t runs = before < after ? before : after;
	double width = log(f->change->ci_high) - log(f->change->ci_low);
	double off = fabs(log(f->change->ratio / limit)), needed;

	if (runs < FEWEST)
		return FEWEST - runs;
	if (!isfinite(width) || !(off > 0))
		return 0;
	needed = ceil(runs * pow(width / 2 / off, 2)) - runs;
	if (needed > MOST)
		return 0;
	return needed < 1 ? 1 : (uint32_t)needed;
}

/* True if a typical function is slower by as much as the whole: then the machine may be the
 * cause. */
static bool is_machine(const struct pk_gate_finding *f, double limit)
{
	return !f->row && f->diff->machine_factor > limit &&
	       least_after(f->diff, 0, f->measure, f->change, 1) <=
		       limit * (double)f->change->before;
}

/*
 * Machine speed does not affect all functions alike: some wait for memory, some do not. Over
 * 40 runs of a program on a busy machine, single functions took between 0.8 and 1.15 times
 * what the machine factor of the run predicts (standard deviation 0.12). So a function fails
 * only if it is above the limit even when the machine factor was a quarter larger or smaller
 * for it.
 */
static double machine_allowance(const struct pk_gate_finding *f)
{
	const struct pk_diff *d = f->diff;
	double doubt = d->machine_factor > 0 ? exp(fabs(log(d->machine_factor)) / 4) : 1;
	double after = (double)f->change->after / pk_diff_machine(d, f->row, f->measure);
	double least = least_after(d, f->row, f->measure, f->change, doubt);

	return f->row && least > 0 ? after / least : 1;
}

/*
 * Some values vary in ways that runs of one machine on one day do not show: the whole with the
 * machine, samples with the sampler's timing, and functions that are interrupted in some runs
 * (ten times as slow on a busy machine). For these a smaller error probability is used.
 */
static double alpha_of(const struct gating *g, const struct pk_gate_finding *f)
{
	const double wide = 1.5; /* ratio of the interval's ends from which it counts as wide */
	bool steady = f->row && f->diff->exactness != PK_SAMPLED &&
		      f->change->ci_high < wide * f->change->ci_low;

	return steady ? g->options->alpha : 0.4 * g->options->alpha;
}

/* The growth of a value, without the part that a slower machine added. */
static double growth(const struct pk_diff *d, uint32_t row, enum pk_measure m,
		     const struct pk_change *c)
{
	return least_after(d, row, m, c, 1) - (double)c->before;
}

/* True for a change that is too small a part of the whole to matter, unless a rule names the
 * function. */
static bool is_trifle(const struct gating *g, const struct pk_gate_finding *f)
{
	return f->row && !f->rule->has_pattern && isnan(f->rule->absolute) &&
	       growth(f->diff, f->row, f->measure, f->change) <
		       g->options->least * (double)f->diff->total.before;
}

/* True for a function below the floor that was given, on both sides. In a test of several runs such
 * a function has no p; exact values and single runs are judged without a floor. */
static bool is_below_floor(const struct gating *g, const struct pk_gate_finding *f)
{
	const struct pk_change *c = f->change, *total = &f->diff->total;

	return f->row && f->measure != PK_CALLS && f->rule->subject != PK_RULE_NEW &&
	       !f->diff->benchmarks &&
	       fmax((double)c->before, (double)c->after) <
		       g->options->floor * fmax((double)total->before, (double)total->after);
}

/* True if the functions that certainly changed became slower in sum, apart from the machine's
 * speed, and the whole did not certainly become faster, also apart from it. The whole alone varies
 * too much with the machine. */
static bool became_slower(const struct pk_diff *d)
{
	double by = 0;

	for (uint32_t i = 1; i < d->match.count; i++) {
		const struct pk_change *c = &d->row[i].change[PK_SELF];

		if (c->verdict != PK_UNCHANGED && c->verdict != PK_MINOR &&
		    c->verdict != PK_INCONCLUSIVE && c->before != PK_NULL && c->after != PK_NULL)
			by += growth(d, i, PK_SELF, c);
	}
	return by > 0 && (d->total.verdict != PK_IMPROVED ||
			  d->total.ratio / pk_diff_machine(d, 0, PK_SELF) >= 1);
}

static bool is_tested(const struct pk_diff *d)
{
	return d->method == PK_DIFF_TESTED || d->method == PK_DIFF_MEANS;
}

static void decide_tested(const struct gating *g, struct pk_gate_finding *f)
{
	const struct pk_change *c = f->change;
	double limit = pk_gate_limit(f);
	bool certain = is_tested(f->diff) || (f->row == 0 && !f->diff->side[PK_BEFORE].members);

	if (c->p < alpha_of(g, f) && c->ci_low > limit * machine_allowance(f)) {
		f->verdict = certain ? PK_GATE_FAIL : PK_GATE_SUSPECT;
		f->reason = certain ? PK_REASON_NONE : PK_REASON_RUNS;
	} else if (!(c->ci_high <= limit) && !isnan(c->p)) {
		f->verdict = PK_GATE_INCONCLUSIVE;
		f->reason = f->row && c->p < alpha_of(g, f) && c->ci_low > limit ? PK_REASON_MACHINE
										 : PK_REASON_RUNS;
	}
	if (f->verdict == PK_GATE_FAIL && is_machine(f, limit)) {
		f->verdict = PK_GATE_INCONCLUSIVE;
		f->reason = PK_REASON_MACHINE;
	} else if (f->reason == PK_REASON_RUNS) {
		f->more_runs = runs_needed(f, limit);
	}
}

static void decide_single(const struct gating *g, struct pk_gate_finding *f)
{
	const struct pk_change *c = f->change;
	const struct pk_diff *d = f->diff;
	double whole =
		(double)(d->total.before > d->total.after ? d->total.before : d->total.after);
	double limit = pk_gate_limit(f), ratio = pk_change_ratio(c);

	if (f->row)
		ratio /= pk_diff_machine(d, f->row, f->measure);
	if (!(ratio > limit) || (ratio - 1) * (double)c->before < g->options->least * whole)
		return;
	f->verdict = PK_GATE_INCONCLUSIVE;
	f->reason = PK_REASON_RUNS;
	f->more_runs = runs_needed(f, limit);
	if (f->row)
		ratio = least_after(d, f->row, f->measure, c, 1) / (double)c->before;
	if (is_machine(f, limit) || !(ratio > limit))
		f->reason = PK_REASON_MACHINE;
	else if (ratio > 1 + g->options->suspect && !(c->ci_low <= limit))
		f->verdict = PK_GATE_SUSPECT;
}

/* A total passes only if it does so however much of it waits. */
static void doubt_waits(struct pk_gate_finding *f)
{
	const struct pk_diff *d = f->diff;
	double perhaps = (double)d->row[f->row].waiting_perhaps, after = (double)f->change->after;

	if (f->verdict != PK_GATE_PASS || f->measure != PK_TOTAL ||
	    d->row[f->row].waiting_perhaps == d->row[f->row].waiting[PK_AFTER] ||
	    (after - perhaps) / d->machine_factor + perhaps <=
		    pk_gate_limit(f) * (double)f->change->before)
		return;
	f->verdict = PK_GATE_INCONCLUSIVE;
	f->reason = PK_REASON_WAITS;
}

/* Judges a value that was 0 before, so that no ratio can be tested. */
static void decide_from_nothing(struct pk_gate_finding *f)
{
	bool certain = f->measure == PK_CALLS || f->diff->exactness == PK_EXACT ||
		       f->diff->method != PK_DIFF_NOISE;
	int64_t low, high;

	range(f, PK_AFTER, &low, &high);
	if ((double)low > pk_gate_allowed(f)) {
		f->verdict = certain ? PK_GATE_FAIL : PK_GATE_SUSPECT;
		f->reason = certain ? PK_REASON_NONE : PK_REASON_RUNS;
	} else if ((double)f->change->after > pk_gate_allowed(f)) {
		f->verdict = PK_GATE_INCONCLUSIVE;
		f->reason = PK_REASON_RUNS;
	}
}

/* Judges a function that is not new but had no value before. A coarse clock can turn 0 into a small
 * value. */
static void decide_from_zero(const struct gating *g, struct pk_gate_finding *f)
{
	double least = fmax(pk_gate_allowed(f), g->options->least * (double)f->diff->total.after);
	bool tested = is_tested(f->diff) && f->change->p < alpha_of(g, f);
	int64_t low, high;

	range(f, PK_AFTER, &low, &high);
	if ((double)f->change->after <= least)
		return;
	f->verdict = PK_GATE_INCONCLUSIVE;
	f->reason = PK_REASON_RUNS;
	if ((double)low <= least)
		return;
	f->verdict = tested ? PK_GATE_FAIL : PK_GATE_SUSPECT;
	f->reason = tested ? PK_REASON_NONE : PK_REASON_RUNS;
}

/* A new function has no percentage of growth, so only rules with an absolute limit, or that name
 * it, apply to it. */
static bool counts_new(const struct pk_rule *rule)
{
	return !isnan(rule->absolute) || (rule->has_pattern && rule->subject == PK_RULE_CALLS);
}

static bool is_ignored(const struct pk_rules *rules, const struct pk_profile *p, uint32_t id,
		       struct pk_buf *scratch)
{
	for (size_t i = 0; i < rules->ignored_count; i++) {
		if (pk_rule_matches(&rules->ignored[i], p, id, scratch))
			return true;
	}
	return false;
}

/* True for a total that grew because of a function that it calls, if the rule does not look at that
 * one, whose finding would be enough. */
static bool is_own_finding(const struct gating *g, const struct pk_gate_finding *f)
{
	const struct pk_diff *d = f->diff;
	uint32_t cause = d->row[f->row].cause, id;
	const struct pk_profile *p;
	PK_BUF_AUTO scratch = PK_BUF_INIT;

	if (f->measure != PK_TOTAL || !cause)
		return false;
	p = pk_match_profile(&d->match, cause, &id);
	return !pk_rule_matches(&f->rule->pattern, p, id, &scratch) ||
	       is_ignored(g->rules, p, id, &scratch);
}

static void decide(const struct gating *g, struct pk_gate_finding *f)
{
	const struct pk_change *c = f->change;

	f->verdict = PK_GATE_PASS;
	f->reason = PK_REASON_NONE;
	f->more_runs = f->odd_runs = 0;
	if (f->diff->benchmarks) {
		pk_gate_decide_benchmark(f, g->options);
		return;
	}
	if (f->rule->subject == PK_RULE_NEW) {
		if (c->verdict == PK_NEW)
			decide_from_nothing(f);
		return;
	}
	if (c->before == PK_NULL || c->after == PK_NULL) {
		f->verdict = PK_GATE_INCONCLUSIVE;
		f->reason = PK_REASON_UNKNOWN;
		return;
	}
	if (c->verdict == PK_GONE || (c->verdict == PK_SHIFTED && !is_own_finding(g, f)) ||
	    (c->verdict == PK_NEW && !counts_new(f->rule)) || is_trifle(g, f) ||
	    is_below_floor(g, f))
		return;
	if (c->verdict == PK_NEW)
		decide_from_nothing(f);
	else if (f->measure == PK_CALLS || f->diff->method == PK_DIFF_EXACT)
		decide_counts(f);
	else if (!f->row && f->diff->method != PK_DIFF_NOISE && isnan(c->p)) {
		if (c->before != c->after) {
			f->verdict = PK_GATE_INCONCLUSIVE;
			f->reason = PK_REASON_NOTHING;
		}
	} else if (c->before <= 0)
		decide_from_zero(g, f);
	else {
		(f->diff->method == PK_DIFF_NOISE ? decide_single : decide_tested)(g, f);
		doubt_waits(f);
	}
}

static void add_finding(struct gating *g, const struct pk_gate_finding *f)
{
	struct pk_gate *gate = g->gate;

	PK_GROW(gate->finding, gate->count + 1, gate->alloc);
	gate->finding[gate->count++] = *f;
}

static void look_at_whole(struct gating *g, struct pk_gate_finding *f)
{
	static const struct pk_change none = {PK_NULL, PK_NULL, NAN,          NAN,
					      NAN,     NAN,     PK_UNCHANGED, PK_UNCHANGED};

	f->row = 0;
	f->change = f->rule->subject == PK_RULE_MACHINE ? &none
		    : f->measure == PK_CALLS            ? &f->diff->total_calls
							: &f->diff->total;
	decide(g, f);
	add_finding(g, f);
}

/* What a function took after the change on a machine as fast as before. */
static double after_of(const struct pk_gate_finding *f)
{
	return least_after(f->diff, f->row, f->measure, f->change, 1);
}

/* True if it is above the limit, and more runs, or another machine, could tell. */
static bool is_perhaps_above(const struct pk_gate_finding *f)
{
	return (f->reason == PK_REASON_RUNS || f->reason == PK_REASON_MACHINE) &&
	       after_of(f) > pk_gate_allowed(f);
}

/* True if an inconclusive finding should be reported. For functions that no rule names, it must
 * exceed the limit by a part of the whole that matters. */
static bool is_worth_saying(const struct gating *g, const struct pk_gate_finding *f)
{
	const struct pk_change *c = f->change;
	const struct pk_diff *d = f->diff;
	double whole = (double)(f->measure == PK_CALLS ? d->total_calls.before : d->total.before);

	if (d->benchmarks &&
	    /* steps of traces: there are few rows, and the user asked for them */
	    !g->diff->benchmarks)
		return true;
	if (f->verdict != PK_GATE_INCONCLUSIVE)
		return f->verdict != PK_GATE_PASS;
	if (f->rule->has_pattern)
		return true;
	if (d->benchmarks)
		return f->reason == PK_REASON_SUMMARY || pk_gate_benchmark_is_above(f);
	return is_perhaps_above(f) && after_of(f) - (double)c->before > g->options->least * whole;
}

/* True if it is above the limit, but passes because other functions are the cause. */
static bool is_explained(const struct gating *g, const struct pk_gate_finding *f)
{
	return f->verdict == PK_GATE_PASS && f->change->verdict == PK_SHIFTED &&
	       f->change->before > 0 && !is_trifle(g, f) && !is_below_floor(g, f) &&
	       after_of(f) > pk_gate_allowed(f);
}

static void look_at_functions(struct gating *g, struct pk_gate_rule *result,
			      struct pk_gate_finding *f)
{
	const struct pk_diff *d = f->diff;
	struct pk_buf scratch = PK_BUF_INIT;
	bool found = false, faster = f->rule->unless_faster && !became_slower(d);
	PK_FREED bool *in_group = pk_gate_groups(d, &f->rule->pattern, 1);
	PK_FREED bool *in_ignored = pk_gate_groups(d, g->rules->ignored, g->rules->ignored_count);

	for (uint32_t i = 1; i < d->match.count; i++) {
		uint32_t id;
		const struct pk_profile *p = pk_match_profile(&d->match, i, &id);

		if (d->benchmarks && !pk_diff_has_metric(d, i))
			continue;
		if (in_group ? !in_group[i]
			     : f->rule->has_pattern &&
				       !pk_rule_matches(&f->rule->pattern, p, id, &scratch))
			continue;
		found = true;
		f->row = i;
		f->change = &d->row[i].change[f->measure];
		if (d->benchmarks && pk_gate_sets_apart(f, result))
			continue;
		decide(g, f);
		if (f->verdict != PK_GATE_PASS &&
		    ((in_ignored && in_ignored[i]) || is_ignored(g->rules, p, id, &scratch)))
			continue;
		if (f->verdict == PK_GATE_PASS && is_below_floor(g, f))
			result->left_out++;
		else
			result->functions++;
		result->explained += is_explained(g, f);
		if (!is_worth_saying(g, f) || (faster && f->verdict == PK_GATE_INCONCLUSIVE)) {
			result->uncertain += !d->benchmarks && f->verdict == PK_GATE_INCONCLUSIVE &&
					     is_perhaps_above(f);
			continue;
		}
		if (faster) {
			f->verdict = PK_GATE_PASS;
			f->reason = PK_REASON_FASTER;
		}
		add_finding(g, f);
	}
	result->names_nothing = !found;
	pk_buf_release(&scratch);
}

PK_COMPARE(compare_findings, struct pk_gate_finding,
	   PK_ORDER(b->verdict, a->verdict)
		   ?: PK_ORDER(pk_change_delta(b->change), pk_change_delta(a->change))
		   ?: PK_ORDER(a->row, b->row))

static enum pk_measure measure_of(const struct pk_rule *rule)
{
	if (rule->subject == PK_RULE_CALLS)
		return PK_CALLS;
	return (rule->subject == PK_RULE_TOTAL && rule->has_pattern) ||
			       rule->subject == PK_RULE_LINE
		       ? PK_TOTAL
		       : PK_SELF;
}

static int check_unit(const struct pk_rule *rule, const struct pk_diff *d, struct pk_error *err)
{
	if (d->benchmarks && isnan(rule->relative) && !rule->has_pattern &&
	    rule->subject == PK_RULE_TOTAL)
		return pk_fail(err, PK_EUSAGE,
			       "rule '%s': the total of benchmarks is a mean of ratios: give a "
			       "percentage, or name a benchmark or metric",
			       rule->text);
	if (isnan(rule->absolute) || rule->subject == PK_RULE_CALLS)
		return 0;
	if (!*rule->unit && rule->absolute > 0 && strcmp(d->unit, "ns") == 0)
		return pk_fail(
			err, PK_EUSAGE,
			"rule '%s': the limit of a time is a percentage, or has a unit (5%%, "
			"5ms)",
			rule->text);
	if (!*rule->unit || strcmp(rule->unit, d->unit) == 0)
		return 0;
	return pk_fail(err, PK_EUSAGE, "rule '%s': the limit is in %s, but %s is in %s", rule->text,
		       strcmp(rule->unit, "ns") == 0 ? "units of time" : "bytes", d->metric,
		       d->unit);
}

static int apply(struct gating *g, const struct pk_rule *rule, struct pk_gate_rule *result,
		 const struct pk_diff *d, struct pk_error *err)
{
	struct pk_gate_finding f = {.rule = rule, .diff = d, .measure = measure_of(rule)};
	bool whole =
		!rule->has_pattern && rule->subject != PK_RULE_SELF && rule->subject != PK_RULE_NEW;

	result->diff = d;
	if (d && d->benchmarks) /* they have no whole; total is the mean of the ratios */
		whole &= rule->subject == PK_RULE_TOTAL || rule->subject == PK_RULE_CALLS ||
			 rule->subject == PK_RULE_MACHINE;
	if (!d || (rule->subject == PK_RULE_CALLS &&
		   (d->total_calls.before == PK_NULL || d->total_calls.after == PK_NULL))) {
		result->has_no_numbers = true;
		return 0;
	}
	if (check_unit(rule, d, err))
		return -1;
	if (whole)
		look_at_whole(g, &f);
	else
		look_at_functions(g, result, &f);
	return 0;
}

int pk_gate_init(struct pk_gate *gate, const struct pk_rules *rules, const struct pk_diff *diff,
		 const struct pk_diff *memory, const struct pk_gate_options *options,
		 struct pk_error *err)
{
	struct gating g = {gate, rules, options, diff};

	*gate = (struct pk_gate){0};
	gate->rule = pk_calloc(rules->count, sizeof(*gate->rule));
	for (size_t i = 0; i < rules->count; i++) {
		struct pk_gate_rule *result = &gate->rule[i];
		enum pk_rule_subject subject = rules->rule[i].subject;
		const struct pk_diff *about = subject == PK_RULE_MEMORY ? memory : diff;

		if (subject == PK_RULE_METRIC || subject == PK_RULE_LINE)
			about = options->of_rule ? options->of_rule[i] : NULL;
		result->first = gate->count;
		if (apply(&g, &rules->rule[i], result, about, err)) {
			pk_gate_release(gate);
			return -1;
		}
		result->count = gate->count - result->first;
		if (!result->count)
			continue;
		qsort(gate->finding + result->first, result->count, sizeof(*gate->finding),
		      compare_findings);
		result->verdict = gate->finding[result->first].verdict;
		if (result->verdict > gate->verdict)
			gate->verdict = result->verdict;
	}
	return 0;
}

void pk_gate_release(struct pk_gate *gate)
{
	free(gate->rule);
	free(gate->finding);
	*gate = (struct pk_gate){0};
}

void pk_gate_default_rules(struct pk_rules *rules, const struct pk_diff *diff,
			   const struct pk_diff *memory, enum pk_measure measure)
{
	struct pk_error err = PK_ERROR_INIT;
	bool counts = pk_diff_is_deterministic(diff);
	bool bytes = diff->kind == PK_METRIC_BYTES;

	if (diff->benchmarks) {
		pk_gate_benchmark_rules(rules, diff);
		return;
	}
	if (measure == PK_CALLS) {
		pk_rules_add(rules, "calls>1%", "", &err);
		return;
	}
	pk_rules_add(rules, counts && !bytes ? "total>1%" : "total>5%", "", &err);
	pk_rules_add(rules, counts && !bytes ? "self>1%" : "self>5%", "", &err);
	rules->rule[rules->count - 1].unless_faster = true;
	if (memory && memory != diff)
		pk_rules_add(rules, "memory>5%", "", &err);
}

/* The row that caused more calls: follows callers that are called more often themselves. */
static uint32_t first_called(const struct pk_diff *d, uint32_t row)
{
	enum { DEEPEST = 100 }; /* callers can form a cycle */

	for (int i = 0; i < DEEPEST && d->row[row].caller; i++)
		row = d->row[row].caller;
	return row;
}

uint32_t pk_gate_blamed(const struct pk_gate_finding *f)
{
	const struct pk_diff *d = f->diff;
	uint32_t blamed[2] = {0, 0}, row; /* suspected, certain */
	double most[2] = {0, 0};

	if (f->row || f->rule->subject == PK_RULE_MACHINE)
		return f->row;
	for (uint32_t i = 1; i < d->match.count; i++) {
		const struct pk_change *c = &d->row[i].change[f->measure];
		bool sure = c->verdict == PK_REGRESSED || c->verdict == PK_NEW;
		double by =
			(double)c->after / pk_diff_machine(d, i, f->measure) - (double)c->before;

		if ((sure || c->verdict == PK_SUSPECT) && by > most[sure]) {
			most[sure] = by;
			blamed[sure] = i;
		}
	}
	row = blamed[true] ? blamed[true] : blamed[false];
	return f->measure == PK_CALLS ? first_called(d, row) : row;
}
