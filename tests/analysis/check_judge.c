/* Verdicts on what a diff collected. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/check/judge_internal.h"
#include "base/alloc.h"
#include "analysis/stats/stats.h"
#include "model/build/builder.h"
#include "model/transform/transform.h"

#include "tests/check_util.h"

enum { FUNCTIONS = 12 };

/* Time in ns of function f in run r: 1 ms times f, 0.4 % around it. */
static int64_t base_value(int f, int r)
{
	return (int64_t)((f + 1) * 1e6 * (1 + ((f * 7 + r * 13) % 17 - 8) * 0.0005));
}

struct side {
	int runs, slow;        /* the function that is slower, -1 = none */
	double speed, by;      /* factor of all functions; of the slow one */
	const char *unit;      /* "ns", or a count */
	enum pk_exactness how; /* of the metric */
	int first;             /* number of the first run; counts differ between runs from 1 on */
};

static void make(struct pk_profiles *list, const struct side *side)
{
	*list = (struct pk_profiles){0};
	for (int r = 0; r < side->runs; r++) {
		struct pk_builder *b = pk_builder_new();
		bool time = !strcmp(side->unit, "ns");

		pk_build_metric(b, "value", side->unit, 0, time ? PK_METRIC_TIME : PK_METRIC_COUNT,
				side->how);
		for (int f = 0; f < FUNCTIONS; f++) {
			char name[8];
			struct pk_function frame = {0};
			double value =
				(double)base_value(f, time || side->first ? r + side->first : 0);
			uint32_t id;

			snprintf(name, sizeof(name), "f%d", f);
			frame.name = pk_build_text(b, name);
			id = pk_build_place(b, pk_build_function(b, &frame), 0);
			value *= side->speed * (f == side->slow ? side->by : 1);
			pk_build_cost(b, 0, pk_build_node(b, 0, id), 1, (int64_t)value, 3);
		}
		pk_profiles_add(list, pk_builder_finish(b));
	}
}

struct compared {
	struct pk_profiles list[PK_SIDES];
	struct pk_diff d;
	const struct pk_diff_row *slow; /* f7 */
};

static void judge_lists(struct compared *c, const struct pk_judge_options *judge)
{
	struct pk_diff_options options = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(!pk_diff_init(&c->d, &c->list[PK_BEFORE], &c->list[PK_AFTER], &options, &err),
		      "%s", err.text);
	pk_diff_judge(&c->d, judge);
	c->slow = &c->d.row[8];
}

static void compare_with(struct compared *c, const struct side *before, const struct side *after,
			 const struct pk_judge_options *judge)
{
	make(&c->list[PK_BEFORE], before);
	make(&c->list[PK_AFTER], after);
	judge_lists(c, judge);
}

static void compare(struct compared *c, const struct side *before, const struct side *after)
{
	compare_with(c, before, after, NULL);
}

static void release(struct compared *c)
{
	pk_diff_release(&c->d);
	pk_profiles_release(&c->list[PK_BEFORE]);
	pk_profiles_release(&c->list[PK_AFTER]);
}

/* How many functions have this verdict on their own value. */
static int count(const struct pk_diff *d, enum pk_verdict verdict)
{
	int found = 0;

	for (uint32_t i = 1; i < d->match.count; i++)
		found += d->row[i].change[PK_SELF].verdict == verdict;
	return found;
}

#define TIMES(runs, slow, speed, by, first)                  \
	{                                                    \
		runs, slow, speed, by, "ns", PK_EXACT, first \
	}

static void reduce(struct pk_profiles *list)
{
	struct pk_merging *merging = pk_merge_begin_part();
	struct pk_error err = PK_ERROR_INIT;

	ck_assert(!pk_merge_add_all(merging, list, &err));
	pk_profiles_release(list);
	pk_profiles_add(list, pk_merge_end(merging));
}

