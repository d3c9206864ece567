/* profkit check: rules, runs and a baseline in; verdict, reports and exit status out. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/check/gate.h"
#include "analysis/check/judge.h"
#include "analysis/gpu/steps.h"
#include "analysis/lines/lines.h"
#include "base/alloc.h"
#include "base/io/input.h"
#include "base/num/units.h"
#include "model/label.h"
#include "tools/load/bench.h"
#include "tools/commands/check/baseline.h"
#include "tools/commands/check/report.h"
#include "tools/commands/check/steps.h"
#include "tools/commands/diff/view.h"
#include "tools/command.h"
#include "render/check/check.h"

enum same_machine { SAME_WARN, SAME_FAIL, SAME_IGNORE };
enum fail_on { ON_REGRESSION, ON_SUSPECT, ON_INCONCLUSIVE };

struct check_params {
	struct pk_common common;
	struct pk_opt_list baseline, fail, ignore, map, report;
	const char *rules;
	int fail_on, same_machine;
	const char *calibrate;
	bool update, ratchet;
	double min_change; /* 0..1 */
};

/* Both sides, read and compared. */
struct sides {
	struct pk_profiles list[PK_SIDES];
	struct pk_diff diff, memory;
	struct pk_diff *named; /* differences in the metrics of rules */
	const struct pk_diff *
		*of_rule; /* by rule; NULL = it names no metric that both sides have */
	const struct pk_profiles **made_of; /* of these: list, by_line or steps */
	size_t named_count;
	struct pk_profiles by_line[2]; /* of the sides, if a rule is about lines */
	struct pk_profiles steps[2];   /* of traces, if a rule is about their steps */
	const struct pk_diff *bytes;   /* the difference in the metric of bytes; NULL = none */
	/* profiles of the programs that the benchmarks of the sides run */
	struct pk_profiles with[PK_SIDES];
	struct pk_buf cause;     /* functions that became slower in it */
	struct pk_buf machines;  /* differences between the machines of benchmarks */
	enum pk_measure measure; /* metric of rules that name none */
	bool compared;
};

static int read_rules(const struct check_params *o, struct pk_rules *rules, struct pk_error *err)
{
	struct pk_input *in;
	int status;

	for (size_t i = 0; i < o->fail.count; i++) {
		if (pk_rules_add(rules, o->fail.item[i], "--fail", err))
			return -1;
	}
	for (size_t i = 0; i < o->ignore.count; i++) {
		if (pk_rules_ignore(rules, o->ignore.item[i], "--ignore", err))
			return -1;
	}
	if (!o->rules)
		return 0;
	in = pk_input_open(o->rules, err);
	if (!in)
		return pk_fail_context(err, "reading '%s'", o->rules);
	status = pk_rules_read(rules, in, err);
	pk_input_close(in);
	return status;
}

static int read_baseline(const struct check_params *o, struct pk_profiles *list,
			 struct pk_error *err)
{
	if (!o->baseline.count)
		return pk_fail(err, PK_EUSAGE, "nothing to compare with: give --baseline FILE");
	if (!pk_load_inputs(&o->common, (int)o->baseline.count, (char **)o->baseline.item, list,
			    err))
		return 0;
	for (size_t i = 0; i < o->baseline.count; i++) {
		const char *path = o->baseline.item[i];

		if (strcmp(path, "-") && !strchr(path, '@') && access(path, F_OK) &&
		    errno == ENOENT)
			return pk_fail(err, PK_EIO,
				       "there is no baseline '%s' (profkit check --baseline %s "
				       "--update-baseline FILE... makes one)",
				       path, path);
	}
	return -1;
}

static struct pk_gate_options gate_options(const struct check_params *o)
{
	struct pk_gate_options options = pk_gate_defaults;

	if (o->common.min_share > 0)
		options.floor = o->common.min_share;
	options.least = o->min_change;
	return options;
}

