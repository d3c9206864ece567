/* Call graphs as DOT: texts, colors, drawing by Graphviz. */
#include <graphviz/cgraph.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/split_names.h"
#include "base/opt.h"
#include "tests/check_util.h"
#include "model/build/builder.h"
#include "writers/dot/dot.h"
#include "writers/dot/internal.h"

static void expect_text(const char *text, size_t len, const char *label)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_adds(&buf, "");
	pk_dot_add_text(&buf, text, len);
	ck_assert_str_eq(buf.data, label);
	pk_buf_release(&buf);
}

START_TEST(texts)
{
	expect_text("plain", 5, "plain");
	expect_text("\\N", 2, "\\\\N");
	expect_text("a\nb\tc\rd", 7, "a\\\\nb\\\\tc\\\\rd");
	expect_text("a\0b\x1b", 4, "a\\\\x00b\\\\x1b");
	expect_text("&lt;&#60;&#x3c;", 15, "&amp;lt;&amp;#60;&amp;#x3c;");
	expect_text("a&&b; c&d &; &", 14, "a&&amp;b; c&d &; &");
	expect_text("\xff\xc3\xbc", 3, "\xef\xbf\xbd\xc3\xbc");
	expect_text("\xef\xbf\xbf", 3, "\xef\xbf\xbd");
	expect_text("<b>", 3, "<b>");
}
END_TEST

static void expect_stripped(const char *name, const char *stripped)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_adds(&buf, name);
	pk_dot_strip_name(&buf);
	ck_assert_str_eq(buf.data, stripped);
	ck_assert_uint_eq(buf.len, strlen(stripped));
	pk_buf_release(&buf);
}

START_TEST(stripped_names)
{
	expect_stripped("f(int, g(long)) const", "f");
	expect_stripped("std::map<int, std::vector<a> >::at(int const&)", "std::map::at");
	expect_stripped("<module>", "<module>");
	expect_stripped("<built-in method f(x)>", "<built-in method f(x)>");
	expect_stripped("operator()(int)", "operator()");
	expect_stripped("a::operator()(int)", "a::operator()");
	expect_stripped("a::operator<<<char>(b)", "a::operator<<");
	expect_stripped("std::operator<< <char>(b)", "std::operator<<");
	expect_stripped("operator<(a, b)", "operator<");
	expect_stripped("operator->() const", "operator->");
	expect_stripped("operator new(unsigned long)", "operator new");
	expect_stripped("my_operator<int>", "my_operator");
	expect_stripped("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
	expect_stripped("(x)", "(x)"); /* never empty */
	expect_stripped("a(b", "a(b");
	expect_stripped("a>b)", "a>b)");
	expect_stripped("", "");
}
END_TEST

static void expect_wrapped(const char *name, const char *wrapped)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_adds(&buf, name);
	pk_dot_wrap_name(&buf);
	ck_assert_str_eq(buf.data, wrapped);
	pk_buf_release(&buf);
}

START_TEST(wrapped_names)
{
	expect_wrapped("short name", "short name");
	expect_wrapped("f(int, long) a<b<c> >", "f(int,long) a<b<c>>");
	expect_wrapped("12345678901234567890123456789012 x", "12345678901234567890123456789012\nx");
	expect_wrapped("one two three four five six seven eight nine ten",
		       "one two three four five six\nseven eight nine ten");
	expect_wrapped("ends-in-a-hyphen-where-it-may-break-up",
		       "ends-in-a-hyphen-where-it-may-\nbreak-up");
	expect_wrapped("a\nb", "a b");
}
END_TEST

START_TEST(cut_names)
{
	struct pk_buf buf = PK_BUF_INIT;

	for (int i = 0; i < 4095; i++)
		pk_buf_addc(&buf, 'x');
	ck_assert(!pk_dot_cut_name(&buf));
	pk_buf_adds(&buf, "\xc3\xbc"); /* would be cut in two */
	ck_assert(pk_dot_cut_name(&buf));
	ck_assert_uint_eq(buf.len, 4095 + 3);
	ck_assert_str_eq(buf.data + 4094, "x\xe2\x80\xa6");
	pk_buf_release(&buf);
}
END_TEST

