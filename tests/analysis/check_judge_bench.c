/* Benchmarks of two sides: verdicts, and how often they are wrong. */
#include <math.h>
#include <string.h>

#include "analysis/check/judge.h"
#include "analysis/stats/stats.h"
#include "bench/simulate_bench.h"

#include "tests/check_util.h"

/* Up to 6 benchmarks; those without values have a mean. */
struct row {
	const char *name;
	double value[40];
	int count;
	double mean;
};

static struct pk_profile *make(const struct row *row, int rows, const char *metric,
			       const char *unit)
{
	struct pk_builder *b = pk_builder_new();
	bool time = !strcmp(unit, "ns");
	struct pk_bench bench;
	uint32_t m;

	pk_bench_begin(&bench, b);
	m = pk_bench_metric(&bench, metric, unit, time ? PK_METRIC_TIME : PK_METRIC_COUNT);
	for (int i = 0; i < rows; i++) {
		uint32_t node = pk_bench_row(&bench, row[i].name, NULL, NULL);

		for (int k = 0; k < row[i].count; k++)
			pk_bench_value(&bench, node, m, row[i].value[k]);
		if (!row[i].count)
			pk_bench_mean(&bench, node, m, row[i].mean);
	}
	pk_bench_end(&bench);
	return pk_builder_finish(b);
}

struct compared {
	struct pk_profiles list[PK_SIDES];
	struct pk_diff d;
};

static void compare(struct compared *c, struct pk_profile *before, struct pk_profile *after)
{
	struct pk_diff_options options = {0};
	struct pk_error err = PK_ERROR_INIT;

	*c = (struct compared){0};
	pk_profiles_add(&c->list[PK_BEFORE], before);
	pk_profiles_add(&c->list[PK_AFTER], after);
	ck_assert_msg(!pk_diff_init(&c->d, &c->list[PK_BEFORE], &c->list[PK_AFTER], &options, &err),
		      "%s", err.text);
	pk_diff_judge(&c->d, NULL);
	pk_diff_attribute(&c->d, 1U << PK_SELF);
}

static void release(struct compared *c)
{
	pk_diff_release(&c->d);
	pk_profiles_release(&c->list[PK_BEFORE]);
	pk_profiles_release(&c->list[PK_AFTER]);
}

static const struct pk_diff_row *row_named(const struct pk_diff *d, const char *name)
{
	for (uint32_t i = 1; i < d->match.count; i++) {
		uint32_t id;
		const struct pk_profile *p = pk_match_profile(&d->match, i, &id);

		if (!strcmp(pk_text(p, p->function.name[id]), name))
			return &d->row[i];
	}
	ck_abort_msg("no row %s", name);
}

static enum pk_verdict verdict_on(const struct pk_diff *d, const char *name)
{
	return row_named(d, name)->change[PK_SELF].verdict;
}

/* Values around 1 s, 1 % to either side. */
static void fill(struct row *row, const char *name, int count, double factor)
{
	*row = (struct row){.name = name, .count = count};
	for (int i = 0; i < count; i++)
		row->value[i] = factor * (0.99 + 0.02 * ((i * 7 + 3) % 11) / 10);
}

START_TEST(verdicts)
{
	struct row before[7], after[7];
	const struct pk_change *change;
	struct compared c;

	fill(&before[0], "same", 30, 1);
	fill(&after[0], "same", 30, 1.001);
	fill(&before[1], "slower", 30, 1);
	fill(&after[1], "slower", 30, 1.05);
	fill(&before[2], "faster", 30, 1);
	fill(&after[2], "faster", 20, 0.9);
	fill(&before[3], "few", 5, 1);
	fill(&after[3], "few", 5, 1.06);
	fill(&before[4], "one", 1, 1);
	fill(&after[4], "one", 1, 1.5);
	before[5] = after[5] = (struct row){.name = "summary", .mean = 1};
	after[5].mean = 1.1;
	fill(&before[6], "old", 30, 1);
	fill(&after[6], "entirely new", 30, 2);
	compare(&c, make(before, 7, "time", "ns"), make(after, 7, "time", "ns"));
	ck_assert_int_eq(c.d.method, PK_DIFF_REPEATED);
	ck_assert_int_eq(verdict_on(&c.d, "same"), PK_UNCHANGED);
	ck_assert_int_eq(verdict_on(&c.d, "slower"), PK_REGRESSED);
	ck_assert_int_eq(verdict_on(&c.d, "faster"), PK_IMPROVED);
	ck_assert_int_eq(verdict_on(&c.d, "few"), PK_INCONCLUSIVE);
	ck_assert_int_eq(verdict_on(&c.d, "one"), PK_SUSPECT);
	ck_assert_int_eq(verdict_on(&c.d, "summary"), PK_INCONCLUSIVE);
	ck_assert_int_eq(verdict_on(&c.d, "old"), PK_GONE);
	ck_assert_int_eq(verdict_on(&c.d, "entirely new"), PK_NEW);
	change = &row_named(&c.d, "slower")->change[PK_SELF];
	ck_assert_double_eq_tol(change->ratio, 1.05, 1e-9);
	ck_assert(change->ci_low > 1.03 && change->ci_high < 1.07 && change->p < 1e-4);
	/* fs: the median of values that are the same but for the factor */
	ck_assert_int_eq(change->before, 1000000000000000);
	ck_assert_int_eq(change->after, 1050000000000000);
	ck_assert(isnan(row_named(&c.d, "one")->change[PK_SELF].p));
	/* the two benchmarks of one side only do not count in the mean */
	ck_assert_double_eq_tol(c.d.total.ratio, pow(1.001 * 1.05 * 0.9 * 1.06 * 1.5 * 1.1, 1. / 6),
				1e-3);
	release(&c);
}
END_TEST