/* Compares the metric of bytes if another one was chosen. */
static void compare_memory(const struct check_params *o, struct sides *s)
{
	const struct pk_profile *p = s->list[PK_BEFORE].item[0];
	struct pk_diff_options options = {.match.map = &o->map};
	struct pk_gate_options gate = gate_options(o);
	struct pk_error ignored = PK_ERROR_INIT;

	if (s->diff.kind == PK_METRIC_BYTES) {
		s->bytes = &s->diff;
		return;
	}
	for (uint32_t m = 1; m < p->metric.count && !s->bytes; m++) {
		if (p->metric.kind[m] != PK_METRIC_BYTES)
			continue;
		options.metric = pk_text(p, p->metric.name[m]);
		if (!pk_diff_init(&s->memory, &s->list[PK_BEFORE], &s->list[PK_AFTER], &options,
				  &ignored)) {
			pk_gate_judge(&s->memory, &gate);
			s->bytes = &s->memory;
		}
	}
}

static const struct pk_diff *find_named(const struct sides *s, const char *metric,
					const struct pk_profiles *of)
{
	if (of == s->list && !strcmp(s->diff.metric, metric))
		return &s->diff;
	for (size_t i = 0; i < s->named_count; i++)
		if (s->made_of[i] == of && !strcmp(s->named[i].metric, metric))
			return &s->named[i];
	return NULL;
}

/* Makes profiles in which each line is a function; false if some have no lines. */
static bool make_by_line(struct sides *s)
{
	const struct pk_selection wanted = {.granularity = PK_BY_LINE};
	struct pk_error ignored = PK_ERROR_INIT;
	const char *unmatched;

	for (int side = 0; side < 2; side++) {
		for (size_t i = s->by_line[side].count; i < s->list[side].count; i++) {
			struct pk_profile *made;

			if (!pk_has_lines(s->list[side].item[i]) ||
			    pk_select(s->list[side].item[i], &wanted, &made, &unmatched, &ignored))
				return false;
			pk_profiles_add(&s->by_line[side], made);
		}
	}
	return true;
}

/* Makes and judges the difference in a metric. Returns -1 if it cannot be calibrated. */
static int judge(const struct check_params *o, struct pk_diff *d, struct pk_error *err)
{
	struct pk_gate_options gate = gate_options(o);

	if (o->calibrate && pk_gate_calibrate(d, o->calibrate, err))
		return -1;
	pk_gate_judge(d, &gate);
	return 0;
}

/* Compares both sides in a metric: sets *result, NULL if a side does not have it. Returns -1 if it
 * cannot be calibrated. */
static int compare_metric(const struct check_params *o, struct sides *s, const char *metric,
			  const struct pk_profiles *of, const struct pk_diff **result,
			  struct pk_error *err)
{
	const struct pk_diff_options options = {.match.map = &o->map, .metric = metric};
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_diff *made = &s->named[s->named_count];

	*result = find_named(s, metric, of);
	if (*result || pk_diff_init(made, &of[PK_BEFORE], &of[PK_AFTER], &options, &ignored))
		return 0;
	s->made_of[s->named_count++] = of;
	*result = made;
	return judge(o, made, err);
}

/* Compares steps of traces, for a metric that profiles do not have. */
static int compare_steps(const struct check_params *o, struct sides *s, const char *metric,
			 const struct pk_diff **result, struct pk_error *err)
{
	if (!pk_gpu_is_step_metric(metric))
		return 0;
	if (pk_check_steps(s->steps, s->list, err))
		return -1;
	return compare_metric(o, s, metric, s->steps, result, err);
}

