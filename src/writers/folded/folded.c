/*
 * Folded stacks: one call path a line, root first, and its self; see readers/folded/folded.c.
 *
 *	main;parse;read 12
 *	main;write 7
 *
 * - Lines are sorted by the bytes of the path. Paths with equal names are one line. Zeros are left
 *   out, and negative values, which no reader accepts; a note counts these.
 * - Values are whole numbers in the base unit of the metric (ns, bytes, count). A metric with
 *   fractions is rounded so that the sum stays: each line is rounded down, and the lines with the
 *   largest remainders get what is missing. "-O fractions" writes exact decimals.
 * - A profile with the metrics "before" and "after" has both, in two columns.
 * - The format has no escapes: ';' in a name becomes ':', a line break or tab becomes a space. A
 *   name that ends in a number ("worker 12") would be read as two columns at the end of a line, and
 *   one that begins with "# " as a comment at the begin: in both cases the blank becomes '_'. A
 *   name that begins like a byte order mark or like compressed data gets a '_' in front.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/hash.h"
#include "base/io/input.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "base/num/units.h"
#include "model/label.h"
#include "model/totals.h"
#include "writers/folded/folded.h"
#include "writers/writer.h"

struct params {
	const char *metric;
	int like;
	bool fractions, lines, kernel, jit, all, threads, comm, pid, tid;
};

enum { LIKE_PROFKIT, LIKE_PERF };
static const char *const tools[] = {"profkit", "stackcollapse-perf", NULL};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "metric", 0, offsetof(struct params, metric), "NAME",
	 .help = "the metric to write (default: the first)"},
	{PK_OPT_TEXT, "event-filter", 0, offsetof(struct params, metric), "NAME",
	 .help = "same as metric; perf calls it an event"},
	{PK_OPT_FLAG, "fractions", 0, offsetof(struct params, fractions),
	 .help = "write decimals, not whole numbers with the same sum"},
	{PK_OPT_FLAG, "lines", 0, offsetof(struct params, lines),
	 .help = "add files and lines to names: function (file:line)"},
	{PK_OPT_FLAG, "kernel", 0, offsetof(struct params, kernel),
	 .help = "mark functions of the kernel by _[k]"},
	{PK_OPT_FLAG, "jit", 0, offsetof(struct params, jit),
	 .help = "mark functions of JIT compilers (from their symbol files for perf) by _[j]"},
	{PK_OPT_FLAG, "all", 0, offsetof(struct params, all),
	 .help = "same as kernel and jit together"},
	{PK_OPT_FLAG, "threads", 0, offsetof(struct params, threads),
	 .help = "begin every path with process and thread"},
	{PK_OPT_FLAG, "comm", 0, offsetof(struct params, comm),
	 .help = "begin every path with the name of the thread, with '_' for blanks, as "
		 "stackcollapse-perf.pl does"},
	{PK_OPT_FLAG, "pid", 0, offsetof(struct params, pid),
	 .help = "same as comm, with the number of the process: \"comm-12\""},
	{PK_OPT_FLAG, "tid", 0, offsetof(struct params, tid),
	 .help = "same as comm, with the numbers of process and thread: \"comm-12/34\""},
	{PK_OPT_CHOICE, "like", 0, offsetof(struct params, like), "TOOL", .choices = tools,
	 .fallback = "profkit",
	 .help = "whose names to write: stackcollapse-perf has comm, cuts arguments off, marks "
		 "functions inlined by Java by _[i], and takes the first event"},
	PK_OPT_LAST,
};

struct writing {
	const struct pk_folded_style *style;
	struct pk_output *out;
	struct pk_folded_tree t;
	struct pk_buf path;
	uint32_t negative; /* number of values that cannot be written */
	struct pk_folded_item *item;
	size_t items, item_alloc;
};

/* The place of a number at the end of a name, after a blank; 0 if there is none. */
static size_t find_number(const char *text, size_t len)
{
	size_t at = len;

	while (at && pk_is_digit(text[at - 1]))
		at--;
	if (at > 1 && text[at - 1] == '.' && pk_is_digit(text[at - 2]))
		for (at--; at && pk_is_digit(text[at - 1]);)
			at--;
	return at && at < len && text[at - 1] == ' ' ? at : 0;
}

bool pk_folded_is_jit(const struct pk_profile *p, uint32_t function)
{
	const char *module = pk_text(p, p->function.module[function]);
	const char *map = strstr(module, "/tmp/perf-");
	size_t digits = map ? strspn(map + 10, "0123456789") : 0;

	if (digits && pk_starts_with(map + 10 + digits, ".map"))
		return true;
	return pk_starts_with(pk_basename(module), "jitted-") && pk_ends_with(module, ".so");
}

