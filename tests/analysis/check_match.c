/* Which functions of two profiles are the same. */
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff.h"
#include "analysis/match/match.h"
#include "base/text/str.h"
#include "tests/check_util.h"
#include "model/build/builder.h"

struct function {
	const char *name, *file, *module;
	uint32_t line; /* from RAN: a line that ran, the first one is not known */
};

enum { RAN = 1000 };

/* Functions of module "C" are built in and have no module. Functions of unused.py are in the table
 * of frames alone: no call path has them. */
static struct pk_profile *make(const struct function *f)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);

	for (; f->name; f++) {
		bool builtin = f->module && !strcmp(f->module, "C");
		struct pk_function frame = {
			.name = pk_build_text(b, f->name),
			.file = pk_build_text(b, f->file),
			.module = builtin ? 0 : pk_build_text(b, f->module),
			.line = f->line < RAN ? f->line : 0,
			.kind = builtin ? PK_KIND_BUILTIN : PK_KIND_UNKNOWN,
		};

		uint32_t id = pk_build_function(b, &frame);

		if (!f->file || strcmp(f->file, "unused.py"))
			pk_build_cost(
				b, 0,
				pk_build_node(
					b, 0,
					pk_build_place(b, id, f->line < RAN ? 0 : f->line - RAN)),
				metric, 1, 1);
	}
	return pk_builder_finish(b);
}

/* "f:1=f:3 new:9 -gone:2": the functions after, with the line before of their counterparts. */
static char *describe(const struct function *before, const struct function *after, const char *map)
{
	struct pk_profiles sides[2] = {{0}};
	struct pk_opt_list maps = {.item = &map, .count = map ? 1 : 0};
	struct pk_match_options options = {.map = &maps};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_match m;

	pk_profiles_add(&sides[0], make(before));
	pk_profiles_add(&sides[1], make(after));
	ck_assert_int_eq(pk_match_init(&m, &sides[0], &sides[1], &options, &err), 0);
	for (uint32_t i = 1; i < m.count; i++) {
		const struct pk_match_function *f = &m.function[i];
		uint32_t frame;
		const struct pk_profile *p = pk_match_profile(&m, i, &frame);

		pk_buf_addf(&buf, "%s%s%s:%u", i > 1 ? " " : "", f->id[PK_AFTER] ? "" : "-",
			    pk_text(p, p->function.name[frame]), p->function.line[frame]);
		if (f->id[PK_AFTER] && f->id[PK_BEFORE]) {
			const struct pk_profile *was = m.side[PK_BEFORE].profile[0];

			pk_buf_addf(&buf, "=%s:%u",
				    pk_text(was, was->function.name[f->id[PK_BEFORE]]),
				    was->function.line[f->id[PK_BEFORE]]);
		}
	}
	pk_match_release(&m);
	pk_profiles_release(&sides[0]);
	pk_profiles_release(&sides[1]);
	return pk_buf_detach(&buf);
}

static void check(const struct function *before, const struct function *after, const char *map,
		  const char *expected)
{
	char *found = describe(before, after, map);

	ck_assert_str_eq(found, expected);
	free(found);
}

#define F(...)                        \
	(const struct function[])     \
	{                             \
		__VA_ARGS__,          \
		{                     \
			NULL, 0, 0, 0 \
		}                     \
	}

START_TEST(lines_move)
{
	check(F({"f", "a.py", NULL, 1}, {"g", "a.py", NULL, 9}),
	      F({"g", "a.py", NULL, 4}, {"f", "a.py", NULL, 30}), NULL, "g:4=g:9 f:30=f:1");
}
END_TEST

