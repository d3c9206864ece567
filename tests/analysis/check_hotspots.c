/* Tables of functions: order, choice, callers, trees. */
#include <string.h>

#include "analysis/callers.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/tree.h"
#include "base/text/str.h"
#include "model/build/builder.h"

#include "tests/check_util.h"

static struct pk_builder *new_time(void)
{
	struct pk_builder *b = pk_builder_new();

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	return b;
}

static uint32_t frame(struct pk_builder *b, const char *name, const char *file, uint32_t line)
{
	struct pk_function f = {
		.name = pk_build_text(b, name), .file = pk_build_text(b, file), .line = line};

	return pk_build_function(b, &f);
}

static void edge(struct pk_builder *b, uint32_t caller, uint32_t callee, int64_t calls,
		 int64_t primitive, int64_t self, int64_t total, double self_raw)
{
	struct pk_edge e = {
		caller, callee, 1, calls, primitive, self, total, self_raw, (double)total * 1e-9, 0};

	if (isnan(self_raw))
		e.total_raw = NAN;
	pk_build_edge(b, &e);
}

/* As pstats has it: main calls work (3 times) and len, work calls len and itself. */
static struct pk_profile *callers_only(void)
{
	struct pk_builder *b = new_time();
	uint32_t main_ = frame(b, "main", "/src/app.py", 1);
	uint32_t work = frame(b, "work", "/src/work.py", 10);
	uint32_t len = frame(b, "<built-in method builtins.len>", NULL, 0);
	uint32_t idle = frame(b, "idle", "/src/app.py", 20);

	edge(b, 0, main_, 1, 1, 10, 100, 1.0e-8);
	edge(b, 0, work, 5, 3, 60, 80, 6.0e-8);
	edge(b, 0, len, 9, 9, 30, 30, 3.0e-8);
	edge(b, 0, idle, 1, 1, 0, 0, 0);
	edge(b, main_, work, 3, 3, 40, 80, NAN);
	edge(b, work, work, 2, 0, 20, 20, NAN);
	edge(b, main_, len, 1, 1, 10, 10, NAN);
	edge(b, work, len, 8, 8, 20, 20, NAN);
	return pk_builder_finish(b);
}

static void stack(struct pk_builder *b, const char *text, int64_t self)
{
	uint32_t node = 0;

	while (*text) {
		size_t len = strcspn(text, ";");

		node = pk_build_node(b, node, pk_build_label(b, text, len));
		text += len + (text[len] == ';');
	}
	pk_build_cost(b, 0, node, 1, self, PK_NULL);
}

static struct pk_profile *paths(void)
{
	struct pk_builder *b = new_time();

	stack(b, "main;small", 1);
	stack(b, "main;work;len", 30);
	stack(b, "main;work", 40);
	stack(b, "main;work;work;len", 5);
	stack(b, "main;len", 10);
	stack(b, "gc", 14);
	return pk_builder_finish(b);
}

static void add_name(struct pk_buf *buf, const struct pk_profile *p, uint32_t frame_id)
{
	pk_buf_addf(buf, "%s ", pk_text(p, p->function.name[frame_id]));
}

static void expect_hotspots(const struct pk_profile *p, struct pk_hotspot_options options,
			    const char *sort, const char *expected)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf names = PK_BUF_INIT;
	struct pk_hotspots h;
	uint32_t i;

	if (sort)
		ck_assert_msg(!pk_sort_parse(&options.sort, sort, &err), "%s", err.text);
	ck_assert_msg(!pk_hotspots_init(&h, p, 1, &options, &err), "%s", err.text);
	pk_buf_adds(&names, "");
	for (i = 0; i < h.count; i++)
		add_name(&names, p, h.functions.row[h.order[i]].function);
	ck_assert_str_eq(names.data, expected);
	pk_buf_release(&names);
	pk_hotspots_release(&h);
}

#define LEN "<built-in method builtins.len>"

START_TEST(hotspots_are_sorted)
{
	struct pk_profile *p = callers_only();
	struct pk_hotspot_options none = {.min_share = 0}, reversed = {.sort = {.reverse = true}};

	expect_hotspots(p, none, NULL, "main work " LEN " idle ");
	expect_hotspots(p, none, "self", "work " LEN " main idle ");
	expect_hotspots(p, none, "cumulative", "main work " LEN " idle ");
	expect_hotspots(p, none, "ncalls", LEN " work main idle ");
	expect_hotspots(p, none, "pcalls", LEN " work main idle ");
	expect_hotspots(p, none, "filename", "main idle work " LEN " ");
	expect_hotspots(p, none, "line", LEN " main work idle ");
	expect_hotspots(p, none, "name", LEN " idle main work ");
	expect_hotspots(p, none, "stdname", "main idle work " LEN " ");
	expect_hotspots(p, none, "file,name", "idle main work " LEN " ");
	/* The list is reversed, ties too: main was before idle. */
	expect_hotspots(p, reversed, "filename", LEN " work idle main ");
	pk_profile_free(p);
}
END_TEST

