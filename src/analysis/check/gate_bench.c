/* Rules for benchmarks: each is judged by its own values, and there is no whole. */
#include "analysis/check/gate_internal.h"

#include <math.h>
#include <string.h>

#include "analysis/check/judge_internal.h"
#include "base/alloc.h"
#include "base/text/str.h"
#include "model/label.h"

/* The ratio by which a value became worse: for a rate the inverse. */
static double worse(const struct pk_diff *d, double ratio)
{
	return d->more_is_better ? 1 / ratio : ratio;
}

/* The number of additional values a side that would make the interval narrow enough. */
static uint32_t values_needed(const struct pk_gate_finding *f, double limit)
{
	enum { MOST = 10000 };
	size_t before = pk_diff_values(f->diff, PK_BEFORE, f->row);
	size_t after = pk_diff_values(f->diff, PK_AFTER, f->row);
	double values = (double)(before < after ? before : after), needed;
	double width = log(f->change->ci_high) - log(f->change->ci_low);
	double off = fabs(log(worse(f->diff, f->change->ratio) / limit));

	if (!isfinite(width) || !(off > 0))
		return 0;
	needed = ceil(values * pow(width / 2 / off, 2) - values);
	return needed < 1 || needed > MOST ? 0 : (uint32_t)needed;
}

bool pk_gate_benchmark_is_above(const struct pk_gate_finding *f)
{
	if (f->row && f->change->before <= 0)
		return (double)f->change->after > pk_gate_allowed(f);
	return worse(f->diff, f->change->ratio) > pk_gate_limit(f);
}

static bool has_values(const struct pk_gate_finding *f)
{
	return pk_diff_values(f->diff, PK_BEFORE, f->row) > 1 &&
	       pk_diff_values(f->diff, PK_AFTER, f->row) > 1;
}

/* A single number a side is certain only if a rule was given for it and it is no time. Two equal
 * times are not certain either. */
static void decide_untested(struct pk_gate_finding *f, const struct pk_gate_options *options)
{
	double ratio = worse(f->diff, f->change->ratio);

	if (!pk_gate_benchmark_is_above(f) && (!f->rule->usual || f->diff->kind != PK_METRIC_TIME ||
					       f->change->before == f->change->after))
		return;
	f->reason = PK_REASON_SUMMARY;
	if (f->diff->kind != PK_METRIC_TIME && !f->rule->usual)
		f->verdict = PK_GATE_FAIL;
	else if (!f->rule->usual || ratio > 1 + options->suspect)
		f->verdict = PK_GATE_SUSPECT;
	else
		f->verdict = PK_GATE_INCONCLUSIVE;
}

/* p is that of all benchmarks together, the interval that of this one; values that
 * are not positive have none. */
static void decide_tested(struct pk_gate_finding *f, const struct pk_gate_options *options)
{
	const struct pk_change *c = f->change;
	bool bounded = !isnan(c->ci_low), above = pk_gate_benchmark_is_above(f);
	double low = worse(f->diff, f->diff->more_is_better ? c->ci_high : c->ci_low);
	double high = worse(f->diff, f->diff->more_is_better ? c->ci_low : c->ci_high);

	if (c->p < 0.4 * options->alpha && (bounded ? low > pk_gate_limit(f) : above)) {
		f->verdict = PK_GATE_FAIL;
	} else if (bounded ? !(high <= pk_gate_limit(f)) : above) {
		f->verdict = PK_GATE_INCONCLUSIVE;
		f->reason = PK_REASON_VALUES;
		if (f->row)
			f->more_runs = values_needed(f, pk_gate_limit(f));
	}
}

static bool is_in_both(const struct pk_gate_finding *f)
{
	enum pk_verdict verdict = f->change->verdict;

	return verdict != PK_NEW && verdict != PK_GONE && verdict != PK_SHIFTED;
}

bool pk_gate_sets_apart(const struct pk_gate_finding *f, struct pk_gate_rule *result)
{
	const struct pk_change *c = f->change;
	const struct pk_profile *p;
	uint32_t id;
	struct pk_gate_apart *apart = &result->apart[c->verdict == PK_SHIFTED ? PK_GATE_RENAMED
						     : c->verdict == PK_NEW   ? PK_GATE_NEW
									      : PK_GATE_GONE];

	if (f->rule->subject == PK_RULE_NEW || is_in_both(f))
		return false;
	if (c->verdict == PK_SHIFTED && !c->before) /* counted by its old name */
		return true;
	if (!apart->count++) {
		p = pk_match_profile(&f->diff->match, f->row, &id);
		apart->name = pk_text(p, p->function.name[id]);
		apart->note = f->diff->row[f->row].note;
	}
	return true;
}