/* Compares the metrics that rules name, lines, and steps of traces. */
static int compare_named(const struct check_params *o, struct sides *s,
			 const struct pk_rules *rules, struct pk_error *err)
{
	s->named = pk_calloc(rules->count + 1, sizeof(*s->named));
	s->of_rule = pk_calloc(rules->count + 1, sizeof(*s->of_rule));
	s->made_of = pk_calloc(rules->count + 1, sizeof(struct pk_profiles *));
	for (size_t i = 0; i < rules->count; i++) {
		const struct pk_rule *rule = &rules->rule[i];
		bool line = rule->subject == PK_RULE_LINE;
		const char *metric = line && !rule->metric ? s->diff.metric : rule->metric;

		if (!metric || (line && !make_by_line(s)))
			continue;
		if (compare_metric(o, s, metric, line ? s->by_line : s->list, &s->of_rule[i], err))
			return -1;
		if (!s->of_rule[i] && !line && compare_steps(o, s, metric, &s->of_rule[i], err)) {
			if (i < o->fail.count)
				return pk_fail_context(err, "rule '%s'", rule->text);
			*err = (struct pk_error)PK_ERROR_INIT; /* reported by check_rules, as for
								* other rules */
		}
	}
	return 0;
}

/* The name without its digits, which runs of a series share. */
static void add_series(struct pk_buf *buf, const char *path)
{
	for (; *path; path++)
		if (*path < '0' || *path > '9')
			pk_buf_addc(buf, *path);
	pk_buf_addc(buf, 0);
}

/* A shell expands -b before?.prof after?.prof to -b before1.prof before2.prof ... after1.prof ...:
 * all but the first of the runs before would be taken for runs after. */
static int check_operands(const struct check_params *o, int argc, char **argv, struct pk_error *err)
{
	PK_BUF_AUTO before = PK_BUF_INIT, name = PK_BUF_INIT;
	const char *same = NULL;
	int others = 0;

	add_series(&before, o->baseline.count ? o->baseline.item[o->baseline.count - 1] : "");
	for (int i = 0; i < argc; i++) {
		name.len = 0;
		add_series(&name, argv[i]);
		if (strcmp(name.data, before.data))
			others++;
		else if (strcmp(argv[i], o->baseline.item[o->baseline.count - 1]))
			same = argv[i];
	}
	if (!same || !others)
		return 0;
	return pk_fail(
		err, PK_EUSAGE,
		"'%s' would be a run after the change: -b takes one file; give -b for each run "
		"before",
		same);
}

/* Profiles beside results of benchmarks are those of the programs that these run. */
static void part_profiles(struct sides *s, int side)
{
	struct pk_profiles *list = &s->list[side];
	size_t kept = 0;
	bool benchmarks = false;

	for (size_t i = 0; i < list->count; i++)
		benchmarks |= pk_is_benchmark(list->item[i]);
	for (size_t i = 0; benchmarks && i < list->count; i++) {
		if (pk_is_benchmark(list->item[i]))
			list->item[kept++] = list->item[i];
		else
			pk_profiles_add(&s->with[side], list->item[i]);
	}
	list->count = benchmarks ? kept : list->count;
}

/* The functions that became slower in the profiles beside the benchmarks, the largest first. */
static void find_cause(const struct check_params *o, struct sides *s)
{
	enum { NAMED = 3 };
	struct pk_diff_options options = {.match.map = &o->map};
	struct pk_diff_choice choice = {.key = PK_DIFF_BY_DELTA};
	struct pk_error ignored = PK_ERROR_INIT;
	PK_FREED uint32_t *order = NULL;
	uint32_t count = 0, unchanged, named = 0;
	struct pk_diff d;

	if (!s->with[PK_BEFORE].count || !s->with[PK_AFTER].count ||
	    pk_diff_init(&d, &s->with[PK_BEFORE], &s->with[PK_AFTER], &options, &ignored))
		return;
	pk_diff_judge(&d, &pk_judge_defaults);
	order = pk_malloc(pk_mul(d.match.count, sizeof(*order)));
	pk_diff_choose(&d, PK_SELF, &choice, order, &count, &unchanged, &ignored);
	for (uint32_t i = 0; i < count && named < NAMED; i++) {
		const struct pk_change *c = &d.row[order[i]].change[PK_SELF];
		uint32_t id;
		const struct pk_profile *p = pk_match_profile(&d.match, order[i], &id);

		if (pk_change_delta(c) <= 0 || pk_change_direction(c) <= 0)
			continue;
		pk_buf_adds(&s->cause, named++ ? ", " : "");
		pk_function_label(&s->cause, p, id, PK_LABEL_SHORT);
		pk_buf_adds(&s->cause, " ");
		pk_format_own(&s->cause, c->before, d.unit, d.exponent);
		pk_buf_adds(&s->cause, " before, ");
		pk_format_own(&s->cause, c->after, d.unit, d.exponent);
		pk_buf_adds(&s->cause, " after");
	}
	pk_diff_release(&d);
}