START_TEST(cut_texts)
{
	struct pk_buf buf = PK_BUF_INIT;

	for (int i = 0; i < 7998; i++)
		pk_buf_addc(&buf, 'x');
	pk_buf_adds(&buf, "\\\\");
	pk_dot_cut_text(&buf);
	ck_assert_uint_eq(buf.len, 8000);
	pk_buf_addc(&buf, ' ');
	buf.data[7997] = '\\';
	buf.data[7998] = 'l';
	buf.data[7999] = '&';
	pk_buf_adds(&buf, "#60;"); /* "& #60;" is no reference */
	pk_dot_cut_text(&buf);
	ck_assert_uint_eq(buf.len, 8000 + 3);
	ck_assert_str_eq(buf.data + 7997, "\\l&\xe2\x80\xa6");
	buf.len = 7999;
	pk_buf_adds(&buf, "\\l");
	pk_dot_cut_text(&buf);
	ck_assert_uint_eq(buf.len, 7999 + 3);
	buf.len = 7990;
	pk_buf_adds(&buf, "xxxx&amp;&lt;z");
	pk_dot_cut_text(&buf);
	ck_assert_str_eq(buf.data + 7990, "xxxx&amp;\xe2\x80\xa6");
	pk_buf_release(&buf);
}
END_TEST

static void expect_format(const char *format, double value, const char *text)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf buf = PK_BUF_INIT;

	ck_assert_msg(pk_dot_check_format(format, &err) == 0, "%s", format);
	pk_dot_add_formatted(&buf, format, value);
	ck_assert_str_eq(buf.data, text);
	pk_buf_release(&buf);
}

START_TEST(formats)
{
	static const char *const bad[] = {"",     "7",        "%",      "%s",     "%n",     "%*f",
					  "%f%f", "%5000f",   "%.200f", "%lf",    "%",      "%%",
					  "%c",   "%-+ #0-f", "%1$f",   "% %.7g", "%.7g%s", "%."};
	struct pk_error err = PK_ERROR_INIT;

	expect_format("%.7g", 0.25, "0.25");
	expect_format("%8.3f s", 0.25, "   0.250 s");
	expect_format("%e", 1500, "1.500000e+03");
	expect_format("%d", 2.9, "2");
	expect_format("%5.2u%%", 2.9, "    2%");
	expect_format("100%% \\N %g \xc3\xbcs", 3, "100% \\\\N 3 \xc3\xbcs");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(pk_dot_check_format(bad[i], &err) == -1, "%s", bad[i]);
}
END_TEST

/* Text can be read on every box, and so can labels of arrows, in every color map. */
START_TEST(colors)
{
	char text[8];

	for (const struct pk_dot_theme *t = pk_dot_themes; t->name; t++) {
		struct pk_rgb paper = pk_rgb_from(t->background);

		ck_assert_str_eq(t->name, pk_dot_colormaps[t - pk_dot_themes]);
		for (double w = 0; w <= 1; w += 0.01) {
			struct pk_rgb color = pk_theme_color(t, w, 1), again;

			/* What has the contrast is not moved. */
			color = pk_rgb_readable(color, paper, 4.5);
			again = pk_rgb_readable(color, paper, 4.5);
			ck_assert_double_eq(color.r + color.g + color.b,
					    again.r + again.g + again.b);
		}
	}
	pk_rgb_format(pk_theme_color(&pk_dot_themes[0], 0, 1), text);
	ck_assert_str_eq(text, "#0d0d73");
	pk_rgb_format(pk_theme_color(&pk_dot_themes[0], 1, 1), text);
	ck_assert_str_eq(text, "#ff0000");
	pk_rgb_format(pk_rgb_text_on((struct pk_rgb){0.9, 0.9, 0.2}), text);
	ck_assert_str_eq(text, "#000000");
	pk_rgb_format(pk_rgb_text_on((struct pk_rgb){0.1, 0.1, 0.5}), text);
	ck_assert_str_eq(text, "#ffffff");
}
END_TEST

/* cgraph reads back the texts that were written, whatever the names hold. */
START_TEST(read_back)
{
	static const char *const names[] = {"q\"uote", "back\\slash", "tail\\",  "\\\"", "a\nb",
					    "<b>",     "</b>",        "\"];\n}", "",     "\\N"};
	static const char *const labels[] = {"q\"uote", "back\\\\slash", "tail\\\\", "\\\\\"",
					     "a\\\\nb", "<b>",           "</b>",     "\"];\\\\n}",
					     " ",       "\\\\N"};
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	struct pk_dot_params params = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);
	struct pk_profile *p;
	Agraph_t *graph;
	Agnode_t *node;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		uint32_t frame = pk_build_label(b, names[i], strlen(names[i]));

		pk_build_cost(b, 0, pk_build_node(b, 0, frame), metric, 1, PK_NULL);
	}
	p = pk_builder_finish(b);
	pk_opt_defaults(pk_dot_options, &params);
	params.metric = 0;
	params.title = NULL;
	params.note = NULL;
	params.names_as_read = false;
	params.legend = false;
	ck_assert_msg(pk_dot_write(p, &params, out, &err) == 0, "%s", err.text);
	ck_assert_int_eq(pk_output_commit(out, &err), 0);
	graph = agmemread(text.data);
	ck_assert_ptr_nonnull(graph);
	node = agfstnode(graph);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++, node = agnxtnode(graph, node)) {
		const char *label = agget(node, (char *)(uintptr_t) "label");
		size_t len = strlen(labels[i]);

		ck_assert_msg(strncmp(label, labels[i], len) == 0, "'%s' for '%s'", label,
			      labels[i]);
		ck_assert_str_eq(label + len, "\\n10.00%\\n(10.00%)");
		ck_assert(!aghtmlstr((char *)(uintptr_t)label));
	}
	ck_assert_ptr_null(node);
	agclose(graph);
	pk_buf_release(&text);
	pk_profile_free(p);
	pk_opt_release(pk_dot_options, &params);
}
END_TEST

