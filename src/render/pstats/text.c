#include "render/pstats/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/label.h"
#include "render/pstats/list.h"

#define FLUSH_SIZE ((size_t)64 << 10)

struct printer {
	const struct pk_pstats_params *params;
	struct pk_stats stats;
	struct pk_output *out;
	struct pk_buf buf;  /* printed so far, not yet given to out */
	struct pk_buf name; /* standard name of a function */
	struct pk_buf field;
	uint32_t *list; /* functions that are shown */
	size_t count;
	size_t width;
};

static void flush_lines(struct printer *p, size_t at_least)
{
	if (p->buf.len < at_least)
		return;
	pk_output_write(p->out, p->buf.data, p->buf.len);
	p->buf.len = 0;
}

static void add_spaces(struct printer *p, size_t count)
{
	static const char spaces[] = "                                ";

	for (; count > sizeof(spaces) - 1; count -= sizeof(spaces) - 1)
		pk_buf_add(&p->buf, spaces, sizeof(spaces) - 1);
	pk_buf_add(&p->buf, spaces, count);
}

static void add_right(struct printer *p, const char *text, size_t len, size_t width)
{
	if (len < width)
		add_spaces(p, width - len);
	pk_buf_add(&p->buf, text, len);
}

/* "%8.3f": by hand where the rounding is beyond doubt, as it nearly always is. */
static void add_time(struct printer *p, double x)
{
	double thousandths = fabs(x) * 1000, whole = floor(thousandths), rest = thousandths - whole;
	char text[400], *s = text + 40;
	uint64_t n;
	int i;

	if (isnan(x)) {
		pk_buf_adds(&p->buf, "     nan");
		return;
	}
	if (!(fabs(x) < 1e8) || fabs(rest - 0.5) < 1e-4) {
		i = snprintf(text, sizeof(text), "%8.3f", x);
		pk_buf_add(&p->buf, text, (size_t)i);
		return;
	}
	n = (uint64_t)whole + (rest > 0.5);
	for (i = 0; i < 4 || n; i++) {
		if (i == 3)
			*--s = '.';
		*--s = (char)('0' + n % 10);
		n /= 10;
	}
	if (signbit(x))
		*--s = '-';
	add_right(p, s, (size_t)(text + 40 - s), 8);
}

/* "nc", or "nc/cc" where they differ, right-aligned. */
static void add_calls(struct printer *p, int64_t nc, int64_t cc, size_t width)
{
	p->field.len = 0;
	pk_format_decimal(&p->field, nc, 0);
	if (nc != cc) {
		pk_buf_addc(&p->field, '/');
		pk_format_decimal(&p->field, cc, 0);
	}
	add_right(p, p->field.data, p->field.len, width);
}

static const struct pk_buf *standard_name(struct printer *p, uint32_t function)
{
	p->name.len = 0;
	pk_function_label(&p->name, p->stats.p, function, PK_LABEL_PSTATS);
	return &p->name;
}

/* Lone surrogates go out as python's "surrogateescape" writes them: U+DC80 to U+DCFF are
 * bytes; the others, at which python stops, as escapes. */
static void add_escaped(struct printer *p, const char *text, size_t len)
{
	const uint8_t *s = (const uint8_t *)text;
	size_t i = 0;

	while (i < len) {
		if (s[i] == 0xED && len - i >= 3 && (s[i + 1] & 0xE0) == 0xA0) {
			unsigned cp = 0xD000U | (s[i + 1] & 0x3FU) << 6 | (s[i + 2] & 0x3FU);

			if (cp >= 0xDC80 && cp <= 0xDCFF)
				pk_buf_addc(&p->buf, (char)(cp & 0xFF));
			else
				pk_buf_addf(&p->buf, "\\u%04x", cp);
			i += 3;
		} else {
			pk_buf_addc(&p->buf, text[i++]);
		}
	}
}

static void add_text(struct printer *p, const char *text, size_t len)
{
	if (len && memchr(text, 0xED, len))
		add_escaped(p, text, len);
	else
		pk_buf_add(&p->buf, text, len);
}

static void add_name(struct printer *p, uint32_t function)
{
	const struct pk_buf *name = standard_name(p, function);

	add_text(p, name->data, name->len);
}

static void print_file(struct printer *p, const char *path)
{
	char date[64];
	struct stat st;
	struct tm tm;

	if (!stat(path, &st) && localtime_r(&st.st_mtime, &tm) && asctime_r(&tm, date)) {
		pk_buf_add(&p->buf, date, strcspn(date, "\n"));
		pk_buf_adds(&p->buf, "    ");
	}
	pk_buf_adds(&p->buf, path);
	pk_buf_addc(&p->buf, '\n');
}

/* In the order in which they were loaded: the first, then from the last to the second. */
static void print_files(struct printer *p, size_t count)
{
	size_t before = p->buf.len, i;

	for (i = 0; p->params->path && i < count; i++) {
		const char *path = p->params->path[i ? count - i : 0];

		if (path)
			print_file(p, path);
	}
	if (p->buf.len > before)
		pk_buf_addc(&p->buf, '\n');
}

