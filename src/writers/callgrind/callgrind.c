/*
 * The text of callgrind, for KCachegrind, QCachegrind and callgrind_annotate: see
 * readers/callgrind.
 *
 *	# callgrind format
 *	version: 1
 *	creator: profkit-0.1.0
 *	positions: line
 *	event: time : time (ns)
 *	events: time
 *	summary: 120
 *
 *	ob=(1) app
 *	fl=(1) main.c
 *	fn=(1) main
 *	16 20
 *	cfi=(2) parse.c
 *	cfn=(2) parse
 *	calls=3 50
 *	16 100
 *
 *	totals: 120
 *
 * - Names have numbers, places are absolute, and each call says its file, so that no program
 *   depends on a default.
 * - Values are whole numbers: of a metric with fractions, of its unit. callgrind_annotate takes the
 *   costs of a call that is made 0 times for those of the line: where the number is not known, it
 *   is 1.
 * - Calls whose line is not known are written at the line where the caller begins.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "render/callgrind/annotate.h"
#include "writers/callgrind/internal.h"
#include "writers/writer.h"

enum { OBJECT, FILE_NAME, FUNCTION, SPACES };

struct writing {
	const struct pk_profile *p;
	struct pk_output *out;
	struct callgrind_values values;
	uint32_t *event, events; /* metric -> event, from 1 */
	uint32_t *metric;        /* of an event, from 0 */
	char **name;
	int64_t *sum;
	uint32_t *number[SPACES]; /* by string: number that was given to the name */
	uint32_t names[SPACES];
	uint32_t *same;  /* by function: 1 if another of its file has its name; number + 1 */
	bool *written;   /* functions */
	uint32_t *owner; /* by function: the one that it was inlined into; 0 = none */
	bool rounded;
	uint32_t unknown;  /* how many calls have a number that is not known */
	uint32_t totals;   /* of functions that are not kept */
	uint32_t negative; /* values */
};

/* Writes a text without characters that end a line. */
static void put_text(struct writing *w, const char *text)
{
	for (; *text; text++)
		pk_output_putc(w->out, strchr("\n\r", *text) ? ' ' : *text);
}

/* "fn=(1) main" the first time, then "fn=(1)". */
static void put_name(struct writing *w, const char *key, int space, uint32_t string)
{
	const char *name = pk_text(w->p, string);

	pk_output_puts(w->out, key);
	if (space == OBJECT && !string) {
		pk_output_putc(w->out, '\n');
		return;
	}
	if (w->number[space][string]) {
		pk_output_printf(w->out, "(%" PRIu32 ")\n", w->number[space][string]);
		return;
	}
	w->number[space][string] = ++w->names[space];
	pk_output_printf(w->out, "(%" PRIu32 ") ", w->names[space]);
	put_text(w, *name ? name : "???");
	pk_output_putc(w->out, '\n');
}

/* Functions of one name in a file have their lines in their names, as pyprof2calltree writes
 * them. */
static void put_function_name(struct writing *w, const char *key, uint32_t function)
{
	const struct pk_function_table *f = &w->p->function;

	if (!w->same[function]) {
		put_name(w, key, FUNCTION, f->name[function]);
		return;
	}
	pk_output_puts(w->out, key);
	if (w->same[function] == 1) {
		w->same[function] = ++w->names[FUNCTION] + 1;
		pk_output_printf(w->out, "(%" PRIu32 ") ", w->same[function] - 1);
		put_text(w, pk_text(w->p, f->name[function]));
		pk_output_printf(w->out, ":%" PRIu32 "\n", f->line[function]);
	} else {
		pk_output_printf(w->out, "(%" PRIu32 ")\n", w->same[function] - 1);
	}
}

static void put_file(struct writing *w, const char *key, uint32_t function)
{
	const struct pk_function_table *f = &w->p->function;

	if (!f->file[function] && f->kind[function] == PK_KIND_BUILTIN) {
		pk_output_printf(w->out, "%s~\n", key); /* as Python's profiler calls it */
		return;
	}
	put_name(w, key, FILE_NAME, f->file[function]);
}

