/* Rules applied to differences. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/check/gate_internal.h"
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
	double sleeps; /* in ms, at any speed */
};

static void put_sleep(struct pk_builder *b, double value)
{
	struct pk_function f = {.name = pk_build_text(b, "<built-in method time.sleep>"),
				.kind = PK_KIND_BUILTIN};

	pk_build_cost(b, 0, pk_build_node(b, 0, pk_build_place(b, pk_build_function(b, &f), 0)), 1,
		      (int64_t)value, 1);
}

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
	if (s->sleeps > 0)
		put_sleep(b, s->sleeps * (1e6 + (run * 7 % 11 - 5) * 2e3));
	return pk_builder_finish(b);
}

struct checked {
	struct pk_profiles list[PK_SIDES];
	struct pk_diff d;
	struct pk_rules rules;
	struct pk_gate gate;
};

static void check_with(struct checked *c, const struct side *before, const struct side *after,
		       const char *rule, const struct pk_gate_options *gate)
{
	struct pk_diff_options options = {0};
	struct pk_error err = PK_ERROR_INIT;

	*c = (struct checked){0};
	for (int r = 0; r < before->runs; r++)
		pk_profiles_add(&c->list[PK_BEFORE], make_run(before, r));
	for (int r = 0; r < after->runs; r++)
		pk_profiles_add(&c->list[PK_AFTER], make_run(after, r + 3));
	ck_assert(!pk_diff_init(&c->d, &c->list[PK_BEFORE], &c->list[PK_AFTER], &options, &err));
	pk_gate_judge(&c->d, gate);
	if (rule)
		ck_assert_msg(!pk_rules_add(&c->rules, rule, "", &err), "%s", err.text);
	else
		pk_gate_default_rules(&c->rules, &c->d, NULL, PK_SELF);
	ck_assert(!pk_gate_init(&c->gate, &c->rules, &c->d, NULL, gate, &err));
}

