/* Folded stacks: lines that are accepted, mended, or refused. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/str.h"
#include "readers/reader.h"
#include "readers/stack_text.h"
#include "tests/check_util.h"
#include "writers/writer.h"

static void add_path(struct pk_buf *buf, const struct pk_profile *p, uint32_t node)
{
	uint32_t parent = p->node.parent[node], name = p->function.name[pk_node_function(p, node)];

	if (parent) {
		add_path(buf, p, parent);
		pk_buf_addc(buf, ';');
	}
	pk_buf_add(buf, pk_text(p, name), p->string.len[name]);
}

/* "a;b=12 " for every cost, of the second metric "a;b/2=12 "; then repairs: "{what 1 line 3}". */
static char *describe(const struct pk_profile *p)
{
	struct pk_buf buf = PK_BUF_INIT;
	uint32_t i;

	for (i = 1; i < p->cost.count; i++) {
		add_path(&buf, p, p->cost.node[i]);
		if (pk_cost_metric(p, i) != 1)
			pk_buf_addf(&buf, "/%u", pk_cost_metric(p, i));
		pk_buf_addf(&buf, "=%lld", (long long)p->cost.self[i]);
		if (p->metric.exponent[pk_cost_metric(p, i)])
			pk_buf_addf(&buf, "e-%u", p->metric.exponent[pk_cost_metric(p, i)]);
		pk_buf_addc(&buf, ' ');
	}
	for (i = 1; i < p->repair.count; i++)
		pk_buf_addf(&buf, "{%s, %lld, %s}", pk_text(p, p->repair.what[i]),
			    (long long)p->repair.times[i], pk_text(p, p->repair.first[i]));
	return pk_buf_detach(&buf);
}

static struct pk_profile *read_with(const char *text, size_t len, const char *option, bool strict,
				    struct pk_error *err)
{
	struct pk_input *in = pk_input_from_memory(text, len, "test");
	struct pk_read_options o = {.format = "folded", .strict = strict};
	struct pk_profiles list = {NULL, 0, 0};
	struct pk_profile *p = NULL;

	if (option) {
		o.options.item = &option;
		o.options.count = 1;
	}
	if (!pk_read_input(in, NULL, &o, &list, err)) {
		ck_assert_uint_eq(list.count, 1);
		p = list.item[0];
		ck_assert_msg(!pk_profile_check(p, err), "%s", err->text);
		free(list.item);
	}
	pk_input_close(in);
	return p;
}

static void expect_with(const char *option, const char *text, const char *expected)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p = read_with(text, strlen(text), option, false, &err);
	char *got;

	ck_assert_msg(p, "'%s': %s", text, err.text);
	got = describe(p);
	ck_assert_msg(!strcmp(got, expected), "'%s' is\n%s, not\n%s", text, got, expected);
	free(got);
	pk_profile_free(p);
}

static void expect(const char *text, const char *expected)
{
	expect_with(NULL, text, expected);
}

static void expect_error(const char *option, bool strict, const char *text, const char *expected)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_ptr_null(read_with(text, strlen(text), option, strict, &err));
	ck_assert_msg(strstr(err.text, expected), "'%s': %s", text, err.text);
}

#define NO_COUNT "line that does not end in a count left out"
#define SECOND "number before the count kept as part of the name"
#define THIRD "number before two counts kept as part of the name"
#define DROPPED "digits of a count that 64 bits cannot hold dropped"
#define CUT "count beyond 64 bits cut"

START_TEST(grammar)
{
	expect("a;b 1\na 2\na;b;c 3\nb 4\n", "a;b=1 a=2 a;b;c=3 b=4 ");
	expect("a;b 1\na;b 2\n", "a;b=3 ");
	expect("a;b c;d 12 1\n", "a;b c;d=12 a;b c;d/2=1 ");
	expect("a 0\n", "a=0 ");
	expect("a 007\n", "a=7 ");
	expect("a(int, char);b<c, d> 1\n", "a(int, char);b<c, d>=1 ");
	expect("\xC3\xA4;\xFF 1\n", "\xC3\xA4;\xFF=1 ");
}
END_TEST