static void add_mark(struct pk_buf *buf, const char *mark)
{
	if (buf->len < 4 || memcmp(buf->data + buf->len - 4, mark, 4) != 0)
		pk_buf_adds(buf, mark);
}

static void add_name(struct pk_buf *buf, const struct writing *w, uint32_t function)
{
	const struct pk_profile *p = w->t.p;
	const char *module = pk_text(p, p->function.module[function]);

	buf->len = 0;
	pk_buf_add(buf, "", 0);
	if (w->style->no_frames &&
	    !strcmp(pk_text(p, p->function.name[function]), w->style->no_frames))
		return;
	pk_function_label(buf, p, function, w->style->lines ? PK_LABEL_FULL : PK_LABEL_NAME);
	if (!buf->len && *module)
		pk_buf_addf(buf, "[%s]", module);
	if (w->style->modules && !p->function.file[function])
		pk_buf_addf(buf, " (%s)", *module ? module : "?");
	if (w->style->kernel && p->function.kind[function] == PK_KIND_KERNEL)
		add_mark(buf, "_[k]");
	else if (w->style->jit && pk_folded_is_jit(p, function))
		add_mark(buf, "_[j]");
}

static void clean_begin(struct pk_buf *name)
{
	if (pk_input_undoes(name->data, name->len)) {
		pk_buf_addc(name, 0);
		memmove(name->data + 1, name->data, name->len - 1);
		name->data[0] = '_';
	} else if (name->data[0] == '#' && name->len == 1) {
		pk_buf_addc(name, '_');
	} else if (name->data[0] == '#' && name->data[1] == ' ') {
		name->data[1] = '_';
	}
}

void pk_folded_clean(struct pk_buf *name, int places)
{
	size_t i, number = name->len ? find_number(name->data, name->len) : 0;

	for (i = 0; i < name->len; i++) {
		if (name->data[i] == ';' && !(places & PK_FOLDED_ANYTHING))
			name->data[i] = ':';
		else if (memchr("\n\r\t", name->data[i], 3))
			name->data[i] = ' ';
	}
	if ((places & PK_FOLDED_LAST) && number)
		name->data[number - 1] = '_';
	if ((places & PK_FOLDED_FIRST) && name->len)
		clean_begin(name);
}

static bool has_value(const struct writing *w, uint32_t node)
{
	return w->t.node[node].value[0] || w->t.node[node].value[1];
}

static void name_functions(struct writing *w)
{
	struct pk_folded_tree *t = &w->t;
	struct pk_buf buf = PK_BUF_INIT;
	uint32_t i;

	if (w->style->like_perf) {
		pk_folded_name_like_perf(t, w->style);
		return;
	}
	t->names = t->name_alloc = t->p->function.count;
	t->name = pk_calloc(t->names, sizeof(*t->name));
	for (i = 1; i < t->names; i++) {
		add_name(&buf, w, i);
		t->name[i].text = pk_arena_copy(&t->text, buf.data, buf.len);
		t->name[i].len = buf.len;
	}
	pk_buf_release(&buf);
}

static void clean_names(struct writing *w)
{
	struct pk_folded_tree *t = &w->t;
	uint8_t *places = pk_calloc(t->names, 1);
	struct pk_buf buf = PK_BUF_INIT;
	uint32_t i;

	for (i = t->node[0].first; i; i = t->node[i].next)
		places[t->node[i].name] |= PK_FOLDED_FIRST;
	for (i = 1; i < t->count && !w->style->one_column; i++)
		places[t->node[i].name] |= has_value(w, i) ? PK_FOLDED_LAST : 0;
	for (i = t->p->function.count; i < t->names && t->root == PK_FOLDED_PY_SPY_ROOT; i++)
		places[i] |= PK_FOLDED_ANYTHING;
	for (i = 1; i < t->names; i++) {
		struct pk_folded_name *name = &t->name[i];

		buf.len = 0;
		pk_buf_add(&buf, name->text, name->len);
		pk_folded_clean(&buf, places[i]);
		if (buf.len == name->len && !memcmp(buf.data, name->text, name->len))
			continue;
		name->text = pk_arena_copy(&t->text, buf.data, buf.len);
		name->len = buf.len;
	}
	pk_buf_release(&buf);
	free(places);
}

