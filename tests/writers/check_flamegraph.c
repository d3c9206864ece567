/* Flame graphs: boxes, numbers, names, colors, and the files beside them. */
#include <check.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/str.h"
#include "tests/check_util.h"
#include "model/build/builder.h"
#include "model/transform/transform.h"
#include "writers/flamegraph/color.h"
#include "writers/flamegraph/internal.h"
#include "render/xml.h"
#include "writers/flamegraph/flamegraph.h"

struct stack {
	const char *path;
	int64_t value, before;
};

/* A profile of stacks "a;b"; with before, of two metrics. Ended by a path NULL. */
static struct pk_profile *profile_of(const struct stack *stacks, bool before, int exponent,
				     bool ordered)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t was = 0, is;

	pk_builder_set_ordered(b, ordered);
	if (before)
		was = pk_build_metric(b, "before", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	is = pk_build_metric(b, before ? "after" : "samples", "count", exponent, PK_METRIC_COUNT,
			     PK_SAMPLED);
	for (; stacks->path; stacks++) {
		const char *name = stacks->path;
		uint32_t node = 0;

		for (size_t len; (len = strcspn(name, ";")); name += len + (name[len] == ';'))
			node = pk_build_node(b, node, pk_build_label(b, name, len));
		pk_build_cost(b, 0, node, is, stacks->value, PK_NULL);
		if (before)
			pk_build_cost(b, 0, node, was, stacks->before, PK_NULL);
	}
	return pk_builder_finish(b);
}

/* "all 0+10 a 0+6 ..." and what was left out. */
static char *describe(struct pk_profile *p, const struct pk_flame_scale *scale, bool chart)
{
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_flame_names names;
	struct pk_flame flame;

	pk_flame_names_init(&names, p);
	if (chart)
		pk_flame_chart(&flame, p, scale);
	else
		pk_flame_layout(&flame, &names, scale);
	for (size_t i = 0; i < flame.count; i++) {
		const struct pk_flame_box *box = &flame.box[i];
		const struct pk_flame_name *name = pk_flame_name(&names, box->node);

		pk_buf_addf(&buf, "%s%.*s %lld+%lld", i ? ", " : "", (int)name->len, name->text,
			    (long long)box->start, (long long)box->total);
		if (scale->before)
			pk_buf_addf(&buf, "/%lld", (long long)box->before);
	}
	pk_buf_addf(&buf, " | %llu narrow", (unsigned long long)flame.narrow);
	if (flame.unseen)
		pk_buf_addf(&buf, ", %llu gone %lld", (unsigned long long)flame.unseen,
			    (long long)flame.unseen_value);
	if (flame.negative)
		pk_buf_addf(&buf, ", %llu negative", (unsigned long long)flame.negative);
	pk_flame_release(&flame);
	pk_flame_names_release(&names);
	pk_profile_free(p);
	return pk_buf_detach(&buf);
}

/* What is not said of the scale is zero; a factor or metric of zero is 1. */
#define CHECK_BOXES(p, chart, expected, ...)                   \
	do {                                                   \
		struct pk_flame_scale scale_ = {__VA_ARGS__};  \
		char *boxes_;                                  \
                                                               \
		scale_.metric += !scale_.metric;               \
		scale_.factor += !scale_.factor;               \
		scale_.before_factor += !scale_.before_factor; \
		boxes_ = describe(p, &scale_, chart);          \
		ck_assert_str_eq(boxes_, expected);            \
		free(boxes_);                                  \
	} while (0)

START_TEST(siblings_stand_in_the_order_of_bytes)
{
	const struct stack stacks[] = {{"b;x", 3, 0}, {"a", 1, 0},  {"a;z", 2, 0},
				       {"a;Z", 4, 0}, {"a-", 5, 0}, {NULL, 0, 0}};

	CHECK_BOXES(profile_of(stacks, false, 0, false), false,
		    "all 0+15, a 0+7, Z 1+4, z 5+2, a- 7+5, b 12+3, x 12+3 | 0 narrow");
}
END_TEST

