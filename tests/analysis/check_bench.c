/* Statistics of benchmarks. */
#include "tests/check_util.h"

#include <math.h>

#include "analysis/bench/bench.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/bench.h"

/* What pytest_benchmark.stats.Stats of 5.3.1 says of the values. */
static const struct {
	double value[9];
	size_t count;
	struct pk_bench_stats stats;
} known[] = {
	{{3.5}, 1, {1, 3.5, 0, 3.5, 3.5, 3.5, 3.5, 3.5, 0, 0}},
	{{1.5, 4.0}, 2, {2, 2.75, 1.7677669529663689, 2.75, 1.5, 4, 1.5, 4, 0, 0}},
	{{7, 1, 4}, 3, {3, 4, 3, 4, 1, 7, 1.75, 6.25, 0, 0}},
	{{2, 9, 4, 7, 1.25}, 5, {5, 4.65, 3.2958306995353994, 4, 1.25, 9, 1.8125, 7.5, 2, 0}},
	{{1, 3, 2, 90, 2.5, 4},
	 6,
	 {6, 17.083333333333332, 35.7357197586206, 2.75, 1, 90, 2, 4, 1, 1}},
	{{1e-07, 3e-07, 2e-07, 9e-07, 2.5e-07, 4e-07, 2e-07},
	 7,
	 {7, 3.357142857142857e-07, 2.656976441281294e-07, 2.5e-07, 1e-07, 9e-07, 2e-07, 3.75e-07,
	  1, 1}},
	{{1, 2, 3, 4, 50, 5, 7, 6, 8},
	 9,
	 {9, 9.555555555555555, 15.338767153124719, 5, 1, 50, 2.75, 7.25, 1, 1}},
};

START_TEST(statistics)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct pk_bench_stats s;

		pk_bench_describe_values(known[i].value, known[i].count, &s);
		ck_assert_mem_eq(&s, &known[i].stats, sizeof(s));
	}
}
END_TEST

START_TEST(many_values_are_sorted)
{
	double x[1000];

	for (int i = 0; i < 1000; i++)
		x[i] = (i * 7919 % 1000 - 300) * (i % 3 ? 1e-7 : 1.5);
	pk_sort_reals(x, 1000);
	for (int i = 1; i < 1000; i++)
		ck_assert(x[i - 1] <= x[i]);
	ck_assert_double_eq(x[0], -300 * 1.5);
}
END_TEST

START_TEST(many_whole_numbers_are_sorted)
{
	int64_t x[1000];

	for (int i = 0; i < 1000; i++)
		x[i] = (i * 7919 % 1000 - 300) * (i % 3 ? INT64_C(1) : INT64_C(1) << 40);
	x[10] = INT64_MIN;
	x[20] = INT64_MAX;
	pk_sort_ints(x, 1000);
	for (int i = 1; i < 1000; i++)
		ck_assert_int_le(x[i - 1], x[i]);
	ck_assert_int_eq(x[0], INT64_MIN);
	ck_assert_int_eq(x[999], INT64_MAX);
}
END_TEST

/* Their lowest bits are their index: values with equal upper bits stay in this order. */
START_TEST(numbers_are_sorted_by_their_upper_bits)
{
	int64_t x[1000];

	for (int i = 0; i < 1000; i++)
		x[i] = (i * 7919 % 100 * (INT64_C(1) << 30) - (INT64_C(1) << 33)) * 1024 + i;
	pk_sort_ints_from(x, 1000, 10);
	for (int i = 1; i < 1000; i++)
		ck_assert_int_lt(x[i - 1], x[i]);
}
END_TEST

