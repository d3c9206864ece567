/* The model: interning, sums, merging, selection. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model/make.h"
#include "model/label.h"
#include "model/events/spans.h"
#include "model/totals.h"
#include "model/transform/transform.h"

static const struct pk_function_total *function(const struct pk_functions *f,
						const struct pk_profile *p, const char *name)
{
	uint32_t row = f->of_function[frame_named(p, name)];

	ck_assert_msg(row, "no function %s", name);
	return &f->row[row - 1];
}

START_TEST(equal_things_have_equal_ids)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t a = pk_build_label(b, "a", 1), i, node, place;

	ck_assert_uint_eq(pk_build_label(b, "a", 1), a);
	ck_assert_uint_ne(pk_build_label(b, "b", 1), a);
	ck_assert_uint_eq(pk_build_string(b, NULL, 0), 0);
	ck_assert_uint_ne(pk_build_string(b, "", 0), 0);
	node = pk_build_node(b, 0, a);
	ck_assert_uint_eq(pk_build_node(b, 0, a), node);
	place = pk_build_place(b, 1, 7);
	ck_assert_uint_ne(pk_build_node(b, 0, place), node);
	ck_assert_uint_eq(pk_build_place(b, 1, 7), place);
	ck_assert_uint_ne(pk_build_place(b, 2, 7), place);
	ck_assert_uint_eq(pk_build_place(b, 1, 0), a);
	ck_assert_uint_eq(pk_build_node(b, 0, a), node);
	for (i = 0; i < 100000; i++) {
		char name[16];
		int len = snprintf(name, sizeof(name), "f%u", i % 50000);
		uint32_t location = pk_build_label(b, name, (size_t)len);

		ck_assert_uint_eq(location, 5 + i % 50000);
		ck_assert_uint_eq(pk_build_node(b, node, location), 3 + i % 50000);
	}
	pk_profile_free(checked(pk_builder_finish(b)));
}
END_TEST

/* Quickly, too: with the square of their number it would be minutes. */
/* So many rows that many of their hashes are equal in 32 bits. */
static void build_many(struct pk_builder *b)
{
	enum { MANY = 70000, COSTS = 250000 };
	uint32_t one = pk_build_label(b, "one", 3), node = pk_build_node(b, 0, one);

	for (uint32_t i = 1; i <= MANY; i++) {
		struct pk_location l = {.function = one, .line = i, .inlined = true};
		struct pk_mapping m = {.file = one, .start = i};
		struct pk_label label = {.key = one, .number = i};
		char name[16];

		pk_build_label(b, name, (size_t)sprintf(name, "f%u", i));
		pk_build_node(b, node, pk_build_location(b, &l));
		pk_build_mapping(b, &m);
		pk_build_label_set(b, &label, 1);
		pk_build_process(b, i, 0, PK_NULL);
	}
	for (uint32_t i = 1; i <= COSTS; i++) {
		struct pk_thread thread = {.tid = i, .sort = PK_NULL};

		pk_build_cost(b, pk_build_thread(b, &thread), node, 1, 1, PK_NULL);
	}
}

START_TEST(many_rows_stay_apart_and_are_found_again)
{
	struct pk_builder *b = new_time();
	struct pk_profile *p;
	uint32_t i;

	build_many(b);
	build_many(b);
	p = checked(pk_builder_finish(b));
	ck_assert_uint_eq(p->function.count, 70002);
	ck_assert_uint_eq(p->location.count, 140002);
	ck_assert_uint_eq(p->node.count, 70002);
	ck_assert_uint_eq(p->mapping.count, 70001);
	ck_assert_uint_eq(p->label_set.count, 70001);
	ck_assert_uint_eq(p->process.count, 70001);
	ck_assert_uint_eq(p->thread.count, 250001);
	ck_assert_uint_eq(p->cost.count, 250001);
	for (i = 1; i < p->cost.count; i++)
		ck_assert_int_eq(p->cost.self[i], 2);
	for (i = 1; i < p->location.count; i++)
		ck_assert_uint_eq(p->location.inlined[i], pk_location_line(p, i) > 0);
	pk_profile_free(p);
}
END_TEST

START_TEST(threads_without_numbers_differ_by_name)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_thread thread = {.tid = PK_NULL, .sort = PK_NULL};
	uint32_t i;

	for (i = 0; i < 400000; i++) {
		char name[16];
		int len = snprintf(name, sizeof(name), "t%u", i % 200000);

		thread.name = pk_build_string(b, name, (size_t)len);
		ck_assert_uint_eq(pk_build_thread(b, &thread), 1 + i % 200000);
		ck_assert_uint_eq(pk_build_process(b, PK_NULL, thread.name, PK_NULL),
				  1 + i % 200000);
	}
	pk_profile_free(checked(pk_builder_finish(b)));
}
END_TEST