static int compare(const struct check_params *o, struct sides *s, int argc, char **argv,
		   struct pk_error *err)
{
	struct pk_diff_options options = {.match.map = &o->map, .metric = o->common.metric};

	if (check_operands(o, argc, argv, err) || read_baseline(o, &s->list[PK_BEFORE], err) ||
	    pk_load_inputs(&o->common, argc, argv, &s->list[PK_AFTER], err))
		return -1;
	if (pk_reduce_sides(&o->common, s->list, err))
		return -1;
	part_profiles(s, PK_BEFORE);
	part_profiles(s, PK_AFTER);
	s->measure =
		pk_common_measure(&o->common, PK_SELF, s->list[PK_BEFORE].item[0], &options.metric);
	if (pk_diff_init(&s->diff, &s->list[PK_BEFORE], &s->list[PK_AFTER], &options, err))
		return -1;
	s->compared = true;
	pk_note_lone_metrics(&o->common, s->list[PK_BEFORE].item[0], s->list[PK_AFTER].item[0]);
	if (s->measure == PK_CALLS && pk_diff_check_calls(&s->diff, err))
		return -1;
	if (s->diff.benchmarks && o->same_machine != SAME_IGNORE)
		pk_diff_machines(&s->machines, &s->diff);
	if (judge(o, &s->diff, err))
		return -1;
	compare_memory(o, s);
	find_cause(o, s);
	return 0;
}

static void release_sides(struct sides *s)
{
	for (size_t i = 0; i < s->named_count; i++)
		pk_diff_release(&s->named[i]);
	free(s->named);
	free(s->of_rule);
	free(s->made_of);
	pk_buf_release(&s->machines);
	pk_buf_release(&s->cause);
	pk_profiles_release(&s->with[PK_BEFORE]);
	pk_profiles_release(&s->with[PK_AFTER]);
	if (s->bytes == &s->memory)
		pk_diff_release(&s->memory);
	if (s->compared)
		pk_diff_release(&s->diff);
	pk_profiles_release(&s->list[PK_BEFORE]);
	pk_profiles_release(&s->list[PK_AFTER]);
	pk_profiles_release(&s->by_line[PK_BEFORE]);
	pk_profiles_release(&s->by_line[PK_AFTER]);
	pk_profiles_release(&s->steps[PK_BEFORE]);
	pk_profiles_release(&s->steps[PK_AFTER]);
}

static void compare_texts(const struct pk_common *c, const char *what, const char *before,
			  const char *after)
{
	if (*before && *after && strcmp(before, after) != 0)
		pk_note(c, "%s: '%s' before, '%s' after: are they comparable?", what, before,
			after);
}

/* Warns of differences between the sides that have other causes than the program. */
static void warn_of_differences(const struct pk_common *c, const struct sides *s)
{
	const struct pk_profile *b = s->list[PK_BEFORE].item[0], *a = s->list[PK_AFTER].item[0];

	compare_texts(c, "profiler", pk_text(b, b->run.producer[1]),
		      pk_text(a, a->run.producer[1]));
	compare_texts(c, "command", pk_text(b, b->run.command[1]), pk_text(a, a->run.command[1]));
	compare_texts(c, "machine", pk_text(b, b->run.host[1]), pk_text(a, a->run.host[1]));
}

