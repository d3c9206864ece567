/*
 * What callgrind_annotate adds up: it knows functions by "file:name", so that those of several
 * objects are one, and code from another file is a function of its own there. Recursive calls count
 * in inclusive sums as often as they are in the file.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/totals.h"
#include "render/callgrind/internal.h"

uint32_t annotate_row(struct annotate_rows *rows, uint32_t from, uint32_t to, uint32_t line)
{
	uint32_t *known =
		PK_INDEX_FIND(&rows->index, pk_hash_pair((uint64_t)from << 32 | to, line), id,
			      rows->row[id - 1].from == from && rows->row[id - 1].to == to &&
				      rows->row[id - 1].line == line);

	if (*known)
		return *known - 1;
	*known = rows->count + 1;
	PK_GROW(rows->row, (size_t)rows->count + 1, rows->alloc);
	PK_GROW(rows->value, pk_mul((size_t)rows->count + 1, rows->events), rows->value_alloc);
	rows->row[rows->count] = (struct annotate_row){.from = from, .to = to, .line = line};
	for (uint32_t e = 0; e < rows->events; e++)
		rows->value[(size_t)rows->count * rows->events + e] = PK_NULL;
	return rows->count++;
}

void annotate_add(const struct annotate *a, int64_t *sum, const int64_t *value)
{
	for (uint32_t e = 0; e < a->events; e++)
		pk_add_known(&sum[e], value[e]);
}

/* The file's own names and units of events: "unit of Time" is "Time_(10ns), 10 ns". */
static void find_units(struct annotate *a)
{
	a->name = pk_calloc((size_t)a->events + 1, sizeof(*a->name));
	a->unit = pk_calloc((size_t)a->events + 1, sizeof(*a->unit));
	for (uint32_t e = 0; e < a->events; e++) {
		const char *name = pk_text(a->p, a->p->metric.name[a->event[e]]), *text, *comma;
		PK_BUF_AUTO key = PK_BUF_INIT;

		pk_buf_addf(&key, "unit of %s", name);
		text = pk_meta_find(a->p, key.data);
		comma = text ? strrchr(text, ',') : NULL;
		a->name[e] = comma ? pk_arena_copy(&a->arena, text, (size_t)(comma - text)) : name;
		a->unit[e] = comma ? strtoll(comma + 1, NULL, 10) : 1;
		a->unit[e] = a->unit[e] > 0 ? a->unit[e] : 1;
		a->of_yappi |= comma && !strcmp(a->name[e], "Ticks");
	}
}

static void divide(const struct annotate *a, int64_t *value, size_t rows)
{
	for (size_t i = 0; i < rows * a->events; i++)
		if (value[i] != PK_NULL)
			value[i] /= a->unit[i % a->events];
}

static void find_events(struct annotate *a)
{
	const struct pk_profile *p = a->p;
	const char *summary;

	a->event = pk_calloc(p->metric.count, sizeof(*a->event));
	a->shown = pk_calloc(p->metric.count, sizeof(*a->shown));
	a->of_metric = pk_calloc(p->metric.count, sizeof(*a->of_metric));
	for (uint32_t m = 1; m < p->metric.count; m++) {
		if (p->metric.exactness[m] == PK_ESTIMATED) /* by a formula */
			continue;
		if (!a->params->metric || a->params->metric == m)
			a->shown[a->shown_count++] = a->events;
		a->event[a->events++] = m;
		a->of_metric[m] = a->events;
	}
	a->functions.events = a->calls.events = a->lines.events = a->events;
	a->summary = pk_calloc((size_t)a->events + 1, sizeof(*a->summary));
	a->nothing = pk_calloc((size_t)a->events + 1, sizeof(*a->nothing));
	for (uint32_t e = 0; e < a->events; e++)
		a->nothing[e] = PK_NULL;
	a->width = pk_calloc((size_t)a->events + 1, sizeof(*a->width));
	find_units(a);
	summary = pk_meta_find(p, "summary");
	a->calculated = summary && !strcmp(summary, "none");
}

static const char *name_of(const struct pk_profile *p, uint32_t string)
{
	return string ? pk_text(p, string) : "???";
}

/* callgrind_annotate leaves out the current folder in names of files, but not in those of callees:
 * then a function has two names, and loses its callers. Where calls are shown, names stay as they
 * are. */
