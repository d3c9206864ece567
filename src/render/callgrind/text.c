/* The text of callgrind_annotate 3.19: its header, functions, their callers and what they call. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/callgrind/internal.h"

const char *const pk_callgrind_trees[] = {"none", "caller", "calling", "both", NULL};

int annotate_compare(const struct annotate *a, const int64_t *x, const int64_t *y)
{
	for (uint32_t i = 0; i < a->shown_count; i++) {
		uint32_t e = a->shown[i];
		int64_t left = x[e] == PK_NULL ? -1 : x[e], right = y[e] == PK_NULL ? -1 : y[e];

		if (left != right)
			return PK_ORDER(right, left);
	}
	return 0;
}

void annotate_rule(struct annotate *a)
{
	for (int i = 0; i < 80; i++)
		pk_output_putc(a->out, '-');
	pk_output_putc(a->out, '\n');
}

static int digits(int64_t value)
{
	int count = 1 + (value < 0);

	for (value /= 10; value; value /= 10)
		count++;
	return count;
}

/* Widths of columns in which the rows fit, with their shares. */
void annotate_fit(const struct annotate *a, const struct annotate_rows *rows, int *width)
{
	for (uint32_t e = 0; e < a->events; e++) {
		width[e] = (int)strlen(a->name[e]);
		for (uint32_t i = 0; i < rows->count; i++) {
			int64_t value = annotate_values(rows, i)[e];
			int len = digits(value), room = len + (len - 1) / 3 + 9;

			if (value != PK_NULL && room > width[e])
				width[e] = room;
		}
	}
}

void annotate_events(struct annotate *a, const int *width)
{
	for (uint32_t i = 0; i < a->shown_count; i++)
		pk_output_printf(a->out, "%-*s ", width[a->shown[i]], a->name[a->shown[i]]);
}

static void add_share(struct pk_buf *buf, int64_t value, int64_t whole)
{
	double share = whole && whole != PK_NULL ? (double)value * 100 / (double)whole : 0;

	if (value == PK_NULL || !value)
		pk_buf_adds(buf, "         ");
	else if (share > -9.995 && share < 99.995)
		pk_buf_addf(buf, " (%5.2f%%)", share);
	else
		pk_buf_addf(buf, " (%5.1f%%)", share);
}

static void add_count(struct pk_buf *buf, int64_t value)
{
	if (value == PK_NULL)
		pk_buf_addc(buf, '.');
	else if (value < 0) /* these have no commas */
		pk_buf_addf(buf, "%" PRId64, value);
	else
		pk_format_count(buf, value);
}

void annotate_costs(struct annotate *a, const int64_t *value, const int *width)
{
	for (uint32_t i = 0; i < a->shown_count; i++) {
		uint32_t e = a->shown[i];

		a->buf.len = 0;
		add_count(&a->buf, value[e]);
		add_share(&a->buf, value[e], a->summary[e]);
		pk_output_printf(a->out, "%*s ", width[e], a->buf.data);
	}
}

static bool is_description(const char *key)
{
	return strcmp(key, "pid") && strcmp(key, "part") && strcmp(key, "summary") &&
	       strcmp(key, "totals") && !pk_starts_with(key, "event ") &&
	       !pk_starts_with(key, "unit of ") && !pk_starts_with(key, "Option");
}

static void print_target(struct annotate *a)
{
	const struct pk_profile *p = a->p;
	const char *command = pk_text(p, p->run.command[1]), *pid = pk_meta_find(p, "pid");
	const char *part = pk_meta_find(p, "part");

	pk_output_printf(a->out, "Profiled target:  %s", *command ? command : "(unknown)");
	if (pid)
		pk_output_printf(a->out, " (PID %s", pid);
	if (pid && part)
		pk_output_printf(a->out, ", part %s", part);
	if (pid && p->thread.count == 2)
		pk_output_printf(a->out, ", thread %" PRId64, p->thread.tid[1]);
	pk_output_puts(a->out, pid ? ")\n" : "\n");
}

static void print_events(struct annotate *a, const char *what, const uint32_t *shown,
			 uint32_t count)
{
	pk_output_puts(a->out, what);
	for (uint32_t i = 0; i < count; i++)
		pk_output_printf(a->out, "%s%s", i ? " " : "", a->name[shown ? shown[i] : i]);
	pk_output_putc(a->out, '\n');
}