START_TEST(narrow_boxes_keep_their_place)
{
	const struct stack stacks[] = {{"a;b;c", 1, 0}, {"d", 90, 0}, {"e;f", 9, 0}, {NULL, 0, 0}};

	CHECK_BOXES(profile_of(stacks, false, 0, false), false,
		    "all 0+100, d 1+90, e 91+9, f 91+9 | 3 narrow", .least = 0.09);
	CHECK_BOXES(profile_of(stacks, false, 0, false), false, "all 0+1000, d 1+90 | 5 narrow",
		    .least = 0.09, .total = 1000);
	CHECK_BOXES(profile_of(stacks, false, 0, false), false, "all 0+100, d 1+90 | 5 narrow",
		    .least = 0.5, .total = 7);
}
END_TEST

START_TEST(values_below_zero_are_left_out_and_counted)
{
	const struct stack stacks[] = {{"a", -5, 0}, {"a;b", 3, 0}, {"c", -1, 0}, {NULL, 0, 0}};
	const struct stack nothing[] = {{"a", 0, 0}, {"b", -1, 0}, {NULL, 0, 0}};

	CHECK_BOXES(profile_of(stacks, false, 0, false), false,
		    "all 0+3, a 0+3, b 0+3 | 0 narrow, 2 negative");
	CHECK_BOXES(profile_of(nothing, false, 0, false), false, " | 0 narrow, 1 negative");
	CHECK_BOXES(profile_of(nothing, false, 0, true), true, " | 0 narrow, 1 negative");
}
END_TEST

START_TEST(values_at_the_end_of_the_range_do_not_overflow)
{
	const struct stack stacks[] = {{"a", INT64_MAX, 0}, {"b", INT64_MAX, 0}, {NULL, 0, 0}};

	CHECK_BOXES(profile_of(stacks, false, 0, false), false,
		    "all 0+9223372036854775807, a 0+9223372036854775807, "
		    "b 9223372036854775807+9223372036854775807 | 0 narrow");
}
END_TEST

START_TEST(differences_are_inclusive)
{
	const struct stack stacks[] = {{"a;b", 6, 2},
				       {"a;gone;more", 0, 5},
				       {"a;gone", 0, 1},
				       {"new", 4, 0},
				       {NULL, 0, 0}};

	CHECK_BOXES(profile_of(stacks, true, 0, false), false,
		    "all 0+10/8, a 0+6/8, b 0+6/2, new 6+4/0 | 0 narrow, 2 gone 6", .metric = 2,
		    .before = 1);
	/* "before" in tenths */
	CHECK_BOXES(profile_of(stacks, true, 0, false), false,
		    "all 0+100/8, a 0+60/8, b 0+60/2, new 60+40/0 | 0 narrow, 2 gone 6",
		    .metric = 2, .before = 1, .factor = 10);
}
END_TEST

/* With the square of the depth it would be minutes. */
START_TEST(charts_of_deep_stacks)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	uint32_t frame = pk_build_label(b, "f", 1), node = 0, depth = 400000;
	struct pk_flame_scale scale = {.metric = metric, .factor = 1, .before_factor = 1};
	struct pk_profile *p;
	struct pk_flame flame;

	for (uint32_t i = 0; i < depth; i++) {
		node = pk_build_node(b, node, frame);
		pk_build_cost(b, 0, node, metric, 1, PK_NULL);
	}
	p = pk_builder_finish(b);
	pk_flame_chart(&flame, p, &scale);
	ck_assert_uint_eq(flame.count, depth + 1);
	ck_assert_int_eq(flame.box[depth].start, depth - 1);
	ck_assert_int_eq(flame.box[depth].total, 1);
	ck_assert_int_eq(flame.box[2].total, depth - 1);
	pk_flame_release(&flame);
	pk_profile_free(p);
}
END_TEST

START_TEST(charts_keep_the_order)
{
	const struct stack stacks[] = {{"a;b;c", 1, 0}, {"a;b", 2, 0},   {"a;b;c", 3, 0},
				       {"d", 4, 0},     {"a;b;c", 5, 0}, {NULL, 0, 0}};

	CHECK_BOXES(profile_of(stacks, false, 0, true), true,
		    "all 0+15, a 0+6, b 0+6, c 0+1, c 3+3, d 6+4, a 10+5, b 10+5, c 10+5 | 0 "
		    "narrow");
	CHECK_BOXES(profile_of(stacks, false, 0, true), true,
		    "all 0+15, a 0+6, b 0+6, a 10+5, b 10+5, c 10+5 | 3 narrow", .least = 0.33);
	/* Not kept: paths in the order in which they came first. */
	CHECK_BOXES(profile_of(stacks, false, 0, false), true,
		    "all 0+15, a 0+11, b 0+11, c 0+9, d 11+4 | 0 narrow");
}
END_TEST

