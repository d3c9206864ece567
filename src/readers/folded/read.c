/*
 * Reads the lines of folded stacks, for folded.c, which defines the format, and py_spy.c.
 *
 *	main;parse;read 12
 *	main;parse;read 12 15        two counts, if every line has two
 */
#include "readers/folded/folded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "base/num/units.h"
#include "readers/lines.h"

#define MOST_DECIMALS 9

static const char no_count[] = "line that does not end in a count left out";
static const char cut[] = "count beyond 64 bits cut";
static const char dropped[] = "digits of a count that 64 bits cannot hold dropped";
static const char third[] = "number before two counts kept as part of the name";
static const char second[] = "number before the count kept as part of the name";

const char *const pk_folded_units[] = {"count", "bytes", "ns", "us", "ms", "s", NULL};

/* A line held back; its text from the last frame on follows. */
struct held {
	uint64_t line;
	uint32_t parent, thread, len;
};

struct reading {
	struct pk_builder *b;
	struct pk_error *err;
	const struct pk_folded_params *params;
	struct pk_folded_dialect dialect;
	struct pk_tasks tasks;
	uint64_t line;
	bool any;     /* a stack was seen */
	bool inexact; /* a count was cut */
	int columns;  /* PK_FOLDED_AUTO while every line had two counts */
	int shift;    /* the unit of the file is 10^shift base pk_folded_units */
	uint32_t metric[2];
	int exponent[2];

	struct pk_stack_text stacks;
	struct pk_buf held;
};

static int repair(struct reading *f, const char *what)
{
	f->inexact |= what == cut || what == dropped;
	return pk_build_repair_line(f->b, f->err, what, f->line);
}

/* Takes a number and the blank before it from the end of a line. More blanks belong to the frame,
 * as flamegraph.pl has it, if they are not between numbers. */
static bool take_number(const char *p, size_t *len, struct pk_folded_number *n)
{
	size_t i = *len;

	while (i && pk_is_digit(p[i - 1]))
		i--;
	if (i > 1 && p[i - 1] == '.' && pk_is_digit(p[i - 2]))
		for (i--; i && pk_is_digit(p[i - 1]);)
			i--;
	if (i == *len || !i || !pk_is_blank(p[i - 1]))
		return false;
	n->text = p + i;
	n->len = *len - i;
	*len = --i;
	while (i && pk_is_blank(p[i - 1]))
		i--;
	if (i && pk_is_digit(p[i - 1]))
		*len = i;
	return true;
}

bool pk_folded_is_comment(const char *p, size_t len)
{
	return !len || (p[0] == '#' && (len == 1 || p[1] == ' '));
}

/* Makes the metric fine enough for n, as far as 64 bits go. */
static int refine(struct reading *f, int column, const struct pk_folded_number *n)
{
	const char *point = memchr(n->text, '.', n->len);
	size_t len = n->len;
	int finest, exponent;
	bool exact, overflow;
	int64_t value;

	while (point && n->text[len - 1] == '0')
		len--;
	finest = point ? (int)(n->text + len - 1 - point) - f->shift : 0;
	for (exponent = finest > MOST_DECIMALS ? MOST_DECIMALS : finest;
	     exponent > f->exponent[column]; exponent--)
		if (pk_parse_decimal(n->text, len, f->shift + exponent, &value, &exact,
				     &overflow) &&
		    pk_build_metric_refine(f->b, f->metric[column], exponent))
			f->exponent[column] = exponent;
	return finest > f->exponent[column] ? repair(f, dropped) : 0;
}

static int to_value(struct reading *f, int column, const struct pk_folded_number *n, int64_t *value)
{
	bool exact, overflow;

	if (refine(f, column, n) < 0)
		return -1;
	if (pk_parse_decimal(n->text, n->len, f->shift + f->exponent[column], value, &exact,
			     &overflow))
		return 0;
	*value = INT64_MAX;
	return repair(f, cut);
}