/* Mean, and variance of the mean, of f7 in the runs of a side. */
static double mean_of(const struct side *side, double *variance)
{
	double sum = 0, squares = 0, mean;

	for (int pass = 0; pass < 2; pass++) {
		mean = sum / side->runs;
		for (int r = 0; r < side->runs; r++) {
			double value = (double)base_value(7, r + side->first) * side->speed;
			int64_t cut = (int64_t)(value * (side->slow == 7 ? side->by : 1));

			sum += pass ? 0 : (double)cut;
			squares += pass ? ((double)cut - mean) * ((double)cut - mean) : 0;
		}
	}
	*variance = squares / (side->runs - 1) / side->runs;
	return mean;
}

static const struct pk_diff_row *named(const struct pk_diff *d, const char *name)
{
	const struct pk_profile *p;
	uint32_t id, i = 1;

	do
		p = pk_match_profile(&d->match, i++, &id);
	while (strcmp(pk_text(p, p->function.name[id]), name) != 0);
	return &d->row[i - 1];
}

/* Judges the sides as parts; c is released by the caller. */
static void judge_parts(struct compared *c, const struct side *before, const struct side *after)
{
	make(&c->list[PK_BEFORE], before);
	make(&c->list[PK_AFTER], after);
	reduce(&c->list[PK_BEFORE]);
	reduce(&c->list[PK_AFTER]);
	judge_lists(c, NULL);
}

/* Runs of parts: Welch's t of the means, worked out here from the single values. */
START_TEST(parts)
{
	struct side before = TIMES(6, -1, 1, 1, 0), after = TIMES(9, 7, 1, 1.02, 6);
	struct side same = TIMES(9, -1, 1, 1, 6);
	double v[2], mean[2], a, b, df, p;
	struct compared c;
	const struct pk_change *slow;

	judge_parts(&c, &before, &after);
	slow = &named(&c.d, "f7")->change[PK_SELF];
	mean[0] = mean_of(&before, &v[0]);
	mean[1] = mean_of(&after, &v[1]);
	a = v[0] / (mean[0] * mean[0]);
	b = v[1] / (mean[1] * mean[1]);
	df = (a + b) * (a + b) / (a * a / 5 + b * b / 8);
	p = pk_t_two_sided(log(mean[1] / mean[0]) / sqrt(a + b), df);
	ck_assert_int_eq(c.d.method, PK_DIFF_MEANS);
	ck_assert_int_eq(slow->before, llround(mean[0]));
	ck_assert_int_eq(slow->after, llround(mean[1]));
	ck_assert_double_eq_tol(slow->ratio, mean[1] / mean[0], 1e-12);
	ck_assert_double_eq_tol(slow->p, FUNCTIONS * p, 1e-9 * p); /* the smallest of 12 */
	ck_assert_int_eq(slow->verdict, PK_REGRESSED);
	ck_assert_int_eq(count(&c.d, PK_UNCHANGED), FUNCTIONS - 1);
	release(&c);
	judge_parts(&c, &before, &same);
	ck_assert_int_eq(count(&c.d, PK_UNCHANGED), FUNCTIONS);
	release(&c);
}
END_TEST

/* Few runs of parts: both sides share the variance, with as many degrees of freedom as all runs
 * less two. */
START_TEST(parts_of_few_runs)
{
	struct side before = TIMES(3, -1, 1, 1, 0), after = TIMES(4, 7, 1, 1.5, 3);
	double v[2], mean[2], shared, p;
	struct compared c;
	const struct pk_change *slow;

	judge_parts(&c, &before, &after);
	slow = &named(&c.d, "f7")->change[PK_SELF];
	mean[0] = mean_of(&before, &v[0]);
	mean[1] = mean_of(&after, &v[1]);
	shared = (2 * 3 * v[0] / (mean[0] * mean[0]) + 3 * 4 * v[1] / (mean[1] * mean[1])) / 5;
	p = pk_t_two_sided(log(mean[1] / mean[0]) / sqrt(shared / 3 + shared / 4), 5);
	ck_assert_int_eq(c.d.method, PK_DIFF_EXPLORATORY);
	ck_assert_double_eq_tol(slow->p, FUNCTIONS * p, 1e-9 * p); /* the smallest of 12 */
	ck_assert_int_eq(slow->verdict, PK_SUSPECT);
	release(&c);
}
END_TEST