static void print_header(struct annotate *a)
{
	const struct pk_profile *p = a->p;
	const struct pk_callgrind_annotate *o = a->params;

	annotate_rule(a);
	pk_output_printf(a->out, "Profile data file '%s'", pk_text(p, p->run.source[1]));
	if (p->run.producer[1])
		pk_output_printf(a->out, " (creator: %s)", pk_text(p, p->run.producer[1]));
	pk_output_putc(a->out, '\n');
	annotate_rule(a);
	for (uint32_t i = 1; i < p->meta.count; i++)
		if (is_description(pk_text(p, p->meta.key[i])))
			pk_output_printf(a->out, "%s: %s\n", pk_text(p, p->meta.key[i]),
					 pk_text(p, p->meta.value[i]));
	print_target(a);
	print_events(a, "Events recorded:  ", NULL, a->events);
	print_events(a, "Events shown:     ", a->shown, a->shown_count);
	print_events(a, "Event sort order: ", a->shown, a->shown_count);
	pk_output_printf(a->out, "Thresholds:       %.15g", o->threshold * 100);
	for (uint32_t i = 1; i < a->shown_count; i++)
		pk_output_puts(a->out, " 0");
	pk_output_puts(a->out, "\nInclude dirs:     ");
	for (size_t i = 0; i < o->folder_count; i++)
		pk_output_printf(a->out, "%s%s%s", i ? "\n                  " : "", o->folders[i],
				 pk_ends_with(o->folders[i], "/") ? "" : "/");
	pk_output_printf(a->out, "\nUser annotated:   \nAuto-annotation:  %s\n\n",
			 o->sources ? "on" : "off");
}

PK_COMPARE_ROWS(by_costs, struct annotate,
		annotate_compare(d, annotate_values(&d->functions, a),
				 annotate_values(&d->functions, b))
			?: strcmp(d->functions.row[a].name, d->functions.row[b].name))

/* Rows of calls by the function at one end, then by their costs. */
static int compare_ends(const struct annotate *a, uint32_t x, uint32_t y, bool by_callee)
{
	const struct annotate_row *left = &a->calls.row[x], *right = &a->calls.row[y];
	uint32_t at_left = by_callee ? left->to : left->from;
	uint32_t at_right = by_callee ? right->to : right->from;
	int order = PK_ORDER(at_left, at_right);

	if (!order)
		order = annotate_compare(a, annotate_values(&a->calls, x),
					 annotate_values(&a->calls, y));
	return order ? order
		     : strcmp(a->functions.row[by_callee ? left->from : left->to].name,
			      a->functions.row[by_callee ? right->from : right->to].name);
}

PK_COMPARE_ROWS(by_callee, struct annotate, compare_ends(d, a, b, true))
PK_COMPARE_ROWS(by_caller, struct annotate, compare_ends(d, a, b, false))

/* Calls in the order of their callers or callees; first[f] is where those of a function begin. */
static uint32_t *sort_calls(const struct annotate *a, bool callees, uint32_t **first)
{
	uint32_t *order = pk_calloc((size_t)a->calls.count + 1, sizeof(*order)), count = 0;

	*first = pk_calloc((size_t)a->functions.count + 2, sizeof(**first));
	for (uint32_t i = 0; i < a->calls.count; i++) {
		if (a->calls.row[i].line)
			continue;
		order[count++] = i;
		++(*first)[1 + (callees ? a->calls.row[i].to : a->calls.row[i].from)];
	}
	for (uint32_t f = 0; f < a->functions.count; f++)
		(*first)[f + 1] += (*first)[f];
	qsort_r(order, count, sizeof(*order), callees ? by_callee : by_caller, (void *)a);
	return order;
}

static void print_calls(struct annotate *a, const uint32_t *order, uint32_t from, uint32_t to,
			const char *arrow, bool callers)
{
	for (uint32_t i = from; i < to; i++) {
		const struct annotate_row *call = &a->calls.row[order[i]];
		const struct annotate_row *f = &a->functions.row[callers ? call->from : call->to];

		annotate_costs(a, annotate_values(&a->calls, order[i]), a->width);
		a->buf.len = 0;
		pk_format_count(&a->buf, call->calls);
		pk_output_printf(a->out, "%s%s (%sx)", arrow, f->name, a->buf.data);
		if (f->object)
			pk_output_printf(a->out, " [%s]", f->object);
		pk_output_putc(a->out, '\n');
	}
}