START_TEST(leniency)
{
	expect("a;b 1\r\na;c 2\r\n", "a;b=1 a;c=2 ");
	expect("a;b 1  \na;c 2\t\r\n", "a;b=1 a;c=2 ");
	expect("a;b\t1\na;c \t 2\n",
	       "a;b=1 a;c \t=2 "); /* flamegraph.pl takes one blank away, too */
	expect("a;b 1\na;c 2", "a;b=1 a;c=2 ");
	expect("\n\r\n  \na 1\n\n", "a=1 ");
	expect("# a comment 12\n#\n#m 3\na 1\n", "#m=3 a=1 ");
	expect("a 1\nno count\na;b 2\nx-1\nx -1\nx +1\nx 1e3\nx .5\n12\n",
	       "a=1 a;b=2 {" NO_COUNT ", 7, line 2}");
	expect(" a 1\n", " a=1 ");
}
END_TEST

START_TEST(empty_frames)
{
	expect("a;;b 1\na; 2\n;a 3\n; 4\n 5\n;;a 6\na;;b 7\na;;; 8\n",
	       "a;;b=8 a=10 ;a=3 =9 ;;a=6 ");
	/* the same where it is not yet known how many counts a line has */
	expect("a; 1 2\na;b;; 3 4\nc 5 6\n", "a=1 a/2=2 a;b=3 a;b/2=4 c=5 c/2=6 ");
	expect("a;  1\na;   2\n  3\n", "a; =1 a;  =2  =3 ");
}
END_TEST

START_TEST(large_counts)
{
	expect("a 9007199254740993\nb 9223372036854775807\n",
	       "a=9007199254740993 b=9223372036854775807 ");
	expect("a 18446744073709551615\n", "a=9223372036854775807 {" CUT ", 1, line 1}");
	expect("a 99999999999999999999999999\n", "a=9223372036854775807 {" CUT ", 1, line 1}");
	expect("a 9223372036854775807\na 1\n", "a=9223372036854775807 {" CUT ", 1, line 2}");
	expect("a 00000000000000000000000000012\n", "a=12 ");
}
END_TEST

START_TEST(fractions)
{
	expect("a 31.0\nb 6.\n", "a=31 b=6 ");
	expect("a 1\nb 0.5\nc 2.25\nd 3.10\n", "a=100e-2 b=50e-2 c=225e-2 d=310e-2 ");
	expect("a 0.1\na 0.2\n", "a=3e-1 ");
	expect("a 0.123456789\n", "a=123456789e-9 ");
	expect("a 0.1234567891\n", "a=123456789e-9 {" DROPPED ", 1, line 1}");
	expect("a 9000000000000000000\nb 0.5\n",
	       "a=9000000000000000000 b=0 {" DROPPED ", 1, line 2}");
	expect("a 900000000000000000.5\n", "a=9000000000000000005e-1 ");
	expect("a 12345678901.123456789\n", "a=1234567890112345678e-8 {" DROPPED ", 1, line 1}");
	expect("a 0.5\nb 9223372036854775807\n",
	       "a=5e-1 b=9223372036854775807e-1 {" CUT ", 1, line 2}");
}
END_TEST

