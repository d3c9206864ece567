/* Grids in every notation, with names that no notation may take for its own. */
#include <math.h>
#include <string.h>

#include "base/io/output.h"
#include "model/profile.h"
#include "render/grid.h"

#include "tests/check_util.h"

#define COLUMN(k, h, t, u)                                             \
	{                                                              \
		.key = k, .heading = h, .type = PK_CELL_##t, .unit = u \
	}
static const struct pk_grid_column columns[] = {
	COLUMN("function", NULL, TEXT, NULL),  COLUMN("calls", "calls", INT, NULL),
	COLUMN("self", "self", VALUE, NULL),   COLUMN("share", "share", SHARE, NULL),
	COLUMN("bound", "bound", RATIO, NULL), COLUMN("peak", "peak", VALUE, "bytes"),
	COLUMN("exact", NULL, BOOL, NULL),     COLUMN("hidden", "never", REAL, NULL),
	COLUMN(NULL, "function", TEXT, NULL),
};

enum { FUNCTION, CALLS, SELF, SHARE, BOUND, PEAK, EXACT, HIDDEN, LABEL, COLUMNS };

static void add(struct pk_grid *g, int depth, const char *name, int64_t calls, int64_t self,
		double share, int64_t peak)
{
	struct pk_cell *row = pk_grid_row(g, depth);

	pk_cell_text(&row[FUNCTION], name);
	pk_cell_int(&row[CALLS], calls);
	pk_cell_int(&row[SELF], self);
	pk_cell_real(&row[SHARE], share);
	pk_cell_real(&row[BOUND], share < 1 ? 1 / (1 - share) : NAN);
	pk_cell_int(&row[PEAK], peak);
	pk_cell_bool(&row[EXACT], calls != PK_NULL);
	pk_cell_text(&row[LABEL], name);
}

static struct pk_grid *sample(struct pk_grid *g)
{
	pk_grid_init(g, columns, COLUMNS);
	g->unit = "ns";
	add(g, 0, "main", 1, 12345678, 1.0 / 3, 1536);
	add(g, 1, "a,\"b\"|`c`<i>&", 1234567, 1000, 1, 0);
	add(g, 2, "=1+1", PK_NULL, 0, 0, PK_NULL);
	add(g, 1, "\xE5\x87\xBD\xE6\x95\xB0\xC3\xA9", 2, 999999, 1e-5, 1 << 20);
	g->cells[2 * COLUMNS + SELF].estimated = true;
	return g;
}

#define TEXT(text)                                             \
	{                                                      \
		(char *)(uintptr_t)(text), sizeof(text) - 1, 0 \
	}

static char *drawn(struct pk_grid *g, enum pk_notation notation, struct pk_grid_frame *frame,
		   struct pk_buf *buf)
{
	struct pk_output *out = pk_output_to_buf(buf);
	struct pk_error err = PK_ERROR_INIT;

	pk_grid_render(g, notation, frame, out);
	ck_assert_int_eq(pk_output_commit(out, &err), 0);
	return buf->data;
}

static void expect(struct pk_grid *g, enum pk_notation notation, struct pk_grid_frame *frame,
		   const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	ck_assert_str_eq(drawn(g, notation, frame, &buf), text);
	pk_buf_release(&buf);
	pk_grid_release(g);
}

START_TEST(text)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.title = TEXT("two\nlines"),
				      .footer = TEXT("rest\xE2\x80\xA6")};

	expect(sample(&g), PK_TEXT, &frame,
	       "two\n"
	       "lines\n"
	       "\n"
	       "    calls  self (ms)   share  bound  peak (MB)  function\n"
	       "        1      12.35   33.3%   1.50      0.001  main\n"
	       "1,234,567       0.00  100.0%      -      0.000  a,\"b\"|`c`<i>&\n"
	       "        -      ~0.00    0.0%   1.00          -  =1+1\n"
	       "        2       1.00    0.0%   1.00      1.000  \xE5\x87\xBD\xE6\x95\xB0\xC3\xA9\n"
	       "rest\xE2\x80\xA6\n");
}
END_TEST