/* In whole units. */
static int64_t whole(struct writing *w, uint32_t metric, int64_t value)
{
	int64_t unit = pk_power_of_ten(w->p->metric.exponent[metric]), rest = value % unit;

	w->rounded |= rest != 0;
	return value / unit + (rest * 2 >= unit && unit > 1) - (rest * 2 <= -unit && unit > 1);
}

/* The values of one place, with zeros for unknown ones before the last that is known. */
static size_t put_values(struct writing *w, size_t at, bool self)
{
	const struct callgrind_value *first = &w->values.row[at], *v = first;
	const struct callgrind_value *end = w->values.row ? w->values.row + w->values.count : NULL;

	pk_output_printf(w->out, "%" PRIu32, first->line);
	for (uint32_t e = 1; v < end && v->function == first->function && v->line == first->line &&
			     v->callee == first->callee;
	     v++) {
		int64_t value;

		if (v->value == PK_NULL)
			continue;
		for (; e < v->event; e++)
			pk_output_puts(w->out, " 0");
		value = whole(w, w->metric[e - 1], v->value);
		pk_output_printf(w->out, " %" PRId64, value);
		w->negative += value < 0;
		if (self)
			pk_add_saturated(&w->sum[e - 1], value);
		e++;
	}
	pk_output_putc(w->out, '\n');
	return (size_t)(v - w->values.row);
}

static size_t put_call(struct writing *w, size_t at)
{
	const struct pk_function_table *f = &w->p->function;
	const struct callgrind_value *v = &w->values.row[at];
	int64_t calls = v->calls > 0 ? v->calls : 1;

	w->unknown += v->calls <= 0;
	if (f->module[v->callee] != f->module[v->function])
		put_name(w, "cob=", OBJECT, f->module[v->callee]);
	put_file(w, "cfi=", v->callee);
	put_function_name(w, "cfn=", v->callee);
	pk_output_printf(w->out, "calls=%" PRId64 " %" PRIu32 "\n", calls, f->line[v->callee]);
	return put_values(w, at, false);
}

static void put_lines(struct writing *w, uint32_t function)
{
	size_t at = w->values.first[function], end = w->values.first[function + 1];

	while (at < end) {
		const struct callgrind_value *v = &w->values.row[at];

		if (callgrind_is_inlined(w->p, v))
			at++;
		else
			at = v->callee ? put_call(w, at) : put_values(w, at, true);
	}
}

/* The code that was inlined into a function, once in the file. */
static void put_inlined(struct writing *w, uint32_t function)
{
	size_t at = w->values.first[function], end = w->values.first[function + 1];

	for (; at < end; at++) {
		const struct callgrind_value *v = &w->values.row[at];

		if (!callgrind_is_inlined(w->p, v) || w->owner[v->callee] != function ||
		    w->written[v->callee])
			continue;
		w->written[v->callee] = true;
		put_name(w, "fi=", FILE_NAME, w->p->function.file[v->callee]);
		put_lines(w, v->callee);
		put_name(w, "fe=", FILE_NAME, w->p->function.file[function]);
	}
}

static void put_function(struct writing *w, uint32_t function)
{
	const struct pk_function_table *f = &w->p->function;

	if (w->written[function] || w->values.first[function] == w->values.first[function + 1])
		return;
	w->written[function] = true;
	if (w->names[OBJECT] || f->module[function])
		put_name(w, "ob=", OBJECT, f->module[function]);
	put_file(w, "fl=", function);
	put_function_name(w, "fn=", function);
	put_lines(w, function);
	put_inlined(w, function);
	pk_output_putc(w->out, '\n');
}

/* In the order of their costs, as in the file: if several functions have one name,
 * callgrind_annotate shows the object of the last one. */
