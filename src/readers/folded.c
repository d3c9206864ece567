/*
 * Folded ("collapsed") stacks: one call path a line, and how often it was seen.
 *
 *	main;parse;read 12
 *	main;write_[k] 7
 *
 * The format of stackcollapse-*.pl and flamegraph.pl (github.com/brendangregg/FlameGraph), also
 * written by inferno, py-spy, async-profiler, bcc and others. It was never defined; what follows
 * is what the tools that read it agree on, and the choice made here where they do not.
 *
 *	line  := stack BLANK+ count [BLANK+ count]
 *	stack := frame { ';' frame }           root first
 *	count := digits [ '.' { digit } ]
 *
 * - BLANK is a space or a tab. Lines end in LF or CR LF; blanks at the end are no part of the line.
 *   Blanks before the count are no part of the frame, unless it has nothing else ("a;  1").
 * - Empty lines, "#" alone and lines that begin with "# " are skipped. Other lines that do not end
 *   in a count are left out and counted as a repair.
 * - A frame is any text without ';', kept whole as the name of a function; it may be empty ("a;;b
 *1" has three frames, " 1" has one). A name that ends in "_[k]" is a frame of the kernel; the other
 *   annotations ("_[j]" compiled, "_[i]" inlined, "_[w]" waker) say nothing of the kind of code.
 * - Counts are exact: fractions give the metric an exponent, up to 9 digits. What is finer is
 *   dropped, what is larger than 64 bits is cut; both are repairs.
 * - Two counts a line (difffolded.pl) are the metrics "before" and "after". Whether a file is like
 *   that cannot be seen from one line, as a name may end in a number, too ("worker 12 400"): it
 *   is, if every line has two. The last frames of the lines are held back until that is known.
 */
#include "readers/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "base/units.h"
#include "readers/stack_text.h"

#define WINDOW ((size_t)256 << 10)
#define LONGEST_LINE ((size_t)64 << 20)
#define MOST_DECIMALS 9
#define LEAST_FRAMES 100 /* in the first 64 KB of a line that is longer */

static const char no_count[] = "line that does not end in a count left out";
static const char cut[] = "count beyond 64 bits cut";
static const char dropped[] = "digits of a count that 64 bits cannot hold dropped";
static const char third[] = "number before two counts kept as part of the name";
static const char second[] = "number before the count kept as part of the name";

enum columns { COLUMNS_AUTO, COLUMNS_ONE, COLUMNS_TWO };

struct params {
	const char *name;
	int unit;
	int columns;
};

static const char *const units[] = {"count", "bytes", "ns", "us", "ms", "s", NULL};
static const char *const columns_names[] = {"auto", "1", "2", NULL};

static const struct pk_opt options[] = {
	{.type = PK_OPT_TEXT,
	 .name = "name",
	 .offset = offsetof(struct params, name),
	 .arg = "NAME",
	 .fallback = "samples",
	 .help = "what the counts are called"},
	{.type = PK_OPT_CHOICE,
	 .name = "unit",
	 .offset = offsetof(struct params, unit),
	 .arg = "UNIT",
	 .choices = units,
	 .fallback = "count",
	 .help = "what the counts are in"},
	{.type = PK_OPT_CHOICE,
	 .name = "columns",
	 .offset = offsetof(struct params, columns),
	 .arg = "N",
	 .choices = columns_names,
	 .fallback = "auto",
	 .help = "counts at the end of a line; auto is 2, before and after, if every line has two"},
	PK_OPT_LAST};

/* A line held back; its text from the last frame on follows. */
struct held {
	uint64_t line;
	uint32_t parent, len;
};

struct number {
	const uint8_t *text;
	size_t len;
};

struct reading {
	struct pk_builder *b;
	struct pk_error *err;
	const struct params *params;
	uint64_t line;
	bool any;    /* a stack was seen */
	int columns; /* COLUMNS_AUTO while every line had two counts */
	int shift;   /* the unit of the file is 10^shift base units */
	uint32_t metric[2];
	int exponent[2];

	struct pk_stack_text stacks;
	struct pk_buf held;
};

static int repair(struct reading *f, const char *what)
{
	return pk_build_repair(f->b, f->err, what, "line %" PRIu64, f->line);
}

static bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* Takes a number and the blanks before it from the end of a line. A frame of nothing but blanks
 * is left as it is: there are such functions. */
static bool take_number(const uint8_t *p, size_t *len, struct number *n)
{
	size_t i = *len;

	while (i && is_digit(p[i - 1]))
		i--;
	if (i > 1 && p[i - 1] == '.' && is_digit(p[i - 2]))
		for (i--; i && is_digit(p[i - 1]);)
			i--;
	if (i == *len || !i || !is_blank(p[i - 1]))
		return false;
	n->text = p + i;
	n->len = *len - i;
	*len = --i;
	while (i && is_blank(p[i - 1]))
		i--;
	if (i && p[i - 1] != ';')
		*len = i;
	return true;
}

/* Also an empty line. */
static bool is_comment(const uint8_t *p, size_t len)
{
	return !len || (p[0] == '#' && (len == 1 || p[1] == ' '));
}

static size_t trim(const uint8_t *p, size_t len)
{
	while (len && (is_blank(p[len - 1]) || p[len - 1] == '\r'))
		len--;
	return len;
}

/* Makes the metric fine enough for n, as far as 64 bits go. */
static int refine(struct reading *f, int column, const struct number *n)
{
	const uint8_t *point = memchr(n->text, '.', n->len);
	size_t len = n->len;
	int finest, exponent;
	bool exact, overflow;
	int64_t value;

	while (point && n->text[len - 1] == '0')
		len--;
	finest = point ? (int)(n->text + len - 1 - point) - f->shift : 0;
	for (exponent = finest > MOST_DECIMALS ? MOST_DECIMALS : finest;
	     exponent > f->exponent[column]; exponent--)
		if (pk_parse_decimal((const char *)n->text, len, f->shift + exponent, &value,
				     &exact, &overflow) &&
		    pk_build_metric_refine(f->b, f->metric[column], exponent))
			f->exponent[column] = exponent;
	return finest > f->exponent[column] ? repair(f, dropped) : 0;
}

static int to_value(struct reading *f, int column, const struct number *n, int64_t *value)
{
	bool exact, overflow;

	if (refine(f, column, n) < 0)
		return -1;
	if (pk_parse_decimal((const char *)n->text, n->len, f->shift + f->exponent[column], value,
			     &exact, &overflow))
		return 0;
	*value = INT64_MAX;
	return repair(f, cut);
}

static int add_cost(struct reading *f, uint32_t node, int column, const struct number *n)
{
	int64_t value = 0;
	size_t i;

	if (n->len <= 18 && !f->shift && !f->exponent[column] && !memchr(n->text, '.', n->len))
		for (i = 0; i < n->len; i++)
			value = value * 10 + (n->text[i] - '0');
	else if (to_value(f, column, n, &value) < 0)
		return -1;
	if (pk_build_cost(f->b, 0, node, f->metric[column], value, PK_NULL))
		return repair(f, cut);
	return 0;
}

static uint32_t make_metric(struct reading *f, const char *name)
{
	static const enum pk_metric_kind kinds[] = {PK_METRIC_COUNT, PK_METRIC_BYTES};
	enum pk_metric_kind kind = f->params->unit < 2 ? kinds[f->params->unit] : PK_METRIC_TIME;
	const char *unit = f->params->unit < 2 ? units[f->params->unit] : "ns";

	return pk_build_metric(f->b, name, unit, 0, kind, PK_SAMPLED);
}

static void set_columns(struct reading *f, int columns)
{
	static const int shifts[] = {0, 0, 0, 3, 6, 9};

	f->columns = columns;
	f->shift = shifts[f->params->unit];
	f->metric[0] = make_metric(f, columns == COLUMNS_TWO ? "before" : f->params->name);
	if (columns == COLUMNS_TWO)
		f->metric[1] = make_metric(f, "after");
}

struct line {
	size_t stack; /* its length; the text begins where the line does */
	int counts;
	struct number count[2];
};

/* Takes up to `most` counts from the end of a line. */
static void split(const uint8_t *p, size_t len, int most, struct line *l)
{
	struct number first;

	l->stack = len;
	l->counts = take_number(p, &l->stack, &l->count[0]);
	if (l->counts && most > 1 && take_number(p, &l->stack, &first)) {
		l->count[1] = l->count[0];
		l->count[0] = first;
		l->counts = 2;
	}
}