static void check(struct checked *c, const struct side *before, const struct side *after,
		  const char *rule)
{
	check_with(c, before, after, rule, &pk_gate_defaults);
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

static const struct side same5 = {5, 1, 1, false, 0}, slow5 = {5, 1, 1.2, false, 0};
static const struct side same1 = {1, 1, 1, false, 0};

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

/* Of eight functions, an eighth each, only d is above a share of 13 %: 1.2 of 8.2 afterwards. */
START_TEST(below_the_floor)
{
	struct pk_gate_options options = pk_gate_defaults;
	struct checked c;

	for (int floor = 0; floor < 2; floor++) {
		options.floor = floor ? 0.13 : 0;
		check_with(&c, &same5, &slow5, NULL, &options);
		for (uint32_t i = 1; i <= 8; i++)
			ck_assert_int_eq(!isnan(c.d.row[i].change[PK_SELF].p), !floor || i == 4);
		ck_assert_int_eq(c.gate.verdict, PK_GATE_FAIL);
		release(&c);
	}
}
END_TEST

/* All functions alike are slower: the whole is, and it may be the machine. */
START_TEST(machine)
{
	struct side after = {5, 1.5, 1, false, 0};
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

/* A wait takes as long on a faster machine; on a slower one, the thing it waits for may be slower,
 * too. */
START_TEST(waits)
{
	static const char rule[] = "self(re:sleep)>5%";

	for (int runs = 1; runs <= 5; runs += 4) {
		struct side before = {runs, 1, 1, false, 2}, fast = {runs, 0.54, 1, false, 2};
		struct side longer = {runs, 0.54, 1, false, 2.8}, slow = {runs, 1.5, 1, false, 3};
		struct side slow_longer = {runs, 1.5, 1, false, 4.5};
		enum pk_gate_verdict found = runs == 1 ? PK_GATE_SUSPECT : PK_GATE_FAIL;

		ck_assert_int_eq(verdict(before, fast, rule), PK_GATE_PASS);
		ck_assert_int_eq(verdict(before, longer, rule), found);
		ck_assert_int_ne(verdict(before, slow, rule), found);
		ck_assert_int_eq(verdict(before, slow_longer, rule), found);
		fast.change = 1.9; /* a function that computes is still found */
		ck_assert_int_eq(verdict(before, fast, "self(db.d)>5%"), found);
	}
}
END_TEST

/* diff --machine */
START_TEST(scales_without_waits)
{
	struct side before = {1, 1, 1, false, 2}, after = {1, 0.5, 1, false, 2};
	struct checked c;

	check(&c, &before, &after, NULL);
	pk_diff_scale(&c.d, c.d.machine_factor);
	for (uint32_t i = 1; i < c.d.match.count; i++) {
		int64_t expected = c.d.row[i].waits ? 2000000 : 500000;

		for (int m = PK_SELF; m <= PK_TOTAL; m++)
			ck_assert_int_le(llabs(c.d.row[i].change[m].before - expected),
					 expected / 50);
	}
	ck_assert_int_le(llabs(c.d.total.before - 6000000), 6000000 / 50);
	pk_diff_scale(&c.d, 1e15); /* more than there can be */
	ck_assert_int_eq(c.d.total.before, INT64_MAX);
	release(&c);
}
END_TEST

START_TEST(few_runs)
{
	struct side one_slow = {1, 1, 1.5, false, 0}, one_bit = {1, 1, 1.15, false, 0};
	struct side three = {3, 1, 1, false, 0}, three_slow = {3, 1, 1.5, false, 0};
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
	struct side without = {5, 1, 1, true, 0}, nothing = {5, 1, 0, false, 0};
	struct side all_nothing = {5, 0, 1, false, 0};

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

enum { D = 4, ROWS = 9, RUNS = 5 }; /* row of d; rows of same5, from 1 */

/* Numbers of a finding about d, or about the whole, and the expected decision. */
struct decision {
	const char *rule;
	struct pk_change is;
	enum pk_gate_verdict verdict;
	enum pk_gate_reason reason;
	uint32_t more;                         /* runs */
	enum pk_diff_method method;            /* 0: PK_DIFF_TESTED */
	bool counted;                          /* PK_DIFF_EXACT */
	double factor;                         /* of the machine; 0: not known */
	int64_t whole;                         /* after; 0: that before */
	int64_t low[PK_SIDES], high[PK_SIDES]; /* of the runs; 0: the median */
	uint32_t runs;                         /* before; 0: 5 */
	bool members;                          /* the sides are parts */
	bool sampled;
	int64_t waiting[PK_SIDES]; /* how much of a total waits */
	int64_t perhaps;           /* or this much; 0: no */
};
#define FROM(b, a, low, high, p_is)                                                          \
	{                                                                                    \
		.before = (b), .after = (a), .ci_low = (low), .ci_high = (high), .p = (p_is) \
	}
#define HAS(b, a, v)                                                                  \
	{                                                                             \
		.before = (b), .after = (a), .ci_low = NAN, .ci_high = NAN, .p = NAN, \
		.verdict = (v)                                                        \
	}
#define PASS .verdict = PK_GATE_PASS
#define FAIL .verdict = PK_GATE_FAIL
#define UNSURE .verdict = PK_GATE_INCONCLUSIVE, .reason = PK_REASON_RUNS
#define SUSPECT .verdict = PK_GATE_SUSPECT, .reason = PK_REASON_RUNS

enum { WHOLE = 10000000 };

static const struct decision decisions[] = {
	/* Tested: the interval must be above the limit, and p below 0.05. */
	{"self(d)>25%", FROM(100, 130, 1.26, 1.4, 0.049), FAIL},
	{"self(d)>25%", FROM(100, 130, 1.25, 1.4, 0.049), UNSURE, .more = 6},
	{"self(d)>25%", FROM(100, 130, 1.26, 1.4, 0.05), UNSURE, .more = 5},
	{"self(d)>25%", FROM(100, 120, 1.1, 1.25, 0.5), PASS},
	{"self(d)>25%", FROM(100, 120, 1.1, 1.26, 0.5), UNSURE, .more = 9},
	{"self(d)>25%", FROM(100, 120, NAN, NAN, NAN), PASS},
	/* p below 0.02 if the ends of the interval differ by half, for samples, and the whole */
	{"self(d)>25%", FROM(100, 150, 1.5, 2.249, 0.049), FAIL},
	{"self(d)>25%", FROM(100, 150, 1.5, 2.25, 0.021), UNSURE, .more = 2},
	{"self(d)>25%", FROM(100, 150, 1.5, 2.25, 0.019), FAIL},
	{"self(d)>25%", FROM(100, 130, 1.26, 1.4, 0.021), UNSURE, .more = 5, .sampled = true},
	{"self(d)>25%", FROM(100, 130, 1.26, 1.4, 0.019), FAIL, .sampled = true},
	{"total>25%", FROM(WHOLE, 13000000, 1.26, 1.4, 0.021), UNSURE, .more = 5},
	{"total>25%", FROM(WHOLE, 13000000, 1.26, 1.4, 0.019), FAIL},
	/* A factor of 16 of the machine leaves a factor of 2 to a function, in both directions. */
	{"self(d)>25%", FROM(100, 260, 2.49, 2.7, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .factor = 16},
	{"self(d)>25%", FROM(100, 260, 2.51, 2.7, 0.01), FAIL, .factor = 16},
	{"self(d)>25%", FROM(100, 260, 2.49, 2.7, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .factor = 1. / 16},
	{"self(d)>25%", FROM(100, 260, 2.51, 2.7, 0.01), FAIL, .factor = 1. / 16},
	/* The whole may be the machine's fault. */
	{"total>25%", FROM(WHOLE, 18750000, 1.5, 1.9, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .factor = 1.5},
	{"total>25%", FROM(WHOLE, 18760000, 1.5, 1.9, 0.01), FAIL, .factor = 1.5},
	{"total>25%", FROM(WHOLE, 15000000, 1.4, 1.6, 0.01), FAIL, .factor = 1.25},
	{"total>25%", FROM(WHOLE, 15000000, 1.4, 1.6, NAN), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_NOTHING},
	{"total>25%", FROM(WHOLE, WHOLE, NAN, NAN, NAN), PASS},
	/* 1 % of the whole: by growth without the machine, and only for rules about any function */
	{"self>25%", FROM(200000, 299999, 1.3, 1.4, 0.01), PASS},
	{"self>25%", FROM(200000, 300000, 1.3, 1.4, 0.01), FAIL},
	{"self>25%", FROM(200000, 599998, 1.6, 2.3, 0.01), PASS, .factor = 2},
	{"self>25%", FROM(200000, 600000, 1.6, 2.3, 0.01), FAIL, .factor = 2},
	{"self>25%,1ns", FROM(1000, 1300, 1.26, 1.4, 0.01), FAIL},
	/* and an uncertain change is reported if it is above the limit without the machine. */
	{"self>25%", FROM(400000, 500000, 1.1, 1.4, 0.5), PASS},
	{"self>25%", FROM(400000, 500001, 1.1, 1.4, 0.5), UNSURE},
	{"self>1ns", FROM(1000000, 1100000, 1, 1.2, 0.5), PASS},
	{"self>1ns", FROM(1000000, 1100001, 1, 1.2, 0.5), UNSURE, .more = 1},
	{"self>1ns", FROM(1000000, 2200000, 1, 2.2, 0.5), PASS, .factor = 2},
	{"self>1ns", FROM(1000000, 2200002, 1, 2.2, 0.5), UNSURE, .more = 1, .factor = 2},
	/* The part of a total that waits is not divided by 2, and 400 that work are not more than
	 * 400 * 2 ^ 1/4 less 1000 - 600: 1200 / (1200 / 2 ^ 5/4 + 600) * 1.1 is 1.195. */
	{"total(d)>10%", FROM(1000, 1800, 1.19, 1.3, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .factor = 2, .waiting = {600, 600}},
	{"total(d)>10%", FROM(1000, 1800, 1.2, 1.3, 0.01), FAIL, .factor = 2,
	 .waiting = {600, 600}},
	/* What waits longer on a slower machine may do so because of it: 1400 / (800 / 2 ^ 5/4 +
	 * 600) * 1.1 is 1.645. */
	{"total(d)>10%", FROM(1000, 1800, 1.64, 1.8, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .factor = 2, .waiting = {600, 1000}},
	{"total(d)>10%", FROM(1000, 1800, 1.65, 1.8, 0.01), FAIL, .factor = 2,
	 .waiting = {600, 1000}},
	{"total(d)>10%", FROM(1000, 1800, 1.64, 1.8, 0.05), UNSURE, .factor = 2,
	 .waiting = {600, 1000}, .more = 1},
	/* It fails on a faster machine: 1200 / (200 * 2 / 2 ^ 1/4 + 800) * 1.1 is 1.161. */
	{"total(d)>10%", FROM(1000, 1000, 1.16, 1.3, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .factor = 0.5, .waiting = {600, 800}},
	{"total(d)>10%", FROM(1000, 1000, 1.17, 1.3, 0.01), FAIL, .factor = 0.5,
	 .waiting = {600, 800}},
	/* If less may wait, more is divided by the speed. */
	{"total(d)>10%", FROM(1000, 700, 0.8, 0.9, 0.01), PASS, .factor = 0.5,
	 .waiting = {600, 600}, .perhaps = 300},
	{"total(d)>10%", FROM(1000, 700, 0.8, 0.9, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_WAITS, .factor = 0.5, .waiting = {600, 600}, .perhaps = 299},
	{"self(d)>10%", FROM(1000, 500, 0.8, 0.9, 0.01), PASS, .factor = 0.5, .waiting = {600, 600},
	 .perhaps = 299},
	/* The whole, on a machine that is slower by half: 400 that work took 600. */
	{"total>10%", FROM(1000, 1350, 1.3, 1.4, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .factor = 1.5, .waiting = {600, 600}},
	{"total>10%", FROM(1000, 1352, 1.3, 1.4, 0.01), FAIL, .factor = 1.5, .waiting = {600, 600}},
	{"total>10%", FROM(1000, 1650, 1.6, 1.7, 0.01), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .factor = 1.5, .waiting = {600, 900}},
	/* Both parts of a limit must be exceeded. */
	{"self(d)>25%,64ns", FROM(128, 200, 1.49, 1.6, 0.01), UNSURE, .more = 1},
	{"self(d)>25%,64ns", FROM(128, 200, 1.51, 1.6, 0.01), FAIL},
	{"self(d)>75%,64ns", FROM(128, 230, 1.75, 1.9, 0.01), UNSURE, .more = 8},
	{"self(d)>75%,64ns", FROM(128, 230, 1.76, 1.9, 0.01), FAIL},
	/* Few runs make a suspect, except for the whole, for which Mann-Whitney is enough. */
	{"self(d)>25%", FROM(100, 130, 1.26, 1.4, 0.01), SUSPECT, .more = 5,
	 .method = PK_DIFF_EXPLORATORY},
	{"total>25%", FROM(WHOLE, 13000000, 1.26, 1.4, 0.01), FAIL, .method = PK_DIFF_EXPLORATORY},
	{"total>25%", FROM(WHOLE, 13000000, 1.26, 1.4, 0.01), SUSPECT, .more = 5,
	 .method = PK_DIFF_EXPLORATORY, .members = true},
	{"self(d)>25%", FROM(100, 130, 1.26, 1.4, 0.01), FAIL, .method = PK_DIFF_MEANS,
	 .members = true},
	{"self(d)>25%", FROM(100, 130, 1.26, 1.4, 0.05), UNSURE, .more = 2, .runs = 3},
	{"self(d)>25%", FROM(100, 130, 1.26, 1.4, 0.05), UNSURE, .more = 1, .runs = 4},
	/* The width of an interval shrinks with the root of the number of runs; 100 more are the
	 * most that is said. */
	{"self(d)>25%", FROM(100, 150, 1, 5.3, 0.05), UNSURE, .more = 100},
	{"self(d)>25%", FROM(100, 150, 1, 5.33, 0.05), UNSURE},
	{"self(d)>25%", FROM(100, 125, 1, 1.4, 0.05), UNSURE},
	{"self(d)>25%", FROM(100, 150, 0, 1.4, 0.05), UNSURE},
	/* Counts: the smallest after must be more than the largest before allows. */
	{"self(d)>25%", HAS(100, 125, PK_REGRESSED), PASS, .counted = true},
	{"self(d)>25%", HAS(100, 126, PK_REGRESSED), FAIL, .counted = true},
	{"self(d)>25%", HAS(100, 126, PK_INCONCLUSIVE), UNSURE, .counted = true},
	{"self(d)>25%", HAS(100, 126, PK_REGRESSED), UNSURE, .counted = true, .low = {90, 125}},
	{"self(d)>25%", HAS(100, 126, PK_REGRESSED), UNSURE, .counted = true, .high = {101, 130}},
	{"calls(d)>25%", HAS(100, 100, PK_INCONCLUSIVE), PASS, .high = {0, 125}},
	{"calls(d)>25%", HAS(100, 100, PK_INCONCLUSIVE), .verdict = PK_GATE_FAIL,
	 .reason = PK_REASON_ODD_RUNS, .high = {0, 126}},
	{"calls(d)>25%", HAS(100, 100, PK_INCONCLUSIVE), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_ODD_RUNS, .high = {0, 126}, .runs = 1},
	{"calls(d)>25%", HAS(100, 100, PK_INCONCLUSIVE), .verdict = PK_GATE_FAIL,
	 .reason = PK_REASON_ODD_RUNS, .high = {0, 126}, .members = true},
	{"calls(d)>25%", HAS(100, 100, PK_INCONCLUSIVE), PASS, .low = {99}, .high = {0, 126}},
	{"calls(d)>25%", HAS(100, 126, PK_INCONCLUSIVE), UNSURE},
	{"calls>25%", HAS(100, 100, PK_INCONCLUSIVE), .verdict = PK_GATE_FAIL,
	 .reason = PK_REASON_ODD_RUNS, .high = {0, 126}},
	{"calls>25%", HAS(100, 126, PK_REGRESSED), FAIL},
	/* One run: above the limit, and by 1 % of the larger whole, is suspect from 25 %. */
	{"self(d)>5%", FROM(1000000, 1250000, NAN, NAN, NAN), UNSURE, .method = PK_DIFF_NOISE,
	 .whole = 25000000},
	{"self(d)>5%", FROM(1000000, 1250000, NAN, NAN, NAN), PASS, .method = PK_DIFF_NOISE,
	 .whole = 25000001},
	{"self(d)>5%", FROM(1000000, 1250001, NAN, NAN, NAN), SUSPECT, .method = PK_DIFF_NOISE},
	{"self(d)>25%", FROM(1000000, 1250001, 1.25, 1.4, NAN), UNSURE, .method = PK_DIFF_NOISE},
	{"self(d)>25%", FROM(1000000, 1250001, 1.26, 1.4, NAN), SUSPECT, .method = PK_DIFF_NOISE},
	{"self(d)>25%", FROM(1000000, 1250000, 1.26, 1.4, NAN), PASS, .method = PK_DIFF_NOISE},
	{"self(d)>25%", FROM(1000000, 2500002, 1.26, 1.4, NAN), SUSPECT, .method = PK_DIFF_NOISE,
	 .factor = 2},
	{"self(d)>25%", FROM(1000000, 2500000, 1.26, 1.4, NAN), PASS, .method = PK_DIFF_NOISE,
	 .factor = 2},
	{"total>25%", FROM(WHOLE, 18750000, 1.5, 1.9, NAN), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .more = 1, .method = PK_DIFF_NOISE, .factor = 1.5},
	{"total(d)>25%", FROM(1000000, 2000000, NAN, NAN, NAN), SUSPECT, .method = PK_DIFF_NOISE,
	 .factor = 2, .waiting = {800000, 800000}},
	{"total(d)>25%", FROM(1000000, 1800000, NAN, NAN, NAN), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_MACHINE, .method = PK_DIFF_NOISE, .factor = 2,
	 .waiting = {600000, 1000000}},
	/* A value that is new, or was 0 before, has no ratio. */
	{"new>25%", HAS(0, WHOLE / 4, PK_NEW), PASS},
	{"new>25%", HAS(0, WHOLE / 4 + 1, PK_NEW), FAIL},
	{"new>25%", HAS(0, WHOLE / 2, PK_NEW), UNSURE, .low = {0, WHOLE / 4}},
	{"new>25%", HAS(0, WHOLE / 2, PK_UNCHANGED), PASS},
	{"new>64ns", HAS(0, 64, PK_NEW), PASS},
	{"new>64ns", HAS(0, 65, PK_NEW), FAIL},
	{"new>64ns", HAS(0, 96, PK_NEW), PASS, .factor = 1.5},
	{"new>64ns", HAS(0, 97, PK_NEW), FAIL, .factor = 1.5},
	{"new>64ns", HAS(0, 32, PK_NEW), PASS, .factor = 0.5},
	{"new>64ns", HAS(0, 33, PK_NEW), FAIL, .factor = 0.5},
	{"new>25%", HAS(0, WHOLE / 4 + 1, PK_NEW), FAIL, .factor = 2},
	{"calls(d)>64", HAS(0, 64, PK_NEW), PASS, .factor = 0.5},
	{"new>64ns", HAS(0, 65, PK_NEW), FAIL, .method = PK_DIFF_NOISE},
	{"new>64ns", HAS(0, 65, PK_NEW), FAIL, .sampled = true},
	{"new>64ns", HAS(0, 65, PK_NEW), SUSPECT, .method = PK_DIFF_NOISE, .sampled = true},
	{"calls(d)>5%", HAS(0, 1, PK_NEW), FAIL, .method = PK_DIFF_NOISE, .sampled = true},
	{"self(d)>5%", HAS(0, 1000000, PK_NEW), PASS},
	{"self(d)>64ns", HAS(0, 65, PK_NEW), FAIL},
	{"self(d)>64ns", HAS(1000, 0, PK_GONE), PASS},
	{"self(d)>64ns", FROM(100, 1000, 9, 11, 0.01), FAIL},
	{"self(d)>64ns", {100, 1000, NAN, 9, 11, 0.01, PK_SHIFTED, PK_REGRESSED}, PASS},
	{"self(d)>64ns", FROM(0, 100000, NAN, NAN, 0.01), PASS},
	{"self(d)>64ns", FROM(0, 100001, NAN, NAN, 0.01), FAIL},
	{"self(d)>64ns", FROM(0, 100001, NAN, NAN, 0.021), SUSPECT},
	{"self(d)>64ns", FROM(0, 100001, NAN, NAN, 0.01), SUSPECT, .method = PK_DIFF_NOISE},
	{"self(d)>64ns", FROM(0, 100001, NAN, NAN, 0.01), UNSURE, .low = {0, 100000}},
	{"self(d)>1ms", FROM(0, 1000000, NAN, NAN, 0.01), PASS},
	{"self(d)>1ms", FROM(0, 1000001, NAN, NAN, 0.01), FAIL},
	{"self(d)>25%", FROM(PK_NULL, 100, NAN, NAN, NAN), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_UNKNOWN},
	{"self(d)>25%", FROM(100, PK_NULL, NAN, NAN, NAN), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_UNKNOWN},
};

/* Sets the value of each run of a side so that these are the least and the largest. */
static void set_runs(struct pk_diff_side *s, const struct decision *t, enum pk_side of,
		     int64_t *value, struct pk_diff_spread *spread)
{
	int64_t median = of == PK_BEFORE ? t->is.before : t->is.after;

	for (uint32_t r = 0; r < s->runs; r++)
		value[r] = median;
	value[0] = t->low[of] ? t->low[of] : median;
	value[s->runs - 1] = t->high[of] ? t->high[of] : median;
	spread->least = value[0];
	spread->most = value[s->runs - 1];
}

static void set_diff(struct pk_diff *d, const struct decision *t, const struct pk_rule *rule,
		     struct pk_diff_spread *spread)
{
	bool total = rule->subject == PK_RULE_TOTAL && rule->has_pattern;
	enum pk_measure m = rule->subject == PK_RULE_CALLS ? PK_CALLS : total ? PK_TOTAL : PK_SELF;
	struct pk_diff_row *row = &d->row[rule->has_pattern ? D : 0];
	struct pk_change is = t->is;

	is.ratio = pk_change_ratio(&is) / (t->factor && rule->has_pattern ? t->factor : 1);
	for (int s = 0; s < PK_SIDES; s++)
		row->waiting[s] = t->waiting[s];
	row->waiting_perhaps = t->perhaps ? t->perhaps : t->waiting[PK_AFTER];
	d->method = t->counted ? PK_DIFF_EXACT : t->method ? t->method : PK_DIFF_TESTED;
	d->machine_factor = t->factor ? t->factor : NAN;
	d->exactness = t->sampled ? PK_SAMPLED : PK_EXACT;
	d->total = (struct pk_change){WHOLE, t->whole ? t->whole : WHOLE, 1, NAN, NAN, NAN, 0, 0};
	for (uint32_t i = 1; i < ROWS; i++)
		d->row[i].change[m] = (struct pk_change)HAS(1000, 1000, PK_UNCHANGED);
	if (rule->has_pattern || rule->subject == PK_RULE_SELF || rule->subject == PK_RULE_NEW)
		d->row[D].change[m] = is;
	else if (m == PK_CALLS)
		d->total_calls = is;
	else
		d->total = is;
	for (int s = 0; s < PK_SIDES; s++) {
		struct pk_diff_side *side = &d->side[s];

		side->runs = s == PK_BEFORE && t->runs ? t->runs : RUNS;
		side->members = t->members ? side->runs : 0;
		side->spread[m] = spread + s * (int)ROWS;
		set_runs(side, t, (enum pk_side)s, side->value[m] + (size_t)D * side->runs,
			 &side->spread[m][D]);
		set_runs(side, t, (enum pk_side)s, side->calls, &side->spread[m][0]);
	}
}

START_TEST(decides)
{
	const struct decision *t = &decisions[_i];
	struct checked c;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_diff_spread spread[PK_SIDES * ROWS] = {0};
	struct pk_gate_finding pass = {.verdict = PK_GATE_PASS}, *f = &pass;

	check(&c, &same5, &same5, t->rule);
	pk_gate_release(&c.gate);
	set_diff(&c.d, t, c.rules.rule, spread);
	ck_assert(!pk_gate_init(&c.gate, &c.rules, &c.d, NULL, &pk_gate_defaults, &err));
	ck_assert_uint_le(c.gate.count, 1);
	if (c.gate.count)
		f = c.gate.finding;
	ck_assert_msg(f->verdict == t->verdict && f->reason == t->reason && f->more_runs == t->more,
		      "%d: %s: verdict %s, reason %d, %u more runs", _i, t->rule,
		      pk_gate_verdicts[f->verdict], (int)f->reason, f->more_runs);
	if (f->reason == PK_REASON_ODD_RUNS) {
		ck_assert_int_eq(f->most, 126);
		ck_assert_uint_eq(f->odd_runs, t->members ? 0 : 1);
	}
	for (int s = 0; s < PK_SIDES; s++) {
		c.d.side[s].runs = RUNS;
		c.d.side[s].members = 0;
		memset(c.d.side[s].spread, 0, sizeof(c.d.side[s].spread));
	}
	release(&c);
}
END_TEST

static void set_row(struct pk_diff *d, uint32_t row, enum pk_measure m, int64_t after,
		    enum pk_verdict verdict)
{
	d->row[row].change[m] = (struct pk_change)HAS(1000, after, verdict);
}

/* The whole is blamed on the largest certain change for the worse, else the largest suspected one;
 * more calls on the caller that is called more often itself. */
START_TEST(blames)
{
	struct pk_gate_finding whole = {.measure = PK_SELF};
	struct checked c;

	check(&c, &same5, &same5, "total>5%");
	whole.diff = &c.d;
	whole.rule = c.rules.rule;
	for (uint32_t i = 1; i < ROWS; i++)
		set_row(&c.d, i, PK_SELF, 9000, PK_IMPROVED);
	ck_assert_uint_eq(pk_gate_blamed(&whole), 0);
	set_row(&c.d, 2, PK_SELF, 1007, PK_SUSPECT);
	set_row(&c.d, 1, PK_SELF, 1008, PK_SUSPECT);
	set_row(&c.d, 4, PK_SELF, 1008, PK_SUSPECT);
	ck_assert_uint_eq(pk_gate_blamed(&whole), 1);
	set_row(&c.d, 5, PK_SELF, 1002, PK_REGRESSED);
	set_row(&c.d, 6, PK_SELF, 1003, PK_NEW);
	c.d.row[6].caller = 7;
	ck_assert_uint_eq(pk_gate_blamed(&whole), 6);
	whole.measure = PK_CALLS;
	set_row(&c.d, 6, PK_CALLS, 1003, PK_REGRESSED);
	c.d.row[7].caller = 8;
	ck_assert_uint_eq(pk_gate_blamed(&whole), 8);
	c.d.row[8].caller = 6; /* a cycle */
	ck_assert_uint_ne(pk_gate_blamed(&whole), 0);
	release(&c);
}
END_TEST

/* The rule for any function is not broken if the certain changes became faster in sum, and
 * uncertain ones are not reported then. Findings: the worst first, then the largest. */
START_TEST(faster_in_sum)
{
	struct pk_error err = PK_ERROR_INIT;
	const struct pk_gate_finding *f;
	struct checked c;
	struct pk_change slow = FROM(1000, 1300, 1.26, 1.4, 0.01);
	struct pk_change slower = FROM(1000, 1301, 1.26, 1.4, 0.01);
	struct pk_change unsure = FROM(1000, 1900, 1.01, 1.9, 0.5);

	check(&c, &same5, &same5, "self>25%");
	c.rules.rule[0].unless_faster = true;
	c.d.method = PK_DIFF_TESTED;
	c.d.machine_factor = NAN;
	c.d.total = (struct pk_change)HAS(8000, 8000, PK_UNCHANGED);
	for (uint32_t i = 1; i < ROWS; i++)
		set_row(&c.d, i, PK_SELF, 1000, PK_UNCHANGED);
	slow.verdict = slower.verdict = PK_REGRESSED;
	unsure.verdict = PK_INCONCLUSIVE;
	c.d.row[2].change[PK_SELF] = unsure;
	c.d.row[1].change[PK_SELF] = c.d.row[4].change[PK_SELF] = slow;
	c.d.row[5].change[PK_SELF] = slower;
	for (int64_t by = 900; by < 902; by++) {
		set_row(&c.d, 6, PK_SELF, 1000 - by, PK_IMPROVED);
		set_row(&c.d, 7, PK_SELF, 1000 - by, PK_MINOR);
		set_row(&c.d, 8, PK_SELF, PK_NULL, PK_GONE);
		pk_gate_release(&c.gate);
		ck_assert(!pk_gate_init(&c.gate, &c.rules, &c.d, NULL, &pk_gate_defaults, &err));
		f = c.gate.finding;
		ck_assert_uint_eq(c.gate.rule[0].functions, 8);
		ck_assert_int_eq(c.gate.verdict, by == 900 ? PK_GATE_FAIL : PK_GATE_PASS);
		ck_assert_uint_eq(c.gate.count, by == 900 ? 4 : 3);
		ck_assert_uint_eq(f[0].row, 5);
		ck_assert_uint_eq(f[1].row, 1);
		ck_assert_uint_eq(f[2].row, 4);
		if (by == 900)
			ck_assert_uint_eq(f[3].row, 2);
		else
			ck_assert_int_eq(f[2].reason, PK_REASON_FASTER);
	}
	/* unchanged if the whole became faster, whatever the sum is. */
	set_row(&c.d, 6, PK_SELF, 1000, PK_UNCHANGED);
	c.d.total.verdict = PK_IMPROVED;
	pk_gate_release(&c.gate);
	ck_assert(!pk_gate_init(&c.gate, &c.rules, &c.d, NULL, &pk_gate_defaults, &err));
	ck_assert_int_eq(c.gate.verdict, PK_GATE_PASS);
	release(&c);
}
END_TEST

/* A benchmark, or the mean of all if row is 0, in seconds or as a number. */
struct benchmark {
	double relative, absolute; /* of the rule */
	struct pk_change is;
	enum pk_gate_verdict verdict;
	enum pk_gate_reason reason;
	uint32_t more;   /* values */
	size_t one_side; /* values after; 0: 10, as before */
	bool mean, number, usual, rate, new, machines, divided;
};
#define IS(b, a, r, low, high, p_is)                                                           \
	{                                                                                      \
		.before = (b), .after = (a), .ratio = (r), .ci_low = (low), .ci_high = (high), \
		.p = (p_is)                                                                    \
	}
#define MANY .verdict = PK_GATE_INCONCLUSIVE, .reason = PK_REASON_VALUES
#define ALONE .reason = PK_REASON_SUMMARY, .one_side = 1
#define GIVEN(b, a, r, v)                                                                 \
	{                                                                                 \
		.before = (b), .after = (a), .ratio = (r), .ci_low = NAN, .ci_high = NAN, \
		.p = NAN, .verdict = (v)                                                  \
	}
#define QUARTER .relative = 0.25, .absolute = NAN

static const struct benchmark benchmarks[] = {
	/* The interval must be above the limit, and p below 0.02. */
	{QUARTER, IS(100, 130, 1.3, 1.26, 1.4, 0.019), FAIL},
	{QUARTER, IS(100, 130, 1.3, 1.26, 1.4, 0.021), MANY, .more = 9},
	{QUARTER, IS(100, 130, 1.3, 1.25, 1.4, 0.019), MANY, .more = 11},
	{QUARTER, IS(100, 130, 1.3, 1.25, 1.4, 0.019), MANY, .more = 0, .mean = true},
	{QUARTER, IS(100, 120, 1.2, 1.1, 1.25, 0.5), PASS},
	/* 10,000 are the most values that are said. */
	{QUARTER, IS(100, 126, 1.26, 1, 1.65564, 0.5), MANY, .more = 10000},
	{QUARTER, IS(100, 126, 1.26, 1, 1.65568, 0.5), MANY, .more = 0},
	{QUARTER, IS(100, 125, 1.25, 1, 1.4, 0.5), MANY, .more = 0},
	/* Without an interval the ratio counts, */
	{QUARTER, IS(100, 126, 1.26, NAN, NAN, 0.019), FAIL},
	{QUARTER, IS(100, 126, 1.26, NAN, NAN, 0.021), MANY},
	{QUARTER, IS(100, 125, 1.25, NAN, NAN, 0.019), PASS},
	/* of a rate the inverse. */
	{QUARTER, IS(100, 75, 0.75, 0.7, 0.79, 0.01), FAIL, .rate = true},
	{QUARTER, IS(100, 75, 0.75, 0.7, 0.8, 0.01), MANY, .more = 1, .rate = true},
	{QUARTER, IS(100, 85, 0.85, 0.8, 0.9, 0.01), PASS, .rate = true},
	{QUARTER, IS(100, 130, 1.3, 1.26, 1.4, 0.01), PASS, .rate = true},
	/* All values of a side are equal: p is not known. */
	{QUARTER, GIVEN(100, 126, 1.26, PK_REGRESSED), FAIL},
	{QUARTER, GIVEN(100, 126, 1.26, PK_INCONCLUSIVE), PASS},
	{QUARTER, GIVEN(100, 125, 1.25, PK_REGRESSED), PASS},
	{QUARTER, GIVEN(100, 126, 1.26, PK_REGRESSED), FAIL, .one_side = 2},
	/* One number a side: certain if a rule names it and it is no time. */
	{QUARTER, GIVEN(100, 126, 1.26, 0), .verdict = PK_GATE_SUSPECT, ALONE},
	{QUARTER, GIVEN(100, 126, 1.26, 0), .verdict = PK_GATE_FAIL, ALONE, .number = true},
	{QUARTER, GIVEN(100, 125, 1.25, 0), PASS, .one_side = 1},
	{QUARTER, GIVEN(100, 126, 1.26, 0), .verdict = PK_GATE_SUSPECT, ALONE, .usual = true},
	{0.02, NAN, GIVEN(100, 125, 1.25, 0), .verdict = PK_GATE_INCONCLUSIVE, ALONE,
	 .usual = true},
	{0.02, NAN, GIVEN(100, 125, 1.25, 0), .verdict = PK_GATE_INCONCLUSIVE, ALONE, .usual = true,
	 .number = true},
	{QUARTER, GIVEN(100, 101, 1.01, 0), .verdict = PK_GATE_INCONCLUSIVE, ALONE, .usual = true},
	{QUARTER, GIVEN(100, 101, 1.01, 0), PASS, .one_side = 1, .usual = true, .number = true},
	{QUARTER, GIVEN(100, 100, 1, 0), PASS, .one_side = 1, .usual = true},
	/* Benchmarks without a ratio, and those of one side only */
	{NAN, 64e-9, GIVEN(0, 65, INFINITY, PK_REGRESSED), FAIL},
	{NAN, 64e-9, GIVEN(0, 64, INFINITY, PK_REGRESSED), PASS},
	{NAN, 64e-9, GIVEN(0, 65, INFINITY, PK_NEW), FAIL, .new = true},
	{NAN, 64e-9, GIVEN(0, 64, INFINITY, PK_NEW), PASS, .new = true},
	{NAN, 64e-9, GIVEN(0, 65, INFINITY, PK_REGRESSED), PASS, .new = true},
	{QUARTER, GIVEN(0, 100, INFINITY, PK_NEW), PASS},
	{QUARTER, IS(100, 130, 1.3, 1.26, 1.4, 0.01), FAIL},
	{QUARTER, {100, 130, 1.3, 1.26, 1.4, 0.01, PK_SHIFTED, 0}, PASS},
	{QUARTER, {100, 130, 1.3, 1.26, 1.4, 0.01, PK_GONE, 0}, PASS},
	{QUARTER, GIVEN(PK_NULL, 100, NAN, 0), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_UNKNOWN},
	{QUARTER, GIVEN(100, PK_NULL, NAN, 0), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_UNKNOWN},
	{QUARTER, GIVEN(100, 100, NAN, 0), .verdict = PK_GATE_INCONCLUSIVE,
	 .reason = PK_REASON_UNKNOWN, .mean = true},
	/* On another machine no time is certain, unless it is divided by that of a reference. */
	{QUARTER, IS(100, 130, 1.3, 1.26, 1.4, 0.01), .verdict = PK_GATE_SUSPECT,
	 .reason = PK_REASON_MACHINES, .machines = true},
	{QUARTER, IS(100, 130, 1.3, 1.26, 1.4, 0.01), FAIL, .machines = true, .number = true},
	{QUARTER, IS(100, 130, 1.3, 1.26, 1.4, 0.01), FAIL, .machines = true, .divided = true},
};

START_TEST(decides_benchmarks)
{
	const struct benchmark *t = &benchmarks[_i];
	size_t first[PK_SIDES][3] = {{0, 3, 13}, {0, 5, 5 + (t->one_side ? t->one_side : 10)}};
	struct pk_rule rule = {.subject = t->new ? PK_RULE_NEW : PK_RULE_METRIC,
			       .relative = t->relative,
			       .absolute = t->absolute * 1e9,
			       .usual = t->usual};
	struct pk_diff d = {.benchmarks = true,
			    .kind = t->number ? PK_METRIC_COUNT : PK_METRIC_TIME,
			    .more_is_better = t->rate,
			    .reference = t->divided};
	struct pk_gate_options options = pk_gate_defaults;
	struct pk_gate_finding f = {.rule = &rule, .diff = &d, .row = !t->mean, .change = &t->is};

	options.machines = t->machines ? "CPU" : NULL;
	for (int s = 0; s < PK_SIDES; s++)
		d.side[s].repeated.first = first[s];
	pk_gate_decide_benchmark(&f, &options);
	ck_assert_msg(f.verdict == t->verdict && f.reason == t->reason && f.more_runs == t->more,
		      "%d: verdict %s, reason %d, %u more values", _i, pk_gate_verdicts[f.verdict],
		      (int)f.reason, f.more_runs);
	rule.subject = PK_RULE_MACHINE;
	for (int same = 0; same < 2; same++) {
		options.same_machine = same;
		pk_gate_decide_benchmark(&f, &options);
		ck_assert_int_eq(f.verdict, same ? PK_GATE_FAIL : PK_GATE_INCONCLUSIVE);
	}
}
END_TEST

static void add_decisions(TCase *tcase)
{
	tcase_add_loop_test(tcase, decides, 0, sizeof(decisions) / sizeof(*decisions));
	tcase_add_loop_test(tcase, decides_benchmarks, 0, sizeof(benchmarks) / sizeof(*benchmarks));
}

CHECK_MAIN_AND("gate", add_decisions, rules, several_runs, below_the_floor, machine, waits,
	       scales_without_waits, few_runs, new_and_nothing, rules_without_effect, blames,
	       faster_in_sum)
