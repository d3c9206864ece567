#include "render/pstats/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "render/pstats/list.h"

#define FLUSH_SIZE ((size_t)64 << 10)

struct printer {
	const struct pk_pstats_params *params;
	struct pk_stats stats;
	struct pk_output *out;
	struct pk_buf buf;  /* printed so far, not yet given to out */
	struct pk_buf name; /* standard name of a function */
	uint32_t *list;     /* functions that are shown */
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

/* At the end of a field of 24 characters; returns where it begins. */
static char *format_count(char field[24], int64_t n)
{
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
	char *p = field + 24;

	do {
		*--p = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (n < 0)
		*--p = '-';
	return p;
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
	char all[24], primitive[24], text[50];
	char *a = format_count(all, nc), *c = format_count(primitive, cc);
	size_t len = (size_t)(all + 24 - a), more = (size_t)(primitive + 24 - c);

	memcpy(text, a, len);
	if (nc != cc) {
		text[len++] = '/';
		memcpy(text + len, c, more);
		len += more;
	}
	add_right(p, text, len, width);
}

static const struct pk_buf *standard_name(struct printer *p, uint32_t key)
{
	p->name.len = 0;
	pk_stats_name(&p->name, &p->stats.key[key]);
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

static void add_name(struct printer *p, uint32_t key)
{
	const struct pk_buf *name = standard_name(p, key);

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

static void print_top_level(struct printer *p)
{
	uint8_t *seen = pk_calloc(p->stats.key_count, 1);

	for (size_t i = 0; i < p->stats.top_count; i++) {
		const struct pk_stats_key *key = &p->stats.key[p->stats.top[i]];

		if (seen[p->stats.top[i]]++)
			continue;
		add_spaces(p, 9);
		add_text(p, key->name, key->name_len);
		pk_buf_addc(&p->buf, '\n');
	}
	free(seen);
}

static void print_totals(struct printer *p)
{
	const struct pk_stats *s = &p->stats;
	char field[24], *text = format_count(field, s->calls);

	add_spaces(p, 9);
	pk_buf_add(&p->buf, text, (size_t)(field + 24 - text));
	pk_buf_adds(&p->buf, " function calls ");
	if (s->calls != s->primitive_calls) {
		text = format_count(field, s->primitive_calls);
		pk_buf_addc(&p->buf, '(');
		pk_buf_add(&p->buf, text, (size_t)(field + 24 - text));
		pk_buf_adds(&p->buf, " primitive calls) ");
	}
	if (isnan(s->time))
		pk_buf_adds(&p->buf, "in nan seconds\n\n");
	else
		pk_buf_addf(&p->buf, "in %.3f seconds\n\n", s->time);
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

/* The longest standard name of those shown, and two more. */
static void measure_names(struct printer *p)
{
	p->width = 0;
	for (size_t i = 0; i < p->count; i++) {
		const struct pk_buf *name = standard_name(p, p->stats.function[p->list[i]].key);
		size_t width = pk_stats_width(name->data, name->len);

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
		const struct pk_stats_function *f = &p->stats.function[p->list[i]];

		add_calls(p, f->nc, f->cc, 9);
		pk_buf_addc(&p->buf, ' ');
		add_time(p, f->tt);
		pk_buf_addc(&p->buf, ' ');
		add_per_call(p, f->tt, f->nc);
		pk_buf_addc(&p->buf, ' ');
		add_time(p, f->ct);
		pk_buf_addc(&p->buf, ' ');
		add_per_call(p, f->ct, f->cc);
		pk_buf_addc(&p->buf, ' ');
		add_name(p, f->key);
		pk_buf_addc(&p->buf, '\n');
		flush_lines(p, FLUSH_SIZE);
	}
}

/* The relatives of functions, grouped: those of function i are from[i] .. from[i + 1] - 1. */
struct relatives {
	struct relative {
		uint32_t key;    /* of the relative */
		uint32_t caller; /* index of the row with the numbers */
		uint32_t callee; /* key: whose time an integer caller is printed with */
	} * row;
	size_t *from; /* by key */
};

/* For callers the rows of one function are those of its key; for callees those in which
 * it is the caller. */
static void group_relatives(struct relatives *r, const struct pk_stats *s, bool callees)
{
	size_t keys = s->key_count, i;
	uint32_t c;

	r->row = pk_malloc(pk_mul(s->caller_count, sizeof(*r->row)));
	r->from = pk_calloc(keys + 2, sizeof(*r->from));
	for (i = 0; i < s->count; i++)
		for (c = s->function[i].first; c; c = s->caller[c - 1].next)
			r->from[2 + (callees ? s->caller[c - 1].key : s->function[i].key)]++;
	for (i = 2; i < keys + 2; i++)
		r->from[i] += r->from[i - 1];
	for (i = 0; i < s->count; i++) {
		uint32_t key = s->function[i].key;

		for (c = s->function[i].first; c; c = s->caller[c - 1].next) {
			uint32_t caller = s->caller[c - 1].key;

			r->row[r->from[1 + (callees ? caller : key)]++] =
				(struct relative){callees ? key : caller, c - 1, key};
		}
	}
}

static int compare_relatives(const void *x, const void *y, void *data)
{
	const struct relative *a = x, *b = y;
	const struct pk_stats *s = data;

	return pk_pstats_compare(&s->key[a->key], &s->key[b->key]);
}

/* What the profile module wrote has no times: python prints the total of the relative. */
static void print_count_only(struct printer *p, const struct relative *r)
{
	const struct pk_stats_function *f = pk_stats_find(&p->stats, r->key);
	char field[24], *text = format_count(field, p->stats.caller[r->caller].nc);

	add_name(p, r->key);
	pk_buf_addc(&p->buf, '(');
	pk_buf_add(&p->buf, text, (size_t)(field + 24 - text));
	pk_buf_adds(&p->buf, ") ");
	if (f)
		add_time(p, f->ct);
	else
		add_spaces(p, 8);
	pk_buf_addc(&p->buf, '\n');
}

static void print_relative(struct printer *p, const struct relative *r, bool first)
{
	const struct pk_stats_caller *c = &p->stats.caller[r->caller];

	if (c->only_count) {
		if (!first)
			add_spaces(p, p->width + 3);
		print_count_only(p, r);
		return;
	}
	if (!first)
		add_spaces(p, p->width + 1);
	add_calls(p, c->nc, c->cc, first ? 7 : 9);
	pk_buf_addc(&p->buf, ' ');
	add_time(p, c->tt);
	pk_buf_addc(&p->buf, ' ');
	add_time(p, c->ct);
	pk_buf_adds(&p->buf, "  ");
	add_name(p, r->key);
	pk_buf_addc(&p->buf, '\n');
}

static void print_relatives(struct printer *p, const struct relatives *r, uint32_t key,
			    const char *arrow)
{
	size_t from = r->from[key], count = r->from[key + 1] - from, width, i;
	const struct pk_buf *name = standard_name(p, key);

	width = pk_stats_width(name->data, name->len);
	add_text(p, name->data, name->len);
	if (width < p->width)
		add_spaces(p, p->width - width);
	pk_buf_adds(&p->buf, arrow);
	pk_buf_addc(&p->buf, ' ');
	if (!count) {
		pk_buf_addc(&p->buf, '\n');
		return;
	}
	qsort_r(r->row + from, count, sizeof(*r->row), compare_relatives, &p->stats);
	for (i = 0; i < count; i++) {
		print_relative(p, &r->row[from + i], !i);
		flush_lines(p, FLUSH_SIZE);
	}
}

/* The second line of the heading stands there if the first caller of all has times. */
static bool callers_have_times(const struct pk_stats *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->function[i].first)
			return !s->caller[s->function[i].first - 1].only_count;
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
		print_relatives(p, &r, p->stats.function[p->list[i]].key, callees ? "->" : "<-");
	free(r.row);
	free(r.from);
}

static void print_all(struct printer *p, size_t files)
{
	bool stats = p->params->what == PK_PSTATS_STATS;

	if (stats) {
		print_files(p, files);
		print_top_level(p);
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

void pk_pstats_print(const struct pk_profiles *list, const struct pk_pstats_params *params,
		     struct pk_output *out)
{
	struct printer p = {.params = params, .out = out};

	pk_stats_init(&p.stats, list, params->metric, params->what != PK_PSTATS_STATS);
	if (params->strip_dirs)
		pk_stats_strip_dirs(&p.stats);
	print_all(&p, list->count);
	pk_stats_release(&p.stats);
	pk_buf_release(&p.buf);
	pk_buf_release(&p.name);
	free(p.list);
}