/* Six runs of 60 functions: those of about a second are -0.1, -0.06, -0.02, 0.02, 0.06, 0.1 %
 * off, those of a tenth of a second 100 times as much, but for the first, which takes the same time
 * in all runs. */
static void make_sizes(struct pk_profiles *list, double first)
{
	*list = (struct pk_profiles){0};
	for (int r = 0; r < 6; r++) {
		struct pk_builder *b = pk_builder_new();

		pk_build_metric(b, "value", "ns", 0, PK_METRIC_TIME, PK_EXACT);
		for (int f = 0; f < 60; f++) {
			double size = (f % 2 ? 1e9 : 1e8) * (1 + f / 100.0);
			double varies = (2 * r - 5) / 5.0 * (f % 2 ? 0.001 : 0.1);
			char name[8];

			snprintf(name, sizeof(name), "f%d", f);
			pk_build_cost(b, 0,
				      pk_build_node(b, 0, pk_build_label(b, name, strlen(name))), 1,
				      llround(f ? size * (1 + varies) : first), PK_NULL);
		}
		pk_profiles_add(list, pk_builder_finish(b));
	}
	reduce(list);
}

/* A coarse clock: the variance of a function whose values are equal is a tenth of that of
 * functions of its size, in whatever order they are. */
START_TEST(equal_values)
{
	double usual = 0.1 * 0.1 * (1 + 0.36 + 0.04) * 2 / 5,
	       p = pk_t_two_sided(log(1.2) / sqrt(usual / 10 / 3), 10);
	const struct pk_change *change;
	struct compared c;

	make_sizes(&c.list[PK_BEFORE], 1e8);
	make_sizes(&c.list[PK_AFTER], 1.2e8);
	judge_lists(&c, NULL);
	change = &named(&c.d, "f0")->change[PK_SELF];
	ck_assert_int_eq(c.d.method, PK_DIFF_MEANS);
	ck_assert_double_eq_tol(change->p, 60 * p, 1e-6 * p);
	ck_assert_int_eq(change->verdict, PK_REGRESSED);
	release(&c);
}
END_TEST

START_TEST(runs)
{
	struct side before = TIMES(5, -1, 1, 1, 0), after = TIMES(5, 7, 1.3, 1.2, 5);
	struct pk_judge_options judge = pk_judge_defaults;
	struct compared c;
	const struct pk_change *slow;

	judge.machine = judge.each = true;
	compare_with(&c, &before, &after, &judge);
	slow = &c.slow->change[PK_SELF];
	ck_assert_int_eq(c.d.method, PK_DIFF_TESTED);
	ck_assert_double_eq_tol(c.d.machine_factor, 1.3, 0.005);
	ck_assert_int_eq(count(&c.d, PK_REGRESSED), 1);
	ck_assert_int_eq(count(&c.d, PK_UNCHANGED), FUNCTIONS - 1);
	ck_assert_int_eq(slow->verdict, PK_REGRESSED);
	ck_assert_double_eq_tol(slow->p, 2. / 252, 1e-12);
	ck_assert(slow->ci_low > 1.18 && slow->ci_low < 1.2 && slow->ci_high > 1.2);
	ck_assert_double_eq_tol(slow->ratio, 1.2, 0.01);
	/* The whole is compared as it is, machine and all. */
	ck_assert_int_eq(c.d.total.verdict, PK_REGRESSED);
	ck_assert_double_eq_tol(c.d.total.p, 2. / 252, 1e-12);
	ck_assert(c.d.total.ci_low > 1.3);
	ck_assert_int_eq(c.slow->change[PK_CALLS].verdict, PK_UNCHANGED);
	release(&c);
	/* All that was measured, by diff: each function is slower, f7 by both. */
	compare(&c, &before, &after);
	slow = &c.slow->change[PK_SELF];
	ck_assert_int_eq(count(&c.d, PK_REGRESSED), FUNCTIONS);
	ck_assert_double_eq_tol(slow->ratio, 1.3 * 1.2, 0.01);
	ck_assert(slow->ci_low < slow->ratio && slow->ratio < slow->ci_high);
	release(&c);
}
END_TEST