/* Functions that the jprofile module marked as top level, by a caller of this name. */
static void print_top_level(struct printer *p, const struct pk_profile *file)
{
	const struct pk_edge_table *t = &file->edge;

	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t caller = t->caller[i], name = file->function.name[t->callee[i]];

		if (strcmp(pk_text(file, file->function.name[caller]), "profiler") ||
		    strcmp(pk_text(file, file->function.file[caller]), "jprofile"))
			continue;
		add_spaces(p, 9);
		add_text(p, pk_text(file, name), file->string.len[name]);
		pk_buf_addc(&p->buf, '\n');
	}
}

static void print_totals(struct printer *p)
{
	struct pk_stats_numbers sum = {0};

	for (size_t i = 0; i < p->stats.functions.count; i++) {
		struct pk_stats_numbers n = pk_stats_of_function(&p->stats, i);

		pk_add_saturated(&sum.nc, n.nc);
		pk_add_saturated(&sum.cc, n.cc);
		sum.tt += n.tt;
	}
	add_spaces(p, 9);
	pk_format_decimal(&p->buf, sum.nc, 0);
	pk_buf_adds(&p->buf, " function calls ");
	if (sum.nc != sum.cc) {
		pk_buf_addc(&p->buf, '(');
		pk_format_decimal(&p->buf, sum.cc, 0);
		pk_buf_adds(&p->buf, " primitive calls) ");
	}
	if (isnan(sum.tt))
		pk_buf_adds(&p->buf, "in nan seconds\n\n");
	else
		pk_buf_addf(&p->buf, "in %.3f seconds\n\n", sum.tt);
}

/* Nothing is said of a list that became empty. */
static void select_functions(struct printer *p)
{
	struct pk_buf message = PK_BUF_INIT;

	p->list = pk_pstats_list(&p->stats, p->params, &p->count, &message);
	if (p->count) {
		pk_buf_add(&p->buf, message.data, message.len);
		pk_buf_addc(&p->buf, '\n');
	}
	pk_buf_release(&message);
}

/* The characters of a text as python counts them: a lone surrogate is one, a stray byte is one. */
static size_t characters(const char *text, size_t len)
{
	const uint8_t *s = (const uint8_t *)text;
	size_t i = 0, count = 0;

	while (i < len) {
		uint32_t cp;
		bool valid = true;
		size_t n = s[i] < 0x80 ? 1 : pk_utf8_decode(text + i, len - i, &cp, &valid);

		if (!valid && s[i] == 0xED && len - i >= 3 && (s[i + 1] & 0xE0) == 0xA0)
			n = 3;
		i += n;
		count++;
	}
	return count;
}

static uint32_t function_at(const struct printer *p, size_t place)
{
	return p->stats.functions.row[p->list[place]].function;
}

/* The longest standard name of those shown, and two more. */
static void measure_names(struct printer *p)
{
	p->width = 0;
	for (size_t i = 0; i < p->count; i++) {
		const struct pk_buf *name = standard_name(p, function_at(p, i));
		size_t width = characters(name->data, name->len);

		p->width = width > p->width ? width : p->width;
	}
	p->width += 2;
}

static void add_per_call(struct printer *p, double time, int64_t calls)
{
	if (calls)
		add_time(p, time / (double)calls);
	else
		add_spaces(p, 8);
}

static void print_stats(struct printer *p)
{
	pk_buf_adds(&p->buf, "   ncalls  tottime  percall  cumtime  percall "
			     "filename:lineno(function)\n");
	for (size_t i = 0; i < p->count; i++) {
		struct pk_stats_numbers f = pk_stats_of_function(&p->stats, p->list[i]);

		add_calls(p, f.nc, f.cc, 9);
		pk_buf_addc(&p->buf, ' ');
		add_time(p, f.tt);
		pk_buf_addc(&p->buf, ' ');
		add_per_call(p, f.tt, f.nc);
		pk_buf_addc(&p->buf, ' ');
		add_time(p, f.ct);
		pk_buf_addc(&p->buf, ' ');
		add_per_call(p, f.ct, f.cc);
		pk_buf_addc(&p->buf, ' ');
		add_name(p, function_at(p, i));
		pk_buf_addc(&p->buf, '\n');
		flush_lines(p, FLUSH_SIZE);
	}
}

/* Callers or callees, grouped: those of a function are row[from[function]] .. from[function + 1].
 */
struct relatives {
	struct relative {
		uint32_t function, arc;
	} * row;
	uint32_t *from;
};

static void group_relatives(struct relatives *r, const struct pk_stats *s, bool callees)
{
	uint32_t functions = s->p->function.count;

	r->row = pk_malloc(pk_mul(s->arcs.count, sizeof(*r->row)));
	r->from = pk_calloc((size_t)functions + 2, sizeof(*r->from));
	for (uint32_t i = 0; i < s->arcs.count; i++)
		r->from[2 + (callees ? s->arcs.row[i].caller : s->arcs.row[i].callee)]++;
	for (uint32_t i = 2; i < functions + 2; i++)
		r->from[i] += r->from[i - 1];
	for (uint32_t i = 0; i < s->arcs.count; i++) {
		const struct pk_arc *arc = &s->arcs.row[i];
		uint32_t *at = &r->from[1 + (callees ? arc->caller : arc->callee)];

		r->row[(*at)++] = (struct relative){callees ? arc->callee : arc->caller, i};
	}
}

