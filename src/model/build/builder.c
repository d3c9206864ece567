/*
 * The tables that hold facts (cost, edges, samples, spans, marks) and the run.
 * Interning of strings, functions, locations, threads, metrics and call paths is in intern.c.
 */
#include "model/build/builder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/internal.h"

struct pk_builder *pk_builder_new(void)
{
	struct pk_builder *b = pk_calloc(1, sizeof(*b));
	int i;

	b->p = pk_profile_new();
	b->wanted = ~0U;
	for (i = 0; i < PK_TABLE_COUNT; i++)
		pk_builder_row(b, (enum pk_table_id)i);
	b->p->string.text[0] = "";
	b->p->string.len[0] = 0;
	pk_builder_row(b, PK_TABLE_RUN);
	b->p->run.start[1] = b->p->run.duration[1] = b->p->run.period[1] = PK_NULL;
	return b;
}

void pk_builder_free(struct pk_builder *b)
{
	if (!b)
		return;
	pk_builder_intern_release(b);
	free(b->cost_head);
	free(b->cost_next);
	free(b->repairs);
	pk_arg_known_release(&b->known_args);
	pk_buf_release(&b->pattern);
	free(b->patterns);
	pk_index_release(&b->cost_index);
	pk_profile_free(b->p);
	free(b);
}

/* Optional columns get memory when the first value that is not the default arrives. */
static void grow_column(struct pk_builder *b, const struct pk_table *t, const struct pk_column *c,
			uint32_t alloc)
{
	void **column = pk_column_at(b->p, t, c);

	if (c->optional && !*column)
		return;
	*column = pk_realloc(*column, pk_mul(alloc, pk_column_size(c->type)));
}

static void grow_table(struct pk_builder *b, enum pk_table_id id, uint32_t rows)
{
	const struct pk_table *t = &pk_tables[id];
	uint32_t alloc = b->alloc[id] ? b->alloc[id] : 4;
	int i;

	while (alloc < rows) {
		alloc *= 2;
		if (!alloc)
			pk_die("more than 2^31 rows in table %s", t->name);
	}
	for (i = 0; i < t->column_count; i++)
		grow_column(b, t, &t->columns[i], alloc);
	if (id == PK_TABLE_STRING)
		b->p->string.len =
			pk_realloc(b->p->string.len, pk_mul(alloc, sizeof(*b->p->string.len)));
	b->alloc[id] = alloc;
}

/* The columns of rows 0 and 1 that have memory from the start. */
static void clear_row(struct pk_builder *b, const struct pk_table *t, uint32_t row)
{
	for (const struct pk_column *c = t->columns; c < t->columns + t->column_count; c++)
		if (!c->optional)
			pk_column_put(c, *pk_column_at(b->p, t, c), row, 0);
}

static void fill_optional(struct pk_builder *b, enum pk_table_id id, uint32_t row)
{
	for (int i = 0; i < b->optionals[id]; i++) {
		const struct pk_optional *o = &b->optional[id][i];

		if (o->size == sizeof(uint64_t))
			((uint64_t *)*o->column)[row] = o->value;
		else if (o->size == sizeof(uint32_t))
			((uint32_t *)*o->column)[row] = (uint32_t)o->value;
		else
			((uint8_t *)*o->column)[row] = (uint8_t)o->value;
	}
}

uint32_t pk_builder_row(struct pk_builder *b, enum pk_table_id id)
{
	const struct pk_table *t = &pk_tables[id];
	uint32_t *count = pk_table_at(b->p, t), row = (*count)++;

	if (row >= b->alloc[id])
		grow_table(b, id, row + 1);
	if (row < 2)
		clear_row(b, t, row);
	fill_optional(b, id, row);
	return row;
}

uint32_t pk_builder_rows(struct pk_builder *b, enum pk_table_id id, uint32_t rows)
{
	uint32_t *count = pk_table_at(b->p, &pk_tables[id]), first = *count;

	if (__builtin_add_overflow(first, rows, count))
		pk_die("more than 2^32 rows in table %s", pk_tables[id].name);
	if (*count > b->alloc[id])
		grow_table(b, id, *count);
	return first;
}

void pk_builder_column(struct pk_builder *b, enum pk_table_id id, void *column_pointer)
{
	const struct pk_table *t = &pk_tables[id];
	const struct pk_column *c = t->columns;
	void **column = column_pointer;

	if (*column)
		return;
	while (pk_column_at(b->p, t, c) != column)
		c++;
	*column = pk_calloc(b->alloc[id], pk_column_size(c->type));
	if (pk_column_default(c))
		pk_column_fill(c, *column, 1, pk_table_rows(b->p, t));
	b->optional[id][b->optionals[id]++] =
		(struct pk_optional){column, pk_column_default(c), pk_column_size(c->type)};
}