/* Ratio, interval, p and verdict never contradict each other, however much the runs differ; and a
 * function that is all of every run is judged as the whole is. */
START_TEST(consistent)
{
	unsigned state = 1;
	int clear = 0;

	for (int round = 0; round < 200; round++) {
		struct pk_diff_options options = {0};
		struct pk_error err = PK_ERROR_INIT;
		struct compared c = {0};
		int side_runs = 2 + round % 5;

		for (int s = 0; s < PK_SIDES; s++) {
			for (int r = 0; r < side_runs; r++) {
				struct pk_builder *b = pk_builder_new();
				uint32_t root = 0;

				pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
				for (int f = 0; f < FUNCTIONS; f++) {
					char name[3] = {'f', (char)('a' + f), 0};
					struct pk_function frame = {.name = pk_build_text(b, name)};
					uint32_t id =
						pk_build_place(b, pk_build_function(b, &frame), 0);
					uint32_t node = pk_build_node(b, f ? root : 0, id);

					root = f ? root : node;
					state = state * 1103515245 + 12345;
					pk_build_cost(
						b, 0, node, 1,
						(int64_t)(1e6 * (f + 1) *
							  (1 + (state >> 16) % 100 / 100.0) *
							  (f == 7 && s ? 1 + round / 50. : 1)),
						1);
				}
				pk_profiles_add(&c.list[s], pk_builder_finish(b));
			}
		}
		ck_assert(
			!pk_diff_init(&c.d, &c.list[PK_BEFORE], &c.list[PK_AFTER], &options, &err));
		pk_diff_judge(&c.d, NULL);
		for (uint32_t i = 1; i < c.d.match.count; i++) {
			for (int m = PK_SELF; m <= PK_TOTAL; m++) {
				const struct pk_change *g = &c.d.row[i].change[m];
				bool all = m == PK_TOTAL && i == 1;
				bool off = g->ci_low >= 1 || g->ci_high <= 1;

				if (isnan(g->ci_low))
					continue;
				ck_assert(g->ci_low <= g->ratio && g->ratio <= g->ci_high);
				ck_assert_int_eq(pk_change_direction(g) != 0, g->p < 0.05);
				if (!all)
					ck_assert_int_eq(off, g->p < 0.05);
				clear += off;
			}
		}
		ck_assert_int_eq(c.d.row[1].change[PK_TOTAL].verdict, c.d.total.verdict);
		ck_assert(c.d.row[1].change[PK_TOTAL].ratio == c.d.total.ratio);
		release(&c);
	}
	ck_assert_int_gt(clear, 50);
}
END_TEST

START_TEST(faster)
{
	struct side before = TIMES(10, -1, 1, 1, 0), after = TIMES(10, 7, 1, 0.8, 10);
	struct compared c;

	compare(&c, &before, &after);
	ck_assert_int_eq(count(&c.d, PK_IMPROVED), 1);
	ck_assert_int_eq(c.slow->change[PK_SELF].verdict, PK_IMPROVED);
	ck_assert_int_eq(count(&c.d, PK_REGRESSED), 0);
	release(&c);
}
END_TEST

/* Three runs are enough for a suspicion, not for certainty; for the whole they tell nothing. */
START_TEST(few_runs)
{
	struct side before = TIMES(3, -1, 1, 1, 0), after = TIMES(3, 7, 1, 1.2, 3);
	struct compared c;

	compare(&c, &before, &after);
	ck_assert_int_eq(c.d.method, PK_DIFF_EXPLORATORY);
	ck_assert_int_eq(c.slow->change[PK_SELF].verdict, PK_SUSPECT);
	ck_assert_int_eq(count(&c.d, PK_SUSPECT), 1);
	ck_assert_int_eq(c.d.total.verdict, PK_INCONCLUSIVE);
	ck_assert(isnan(c.d.total.ci_low));
	release(&c);
}
END_TEST

