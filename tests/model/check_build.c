/* The builder, where fixtures do not reach: names that change, unknown times, values without
 * costs. */
#include <stdio.h>

#include "tests/model/make.h"
#include "model/args/text.h"
#include "model/build/internal.h"
#include "model/transform/transform.h"

/* A thread that gets another name is found under it, and no longer under the old one. */
START_TEST(renamed_threads_are_found)
{
	enum { THREADS = 3000 };
	struct pk_builder *b = pk_builder_new();
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL};
	uint32_t id[THREADS];
	char name[20];

	for (int i = 0; i < THREADS; i++) {
		snprintf(name, sizeof(name), "old %d", i);
		thread.name = pk_build_text(b, name);
		id[i] = pk_build_thread(b, &thread);
	}
	for (int i = 0; i < THREADS; i++) {
		snprintf(name, sizeof(name), "new %d", i);
		pk_build_thread_name(b, id[i], pk_build_text(b, name));
	}
	for (int i = 0; i < THREADS; i++) {
		snprintf(name, sizeof(name), "new %d", i);
		thread.name = pk_build_text(b, name);
		ck_assert_uint_eq(pk_build_thread(b, &thread), id[i]);
	}
	thread.name = pk_build_text(b, "old 7");
	ck_assert_uint_gt(pk_build_thread(b, &thread), THREADS);
	pk_builder_free(b);
}
END_TEST

/* Times that are not known are between those that are. */
START_TEST(times_count_from_the_first)
{
	static const int64_t times[] = {PK_NULL, 70, PK_NULL, 50, 90};
	static const int64_t expected[] = {PK_NULL, 20, PK_NULL, 0, 40};
	struct pk_builder *b = new_time();
	uint32_t node = pk_build_node(b, 0, pk_build_label(b, "f", 1));
	struct pk_profile *p;

	for (int i = 0; i < 5; i++)
		pk_build_sample(b, times[i], 0, node, 1, 1);
	ck_assert_int_eq(pk_build_last_time(b), 90);
	ck_assert_int_eq(pk_build_times_from_first(b), 50);
	p = checked(pk_builder_finish(b));
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(p->sample.time[i + 1], expected[i]);
	pk_profile_free(p);
}
END_TEST

/* The last moment is the end of a span or a moment of its own. */
START_TEST(spans_end_later_than_they_begin)
{
	struct pk_builder *b = new_time();
	uint32_t node = pk_build_node(b, 0, pk_build_label(b, "f", 1));

	pk_build_span(b, 30, 50, 0, node, 0);
	pk_build_span(b, 70, PK_NULL, 0, node, 0);
	ck_assert_int_eq(pk_build_last_time(b), 80);
	pk_build_instant(b, 90, 0, pk_build_text(b, "mark"), 0);
	ck_assert_int_eq(pk_build_last_time(b), 90);
	ck_assert_int_eq(pk_build_times_from_first(b), 30);
	ck_assert_int_eq(pk_build_last_time(b), 60);
	pk_builder_free(b);
}
END_TEST

/* Arguments stay with their spans where spans are sorted, and go with those that are left out. */
START_TEST(arguments_follow_spans)
{
	static const uint32_t place[] = {0, 0, 3, 0, 1}; /* 1 and 3 are left out */
	static const char *const text[] = {"{\"a\": \"one\"}", "{\"a\": \"two\"}",
					   "{\"a\": \"three\"}", "{\"a\": \"four\"}"};
	struct pk_builder *b = pk_builder_new();
	struct pk_buf buf = PK_BUF_INIT;
	const struct pk_profile *p = pk_builder_profile(b);

	for (uint32_t i = 0; i < 4; i++)
		pk_build_arg(b, PK_TABLE_SPAN, i + 1, 0, pk_build_text(b, text[i]));
	pk_build_arg(b, PK_TABLE_INSTANT, 3, 0, pk_build_text(b, "{}"));
	pk_build_args_placed(b, place, NULL, NULL);
	ck_assert_uint_eq(p->arg.count, 4);
	for (uint32_t i = 1; i < p->arg.count; i++) {
		struct pk_json_slice whole = pk_arg_text(p, i, &buf);
		const char *expected = p->arg.owner[i] == PK_TABLE_INSTANT ? "{}"
				       : p->arg.row[i] == 3                ? text[1]
									   : text[3];

		ck_assert_uint_eq(whole.len, strlen(expected));
		ck_assert_mem_eq(whole.text, expected, whole.len);
		ck_assert(p->arg.row[i] == 3 || p->arg.row[i] == 1);
	}
	pk_buf_release(&buf);
	pk_builder_free(b);
}
END_TEST