static int compare_relatives(const void *x, const void *y, void *data)
{
	const struct relative *a = x, *b = y;

	return pk_compare_functions(data, a->function, b->function);
}

/* What the profile module wrote has no times: python prints the total of the relative. */
static void print_count_only(struct printer *p, const struct relative *r, int64_t count)
{
	uint32_t row = p->stats.functions.of_function[r->function];

	add_name(p, r->function);
	pk_buf_addc(&p->buf, '(');
	pk_format_decimal(&p->buf, count, 0);
	pk_buf_adds(&p->buf, ") ");
	if (row)
		add_time(p, pk_stats_of_function(&p->stats, row - 1).ct);
	else
		add_spaces(p, 8);
	pk_buf_addc(&p->buf, '\n');
}

static void print_relative(struct printer *p, const struct relative *r, bool first)
{
	struct pk_stats_numbers n = pk_stats_of_caller(&p->stats, r->arc);

	if (n.only_count) {
		if (!first)
			add_spaces(p, p->width + 3);
		print_count_only(p, r, n.nc);
		return;
	}
	if (!first)
		add_spaces(p, p->width + 1);
	add_calls(p, n.nc, n.cc, first ? 7 : 9);
	pk_buf_addc(&p->buf, ' ');
	add_time(p, n.tt);
	pk_buf_addc(&p->buf, ' ');
	add_time(p, n.ct);
	pk_buf_adds(&p->buf, "  ");
	add_name(p, r->function);
	pk_buf_addc(&p->buf, '\n');
}

static void print_relatives(struct printer *p, const struct relatives *r, uint32_t function,
			    const char *arrow)
{
	uint32_t from = r->from[function], count = r->from[function + 1] - from;
	const struct pk_buf *name = standard_name(p, function);
	size_t width = characters(name->data, name->len);

	add_text(p, name->data, name->len);
	if (width < p->width)
		add_spaces(p, p->width - width);
	pk_buf_adds(&p->buf, arrow);
	pk_buf_addc(&p->buf, ' ');
	if (!count) {
		pk_buf_addc(&p->buf, '\n');
		return;
	}
	qsort_r(r->row + from, count, sizeof(*r->row), compare_relatives,
		(void *)(uintptr_t)p->stats.p);
	for (uint32_t i = 0; i < count; i++) {
		print_relative(p, &r->row[from + i], !i);
		flush_lines(p, FLUSH_SIZE);
	}
}

/* The second line of the heading stands there if the first caller of all has times. */
static bool callers_have_times(const struct pk_stats *s)
{
	for (size_t i = 0; i < s->functions.count; i++) {
		uint32_t function = s->functions.row[i].function;

		if (s->first[function] < s->first[function + 1])
			return !pk_stats_of_caller(s, s->caller[s->first[function]]).only_count;
	}
	return false;
}

static void print_call_lines(struct printer *p)
{
	bool callees = p->params->what == PK_PSTATS_CALLEES;
	struct relatives r;

	measure_names(p);
	pk_buf_adds(&p->buf, "Function ");
	if (p->width > 9)
		add_spaces(p, p->width - 9);
	pk_buf_adds(&p->buf, callees ? "called...\n" : "was called by...\n");
	if (callers_have_times(&p->stats)) {
		add_spaces(p, p->width);
		pk_buf_adds(&p->buf, "    ncalls  tottime  cumtime\n");
	}
	group_relatives(&r, &p->stats, callees);
	for (size_t i = 0; i < p->count; i++)
		print_relatives(p, &r, function_at(p, i), callees ? "->" : "<-");
	free(r.row);
	free(r.from);
}

static void print_all(struct printer *p, const struct pk_profiles *list)
{
	bool stats = p->params->what == PK_PSTATS_STATS;

	if (stats) {
		print_files(p, list->count);
		for (size_t i = 0; i < list->count; i++)
			print_top_level(p, list->item[i]);
		print_totals(p);
	}
	select_functions(p);
	if (p->count && stats)
		print_stats(p);
	else if (p->count)
		print_call_lines(p);
	if (p->count)
		pk_buf_adds(&p->buf, "\n\n");
	flush_lines(p, 1);
}

int pk_pstats_print(const struct pk_profiles *list, const struct pk_pstats_params *params,
		    struct pk_output *out, struct pk_error *err)
{
	struct pk_stats_options options = {.metric = params->metric,
					   .callers = params->what != PK_PSTATS_STATS,
					   .strip_dirs = params->strip_dirs};
	struct printer p = {.params = params, .out = out};

	if (pk_stats_init(&p.stats, list, &options, err))
		return -1;
	print_all(&p, list);
	pk_stats_release(&p.stats);
	pk_buf_release(&p.buf);
	pk_buf_release(&p.name);
	pk_buf_release(&p.field);
	free(p.list);
	return 0;
}