void pk_gate_decide_benchmark(struct pk_gate_finding *f, const struct pk_gate_options *options)
{
	const struct pk_change *c = f->change;
	bool above = pk_gate_benchmark_is_above(f);

	if (f->rule->subject == PK_RULE_MACHINE) {
		f->verdict = options->same_machine ? PK_GATE_FAIL : PK_GATE_INCONCLUSIVE;
		return;
	}
	if (f->rule->subject == PK_RULE_NEW) {
		if (c->verdict == PK_NEW && above)
			f->verdict = PK_GATE_FAIL;
	} else if (!is_in_both(f)) {
		return;
	} else if (f->row ? c->before == PK_NULL || c->after == PK_NULL : isnan(c->ratio)) {
		f->verdict = PK_GATE_INCONCLUSIVE;
		f->reason = PK_REASON_UNKNOWN;
	} else if (!isnan(c->p)) {
		decide_tested(f, options);
	} else if (f->row && has_values(f)) { /* the same in all values of a side */
		f->verdict = above && c->verdict == PK_REGRESSED ? PK_GATE_FAIL : PK_GATE_PASS;
	} else {
		decide_untested(f, options);
	}
	if (f->verdict == PK_GATE_FAIL && options->machines && f->diff->kind == PK_METRIC_TIME &&
	    !f->diff->reference) {
		f->verdict = PK_GATE_SUSPECT;
		f->reason = PK_REASON_MACHINES;
	}
}

static void mark_group(const struct pk_diff *d, const char *group, bool *in)
{
	for (int s = 0; s < PK_SIDES; s++)
		for (uint32_t r = 0; r < d->side[s].runs; r++) {
			const struct pk_profile *p = d->match.side[s].profile[r];
			const uint32_t *row = d->match.side[s].of_function[r];

			for (uint32_t i = 1; i < p->cost.count; i++)
				if (!strcmp(pk_label_text(p, pk_cost_labels(p, i), "group") ?: "",
					    group))
					in[row[pk_node_function(p, p->cost.node[i])]] = true;
		}
}

bool *pk_gate_groups(const struct pk_diff *d, const struct pk_rule_pattern *pattern, size_t count)
{
	bool *in = NULL;

	for (size_t i = 0; d->benchmarks && i < count; i++) {
		if (!pattern[i].group)
			continue;
		if (!in)
			in = pk_calloc(d->match.count, sizeof(*in));
		mark_group(d, pattern[i].group, in);
	}
	return in;
}

int pk_gate_calibrate(struct pk_diff *d, const char *name, struct pk_error *err)
{
	const struct pk_rule_pattern pattern = {.name = name};
	PK_BUF_AUTO scratch = PK_BUF_INIT;
	uint32_t found = 0;

	if (!d->benchmarks)
		return pk_fail(err, PK_EUSAGE, "--calibrate: these are not results of benchmarks");
	if (d->kind != PK_METRIC_TIME)
		return 0;
	for (uint32_t i = 1; i < d->match.count; i++) {
		uint32_t id;
		const struct pk_profile *p = pk_match_profile(&d->match, i, &id);

		if (!pk_rule_matches(&pattern, p, id, &scratch))
			continue;
		if (found)
			return pk_fail(
				err, PK_EUSAGE,
				"--calibrate: '%s' are several benchmarks: name one with its "
				"file or package before a point",
				name);
		found = i;
	}
	if (!found)
		return pk_fail(err, PK_EUSAGE, "--calibrate: no benchmark is '%s'", name);
	return pk_judge_calibrate(d, name, found, err);
}

static void add_usual(struct pk_rules *rules, const char *metric, const char *limit)
{
	struct pk_error err = PK_ERROR_INIT;
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, "%s>%s", metric, limit);
	if (!pk_rules_add(rules, text.data, "", &err))
		rules->rule[rules->count - 1].usual = true;
}

void pk_gate_benchmark_rules(struct pk_rules *rules, const struct pk_diff *d)
{
	const struct pk_profile *b = d->match.side[PK_BEFORE].profile[0];
	const struct pk_profile *a = d->match.side[PK_AFTER].profile[0];

	add_usual(rules, d->metric, d->kind == PK_METRIC_TIME ? "2%" : "1%");
	for (uint32_t m = 1; m < a->metric.count; m++) {
		const char *name = pk_text(a, a->metric.name[m]);
		bool allocated =
			a->metric.kind[m] == PK_METRIC_BYTES || pk_starts_with(name, "alloc");

		if (allocated && !pk_ends_with(pk_metric_unit(a, m), "/s") &&
		    !pk_ends_with(name, "/s") && strcmp(name, d->metric) && pk_metric_find(b, name))
			add_usual(rules, name, "1%");
	}
}