START_TEST(text_of_a_tree)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.color = true};

	sample(&g);
	g.tree_column = LABEL;
	g.show_unit = "us";
	g.spaced = true;
	add(&g, 0, "other", 3, 4, 0, 0);
	expect(&g, PK_TEXT, &frame,
	       "\033[1m    calls   self (us)   share  bound  peak (MB)  function\033[0m\n"
	       "        1  12,345.678   33.3%   1.50      0.001  main\n"
	       "1,234,567       1.000  100.0%      -      0.000  "
	       "\xE2\x94\x9C\xE2\x94\x80 a,\"b\"|`c`<i>&\n"
	       "        -      ~0.000    0.0%   1.00          -  "
	       "\xE2\x94\x82  \xE2\x94\x94\xE2\x94\x80 =1+1\n"
	       "        2     999.999    0.0%   1.00      1.000  "
	       "\xE2\x94\x94\xE2\x94\x80 \xE5\x87\xBD\xE6\x95\xB0\xC3\xA9\n"
	       "\n"
	       "        3       0.004    0.0%   1.00      0.000  other\n");
}
END_TEST

static const struct pk_grid_column two[] = {
	COLUMN("file", "file", TEXT, NULL),
	COLUMN("name", "name", TEXT, NULL),
};

static void add_two(struct pk_grid *g, const char *file, const char *name, size_t len)
{
	struct pk_cell *row = pk_grid_row(g, 0);

	pk_cell_text(&row[0], file);
	pk_cell_text_len(&row[1], name, len);
}

START_TEST(text_is_cut_to_the_terminal)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.width = 20};

	pk_grid_init(&g, two, 2);
	add_two(&g, "ab", "exactly_16_wide_", 16);
	add_two(&g, "a", "seventeen_columns", 17);
	/* Wide characters are never cut in half. */
	add_two(&g, "\xE5\x87\xBD",
		"\xE5\x87\xBD\xE5\x87\xBD\xE5\x87\xBD\xE5\x87\xBD\xE5\x87\xBD"
		"\xE5\x87\xBD\xE5\x87\xBD\xE5\x87\xBD\xE5\x87\xBD",
		27);
	expect(&g, PK_TEXT, &frame,
	       "file  name\n"
	       "ab    exactly_16_wi\xE2\x80\xA6\n"
	       "a     seventeen_col\xE2\x80\xA6\n"
	       "\xE5\x87\xBD    \xE5\x87\xBD\xE5\x87\xBD\xE5\x87\xBD\xE5\x87\xBD\xE5\x87\xBD"
	       "\xE5\x87\xBD\xE2\x80\xA6\n");
}
END_TEST

/* Lines around a table, and the last column if it may be, are broken at blanks and never in a
 * word. */
START_TEST(text_is_broken_at_blanks)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {
		.width = 20, .title = TEXT("one two three four five\nunbreakable_and_long word\n")};

	pk_grid_init(&g, two, 2);
	add_two(&g, "ab", "some words and \xE5\x87\xBD\xE5\x87\xBD more", 26);
	add_two(&g, "a", "unbreakable_words_stay", 22);
	frame.most = 18;
	g.cells[1].breaks = g.cells[3].breaks = true;
	expect(&g, PK_TEXT, &frame,
	       "one two three four\n"
	       "five\n"
	       "unbreakable_and_long\n"
	       "word\n"
	       "\n"
	       "file  name\n"
	       "ab    some words\n"
	       "      and \xE5\x87\xBD\xE5\x87\xBD\n"
	       "      more\n"
	       "a     unbreakable_words_stay\n");
}
END_TEST

START_TEST(tones_are_colors)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {
		.color = true, .tone = PK_TONE_BAD, .title = TEXT("first\nsecond\n")};

	pk_grid_init(&g, two, 2);
	add_two(&g, "a", "x", 1);
	g.cells[0].tone = PK_TONE_GOOD;
	expect(&g, PK_TEXT, &frame,
	       "\033[31mfirst\033[0m\nsecond\n\n"
	       "\033[1mfile  name\033[0m\n"
	       "\033[32ma\033[0m     x\n");
	frame.color = false;
	pk_grid_init(&g, two, 2);
	add_two(&g, "a", "x", 1);
	g.cells[0].tone = PK_TONE_GOOD;
	expect(&g, PK_TEXT, &frame, "first\nsecond\n\nfile  name\na     x\n");
}
END_TEST