/* Items: bit 0 is set for a name before a ';', the other bits are the function. */
static int compare_names(const void *a, const void *b, void *names)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct pk_folded_name *n = (const struct pk_folded_name *)names + (x >> 1);
	const struct pk_folded_name *m = (const struct pk_folded_name *)names + (y >> 1);
	size_t len = n->len < m->len ? n->len : m->len;
	int order = memcmp(n->text, m->text, len), next[2];

	if (order)
		return order;
	next[0] = n->len > len ? (uint8_t)n->text[len] : x & 1 ? ';' : -1;
	next[1] = m->len > len ? (uint8_t)m->text[len] : y & 1 ? ';' : -1;
	return next[0] - next[1];
}

/* Ranks the names; equal ones have the same rank. Returns false if there are any. */
static bool rank_names(struct pk_folded_tree *t)
{
	uint32_t count = t->names, *order = pk_malloc(pk_mul(count, 2 * sizeof(*order))), i;
	uint32_t rank = 1;
	bool distinct = true;

	for (i = 2; i < 2 * count; i++)
		order[i] = i;
	qsort_r(order + 2, 2 * (size_t)count - 2, sizeof(*order), compare_names, t->name);
	for (i = 2; i < 2 * count; i++) {
		if (i > 2 && !compare_names(&order[i - 1], &order[i], t->name))
			distinct = false;
		else
			rank++;
		t->name[order[i] >> 1].rank[order[i] & 1] = rank;
	}
	free(order);
	return distinct;
}

struct part {
	int64_t rest;
	uint32_t node, from;
};

PK_COMPARE(largest_first, struct part,
	   PK_ORDER(b->rest, a->rest)
		   ?: PK_ORDER(a->from, b->from)
		   ?: PK_ORDER(a->node, b->node))

/* Rounds the values to whole numbers so that their sum stays, up to its own fraction. */
static void round_values(struct pk_folded_tree *t, int m, int64_t factor)
{
	struct part *part = pk_malloc(pk_mul(t->count, sizeof(*part)));
	size_t parts = 0, i;
	__int128 rests = 0;
	int64_t missing;

	for (i = 1; i < t->count; i++) {
		int64_t rest = t->node[i].value[m] % factor;

		t->node[i].value[m] /= factor;
		if (rest)
			part[parts++] = (struct part){rest, (uint32_t)i, t->node[i].from};
		rests += rest;
	}
	missing = (int64_t)((rests + factor / 2) / factor);
	qsort(part, parts, sizeof(*part), largest_first);
	for (i = 0; (int64_t)i < missing; i++)
		t->node[part[i].node].value[m]++;
	free(part);
}

/* Sets the values to write. */
static void choose_values(struct writing *w)
{
	struct pk_folded_tree *t = &w->t;
	uint32_t i;
	int m;

	for (m = 0; m < t->metrics; m++) {
		int exponent = t->p->metric.exponent[t->metric[m]];

		for (i = 1; i < t->count; i++) {
			if (t->node[i].value[m] >= 0)
				continue;
			t->node[i].value[m] = 0;
			w->negative++;
		}
		if (exponent && !w->style->fractions)
			round_values(t, m, pk_power_of_ten(exponent));
	}
}

static void push_children(struct writing *w, uint32_t node)
{
	size_t first = w->items;
	uint32_t child;

	for (child = w->t.node[node].first; child; child = w->t.node[child].next) {
		const struct pk_folded_name *name = &w->t.name[w->t.node[child].name];

		PK_GROW(w->item, w->items + 2, w->item_alloc);
		if (has_value(w, child))
			w->item[w->items++] =
				(struct pk_folded_item){child, name->rank[0], w->path.len, false};
		if (w->t.node[child].first)
			w->item[w->items++] =
				(struct pk_folded_item){child, name->rank[1], w->path.len, true};
	}
	if (w->items > first + 1)
		pk_folded_sort(w->item + first, w->items - first);
}

static void write_value(struct writing *w, int m, uint32_t node)
{
	int exponent = w->style->fractions ? w->t.p->metric.exponent[w->t.metric[m]] : 0;
	char text[48], *at = text + sizeof(text);
	uint64_t value = (uint64_t)w->t.node[node].value[m];

	for (; exponent && value % 10 == 0; exponent--)
		value /= 10;
	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
		if (exponent && --exponent == 0)
			*--at = '.';
	} while (value || exponent || *at == '.');
	*--at = ' ';
	pk_output_write(w->out, at, (size_t)(text + sizeof(text) - at));
}

