/*
 * What Lib/pstats.py of Python prints, for `--like pstats`: the heading with files and totals, the
 * list of functions with its restrictions, and the table of functions, callers or callees.
 *
 *	   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
 *	      5/2    0.900    0.180    1.400    0.700 /srv/app/work.py:10(step)
 */
#include "render/pstats/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "analysis/pstats/stats.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/regex.h"
#include "model/label.h"
#include "model/transform/transform.h"
#include "render/repair.h"

#define FLUSH_SIZE ((size_t)64 << 10)

struct printer {
	const struct pk_pstats_params *params;
	struct pk_stats stats;
	struct pk_output *out;
	struct pk_buf buf;  /* printed so far, not yet given to out */
	struct pk_buf name; /* standard name of a function */
	struct pk_buf field;
	uint32_t *list; /* functions that are shown: rows of stats.functions */
	uint32_t count;
	size_t width;
};

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

/* " %8.3f": printf decides only where the rounding is in doubt, since it is slow. */
static void add_time(struct printer *p, double x)
{
	double thousandths = fabs(x) * 1000, rest = thousandths - floor(thousandths);

	p->field.len = 0;
	if (isnan(x))
		pk_buf_adds(&p->field, "nan");
	else if (signbit(x) || !(x < 1e8) || fabs(rest - 0.5) < 1e-4)
		pk_buf_addf(&p->field, "%.3f", x);
	else
		pk_format_fixed(&p->field, x, 3);
	pk_buf_addc(&p->buf, ' ');
	add_right(p, p->field.data, p->field.len, 8);
}

/* "-" where it is not known; of pstats files it always is. */
static void add_number_of_calls(struct pk_buf *buf, const struct pk_stats_numbers *n)
{
	if (n->unknown)
		pk_buf_addc(buf, '-');
	else
		pk_format_decimal(buf, n->nc, 0);
}

/* "nc", or "nc/cc" where they differ, right-aligned. */
static void add_calls(struct printer *p, const struct pk_stats_numbers *n, size_t width)
{
	p->field.len = 0;
	add_number_of_calls(&p->field, n);
	if (n->nc != n->cc) {
		pk_buf_addc(&p->field, '/');
		pk_format_decimal(&p->field, n->cc, 0);
	}
	add_right(p, p->field.data, p->field.len, width);
}

static const struct pk_buf *standard_name(struct printer *p, uint32_t function)
{
	p->name.len = 0;
	pk_function_label(&p->name, p->stats.p, function, PK_LABEL_PSTATS);
	return &p->name;
}

/* Lone surrogates go out as Python's "surrogateescape" writes them: U+DC80 to U+DCFF are
 * bytes; the others, at which Python stops, as escapes. */
static void add_text(struct printer *p, const char *text, size_t len)
{
	uint32_t cp;
	bool valid;
	size_t n;

	if (!memchr(text, 0xED, len)) {
		pk_buf_add(&p->buf, text, len);
		return;
	}
	for (size_t i = 0; i < len; i += n) {
		n = pk_utf8_decode_python(text + i, len - i, &cp, &valid);
		if (!valid || cp < 0xD800 || cp > 0xDFFF)
			pk_buf_add(&p->buf, text + i, n);
		else if (cp >= 0xDC80 && cp <= 0xDCFF)
			pk_buf_addc(&p->buf, (char)(cp & 0xFF));
		else
			pk_buf_addf(&p->buf, "\\u%04x", (unsigned)cp);
	}
}

static void add_name(struct printer *p, uint32_t function)
{
	const struct pk_buf *name = standard_name(p, function);

	add_text(p, name->data, name->len);
}

static bool is_file(const struct pk_pstats_params *o, const char *path)
{
	int i = 0;

	while (i < o->file_count && strcmp(o->files[i], path))
		i++;
	return i < o->file_count;
}

static void print_file(struct printer *p, const char *path)
{
	char date[64];
	struct stat st;
	struct tm tm;

	if (!stat(path, &st) && localtime_r(&st.st_mtime, &tm) && asctime_r(&tm, date))
		pk_buf_addf(&p->buf, "%.*s    ", (int)strcspn(date, "\n"), date);
	pk_buf_addf(&p->buf, "%s\n", path);
}