/* Their hashes must not cancel each other: this would take minutes. */
START_TEST(threads_whose_number_is_that_of_their_name)
{
	enum { THREADS = 400000 };
	struct pk_builder *b = pk_builder_new();
	uint32_t process = pk_build_process(b, 1, 0, PK_NULL), last = 0;
	char name[20];

	for (int i = 0; i < THREADS; i++) {
		struct pk_thread thread = {.process = process, .sort = PK_NULL};

		snprintf(name, sizeof(name), "t%d", i);
		thread.name = pk_build_text(b, name);
		thread.tid = thread.name;
		last = pk_build_thread(b, &thread);
	}
	ck_assert_uint_eq(last, THREADS);
	pk_builder_free(b);
}
END_TEST

START_TEST(recursion_counts_once_in_totals)
{
	struct pk_builder *b = new_time();
	struct pk_functions f;
	struct pk_arcs arcs;
	struct pk_profile *p;
	uint32_t i;

	stack(b, "main;f;g;f", 10, 1);
	stack(b, "main;f", 5, 2);
	stack(b, "main", 1, 1);
	p = checked(pk_builder_finish(b));
	pk_functions_init(&f, p, 1);
	ck_assert_int_eq(f.total, 16);
	ck_assert_int_eq(function(&f, p, "f")->self, 15);
	ck_assert_int_eq(function(&f, p, "f")->total, 15);
	ck_assert_int_eq(function(&f, p, "f")->calls, 3);
	ck_assert_int_eq(function(&f, p, "f")->primitive_calls, 2);
	ck_assert_int_eq(function(&f, p, "g")->calls, PK_NULL);
	ck_assert_int_eq(function(&f, p, "main")->total, 16);
	pk_arcs_init(&arcs, p, 1);
	ck_assert_uint_eq(arcs.count, 3);
	for (i = 0; i < arcs.count; i++)
		if (arcs.row[i].caller == frame_named(p, "main"))
			ck_assert_int_eq(arcs.row[i].total, 15);
	pk_arcs_release(&arcs);
	pk_functions_release(&f);
	pk_profile_free(p);
}
END_TEST

/* Callers that come again after one to six others. */
START_TEST(calls_by_many_callers)
{
	enum { CALLERS = 7, PATHS = 100 };
	struct pk_builder *b = new_time();
	int64_t expected[CALLERS] = {0};
	struct pk_arcs arcs;
	struct pk_profile *p;
	uint32_t found = 0;
	char text[64];

	for (int i = 0; i < PATHS; i++) {
		int caller = i * i / 6 % CALLERS;

		snprintf(text, sizeof(text), "root %d;%d;leaf", i, caller);
		stack(b, text, i, PK_NULL);
		expected[caller] += i;
	}
	p = checked(pk_builder_finish(b));
	pk_arcs_init(&arcs, p, 1);
	for (uint32_t i = 0; i < arcs.count; i++) {
		const struct pk_arc *arc = &arcs.row[i];

		if (arc->callee != frame_named(p, "leaf"))
			continue;
		ck_assert_int_eq(arc->total,
				 expected[atoi(pk_text(p, p->function.name[arc->caller]))]);
		found++;
	}
	ck_assert_uint_eq(found, CALLERS);
	pk_arcs_release(&arcs);
	pk_profile_free(p);
}
END_TEST

START_TEST(costs_of_many_threads_stay_apart)
{
	struct pk_builder *b = new_time();
	uint32_t node = pk_build_node(b, 0, pk_build_label(b, "f", 1)), i, round;
	struct pk_profile *p;

	for (i = 0; i < 100; i++) {
		struct pk_thread t = {.tid = i};

		pk_build_thread(b, &t);
	}
	for (round = 0; round < 3; round++)
		for (i = 1; i <= 100; i++)
			pk_build_cost(b, i, node, 1, i, PK_NULL);
	p = checked(pk_builder_finish(b));
	ck_assert_uint_eq(p->cost.count, 101);
	for (i = 1; i <= 100; i++)
		ck_assert_int_eq(p->cost.self[i], 3 * (int64_t)p->cost.thread[i]);
	pk_profile_free(p);
}
END_TEST

START_TEST(metrics_become_finer)
{
	struct pk_builder *b = new_time();
	struct pk_profile *p;

	stack(b, "a", 5, PK_NULL);
	ck_assert(pk_build_metric_refine(b, 1, 2));
	stack(b, "a", 25, PK_NULL);
	stack(b, "b", INT64_MAX / 2, PK_NULL);
	ck_assert(!pk_build_metric_refine(b, 1, 3));
	p = checked(pk_builder_finish(b));
	ck_assert_int_eq(p->metric.exponent[1], 2);
	ck_assert_int_eq(p->cost.self[1], 525);
	pk_profile_free(p);
}
END_TEST