static const char *file_of(const struct annotate *a, uint32_t file)
{
	const struct pk_callgrind_annotate *o = a->params;
	const char *name = name_of(a->p, file);
	size_t len = o->here && !o->inclusive && !o->tree && !o->sources ? strlen(o->here) : 0;

	return len && pk_starts_with(name, o->here) && name[len] == '/' ? name + len + 1 : name;
}

static void find_functions(struct annotate *a)
{
	const struct pk_profile *p = a->p;

	a->of_function = pk_calloc(p->function.count, sizeof(*a->of_function));
	for (uint32_t f = 1; f < p->function.count; f++) {
		uint32_t line = a->of_yappi ? p->function.line[f] : 0;
		uint32_t row =
			annotate_row(&a->functions, p->function.file[f], p->function.name[f], line);
		struct annotate_row *r = &a->functions.row[row];

		a->of_function[f] = row;
		if (r->name)
			continue;
		a->buf.len = 0;
		pk_buf_addf(&a->buf, "%s:%s", file_of(a, r->from), pk_text(p, r->to));
		if (a->of_yappi) /* its names have the place in them */
			pk_buf_addf(&a->buf, " %s:%u", name_of(p, r->from), line);
		r->name = pk_arena_copy(&a->arena, a->buf.data, a->buf.len);
	}
}

/* Code that was inlined into a function of the same name: see readers/callgrind/finish.c. */
static bool is_inlined(const struct pk_profile *p, uint32_t edge)
{
	uint32_t from = p->edge.caller[edge], to = p->edge.callee[edge];

	return p->edge.calls[edge] == PK_NULL && p->function.name[from] == p->function.name[to] &&
	       p->function.module[from] == p->function.module[to];
}

static void set_object(struct annotate *a, uint32_t f)
{
	a->functions.row[a->of_function[f]].object = pk_text(a->p, a->p->function.module[f]);
}

static void add_calls(struct annotate *a)
{
	const struct pk_profile *p = a->p;
	PK_FREED bool *has_body = pk_calloc(p->function.count, 1);

	for (uint32_t i = 1; i < p->cost.count; i++)
		has_body[pk_node_function(p, p->cost.node[i])] = true;
	for (uint32_t i = 1; i < p->edge.count; i++)
		has_body[p->edge.caller[i]] = true;
	for (uint32_t i = 1; i < p->edge.count; i++)
		if (p->edge.caller[i] && is_inlined(p, i))
			has_body[p->edge.callee[i]] = false;
	for (uint32_t f = 1; f < p->function.count; f++)
		if (has_body[f])
			set_object(a, f);
	for (uint32_t i = 1; i < p->cost.count; i++) /* of several objects the last one counts */
		if (has_body[pk_node_function(p, p->cost.node[i])])
			set_object(a, pk_node_function(p, p->cost.node[i]));
	for (uint32_t i = 1; i < p->edge.count; i++) {
		uint32_t e = a->of_metric[p->edge.metric[i]], from, to, rows[2];

		if (!e || !p->edge.caller[i] || is_inlined(p, i))
			continue;
		from = a->of_function[p->edge.caller[i]];
		to = a->of_function[p->edge.callee[i]];
		a->functions.row[to].is_called = true;
		rows[0] = annotate_row(&a->calls, from, to, 0);
		rows[1] = p->edge.line && p->edge.line[i]
				  ? annotate_row(&a->calls, from, to, p->edge.line[i])
				  : rows[0];
		for (int k = 0; k < 1 + (rows[1] != rows[0]); k++) {
			pk_add_known(&annotate_values(&a->calls, rows[k])[e - 1], p->edge.total[i]);
			if (e == 1 && p->edge.calls[i] != PK_NULL)
				pk_add_saturated(&a->calls.row[rows[k]].calls, p->edge.calls[i]);
		}
	}
}

static void add_cost(struct annotate *a, uint32_t function, uint32_t line, uint32_t metric,
		     int64_t value)
{
	uint32_t e = a->of_metric[metric], row = a->of_function[function];

	if (!e)
		return;
	a->functions.row[row].has_costs = true;
	pk_add_known(&annotate_values(&a->functions, row)[e - 1], value);
	row = annotate_row(&a->lines, a->p->function.file[function], 0, line);
	pk_add_known(&annotate_values(&a->lines, row)[e - 1], value);
}