START_TEST(one_run)
{
	struct side before = TIMES(1, -1, 1, 1, 0), after = TIMES(1, 7, 2, 1.5, 1);
	struct pk_judge_options judge = pk_judge_defaults;
	struct compared c;

	compare(&c, &before, &after);
	ck_assert_int_eq(c.d.method, PK_DIFF_NOISE);
	ck_assert_double_eq_tol(c.d.machine_factor, 2, 0.02);
	ck_assert_int_eq(c.slow->change[PK_SELF].verdict, PK_SUSPECT);
	ck_assert(isnan(c.slow->change[PK_SELF].p));
	ck_assert_double_eq_tol(c.slow->change[PK_SELF].ratio, 3, 0.02);
	ck_assert_int_eq(count(&c.d, PK_SUSPECT) + count(&c.d, PK_MINOR), FUNCTIONS);
	release(&c);
	judge.machine = true;
	compare_with(&c, &before, &after, &judge);
	ck_assert_double_eq_tol(c.slow->change[PK_SELF].ratio, 1.5, 0.02);
	ck_assert_int_eq(c.slow->change[PK_SELF].verdict, PK_SUSPECT);
	ck_assert_int_eq(count(&c.d, PK_MINOR), FUNCTIONS - 1);
	release(&c);
}
END_TEST

/* Of one run a side: changes below 1 % of the larger whole are too small, and those below 25 % may
 * be noise, in both directions. */
START_TEST(one_run_at_bounds)
{
	static const struct {
		int64_t before, after;
		enum pk_verdict is;
	} rows[] = {
		{1000000, 1000000, PK_UNCHANGED},    {1000000, 1000001, PK_MINOR},
		{1000000, 1099999, PK_MINOR},        {1000000, 1100000, PK_INCONCLUSIVE},
		{1000000, 1250000, PK_INCONCLUSIVE}, {1000000, 1250001, PK_SUSPECT},
		{1250000, 1000000, PK_INCONCLUSIVE}, {1250001, 1000000, PK_SUSPECT},
	};
	struct side side = TIMES(1, -1, 1, 1, 0);
	struct compared c;

	compare(&c, &side, &side);
	for (int i = 0; i < 8; i++) {
		c.d.row[1 + i].change[PK_SELF].before = rows[i].before;
		c.d.row[1 + i].change[PK_SELF].after = rows[i].after;
	}
	for (int i = 0; i < 8; i++)
		c.d.row[8 - i].change[PK_TOTAL] = c.d.row[1 + i].change[PK_SELF];
	for (int64_t more = 0; more < 2; more++) {
		c.d.total.before = 8000000;
		c.d.total.after = 10000000 + more;
		pk_diff_judge(&c.d, NULL);
		ck_assert_int_eq(c.d.total.verdict, more ? PK_SUSPECT : PK_INCONCLUSIVE);
		for (int i = 0; i < 8 && !more; i++) {
			ck_assert_int_eq(c.d.row[1 + i].change[PK_SELF].verdict, rows[i].is);
			ck_assert_int_eq(c.d.row[8 - i].change[PK_TOTAL].verdict, rows[i].is);
		}
	}
	release(&c);
}
END_TEST

/* Samples over 2,000 ns, in 20 blocks: of "even" five in each block, of "burst" all in the fifth,
 * of "late" all in the last one, which the last sample ends. */
static struct pk_profile *make_samples(int times)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t node[3];

	pk_build_metric(b, "samples", "", 0, PK_METRIC_COUNT, PK_SAMPLED);
	for (int f = 0; f < 3; f++) {
		struct pk_function function = {.name = pk_build_text(b, f == 0   ? "even"
									: f == 1 ? "burst"
										 : "late")};

		node[f] =
			pk_build_node(b, 0, pk_build_place(b, pk_build_function(b, &function), 0));
	}
	for (int i = 0; i < 100 * times; i++) {
		pk_build_sample(b, i % 100 * 20, 0, node[0], 1, 1);
		pk_build_sample(b, 400 + i % 100, 0, node[1], 1, 1);
		pk_build_sample(b, i % 2 ? 1900 : 2000, 0, node[2], 1, 1);
	}
	return pk_builder_finish(b);
}