START_TEST(two_columns)
{
	expect("a;b 1 2\na;c 0 3\n", "a;b=1 a;b/2=2 a;c=0 a;c/2=3 ");
	expect("a;b 1 2\na;b 10 20\n", "a;b=11 a;b/2=22 ");
	expect("a;b 1.5 2\n", "a;b=15e-1 a;b/2=2 ");
	expect("a;b 1 2\nnothing\n", "a;b=1 a;b/2=2 {" NO_COUNT ", 1, line 2}");
	expect("a;b 1 2\na;b 3 4 5\n", "a;b=1 a;b/2=2 a;b 3=4 a;b 3/2=5 {" THIRD ", 1, line 2}");
	expect("a;t 12 400\na;t 12 5\nb;u 1\n", "a;t 12=405 b;u=1 {" SECOND ", 2, line 1}");
	expect("b;u 1\na;t 12 400\n", "b;u=1 a;t 12=400 {" SECOND ", 1, line 2}");
	expect("a 1 2 3\nb 1\n", "a 1 2=3 b=1 {" SECOND ", 1, line 1}");
	expect_with("columns=1", "a;t 12 400\n", "a;t 12=400 ");
	expect_with("columns=2", "a;t 12 400\nb 1\n", "a;t=12 a;t/2=400 {" NO_COUNT ", 1, line 2}");
}
END_TEST

/* A file that looked like two columns must leave nothing of that behind. */
START_TEST(changed_mind)
{
	struct pk_error err = PK_ERROR_INIT;
	const char *text = "a;t 12 400\na;t 13 1\nb 1\n";
	struct pk_profile *p = read_with(text, strlen(text), NULL, false, &err);

	ck_assert_ptr_nonnull(p);
	ck_assert_uint_eq(p->metric.count, 2);
	ck_assert_uint_eq(p->node.count, 5);
	ck_assert_uint_eq(p->function.count, 5);
	pk_profile_free(p);
}
END_TEST

START_TEST(metrics)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;

	expect_with("unit=us", "a 1.5\nb 0.0001\n", "a=15000e-1 b=1e-1 ");
	expect_with("unit=s", "a 1.5\nb 0.000000001\n", "a=1500000000 b=1 ");
	expect_with("unit=bytes", "a 4096\n", "a=4096 ");
	p = read_with("a 1 2\n", 6, "unit=ms", false, &err);
	ck_assert_str_eq(pk_text(p, p->metric.name[1]), "before");
	ck_assert_str_eq(pk_text(p, p->metric.name[2]), "after");
	ck_assert_str_eq(pk_metric_unit(p, 2), "ns");
	ck_assert_int_eq(p->metric.kind[2], PK_METRIC_TIME);
	ck_assert_int_eq(p->metric.exactness[1], PK_SAMPLED);
	pk_profile_free(p);
	p = read_with("a 1\n", 4, "name=faults", false, &err);
	ck_assert_str_eq(pk_text(p, p->metric.name[1]), "faults");
	ck_assert_str_eq(pk_metric_unit(p, 1), "count");
	pk_profile_free(p);
}
END_TEST

START_TEST(kinds)
{
	struct pk_error err = PK_ERROR_INIT;
	const char *text = "a;sys_read_[k];b_[j];_[k] 1\nx_[k 2\n";
	struct pk_profile *p = read_with(text, strlen(text), NULL, false, &err);

	ck_assert_ptr_nonnull(p);
	ck_assert_str_eq(pk_text(p, p->function.name[2]), "sys_read_[k]");
	ck_assert_int_eq(p->function.kind[1], PK_KIND_UNKNOWN);
	ck_assert_int_eq(p->function.kind[2], PK_KIND_KERNEL);
	ck_assert_int_eq(p->function.kind[3], PK_KIND_UNKNOWN);
	ck_assert_int_eq(p->function.kind[4], PK_KIND_KERNEL);
	ck_assert_int_eq(p->function.kind[5], PK_KIND_UNKNOWN);
	pk_profile_free(p);
}
END_TEST

START_TEST(refused)
{
	expect_error(NULL, false, "", "empty file");
	expect_error(NULL, false, "\n# 1\n", "none of the 2 lines is a stack and a count");
	expect_error(NULL, false, "a\nb\n", "none of the 2 lines is a stack and a count");
	expect_error(NULL, true, "a 1\nb\n", "line 2: " NO_COUNT);
	expect_error(NULL, true, "a 99999999999999999999\n", "line 1: " CUT);
	expect_error(NULL, true, "a 1\nb 2 3\n", "line 2: " SECOND);
	expect_error("unit=hours", false, "a 1\n", "unit");
}
END_TEST