const struct pk_profile *pk_builder_profile(const struct pk_builder *b)
{
	return b->p;
}

void pk_build_run_text(struct pk_builder *b, enum pk_run_text which, const char *text)
{
	struct pk_run_table *run = &b->p->run;
	uint32_t *column[] = {run->label,  run->format,  run->producer,
			      run->source, run->command, run->host};

	column[which][1] = pk_build_text(b, text);
}

void pk_build_run_start(struct pk_builder *b, int64_t ns)
{
	b->p->run.start[1] = ns;
}

void pk_build_run_duration(struct pk_builder *b, int64_t ns)
{
	b->p->run.duration[1] = ns;
}

void pk_build_run_period(struct pk_builder *b, int64_t value)
{
	b->p->run.period[1] = value;
}

void pk_build_meta(struct pk_builder *b, const char *key, const char *value)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_META);

	b->p->meta.key[row] = pk_build_text(b, key);
	b->p->meta.value[row] = pk_build_text(b, value);
}

void pk_builder_set_strict(struct pk_builder *b, bool strict)
{
	b->strict = strict;
}

void pk_builder_set_ordered(struct pk_builder *b, bool ordered)
{
	b->ordered = ordered;
}

void pk_builder_set_wanted(struct pk_builder *b, unsigned parts)
{
	b->wanted = parts;
}

bool pk_builder_wants(const struct pk_builder *b, enum pk_part part)
{
	return b->wanted & part;
}

void pk_build_unread(struct pk_builder *b, unsigned parts)
{
	b->p->unread |= parts;
}

void pk_build_repairs(struct pk_builder *b, const char *what, int64_t times, const char *first)
{
	struct pk_repair_table *t = &b->p->repair;
	uint32_t id = pk_build_text(b, what), row;

	for (row = 1; row < t->count; row++) {
		if (t->what[row] == id) {
			t->times[row] += times;
			return;
		}
	}
	row = pk_builder_row(b, PK_TABLE_REPAIR);
	t->what[row] = id;
	t->times[row] = times;
	t->first[row] = pk_build_text(b, first);
}

int pk_build_repair(struct pk_builder *b, struct pk_error *err, const char *what, const char *fmt,
		    ...)
{
	char place[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(place, sizeof(place), fmt, ap);
	va_end(ap);
	if (b->strict)
		return pk_fail(err, PK_EFORMAT, "%s: %s", place, what);
	pk_build_repairs(b, what, 1, place);
	return 0;
}

int pk_build_repair_line(struct pk_builder *b, struct pk_error *err, const char *what,
			 uint64_t line)
{
	struct pk_repair_table *t = &b->p->repair;
	uint32_t before = t->count;

	if (!b->is_piece || b->strict)
		return pk_build_repair(b, err, what, "line %" PRIu64, line);
	pk_build_repairs(b, what, 1, NULL);
	if (t->count > before) {
		PK_GROW(b->repairs, (size_t)t->count, b->repairs_alloc);
		b->repairs[before] = (struct pk_repair_place){line, b->p->string.count};
	}
	return 0;
}

static bool cost_is(const struct pk_profile *p, uint32_t row, uint32_t thread, uint32_t node,
		    uint32_t metric)
{
	return p->cost.node[row] == node && pk_cost_thread(p, row) == thread &&
	       pk_cost_metric(p, row) == metric;
}

static uint32_t new_cost(struct pk_builder *b, uint32_t thread, uint32_t node, uint32_t metric)
{
	struct pk_cost_table *t = &b->p->cost;
	uint32_t row = pk_builder_row(b, PK_TABLE_COST);

	t->node[row] = node;
	t->self[row] = 0;
	if (thread) {
		pk_builder_column(b, PK_TABLE_COST, &t->thread);
		t->thread[row] = thread;
	}
	if (metric != 1) {
		pk_builder_column(b, PK_TABLE_COST, &t->metric);
		t->metric[row] = metric;
	}
	return row;
}

static uint64_t cost_hash(uint32_t thread, uint32_t node, uint32_t metric)
{
	return pk_hash_pair((uint64_t)node << 32 | thread, metric);
}

/* For call paths that very many threads share. */
static uint32_t hashed_cost(struct pk_builder *b, uint32_t thread, uint32_t node, uint32_t metric,
			    uint32_t known)
{
	struct pk_index *x = &b->cost_index;
	uint32_t tag = pk_index_tag(cost_hash(thread, node, metric)), i;

	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && cost_is(b->p, x->slot[i].id, thread, node, metric))
			return x->slot[i].id;
	if (!known)
		known = new_cost(b, thread, node, metric);
	pk_index_put(x, i, tag, known);
	return known;
}