START_TEST(merge_adds_and_aligns)
{
	struct pk_profiles list = {NULL, 0, 0};
	struct pk_builder *b = new_time();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;
	struct pk_functions f;

	stack(b, "a;b", 5, PK_NULL);
	pk_profiles_add(&list, pk_builder_finish(b));
	b = new_time();
	stack(b, "a;b", 7, PK_NULL);
	stack(b, "c", 1, PK_NULL);
	pk_build_metric_refine(b, 1, 1);
	stack(b, "c", 2, PK_NULL);
	pk_profiles_add(&list, pk_builder_finish(b));
	ck_assert(!pk_merge(&list, &p, &err));
	checked(p);
	ck_assert_int_eq(p->metric.exponent[1], 1);
	pk_functions_init(&f, p, 1);
	ck_assert_int_eq(function(&f, p, "b")->self, 120);
	ck_assert_int_eq(function(&f, p, "c")->self, 12);
	pk_functions_release(&f);
	pk_profile_free(p);
	pk_profiles_release(&list);
}
END_TEST

START_TEST(merge_says_what_is_the_same)
{
	struct pk_profiles list = {NULL, 0, 0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;
	int i;

	for (i = 0; i < 2; i++) {
		struct pk_builder *b = new_time();

		stack(b, "a", 1, PK_NULL);
		pk_build_run_text(b, PK_RUN_FORMAT, i ? "folded" : "other");
		pk_build_run_text(b, PK_RUN_PRODUCER, "tool");
		pk_build_run_text(b, PK_RUN_SOURCE, i ? "b.txt" : "a.txt");
		pk_profiles_add(&list, pk_builder_finish(b));
	}
	ck_assert(!pk_merge(&list, &p, &err));
	ck_assert_str_eq(pk_text(p, p->run.format[1]), "other, folded");
	ck_assert_uint_eq(p->run.label[1], 0);
	ck_assert_str_eq(pk_text(p, p->run.producer[1]), "tool");
	ck_assert_str_eq(pk_text(p, p->run.source[1]), "a.txt, b.txt");
	pk_profile_free(p);
	pk_profiles_release(&list);
}
END_TEST

static int64_t total_after(const struct pk_selection *s, const char *name, int64_t *self)
{
	struct pk_builder *b = new_time();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p, *selected;
	struct pk_functions f;
	const char *unmatched;
	int64_t total;

	stack(b, "main;load;read", 8, PK_NULL);
	stack(b, "main;work;read", 4, PK_NULL);
	stack(b, "main;work;work", 2, PK_NULL);
	stack(b, "main", 1, PK_NULL);
	p = pk_builder_finish(b);
	ck_assert_msg(!pk_select(p, s, &selected, &unmatched, &err), "%s", err.text);
	checked(selected);
	pk_functions_init(&f, selected, 1);
	total = f.total;
	*self = frame_named(selected, name) ? function(&f, selected, name)->self : -1;
	pk_functions_release(&f);
	pk_profile_free(selected);
	pk_profile_free(p);
	return total;
}

START_TEST(selections)
{
	int64_t self;

	ck_assert_int_eq(total_after(&(struct pk_selection){.focus = "^work$"}, "read", &self), 6);
	ck_assert_int_eq(self, 4);
	ck_assert_int_eq(total_after(&(struct pk_selection){.focus = "^work$"}, "load", &self), 6);
	ck_assert_int_eq(self, -1); /* a function without cost in this part is not there */
	ck_assert_int_eq(total_after(&(struct pk_selection){.ignore = "load"}, "read", &self), 7);
	ck_assert_int_eq(self, 4);
	ck_assert_int_eq(total_after(&(struct pk_selection){.hide = "read"}, "load", &self), 15);
	ck_assert_int_eq(self, 8);
	ck_assert_int_eq(total_after(&(struct pk_selection){.show = "work|main"}, "main", &self),
			 15);
	ck_assert_int_eq(self, 9);
	ck_assert_int_eq(total_after(&(struct pk_selection){.show_from = "work"}, "main", &self),
			 6);
	ck_assert_int_eq(self, -1);
	ck_assert_int_eq(total_after(&(struct pk_selection){.prune_from = "read"}, "load", &self),
			 15);
	ck_assert_int_eq(self, 8);
	ck_assert_int_eq(
		total_after(&(struct pk_selection){.collapse_recursion = true}, "work", &self), 15);
	ck_assert_int_eq(self, 2);
}
END_TEST

/* Of "main", called once, which calls "read" three times, and "work" twice, which calls itself 5 times. */
static int64_t calls_after(const struct pk_selection *s, const char *name)
{
	struct pk_builder *b = new_time();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p, *selected;
	struct pk_functions f;
	const char *unmatched;
	int64_t calls;

	stack(b, "main", 1, 1);
	stack(b, "main;read", 8, 3);
	stack(b, "main;work", 2, 2);
	stack(b, "main;work;work", 1, 5);
	p = pk_builder_finish(b);
	ck_assert_msg(!pk_select(p, s, &selected, &unmatched, &err), "%s", err.text);
	pk_functions_init(&f, checked(selected), 1);
	calls = function(&f, selected, name)->calls;
	pk_functions_release(&f);
	pk_profile_free(selected);
	pk_profile_free(p);
	return calls;
}

START_TEST(calls_of_hidden_functions_are_not_those_of_callers)
{
	ck_assert_int_eq(calls_after(&(struct pk_selection){.hide = "read|work"}, "main"), 1);
	ck_assert_int_eq(calls_after(&(struct pk_selection){.show = "main|read"}, "main"), 1);
	ck_assert_int_eq(calls_after(&(struct pk_selection){.show = "main|read"}, "read"), 3);
	ck_assert_int_eq(calls_after(&(struct pk_selection){.prune_from = "work"}, "main"), 1);
	ck_assert_int_eq(calls_after(&(struct pk_selection){.hide = "none"}, "work"), 7);
	ck_assert_int_eq(calls_after(&(struct pk_selection){.collapse_recursion = true}, "work"),
			 2);
}
END_TEST

static uint32_t node_of(struct pk_builder *b, uint32_t parent, const char *name)
{
	return pk_build_node(b, parent, pk_build_label(b, name, strlen(name)));
}

/*
 * Thread 1: op [0,100] with ann [10,60] within, op [20,50] in that, and call [25,30] in that;
 * thread 2, of a GPU: kernel [40,90]. ann is of another category; an instant on each thread.
 */
static struct pk_profile *spans(void)
{
	struct pk_builder *b = new_time();
	uint32_t gpu = pk_build_metric(b, "gpu_time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	uint32_t cpu_op = pk_build_text(b, "cpu_op"), other = pk_build_text(b, "annotation");
	uint32_t one, two, op, ann, inner, call, kernel,
		process = pk_build_process(b, 7, 0, PK_NULL);

	one = pk_build_thread(b, &(struct pk_thread){.process = process, .tid = 1});
	two = pk_build_thread(
		b, &(struct pk_thread){.process = process, .tid = 2, .role = PK_ROLE_GPU});
	op = node_of(b, 0, "op");
	ann = node_of(b, op, "ann");
	inner = node_of(b, ann, "op");
	call = node_of(b, inner, "call");
	kernel = node_of(b, 0, "kernel");
	pk_build_span(b, 0, 100, one, op, cpu_op);
	pk_build_span(b, 10, 50, one, ann, other);
	pk_build_span(b, 40, 50, two, kernel, pk_build_text(b, "kernel"));
	pk_build_span(b, 20, 30, one, inner, cpu_op);
	pk_build_span(b, 25, 5, one, call, pk_build_text(b, "cuda_runtime"));
	pk_build_instant(b, 30, one, pk_build_text(b, "mark"), other);
	pk_build_instant(b, 30, two, pk_build_text(b, "mark"), cpu_op);
	pk_build_arg(b, PK_TABLE_INSTANT, 2, 0, pk_build_text(b, "{}"));
	pk_build_cost(b, one, op, 1, 50, 1);
	pk_build_cost(b, one, ann, 1, 20, 1);
	pk_build_cost(b, one, inner, 1, 25, 1);
	pk_build_cost(b, one, call, 1, 5, 1);
	pk_build_cost(b, two, kernel, gpu, 50, 1);
	return checked(pk_builder_finish(b));
}

static struct pk_profile *selected(const struct pk_profile *p, const struct pk_selection *s)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *result;
	const char *unmatched;

	ck_assert_msg(!pk_select(p, s, &result, &unmatched, &err), "%s", err.text);
	ck_assert_msg(!unmatched, "%s", unmatched);
	return checked(result);
}

/* A selection that leaves nothing out gives the costs that the events came with. */
START_TEST(costs_of_spans)
{
	struct pk_profile *p = spans();
	struct pk_profile *all = selected(p, &(struct pk_selection){.category = ""});
	uint32_t i;

	ck_assert_uint_eq(all->cost.count, p->cost.count);
	for (i = 1; i < p->cost.count; i++) {
		uint32_t k = 1;

		while (all->cost.node[k] != p->cost.node[i])
			k++;
		ck_assert_int_eq(all->cost.self[k], p->cost.self[i]);
		ck_assert_int_eq(pk_cost_calls(all, k), 1);
		ck_assert_uint_eq(pk_cost_thread(all, k), pk_cost_thread(p, i));
		ck_assert_uint_eq(pk_cost_metric(all, k), pk_cost_metric(p, i));
		ck_assert_uint_eq(pk_span_metric(p, pk_cost_thread(p, i)), pk_cost_metric(p, i));
	}
	pk_profile_free(all);
	pk_profile_free(p);
}
END_TEST

/* Time that is too long for the unit of the metric is the longest that there is. */
START_TEST(costs_of_long_spans)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t node = pk_build_node(b, 0, pk_build_label(b, "f", 1));
	uint32_t thread = pk_build_thread(b, &(struct pk_thread){.tid = 1, .sort = PK_NULL});
	struct pk_profile *p, *all;

	pk_build_metric(b, "time", "ns", 3, PK_METRIC_TIME, PK_EXACT);
	pk_build_span(b, 0, INT64_MAX / 999, thread, node, 0);
	p = checked(pk_builder_finish(b));
	all = selected(p, &(struct pk_selection){.category = ""});
	ck_assert_uint_eq(all->cost.count, 2);
	ck_assert_int_eq(all->cost.self[1], INT64_MAX);
	pk_profile_free(all);
	pk_profile_free(p);
}
END_TEST