static void write_lines(struct writing *w)
{
	int m;

	push_children(w, 0);
	while (w->items && !pk_output_failed(w->out)) {
		const struct pk_folded_item *item = &w->item[--w->items];
		const struct pk_folded_name *name = &w->t.name[w->t.node[item->node].name];
		uint32_t node = item->node;

		w->path.len = item->above;
		pk_buf_add(&w->path, name->text, name->len);
		if (item->below) {
			pk_buf_addc(&w->path, ';');
			push_children(w, node);
			continue;
		}
		pk_output_write(w->out, w->path.data, w->path.len);
		for (m = 0; m < w->t.metrics; m++)
			write_value(w, m, node);
		pk_output_putc(w->out, '\n');
	}
}

/* The metric of that column; 0 if there is none. */
static uint32_t find_column(const struct pk_profile *p, const char *name)
{
	return p->metric.count == 3 ? pk_metric_find(p, name) : 0;
}

static int choose_metrics(struct pk_folded_tree *t, const struct pk_folded_style *style,
			  struct pk_error *err)
{
	const char *name = style->metric;

	t->metrics = 1;
	t->metric[0] = name ? pk_metric_find(t->p, name) : find_column(t->p, "before");
	t->metric[1] = name ? 0 : find_column(t->p, "after");
	if (name && !t->metric[0])
		return pk_fail(err, PK_EUSAGE, "there is no metric '%s'", name);
	if (t->metric[0] && t->metric[1])
		t->metrics = 2;
	else if (!name)
		t->metric[0] = style->like_perf ? 1 : pk_metric_find(t->p, NULL);
	return 0;
}

int pk_folded_write(const struct pk_profile *p, const struct pk_folded_style *style,
		    struct pk_output *out, struct pk_error *err)
{
	struct writing w = {.style = style,
			    .out = out,
			    .t = {.p = p, .root = style->root, .variants = style->like_perf}};
	bool joins = pk_has_places(p) || style->root != PK_FOLDED_NO_ROOT;

	if (choose_metrics(&w.t, style, err) < 0)
		return -1;
	w.t.whole = !joins;
	name_functions(&w);
	pk_folded_tree_build(&w.t);
	if (!style->like_perf)
		clean_names(&w);
	if (!rank_names(&w.t) || joins)
		pk_folded_tree_join(&w.t);
	choose_values(&w);
	write_lines(&w);
	pk_note_negative(out, w.negative);
	pk_folded_tree_release(&w.t);
	pk_buf_release(&w.path);
	free(w.item);
	return 0;
}

static enum pk_folded_root root_of(const struct params *given)
{
	return given->tid                                ? PK_FOLDED_COMM_TID
	       : given->pid                              ? PK_FOLDED_COMM_PID
	       : given->comm || given->like == LIKE_PERF ? PK_FOLDED_COMM
	       : given->threads                          ? PK_FOLDED_THREAD
							 : PK_FOLDED_NO_ROOT;
}

static enum pk_thread_costs thread_costs(const void *params)
{
	enum pk_folded_root root = root_of(params);

	return root == PK_FOLDED_NO_ROOT ? PK_COSTS_JOINED
	       : root == PK_FOLDED_COMM  ? PK_COSTS_OF_NAMES
					 : PK_COSTS_OF_THREADS;
}

static int write_folded(const struct pk_profiles *list, const void *params, struct pk_output *out,
			struct pk_error *err)
{
	const struct params *given = params;
	struct pk_folded_style style = {.metric = given->metric,
					.root = root_of(given),
					.fractions = given->fractions,
					.lines = given->lines,
					.kernel = given->kernel || given->all,
					.jit = given->jit || given->all,
					.like_perf = given->like == LIKE_PERF,
					.no_frames =
						given->like == LIKE_PERF ? "[no stack]" : NULL};

	return pk_folded_write(list->item[0], &style, out, err);
}

static unsigned also_keeps(const struct pk_profile *p)
{
	return find_column(p, "before") && find_column(p, "after") ? PK_PART_METRICS : 0;
}

static const struct pk_kept_if kept_if[] = {
	{.parts = PK_PART_METRICS, .when = "they are \"before\" and \"after\", of a difference"},
	{0},
};

static const char *const suffixes[] = {".folded", ".collapsed", ".txt", NULL};

const struct pk_writer pk_writer_folded = {
	.name = "folded",
	.title = "folded stacks for flamegraph.pl, inferno, speedscope",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.needs = PK_PART_PATHS,
	.keeps = PK_PART_PATHS,
	.kept_if = kept_if,
	.also_keeps = also_keeps,
	.thread_costs = thread_costs,
	.write = write_folded,
};