static int add_cost(struct reading *f, uint32_t thread, uint32_t node, int column,
		    const struct pk_folded_number *n)
{
	int64_t value = 0;
	size_t i;

	if (n->len <= 18 && !f->shift && !f->exponent[column] && !memchr(n->text, '.', n->len))
		for (i = 0; i < n->len; i++)
			value = value * 10 + (n->text[i] - '0');
	else if (to_value(f, column, n, &value) < 0)
		return -1;
	if (pk_build_cost(f->b, thread, node, f->metric[column], value, PK_NULL))
		return repair(f, cut);
	return 0;
}

static uint32_t make_metric(struct reading *f, const char *name)
{
	static const enum pk_metric_kind kinds[] = {PK_METRIC_COUNT, PK_METRIC_BYTES};
	enum pk_metric_kind kind = f->params->unit < 2 ? kinds[f->params->unit] : PK_METRIC_TIME;
	const char *unit = f->params->unit < 2 ? pk_folded_units[f->params->unit] : "ns";

	return pk_build_metric(f->b, name, unit, 0, kind, PK_SAMPLED);
}

static void set_columns(struct reading *f, int columns)
{
	static const int shifts[] = {0, 0, 0, 3, 6, 9};

	f->columns = columns;
	f->shift = shifts[f->params->unit];
	f->metric[0] = make_metric(f, columns == PK_FOLDED_TWO ? "before" : f->params->name);
	if (columns == PK_FOLDED_TWO)
		f->metric[1] = make_metric(f, "after");
}

void pk_folded_split(const char *p, size_t len, int most, struct pk_folded_line *l)
{
	struct pk_folded_number first;

	l->stack = len;
	l->counts = take_number(p, &l->stack, &l->count[0]);
	if (l->counts && most > 1 && take_number(p, &l->stack, &first)) {
		l->count[1] = l->count[0];
		l->count[0] = first;
		l->counts = 2;
	}
}

static int add_counts(struct reading *f, uint32_t thread, uint32_t node, const char *p,
		      const struct pk_folded_line *l)
{
	size_t stack = l->stack;
	struct pk_folded_number more;
	int i;

	if (stack && pk_is_digit(p[stack - 1]) && f->params->columns == PK_FOLDED_AUTO &&
	    take_number(p, &stack, &more) &&
	    repair(f, f->columns == PK_FOLDED_TWO ? third : second) < 0)
		return -1;
	for (i = 0; i < l->counts; i++)
		if (add_cost(f, thread, node, i, &l->count[i]) < 0)
			return -1;
	f->any = true;
	return 0;
}

/* The bytes before the first frame, and the thread that they name. */
static size_t take_thread(struct reading *f, const char *p, size_t len, uint32_t *thread)
{
	*thread = 0;
	return f->dialect.take_thread(&f->tasks, p, len, thread);
}

static uint32_t stack_node(struct reading *f, const char *p, size_t len)
{
	const char *none = f->dialect.no_frames;

	if (len || !none)
		return pk_stack_text_node(&f->stacks, p, len);
	return pk_build_node(f->b, 0, pk_build_label(f->b, none, strlen(none)));
}

/* Empty frames at the end are none, as in flamegraph.pl: heaptrack ends each frame with ';'. */
static void drop_empty(const char *p, struct pk_folded_line *l)
{
	while (l->stack && p[l->stack - 1] == ';')
		l->stack--;
}

static int hold_line(struct reading *f, const char *p, size_t len, size_t stack)
{
	struct held held = {.line = f->line};
	size_t from = take_thread(f, p, stack, &held.thread);
	const char *last = memrchr(p + from, ';', stack - from);

	if (last) {
		held.parent = pk_stack_text_node(&f->stacks, p + from, (size_t)(last - p) - from);
		from = (size_t)(last - p) + 1;
	}
	held.len = (uint32_t)(len - from);
	pk_buf_add(&f->held, &held, sizeof(held));
	pk_buf_add(&f->held, p + from, held.len);
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
		const char *p = f->held.data + at + sizeof(struct held);
		struct held held;
		struct pk_folded_line l;
		uint32_t node;

		memcpy(&held, f->held.data + at, sizeof(held));
		at += sizeof(held) + held.len;
		pk_folded_split(p, held.len, columns, &l);
		drop_empty(p, &l);
		f->line = held.line;
		node = pk_stack_text_child(&f->stacks, held.parent, p, l.stack);
		ret = add_counts(f, held.thread, node, p, &l);
	}
	pk_buf_release(&f->held);
	f->line = line;
	return ret;
}