/* Lines longer than a window, and windows that end anywhere in a line. */
START_TEST(long_lines)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;
	uint32_t i, deep = 0;

	for (i = 0; i < 300000; i++)
		pk_buf_adds(&text, "frame;");
	pk_buf_adds(&text, "leaf 7\n");
	for (i = 0; i < 200000; i++)
		pk_buf_addf(&text, "main;f%u;g 1\n", i % 1000);
	p = read_with(text.data, text.len, NULL, false, &err);
	ck_assert_msg(p, "%s", err.text);
	ck_assert_uint_eq(p->node.count, 1 + 300001 + 1 + 2000);
	ck_assert_uint_eq(p->cost.count, 1 + 1 + 1000);
	for (i = 2; i < p->cost.count; i++)
		deep += p->cost.self[i] == 200;
	ck_assert_uint_eq(deep, 1000);
	ck_assert_int_eq(p->cost.self[1], 7);
	pk_profile_free(p);
	pk_buf_release(&text);
}
END_TEST

/* Every place at which a file may be cut off gives a profile or a message. */
START_TEST(truncated)
{
	static const char text[] = "# x\na;b 1\r\na;t 12 400\n;; 3.25\na;b;c_[k] 18\n";
	size_t len;

	for (len = 0; len < sizeof(text); len++) {
		struct pk_error err = PK_ERROR_INIT;
		char *copy = malloc(len + 1);
		struct pk_profile *p;

		memcpy(copy, text, len);
		p = read_with(copy, len, NULL, false, &err);
		ck_assert(p || err.text[0]);
		pk_profile_free(p);
		free(copy);
	}
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Random paths give the nodes that one look-up for each frame gives. */
START_TEST(paths)
{
	struct pk_builder *a = pk_builder_new(), *b = pk_builder_new();
	struct pk_stack_text stacks;
	uint32_t state = 1, round;

	pk_stack_text_init(&stacks, a, NULL);
	for (round = 0; round < 20000; round++) {
		struct pk_buf text = PK_BUF_INIT;
		uint32_t depth = 1 + next_random(&state) % 100, node = 0, i;

		for (i = 0; i < depth; i++) {
			char name[64];
			int len = snprintf(name, sizeof(name), "%.*s%u",
					   (int)(next_random(&state) % 2 * 40),
					   "a name of the length that names of C++ have",
					   next_random(&state) % (i < 20 ? 2 : 1000));

			pk_buf_addf(&text, "%s%s", i ? ";" : "", name);
			node = pk_build_node(b, node, pk_build_label(b, name, (size_t)len));
		}
		ck_assert_uint_eq(pk_stack_text_node(&stacks, text.data, text.len), node);
		pk_stack_text_keep(&stacks);
		pk_buf_release(&text);
	}
	ck_assert_uint_eq(pk_builder_profile(a)->node.count, pk_builder_profile(b)->node.count);
	ck_assert_uint_gt(pk_builder_profile(a)->node.count, 100000);
	pk_stack_text_release(&stacks);
	pk_builder_free(a);
	pk_builder_free(b);
}
END_TEST

/* Names that differ in one byte, wherever it is, are different functions. */
START_TEST(similar_names)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_stack_text stacks;
	char name[200];
	size_t len, at;

	pk_stack_text_init(&stacks, b, NULL);
	memset(name, 'x', sizeof(name));
	for (len = 1; len <= sizeof(name); len++) {
		uint32_t plain = pk_stack_text_child(&stacks, 0, name, len), other;

		for (at = 0; at < len; at++) {
			name[at] = 'y';
			other = pk_stack_text_child(&stacks, 0, name, len);
			ck_assert_msg(other != plain, "%zu of %zu", at, len);
			ck_assert_uint_eq(pk_stack_text_child(&stacks, 0, name, len), other);
			name[at] = 'x';
			ck_assert_uint_eq(pk_stack_text_child(&stacks, 0, name, len), plain);
		}
	}
	ck_assert_uint_eq(pk_builder_profile(b)->function.count, 1 + 200 + 200 * 201 / 2);
	pk_stack_text_release(&stacks);
	pk_builder_free(b);
}
END_TEST