START_TEST(categories)
{
	struct pk_profile *p = spans();
	struct pk_profile *ops = selected(p, &(struct pk_selection){.category = "^cpu_op$"});
	struct pk_functions f;

	pk_functions_init(&f, ops, 1);
	ck_assert_int_eq(f.total, 100);
	ck_assert_int_eq(function(&f, ops, "op")->self, 100);
	ck_assert_int_eq(function(&f, ops, "op")->calls, 2);
	ck_assert_uint_eq(ops->span.count, 3);
	ck_assert_uint_eq(ops->node.parent[ops->span.node[2]], ops->span.node[1]);
	ck_assert_uint_eq(ops->instant.count, 2);
	ck_assert_uint_eq(ops->arg.count, 2);
	ck_assert_uint_eq(ops->arg.row[1], 1);
	pk_functions_release(&f);
	pk_profile_free(ops);
	pk_profile_free(p);
}
END_TEST

START_TEST(parts_of_spans)
{
	struct pk_profile *p = spans();
	/* Within the focus alone: what is above it costs nothing. */
	struct pk_profile *part =
		selected(p, &(struct pk_selection){.time = "22ns..28ns", .focus = "ann"});
	struct pk_functions f;

	pk_functions_init(&f, part, 1);
	ck_assert_int_eq(f.total, 6);
	ck_assert_int_eq(function(&f, part, "call")->self, 3);
	ck_assert_int_eq(function(&f, part, "op")->self, 3);
	ck_assert_int_eq(function(&f, part, "ann")->self, 0);
	pk_functions_release(&f);
	pk_profile_free(part);
	part = selected(p, &(struct pk_selection){.thread = "2"});
	ck_assert_uint_eq(part->span.count, 2);
	ck_assert_uint_eq(part->instant.count, 2);
	pk_profile_free(part);
	part = selected(p, &(struct pk_selection){.hide = "ann"});
	ck_assert_uint_eq(part->span.count, 5); /* the hidden one is not taken for its caller */
	pk_profile_free(part);
	pk_profile_free(p);
}
END_TEST