static int add_line(void *data, const char *p, size_t len)
{
	struct reading *f = data;
	struct pk_folded_line l;
	uint32_t thread;
	size_t from;

	len = pk_text_trim(p, len);
	if (pk_folded_is_comment(p, len))
		return 0;
	pk_folded_split(p, len, f->columns == PK_FOLDED_ONE ? 1 : 2, &l);
	drop_empty(p, &l);
	if (f->columns == PK_FOLDED_AUTO && l.counts == 2)
		return hold_line(f, p, len, l.stack);
	if (l.counts < (f->columns == PK_FOLDED_TWO ? 2 : 1))
		return repair(f, no_count);
	if (f->columns == PK_FOLDED_AUTO && decide(f, PK_FOLDED_ONE) < 0)
		return -1;
	from = take_thread(f, p, l.stack, &thread);
	return add_counts(f, thread, stack_node(f, p + from, l.stack - from), p, &l);
}

static void leave(void *data)
{
	struct reading *f = data;

	pk_stack_text_keep(&f->stacks);
}

void *pk_folded_begin(const struct pk_folded_params *params, struct pk_folded_dialect dialect,
		      struct pk_builder *b, bool piece)
{
	struct reading *f = pk_calloc(1, sizeof(*f));

	f->b = f->tasks.b = b;
	f->params = params;
	f->dialect = dialect;
	pk_stack_text_init(&f->stacks, b, dialect.read_name);
	if (params->columns != PK_FOLDED_AUTO || piece)
		set_columns(f, params->columns ? params->columns : PK_FOLDED_ONE);
	return f;
}

int pk_folded_lines(void *reading, struct pk_input *in, struct pk_error *err)
{
	static const struct pk_line_reader lines = {add_line, leave};
	struct reading *f = reading;

	f->err = err;
	return pk_read_lines(in, &lines, f, &f->line, err);
}

/* Makes both as fine as the finer one. */
static bool join_exponents(struct reading *f, struct reading *piece, int column)
{
	int ours = f->exponent[column], theirs = piece->exponent[column];

	if (ours < theirs && !pk_build_metric_refine(f->b, f->metric[column], theirs))
		return false;
	if (theirs < ours && !pk_build_metric_refine(piece->b, piece->metric[column], ours))
		return false;
	f->exponent[column] = ours < theirs ? theirs : ours;
	return true;
}

bool pk_folded_join(void *reading, void *next)
{
	struct reading *f = reading, *piece = next;
	struct pk_join join;
	bool joined = true;

	/* Undecided columns, and counts that were cut, depend on all that comes before. */
	if (f->columns != piece->columns || f->inexact || piece->inexact)
		return false;
	pk_join_names(&join, f->b, piece->b, f->line);
	pk_tasks_join(&f->tasks, &piece->tasks, &join);
	for (int column = 0; column < f->columns && joined; column++) {
		joined = join_exponents(f, piece, column);
		join.metric[piece->metric[column]] = f->metric[column];
	}
	f->any |= piece->any;
	f->line += piece->line;
	joined = joined && pk_join_facts(&join);
	pk_join_release(&join);
	return joined;
}

int pk_folded_finish(void *reading, struct pk_error *err)
{
	struct reading *f = reading;

	f->err = err;
	if (f->columns == PK_FOLDED_AUTO && f->held.len && decide(f, PK_FOLDED_TWO) < 0)
		return -1;
	if (f->any)
		return 0;
	if (!f->line)
		return pk_fail(err, PK_EFORMAT, "empty file");
	return pk_fail(err, PK_EFORMAT, "none of the %" PRIu64 " lines is a stack and a count",
		       f->line);
}

void pk_folded_release(void *reading)
{
	struct reading *f = reading;

	pk_buf_release(&f->held);
	pk_stack_text_release(&f->stacks);
	pk_tasks_release(&f->tasks);
	free(f);
}