/* A class more in the middle of a file: the others moved by 20 lines. */
START_TEST(equal_names_go_by_their_lines)
{
	check(F({"__init__", "a.py", NULL, 10}, {"one", "a.py", NULL, 12},
		{"__init__", "a.py", NULL, 50}, {"two", "a.py", NULL, 55}),
	      F({"__init__", "a.py", NULL, 10}, {"one", "a.py", NULL, 12},
		{"__init__", "a.py", NULL, 30}, {"__init__", "a.py", NULL, 70},
		{"two", "a.py", NULL, 75}),
	      NULL,
	      "__init__:10=__init__:10 one:12=one:12 __init__:30 __init__:70=__init__:50 "
	      "two:75=two:55");
	check(F({"<lambda>", "a.py", NULL, 5}, {"<lambda>", "a.py", NULL, 6}),
	      F({"<lambda>", "a.py", NULL, 6}), NULL, "<lambda>:6=<lambda>:6 -<lambda>:5");
	/* One is gone from the middle, or two are. */
	check(F({"<lambda>", "a.py", NULL, 10}, {"<lambda>", "a.py", NULL, 20},
		{"<lambda>", "a.py", NULL, 30}),
	      F({"<lambda>", "a.py", NULL, 10}, {"<lambda>", "a.py", NULL, 30}), NULL,
	      "<lambda>:10=<lambda>:10 <lambda>:30=<lambda>:30 -<lambda>:20");
	check(F({"<lambda>", "a.py", NULL, 10}, {"<lambda>", "a.py", NULL, 20},
		{"<lambda>", "a.py", NULL, 30}, {"<lambda>", "a.py", NULL, 40}),
	      F({"<lambda>", "a.py", NULL, 11}, {"<lambda>", "a.py", NULL, 38}), NULL,
	      "<lambda>:11=<lambda>:10 <lambda>:38=<lambda>:40 -<lambda>:20 -<lambda>:30");
	/* Behind the last function with a name of its own they moved with it, by 50. */
	check(F({"f", "a.py", NULL, 10}, {"<lambda>", "a.py", NULL, 20},
		{"<lambda>", "a.py", NULL, 70}),
	      F({"f", "a.py", NULL, 60}, {"<lambda>", "a.py", NULL, 70},
		{"<lambda>", "a.py", NULL, 120}, {"<lambda>", "a.py", NULL, 20}),
	      NULL, "f:60=f:10 <lambda>:70=<lambda>:20 <lambda>:120=<lambda>:70 <lambda>:20");
}
END_TEST

START_TEST(what_does_not_last_does_not_matter)
{
	static const struct {
		struct function before, after;
	} same[] = {
		{{"<function f at 0x7f33a0>", NULL, NULL, 0}, {"<function f at 0x55>", 0, 0, 0}},
		{{"f", "/usr/lib/python3.11/json/x.py", 0, 1},
		 {"f", "/opt/lib/python3.12/json/x.py", 0, 2}},
		{{"f", "/v/lib/python3.11/site-packages/x-1.2-py3.11.egg/x/a.py", 0, 1},
		 {"f", "C:\\py\\Lib\\site-packages\\x\\a.py", 0, 1}},
		{{"f", "/home/a/work/app/x.py", 0, 1}, {"f", "/builds/77/app/x.py", 0, 1}},
		{{"malloc", NULL, "/lib/libc-2.31.so", 0}, {"malloc", NULL, "/usr/libc.so.6", 0}},
		{{"g", NULL, "/usr/bin/python3.11", 0}, {"g", NULL, "python3.12", 0}},
		{{"a::b::h0123456789abcdef", 0, 0, 0}, {"a::b::hfedcba9876543210", 0, 0, 0}},
		{{"f.constprop.0", 0, 0, 0}, {"f.constprop.1", 0, 0, 0}},
		{{"M$$Lambda$14/0x0008", 0, 0, 0}, {"M$$Lambda$9/0x0101", 0, 0, 0}},
		{{"f", "/r/.cargo/registry/src/x-1/serde-1.0.1/a.rs", 0, 3},
		 {"f", "/q/registry/src/y-2/serde-1.0.9/a.rs", 0, 3}},
		{{"f", "<ipython-input-3-0a1b>", 0, 1}, {"f", "<ipython-input-8-99ff>", 0, 1}},
		/* The part that a rule looks for is at the very end, or begins twice. */
		{{"f", "a\\", 0, 1}, {"f", "a/", 0, 1}},
		{{"f", NULL, "lib.s.so", 0}, {"f", NULL, "lib.s.so.1", 0}},
		{{"a::::h0123456789abcdef", 0, 0, 0}, {"a::::hfedcba9876543210", 0, 0, 0}},
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		char *found = describe(F(same[i].before), F(same[i].after), NULL);

		ck_assert_msg(strchr(found, '=') != NULL, "%s is not %s", same[i].before.name,
			      found);
		free(found);
	}
}
END_TEST