/* As Python's Stats.add adds: the first, then the others from the last on. (0.1 + 0.4) + 0.2 is 0.7, and in
 * any other order 0.7000000000000001. */
START_TEST(edges_are_added_from_the_last)
{
	static const double raw[] = {0.1, 0.2, 0.4};
	struct pk_profiles list = {NULL, 0, 0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;

	for (int i = 0; i < 3; i++) {
		struct pk_builder *b = new_time();
		struct pk_edge e = {.callee = function_called(b, "f"),
				    .metric = 1,
				    .calls = 1,
				    .primitive_calls = 1,
				    .self = i,
				    .total = i,
				    .self_raw = raw[i],
				    .total_raw = raw[i]};

		pk_build_edge(b, &e);
		pk_profiles_add(&list, pk_builder_finish(b));
	}
	ck_assert(!pk_merge(&list, &p, &err));
	ck_assert_int_eq(p->edge.self[1], 3);
	ck_assert_double_eq(p->edge.self_raw[1], 0.7);
	ck_assert_double_eq(p->edge.total_raw[1], 0.7);
	pk_profile_free(p);
	pk_profiles_release(&list);
}
END_TEST

START_TEST(callers_and_paths_are_not_added)
{
	struct pk_profiles list = {NULL, 0, 0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_builder *b = new_time();
	struct pk_profile *p;

	stack(b, "a;b", 1, PK_NULL);
	pk_profiles_add(&list, pk_builder_finish(b));
	b = new_time();
	edge(b, NULL, "a", 1, 1, 1);
	pk_profiles_add(&list, pk_builder_finish(b));
	ck_assert(pk_merge(&list, &p, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "cannot be added"));
	pk_profiles_release(&list);
}
END_TEST

START_TEST(repairs_are_counted)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;

	ck_assert_int_eq(pk_build_repair(b, &err, "odd", "line %d", 3), 0);
	ck_assert_int_eq(pk_build_repair(b, &err, "odd", "line %d", 4), 0);
	pk_builder_set_strict(b, true);
	ck_assert_int_eq(pk_build_repair(b, &err, "odd", "line %d", 5), -1);
	ck_assert_str_eq(err.text, "line 5: odd");
	p = checked(pk_builder_finish(b));
	ck_assert_uint_eq(p->repair.count, 2);
	ck_assert_int_eq(p->repair.times[1], 2);
	ck_assert_str_eq(pk_text(p, p->repair.first[1]), "line 3");
	pk_profile_free(p);
}
END_TEST

/* A path a;b and its caller a, in two threads. */
static struct pk_profile *make_aggregate(enum pk_aggregate how, int64_t more)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "heap", "bytes", 0, PK_METRIC_BYTES, PK_EXACT);
	uint32_t a = pk_build_node(b, 0, pk_build_label(b, "a", 1));
	uint32_t ab = pk_build_node(b, a, pk_build_label(b, "b", 1));
	struct pk_thread thread = {.tid = 1};
	uint32_t one = pk_build_thread(b, &thread);

	pk_build_set(b, metric, aggregate, metric, how);
	pk_build_sample(b, 1, 0, a, metric, 5 + more);
	pk_build_sample(b, 2, 0, a, metric, 3 + more);
	pk_build_sample(b, 1, 0, ab, metric, 4 + more);
	pk_build_sample(b, 2, one, ab, metric, 2 + more);
	return checked(pk_builder_finish(b));
}