/* Draws with options "title=x", NULL at the end; NULL if that fails. */
static char *draw(struct pk_profile *p, const char *const *pairs, struct pk_error *err)
{
	struct pk_opt_list list = {NULL, 0};
	struct pk_profiles profiles = {NULL, 0, 0};
	struct pk_flamegraph_params params = {0};
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&buf);
	int status;

	pk_profiles_add(&profiles, p);
	pk_opt_defaults(pk_writer_flamegraph.opts, &params);
	for (; pairs && *pairs; pairs++) {
		list.item = realloc(list.item, (list.count + 1) * sizeof(*list.item));
		list.item[list.count++] = *pairs;
	}
	status = pk_opt_set_pairs(pk_writer_flamegraph.opts, &list, &params, "flamegraph", err);
	if (!status)
		status = pk_write(&pk_writer_flamegraph, &profiles, &params, out, err);
	pk_output_commit(out, err);
	pk_opt_release(pk_writer_flamegraph.opts, &params);
	pk_profiles_release(&profiles);
	free(list.item);
	if (!status)
		return pk_buf_detach(&buf);
	pk_buf_release(&buf);
	return NULL;
}

static char *draw_well(struct pk_profile *p, const char *const *pairs)
{
	struct pk_error err = PK_ERROR_INIT;
	char *svg = draw(p, pairs, &err);

	ck_assert_msg(svg != NULL, "%s", err.text);
	return svg;
}

struct titles {
	struct pk_buf text;
	int depth; /* of elements in a title, with the title itself */
};

static void begin_element(void *data, const char *name, const char **attributes)
{
	struct titles *t = data;

	(void)attributes;
	t->depth += t->depth || !strcmp(name, "title");
}

static void end_element(void *data, const char *name)
{
	struct titles *t = data;

	(void)name;
	if (t->depth && !--t->depth)
		pk_buf_adds(&t->text, "\n");
}

static void add_text(void *data, const char *text, int len)
{
	struct titles *t = data;

	if (t->depth)
		pk_buf_add(&t->text, text, (size_t)len);
}

/* The titles of the boxes, a line each, as an XML parser sees them. Frees svg. */
static char *titles(char *svg)
{
	struct titles t = {.text = PK_BUF_INIT};
	XML_Parser parser = XML_ParserCreate(NULL);

	XML_SetUserData(parser, &t);
	XML_SetElementHandler(parser, begin_element, end_element);
	XML_SetCharacterDataHandler(parser, add_text);
	ck_assert_msg(XML_Parse(parser, svg, (int)strlen(svg), true) == XML_STATUS_OK,
		      "not well-formed:\n%s", svg);
	XML_ParserFree(parser);
	free(svg);
	return pk_buf_detach(&t.text);
}

#define CHECK_TITLES(svg, expected)                  \
	do {                                         \
		char *titles_ = titles(svg);         \
		ck_assert_str_eq(titles_, expected); \
		free(titles_);                       \
	} while (0)

START_TEST(titles_read_as_those_of_flamegraph_pl)
{
	const struct stack stacks[] = {
		{"main", 11, 0}, {"main;run_[j]", 1234, 0}, {"-", 90, 0}, {NULL, 0, 0}};
	const struct stack two[] = {{"a", 2, 1}, {"b", 1, 2}, {"c", 1, 1}, {NULL, 0, 0}};

	CHECK_TITLES(draw_well(profile_of(stacks, false, 0, false), NULL),
		     "all (1,335 samples, 100%)\n- (90 samples, 6.74%)\n"
		     "main (1,245 samples, 93.26%)\nrun (1,234 samples, 92.43%)\n");
	CHECK_TITLES(draw_well(profile_of(stacks, false, 0, false),
			       (const char *[]){"factor=0.1", "countname=ms", NULL}),
		     "all (134 ms, 100%)\n- (9 ms, 6.74%)\nmain (124 ms, 92.88%)\n"
		     "run (123 ms, 92.13%)\n");
	CHECK_TITLES(draw_well(profile_of(two, true, 0, false), NULL),
		     "all (4 samples, 100%)\na (2 samples, 50.00%; +25.00%)\n"
		     "b (1 samples, 25.00%; -25.00%)\nc (1 samples, 25.00%; 0.00%)\n");
	CHECK_TITLES(draw_well(profile_of(two, true, 0, false), (const char *[]){"negate", NULL}),
		     "all (4 samples, 100%)\na (2 samples, 50.00%; -25.00%)\n"
		     "b (1 samples, 25.00%; +25.00%)\nc (1 samples, 25.00%; 0.00%)\n");
	CHECK_TITLES(
		draw_well(profile_of(two, true, 0, false), (const char *[]){"metric=before", NULL}),
		"all (4 samples, 100%)\na (1 samples, 25.00%)\nb (2 samples, 50.00%)\n"
		"c (1 samples, 25.00%)\n");
}
END_TEST