START_TEST(counts)
{
	struct row before[4], after[4];
	struct compared c;

	for (int s = 0; s < 2; s++) {
		struct row *row = s ? after : before;

		row[0] = (struct row){"more", {s ? 8 : 7, s ? 8 : 7, s ? 8 : 7}, 3, 0};
		row[1] = (struct row){"same", {5, 5, 5}, 3, 0};
		row[2] = (struct row){"none", {0, 0, 0}, 3, 0};
		row[3] = (struct row){"first", {s, s, s}, 3, 0};
	}
	compare(&c, make(before, 4, "allocs/op", "count"), make(after, 4, "allocs/op", "count"));
	ck_assert_int_eq(verdict_on(&c.d, "more"), PK_REGRESSED);
	ck_assert_int_eq(verdict_on(&c.d, "same"), PK_UNCHANGED);
	ck_assert_int_eq(verdict_on(&c.d, "none"), PK_UNCHANGED);
	ck_assert_int_eq(verdict_on(&c.d, "first"), PK_REGRESSED);
	release(&c);
	/* of a rate, less is worse */
	compare(&c, make(before, 1, "speed", "MB/s"), make(after, 1, "speed", "MB/s"));
	ck_assert_int_eq(verdict_on(&c.d, "more"), PK_IMPROVED);
	release(&c);
}
END_TEST

START_TEST(odd_values)
{
	struct row before[2], after[2];
	struct compared c;

	fill(&before[0], "negative", 30, 1);
	fill(&after[0], "negative", 30, 2);
	before[0].value[4] = -1;
	fill(&before[1], "zero", 20, 0);
	fill(&after[1], "zero", 20, 0);
	compare(&c, make(before, 2, "time", "ns"), make(after, 2, "time", "ns"));
	ck_assert_int_eq(verdict_on(&c.d, "negative"), PK_REGRESSED);
	ck_assert(isnan(row_named(&c.d, "negative")->change[PK_SELF].ci_low));
	ck_assert_int_eq(verdict_on(&c.d, "zero"), PK_UNCHANGED);
	release(&c);
}
END_TEST

START_TEST(renamed)
{
	struct row before[2], after[2];
	struct compared c;

	fill(&before[0], "same", 30, 1);
	fill(&after[0], "same", 30, 1);
	fill(&before[1], "test_parse_json", 30, 3);
	fill(&after[1], "test_parse_json_file", 30, 3.1);
	compare(&c, make(before, 2, "time", "ns"), make(after, 2, "time", "ns"));
	ck_assert_str_eq(row_named(&c.d, "test_parse_json")->note,
			 "perhaps renamed to test_parse_json_file");
	ck_assert_int_eq(verdict_on(&c.d, "test_parse_json"), PK_SHIFTED);
	release(&c);
}
END_TEST

START_TEST(pools_files)
{
	struct row row;
	struct compared c;
	struct pk_diff_options options = {0};
	struct pk_error err = PK_ERROR_INIT;

	fill(&row, "b", 10, 1);
	compare(&c, make(&row, 1, "time", "ns"), make(&row, 1, "time", "ns"));
	pk_diff_release(&c.d);
	fill(&row, "b", 20, 1);
	pk_profiles_add(&c.list[PK_AFTER], make(&row, 1, "time", "ns"));
	ck_assert(!pk_diff_init(&c.d, &c.list[PK_BEFORE], &c.list[PK_AFTER], &options, &err));
	ck_assert_uint_eq(pk_diff_values(&c.d, PK_BEFORE, 1), 10);
	ck_assert_uint_eq(pk_diff_values(&c.d, PK_AFTER, 1), 30);
	ck_assert_uint_ne(c.d.side[PK_AFTER].repeated.process[9],
			  c.d.side[PK_AFTER].repeated.process[10]);
	release(&c);
}
END_TEST