static void expect_aggregate(const struct pk_profile *p, int64_t self_a, int64_t self_b,
			     int64_t total, uint32_t threads)
{
	struct pk_tree tree;
	uint32_t a = 1, b = 2;

	pk_tree_init(&tree, p, 1);
	ck_assert_int_eq(tree.self[a], self_a);
	ck_assert_int_eq(tree.self[b], self_b);
	ck_assert_int_eq(tree.total[a], total);
	ck_assert_int_eq(tree.total[0], total);
	ck_assert_uint_eq(p->thread.count - 1, threads);
	pk_tree_release(&tree);
}

START_TEST(values_make_what_the_metric_says)
{
	static const struct {
		enum pk_aggregate how;
		int64_t one[3], merged[3]; /* self of a, of b, total; of two profiles */
	} cases[] = {
		{PK_AGGREGATE_SUM, {8, 6, 14}, {36, 32, 68}},
		{PK_AGGREGATE_MAX, {5, 4, 5}, {15, 14, 15}},
		/* Samples of a path in a run replace each other; threads and runs are added. */
		{PK_AGGREGATE_LAST, {3, 6, 9}, {16, 32, 48}},
	};

	for (size_t i = 0; i < 3; i++) {
		struct pk_profiles list = {0};
		struct pk_profile *merged;
		struct pk_error err = PK_ERROR_INIT;

		pk_profiles_add(&list, make_aggregate(cases[i].how, 0));
		pk_profiles_add(&list, make_aggregate(cases[i].how, 10));
		expect_aggregate(list.item[0], cases[i].one[0], cases[i].one[1], cases[i].one[2],
				 1);
		ck_assert_int_eq(pk_merge(&list, &merged, &err), 0);
		ck_assert_int_eq(pk_metric_aggregate(checked(merged), 1), cases[i].how);
		expect_aggregate(merged, cases[i].merged[0], cases[i].merged[1],
				 cases[i].merged[2], 2);
		pk_profile_free(merged);
		pk_profiles_release(&list);
	}
}
END_TEST

static struct pk_profile *make_labelled(bool swapped)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	uint32_t node = pk_build_node(b, 0, pk_build_label(b, "a", 1)), set, row;
	struct pk_label first = {.number = PK_NULL}, second = {.number = 7}, both[2];

	if (swapped)
		pk_build_text(b, "size");
	first.key = pk_build_text(b, "user");
	first.text = pk_build_text(b, "eve");
	second.key = pk_build_text(b, "size");
	both[swapped] = first;
	both[!swapped] = second;
	set = pk_build_label_set(b, both, 2);
	ck_assert_uint_eq(pk_build_label_set(b, both, 2), set);
	ck_assert_uint_ne(pk_build_label_set(b, &first, 1), set);
	ck_assert_uint_eq(pk_build_label_set(b, NULL, 0), 0);
	pk_build_cost(b, 0, node, metric, 1, PK_NULL);
	for (int i = 0; i < 40; i++)
		pk_build_cost_of(b, &(struct pk_cost){0, node, metric, i % 2 ? set : 0, 1, PK_NULL,
						      false});
	for (int i = 0; i < 2; i++) {
		row = pk_build_sample(b, 5, 0, node, metric, 1);
		pk_build_set(b, sample, labels, row, set);
		pk_build_set(b, sample, event, row, 1);
	}
	return checked(pk_builder_finish(b));
}

START_TEST(labels_keep_values_apart)
{
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;
	uint32_t set;

	pk_profiles_add(&list, make_labelled(false));
	pk_profiles_add(&list, make_labelled(true));
	ck_assert_int_eq(pk_merge(&list, &p, &err), 0);
	checked(p);
	ck_assert_uint_eq(p->cost.count, 3);
	ck_assert_int_eq(p->cost.self[1], 42);
	ck_assert_int_eq(p->cost.self[2], 40);
	set = pk_cost_labels(p, 2);
	ck_assert_uint_eq(pk_cost_labels(p, 1), 0);
	ck_assert_str_eq(pk_text(p, p->label_set.key[set]), "size");
	ck_assert_int_eq(p->label_set.number[set], 7);
	ck_assert_str_eq(pk_text(p, p->label_set.text[p->label_set.rest[set]]), "eve");
	ck_assert_uint_eq(p->sample.count, 5);
	ck_assert_uint_eq(p->sample.labels[4], set);
	/* Two values of an event each, and the events of two profiles are different. */
	ck_assert_uint_eq(p->sample.event[1], 1);
	ck_assert_uint_eq(p->sample.event[2], 1);
	ck_assert_uint_eq(p->sample.event[3], 2);
	ck_assert_uint_eq(p->sample.event[4], 2);
	pk_profile_free(p);
	pk_profiles_release(&list);
}
END_TEST