/* The reason why a rule applies to nothing; NULL: it applies. */
static const char *applies_to_nothing(const struct sides *s, const struct pk_rule *rule,
				      const struct pk_gate_rule *result)
{
	bool benchmarks = s->diff.benchmarks;

	if (result->names_nothing && result->diff->benchmarks && !benchmarks)
		return "names no step of the traces";
	if (result->names_nothing)
		return rule->subject == PK_RULE_LINE ? "names a line that has no cost"
		       : benchmarks                  ? "matches no benchmark"
						     : "matches no function";
	if (result->has_no_numbers)
		return rule->subject == PK_RULE_METRIC ? "names a metric that is missing on a side"
						       : "has no values to compare";
	return NULL;
}

/* Refuses rules of --fail that apply to nothing: a misspelt name would always pass. A file of rules
 * may be for several programs. */
static int check_rules(const struct check_params *o, const struct sides *s,
		       const struct pk_rules *rules, const struct pk_gate *gate,
		       struct pk_error *err)
{
	const struct pk_common *c = &o->common;

	for (size_t i = 0; i < rules->count; i++) {
		const char *why = applies_to_nothing(s, &rules->rule[i], &gate->rule[i]);

		if (why && (c->read.strict || i < o->fail.count))
			return pk_fail(err, PK_EUSAGE, "rule '%s' %s", rules->rule[i].text, why);
		if (why)
			pk_note(c, "rule '%s' %s", rules->rule[i].text, why);
	}
	return 0;
}

/* The single file of --baseline, which is to be written with these runs. */
static const char *baseline_file(const struct check_params *o, const struct pk_profiles *list,
				 struct pk_error *err)
{
	const char *path = o->baseline.count == 1 ? o->baseline.item[0] : "-";

	if (strcmp(path, "-") != 0)
		return pk_may_replace(&o->common, path, true, pk_baseline_format(list), err) ? NULL
											     : path;
	pk_fail(err, PK_EUSAGE, "%s writes one file: give one --baseline FILE",
		o->update ? "--update-baseline" : "--ratchet");
	return NULL;
}

/* --update-baseline: writes the runs as the baseline without comparing. */
static int update(const struct check_params *o, int argc, char **argv, struct pk_error *err)
{
	struct pk_profiles list;
	const char *path;
	int status;

	if (pk_load_inputs(&o->common, argc, argv, &list, err))
		return -1;
	path = baseline_file(o, &list, err);
	status = path ? pk_baseline_write(path, &list, err) : -1;
	if (!status)
		pk_note(&o->common, "baseline '%s': %zu %s%s", path, list.count,
			pk_is_benchmark(list.item[0]) ? "file" : "run", list.count == 1 ? "" : "s");
	pk_profiles_release(&list);
	return status;
}

/* --ratchet: lowers the baseline to certain improvements if nothing is worse. */
static int ratchet(const struct check_params *o, const struct sides *s, const struct pk_gate *gate,
		   struct pk_error *err)
{
	const char *path = baseline_file(o, &s->list[PK_BEFORE], err);
	uint32_t lowered = 0;

	if (!path)
		return -1;
	if (s->diff.benchmarks)
		return pk_fail(err, PK_EUSAGE, "--ratchet is not for benchmarks");
	if (gate->verdict != PK_GATE_PASS)
		return 0;
	if (pk_baseline_lower(path, &s->diff, s->bytes, &lowered, err))
		return -1;
	if (lowered)
		pk_note(&o->common, "baseline '%s': %" PRIu32 " function%s lowered", path, lowered,
			lowered == 1 ? "" : "s");
	return 0;
}

static int exit_status(const struct check_params *o, const struct pk_check *check)
{
	switch (pk_check_weigh(check, check->gate->verdict)) {
	case PK_GATE_FAIL:
		return PK_REGRESSION;
	case PK_GATE_PASS:
		return PK_DONE;
	default:
		return o->fail_on == ON_INCONCLUSIVE ? PK_UNDECIDED : PK_DONE;
	}
}

