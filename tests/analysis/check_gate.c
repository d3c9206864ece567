/* Rules applied to differences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/check/gate.h"
#include "base/alloc.h"
#include "model/build/builder.h"

#include "tests/check_util.h"

START_TEST(rules)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_rules r = {0};

	ck_assert(!pk_rules_add(&r, " self ( re:^db\\.(a|b)> ) > 10 % , 1.5ms ", "--fail", &err));
	ck_assert(!pk_rules_add(&r, "calls(json.loads)>0", "--fail", &err));
	ck_assert(!pk_rules_add(&r, "memory>2MB", "--fail", &err));
	ck_assert_uint_eq(r.count, 3);
	ck_assert_int_eq(r.rule[0].subject, PK_RULE_SELF);
	ck_assert(r.rule[0].has_pattern && r.rule[0].pattern.re);
	ck_assert_double_eq_tol(r.rule[0].relative, 0.1, 1e-12);
	ck_assert_double_eq_tol(r.rule[0].absolute, 1.5e6, 1e-3);
	ck_assert_str_eq(r.rule[0].unit, "ns");
	ck_assert_str_eq(r.rule[1].pattern.name, "json.loads");
	ck_assert(isnan(r.rule[1].relative) && r.rule[1].absolute == 0);
	ck_assert_double_eq(r.rule[2].absolute, 2097152);
	ck_assert(pk_rules_add(&r, "self>5x", "--fail", &err));
	ck_assert_str_eq(err.text, "--fail: expected nothing more, or %, ns, us, ms, s, B, KB, MB, "
				   "GB\n  self>5x\n        ^");
	ck_assert_uint_eq(r.count, 3);
	pk_rules_release(&r);
}
END_TEST

/* A program of 8 functions a to h, each with 1 ms a run but for noise of up to 1 %. */
struct side {
	int runs;
	double speed;  /* of all */
	double change; /* of d */
	bool lacks_d;
};

static struct pk_profile *make_run(const struct side *s, int run)
{
	struct pk_builder *b = pk_builder_new();

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	for (int f = 0; f < 8; f++) {
		char name[2] = {(char)('a' + f), 0};
		struct pk_function frame = {.name = pk_build_text(b, name),
					    .file = pk_build_text(b, "app/db.py"),
					    .line = (uint32_t)f + 1};
		double value = 1e6 * (1 + ((f * 5 + run * 7) % 11 - 5) * 0.002) * s->speed;

		if (f == 3 && s->lacks_d)
			continue;
		value *= f == 3 ? s->change : 1;
		pk_build_cost(
			b, 0,
			pk_build_node(b, 0, pk_build_place(b, pk_build_function(b, &frame), 0)), 1,
			(int64_t)value, 10);
	}
	return pk_builder_finish(b);
}

struct checked {
	struct pk_profiles list[PK_SIDES];
	struct pk_diff d;
	struct pk_rules rules;
	struct pk_gate gate;
};

static void check(struct checked *c, const struct side *before, const struct side *after,
		  const char *rule)
{
	struct pk_diff_options options = {0};
	struct pk_error err = PK_ERROR_INIT;

	*c = (struct checked){0};
	for (int r = 0; r < before->runs; r++)
		pk_profiles_add(&c->list[PK_BEFORE], make_run(before, r));
	for (int r = 0; r < after->runs; r++)
		pk_profiles_add(&c->list[PK_AFTER], make_run(after, r + 3));
	ck_assert(!pk_diff_init(&c->d, &c->list[PK_BEFORE], &c->list[PK_AFTER], &options, &err));
	pk_gate_judge(&c->d, &pk_gate_defaults);
	if (rule)
		ck_assert_msg(!pk_rules_add(&c->rules, rule, "", &err), "%s", err.text);
	else
		pk_gate_default_rules(&c->rules, &c->d, NULL, PK_SELF);
	ck_assert(!pk_gate_init(&c->gate, &c->rules, &c->d, NULL, &pk_gate_defaults, &err));
}

static void release(struct checked *c)
{
	pk_gate_release(&c->gate);
	pk_rules_release(&c->rules);
	pk_diff_release(&c->d);
	pk_profiles_release(&c->list[PK_BEFORE]);
	pk_profiles_release(&c->list[PK_AFTER]);
}

static enum pk_gate_verdict verdict(struct side before, struct side after, const char *rule)
{
	struct checked c;
	enum pk_gate_verdict v;

	check(&c, &before, &after, rule);
	v = c.gate.verdict;
	release(&c);
	return v;
}

static const struct side same5 = {5, 1, 1, false}, slow5 = {5, 1, 1.2, false};
static const struct side same1 = {1, 1, 1, false};

START_TEST(several_runs)
{
	struct checked c;
	const struct pk_gate_finding *f;

	check(&c, &same5, &slow5, NULL);
	ck_assert_uint_eq(c.rules.count, 2); /* total, self */
	ck_assert_int_eq(c.gate.verdict, PK_GATE_FAIL);
	ck_assert_int_eq(c.gate.rule[0].verdict, PK_GATE_PASS);
	ck_assert_uint_eq(c.gate.rule[1].count, 1);
	f = &c.gate.finding[c.gate.rule[1].first];
	ck_assert_double_eq_tol(pk_gate_limit(f), 1.05, 1e-9);
	ck_assert_uint_eq(pk_gate_blamed(f), 4);
	release(&c);
	ck_assert_int_eq(verdict(same5, slow5, "self>10%"), PK_GATE_FAIL);
	ck_assert_int_eq(verdict(same5, slow5, "self>30%"), PK_GATE_PASS);
	ck_assert_int_eq(verdict(same5, slow5, "self(db.d)>5%,100us"), PK_GATE_FAIL);
	ck_assert_int_eq(verdict(same5, slow5, "self(db.d)>5%,1ms"), PK_GATE_PASS);
	ck_assert_int_eq(verdict(same5, slow5, "self(re:^db\\.[a-c]$)>5%"), PK_GATE_PASS);
	ck_assert_int_eq(verdict(slow5, same5, NULL), PK_GATE_PASS); /* faster */
	ck_assert_int_eq(verdict(same5, same5, NULL), PK_GATE_PASS);
}
END_TEST