#define NASTY "x\x1b[31m\n\xC2\x9B\xE2\x80\xAE\xE2\x80\x8B\xFF\0y\x7f"

START_TEST(columns_make_room_for_names)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.width = 40};

	sample(&g);
	g.spare = 1 << BOUND | 1 << PEAK;
	expect(&g, PK_TEXT, &frame,
	       "    calls  self (ms)   share  function\n"
	       "        1      12.35   33.3%  main\n"
	       "1,234,567       0.00  100.0%  a,\"b\"|`c`<i\xE2\x80\xA6\n"
	       "        -      ~0.00    0.0%  =1+1\n"
	       "        2       1.00    0.0%  \xE5\x87\xBD\xE6\x95\xB0\xC3\xA9\n"
	       "no room for: peak, bound\n");
	sample(&g);
	g.spare = 1 << BOUND | 1 << PEAK;
	g.spare_leftmost = true;
	expect(&g, PK_TEXT, &frame,
	       "    calls  self (ms)   share  function\n"
	       "        1      12.35   33.3%  main\n"
	       "1,234,567       0.00  100.0%  a,\"b\"|`c`<i\xE2\x80\xA6\n"
	       "        -      ~0.00    0.0%  =1+1\n"
	       "        2       1.00    0.0%  \xE5\x87\xBD\xE6\x95\xB0\xC3\xA9\n"
	       "no room for: bound, peak\n");
}
END_TEST

START_TEST(what_a_terminal_would_act_on_is_shown)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.title = TEXT("t\x1b]0;\a")};

	pk_grid_init(&g, two, 2);
	add_two(&g, "-", NASTY, sizeof(NASTY) - 1);
	expect(&g, PK_TEXT, &frame,
	       "t\\x1b]0;\\x07\n"
	       "\n"
	       "file  name\n"
	       "-     x\\x1b[31m\\n\\u009b\\u202e\\u200b\xEF\xBF\xBD\\x00y\\x7f\n");
}
END_TEST

START_TEST(an_empty_grid)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.schema = "x", .title = TEXT("nothing")};

	pk_grid_init(&g, two, 2);
	expect(&g, PK_TEXT, &frame, "nothing\n");
	pk_grid_init(&g, two, 2);
	expect(&g, PK_CSV, &frame, "file,name\n");
	pk_grid_init(&g, two, 2);
	expect(&g, PK_JSON, &frame,
	       "{\n  \"schema\": \"profkit.x\",\n  \"version\": 1,\n  \"rows\": []\n}\n");
}
END_TEST

START_TEST(csv)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.title = TEXT("not in CSV"), .footer = TEXT("nor this")};

	expect(sample(&g), PK_CSV, &frame,
	       "function,calls,self,share,bound,peak,exact,hidden\n"
	       "main,1,12345678,0.333333,1.5,1536,true,\n"
	       "\"a,\"\"b\"\"|`c`<i>&\",1234567,1000,1,,0,true,\n"
	       "=1+1,,0,0,1,,false,\n"
	       "\xE5\x87\xBD\xE6\x95\xB0\xC3\xA9,2,999999,1e-05,1.00001,1048576,true,\n");
}
END_TEST

START_TEST(csv_for_spreadsheets)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.csv_excel = true};
	static const char *const names[] = {"=1", "+1", "-1", "@f", "\ta", "\rb", "a=", ""};
	size_t i;

	pk_grid_init(&g, two, 2);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		add_two(&g, "f", names[i], strlen(names[i]));
	expect(&g, PK_CSV, &frame,
	       "file,name\nf,'=1\nf,'+1\nf,'-1\nf,'@f\nf,'\ta\nf,\"'\rb\"\nf,a=\nf,\n");
}
END_TEST

START_TEST(csv_keeps_what_is_in_names)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {0};
	struct pk_buf buf = PK_BUF_INIT;

	pk_grid_init(&g, two, 2);
	add_two(&g, "a\nb", "x\0,y\xFF", 5);
	drawn(&g, PK_CSV, &frame, &buf);
	ck_assert_uint_eq(buf.len, 26);
	ck_assert(!memcmp(buf.data, "file,name\n\"a\nb\",\"x\0,y\xEF\xBF\xBD\"\n", 26));
	pk_buf_release(&buf);
	pk_grid_release(&g);
}
END_TEST