/* If samples come in bursts, there are fewer independent ones: the interval is wider by the
 * variance of blocks. If one of 20 blocks has all 100, it is 20 / 19 (95^2 + 19 5^2) / 100 = 100,
 * and twice that for 200; of five in each block it is 1. */
START_TEST(bursts)
{
	struct compared c = {0};

	pk_profiles_add(&c.list[PK_BEFORE], make_samples(1));
	pk_profiles_add(&c.list[PK_AFTER], make_samples(2));
	judge_lists(&c, NULL);
	ck_assert_int_eq(c.d.method, PK_DIFF_NOISE);
	for (uint32_t i = 1; i < 4; i++) {
		const struct pk_change *is = &c.d.row[i].change[PK_SELF];
		const char *name = pk_match_name(&c.d.match, i);
		bool even = !strcmp(name, "even");
		struct pk_interval ratio = pk_count_ratio(100, 1, 200, 1, even ? 1 : 200, 0.95);

		ck_assert_msg(fabs(is->ci_low - ratio.low) < 1e-9 &&
				      fabs(is->ci_high / ratio.high - 1) < 1e-9,
			      "%s: %g to %g", name, is->ci_low, is->ci_high);
		ck_assert_int_eq(is->verdict, even ? PK_SUSPECT : PK_INCONCLUSIVE);
	}
	release(&c);
}
END_TEST

START_TEST(one_sampled_run)
{
	struct side before = {1, -1, 1e-4, 1, "samples", PK_SAMPLED, 0};
	struct side after = {1, 7, 1e-4, 1.3, "samples", PK_SAMPLED, 0};
	struct compared c;
	const struct pk_change *slow;

	/* 800 and 1,040 samples: outside of chance, even at twice the variance. */
	compare(&c, &before, &after);
	slow = &c.slow->change[PK_SELF];
	ck_assert_int_eq(slow->verdict, PK_SUSPECT);
	ck_assert(slow->ci_low > 1.1 && slow->ci_low < 1.2);
	release(&c);
	/* 8 and 10 are not. */
	before.speed = after.speed = 1e-6;
	compare(&c, &before, &after);
	ck_assert_int_eq(c.slow->change[PK_SELF].verdict, PK_INCONCLUSIVE);
	release(&c);
}
END_TEST

START_TEST(counted)
{
	struct side before = {1, -1, 1, 1, "instructions", PK_EXACT, 0};
	struct side after = {1, 7, 1, 1 + 1.25e-7, "instructions", PK_EXACT, 0};
	struct compared c;

	/* One more of 8 million. */
	compare(&c, &before, &after);
	ck_assert_int_eq(c.d.method, PK_DIFF_EXACT);
	ck_assert_int_eq(c.slow->change[PK_SELF].after - c.slow->change[PK_SELF].before, 1);
	ck_assert_int_eq(c.slow->change[PK_SELF].verdict, PK_REGRESSED);
	ck_assert_int_eq(count(&c.d, PK_UNCHANGED), FUNCTIONS - 1);
	ck_assert_int_eq(c.d.total.verdict, PK_REGRESSED);
	release(&c);
}
END_TEST

/* Values are exact if the runs of each side agree. */
START_TEST(counted_in_runs)
{
	struct side same = {2, -1, 1, 1, "instructions", PK_EXACT, 0};
	struct side varies = {2, -1, 1, 1, "instructions", PK_EXACT, 1};
	const struct side *sides[][PK_SIDES] = {
		{&same, &same}, {&same, &varies}, {&varies, &same}, {&varies, &varies}};

	for (size_t i = 0; i < 4; i++) {
		struct compared c;

		compare(&c, sides[i][PK_BEFORE], sides[i][PK_AFTER]);
		ck_assert_int_eq(c.d.method == PK_DIFF_EXACT, !i);
		release(&c);
	}
}
END_TEST