/* Two benchmarks, the values of a by turns in two metrics and around those of b, with a warm-up. */
START_TEST(values_by_benchmark)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_benchmarks list;
	struct pk_bench_stats s;
	struct pk_profile *p;
	struct pk_bench bench;
	uint32_t time, size, a, c;

	pk_bench_begin(&bench, b);
	time = pk_bench_metric(&bench, "time", "ns", PK_METRIC_TIME);
	size = pk_bench_metric(&bench, "size", "bytes", PK_METRIC_BYTES);
	pk_bench_label(&bench, "group", "g");
	a = pk_bench_row(&bench, "a", NULL, NULL);
	c = pk_bench_row(&bench, "b", NULL, NULL);
	pk_bench_value(&bench, a, time, 0.5);
	pk_bench_value(&bench, a, size, 10);
	pk_bench_value_of(&bench, &(struct pk_value){.node = a,
						     .metric = time,
						     .value = 99,
						     .iterations = PK_NULL,
						     .warmup = true});
	pk_bench_value(&bench, c, time, 3);
	pk_bench_value(&bench, c, time, 4);
	pk_bench_value(&bench, a, time, 1.5);
	pk_bench_mean(&bench, c, size, 7);
	pk_bench_fact(&bench, c, "size.stddev", "0.25");
	pk_bench_fact(&bench, c, "stddev", "9");
	pk_bench_end(&bench);
	p = pk_builder_finish(b);

	pk_benchmarks_init(&list, p, 0);
	ck_assert_uint_eq(list.count, 4);
	ck_assert_uint_eq(list.summaries, 1);
	ck_assert_uint_eq(list.row[0].count, 2);
	ck_assert_double_eq(list.row[0].value[0], 0.5);
	ck_assert_double_eq(list.row[0].value[1], 1.5);
	ck_assert_str_eq(pk_benchmark_label(&list, &list.row[0], "group"), "g");
	ck_assert_ptr_null(pk_benchmark_label(&list, &list.row[0], "n"));
	ck_assert_ptr_eq(pk_benchmarks_find(&list, c, time), &list.row[2]);
	ck_assert_double_eq(list.row[2].value[1], 4);
	pk_bench_describe(&list, &list.row[3], &s);
	ck_assert_double_eq(s.mean, 7);
	ck_assert_double_eq(s.stddev, 0.25);
	ck_assert(isnan(s.min));
	ck_assert_int_eq(s.count, PK_NULL);
	pk_benchmarks_release(&list);

	pk_benchmarks_init(&list, p, size);
	ck_assert_uint_eq(list.count, 2);
	ck_assert_ptr_null(pk_benchmarks_find(&list, a, time));
	pk_benchmarks_release(&list);
	pk_profile_free(p);
}
END_TEST

static int64_t start_of(const char *date)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_bench bench;
	struct pk_profile *p;
	int64_t start;

	pk_bench_begin(&bench, b);
	pk_bench_start(&bench, date);
	pk_bench_end(&bench);
	p = pk_builder_finish(b);
	start = p->run.start[1];
	pk_profile_free(p);
	return start;
}

START_TEST(dates)
{
	ck_assert_int_eq(start_of("2026-11-22T11:14:40.207204+00:00"), 1795346080207204000);
	ck_assert_int_eq(start_of("2026-11-22 11:14:40.207204"), 1795346080207204000);
	ck_assert_int_eq(start_of("2026-11-22T13:14:40+02:00"), 1795346080000000000);
	ck_assert_int_eq(start_of("2026-11-22T05:44:40-0530"), 1795346080000000000);
	ck_assert_int_eq(start_of("2026-11-22T11:14:40Z"), 1795346080000000000);
	ck_assert_int_eq(start_of("yesterday"), PK_NULL);
	ck_assert_int_eq(start_of("2026-11-22"), PK_NULL);
	ck_assert_int_eq(start_of("2026-11-22T11:14:"), PK_NULL);
	ck_assert_int_eq(start_of("2026-11-22T11:14:9000000000"), PK_NULL);
	ck_assert_int_eq(start_of("9999-11-22T11:14:40"), PK_NULL);
}
END_TEST

CHECK_MAIN("bench", many_values_are_sorted, many_whole_numbers_are_sorted,
	   numbers_are_sorted_by_their_upper_bits, dates, statistics, values_by_benchmark)