START_TEST(fractions_are_rounded_as_printf_does)
{
	const struct stack stacks[] = {{"a", 25, 0}, {"b", 35, 0}, {"c", 9940, 0}, {NULL, 0, 0}};
	const struct stack few[] = {{"a", 25, 0}, {"b", 75, 0}, {NULL, 0, 0}};

	/* 2.5, 3.5 and 994 samples */
	CHECK_TITLES(draw_well(profile_of(stacks, false, 1, false), NULL),
		     "all (1,000 samples, 100%)\na (2 samples, 0.20%)\nb (4 samples, 0.40%)\n"
		     "c (994 samples, 99.40%)\n");
	/* 0.25 and 0.75: whole numbers would say nothing */
	CHECK_TITLES(draw_well(profile_of(few, false, 2, false), NULL),
		     "all (1.000 samples, 100%)\na (0.250 samples, 25.00%)\n"
		     "b (0.750 samples, 75.00%)\n");
}
END_TEST

START_TEST(whatever_a_name_contains_is_valid)
{
	const struct stack stacks[] = {{"<b>&\"']]>--", 1, 0},
				       {"\x01\x1b[31m\x7f", 1, 0},
				       {"\xff\xc3(\xed\xa0\x80", 1, 0},
				       {"\xef\xbf\xbe \xc2\x85", 1, 0},
				       {"tab\there\r\n", 1, 0},
				       {"\xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x94\xa5", 1, 0},
				       {"</script><script>", 1, 0},
				       {NULL, 0, 0}};
	const char *const names = "all (7 samples, 100%)\n"
				  "\xef\xbf\xbd\xef\xbf\xbd[31m\xef\xbf\xbd (1 samples, 14.29%)\n"
				  "</script><script> (1 samples, 14.29%)\n"
				  "<b>&\"']]>-- (1 samples, 14.29%)\n"
				  "tab\there\r\n (1 samples, 14.29%)\n"
				  "\xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x94\xa5 (1 samples, 14.29%)\n"
				  "\xef\xbf\xbd \xef\xbf\xbd (1 samples, 14.29%)\n"
				  "\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
				  "(1 samples, 14.29%)\n";

	CHECK_TITLES(draw_well(profile_of(stacks, false, 0, false), NULL), names);
	CHECK_TITLES(
		draw_well(profile_of(stacks, false, 0, false),
			  (const char *[]){"encoding=ISO-8859-1", "title=<&\">]]>",
					   "subtitle=\xff\x01", "notes=--><!--", "nametype=\"<",
					   "fonttype=\"><x y=\"", "reverse", NULL}),
		names);
}
END_TEST

START_TEST(options_that_make_no_sense_are_refused)
{
	static const char *const wrong[] = {"minwidth=x",
					    "minwidth=1px",
					    "minwidth=-1",
					    "width=20",
					    "encoding=UTF-16",
					    "encoding=ISO-8859-1\"",
					    "stroke-color=a;b",
					    "uicolor=\"",
					    "search-color=</style>",
					    "bgcolors=#12345",
					    "colors=pink",
					    "metric=time",
					    "nameattr=/nowhere/x",
					    "height=1",
					    "fontsize=0"};
	const struct stack stacks[] = {{"a", 1, 0}, {NULL, 0, 0}};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct pk_error err = PK_ERROR_INIT;
		char *svg = draw(profile_of(stacks, false, 0, false),
				 (const char *[]){wrong[i], NULL}, &err);

		ck_assert_msg(!svg && err.text[0], "%s was accepted", wrong[i]);
	}
}
END_TEST