static int add_counts(struct reading *f, uint32_t node, const uint8_t *p, const struct line *l)
{
	size_t stack = l->stack;
	struct number more;
	int i;

	if (stack && is_digit(p[stack - 1]) && f->params->columns == COLUMNS_AUTO &&
	    take_number(p, &stack, &more) &&
	    repair(f, f->columns == COLUMNS_TWO ? third : second) < 0)
		return -1;
	for (i = 0; i < l->counts; i++)
		if (add_cost(f, node, i, &l->count[i]) < 0)
			return -1;
	f->any = true;
	return 0;
}

static int hold_line(struct reading *f, const uint8_t *p, size_t len, size_t stack)
{
	const uint8_t *last = memrchr(p, ';', stack);
	struct held held = {.line = f->line};
	size_t parent = last ? (size_t)(last - p) : 0;
	size_t name = last ? parent + 1 : 0;

	if (last)
		held.parent = pk_stack_text_node(&f->stacks, p, parent);
	held.len = (uint32_t)(len - name);
	pk_buf_add(&f->held, &held, sizeof(held));
	pk_buf_add(&f->held, p + name, held.len);
	return 0;
}

/* From here on it is known how many counts a line has. */
static int decide(struct reading *f, int columns)
{
	uint64_t line = f->line;
	size_t at = 0;
	int ret = 0;

	set_columns(f, columns);
	while (at < f->held.len && !ret) {
		const uint8_t *p = (const uint8_t *)f->held.data + at + sizeof(struct held);
		struct held held;
		struct line l;

		memcpy(&held, f->held.data + at, sizeof(held));
		at += sizeof(held) + held.len;
		split(p, held.len, columns, &l);
		f->line = held.line;
		ret = add_counts(
			f,
			pk_build_node(f->b, held.parent,
				      pk_stack_text_frame(&f->stacks, (const char *)p, l.stack), 0),
			p, &l);
	}
	pk_buf_release(&f->held);
	f->line = line;
	return ret;
}

static int add_line(struct reading *f, const uint8_t *p, size_t len)
{
	struct line l;

	f->line++;
	len = trim(p, len);
	if (is_comment(p, len))
		return 0;
	split(p, len, f->columns == COLUMNS_ONE ? 1 : 2, &l);
	if (f->columns == COLUMNS_AUTO && l.counts == 2)
		return hold_line(f, p, len, l.stack);
	if (l.counts < (f->columns == COLUMNS_TWO ? 2 : 1))
		return repair(f, no_count);
	if (f->columns == COLUMNS_AUTO && decide(f, COLUMNS_ONE) < 0)
		return -1;
	return add_counts(f, pk_stack_text_node(&f->stacks, p, l.stack), p, &l);
}

/* Reads the lines of a window; *used is what they take of it. */
static int add_lines(struct reading *f, const uint8_t *p, size_t len, bool last, size_t *used)
{
	size_t at = 0;

	while (at < len) {
		const uint8_t *end = memchr(p + at, '\n', len - at);

		if (!end && !last)
			break;
		if (add_line(f, p + at, end ? (size_t)(end - p) - at : len - at) < 0)
			return -1;
		at = end ? (size_t)(end - p) + 1 : len;
	}
	*used = at;
	pk_stack_text_keep(&f->stacks);
	return 0;
}

static int read_lines(struct reading *f, struct pk_input *in)
{
	size_t need = WINDOW, avail, used;

	for (;;) {
		const uint8_t *p = pk_input_peek(in, need, &avail);

		if (!avail)
			return 0;
		if (add_lines(f, p, avail, avail < need, &used) < 0)
			return -1;
		if (!used && need >= LONGEST_LINE)
			return pk_fail(f->err, PK_ELIMIT, "line %" PRIu64 ": longer than %zu MB",
				       f->line + 1, LONGEST_LINE >> 20);
		need = used ? WINDOW : need * 2;
		pk_input_take(in, used);
	}
}