/* A file is read in windows, memory in one: the same comes of both. */
START_TEST(windows)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profiles list = {NULL, 0, 0};
	char path[] = "check_folded.XXXXXX", *from_file, *from_memory;
	struct pk_profile *p;
	uint32_t state = 1, i, n;
	int fd = mkstemp(path);

	/* Lines of 16 bytes: behind the window's end there is another line. */
	for (i = 0; i < 300000; i++) {
		for (n = 0; n < 7; n++)
			pk_buf_addf(&text, "%c%c", next_random(&state) >> 20 & 1 ? 'a' : 'b',
				    n < 6 ? ';' : ' ');
		pk_buf_adds(&text, "1\n");
	}
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text.data, text.len), (ssize_t)text.len);
	ck_assert(!pk_read_file(path, NULL, &list, &err));
	close(fd);
	unlink(path);
	p = read_with(text.data, text.len, NULL, false, &err);
	from_memory = describe(p);
	from_file = describe(list.item[0]);
	ck_assert(!strcmp(from_memory, from_file));
	free(from_memory);
	free(from_file);
	pk_profile_free(p);
	pk_profiles_release(&list);
	pk_buf_release(&text);
}
END_TEST

static enum pk_score probe(const char *text)
{
	static uint8_t data[PK_PROBE_SIZE + 64];
	struct pk_probe probe = {data, strlen(text), true};

	memset(data, 0, sizeof(data));
	memcpy(data, text, probe.len);
	return pk_reader_find("folded")->probe(&probe);
}

START_TEST(detection)
{
	ck_assert_int_eq(probe("a;b 1\na;c 2\n"), PK_LIKELY);
	ck_assert_int_eq(probe("a;b 1 2\na;c 2 3"), PK_LIKELY);
	ck_assert_int_eq(probe("# x\na;b 0.5\n"), PK_LIKELY);
	ck_assert_int_eq(probe("main 1\nf 2\n"), PK_MAYBE);
	ck_assert_int_eq(probe("a;b 1\na;c 2\nbad\n"), PK_MAYBE);
	ck_assert_int_eq(probe("a;b 1\nc 2\nd 3\ne 4\nf 5\n"), PK_MAYBE);
	ck_assert_int_eq(probe("a;b 1\nc 2\nd 3\ne 4\nf 5\nbad\n"), PK_NO);
	ck_assert_int_eq(probe(""), PK_NO);
	ck_assert_int_eq(probe("12 1\n13 2\n"), PK_NO);
	ck_assert_int_eq(probe("real 0.04\nuser 0.03\nsys 0.00\n"), PK_NO);
	ck_assert_int_eq(probe("# TYPE requests counter\nrequests 12\n"), PK_NO);
	ck_assert_int_eq(probe("# callgrind format\nevents: Ir\nfn=main\n16 20\n17 4\n"), PK_NO);
	ck_assert_int_eq(probe("name;calls;time\nmain;12;0.5\n"), PK_NO);
	ck_assert_int_eq(probe("x = 1\ny = 2\n"), PK_NO);
	ck_assert_int_eq(probe("int a; int b\nfoo; return 1\nreturn 2;\n"), PK_NO);
	ck_assert_int_eq(probe("{\"a;b\": 1,\n\"c;d\": 2\n}\n"), PK_NO);
	ck_assert_int_eq(probe("perf 12 [000] 1.5: 1 cycles:\n\t7f a (b)\n\t7f c (d)\n\n"), PK_NO);
}
END_TEST