static uint32_t shade_color(const char *name, enum pk_flame_palette palette)
{
	struct pk_flame_shade shade = pk_flame_shade_of(PK_FLAME_BY_SUM, name, strlen(name));

	return pk_flame_color(palette, name, strlen(name), "", &shade);
}

START_TEST(colors_are_those_of_flamegraph_pl)
{
	/* perl -CA -e 'srand(sum of code points); rand(1)' and the formulas of its palettes */
	ck_assert_uint_eq(shade_color("main", PK_FLAME_HOT), 243 << 16 | 179 << 8 | 42);
	ck_assert_uint_eq(shade_color("_start", PK_FLAME_HOT), 245 << 16 | 185 << 8 | 44);
	ck_assert_uint_eq(shade_color("\xc3\xbc"
				      "ber",
				      PK_FLAME_HOT),
			  213 << 16 | 40 << 8 | 9);
	ck_assert_uint_eq(shade_color("", PK_FLAME_HOT), 213 << 16 | 39 << 8 | 9);
	ck_assert_uint_eq(shade_color("main", PK_FLAME_MEM), 228 << 8 | 163);
	ck_assert_uint_eq(shade_color("-", PK_FLAME_HOT), 0xC8C8C8);
	ck_assert_uint_eq(shade_color("--", PK_FLAME_HOT), 0xA0A0A0);
	ck_assert_uint_eq(pk_flame_color_change(0, 10, false), 0xFFFFFF);
	ck_assert_uint_eq(pk_flame_color_change(10, 10, false), 0xFF0000);
	ck_assert_uint_eq(pk_flame_color_change(-5, 10, false), 0x6969FF);
	ck_assert_uint_eq(pk_flame_color_change(10, 10, true), 0xE66101);
	ck_assert_uint_eq(pk_flame_color_change(-10, 10, true), 0x2166AC);
	ck_assert_uint_eq(pk_flame_color_share(1), 0xFF6464);
}
END_TEST

START_TEST(names_choose_palettes)
{
	static const struct {
		enum pk_flame_palette palette;
		const char *name, *path;
		enum pk_flame_palette chosen;
	} cases[] = {
		{PK_FLAME_JAVA, "org/x/Y:.z", "", PK_FLAME_GREEN},
		{PK_FLAME_JAVA, "Lio/x", "", PK_FLAME_GREEN},
		{PK_FLAME_JAVA, "x_[i]", "", PK_FLAME_AQUA},
		{PK_FLAME_JAVA, "A::b", "", PK_FLAME_YELLOW},
		{PK_FLAME_JAVA, "sys_read_[k]", "", PK_FLAME_ORANGE},
		{PK_FLAME_JAVA, "read", "", PK_FLAME_RED},
		{PK_FLAME_JS, "f /x.js:1_[j]", "", PK_FLAME_GREEN},
		{PK_FLAME_JS, "f_[j]", "", PK_FLAME_AQUA},
		{PK_FLAME_JS, "/a/b.js", "", PK_FLAME_GREEN},
		{PK_FLAME_JS, "LazyCompile:x", "", PK_FLAME_AQUA},
		{PK_FLAME_PERL, "Perl_x", "", PK_FLAME_GREEN},
		{PK_FLAME_CHAIN, "x_[w]", "", PK_FLAME_AQUA},
		{PK_FLAME_CHAIN, "x", "", PK_FLAME_BLUE},
		{PK_FLAME_WAKEUP, "x", "", PK_FLAME_AQUA},
		{PK_FLAME_RUST, "<core::x>", "", PK_FLAME_ORANGE},
		{PK_FLAME_RUST, "my::x", "", PK_FLAME_AQUA},
		{PK_FLAME_RUST, "main", "", PK_FLAME_YELLOW},
		{PK_FLAME_PYTHON, "run", "/srv/app.py", PK_FLAME_RED},
		{PK_FLAME_PYTHON, "run", "/usr/lib/python3.11/json/x.py", PK_FLAME_YELLOW},
		{PK_FLAME_PYTHON, "run", "/usr/lib/python3.11/site-packages/x.py", PK_FLAME_AQUA},
		{PK_FLAME_PYTHON, "run", "/usr/lib/python3/dist-packages/x.py", PK_FLAME_AQUA},
		{PK_FLAME_PYTHON, "run", "/srv/site-programs/x.py", PK_FLAME_RED},
		{PK_FLAME_PYTHON, "run", "/srv/dist-programs/x.py", PK_FLAME_RED},
		{PK_FLAME_PYTHON, "<built-in method len>", "", PK_FLAME_YELLOW},
		{PK_FLAME_PYTHON, "f (<frozen importlib>:1)", "", PK_FLAME_YELLOW},
		{PK_FLAME_PYTHON, "f (/v/site-packages/x.py:1)", "", PK_FLAME_AQUA},
		{PK_FLAME_PYTHON, "f (pythonic.py:1)", "", PK_FLAME_RED},
	};
	const struct pk_flame_shade shade = {{0.5, 0.5, 0.5}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t len = strlen(cases[i].name);
		uint32_t color =
			pk_flame_color(cases[i].palette, cases[i].name, len, cases[i].path, &shade);

		ck_assert_msg(color == pk_flame_color(cases[i].chosen, "x", 1, "", &shade), "%s %s",
			      cases[i].name, cases[i].path);
	}
}
END_TEST