/* Four runs of 6 functions: the calls of `varying` of them are different in every run, and all of
 * these are more afterwards. */
static enum pk_verdict verdict_on_counts(int varying)
{
	struct pk_diff_options options = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct compared c = {0};
	enum pk_verdict found;

	for (int s = 0; s < PK_SIDES; s++) {
		for (int r = 0; r < 4; r++) {
			struct pk_builder *b = pk_builder_new();

			pk_build_metric(b, "value", "instructions", 0, PK_METRIC_COUNT, PK_EXACT);
			for (int f = 0; f < 6; f++) {
				char name[3] = {'f', (char)('0' + f), 0};
				struct pk_function function = {.name = pk_build_text(b, name)};
				uint32_t id = pk_build_place(b, pk_build_function(b, &function), 0);

				pk_build_cost(b, 0, pk_build_node(b, 0, id), 1, 1000,
					      1000 + (f < varying ? 10 * s + r : 0));
			}
			pk_profiles_add(&c.list[s], pk_builder_finish(b));
		}
	}
	ck_assert(!pk_diff_init(&c.d, &c.list[PK_BEFORE], &c.list[PK_AFTER], &options, &err));
	pk_diff_judge(&c.d, NULL);
	found = c.d.row[1].change[PK_CALLS].verdict;
	for (int f = 0; f < varying; f++)
		ck_assert_int_eq(c.d.row[1 + f].change[PK_CALLS].verdict, found);
	release(&c);
	return found;
}

/* Of the 70 ways to divide 8 runs in halves two have no overlap: 2 / 70 is below 0.05, and for two
 * functions, since either may be so by chance, 4 / 70 is not. */
START_TEST(counts_that_vary)
{
	ck_assert_int_eq(verdict_on_counts(1), PK_REGRESSED);
	ck_assert_int_eq(verdict_on_counts(2), PK_INCONCLUSIVE);
}
END_TEST

/* Counts are certain if those before and after do not overlap, unless they vary and so few runs are
 * apart by chance: 2 of 20 ways for 3 runs a side, 2 of 70 for 4. */
START_TEST(counts_at_bounds)
{
	static const struct {
		int runs;
		int64_t low[PK_SIDES], high[PK_SIDES];
		enum pk_verdict is;
	} rows[] = {
		{5, {10, 10}, {10, 10}, PK_UNCHANGED},
		{5, {10, 12}, {11, 13}, PK_REGRESSED},
		{5, {10, 11}, {11, 13}, PK_INCONCLUSIVE},
		{5, {12, 10}, {13, 11}, PK_IMPROVED},
		{5, {12, 10}, {13, 12}, PK_INCONCLUSIVE},
		{5, {10, 10}, {11, 11}, PK_UNCHANGED},
		{5, {10, 10}, {11, 12}, PK_INCONCLUSIVE},
		{1, {10, 11}, {10, 11}, PK_REGRESSED},
		{3, {10, 12}, {10, 12}, PK_REGRESSED},
		{3, {10, 12}, {11, 12}, PK_INCONCLUSIVE},
		{3, {10, 12}, {10, 13}, PK_INCONCLUSIVE},
		{4, {10, 12}, {11, 13}, PK_REGRESSED},
		{5, {PK_NULL, 12}, {10, 13}, PK_INCONCLUSIVE},
		{5, {10, PK_NULL}, {11, 13}, PK_INCONCLUSIVE},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct side side = TIMES(rows[i].runs, -1, 1, 1, 0);
		struct compared c;

		compare(&c, &side, &side);
		for (int s = 0; s < PK_SIDES; s++) {
			int64_t *row = c.d.side[s].value[PK_CALLS] + 8 * rows[i].runs;

			row[0] = c.d.side[s].calls[0] = rows[i].low[s];
			for (int r = 1; r < rows[i].runs; r++)
				row[r] = c.d.side[s].calls[r] = rows[i].high[s];
		}
		pk_diff_judge(&c.d, NULL);
		ck_assert_msg(c.slow->change[PK_CALLS].verdict == rows[i].is, "row %zu: %d", i,
			      (int)c.slow->change[PK_CALLS].verdict);
		ck_assert_msg(c.d.total_calls.verdict == rows[i].is, "total of row %zu", i);
		release(&c);
	}
}
END_TEST