/* The score of 64 KB that begin with start and go on with unit; more follows. */
static enum pk_score probe_long_line(const char *start, const char *unit)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_probe probe = {.len = PK_PROBE_SIZE};
	enum pk_score score;

	pk_buf_adds(&text, start);
	while (text.len < PK_PROBE_SIZE + 64)
		pk_buf_adds(&text, unit);
	probe.data = (const uint8_t *)text.data;
	score = pk_reader_find("folded")->probe(&probe);
	pk_buf_release(&text);
	return score;
}

START_TEST(detection_of_deep_stacks)
{
	ck_assert_int_eq(probe_long_line("", "function;"), PK_MAYBE);
	ck_assert_int_eq(probe_long_line("# a comment\n", "function;"), PK_MAYBE);
	ck_assert_int_eq(probe_long_line("", "function "), PK_NO);
	ck_assert_int_eq(probe_long_line("", "var x; "), PK_NO);
	ck_assert_int_eq(probe_long_line("prose\n", "function;"), PK_NO);
	ck_assert_int_eq(probe_long_line("{\"stacks\": \"", "function;"), PK_NO);
}
END_TEST

static void expect_written(const struct pk_profile *p, const char *option, const char *expected)
{
	const struct pk_writer *writer = pk_writer_find("folded");
	struct pk_profiles list = {(struct pk_profile *[]){(struct pk_profile *)p}, 1, 1};
	void *params = calloc(1, writer->params_size);
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);
	struct pk_error err = PK_ERROR_INIT;

	pk_opt_defaults(writer->opts, params);
	if (option && strchr(option, '='))
		ck_assert(!pk_opt_set(pk_opt_find(writer->opts, "metric"), strchr(option, '=') + 1,
				      params, &err));
	else if (option)
		ck_assert(!pk_opt_set(pk_opt_find(writer->opts, option), NULL, params, &err));
	ck_assert_msg(!writer->write(&list, params, out, &err), "%s", err.text);
	if (*pk_output_notes(out))
		pk_output_printf(out, "{%s}", pk_output_notes(out));
	pk_output_commit(out, &err);
	pk_buf_addc(&text, '\0');
	ck_assert_msg(!strcmp(text.data, expected), "written\n%s, not\n%s", text.data, expected);
	pk_buf_release(&text);
	free(params);
}

static void expect_copy(const char *text, const char *option, const char *expected)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p = read_with(text, strlen(text), NULL, false, &err);

	ck_assert_msg(p, "%s", err.text);
	expect_written(p, option, expected);
	pk_profile_free(p);
}

START_TEST(written_order)
{
	/* As LC_ALL=C sort has the paths: ' ' and digits before ';', letters behind it. */
	expect_copy("aa 1\na;x 2\na1;x 3\na 4\na1 5\na b 6\na;;c 7\na1 1\n", NULL,
		    "a 4\na b 6\na1 6\na1;x 3\na;;c 7\na;x 2\naa 1\n");
	expect_copy("b;c 0\nb 0\na 1\n", NULL, "a 1\n");
	expect_copy("a; 1\n 2\n;b 3\na;  4\n", NULL, " 2\n;b 3\na 1\na;  4\n");
	expect_copy("k 1\nb 1\nq 1\na 1\nh 1\nm 1\nc 1\nn 1\nd 1\nf 1\ng 1\nl 1\np 1\ne 1\n"
		    "o 1\ni 1\nj 1\nr;s 1\n",
		    NULL,
		    "a 1\nb 1\nc 1\nd 1\ne 1\nf 1\ng 1\nh 1\ni 1\nj 1\nk 1\nl 1\nm 1\nn 1\no 1\n"
		    "p 1\nq 1\nr;s 1\n");
}
END_TEST