START_TEST(hotspots_are_chosen)
{
	struct pk_profile *p = callers_only();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_hotspots h;

	expect_hotspots(p, (struct pk_hotspot_options){.match = "app\\.py:1$"}, NULL, "main ");
	expect_hotspots(p, (struct pk_hotspot_options){.match = "len|work"}, NULL, "work " LEN " ");
	expect_hotspots(p, (struct pk_hotspot_options){.match = "nothing"}, NULL, "");
	expect_hotspots(p, (struct pk_hotspot_options){.min_share = 0.3}, NULL,
			"main work " LEN " ");
	expect_hotspots(p, (struct pk_hotspot_options){.min_share = 0.31}, NULL, "main work ");
	ck_assert_int_eq(
		pk_hotspots_init(&h, p, 1, &(struct pk_hotspot_options){.match = "("}, &err), -1);
	ck_assert_int_eq(err.code, PK_EUSAGE);
	pk_profile_free(p);
}
END_TEST

/* Nanoseconds are equal, the file's own seconds are not. */
START_TEST(raw_numbers_decide)
{
	struct pk_builder *b = new_time();
	struct pk_profile *p;

	edge(b, 0, frame(b, "less", "x.py", 1), 1, 1, 5, 5, 5.1e-9);
	edge(b, 0, frame(b, "more", "x.py", 2), 1, 1, 5, 5, 5.2e-9);
	edge(b, 0, frame(b, "none", "x.py", 3), PK_NULL, PK_NULL, 0, 0, -0.0);
	edge(b, 0, frame(b, "negative", "x.py", 4), 7, 7, 0, 0, -1e-12);
	p = pk_builder_finish(b);
	expect_hotspots(p, (struct pk_hotspot_options){.min_share = 0}, "time",
			"more less none negative ");
	expect_hotspots(p, (struct pk_hotspot_options){.min_share = 0}, "calls",
			"negative less more none ");
	pk_profile_free(p);
}
END_TEST

/* If not all functions have raw numbers, whole units are compared. */
START_TEST(raw_numbers_of_some)
{
	struct pk_builder *b = new_time();
	struct pk_profile *p;

	edge(b, 0, frame(b, "less", "x.py", 1), 1, 1, 5, 5, 5.1e-9);
	edge(b, 0, frame(b, "more", "x.py", 2), 1, 1, 5, 5, 5.2e-9);
	edge(b, 0, frame(b, "whole", "x.py", 3), 1, 1, 6, 6, NAN);
	p = pk_builder_finish(b);
	expect_hotspots(p, (struct pk_hotspot_options){.min_share = 0}, "time", "whole less more ");
	pk_profile_free(p);
}
END_TEST

START_TEST(sort_keys)
{
	static const struct {
		const char *text;
		enum pk_sort_key key;
	} good[] = {
		{"cu", PK_SORT_TOTAL},      {"cumu", PK_SORT_TOTAL}, {"ca", PK_SORT_CALLS},
		{"nc", PK_SORT_CALLS},      {"p", PK_SORT_PCALLS},   {"ti", PK_SORT_SELF},
		{"to", PK_SORT_SELF},       {"tot", PK_SORT_SELF},   {"total", PK_SORT_TOTAL},
		{"f", PK_SORT_FILE},        {"file", PK_SORT_FILE},  {"m", PK_SORT_FILE},
		{"l", PK_SORT_LINE},        {"na", PK_SORT_NAME},    {"nf", PK_SORT_NFL},
		{"s", PK_SORT_STDNAME},     {"self", PK_SORT_SELF},  {"-1", PK_SORT_STDNAME},
		{"0", PK_SORT_CALLS},       {"1", PK_SORT_SELF},     {"2", PK_SORT_TOTAL},
		{"function", PK_SORT_NAME},
	};
	static const char *const bad[] = {
		"c", "cum", "n", "t", "", "x", "selfish", "name,", "3", ",", "l,l,l,l,l,l,l,l,l"};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_sort sort = {.count = 0};
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_msg(!pk_sort_parse(&sort, good[i].text, &err), "%s", good[i].text);
		ck_assert_int_eq(sort.count, 1);
		ck_assert_msg(sort.key[0] == good[i].key, "%s", good[i].text);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(pk_sort_parse(&sort, bad[i], &err) == -1, "'%s'", bad[i]);
	ck_assert(!pk_sort_parse(&sort, "cumulative,name line", &err));
	ck_assert_int_eq(sort.count, 3);
	ck_assert_int_eq(sort.key[2], PK_SORT_LINE);
	ck_assert_str_eq(pk_sort_description(PK_SORT_SELF), "internal time");
}
END_TEST