struct trees {
	uint32_t *callers, *callees;           /* calls */
	uint32_t *first_caller, *first_callee; /* by function */
};

static void print_function(struct annotate *a, uint32_t f, const struct trees *t)
{
	const struct annotate_row *row = &a->functions.row[f];
	bool known = strcmp(row->name, "???:???") != 0;

	if (a->params->tree)
		pk_output_putc(a->out, '\n');
	if (a->params->tree & PK_TREE_CALLER && known)
		print_calls(a, t->callers, t->first_caller[f], t->first_caller[f + 1], " < ", true);
	annotate_costs(a, annotate_values(&a->functions, f), a->width);
	pk_output_printf(a->out, "%s %s", a->params->tree ? " * " : "", row->name);
	if (row->object && *row->object)
		pk_output_printf(a->out, " [%s]", row->object);
	pk_output_putc(a->out, '\n');
	if (a->params->tree & PK_TREE_CALLING && known)
		print_calls(a, t->callees, t->first_callee[f], t->first_callee[f + 1], " >   ",
			    false);
}

/* True if the functions so far have the share that was asked for, in the first event. */
static bool is_enough(const struct annotate *a, int64_t so_far)
{
	int64_t whole = a->summary[a->shown[0]];
	double share = (double)so_far * 100;

	return a->params->threshold < 1 &&
	       (whole > 0 ? share / (double)whole : share) >= a->params->threshold * 100;
}

static void print_functions(struct annotate *a)
{
	PK_FREED uint32_t *order = pk_calloc((size_t)a->functions.count + 1, sizeof(*order));
	struct trees t;
	uint32_t count = 0;
	int64_t so_far = 0;

	for (uint32_t f = 0; f < a->functions.count; f++) {
		const struct annotate_row *row = &a->functions.row[f];

		if (row->has_costs || row->object || (a->params->inclusive && row->is_called))
			order[count++] = f;
	}
	qsort_r(order, count, sizeof(*order), by_costs, a);
	t.callers = sort_calls(a, true, &t.first_caller);
	t.callees = sort_calls(a, false, &t.first_callee);
	for (uint32_t i = 0; i < count && !is_enough(a, so_far); i++) {
		int64_t value = annotate_values(&a->functions, order[i])[a->shown[0]];

		print_function(a, order[i], &t);
		a->shown_file[a->functions.row[order[i]].from] = true;
		if (value == PK_NULL)
			continue;
		if (a->params->inclusive)
			so_far = a->summary[a->shown[0]] - value;
		else
			pk_add_saturated(&so_far, value);
	}
	free(t.callers);
	free(t.callees);
	free(t.first_caller);
	free(t.first_callee);
	pk_output_putc(a->out, '\n');
}

static void print_summary(struct annotate *a)
{
	struct annotate_rows sum = {.value = a->summary, .count = 1, .events = a->events};

	annotate_fit(a, &sum, a->width);
	annotate_rule(a);
	annotate_events(a, a->width);
	pk_output_putc(a->out, '\n');
	annotate_rule(a);
	annotate_costs(a, a->summary, a->width);
	pk_output_printf(a->out, " PROGRAM TOTALS%s\n\n", a->calculated ? " (calculated)" : "");
	annotate_fit(a, &a->functions, a->width);
	annotate_rule(a);
	annotate_events(a, a->width);
	pk_output_puts(a->out, " file:function\n");
	annotate_rule(a);
}

void pk_callgrind_annotate(const struct pk_profile *p, const struct pk_callgrind_annotate *params,
			   struct pk_output *out)
{
	struct annotate a = {.p = p, .params = params, .out = out};

	annotate_sum(&a);
	a.shown_file = pk_calloc(p->string.count, 1);
	print_header(&a);
	print_summary(&a);
	print_functions(&a);
	if (params->sources)
		annotate_sources(&a);
	annotate_release(&a);
}