/* Calls from several lines of one function are one path. */
START_TEST(written_lines)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t f = pk_build_function(b, &(struct pk_function){.name = pk_build_text(b, "f")});
	uint32_t callee = pk_build_label(b, "g", 1), line;
	struct pk_profile *p;

	pk_build_metric(b, "n", "count", 0, PK_METRIC_COUNT, PK_EXACT);
	for (line = 1; line < 4; line++) {
		uint32_t node = pk_build_node(b, 0, pk_build_place(b, f, line));

		pk_build_cost(b, 0, pk_build_node(b, node, callee), 1, line, PK_NULL);
	}
	p = pk_builder_finish(b);
	expect_written(p, NULL, "f;g 6\n");
	pk_profile_free(p);
}
END_TEST

START_TEST(written_names)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_function frame = {.name = pk_build_text(b, "n")};
	struct pk_profile *p;
	uint32_t node, function = pk_build_function(b, &frame);

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	node = pk_build_node(b, 0, pk_build_label(b, "a;b\n", 4));
	pk_build_cost(b, 0, node, 1, 1, PK_NULL);
	node = pk_build_node(b, 0, pk_build_label(b, "a:b ", 4));
	pk_build_cost(b, 0, node, 1, 2, PK_NULL);
	pk_build_cost(b, 0, pk_build_node(b, 0, pk_build_place(b, function, 7)), 1, 3, PK_NULL);
	pk_build_cost(b, 0, pk_build_node(b, 0, pk_build_place(b, function, 8)), 1, 4, PK_NULL);
	frame.kind = PK_KIND_KERNEL;
	frame.name = pk_build_text(b, "read");
	frame.file = pk_build_text(b, "/k/io.c");
	frame.line = 12;
	node = pk_build_node(b, node, pk_build_place(b, pk_build_function(b, &frame), 0));
	pk_build_cost(b, 0, node, 1, 5, PK_NULL);
	frame.name = 0;
	frame.file = 0;
	frame.line = 0;
	frame.module = pk_build_text(b, "libc.so");
	function = pk_build_function(b, &frame);
	pk_build_cost(b, 0, pk_build_node(b, node, pk_build_place(b, function, 0)), 1, 6, PK_NULL);
	p = pk_builder_finish(b);
	expect_written(p, NULL, "a:b  3\na:b ;read 5\na:b ;read;[libc.so] 6\nn 7\n");
	expect_written(p, "lines",
		       "a:b  3\na:b ;read (/k/io.c:12) 5\n"
		       "a:b ;read (/k/io.c:12);[libc.so] 6\nn 7\n");
	expect_written(p, "kernel",
		       "a:b  3\na:b ;read_[k] 5\n"
		       "a:b ;read_[k];[libc.so]_[k] 6\nn 7\n");
	pk_profile_free(p);
}
END_TEST

/* Names that would be read as something else are written in another way. */
START_TEST(written_ambiguous)
{
	struct pk_builder *b = pk_builder_new();
	static const char *const names[] = {"t 12", "t_12", "# x", "#", "u 1.5", "v .5", " 7"};
	struct pk_profile *p;
	uint32_t node = 0, i;

	pk_build_metric(b, "n", "count", 0, PK_METRIC_COUNT, PK_EXACT);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		uint32_t frame = pk_build_label(b, names[i], strlen(names[i]));

		pk_build_cost(b, 0, pk_build_node(b, 0, frame), 1, 1, PK_NULL);
		node = pk_build_node(b, node, frame);
	}
	pk_build_cost(b, 0, pk_build_node(b, node, pk_build_label(b, "w 5", 3)), 1, 1, PK_NULL);
	p = pk_builder_finish(b);
	expect_written(p, NULL,
		       "#_ 1\n#_x 1\n_7 1\nt_12 2\nt_12;t_12;#_x;#_;u_1.5;v .5;_7;w_5 1\nu_1.5 "
		       "1\nv .5 1\n");
	pk_profile_free(p);
}
END_TEST