static void put_functions(struct writing *w)
{
	const struct pk_profile *p = w->p;

	for (uint32_t i = 1; i < p->cost.count && !pk_output_failed(w->out); i++) {
		uint32_t f = pk_node_function(p, p->cost.node[i]);

		put_function(w, w->owner[f] ? w->owner[f] : f);
	}
	for (uint32_t f = 1; f < p->function.count && !pk_output_failed(w->out); f++)
		put_function(w, w->owner[f] ? w->owner[f] : f);
}

/* Finds the functions that are parts of another one: they are called without a number of calls by
 * it alone. */
static void find_owners(struct writing *w)
{
	const struct callgrind_value *v = w->values.row;
	const struct callgrind_value *end = v ? v + w->values.count : v;

	for (; v < end; v++)
		if (callgrind_is_inlined(w->p, v) && !w->owner[v->callee])
			w->owner[v->callee] = v->function;
	for (v = w->values.row; v < end; v++)
		if (v->callee && !callgrind_is_inlined(w->p, v))
			w->owner[v->callee] = 0;
	for (uint32_t f = 1; f < w->p->function.count; f++)
		if (w->owner[w->owner[f]]) /* parts of parts are not written as such */
			w->owner[f] = 0;
}

PK_COMPARE_ROWS(by_name, struct pk_function_table,
		PK_ORDER(d->name[a], d->name[b])
			?: PK_ORDER(d->file[a], d->file[b])
				   ?: PK_ORDER(d->module[a], d->module[b]))

static void find_equal_names(struct writing *w)
{
	uint32_t count = w->p->function.count;
	PK_FREED uint32_t *order = pk_calloc(count, sizeof(*order));

	for (uint32_t f = 1; f < count; f++)
		order[f] = f;
	qsort_r(order + 1, count - 1, sizeof(*order), by_name, (void *)&w->p->function);
	for (uint32_t i = 2; i < count; i++)
		if (!by_name(&order[i - 1], &order[i], (void *)&w->p->function))
			w->same[order[i - 1]] = w->same[order[i]] = 1;
}

/* "Trigger: ...", "event CEst", and other lines that the reader keeps as they are. */
static void put_description(struct writing *w, const char *key, const char *value)
{
	static const char *const own[] = {"pid", "part", "summary", "totals", NULL};

	for (int i = 0; own[i]; i++)
		if (!strcmp(key, own[i]))
			return;
	if (pk_starts_with(key, "event ") || pk_starts_with(key, "unit of "))
		return;
	pk_output_puts(w->out, "desc: ");
	put_text(w, key);
	pk_output_puts(w->out, ": ");
	put_text(w, value);
	pk_output_putc(w->out, '\n');
}

static bool was_callgrind(const struct pk_profile *p)
{
	return !strcmp(pk_text(p, p->run.format[1]), "callgrind");
}

static void put_header_text(struct writing *w, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	pk_output_puts(w->out, key);
	put_text(w, text);
	pk_output_putc(w->out, '\n');
}

/* "event: time : time (ns)", with the formula if it has one. */
static void put_events(struct writing *w)
{
	const struct pk_profile *p = w->p;
	bool known = was_callgrind(p);

	for (uint32_t i = 1; known && i < p->meta.count; i++)
		if (pk_starts_with(pk_text(p, p->meta.key[i]), "event "))
			pk_output_printf(w->out, "event: %s %s\n", pk_text(p, p->meta.key[i]) + 6,
					 pk_text(p, p->meta.value[i]));
	for (uint32_t e = 0; e < w->events; e++) {
		const char *unit = pk_metric_unit(p, w->metric[e]);
		PK_BUF_AUTO key = PK_BUF_INIT;

		pk_buf_addf(&key, "event %s", pk_text(p, p->metric.name[w->metric[e]]));
		if (!strcmp(unit, "count") || (known && pk_meta_find(p, key.data)))
			continue;
		pk_output_printf(w->out, "event: %s : %s (%s)\n", w->name[e], key.data + 6, unit);
	}
	pk_output_puts(w->out, "events:");
	for (uint32_t e = 0; e < w->events; e++)
		pk_output_printf(w->out, " %s", w->name[e]);
	pk_output_putc(w->out, '\n');
}