START_TEST(labels_are_bounded)
{
	struct pk_error err = PK_ERROR_INIT;

	for (uint32_t most = 1000; most <= 1001; most++) {
		struct pk_builder *b = new_time();
		struct pk_label label[1001] = {{0}};
		struct pk_profile *p;

		for (uint32_t i = 0; i < most; i++)
			label[i].key = pk_build_label(b, "key", 3), label[i].number = i;
		ck_assert_uint_ne(pk_build_label_set(b, label, most), 0);
		p = pk_builder_finish(b);
		ck_assert_int_eq(pk_profile_check(p, &err), most > 1000 ? -1 : 0);
		pk_profile_free(p);
	}
}
END_TEST

/* Calls from several lines are several edges and one arc. */
START_TEST(edges_know_the_line_of_a_call)
{
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p, *stripped;
	struct pk_arcs arcs;

	for (int i = 0; i < 2; i++) {
		struct pk_builder *b = pk_builder_new();
		struct pk_edge e = {.metric = 1, .calls = 1, .primitive_calls = 1, .total = 10,
				    .self_raw = NAN, .total_raw = NAN};

		pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
		e.caller = function_called(b, "f");
		e.callee = function_called(b, "g");
		for (e.line = 3; e.line < 5; e.line++)
			pk_build_edge(b, &e);
		pk_profiles_add(&list, checked(pk_builder_finish(b)));
	}
	ck_assert_int_eq(pk_merge(&list, &p, &err), 0);
	ck_assert_uint_eq(p->edge.count, 3);
	ck_assert_uint_eq(p->edge.line[2], 4);
	ck_assert_int_eq(p->edge.total[2], 20);
	pk_arcs_init(&arcs, p, 1);
	ck_assert_uint_eq(arcs.count, 1);
	ck_assert_int_eq(arcs.row[0].calls, 4);
	ck_assert_int_eq(arcs.row[0].total, 40);
	pk_arcs_release(&arcs);
	stripped = pk_strip_dirs(p);
	ck_assert_uint_eq(stripped->edge.count, 3);
	pk_profile_free(stripped);
	pk_profile_free(p);
	pk_profiles_release(&list);
}
END_TEST

/* One edge of f that calls g at a line, or at none; raw: its total in the numbers of a file, or NaN. */
static struct pk_profile *call_at(uint32_t line, int64_t total, double raw)
{
	struct pk_builder *b = new_time();
	struct pk_edge e = {.metric = 1,
			    .calls = 1,
			    .primitive_calls = 1,
			    .total = total,
			    .line = line,
			    .self_raw = NAN,
			    .total_raw = raw};

	e.caller = function_called(b, "f");
	e.callee = function_called(b, "g");
	pk_build_edge(b, &e);
	return checked(pk_builder_finish(b));
}

/* A call at no line is not that at a line, whichever profile is the first, and is added to its like. */
START_TEST(edges_with_and_without_lines_stay_apart)
{
	for (uint32_t first = 0; first < 3; first++) {
		struct pk_profiles list = {0};
		struct pk_error err = PK_ERROR_INIT;
		struct pk_profile *p;
		int64_t total[4] = {0};

		for (uint32_t i = 0; i < 3; i++)
			pk_profiles_add(&list, call_at(i == first ? 3 : 0, i == first ? 10 : 2, NAN));
		ck_assert_int_eq(pk_merge(&list, &p, &err), 0);
		checked(p);
		ck_assert_uint_eq(p->edge.count, 3);
		for (uint32_t i = 1; i < 3; i++)
			total[p->edge.line[i]] += p->edge.total[i];
		ck_assert_int_eq(total[3], 10);
		ck_assert_int_eq(total[0], 4);
		pk_profile_free(p);
		pk_profiles_release(&list);
	}
}
END_TEST

/* Of numbers that only one file has, that one counts, whichever is the first. */
START_TEST(edges_with_and_without_raw_numbers)
{
	for (int first = 0; first < 2; first++) {
		struct pk_profiles list = {0};
		struct pk_error err = PK_ERROR_INIT;
		struct pk_profile *p;

		for (int i = 0; i < 2; i++)
			pk_profiles_add(&list, call_at(0, 2, i == first ? 0.25 : NAN));
		ck_assert_int_eq(pk_merge(&list, &p, &err), 0);
		checked(p);
		ck_assert_uint_eq(p->edge.count, 2);
		ck_assert_int_eq(p->edge.total[1], 4);
		ck_assert_double_eq(p->edge.total_raw[1], 0.25);
		pk_profile_free(p);
		pk_profiles_release(&list);
	}
}
END_TEST