/* Values that follow each other in a phase of the machine count as fewer. */
START_TEST(inflation)
{
	double before[40], after[40];
	uint32_t process[40];
	struct pk_series b = {before, NULL, 40}, a = {after, NULL, 40};
	struct pk_compared_series mixed, phases, processes;

	for (int i = 0; i < 40; i++) {
		before[i] = (i * 17 + 5) % 40;
		after[i] = (i * 23 + 11) % 40 + 12;
		process[i] = (uint32_t)i / 8;
	}
	pk_compare_series(&b, &a, 0.95, &mixed);
	ck_assert_double_eq_tol(mixed.shift.estimate, 12, 1e-9);
	ck_assert_double_lt(mixed.inflation, 1.3);
	ck_assert_double_lt(mixed.p, 1e-3);
	for (int i = 0; i < 40; i++) {
		before[i] = i * 17 % 8 + (i / 8 * 3 % 5) * 8; /* 5 phases */
		after[i] = before[i] + 12;
	}
	pk_compare_series(&b, &a, 0.95, &phases);
	ck_assert_double_gt(phases.inflation, 3);
	ck_assert_double_gt(phases.p, 0.01);
	b.process = a.process = process; /* one phase each: 5 values a side */
	pk_compare_series(&b, &a, 0.95, &processes);
	ck_assert_double_gt(processes.inflation, 7);
	ck_assert_double_gt(processes.p, phases.p);
	for (int i = 0; i < 40; i++) { /* processes are blocks: by their definition */
		before[i] = (i % 2 ? 35 - i % 8 / 2 * 5 : i % 8 / 2 * 5) + (i / 8 * 3 % 5) * 6;
		after[i] = before[i] + 12;
	}
	pk_compare_series(&b, &a, 0.95, &processes);
	ck_assert_double_eq_tol(processes.inflation, 3.422607879924953, 1e-9);
}
END_TEST

START_TEST(few_values)
{
	/* means 2 and 4.5, variances 1/2 of 5 and 1/6 of 4 */
	static const double a[] = {1, 2, 2, 3, 2}, b[] = {4, 4.5, 4.5, 5};
	struct pk_compared_series result;

	pk_compare_series(&(struct pk_series){a, NULL, 5}, &(struct pk_series){b, NULL, 4}, 0.95,
			  &result);
	ck_assert_double_eq_tol(result.shift.estimate, 2.5, 1e-12);
	ck_assert_double_eq_tol(result.p, pk_t_two_sided(2.5 / sqrt(0.1 + 1 / 24.), 3), 1e-12);
	pk_compare_series(&(struct pk_series){a, NULL, 1}, &(struct pk_series){b, NULL, 4}, 0.95,
			  &result);
	ck_assert(isnan(result.p));
}
END_TEST

START_TEST(holm)
{
	double p[] = {0.04, 0.01, 0.03, 0.5};

	pk_holm(p, 4); /* 0.01 * 4, 0.03 * 3, 0.04 * 2 but not below the one before, 0.5 */
	ck_assert_double_eq_tol(p[1], 0.04, 1e-12);
	ck_assert_double_eq_tol(p[2], 0.09, 1e-12);
	ck_assert_double_eq_tol(p[0], 0.09, 1e-12);
	ck_assert_double_eq_tol(p[3], 0.5, 1e-12);
}
END_TEST

/* The short form of bench/sim_bench.c: files of 20 benchmarks of 30 values. */
START_TEST(study)
{
	enum { CHECKS = 100, BENCHMARKS = 20, VALUES = 30, SLOW = 5 };
	int alarms = 0, found = 0;

	chance = 4711 + (uint64_t)_i;
	for (int i = 0; i < CHECKS; i++)
		alarms += check_files((enum shape)_i, BENCHMARKS, VALUES, 0, 0).wrong > 0;
	for (int i = 0; i < CHECKS / SLOW; i++)
		found += check_files((enum shape)_i, BENCHMARKS, VALUES, SLOW, 0.05).found;
	ck_assert_msg(alarms <= 2, "%s: %d of %d checks fail", shape_names[_i], alarms, CHECKS);
	if (_i != PHASES && _i != CORRELATED) /* these need more values */
		ck_assert_msg(found >= 80, "%s: %d of 100 slower benchmarks found", shape_names[_i],
			      found);
}
END_TEST

static void add_study(TCase *tcase)
{
	tcase_add_loop_test(tcase, study, 0, SHAPES);
}

CHECK_MAIN_AND("judge_bench", add_study, verdicts, counts, odd_values, renamed, pools_files,
	       inflation, few_values, holm)