static void put_sums(struct writing *w, const char *key, const int64_t *sum)
{
	uint32_t count = w->events;

	while (count > 1 && !sum[count - 1] &&
	       pk_starts_with(pk_text(w->p, w->p->run.producer[1]), "callgrind"))
		count--;
	pk_output_puts(w->out, key);
	for (uint32_t e = 0; e < count; e++)
		pk_output_printf(w->out, " %" PRId64, sum[e]);
	pk_output_putc(w->out, '\n');
}

static void put_summary(struct writing *w)
{
	int64_t *sum = pk_calloc(w->events, sizeof(*sum));

	for (size_t i = 0; i < w->values.count; i++)
		if (!w->values.row[i].callee)
			pk_add_known(&sum[w->values.row[i].event - 1],
				     whole(w, w->metric[w->values.row[i].event - 1],
					   w->values.row[i].value));
	pk_callgrind_summary(w->p, sum, w->events);
	put_sums(w, "summary:", sum);
	free(sum);
}

static void put_header(struct writing *w)
{
	const struct pk_profile *p = w->p;
	bool known = was_callgrind(p);

	pk_output_puts(w->out, "# callgrind format\nversion: 1\n");
	put_header_text(w, "creator: ",
			known ? pk_text(p, p->run.producer[1]) : "profkit-" PACKAGE_VERSION);
	if (known)
		put_header_text(w, "pid: ", pk_meta_find(p, "pid"));
	put_header_text(w, "cmd: ", pk_text(p, p->run.command[1]));
	if (known)
		put_header_text(w, "part: ", pk_meta_find(p, "part"));
	if (known && p->thread.count == 2)
		pk_output_printf(w->out, "thread: %" PRId64 "\n", p->thread.tid[1]);
	for (uint32_t i = 1; known && i < p->meta.count; i++)
		put_description(w, pk_text(p, p->meta.key[i]), pk_text(p, p->meta.value[i]));
	pk_output_puts(w->out, "positions: line\n");
	put_events(w);
	put_summary(w);
	pk_output_puts(w->out, "\n\n");
}

/* The name of the metric without what ends a name; metrics that differ in their unit have a
 * number. */
static char *event_name(const struct writing *w, uint32_t metric)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	for (const char *c = pk_text(w->p, w->p->metric.name[metric]); *c; c++)
		pk_buf_addc(&name, strchr(" \t\r\n():=+", *c) ? '_' : *c);
	for (uint32_t e = 0; e < w->events; e++)
		if (!name.len || !strcmp(w->name[e], name.data))
			pk_buf_addf(&name, "_%" PRIu32, w->events + 1);
	return pk_buf_detach(&name);
}

/* The metrics that are written: not those that a formula makes of others. */
static void find_events(struct writing *w)
{
	const struct pk_profile *p = w->p;

	w->event = pk_calloc(p->metric.count, sizeof(*w->event));
	w->metric = pk_calloc(p->metric.count, sizeof(*w->metric));
	w->name = pk_calloc(p->metric.count, sizeof(*w->name));
	for (uint32_t m = 1; m < p->metric.count; m++) {
		if (was_callgrind(p) && p->metric.exactness[m] == PK_ESTIMATED)
			continue;
		w->name[w->events] = event_name(w, m);
		w->metric[w->events++] = m;
		w->event[m] = w->events;
	}
	w->sum = pk_calloc((size_t)w->events + 1, sizeof(*w->sum));
}

static void release(struct writing *w)
{
	callgrind_values_release(&w->values);
	for (int i = 0; i < SPACES; i++)
		free(w->number[i]);
	for (uint32_t e = 0; e < w->events; e++)
		free(w->name[e]);
	free(w->name);
	free(w->event);
	free(w->metric);
	free(w->sum);
	free(w->written);
	free(w->owner);
	free(w->same);
}