/* f of two folders calls g: as in Python's Stats.strip_dirs the last of two equal callers stays;
 * calls at other lines are others. */
START_TEST(callers_that_become_equal)
{
	static const char *const files[] = {"a/x.py", "b/x.py"};

	for (uint32_t lines = 0; lines < 3; lines++) { /* none, the same, two */
		struct pk_builder *b = new_time();
		struct pk_profile *p, *stripped;

		for (uint32_t i = 0; i < 2; i++) {
			struct pk_function f = {.name = pk_build_text(b, "f"),
						.file = pk_build_text(b, files[i])};
			struct pk_edge e = {.metric = 1,
					    .calls = 1,
					    .primitive_calls = 1,
					    .total = 10 - 6 * i,
					    .line = lines ? 3 + (lines == 2 && i) : 0,
					    .self_raw = NAN,
					    .total_raw = NAN};

			e.caller = pk_build_function(b, &f);
			e.callee = function_called(b, "g");
			pk_build_edge(b, &e);
		}
		p = checked(pk_builder_finish(b));
		stripped = checked(pk_strip_dirs(p));
		ck_assert_uint_eq(stripped->edge.count, lines == 2 ? 3 : 2);
		ck_assert_int_eq(stripped->edge.total[1], lines == 2 ? 10 : 4);
		ck_assert_int_eq(stripped->edge.total[stripped->edge.count - 1], 4);
		pk_profile_free(stripped);
		pk_profile_free(p);
	}
}
END_TEST

START_TEST(labels)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_function f = {.name = pk_build_text(b, "run"),
				.file = pk_build_text(b, "/src/job.py"),
				.line = 12};
	uint32_t frame = pk_build_function(b, &f), builtin = function_called(b, "<built-in x>");
	const struct pk_profile *p = pk_builder_profile(b);
	const char *module;
	size_t len;

	pk_function_label(&buf, p, frame, PK_LABEL_SHORT);
	pk_buf_addc(&buf, '|');
	pk_function_label(&buf, p, frame, PK_LABEL_PSTATS);
	pk_buf_addc(&buf, '|');
	pk_function_label(&buf, p, builtin, PK_LABEL_PSTATS);
	pk_buf_addc(&buf, '|');
	module = pk_function_module(p, frame, &len);
	pk_buf_add(&buf, module, len);
	ck_assert_str_eq(buf.data, "run (job.py:12)|/src/job.py:12(run)|{built-in x}|job");
	pk_buf_release(&buf);
	pk_builder_free(b);
}
END_TEST

/* Samples of the first metric have no column of metrics. */
START_TEST(samples_of_one_metric)
{
	for (uint32_t sampled = 1; sampled <= 2; sampled++) {
		struct pk_builder *b = new_time();
		uint32_t node = pk_build_node(b, 0, pk_build_label(b, "a", 1));
		struct pk_profile *p;

		pk_build_metric(b, "count", "count", 0, PK_METRIC_COUNT, PK_EXACT);
		pk_build_cost(b, 0, node, 1, 1, PK_NULL);
		pk_build_cost(b, 0, node, 2, 1, PK_NULL);
		pk_build_sample(b, 3, 0, node, sampled, 7);
		p = checked(pk_builder_finish(b));
		ck_assert_uint_eq(pk_sample_metric(&p->sample, 1), sampled);
		ck_assert_int_eq(!p->sample.metric, sampled == 1);
		for (uint32_t keep = 1; keep <= 2; keep++) {
			struct pk_profile *kept = checked(pk_keep_metric(p, keep));

			ck_assert_uint_eq(kept->sample.count, keep == sampled ? 2 : 1);
			if (keep == sampled) {
				ck_assert_int_eq(kept->sample.value[1], 7);
				ck_assert_uint_eq(pk_sample_metric(&kept->sample, 1), 1);
			}
			pk_profile_free(kept);
		}
		pk_profile_free(p);
	}
}
END_TEST

CHECK_MAIN("model", equal_things_have_equal_ids, many_rows_stay_apart_and_are_found_again,
	   costs_of_long_spans, values_make_what_the_metric_says, labels_keep_values_apart,
	   labels_are_bounded, edges_know_the_line_of_a_call,
	   edges_with_and_without_lines_stay_apart, edges_with_and_without_raw_numbers,
	   callers_that_become_equal, threads_without_numbers_differ_by_name,
	   threads_whose_number_is_that_of_their_name, recursion_counts_once_in_totals,
	   calls_by_many_callers, samples_of_one_metric, costs_of_many_threads_stay_apart, metrics_become_finer, merge_adds_and_aligns,
	   merge_says_what_is_the_same, edges_are_added_from_the_last,
	   callers_and_paths_are_not_added, calls_of_hidden_functions_are_not_those_of_callers,
	   selections, repairs_are_counted, labels, costs_of_spans, categories, parts_of_spans)