/* Sums of lines; in a profile without lines, of functions. */
static void add_costs(struct annotate *a)
{
	const struct pk_profile *p = a->p;

	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i];

		add_cost(a, pk_node_function(p, node), pk_node_line(p, node), pk_cost_metric(p, i),
			 p->cost.self[i]);
	}
	for (uint32_t i = 1; p->cost.count == 1 && i < p->edge.count; i++)
		if (!p->edge.caller[i])
			add_cost(a, p->edge.callee[i], p->function.line[p->edge.callee[i]],
				 p->edge.metric[i], p->edge.self[i]);
}

/* The inclusive costs of functions: the sum of the calls of them, if there are some. */
static void make_inclusive(struct annotate *a)
{
	const struct annotate_rows *calls = &a->calls;

	for (uint32_t i = 0; i < calls->count; i++)
		if (!calls->row[i].line && !a->functions.row[calls->row[i].from].is_called)
			annotate_add(a, annotate_values(&a->functions, calls->row[i].from),
				     annotate_values(calls, i));
	for (uint32_t f = 0; f < a->functions.count; f++)
		for (uint32_t e = 0; a->functions.row[f].is_called && e < a->events; e++)
			annotate_values(&a->functions, f)[e] = PK_NULL;
	for (uint32_t i = 0; i < calls->count; i++)
		if (!calls->row[i].line)
			annotate_add(a, annotate_values(&a->functions, calls->row[i].to),
				     annotate_values(calls, i));
}

/* Reads numbers with blanks between them; missing ones are 0. */
static bool read_numbers(const char *text, int64_t *value, uint32_t count)
{
	char *end;
	bool any = false;

	for (uint32_t i = 0; i < count; i++, text = end) {
		value[i] = strtoll(text, &end, 10);
		any |= value[i] != 0;
	}
	return any;
}

void pk_callgrind_summary(const struct pk_profile *p, int64_t *sum, uint32_t events)
{
	const char *summary = pk_meta_find(p, "summary"), *totals = pk_meta_find(p, "totals");
	PK_FREED int64_t *was = pk_calloc((size_t)events + 1, sizeof(*was));

	if (!summary || !totals)
		return;
	read_numbers(totals, was, events);
	if (!memcmp(was, sum, events * sizeof(*was)) && read_numbers(summary, was, events))
		memcpy(sum, was, events * sizeof(*was));
}

static void add_functions(struct annotate *a)
{
	for (uint32_t f = 0; f < a->functions.count; f++)
		annotate_add(a, a->summary, annotate_values(&a->functions, f));
}

/* callgrind leaves out zeros at the end. */
static void make_summary(struct annotate *a)
{
	add_functions(a);
	pk_callgrind_summary(a->p, a->summary, a->events);
	if (!pk_starts_with(pk_text(a->p, a->p->run.producer[1]), "callgrind"))
		return;
	for (uint32_t e = a->events; e > 1 && !a->summary[e - 1]; e--)
		a->summary[e - 1] = PK_NULL;
}

void annotate_sum(struct annotate *a)
{
	find_events(a);
	find_functions(a);
	add_costs(a);
	add_calls(a);
	make_summary(a);
	divide(a, a->functions.value, a->functions.count);
	divide(a, a->calls.value, a->calls.count);
	divide(a, a->lines.value, a->lines.count);
	divide(a, a->summary, 1);
	if (!a->params->inclusive)
		return;
	make_inclusive(a);
	if (a->calculated) { /* callgrind_annotate adds up what it shows */
		memset(a->summary, 0, a->events * sizeof(*a->summary));
		add_functions(a);
	}
}

static void release_rows(struct annotate_rows *rows)
{
	free(rows->row);
	free(rows->value);
	pk_index_release(&rows->index);
}

void annotate_release(struct annotate *a)
{
	release_rows(&a->functions);
	release_rows(&a->calls);
	release_rows(&a->lines);
	free(a->event);
	free(a->name);
	free(a->unit);
	free(a->shown);
	free(a->of_metric);
	free(a->summary);
	free(a->nothing);
	free(a->width);
	free(a->of_function);
	free(a->shown_file);
	pk_buf_release(&a->buf);
	pk_arena_release(&a->arena);
}