START_TEST(classes_in_names)
{
	check(F({"run", "a.py", NULL, 3}, {"<listcomp>", "a.py", NULL, 8}),
	      F({"Job.run", "a.py", NULL, 0}, {"f.<locals>.<listcomp>", "a.py", NULL, 0}), NULL,
	      "Job.run:0=run:3 f.<locals>.<listcomp>:0=<listcomp>:8");
	check(F({"Old.run", "a.py", NULL, 3}), F({"New.run", "a.py", NULL, 3}), NULL,
	      "New.run:3 -Old.run:3");
	check(F({"run", "a.py", NULL, 3}),
	      F({"A.run", "a.py", NULL, 3}, {"B.run", "a.py", NULL, 9}), NULL,
	      "A.run:3=run:3 B.run:9");
	check(F({"run", "a.py", NULL, 3}),
	      F({"A.run", "a.py", NULL, 0}, {"B.run", "a.py", NULL, 0}), NULL,
	      "A.run:0 B.run:0 -run:3");
}
END_TEST

/* py-spy knows which lines ran, cProfile where a function begins. */
START_TEST(lines_that_ran)
{
	check(F({"<genexpr>", "a.py", NULL, 10}, {"<genexpr>", "a.py", NULL, 30}),
	      F({"g.<locals>.<genexpr>", "a.py", NULL, RAN + 35},
		{"f.<locals>.<genexpr>", "a.py", NULL, RAN + 29}),
	      NULL, "g.<locals>.<genexpr>:0=<genexpr>:30 f.<locals>.<genexpr>:0=<genexpr>:10");
	check(F({"B.run", "a.py", NULL, RAN + 29}),
	      F({"run", "a.py", NULL, 30}, {"run", "a.py", NULL, 10}), NULL,
	      "run:30 run:10=B.run:0");
}
END_TEST

/* cProfile, viztracer, pyinstrument. */
START_TEST(functions_in_c)
{
	check(F({"<method 'random' of '_random.Random' objects>", NULL, "C", 0},
		{"<built-in method math.floor>", NULL, "C", 0},
		{"<method 'get' of 'dict' objects>", NULL, "C", 0},
		{"<built-in method builtins.len>", NULL, "C", 0}),
	      F({"Random.random", NULL, "C", 0}, {"floor", NULL, "C", 0},
		{"dict.get", NULL, "C", 0}, {"len", NULL, "C", 0}, {"Queue.get", NULL, "C", 0}),
	      NULL,
	      "Random.random:0=<method 'random' of '_random.Random' objects>:0 "
	      "floor:0=<built-in method math.floor>:0 "
	      "dict.get:0=<method 'get' of 'dict' objects>:0 "
	      "len:0=<built-in method builtins.len>:0 Queue.get:0");
	check(F({"a.f", NULL, NULL, 0}), F({"f", NULL, NULL, 0}), NULL, "f:0 -a.f:0");
}
END_TEST

START_TEST(different_functions_stay_apart)
{
	check(F({"f", "a.py", NULL, 1}), F({"f", "b.py", NULL, 1}), NULL, "f:1 -f:1");
	check(F({"op.1", NULL, NULL, 0}), F({"op.2", NULL, NULL, 0}), NULL, "op.2:0 -op.1:0");
	check(F({"main", "x/a.py", NULL, 1}, {"f", "y/b.py", NULL, 1}),
	      F({"main", "x/a.py", NULL, 1}, {"g", "z/b.py", NULL, 1}), NULL,
	      "main:1=main:1 g:1 -f:1");
}
END_TEST

START_TEST(renamed_files_hold_the_same_functions)
{
	check(F({"f", "old.py", NULL, 1}, {"g", "old.py", NULL, 5}, {"h", "old.py", NULL, 9}),
	      F({"f", "new.py", NULL, 1}, {"g", "new.py", NULL, 6}, {"k", "new.py", NULL, 9}), NULL,
	      "f:1=f:1 g:6=g:5 k:9 -h:9");
	/* Half of the functions is enough, less is not. */
	check(F({"f", "old.py", NULL, 1}, {"g", "old.py", NULL, 5}),
	      F({"f", "new.py", NULL, 1}, {"g", "new.py", NULL, 6}, {"k", "new.py", NULL, 9},
		{"l", "new.py", NULL, 10}),
	      NULL, "f:1=f:1 g:6=g:5 k:9 l:10");
	check(F({"f", "old.py", NULL, 1}, {"g", "old.py", NULL, 5}),
	      F({"f", "new.py", NULL, 1}, {"g", "new.py", NULL, 6}, {"k", "new.py", NULL, 9},
		{"l", "new.py", NULL, 10}, {"m", "new.py", NULL, 11}),
	      NULL, "f:1 g:6 k:9 l:10 m:11 -f:1 -g:5");
}
END_TEST