/* The first number of the shade says where between five colors it is. */
START_TEST(safe_colors_go_from_blue_to_yellow)
{
	static const struct {
		double at;
		uint32_t color;
	} cases[] = {{0, 0x3E5C96}, {0.25, 0x7081A0}, {0.5, 0x9698A0}, {0.875, 0xDBCB7D}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pk_flame_shade shade = {{cases[i].at, 0.75, 0.1}};

		ck_assert_uint_eq(pk_flame_color(PK_FLAME_SAFE, "f", 1, "", &shade),
				  cases[i].color);
	}
}
END_TEST

START_TEST(text_can_be_read_on_every_color)
{
	ck_assert(!pk_flame_color_is_dark(0xFFFFFF));
	ck_assert(!pk_flame_color_is_dark(0xE6E600));
	ck_assert(pk_flame_color_is_dark(0xCD0000));
	ck_assert(pk_flame_color_is_dark(0x5050BE));
	ck_assert(pk_flame_color_is_dark(0));
	/* Black and white are equally far from this grey: 4.6 to 1. */
	ck_assert(pk_flame_color_is_dark(0x747474));
	ck_assert(!pk_flame_color_is_dark(0x777777));
}
END_TEST

/* Writes text to a new file; the path is freed by remove_file. */
static char *file_with(const char *text)
{
	char *path = strdup("/tmp/check_flamegraph.XXXXXX");
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return path;
}

static void remove_file(char *path)
{
	unlink(path);
	free(path);
}

START_TEST(colors_are_kept_in_a_file)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_flame_map map;
	char *path = file_with("main->rgb(1,2,3)\n->rgb(9,9,9)\na->rgb(1->rgb(4,5,6)\r\n");

	ck_assert_int_eq(pk_flame_map_load(&map, path, &err), 0);
	ck_assert_int_eq(pk_flame_map_find(&map, "main", 4), 0x010203);
	ck_assert_int_eq(pk_flame_map_find(&map, "", 0), 0x090909);
	ck_assert_int_eq(pk_flame_map_find(&map, "a->rgb(1", 8), 0x040506);
	ck_assert_int_eq(pk_flame_map_find(&map, "mai", 3), -1);
	pk_flame_map_add(&map, "b", 1, 0xFF0001);
	pk_flame_map_add(&map, "b", 1, 0xFF0001);
	ck_assert_int_eq(pk_flame_map_save(&map, path, &err), 0);
	pk_flame_map_release(&map);
	ck_assert_int_eq(pk_flame_map_load(&map, path, &err), 0);
	ck_assert_uint_eq(map.count, 4);
	ck_assert_int_eq(pk_flame_map_find(&map, "b", 1), 0xFF0001);
	pk_flame_map_release(&map);
	remove_file(path);
	path = file_with("main->rgb(1,2,3)\nmain 1\n");
	ck_assert_int_eq(pk_flame_map_load(&map, path, &err), -1);
	ck_assert_msg(strstr(err.text, "line 2: ") != NULL, "%s", err.text);
	pk_flame_map_release(&map);
	remove_file(path);
	ck_assert_int_eq(pk_flame_map_load(&map, "/tmp/not/there", &err), 0);
}
END_TEST