/* All functions alike are slower: the whole is, and it may be the machine. */
START_TEST(machine)
{
	struct side after = {5, 1.5, 1, false};
	struct checked c;

	check(&c, &same5, &after, NULL);
	ck_assert_int_eq(c.gate.verdict, PK_GATE_INCONCLUSIVE);
	ck_assert_int_eq(c.gate.finding[0].reason, PK_REASON_MACHINE);
	release(&c);
	/* On a machine that differs that much, a function must be above the limit by more. */
	after.change = 1.1;
	ck_assert_int_eq(verdict(same5, after, "self>5%"), PK_GATE_INCONCLUSIVE);
	after.change = 1.4;
	ck_assert_int_eq(verdict(same5, after, "self>5%"), PK_GATE_FAIL);
	/* The fourth root of 1.5 is 1.107, and 1.05 times this 1.162; functions vary by 1 %. */
	after.change = 1.14;
	ck_assert_int_eq(verdict(same5, after, "self>5%"), PK_GATE_INCONCLUSIVE);
	after.change = 1.19;
	ck_assert_int_eq(verdict(same5, after, "self>5%"), PK_GATE_FAIL);
}
END_TEST

START_TEST(few_runs)
{
	struct side one_slow = {1, 1, 1.5, false}, one_bit = {1, 1, 1.15, false};
	struct side three = {3, 1, 1, false}, three_slow = {3, 1, 1.5, false};
	struct checked c;

	check(&c, &same1, &one_slow, "self>5%");
	ck_assert_int_eq(c.gate.verdict, PK_GATE_SUSPECT);
	ck_assert_uint_eq(c.gate.finding[0].more_runs, 4);
	release(&c);
	ck_assert_int_eq(verdict(same1, one_bit, "self>5%"), PK_GATE_INCONCLUSIVE);
	ck_assert_int_eq(verdict(same1, one_bit, "self>20%"), PK_GATE_PASS);
	ck_assert_int_eq(verdict(three, three_slow, "self>5%"), PK_GATE_SUSPECT);
	ck_assert_int_eq(verdict(three, three_slow, "total>1%"), PK_GATE_INCONCLUSIVE);
}
END_TEST

START_TEST(new_and_nothing)
{
	struct side without = {5, 1, 1, true}, nothing = {5, 1, 0, false};
	struct side all_nothing = {5, 0, 1, false};

	ck_assert_int_eq(verdict(without, same5, "new>2%"), PK_GATE_FAIL);
	ck_assert_int_eq(verdict(without, same5, "new>20%"), PK_GATE_PASS);
	ck_assert_int_eq(verdict(without, same5, "self>5%"), PK_GATE_PASS);
	ck_assert_int_eq(verdict(without, same5, "self>500us"), PK_GATE_FAIL);
	ck_assert_int_eq(verdict(without, same5, "calls(d)>0"), PK_GATE_FAIL);
	ck_assert_int_eq(verdict(same5, without, "new>2%"), PK_GATE_PASS);
	ck_assert_int_eq(verdict(nothing, same5, "self>5%"), PK_GATE_FAIL);
	ck_assert_int_eq(verdict(all_nothing, same5, "total>5%"), PK_GATE_INCONCLUSIVE);
	ck_assert_int_eq(verdict(all_nothing, all_nothing, NULL), PK_GATE_PASS);
}
END_TEST

START_TEST(rules_without_effect)
{
	struct pk_error err = PK_ERROR_INIT;
	struct checked c;

	check(&c, &same5, &slow5, "self(nobody)>5%");
	ck_assert(c.gate.rule[0].names_nothing);
	release(&c);
	check(&c, &same5, &slow5, "memory>5%");
	ck_assert(c.gate.rule[0].has_no_numbers);
	pk_gate_release(&c.gate);
	ck_assert(!pk_rules_add(&c.rules, "total>5MB", "", &err));
	ck_assert(pk_gate_init(&c.gate, &c.rules, &c.d, NULL, &pk_gate_defaults, &err));
	ck_assert_str_eq(err.text, "rule 'total>5MB': the limit is in bytes, but time is in ns");
	release(&c);
	ck_assert_int_eq(verdict(same5, slow5, "self>5%"), PK_GATE_FAIL);
	check(&c, &same5, &slow5, "self>5%");
	pk_gate_release(&c.gate);
	ck_assert(!pk_rules_ignore(&c.rules, "re:^d$", "", &err));
	ck_assert(!pk_gate_init(&c.gate, &c.rules, &c.d, NULL, &pk_gate_defaults, &err));
	ck_assert_int_eq(c.gate.verdict, PK_GATE_PASS);
	release(&c);
}
END_TEST

CHECK_MAIN("gate", rules, several_runs, machine, few_runs, new_and_nothing, rules_without_effect)