static void hash_costs(struct pk_builder *b)
{
	uint32_t row;

	for (row = 1; row < b->p->cost.count; row++)
		hashed_cost(b, pk_cost_thread(b->p, row), b->p->cost.node[row],
			    pk_cost_metric(b->p, row), row);
}

/* Rows of one node are chained: cost_head[node] is the newest, cost_next[row] the one
 * before. Most nodes have one, so cost_next is made for the first that has two. */
static uint32_t find_cost(struct pk_builder *b, uint32_t thread, uint32_t node, uint32_t metric)
{
	enum { LONG_CHAIN = 16 };
	uint32_t row, steps = 0;

	PK_GROW(b->cost_head, (size_t)node + 1, b->cost_head_alloc);
	while (b->cost_head_count <= node)
		b->cost_head[b->cost_head_count++] = 0;
	if (b->cost_index.slot)
		return hashed_cost(b, thread, node, metric, 0);
	for (row = b->cost_head[node]; row; row = b->cost_next ? b->cost_next[row] : 0) {
		if (cost_is(b->p, row, thread, node, metric))
			return row;
		if (++steps == LONG_CHAIN) {
			hash_costs(b);
			return hashed_cost(b, thread, node, metric, 0);
		}
	}
	row = new_cost(b, thread, node, metric);
	if (b->cost_next || b->cost_head[node]) {
		PK_GROW_ZERO(b->cost_next, (size_t)row + 1, b->cost_next_alloc);
		b->cost_next[row] = b->cost_head[node];
	}
	b->cost_head[node] = row;
	return row;
}

bool pk_builder_add_cost(struct pk_builder *b, uint32_t thread, uint32_t node, uint32_t metric,
			 int64_t self, int64_t calls)
{
	uint32_t row = find_cost(b, thread, node, metric);
	struct pk_cost_table *t = &b->p->cost;
	bool cut = pk_add_saturated(&t->self[row], self);

	if (calls == PK_NULL)
		return cut;
	pk_builder_column(b, PK_TABLE_COST, &t->calls);
	if (t->calls[row] == PK_NULL)
		t->calls[row] = 0;
	return pk_add_saturated(&t->calls[row], calls) || cut;
}

bool pk_build_cost(struct pk_builder *b, uint32_t thread, uint32_t node, uint32_t metric,
		   int64_t self, int64_t calls)
{
	if (b->ordered)
		pk_build_sample(b, PK_NULL, thread, node, metric, self);
	return pk_builder_add_cost(b, thread, node, metric, self, calls);
}

static bool fits(int64_t value, int64_t factor)
{
	int64_t product;

	return !__builtin_mul_overflow(value, factor, &product);
}

bool pk_build_metric_refine(struct pk_builder *b, uint32_t metric, int exponent)
{
	struct pk_profile *p = b->p;
	int64_t factor = 1;
	int i, old = p->metric.exponent[metric];
	uint32_t row;

	if (exponent > 18)
		return false;
	for (i = old; i < exponent; i++)
		factor *= 10;
	for (row = 1; row < p->cost.count; row++)
		if (pk_cost_metric(p, row) == metric && !fits(p->cost.self[row], factor))
			return false;
	for (row = 1; row < p->sample.count; row++)
		if (p->sample.metric[row] == metric && !fits(p->sample.value[row], factor))
			return false;
	for (row = 1; row < p->cost.count; row++)
		if (pk_cost_metric(p, row) == metric)
			p->cost.self[row] *= factor;
	for (row = 1; row < p->sample.count; row++)
		if (p->sample.metric[row] == metric)
			p->sample.value[row] *= factor;
	if (exponent > old)
		p->metric.exponent[metric] = (uint8_t)exponent;
	return true;
}

void pk_build_edge(struct pk_builder *b, const struct pk_edge *edge)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_EDGE);
	struct pk_edge_table *t = &b->p->edge;

	t->caller[row] = edge->caller;
	t->callee[row] = edge->callee;
	t->metric[row] = edge->metric;
	t->calls[row] = edge->calls;
	t->primitive_calls[row] = edge->primitive_calls;
	t->self[row] = edge->self;
	t->total[row] = edge->total;
	if (!isnan(edge->self_raw) || !isnan(edge->total_raw)) {
		pk_builder_column(b, PK_TABLE_EDGE, &t->self_raw);
		pk_builder_column(b, PK_TABLE_EDGE, &t->total_raw);
		t->self_raw[row] = edge->self_raw;
		t->total_raw[row] = edge->total_raw;
	}
}

void pk_build_edges_forget(struct pk_builder *b, uint32_t from)
{
	b->p->edge.count = from;
}