static size_t occurrences(const char *text, const char *what)
{
	size_t count = 0;

	for (; (text = strstr(text, what)); text++)
		count++;
	return count;
}

static char *labels(const char *file, uint32_t line, uint32_t running)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t time = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT), function;
	struct pk_function f = {
		.name = pk_build_text(b, "f"), .file = pk_build_text(b, file), .line = line};
	char *svg, *title, *text;
	struct pk_buf buf = PK_BUF_INIT;

	function = pk_build_function(b, &f);
	pk_build_cost(b, 0, pk_build_node(b, 0, pk_build_place(b, function, running)), time, 5,
		      PK_NULL);
	svg = draw_well(pk_builder_finish(b), NULL);
	title = strstr(strstr(svg, "<title>f") + 1, ">") + 1;
	text = strstr(strstr(title, "<text "), ">") + 1;
	pk_buf_addf(&buf, "%.*s | %.*s", (int)(strstr(title, " (5 ns") - title), title,
		    (int)strcspn(text, "<"), text);
	free(svg);
	return pk_buf_detach(&buf);
}

START_TEST(boxes_say_file_and_line)
{
	static const struct {
		const char *file;
		uint32_t line, running;
		const char *expected;
	} cases[] = {
		{"/usr/lib/x.py", 7, 0, "f (/usr/lib/x.py:7) | f (x.py:7)"},
		{"/usr/lib/x.py", 7, 9, "f (/usr/lib/x.py:9) | f (x.py:9)"},
		{"/x.py", 0, 0, "f (/x.py) | f (x.py)"},
		{"C:\\a\\x.py", 7, 7, "f (C:\\a\\x.py:7) | f (x.py:7)"},
		{"numpy/__init__.py", 0, 3, "f (numpy/__init__.py:3) | f (numpy/__init__.py:3)"},
		{NULL, 0, 3, "f | f"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *got = labels(cases[i].file, cases[i].line, cases[i].running);

		ck_assert_str_eq(got, cases[i].expected);
		free(got);
	}
}
END_TEST

START_TEST(estimated_boxes_are_hatched)
{
	/* All of them: by one mask. Some: each on its own. None: no word of it. */
	static const struct {
		unsigned marked;
		size_t masks, boxes, words;
	} cases[] = {{0, 0, 0, 0}, {1, 0, 1, 1}, {3, 1, 0, 1}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pk_builder *b = pk_builder_new();
		uint32_t time = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
		char *svg;

		for (unsigned k = 0; k < 2; k++) {
			uint32_t node = pk_build_node(b, 0, pk_build_label(b, &"ab"[k], 1));

			pk_build_cost(b, 0, node, time, 5, PK_NULL);
			if (cases[i].marked >> k & 1)
				pk_build_node_estimated(b, node);
		}
		svg = draw_well(pk_builder_finish(b), NULL);
		ck_assert_uint_eq(occurrences(svg, "mask=\"url(#hatch)\""), cases[i].masks);
		ck_assert_uint_eq(occurrences(svg, "fill=\"url(#hatch)\""), cases[i].boxes);
		ck_assert_uint_eq(occurrences(svg, ">hatched: estimated"), cases[i].words);
		CHECK_TITLES(svg, "all (10 ns, 100%)\na (5 ns, 50.00%)\nb (5 ns, 50.00%)\n");
	}
}
END_TEST

START_TEST(boxes_get_attributes)
{
	const struct stack stacks[] = {{"main;f", 1, 0}, {"main;g", 1, 0}, {NULL, 0, 0}};
	char *path =
		file_with("main\tclass=a\tclass=b\thref=x?a&b\ttarget=_top\ta_extra=rel=\"y\"\n"
			  "\nf\ttitle=<f>\tg_extra=stroke=\"green\" id='\"'\ttarget=_top\r\n");
	char option[100], *svg;

	snprintf(option, sizeof(option), "nameattr=%s", path);
	svg = draw_well(profile_of(stacks, false, 0, false),
			(const char *[]){option, "javascript=no", NULL});
	ck_assert(strstr(svg, "<a class=\"b\" xlink:href=\"x?a&amp;b\" target=\"_top\" rel=\"y\">"
			      "<title>main (2 samples, 100.00%)</title>"));
	ck_assert(strstr(svg, "<g stroke=\"green\" id=\"&quot;\"><title>&lt;f&gt;</title>"));
	ck_assert(strstr(svg, "xmlns:xlink="));
	CHECK_TITLES(svg, "all (2 samples, 100%)\nmain (2 samples, 100.00%)\n<f>\n"
			  "g (1 samples, 50.00%)\n");
	remove_file(path);
}
END_TEST

START_TEST(attributes_that_would_break_the_file_are_refused)
{
	static const char *const wrong[] = {"f\tx=1",
					    "f\tclass",
					    "f\tg_extra=a=b",
					    "f\tg_extra=a=\"b",
					    "f\tg_extra=><x a=\"b\"",
					    "f\tg_extra=1=\"b\""};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct pk_error err = PK_ERROR_INIT;
		struct pk_flame_attrs attrs;
		char *path = file_with(wrong[i]);

		ck_assert_msg(pk_flame_attrs_load(&attrs, path, &err) == -1, "%s", wrong[i]);
		ck_assert_msg(strstr(err.text, "line 1: ") != NULL, "%s", err.text);
		pk_flame_attrs_release(&attrs);
		remove_file(path);
	}
}
END_TEST