START_TEST(split_names)
{
	static const char *const names[] = {"f (a/b.py:12)", "f (a/b.py:13)", "<module> (m.py:1)",
					    "f (a/b.py)",    "f(a:12)",       " (a:1)",
					    "f g (a:1)",     "f (:1)",        "f (a:)"};
	static const char *const files[] = {"a/b.py", "a/b.py", "m.py", "", "", "", "", "", ""};
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	struct pk_profile *p, *split;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		uint32_t frame = pk_build_label(b, names[i], strlen(names[i]));

		pk_build_cost(b, 0, pk_build_node(b, 0, frame), metric, 1 + (int64_t)i, PK_NULL);
	}
	p = pk_builder_finish(b);
	split = pk_split_names(p);
	ck_assert_uint_eq(split->function.count, p->function.count - 1);
	ck_assert_str_eq(pk_text(split, split->function.name[1]), "f");
	ck_assert_int_eq(split->cost.self[1], 1 + 2);
	for (uint32_t i = 1; i < split->function.count; i++) {
		ck_assert_str_eq(pk_text(split, split->function.file[i]), files[i]);
		ck_assert_str_eq(pk_text(split, split->function.name[i]), i == 2  ? "<module>"
									  : i > 2 ? names[i]
										  : "f");
	}
	ck_assert_ptr_null(pk_split_names(split));
	pk_profile_free(split);
	pk_profile_free(p);
}
END_TEST

static void keep_note(void *data, const char *text)
{
	snprintf(data, 200, "%s", text);
}

/* Has Graphviz draw dot in this process, and returns what it sends: the picture, or the reason. */
static char *paint(const char *dot, const char *format, int status, char *note)
{
	const struct pk_dot_params params = {.note = keep_note, .note_data = note};
	struct pk_dot_painter painter = {.params = &params, .format = format};
	size_t len = strlen(dot);
	int in[2], out[2];
	char *text;

	ck_assert(!pipe(in) && !pipe(out));
	painter.in = in[0];
	painter.out = out[1];
	ck_assert_int_eq(write(in[1], &len, sizeof(len)), sizeof(len));
	ck_assert_int_eq(write(in[1], dot, len), len);
	*note = '\0';
	ck_assert_int_eq(pk_dot_paint(&painter), status);
	ck_assert_int_eq(read(out[0], &len, sizeof(len)), sizeof(len));
	text = calloc(len + 1, 1);
	ck_assert_int_eq(read(out[0], text, len), len);
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
	return text;
}

/* What Graphviz says is no output of its own: a note with the picture, or the reason why there is
 * none. */
START_TEST(messages)
{
	char note[200], *text = paint("digraph { a -> b }", "svg", 0, note);

	ck_assert_str_eq(note, "");
	ck_assert_str_eq(text + strlen(text) - 7, "</svg>\n");
	free(text);
	text = paint("digraph { a [shape=nosuch] b [shape=either] }", "svg", 0, note);
	ck_assert_ptr_nonnull(strstr(note, "unknown shape nosuch"));
	ck_assert_ptr_nonnull(strstr(note, "unknown shape either"));
	ck_assert_ptr_null(strchr(note, '\n'));
	ck_assert_str_eq(text + strlen(text) - 7, "</svg>\n");
	free(text);
}
END_TEST

/* In processes of their own, since the messages of Graphviz are kept in one place. */
START_TEST(no_graph)
{
	char note[200], *text = paint("digraph { a -> }", "svg", 1, note);

	ck_assert_ptr_nonnull(strstr(text, "syntax error"));
	ck_assert_str_eq(note, "");
	free(text);
}
END_TEST

START_TEST(no_format)
{
	char note[200], *text = paint("digraph { a -> b }", "nosuch", 1, note);

	ck_assert_ptr_nonnull(strstr(text, "nosuch"));
	free(text);
}
END_TEST

CHECK_MAIN("dot", texts, stripped_names, wrapped_names, cut_names, cut_texts, formats, colors,
	   read_back, split_names, messages, no_graph, no_format)