/* Names a side by its operand if there is one, because its runs may come from files that are gone,
 * or that have become those of the other side. */
static void name_side(struct pk_buf *buf, const char *operand, size_t operands,
		      const struct pk_profiles *list)
{
	const struct pk_profile *p = list->item[0];
	size_t files = pk_files_of_runs(list, 0);

	if (operands == 1 && strcmp(operand, "-") != 0) {
		pk_buf_adds(buf, operand);
		return;
	}
	pk_buf_adds(buf, pk_text(p, p->run.source[1]));
	if (files > 1)
		pk_buf_addf(buf, " and %zu more", files - 1);
}

/* The operands of both sides. */
static int report_sides(const struct check_params *o, const struct sides *s, struct pk_check *check,
			int argc, char **argv, struct pk_error *err)
{
	const struct pk_match_options match = {.map = &o->map};
	PK_FREED char **operand =
		pk_malloc(pk_mul(o->baseline.count + (size_t)argc + 1, sizeof(*operand)));
	struct pk_page_sides sides = {
		.common = &o->common,
		.sides = s->list,
		.diff = &s->diff,
		.measure = s->measure,
		.match = &match,
		.operands = operand,
		.split = (int)o->baseline.count,
	};

	for (size_t i = 0; i < o->baseline.count; i++)
		operand[sides.count++] = (char *)o->baseline.item[i];
	for (int i = 0; i < argc; i++)
		operand[sides.count++] = argv[i];
	return pk_check_reports(&o->report, check, &sides, err);
}

static int report(const struct check_params *o, const struct sides *s, const struct pk_rules *rules,
		  const struct pk_gate *gate, int argc, char **argv, int *status,
		  struct pk_error *err)
{
	struct pk_buf name[PK_SIDES] = {PK_BUF_INIT, PK_BUF_INIT};
	PK_FREED char *folder = getcwd(NULL, 0);
	struct pk_check check = {
		.rules = rules,
		.gate = gate,
		.diff = &s->diff,
		.machines = s->machines.data,
		.cause = s->cause.data,
		.root = folder,
		.strict = o->common.read.strict || o->fail_on == ON_SUSPECT,
	};
	int failed;

	name_side(&name[PK_BEFORE], o->baseline.count ? o->baseline.item[0] : "-",
		  o->baseline.count, &s->list[PK_BEFORE]);
	name_side(&name[PK_AFTER], *argv, (size_t)argc, &s->list[PK_AFTER]);
	check.before = name[PK_BEFORE].data;
	check.after = name[PK_AFTER].data;
	*status = exit_status(o, &check);
	failed = report_sides(o, s, &check, argc, argv, err);
	pk_buf_release(&name[PK_BEFORE]);
	pk_buf_release(&name[PK_AFTER]);
	return failed;
}

static int check_sides(const struct check_params *o, struct pk_rules *rules, const struct sides *s,
		       int argc, char **argv, int *status, struct pk_error *err)
{
	struct pk_gate_options options = gate_options(o);
	struct pk_gate gate;
	int failed;

	warn_of_differences(&o->common, s);
	options.of_rule = s->of_rule;
	options.machines = s->machines.data;
	options.same_machine = o->same_machine == SAME_FAIL;
	if (pk_gate_init(&gate, rules, &s->diff, s->bytes, &options, err))
		return -1;
	failed = check_rules(o, s, rules, &gate, err) ||
		 report(o, s, rules, &gate, argc, argv, status, err) ||
		 (o->ratchet && ratchet(o, s, &gate, err));
	pk_gate_release(&gate);
	return failed ? -1 : 0;
}