static void say_changes(const struct writing *w)
{
	if (w->unknown)
		pk_output_note(
			w->out, "%" PRIu32 " number%s of calls that %s not known written as 1",
			w->unknown, w->unknown == 1 ? "" : "s", w->unknown == 1 ? "is" : "are");
	if (w->totals)
		pk_output_note(w->out,
			       "%" PRIu32 " function%s: own cost and calls, which callgrind "
			       "has, add up to %s (as with recursion)",
			       w->totals,
			       w->totals == 1 ? " loses its total" : "s lose their totals",
			       w->totals == 1 ? "another" : "others");
	if (w->negative)
		pk_output_note(w->out,
			       "%" PRIu32 " negative value%s, which KCachegrind takes as 0 "
			       "and callgrind_annotate adds up",
			       w->negative, w->negative == 1 ? "" : "s");
	if (w->rounded)
		pk_output_note(w->out, "values are rounded to whole units");
}

static int write_callgrind(const struct pk_profiles *list, const void *params,
			   struct pk_output *out, struct pk_error *err)
{
	struct writing w = {.p = list->item[0], .out = out};

	(void)params;
	find_events(&w);
	if (!w.events) {
		release(&w);
		return pk_fail(err, PK_EFORMAT, "'%s' holds no values",
			       pk_text(w.p, w.p->run.source[1]));
	}
	callgrind_gather(&w.values, w.p, w.event);
	if (!was_callgrind(w.p)) /* which had no totals */
		w.totals = callgrind_other_totals(&w.values, w.p, w.event);
	for (int i = 0; i < SPACES; i++)
		w.number[i] = pk_calloc(w.p->string.count, sizeof(*w.number[i]));
	w.written = pk_calloc(w.p->function.count, sizeof(*w.written));
	w.owner = pk_calloc(w.p->function.count, sizeof(*w.owner));
	w.same = pk_calloc(w.p->function.count, sizeof(*w.same));
	find_owners(&w);
	find_equal_names(&w);
	put_header(&w);
	put_functions(&w);
	put_sums(&w, "totals:", w.sum);
	say_changes(&w);
	release(&w);
	return 0;
}

static const char *const suffixes[] = {".callgrind", NULL};
static const struct pk_kept_if kept_if[] = {
	{.parts = PK_PART_META, .when = "they are of a callgrind file without units"},
	{.parts = PK_PART_CALLS, .when = "they are of functions that others call"},
	{0},
};

/* True if the number of calls of some caller is known: other numbers have no place in the file. */
static bool has_calls(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->edge.count; i++)
		if (p->edge.caller[i] && p->edge.calls[i] != PK_NULL)
			return true;
	for (uint32_t i = 1; p->edge.count == 1 && i < p->cost.count; i++)
		if (p->node.parent[p->cost.node[i]] && pk_cost_calls(p, i) != PK_NULL)
			return true;
	return false;
}

/* Times are written in ns and memory in bytes: other units that the file had are gone. */
static bool had_units(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->meta.count; i++)
		if (pk_starts_with(pk_text(p, p->meta.key[i]), "unit of "))
			return true;
	return false;
}

static unsigned also_keeps(const struct pk_profile *p)
{
	return (was_callgrind(p) && !had_units(p) ? PK_PART_META : 0) |
	       (has_calls(p) ? PK_PART_CALLS : 0);
}

const struct pk_writer pk_writer_callgrind = {
	.name = "callgrind",
	.title = "callgrind.out, for KCachegrind, QCachegrind, callgrind_annotate",
	.suffixes = suffixes,
	.keeps = PK_PART_EDGES | PK_PART_FILES | PK_PART_METRICS,
	.kept_if = kept_if,
	.also_keeps = also_keeps,
	.write = write_callgrind,
};