START_TEST(shares)
{
	ck_assert(pk_share(1, 4) == 0.25);
	ck_assert(isnan(pk_share(PK_NULL, 4)) && isnan(pk_share(1, 0)));
	ck_assert(pk_speedup_bound(0.5) == 2);
	ck_assert(isnan(pk_speedup_bound(1)) && isnan(pk_speedup_bound(1.5)));
	ck_assert(isnan(pk_speedup_bound(NAN)) && isnan(pk_speedup_bound(-0.5)));
}
END_TEST

static void expect_callers(const struct pk_profile *p, struct pk_caller_options options,
			   const char *expected)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_callers c;
	uint32_t i, k;

	ck_assert_msg(!pk_callers_init(&c, p, 1, &options, &err), "%s", err.text);
	for (i = 0; i < c.group_count; i++) {
		add_name(&text, p, c.groups[i].function->function);
		for (k = 0; k < c.groups[i].count; k++) {
			const struct pk_arc *arc = &c.arcs.row[c.order[c.groups[i].first + k]];

			pk_buf_addf(&text, "%s%s=%d/%d ", options.callees ? ">" : "<",
				    pk_text(p, p->function.name[options.callees ? arc->callee
										: arc->caller]),
				    (int)arc->self, (int)arc->total);
		}
	}
	ck_assert_str_eq(text.data, expected);
	pk_buf_release(&text);
	pk_callers_release(&c);
}

START_TEST(callers_of_functions)
{
	struct pk_profile *p = callers_only();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_callers c;

	expect_callers(p, (struct pk_caller_options){.function = "work"},
		       "work <main=40/80 <work=20/20 ");
	expect_callers(p, (struct pk_caller_options){.function = "wor"},
		       "work <main=40/80 <work=20/20 ");
	expect_callers(p, (struct pk_caller_options){.function = "work", .callees = true},
		       "work >" LEN "=20/20 >work=20/20 ");
	expect_callers(p, (struct pk_caller_options){.function = "app.py"}, "main idle ");
	expect_callers(p, (struct pk_caller_options){.min_share = 0.5},
		       "main work <main=40/80 " LEN " idle ");
	expect_callers(p,
		       (struct pk_caller_options){.min_share = 0.5,
						  .sort = {.key = {PK_SORT_NAME}, .count = 1}},
		       LEN " idle main work <main=40/80 ");
	ck_assert_int_eq(
		pk_callers_init(&c, p, 1, &(struct pk_caller_options){.function = "wokr"}, &err),
		-1);
	ck_assert_str_eq(err.text, "no function matches 'wokr'; did you mean 'work'?");
	pk_profile_free(p);
}
END_TEST

START_TEST(callers_from_paths)
{
	struct pk_profile *p = paths();

	expect_callers(p, (struct pk_caller_options){.function = "work"},
		       "work <main=40/75 <work=0/5 ");
	expect_callers(p, (struct pk_caller_options){.function = "len"},
		       "len <work=35/35 <main=10/10 ");
	pk_profile_free(p);
}
END_TEST

/* "name=total", one level a '.', '~' where estimated */
static void expect_tree(const struct pk_profile *p, struct pk_call_tree_options options,
			const char *sort, uint32_t limit, const char *expected)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_sort keys = {.reverse = false};
	struct pk_call_tree t;
	uint32_t i;
	int d;

	ck_assert(!pk_sort_parse(&keys, sort, &err));
	ck_assert_msg(!pk_call_tree_init(&t, p, 1, &options, &err), "%s", err.text);
	pk_call_tree_arrange(&t, &keys, limit);
	pk_buf_adds(&text, "");
	for (i = 0; i < t.count; i++) {
		uint32_t node = t.rows[i].node;

		for (d = 0; d < t.rows[i].depth; d++)
			pk_buf_addc(&text, '.');
		pk_buf_addf(&text, "%s=%s%d ",
			    pk_text(t.profile,
				    t.profile->function.name[pk_node_function(t.profile, node)]),
			    t.rows[i].estimated ? "~" : "", (int)t.tree.total[node]);
		ck_assert_uint_eq(t.rows[i].parent, t.profile->node.parent[node]);
	}
	ck_assert_str_eq(text.data, expected);
	ck_assert_int_eq(t.total, 100);
	pk_buf_release(&text);
	pk_call_tree_release(&t);
}