/* In the order in which they were loaded: the first, then from the last to the second. */
static void print_files(struct printer *p, const struct pk_profiles *list)
{
	size_t before = p->buf.len, i;

	for (i = 0; i < list->count; i++) {
		const struct pk_profile *file = list->item[i ? list->count - i : 0];
		const char *path = pk_text(file, file->run.source[1]);

		if (is_file(p->params, path))
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
	struct pk_stats_numbers sum = {.unknown = p->stats.functions.count > 0};

	for (size_t i = 0; i < p->stats.functions.count; i++) {
		struct pk_stats_numbers n = pk_stats_of_function(&p->stats, i);

		pk_add_saturated(&sum.nc, n.nc);
		pk_add_saturated(&sum.cc, n.cc);
		sum.tt += n.tt;
		sum.unknown &= n.unknown;
	}
	add_spaces(p, 9);
	add_number_of_calls(&p->buf, &sum);
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

static uint32_t function_at(const struct printer *p, size_t place)
{
	return p->stats.functions.row[p->list[place]].function;
}

/* A text as Python's repr writes it. */
static void add_repr(struct pk_buf *buf, const char *text)
{
	char quote = strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';

	pk_buf_addc(buf, quote);
	for (; *text; text++) {
		if (*text == '\\' || *text == quote)
			pk_buf_addc(buf, '\\');
		pk_buf_addc(buf, *text);
	}
	pk_buf_addc(buf, quote);
}

/* A wrong expression keeps everything, with a message. */
static void restrict_by_name(struct printer *p, struct pk_buf *message)
{
	struct pk_error err;
	struct pk_regex *re = pk_regex_new(p->params->match, &err);
	uint32_t kept = 0, i;

	if (!re) {
		pk_buf_adds(message, "   <Invalid regular expression ");
		add_repr(message, p->params->match);
		pk_buf_adds(message, ">\n");
		return;
	}
	for (i = 0; i < p->count; i++) {
		const struct pk_buf *name = standard_name(p, function_at(p, i));

		if (pk_regex_search(re, name->data, name->len))
			p->list[kept++] = p->list[i];
	}
	p->count = kept;
	pk_regex_free(re);
}

static void restrict_by_number(struct printer *p)
{
	const struct pk_opt_limit *limit = &p->params->limit;

	if (limit->share > 0 && limit->share < 1)
		p->count = (uint32_t)(p->count * limit->share + .5);
	else if (!(limit->share > 0) && limit->count > 0 && limit->count < p->count)
		p->count = (uint32_t)limit->count;
}

static void add_reduced(struct printer *p, uint32_t before, struct pk_buf *message)
{
	if (p->count != before)
		pk_buf_addf(message, "   List reduced from %u to %u due to restriction <", before,
			    p->count);
}

/* Stats.get_print_list: which functions are shown, and why; not if there are none. */
static void select_functions(struct printer *p)
{
	const struct pk_pstats_params *o = p->params;
	const struct pk_functions *f = &p->stats.functions;
	PK_BUF_AUTO message = PK_BUF_INIT;
	uint32_t before = f->count, i;

	p->count = f->count;
	p->list = pk_malloc(pk_mul(p->count, sizeof(*p->list)));
	for (i = 0; i < p->count; i++)
		p->list[i] = i;
	if (o->sort.count) {
		struct pk_sort sort = o->sort;

		sort.like_python = true;
		pk_sort_functions(&sort, p->stats.p, f->row, p->list, p->count);
	}
	pk_buf_adds(&message,
		    o->sort.count ? "   Ordered by: " : "   Random listing order was used");
	for (int k = 0; k < o->sort.count; k++)
		pk_buf_addf(&message, "%s%s", k ? ", " : "", pk_sort_description(o->sort.key[k]));
	pk_buf_addc(&message, '\n');
	if (o->match)
		restrict_by_name(p, &message);
	if (p->count != before) {
		add_reduced(p, before, &message);
		add_repr(&message, o->match);
		pk_buf_adds(&message, ">\n");
	}
	before = p->count;
	restrict_by_number(p);
	if (p->count != before) {
		add_reduced(p, before, &message);
		if (o->limit.share > 0)
			pk_format_real(&message, o->limit.share);
		else
			pk_buf_addf(&message, "%lld", (long long)o->limit.count);
		pk_buf_adds(&message, ">\n");
	}
	if (p->count) {
		pk_buf_add(&p->buf, message.data, message.len);
		pk_buf_addc(&p->buf, '\n');
	}
}

/* The characters of a text as Python counts them: a lone surrogate is one, a stray byte is one. */
static size_t characters(const char *text, size_t len)
{
	size_t i = 0, count = 0;
	uint32_t cp;
	bool valid;

	for (; i < len; count++)
		i += (unsigned char)text[i] < 0x80
			     ? 1
			     : pk_utf8_decode_python(text + i, len - i, &cp, &valid);
	return count;
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
		add_spaces(p, 9);
}

static void print_stats(struct printer *p)
{
	pk_buf_adds(&p->buf, "   ncalls  tottime  percall  cumtime  percall "
			     "filename:lineno(function)\n");
	for (size_t i = 0; i < p->count; i++) {
		struct pk_stats_numbers f = pk_stats_of_function(&p->stats, p->list[i]);

		add_calls(p, &f, 9);
		add_time(p, f.tt);
		add_per_call(p, f.tt, f.nc);
		add_time(p, f.ct);
		add_per_call(p, f.ct, f.cc);
		pk_buf_addc(&p->buf, ' ');
		add_name(p, function_at(p, i));
		pk_buf_addc(&p->buf, '\n');
		pk_output_drain(p->out, &p->buf, FLUSH_SIZE);
	}
}

static bool of_callees(const struct printer *p)
{
	return p->params->what == PK_PSTATS_CALLEES;
}

/* The caller or callee that a row of arcs is printed for. */
static uint32_t relative(const struct printer *p, uint32_t arc)
{
	const struct pk_arc *a = &p->stats.arcs.row[arc];

	return of_callees(p) ? a->callee : a->caller;
}

PK_COMPARE_ROWS(compare_relatives, struct printer,
		pk_compare_functions(d->stats.p, relative(d, a), relative(d, b)))

/* Profiles of the profile module have no times of callers: Python prints the total of the
 * relative. */
static void print_count_only(struct printer *p, uint32_t function, int64_t count)
{
	uint32_t row = p->stats.functions.of_function[function];

	add_name(p, function);
	pk_buf_addc(&p->buf, '(');
	pk_format_decimal(&p->buf, count, 0);
	pk_buf_addc(&p->buf, ')');
	if (row)
		add_time(p, pk_stats_of_function(&p->stats, row - 1).ct);
	else
		add_spaces(p, 9);
}

static void print_relative(struct printer *p, uint32_t arc, bool first)
{
	struct pk_stats_numbers n = pk_stats_of_caller(&p->stats, arc);

	if (!first)
		add_spaces(p, p->width + (n.only_count ? 3 : 1));
	if (n.only_count) {
		print_count_only(p, relative(p, arc), n.nc);
	} else {
		add_calls(p, &n, first ? 7 : 9);
		add_time(p, n.tt);
		add_time(p, n.ct);
		pk_buf_adds(&p->buf, "  ");
		add_name(p, relative(p, arc));
	}
	pk_buf_addc(&p->buf, '\n');
	pk_output_drain(p->out, &p->buf, FLUSH_SIZE);
}

static void print_relatives(struct printer *p, uint32_t function)
{
	uint32_t from = p->stats.first[function], to = p->stats.first[function + 1];
	const struct pk_buf *name = standard_name(p, function);
	size_t width = characters(name->data, name->len);

	add_text(p, name->data, name->len);
	if (width < p->width)
		add_spaces(p, p->width - width);
	pk_buf_adds(&p->buf, of_callees(p) ? "-> " : "<- ");
	if (from == to)
		pk_buf_addc(&p->buf, '\n');
	else if (from + 1 < to)
		qsort_r(p->stats.arc + from, to - from, sizeof(*p->stats.arc), compare_relatives,
			p);
	for (uint32_t i = from; i < to; i++)
		print_relative(p, p->stats.arc[i], i == from);
}

/* The second line of the heading is printed if the first function that has callers has times for
 * its first caller. */
static bool callers_have_times(const struct pk_stats *s)
{
	uint32_t first = UINT32_MAX, arc = 0;

	for (uint32_t i = 0; i < s->arcs.count; i++) {
		uint32_t row = s->functions.of_function[s->arcs.row[i].callee];

		if (row && row < first) {
			first = row;
			arc = i;
		}
	}
	return first != UINT32_MAX && !pk_stats_of_caller(s, arc).only_count;
}

static void print_call_lines(struct printer *p)
{
	measure_names(p);
	pk_buf_adds(&p->buf, "Function ");
	if (p->width > 9)
		add_spaces(p, p->width - 9);
	pk_buf_adds(&p->buf, of_callees(p) ? "called...\n" : "was called by...\n");
	if (callers_have_times(&p->stats)) {
		add_spaces(p, p->width);
		pk_buf_adds(&p->buf, "    ncalls  tottime  cumtime\n");
	}
	pk_stats_group(&p->stats, of_callees(p));
	for (size_t i = 0; i < p->count; i++)
		print_relatives(p, function_at(p, i));
}

static void print_all(struct printer *p, const struct pk_profiles *list)
{
	bool stats = p->params->what == PK_PSTATS_STATS;

	if (stats) {
		print_files(p, list);
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
	pk_output_drain(p->out, &p->buf, 1);
}

static void note_cut_sums(struct pk_output *out, const struct pk_profile *made)
{
	for (uint32_t i = 1; i < made->repair.count; i++) {
		PK_BUF_AUTO text = PK_BUF_INIT;

		if (strcmp(pk_text(made, made->repair.what[i]), PK_SUMS_CUT) != 0)
			continue;
		pk_repair_text(&text, made, i);
		pk_output_note(out, "%s", text.data);
	}
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
	if (p.stats.made)
		note_cut_sums(out, p.stats.made);
	print_all(&p, list);
	pk_stats_release(&p.stats);
	pk_buf_release(&p.buf);
	pk_buf_release(&p.name);
	pk_buf_release(&p.field);
	free(p.list);
	return 0;
}