static struct pk_profile *make_benchmarks(void)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t time = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	uint32_t bytes = pk_build_metric(b, "memory", "bytes", 0, PK_METRIC_BYTES, PK_EXACT);
	uint32_t one = pk_build_node(b, 0, pk_build_label(b, "one", 3));
	uint32_t two = pk_build_node(b, 0, pk_build_label(b, "two", 3));

	pk_build_set(b, metric, aggregate, time, PK_AGGREGATE_MEAN);
	pk_build_set(b, metric, aggregate, bytes, PK_AGGREGATE_MEAN);
	pk_build_values(b, one, time, 0, (const double[]){2, 4}, 2);
	pk_build_values(b, two, bytes, 0, (const double[]){70, 80, 90}, 3);
	pk_build_value(b, &(struct pk_value){one, time, 0, 9, PK_NULL, false});
	pk_build_value(b, &(struct pk_value){one, time, 0, 1000, PK_NULL, true}); /* warm-up */
	pk_build_values(b, one, time, 0, (const double[]){5}, 1);
	return checked(pk_builder_finish(b));
}

/* The cost of a benchmark is the mean of its values, also where no reader gave it a cost. */
START_TEST(costs_are_means_of_values)
{
	struct pk_profile *p = make_benchmarks(), *memory;

	ck_assert_uint_eq(p->cost.count, 3);
	for (uint32_t i = 1; i < p->cost.count; i++)
		ck_assert_int_eq(p->cost.self[i], pk_cost_metric(p, i) == 1 ? 5000000000 : 80);
	memory = checked(pk_keep_metric(p, 2));
	ck_assert_uint_eq(memory->metric.count, 2);
	ck_assert_uint_eq(memory->node.count, 2);
	ck_assert_str_eq(pk_text(memory, memory->function.name[pk_node_function(memory, 1)]),
			 "two");
	ck_assert_uint_eq(memory->value.count, 4);
	ck_assert_double_eq(memory->value.value[3], 90);
	pk_profile_free(memory);
	pk_profile_free(p);
}
END_TEST

static uint32_t in_file(struct pk_builder *b, const char *name, const char *file)
{
	return pk_build_function(b, &(struct pk_function){.name = pk_build_text(b, name),
							  .file = pk_build_text(b, file),
							  .kind = PK_KIND_PYTHON});
}

static void call(struct pk_builder *b, uint32_t caller, uint32_t callee, int64_t self,
		 int64_t total)
{
	pk_build_edge(b, &(struct pk_edge){.caller = caller,
					   .callee = callee,
					   .metric = 1,
					   .calls = 1,
					   .primitive_calls = 1,
					   .self = self,
					   .total = total,
					   .self_raw = (double)self / 1e9,
					   .total_raw = (double)total / 1e9});
}

/*
 * Functions of one file that call each other in turn: what they hand to and fro would be taken from
 * the total of the file twice; but the file has at least the total of each of its functions.
 */
START_TEST(total_of_a_file_that_calls_itself)
{
	struct pk_selection by_file = {.granularity = PK_BY_FILE};
	struct pk_builder *b = new_time();
	uint32_t even = in_file(b, "even", "/a.py"), odd = in_file(b, "odd", "/a.py");
	const char *unmatched;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p, *files = NULL;

	call(b, 0, even, 4, 10);
	call(b, 0, odd, 6, 9);
	call(b, even, odd, 6, 9);
	call(b, odd, even, 3, 7);
	p = checked(pk_builder_finish(b));
	ck_assert(!pk_select(p, &by_file, &files, &unmatched, &err));
	for (uint32_t i = 1; i < checked(files)->edge.count; i++) {
		if (files->edge.caller[i])
			continue;
		ck_assert_int_eq(files->edge.self[i], 10);
		ck_assert_int_eq(files->edge.total[i], 10);
		ck_assert_double_eq(files->edge.total_raw[i], 10 / 1e9);
	}
	pk_profile_free(files);
	pk_profile_free(p);
}
END_TEST

static bool is_good(int64_t exposed, int64_t shortest, int64_t longest)
{
	struct pk_builder *b = new_time();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;
	bool good;

	pk_builder_row(b, PK_TABLE_MEMBER);
	pk_builder_row(b, PK_TABLE_COLLECTIVE);
	pk_build_set(b, member, digest, 1, pk_build_text(b, "00"));
	pk_build_set(b, collective, ranks, 1, 1);
	pk_build_set(b, collective, time, 1, 5);
	pk_build_set(b, collective, exposed, 1, exposed);
	pk_build_set(b, collective, shortest, 1, shortest);
	pk_build_set(b, collective, longest, 1, longest);
	pk_build_set(b, collective, shortest_in, 1, 1);
	p = pk_builder_finish(b);
	good = !pk_profile_check(p, &err);
	pk_profile_free(p);
	return good;
}

/* A collective may be hidden behind computation, but no time is below 0. */
START_TEST(collectives_of_parts)
{
	ck_assert(is_good(0, 5, 5));
	ck_assert(is_good(5, 0, 5));
	ck_assert(!is_good(-1, 5, 5));
	ck_assert(!is_good(0, -1, 5));
	ck_assert(!is_good(0, 6, 5));
}
END_TEST

CHECK_MAIN("build", renamed_threads_are_found, times_count_from_the_first,
	   spans_end_later_than_they_begin, arguments_follow_spans, costs_are_means_of_values,
	   total_of_a_file_that_calls_itself, collectives_of_parts)