/* A run of nothing has no logarithm. */
START_TEST(nothing)
{
	struct side before = TIMES(5, -1, 0, 1, 0), after = TIMES(5, -1, 1, 1, 0);
	struct compared c;

	compare(&c, &before, &after);
	ck_assert_int_eq(c.d.total.verdict, PK_INCONCLUSIVE);
	release(&c);
	compare(&c, &before, &before);
	ck_assert_int_eq(count(&c.d, PK_UNCHANGED), FUNCTIONS);
	release(&c);
}
END_TEST

/* p and the interval must agree; no change is one within 5 % in both directions. */
START_TEST(verdicts)
{
	static const struct {
		double p, low, high;
		enum pk_verdict is;
	} rows[] = {
		{0.049, 1, 1.2, PK_REGRESSED},        {0.049, 0.999, 1.2, PK_INCONCLUSIVE},
		{0.05, 1.01, 1.2, PK_INCONCLUSIVE},   {0.049, 0.8, 1, PK_IMPROVED},
		{0.049, 0.8, 1.001, PK_INCONCLUSIVE}, {0.05, 0.8, 0.99, PK_INCONCLUSIVE},
		{0.049, 1.01, 1.02, PK_REGRESSED},    {0.5, 1 / 1.05, 1.05, PK_UNCHANGED},
		{0.049, 0.96, 1.04, PK_UNCHANGED},    {0.5, 0.9523, 1.05, PK_INCONCLUSIVE},
		{0.5, 0.96, 1.0501, PK_INCONCLUSIVE}, {NAN, NAN, NAN, PK_INCONCLUSIVE},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pk_change c = {
			.p = rows[i].p, .ci_low = rows[i].low, .ci_high = rows[i].high};
		bool real = rows[i].is == PK_REGRESSED || rows[i].is == PK_IMPROVED;

		ck_assert_msg(pk_judge_verdict(&c, &pk_judge_defaults, false) == rows[i].is,
			      "row %zu", i);
		ck_assert_msg(pk_judge_verdict(&c, &pk_judge_defaults, true) ==
				      (real ? PK_SUSPECT : rows[i].is),
			      "row %zu with few runs", i);
	}
}
END_TEST

START_TEST(intervals)
{
	static const struct {
		double p, low, high;
		bool up;
		double fit_low, fit_high;
	} rows[] = {
		{0.01, 0.9, 1.2, true, 1, 1.2},   {0.01, 1.1, 1.2, true, 1.1, 1.2},
		{0.01, 0.8, 1.1, false, 0.8, 1},  {0.01, 0.8, 0.9, false, 0.8, 0.9},
		{0.05, 1.1, 1.2, true, 1, 1.2},   {0.05, 0.8, 0.9, false, 0.8, 1},
		{0.05, 0.8, 1.2, true, 0.8, 1.2}, {0.05, 0.8, 1.2, false, 0.8, 1.2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pk_change c = {
			.p = rows[i].p, .ci_low = rows[i].low, .ci_high = rows[i].high};

		pk_judge_fit_interval(&c, 0.05, rows[i].up);
		ck_assert_msg(c.ci_low == rows[i].fit_low && c.ci_high == rows[i].fit_high,
			      "row %zu: %g to %g", i, c.ci_low, c.ci_high);
	}
}
END_TEST

CHECK_MAIN("judge", verdicts, intervals, parts, parts_of_few_runs, equal_values, runs, consistent,
	   faster, few_runs, one_run, one_run_at_bounds, one_sampled_run, bursts, counts_at_bounds,
	   counted, counted_in_runs, counts_that_vary, nothing)