void pk_build_sample(struct pk_builder *b, int64_t time, uint32_t thread, uint32_t node,
		     uint32_t metric, int64_t value)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_SAMPLE);
	struct pk_sample_table *t = &b->p->sample;

	t->time[row] = time;
	t->thread[row] = thread;
	t->node[row] = node;
	t->metric[row] = metric;
	t->value[row] = value;
}

void pk_build_samples_forget_times(struct pk_builder *b)
{
	uint32_t i;

	for (i = 1; i < b->p->sample.count; i++)
		b->p->sample.time[i] = PK_NULL;
}

void pk_build_samples_forget(struct pk_builder *b)
{
	b->p->sample.count = 1;
}

uint32_t pk_build_span(struct pk_builder *b, int64_t time, int64_t duration, uint32_t thread,
		       uint32_t node, uint32_t category)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_SPAN);
	struct pk_span_table *t = &b->p->span;

	t->time[row] = time;
	t->duration[row] = duration;
	t->thread[row] = thread;
	t->node[row] = node;
	t->category[row] = category;
	return row;
}

void pk_build_span_end(struct pk_builder *b, uint32_t span, int64_t time)
{
	b->p->span.duration[span] = time - b->p->span.time[span];
}

void pk_build_instant(struct pk_builder *b, int64_t time, uint32_t thread, uint32_t name,
		      uint32_t category)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_INSTANT);
	struct pk_instant_table *t = &b->p->instant;

	t->time[row] = time;
	t->thread[row] = thread;
	t->name[row] = name;
	t->category[row] = category;
}

void pk_build_counter(struct pk_builder *b, int64_t time, uint32_t process, uint32_t name,
		      uint32_t series, double value)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_COUNTER);
	struct pk_counter_table *t = &b->p->counter;

	t->time[row] = time;
	t->process[row] = process;
	t->name[row] = name;
	t->series[row] = series;
	t->value[row] = value;
}

void pk_build_flow(struct pk_builder *b, uint32_t from, uint32_t to, uint32_t category)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_FLOW);
	struct pk_flow_table *t = &b->p->flow;

	t->from[row] = from;
	t->to[row] = to;
	t->category[row] = category;
}

void pk_builder_shift(struct pk_builder *b, const uint32_t *from, int64_t ns)
{
	for (int i = 0; i < PK_TABLE_COUNT; i++) {
		const struct pk_table *t = &pk_tables[i];
		uint32_t rows = pk_table_rows(b->p, t), row;

		for (int k = 0; k < t->column_count; k++) {
			int64_t *time = *pk_column_at(b->p, t, &t->columns[k]);

			if (t->columns[k].unit != PK_MOMENT || !time)
				continue;
			for (row = from ? from[i] : 1; row < rows; row++)
				if (time[row] != PK_NULL)
					pk_add_saturated(&time[row], ns);
		}
	}
}

/* The first of all moments and the last, or end of a span; false if there is none. */
static bool find_moments(const struct pk_profile *p, int64_t *first, int64_t *last)
{
	*first = INT64_MAX;
	*last = INT64_MIN;
	for (const struct pk_table *t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++) {
		const int64_t *duration = t == &pk_tables[PK_TABLE_SPAN] ? p->span.duration : NULL;

		for (int k = 0; k < t->column_count; k++) {
			const int64_t *time = *pk_column_at(p, t, &t->columns[k]);

			if (t->columns[k].unit != PK_MOMENT || !time)
				continue;
			for (uint32_t row = 1; row < pk_table_rows(p, t); row++) {
				int64_t end = time[row] + (duration ? duration[row] : 0);

				if (time[row] == PK_NULL)
					continue;
				*first = time[row] < *first ? time[row] : *first;
				*last = end > *last ? end : *last;
			}
		}
	}
	return *first != INT64_MAX;
}

int64_t pk_build_times_from_first(struct pk_builder *b)
{
	int64_t first, last;

	if (!find_moments(b->p, &first, &last))
		return PK_NULL;
	if (first)
		pk_builder_shift(b, NULL, -first);
	return first;
}

int64_t pk_build_last_time(const struct pk_builder *b)
{
	int64_t first, last;

	return find_moments(b->p, &first, &last) && last > 0 ? last : 0;
}

static void cost_from_samples(struct pk_builder *b)
{
	const struct pk_sample_table *t = &b->p->sample;
	uint32_t i;

	b->ordered = false; /* the samples are there */
	for (i = 1; i < t->count; i++)
		if (t->node[i])
			pk_build_cost(b, t->thread[i], t->node[i], t->metric[i], t->value[i],
				      PK_NULL);
}

struct pk_profile *pk_builder_finish(struct pk_builder *b)
{
	struct pk_profile *p;

	if (b->p->cost.count == 1)
		cost_from_samples(b);
	p = b->p;
	b->p = NULL;
	pk_builder_free(b);
	return p;
}