static void members(struct pk_json_writer *w, void *data)
{
	pk_json_key(w, "total");
	pk_json_int(w, *(int *)data);
}

START_TEST(json)
{
	struct pk_grid g;
	int total = 7;
	struct pk_grid_frame frame = {.schema = "test", .members = members, .data = &total};

	expect(sample(&g), PK_JSON, &frame,
	       "{\n"
	       "  \"schema\": \"profkit.test\",\n"
	       "  \"version\": 1,\n"
	       "  \"total\": 7,\n"
	       "  \"rows\": [\n"
	       "    {\"function\": \"main\", \"calls\": 1, \"self\": 12345678, \"share\": "
	       "0.333333, "
	       "\"bound\": 1.5, \"peak\": 1536, \"exact\": true, \"hidden\": null},\n"
	       "    {\"function\": \"a,\\\"b\\\"|`c`<i>&\", \"calls\": 1234567, \"self\": 1000, "
	       "\"share\": 1, \"bound\": null, \"peak\": 0, \"exact\": true, \"hidden\": null},\n"
	       "    {\"function\": \"=1+1\", \"calls\": null, \"self\": 0, \"share\": 0, "
	       "\"bound\": 1, \"peak\": null, \"exact\": false, \"hidden\": null},\n"
	       "    {\"function\": \"\xE5\x87\xBD\xE6\x95\xB0\xC3\xA9\", \"calls\": 2, "
	       "\"self\": 999999, \"share\": 1e-05, \"bound\": 1.00001, \"peak\": 1048576, "
	       "\"exact\": true, \"hidden\": null}\n"
	       "  ]\n"
	       "}\n");
}
END_TEST

START_TEST(values_with_a_fraction)
{
	static const struct pk_grid_column column[] = {COLUMN("v", "v", VALUE, NULL),
						       COLUMN("r", "r", REAL, NULL)};
	struct pk_grid_frame frame = {.schema = "x"};
	struct pk_grid g;
	struct pk_cell *row;
	struct pk_buf buf = PK_BUF_INIT;

	pk_grid_init(&g, column, 2);
	g.exponent = 2;
	row = pk_grid_row(&g, 0);
	pk_cell_int(&row[0], 123456);
	pk_cell_real(&row[1], 0.1);
	row = pk_grid_row(&g, 0);
	pk_cell_int(&row[0], -1200);
	pk_cell_real(&row[1], 123456789.25);
	ck_assert_str_eq(drawn(&g, PK_CSV, &frame, &buf), "v,r\n1234.56,0.1\n-12,123456789.25\n");
	pk_buf_release(&buf);
	expect(&g, PK_TEXT, &frame,
	       "       v            r\n"
	       "1,234.56          0.1\n"
	       "  -12.00  1.23457e+08\n");
}
END_TEST

START_TEST(markdown)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.title = TEXT("a_b"), .footer = TEXT("1 < 2")};

	expect(sample(&g), PK_MARKDOWN, &frame,
	       "a\\_b\n"
	       "\n"
	       "| calls | self (ms) | share | bound | peak (MB) | function |\n"
	       "| ---: | ---: | ---: | ---: | ---: | --- |\n"
	       "| 1 | 12.35 | 33.3% | 1.50 | 0.001 | main |\n"
	       "| 1,234,567 | 0.00 | 100.0% | - | 0.000 | a,\"b\"\\|\\`c\\`\\<i\\>\\& |\n"
	       "| - | ~0.00 | 0.0% | 1.00 | - | =1+1 |\n"
	       "| 2 | 1.00 | 0.0% | 1.00 | 1.000 | \xE5\x87\xBD\xE6\x95\xB0\xC3\xA9 |\n"
	       "\n"
	       "1 \\< 2\n");
}
END_TEST