/* Rules about steps of traces need parts of profiles that are not read for others. */
static void want_steps(struct check_params *o, const struct pk_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		if (rules->rule[i].metric && pk_gpu_is_step_metric(rules->rule[i].metric))
			o->common.read.wanted |= PK_PART_ARGS | PK_PART_MARKS;
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct check_params *o = params;
	struct pk_rules rules = {0};
	struct sides sides = {0};
	int status = PK_DONE;

	if (o->update)
		return update(o, argc, argv, err);
	status = read_rules(o, &rules, err);
	want_steps(o, &rules);
	if (status || pk_check_reports_known(&o->report, err) ||
	    compare(o, &sides, argc, argv, err)) {
		status = -1;
	} else {
		if (!rules.count)
			pk_gate_default_rules(&rules, &sides.diff, sides.bytes, sides.measure);
		if (sides.machines.len)
			pk_rules_add_machine(&rules);
		status = compare_named(o, &sides, &rules, err);
	}
	if (status || check_sides(o, &rules, &sides, argc, argv, &status, err))
		status = -1;
	release_sides(&sides);
	pk_rules_release(&rules);
	return status;
}

static const char *const same_machine[] = {"warn", "fail", "ignore", NULL};
static const char *const fail_on[] = {"regression", "suspect", "inconclusive", NULL};

#define AT(member) offsetof(struct check_params, member)

static void name_outputs(const void *params, int argc, char **argv)
{
	const struct check_params *o = params;

	(void)argc;
	(void)argv;
	pk_check_name_reports(&o->report);
	for (size_t i = 0; (o->update || o->ratchet) && i < o->baseline.count; i++)
		pk_output_name(o->baseline.item[i]);
}

static const struct pk_opt opts[] = {
	{PK_OPT_LIST, "baseline", 'b', AT(baseline), "FILE",
	 .help = "runs to compare with; may be given several times"},
	{PK_OPT_LIST, "fail", 0, AT(fail), "RULE", .help = "a rule, such as 'self>10%'"},
	{PK_OPT_TEXT, "rules", 0, AT(rules), "FILE", .help = "file with rules, one in each line"},
	{PK_OPT_LIST, "ignore", 0, AT(ignore), "FUNCTION",
	 .help = "exclude functions: a name, or re: and a regular expression"},
	{PK_OPT_LIST, "map", 0, AT(map), "OLD=NEW",
	 .help = "new name of a function, file or folder"},
	{PK_OPT_CHOICE, "fail-on", 0, AT(fail_on), "WHAT", .choices = fail_on,
	 .fallback = "regression",
	 .help = "suspect: also fail if something is probably worse; inconclusive: also if the "
		 "runs are not enough to decide (status 3)"},
	{PK_OPT_PERCENT, "min-change", 0, AT(min_change), "P", .min = 0, .max = 100,
	 .fallback = "1",
	 .help = "a change of a function by less than P percent of the whole breaks only rules "
		 "that name the function or have an absolute limit"},
	{PK_OPT_FLAG, "update-baseline", 0, AT(update),
	 .help = "write the operands to the file of --baseline instead of comparing"},
	{PK_OPT_FLAG, "ratchet", 0, AT(ratchet),
	 .help = "if nothing became worse, lower the baseline where something became better"},
	{PK_OPT_LIST, "report", 0, AT(report), "KIND=FILE",
	 .help = "also write a report: text, csv, json, markdown, html, github, gitlab, junit, "
		 "sarif; without =FILE to standard output"},
	{PK_OPT_GROUP, .help = "benchmarks"},
	{PK_OPT_CHOICE, "same-machine", 0, AT(same_machine), "WHAT", .choices = same_machine,
	 .fallback = "warn",
	 .help = "benchmarks of which the sides ran on different machines: times are at most "
		 "suspect, the check fails, or they are compared"},
	{PK_OPT_TEXT, "calibrate", 0, AT(calibrate), "BENCHMARK",
	 .help = "divide times of benchmarks by those of this one, which both sides have"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_check = {
	.name = "check",
	.group = PK_GROUP_COMPARE,
	.title = "fail a build that made the program slower",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SHOW |
		PK_USE_OUTPUT,
	.opts = opts,
	.params_size = sizeof(struct check_params),
	.name_outputs = name_outputs,
	.benchmarks = PK_BENCHMARKS_AND_PROFILES,
	.run = run,
};