START_TEST(pairs_are_matched_by_function)
{
	struct pk_profile *side[2], *pair;
	struct pk_flame_scale scale = {.metric = 2, .before = 1, .factor = 1, .before_factor = 1};
	char *boxes;

	for (int i = 0; i < 2; i++) {
		struct pk_builder *b = pk_builder_new();
		uint32_t time =
			pk_build_metric(b, "time", "ns", i ? 0 : 1, PK_METRIC_TIME, PK_EXACT);
		struct pk_function moved = {.name = pk_build_text(b, "f"),
					    .file = pk_build_text(b, "x.py"),
					    .line = i ? 12 : 10};
		struct pk_function lambda = moved;
		struct pk_location place = {.line = 13, .address = i ? 77 : 88};

		lambda.name = pk_build_text(b, "<lambda>");
		place.function = pk_build_function(b, &moved);
		pk_build_cost(b, 0, pk_build_node(b, 0, pk_build_location(b, &place)), time,
			      i ? 3 : 50, PK_NULL);
		place.function = pk_build_function(b, &lambda);
		pk_build_cost(b, 0, pk_build_node(b, 0, pk_build_location(b, &place)), time,
			      i ? 1 : 10, PK_NULL);
		side[i] = pk_builder_finish(b);
	}
	pair = pk_pair(side[0], 1, side[1], 1, (const uint32_t[]){0, 1, 0}, NULL);
	ck_assert_int_eq(pair->metric.exponent[1], 1);
	boxes = describe(pair, &scale, false);
	ck_assert_str_eq(boxes, "all 0+40/60, <lambda> (x.py:12) 0+10/0, f (x.py:12) 10+30/50 | "
				"0 narrow, 1 gone 10");
	free(boxes);
	pk_profile_free(side[0]);
	pk_profile_free(side[1]);
}
END_TEST

CHECK_MAIN("flamegraph", siblings_stand_in_the_order_of_bytes, narrow_boxes_keep_their_place,
	   values_below_zero_are_left_out_and_counted,
	   values_at_the_end_of_the_range_do_not_overflow, differences_are_inclusive,
	   charts_keep_the_order, charts_of_deep_stacks, titles_read_as_those_of_flamegraph_pl,
	   fractions_are_rounded_as_printf_does, whatever_a_name_contains_is_valid,
	   options_that_make_no_sense_are_refused, colors_are_those_of_flamegraph_pl,
	   names_choose_palettes, safe_colors_go_from_blue_to_yellow,
	   text_can_be_read_on_every_color, colors_are_kept_in_a_file, boxes_say_file_and_line,
	   estimated_boxes_are_hatched, boxes_get_attributes,
	   attributes_that_would_break_the_file_are_refused, pairs_are_matched_by_function)