/* One function has several frames, so that a profile with fewer frames is made; functions without
 * call paths must be found there, too. */
START_TEST(functions_without_paths_beside_joined_frames)
{
	check(F({"one", "unused.py", NULL, 1}, {"two", "unused.py", NULL, 2},
		{"three", "unused.py", NULL, 3}, {"f at 0x1", "a.py", NULL, 1},
		{"f at 0x2", "a.py", NULL, 1}, {"g", "a.py", NULL, 5}),
	      F({"two", "unused.py", NULL, 2}, {"four", "unused.py", NULL, 4},
		{"g", "a.py", NULL, 6}, {"f at 0x3", "a.py", NULL, 1},
		{"f at 0x4", "a.py", NULL, 1}),
	      NULL, "two:2=two:2 four:4 g:6=g:5 f at 0x3:1=f at 0x1:1 -one:1 -three:3");
}
END_TEST

/* Two files of one name below a folder that moved: by where the others went. */
START_TEST(folders_move)
{
	check(F({"f", "/a/p/x/__init__.py", 0, 1}, {"f", "/a/p/y/__init__.py", 0, 2},
		{"m", "/a/p/main.py", 0, 3}),
	      F({"f", "/b/q/p/y/__init__.py", 0, 2}, {"f", "/b/q/p/x/__init__.py", 0, 1},
		{"m", "/b/q/p/main.py", 0, 3}),
	      NULL, "f:2=f:2 f:1=f:1 m:3=m:3");
	/* Most files went from /a to /b, whichever of them comes first: so did x/__init__.py. */
	for (int i = 0; i < 2; i++) {
		const char *was = i ? "/a/z.py" : "/a/0.py", *is = i ? "/c/z.py" : "/c/0.py";

		check(F({"o", was, 0, 3}, {"m", "/a/main.py", 0, 4}, {"n", "/a/next.py", 0, 5},
			{"f", "/a/x/__init__.py", 0, 1}),
		      F({"o", is, 0, 3}, {"f", "/c/x/__init__.py", 0, 9},
			{"f", "/b/x/__init__.py", 0, 1}, {"m", "/b/main.py", 0, 4},
			{"n", "/b/next.py", 0, 5}),
		      NULL, "o:3=o:3 f:9 f:1=f:1 m:4=m:4 n:5=n:5");
	}
}
END_TEST

START_TEST(maps_are_followed)
{
	check(F({"f", "a.py", NULL, 1}), F({"g", "a.py", NULL, 1}), "f=g", "g:1=f:1");
	check(F({"f", "old/a.py", NULL, 1}, {"oldest", "b.py", NULL, 1}),
	      F({"f", "new/sub/a.py", NULL, 1}, {"oldest", "b.py", NULL, 1}), "old=new/sub",
	      "f:1=f:1 oldest:1=oldest:1");
	check(F({"get_x", "a.py", NULL, 1}), F({"x_getter", "a.py", NULL, 1}),
	      "re:^get_(.*)$=$1_getter", "x_getter:1=get_x:1");
}
END_TEST

START_TEST(medians)
{
	int64_t odd[] = {3, 1, 2}, even[] = {4, 1, 2, 3}, low[] = {-4, -3}, one[] = {-3, -3};
	int64_t large[] = {INT64_MAX, INT64_MAX}, unknown[] = {1, PK_NULL, 5};

	ck_assert_int_eq(pk_diff_median(odd, 3), 2);
	ck_assert_int_eq(pk_diff_median(even, 4), 3);
	ck_assert_int_eq(pk_diff_median(low, 2), -3);
	ck_assert_int_eq(pk_diff_median(one, 2), -3);
	ck_assert_int_eq(pk_diff_median(large, 2), INT64_MAX);
	ck_assert_int_eq(pk_diff_median(unknown, 3), PK_NULL);
}
END_TEST

CHECK_MAIN("match", lines_move, equal_names_go_by_their_lines, what_does_not_last_does_not_matter,
	   classes_in_names, lines_that_ran, functions_in_c, different_functions_stay_apart,
	   renamed_files_hold_the_same_functions, functions_without_paths_beside_joined_frames,
	   folders_move, maps_are_followed, medians)