START_TEST(trees)
{
	struct pk_profile *p = paths();
	struct pk_call_tree_options all = {.depth = 0};

	expect_tree(p, all, "total", 100,
		    ".main=86 ..work=75 ...len=30 ...work=5 ....len=5 ..len=10 ..small=1 .gc=14 ");
	expect_tree(p, all, "name", 100,
		    ".gc=14 .main=86 ..len=10 ..small=1 ..work=75 ...len=30 ...work=5 ....len=5 ");
	expect_tree(p, all, "name", 4, ".gc=14 .main=86 ..work=75 ...len=30 ");
	expect_tree(p, all, "name", 0, "");
	expect_tree(p, (struct pk_call_tree_options){.depth = 2}, "total", 100,
		    ".main=86 ..work=75 ..len=10 ..small=1 .gc=14 ");
	expect_tree(p, (struct pk_call_tree_options){.min_share = 0.1}, "total", 100,
		    ".main=86 ..work=75 ...len=30 ..len=10 .gc=14 ");
	pk_profile_free(p);
}
END_TEST

START_TEST(trees_from_below)
{
	struct pk_profile *p = paths();
	struct pk_call_tree_options up = {.bottom_up = true};

	expect_tree(p, up, "total", 100,
		    ".len=45 ..work=35 ...main=30 ...work=5 ....main=5 ..main=10 "
		    ".work=40 ..main=40 .gc=14 .small=1 ..main=1 ");
	pk_profile_free(p);
}
END_TEST

START_TEST(trees_of_callers_are_estimated)
{
	struct pk_profile *p = callers_only();
	struct pk_call_tree_options up = {.bottom_up = true, .depth = 1};
	struct pk_call_tree_options all = {.depth = 0};

	expect_tree(p, all, "total", 100,
		    ".main=~100 ..work=~80 ...<built-in method builtins.len>=~20 "
		    "..<built-in method builtins.len>=~10 .idle=~0 ");
	/* The sum over all paths of a function is exact again. */
	expect_tree(p, up, "total", 100, ".work=60 .<built-in method builtins.len>=30 .main=10 ");
	pk_profile_free(p);
}
END_TEST

START_TEST(lines_are_joined)
{
	struct pk_builder *b = new_time();
	uint32_t f = frame(b, "f", "f.py", 1), g = frame(b, "g", "f.py", 9);
	struct pk_profile *p;

	for (uint32_t line = 2; line < 4; line++) {
		uint32_t caller = pk_build_node(b, 0, pk_build_place(b, f, line));

		pk_build_cost(b, 0, pk_build_node(b, caller, pk_build_place(b, g, 10)), 1,
			      line == 2 ? 60 : 40, PK_NULL);
	}
	p = pk_builder_finish(b);
	expect_tree(p, (struct pk_call_tree_options){.depth = 0}, "total", 100, ".f=100 ..g=100 ");
	expect_tree(p, (struct pk_call_tree_options){.by_line = true}, "total", 100,
		    ".f=60 ..g=60 .f=40 ..g=40 ");
	pk_profile_free(p);
}
END_TEST

START_TEST(nothing_to_make_a_tree_of)
{
	struct pk_profile *p = pk_builder_finish(new_time());
	struct pk_call_tree_options all = {.depth = 0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_call_tree t;

	ck_assert_int_eq(pk_call_tree_init(&t, p, 1, &all, &err), -1);
	ck_assert_int_eq(err.code, PK_EUSAGE);
	pk_profile_free(p);
}
END_TEST

CHECK_MAIN("hotspots", hotspots_are_sorted, hotspots_are_chosen, raw_numbers_decide,
	   raw_numbers_of_some, sort_keys, shares, callers_of_functions, callers_from_paths, trees,
	   trees_from_below, trees_of_callers_are_estimated, lines_are_joined,
	   nothing_to_make_a_tree_of)