START_TEST(html)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {.schema = "x", .title = TEXT("<b>"), .footer = TEXT("1 & 2")};
	struct pk_buf buf = PK_BUF_INIT;
	const char *page = drawn(sample(&g), PK_HTML, &frame, &buf);

	ck_assert(
		strstr(page, "<h1>&lt;b&gt;</h1>\n<table>\n<thead><tr><th class=\"n\">calls</th>"));
	ck_assert(strstr(page, "<td class=\"n\">~0.00</td>"));
	ck_assert(
		strstr(page, "<td class=\"t\">a,&quot;b&quot;|`c`&lt;i&gt;&amp;</td></tr>\n<tr>"));
	ck_assert(strstr(page, "</tbody>\n</table>\n<p>1 &amp; 2</p>\n</body>\n</html>\n"));
	ck_assert(!strstr(page, "http"));
	pk_buf_release(&buf);
	pk_grid_release(&g);
}
END_TEST

START_TEST(deep_trees)
{
	struct pk_grid g;
	struct pk_grid_frame frame = {0};
	struct pk_buf buf = PK_BUF_INIT;
	int i;

	pk_grid_init(&g, two, 2);
	g.tree_column = 1;
	for (i = 0; i < 2000; i++)
		pk_cell_text(&pk_grid_row(&g, i)[1], "f");
	drawn(&g, PK_TEXT, &frame, &buf);
	ck_assert(strstr(buf.data, "\xE2\x94\x94\xE2\x94\x80 [depth 1999] f\n"));
	ck_assert_uint_lt(buf.len, 2000 * 150);
	pk_buf_release(&buf);
	pk_grid_release(&g);
}
END_TEST

START_TEST(units_of_most_values)
{
	static const struct pk_grid_column column[] = {
		COLUMN("a", "a", VALUE, NULL),
		COLUMN("b", "b", EACH, NULL),
	};
	static const int64_t values[] = {0, 5, 1234567890, 1100, 1200, 1300};
	struct pk_grid_frame frame = {0};
	struct pk_grid g;
	size_t i;

	pk_grid_init(&g, column, 2);
	g.unit = "ns";
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct pk_cell *row = pk_grid_row(&g, 0);

		pk_cell_int(&row[0], values[i]);
		pk_cell_int(&row[1], values[i]);
	}
	expect(&g, PK_TEXT, &frame,
	       "a (s)         b (us)\n"
	       "0.000          0.000\n"
	       "0.000          0.005\n"
	       "1.235  1,234,567.890\n"
	       "0.000          1.100\n"
	       "0.000          1.200\n"
	       "0.000          1.300\n");
}
END_TEST

/* The largest numbers have short forms, and are not the longest ones. */
START_TEST(numbers_with_short_forms)
{
	static const double values[] = {1, 123456.5, 5.2e30};
	static const struct pk_grid_column column[] = {
		COLUMN("a", "a", RATIO, NULL),
		COLUMN("b", "b", SHARE, NULL),
	};
	struct pk_grid_frame frame = {0};
	struct pk_grid g;

	pk_grid_init(&g, column, 2);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct pk_cell *row = pk_grid_row(&g, 0);

		pk_cell_real(&row[0], values[i]);
		pk_cell_real(&row[1], values[i] / 100);
	}
	expect(&g, PK_TEXT, &frame,
	       "        a          b\n"
	       "     1.00       1.0%\n"
	       "123456.50  123456.5%\n"
	       "  5.2e+30   >999999%\n");
}
END_TEST

START_TEST(units_that_do_not_fit)
{
	struct pk_grid g;
	struct pk_error err = PK_ERROR_INIT;

	sample(&g);
	ck_assert_int_eq(pk_grid_check_unit(&g, &err), 0);
	g.show_unit = "KB"; /* one column is in bytes */
	ck_assert_int_eq(pk_grid_check_unit(&g, &err), 0);
	g.show_unit = "miles";
	ck_assert_int_eq(pk_grid_check_unit(&g, &err), -1);
	ck_assert_str_eq(err.text,
			 "values in ns cannot be shown in 'miles'; there are: ns, us, ms, s");
	pk_grid_release(&g);
}
END_TEST

CHECK_MAIN("grid", text, text_of_a_tree, text_is_cut_to_the_terminal, text_is_broken_at_blanks,
	   tones_are_colors, columns_make_room_for_names, what_a_terminal_would_act_on_is_shown,
	   an_empty_grid, csv, csv_for_spreadsheets, csv_keeps_what_is_in_names, json,
	   values_with_a_fraction, markdown, html, deep_trees, units_of_most_values,
	   numbers_with_short_forms, units_that_do_not_fit)