static int finish(struct reading *f)
{
	if (f->columns == COLUMNS_AUTO && f->held.len && decide(f, COLUMNS_TWO) < 0)
		return -1;
	if (f->any)
		return 0;
	if (!f->line)
		return pk_fail(f->err, PK_EFORMAT, "empty file");
	return pk_fail(f->err, PK_EFORMAT, "none of the %" PRIu64 " lines is a stack and a count",
		       f->line);
}

static int read_folded(struct pk_input *in, const void *params, struct pk_builder *b,
		       struct pk_error *err)
{
	struct reading *f = pk_calloc(1, sizeof(*f));
	int ret;

	f->b = b;
	f->err = err;
	f->params = params;
	pk_stack_text_init(&f->stacks, b);
	if (f->params->columns != COLUMNS_AUTO)
		set_columns(f, f->params->columns);
	ret = read_lines(f, in);
	if (!ret)
		ret = pk_input_check(in, err);
	if (!ret)
		ret = finish(f);
	pk_buf_release(&f->held);
	pk_stack_text_release(&f->stacks);
	free(f);
	return ret;
}

struct tally {
	size_t lines;  /* that are neither empty nor comments */
	size_t stacks; /* of these: that end in a count */
	size_t whole;  /* of these: the count is a whole number */
	size_t deep;   /* of stacks: more than one frame */
};

/* A ';' between two frames: in prose and in source a blank follows it. */
static bool is_deep(const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len;

	while ((p = memchr(p, ';', (size_t)(end - p))))
		if (++p == end || !is_blank(*p))
			return true;
	return false;
}

/* A name, as far as one frame alone can look like one: not "12 3", "x = 3", "#define X 3". */
static bool is_text(const uint8_t *p, size_t len)
{
	size_t i;

	if (!len || p[0] == '#' || p[len - 1] == '=')
		return false;
	for (i = 0; i < len; i++)
		if (p[i] > '9' && p[i] != ':')
			return true;
	return false;
}

static void tally_line(struct tally *t, const uint8_t *p, size_t len)
{
	struct line l;
	bool deep;

	len = trim(p, len);
	if (is_comment(p, len)) {
		/* Prometheus: "# TYPE requests counter" before "requests 12". */
		t->lines += len > 7 && (!memcmp(p, "# TYPE ", 7) || !memcmp(p, "# HELP ", 7));
		return;
	}
	split(p, len, 2, &l);
	t->lines++;
	deep = l.counts && is_deep(p, l.stack);
	if (!deep && !(l.counts && is_text(p, l.stack)))
		return;
	t->stacks++;
	t->deep += deep;
	t->whole += !memchr(l.count[0].text, '.', l.count[0].len);
}

/* The begin of a first line that is longer than what a probe sees: frames, and no JSON or XML. */
static bool begins_deep(const uint8_t *p, size_t len)
{
	size_t i, frames = 0;

	for (i = 0; i + 1 < len; i++)
		frames += p[i] == ';' && !is_blank(p[i + 1]);
	return len && !strchr("{[<\"", p[0]) && frames >= LEAST_FRAMES;
}

static enum pk_score probe_folded(const struct pk_probe *probe)
{
	const uint8_t *p = probe->data, *end = p + probe->len, *line_end;
	struct tally t = {0, 0, 0, 0};

	if (!probe->len || memchr(p, 0, probe->len))
		return PK_NO;
	for (; (line_end = memchr(p, '\n', (size_t)(end - p))); p = line_end + 1)
		tally_line(&t, p, (size_t)(line_end - p));
	if (probe->whole)
		tally_line(&t, p, (size_t)(end - p));
	else if (!t.lines && begins_deep(p, (size_t)(end - p)))
		return PK_MAYBE;
	if (t.deep && t.deep * 4 >= t.stacks && t.stacks * 10 >= t.lines * 6)
		return t.stacks * 10 >= t.lines * 9 ? PK_LIKELY : PK_MAYBE;
	return t.stacks && t.whole == t.lines ? PK_MAYBE : PK_NO;
}

static const char *const suffixes[] = {".folded", ".collapsed", ".collapse", ".txt", NULL};

const struct pk_reader pk_reader_folded = {
	.name = "folded",
	.title = "folded stacks: flamegraph.pl, inferno, py-spy --format raw, async-profiler",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_PATHS | PK_PART_METRICS,
	.probe = probe_folded,
	.read = read_folded,
};