/* A first name that would make the file one in another encoding, or compressed. */
START_TEST(written_marks)
{
	static const char *const names[] = {"\xEF\xBB\xBF"
					    "a",
					    "\xFF\xFE",
					    "\xFE\xFF"
					    "b",
					    "\x1F\x8B\x08",
					    "\x28\xB5\x2F\xFD",
					    "P*M\x18",
					    "P*M"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct pk_builder *b = pk_builder_new();
		uint32_t frame = pk_build_label(b, names[i], strlen(names[i])), node;
		struct pk_profile *p;
		char expected[64];

		pk_build_metric(b, "n", "count", 0, PK_METRIC_COUNT, PK_EXACT);
		node = pk_build_node(b, 0, frame);
		pk_build_cost(b, 0, node, 1, 7, PK_NULL);
		p = pk_builder_finish(b);
		snprintf(expected, sizeof(expected), "%s%s 7\n", strcmp(names[i], "P*M") ? "_" : "",
			 names[i]);
		expect_written(p, NULL, expected);
		pk_profile_free(p);
	}
}
END_TEST

START_TEST(written_values)
{
	struct pk_builder *b;
	struct pk_profile *p;
	int i;

	expect_copy("a 0.5\nb 0.25\nc 0.25\nd 10\n", NULL, "a 1\nd 10\n");
	expect_copy("a 1.4\nb 1.4\nc 1.4\n", NULL, "a 2\nb 1\nc 1\n");
	expect_copy("a 0.50\nb 0.05\nc 12\nd 100.25\n", "fractions",
		    "a 0.5\nb 0.05\nc 12\nd 100.25\n");
	expect_copy("a 9223372036854775807\n", NULL, "a 9223372036854775807\n");
	expect_copy("a 1 2\na;b 0 1\nc 1 0\nd 0 0\n", NULL, "a 1 2\na;b 0 1\nc 1 0\n");
	expect_copy("a 1 2\na;b 0 1\nc 1 0\n", "metric=after", "a 2\na;b 1\n");
	b = pk_builder_new();
	pk_build_metric(b, "n", "count", 1, PK_METRIC_COUNT, PK_EXACT);
	for (i = 0; i < 3; i++)
		pk_build_cost(b, 0, pk_build_node(b, 0, pk_build_label(b, &"abc"[i], 1)), 1,
			      i * 15 - 10, PK_NULL);
	p = pk_builder_finish(b);
	expect_written(p, NULL, "b 1\nc 2\n{1 negative value left out}");
	pk_profile_free(p);
}
END_TEST

START_TEST(written_threads)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_thread thread = {.tid = 8, .sort = PK_NULL};
	struct pk_profile *p;
	uint32_t node, one, two;

	pk_build_metric(b, "n", "count", 0, PK_METRIC_COUNT, PK_EXACT);
	thread.process = pk_build_process(b, 7, pk_build_text(b, "# java"), PK_NULL);
	one = pk_build_thread(b, &thread);
	thread.name = pk_build_text(b, "gc;1");
	two = pk_build_thread(b, &thread);
	node = pk_build_node(b, pk_build_node(b, 0, pk_build_label(b, "a", 1)),
			     pk_build_label(b, "b", 1));
	pk_build_cost(b, one, node, 1, 1, PK_NULL);
	pk_build_cost(b, two, node, 1, 2, PK_NULL);
	pk_build_cost(b, 0, node, 1, 4, PK_NULL);
	p = pk_builder_finish(b);
	expect_written(p, NULL, "a;b 7\n");
	expect_written(p, "threads", "#_java;gc:1;a;b 2\n#_java;thread 8;a;b 1\na;b 4\n");
	pk_profile_free(p);
}
END_TEST

CHECK_MAIN("folded", grammar, leniency, empty_frames, large_counts, fractions, two_columns,
	   changed_mind, metrics, kinds, refused, long_lines, truncated, paths, similar_names,
	   windows, detection, detection_of_deep_stacks, written_order, written_lines,
	   written_names, written_ambiguous, written_marks, written_values, written_threads)
