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
	b->p->run.start[1] = b->p->run.duration[1] = b->period = PK_NULL;
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
	free(b->kept_args);
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

/* Rows up to which tables grow fast: room that is not written to takes no memory, copies do. */
enum { SMALL = 1 << 16 };

static void grow_table(struct pk_builder *b, enum pk_table_id id, uint32_t rows)
{
	const struct pk_table *t = &pk_tables[id];
	uint32_t alloc = b->alloc[id] ? b->alloc[id] : 4;
	int i;

	while (alloc < rows) {
		alloc *= alloc < SMALL ? 4 : 2;
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
	if (b->optionals[id])
		fill_optional(b, id, row);
	return row;
}

uint32_t pk_builder_put(struct pk_builder *b, enum pk_table_id id, const uint64_t *value, int count)
{
	const struct pk_table *t = &pk_tables[id];
	uint32_t row = pk_builder_row(b, id);

	for (const struct pk_column *c = t->columns; count; c++) {
		if (c->optional)
			continue;
		pk_column_put(c, *pk_column_at(b->p, t, c), row, *value++);
		count--;
	}
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

void pk_build_period(struct pk_builder *b, int64_t value)
{
	b->period = value;
}

void pk_build_cell(struct pk_builder *b, size_t table, size_t column, uint32_t row, uint64_t value)
{
	const struct pk_table *t = pk_tables;
	const struct pk_column *c;
	void **data;

	while (t->offset != table)
		t++;
	for (c = t->columns; c->offset != column;)
		c++;
	data = pk_column_at(b->p, t, c);
	if (!*data && value != pk_column_default(c))
		pk_builder_column(b, (enum pk_table_id)(t - pk_tables), data);
	if (*data)
		pk_column_put(c, *data, row, value);
}

void pk_build_meta(struct pk_builder *b, const char *key, const char *value)
{
	const uint64_t values[] = {pk_build_text(b, key), pk_build_text(b, value)};

	pk_builder_put(b, PK_TABLE_META, values, 2);
}

void pk_build_derived(struct pk_builder *b, const char *key, const char *value)
{
	pk_build_meta(b, key, value);
	pk_build_set(b, meta, derived, b->p->meta.count - 1, true);
}

void pk_build_processors(struct pk_builder *b, const char *text)
{
	long n = strtol(text + strcspn(text, "0123456789"), NULL, 10);

	if (n > 0 && n < INT32_MAX)
		pk_build_set(b, run, processors, 1, n);
}

void pk_builder_set_strict(struct pk_builder *b, bool strict)
{
	b->strict = strict;
}

bool pk_builder_is_ordered(const struct pk_builder *b)
{
	return b->ordered;
}

void pk_builder_set_ordered(struct pk_builder *b, bool ordered)
{
	b->ordered = ordered;
}

void pk_builder_set_wanted(struct pk_builder *b, unsigned parts)
{
	b->wanted = parts;
}

void pk_builder_set_arg_keys(struct pk_builder *b, const char *const *keys)
{
	b->arg_keys = keys;
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

static int repair(struct pk_builder *b, struct pk_error *err, const char *what, int64_t times,
		  const char *fmt, va_list ap)
{
	char place[200];

	vsnprintf(place, sizeof(place), fmt, ap);
	if (b->strict)
		return pk_fail(err, PK_EFORMAT, "%s%s%s", place, *place ? ": " : "", what);
	pk_build_repairs(b, what, times, place);
	return 0;
}

int pk_build_repair(struct pk_builder *b, struct pk_error *err, const char *what, const char *fmt,
		    ...)
{
	va_list ap;
	int status;

	va_start(ap, fmt);
	status = repair(b, err, what, 1, fmt, ap);
	va_end(ap);
	return status;
}

int pk_build_repair_times(struct pk_builder *b, struct pk_error *err, const char *what,
			  int64_t times, const char *fmt, ...)
{
	va_list ap;
	int status;

	va_start(ap, fmt);
	status = times > 0 ? repair(b, err, what, times, fmt, ap) : 0;
	va_end(ap);
	return status;
}

int pk_build_repair_file(struct pk_builder *b, struct pk_error *err, const char *what,
			 int64_t times)
{
	return pk_build_repair_times(b, err, what, times, "%s", "");
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

struct cost_key {
	uint32_t thread, node, metric, labels;
};

static bool cost_is(const struct pk_profile *p, uint32_t row, const struct cost_key *k)
{
	return p->cost.node[row] == k->node && pk_cost_thread(p, row) == k->thread &&
	       pk_cost_metric(p, row) == k->metric && pk_cost_labels(p, row) == k->labels;
}

static uint32_t new_cost(struct pk_builder *b, const struct cost_key *k)
{
	struct pk_cost_table *t = &b->p->cost;
	uint32_t row = pk_builder_row(b, PK_TABLE_COST);

	t->node[row] = k->node;
	t->self[row] = 0;
	if (k->thread) {
		pk_builder_column(b, PK_TABLE_COST, &t->thread);
		t->thread[row] = k->thread;
	}
	if (k->metric != 1)
		pk_build_set(b, cost, metric, row, k->metric);
	if (k->labels)
		pk_build_set(b, cost, labels, row, k->labels);
	return row;
}

/* For call paths that are shared by very many threads. */
static uint32_t hashed_cost(struct pk_builder *b, const struct cost_key *k, uint32_t known)
{
	uint64_t hash = pk_hash_pair((uint64_t)k->node << 32 | k->thread,
				     (uint64_t)k->labels << 32 | k->metric);
	uint32_t *cost = PK_INDEX_FIND(&b->cost_index, hash, id, cost_is(b->p, id, k));

	if (!*cost)
		*cost = known ? known : new_cost(b, k);
	return *cost;
}

static void hash_costs(struct pk_builder *b)
{
	const struct pk_profile *p = b->p;

	for (uint32_t row = 1; row < p->cost.count; row++)
		hashed_cost(b,
			    &(struct cost_key){pk_cost_thread(p, row), p->cost.node[row],
					       pk_cost_metric(p, row), pk_cost_labels(p, row)},
			    row);
}

static void reserve_heads(struct pk_builder *b, uint32_t nodes)
{
	PK_GROW(b->cost_head, nodes, b->cost_head_alloc);
	while (b->cost_head_count < nodes)
		b->cost_head[b->cost_head_count++] = 0;
}

/* Rows of one node are chained: cost_head[node] is the newest, cost_next[row] the one
 * before. Most nodes have one, so cost_next is made for the first that has two. */
static uint32_t find_cost(struct pk_builder *b, const struct cost_key *k)
{
	enum { LONG_CHAIN = 16 };
	uint32_t row, node = k->node, steps = 0;

	if (node >= b->cost_head_count)
		reserve_heads(b, node + 1);
	if (b->cost_index.slot)
		return hashed_cost(b, k, 0);
	for (row = b->cost_head[node]; row; row = b->cost_next ? b->cost_next[row] : 0) {
		if (cost_is(b->p, row, k))
			return row;
		if (++steps == LONG_CHAIN) {
			hash_costs(b);
			return hashed_cost(b, k, 0);
		}
	}
	row = new_cost(b, k);
	if (b->cost_next || b->cost_head[node]) {
		PK_GROW_ZERO(b->cost_next, (size_t)row + 1, b->cost_next_alloc);
		b->cost_next[row] = b->cost_head[node];
	}
	b->cost_head[node] = row;
	return row;
}

/* Adds a value to a sum of the metric; `first`: there is none yet at this place. For a state,
 * values of different places are added, and `later` values of one place replace it. */
static bool add_value(const struct pk_builder *b, uint32_t metric, int64_t *sum, int64_t value,
		      bool first, bool later)
{
	enum pk_aggregate how = pk_metric_aggregate(b->p, metric);

	if (how == PK_AGGREGATE_SUM || (how == PK_AGGREGATE_LAST && !later))
		return pk_add_saturated(sum, value);
	if (how == PK_AGGREGATE_LAST || first || value > *sum)
		*sum = value;
	return false;
}

bool pk_builder_add_cost(struct pk_builder *b, const struct pk_cost *cost)
{
	struct cost_key key = {cost->thread, cost->node, cost->metric, cost->labels};
	uint32_t before = b->p->cost.count, row = find_cost(b, &key);
	struct pk_cost_table *t = &b->p->cost;
	bool cut =
		add_value(b, cost->metric, &t->self[row], cost->self, row >= before, cost->later);

	if (cost->calls != PK_NULL) {
		pk_builder_column(b, PK_TABLE_COST, &t->calls);
		cut |= pk_add_known(&t->calls[row], cost->calls);
	}
	b->cut += cut;
	return cut;
}

bool pk_build_cost(struct pk_builder *b, uint32_t thread, uint32_t node, uint32_t metric,
		   int64_t self, int64_t calls)
{
	return pk_build_cost_of(b, &(struct pk_cost){.thread = thread,
						     .node = node,
						     .metric = metric,
						     .self = self,
						     .calls = calls});
}

bool pk_build_cost_of(struct pk_builder *b, const struct pk_cost *cost)
{
	uint32_t sample;

	if (b->ordered) {
		sample = pk_build_sample(b, PK_NULL, cost->thread, cost->node, cost->metric,
					 cost->self);
		if (cost->labels)
			pk_build_set(b, sample, labels, sample, cost->labels);
	}
	return pk_builder_add_cost(b, cost);
}

static bool fits(int64_t value, int64_t factor)
{
	int64_t product;

	return !__builtin_mul_overflow(value, factor, &product);
}

/* Multiplies all values of the metric, which saturate; check: only says whether they fit then. */
static bool multiply(struct pk_builder *b, uint32_t metric, int64_t factor, bool check)
{
	struct pk_profile *p = b->p;

	for (const struct pk_table *t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++) {
		const uint32_t *metrics = pk_table_metrics(p, t);

		for (int k = 0; k < t->column_count; k++) {
			int64_t *value = *pk_column_at(p, t, &t->columns[k]);

			if (t->columns[k].unit != PK_AMOUNT || !value)
				continue;
			for (uint32_t row = 1; row < pk_table_rows(p, t); row++) {
				if ((metrics ? metrics[row] : 1) != metric || value[row] == PK_NULL)
					continue;
				if (check && !fits(value[row], factor))
					return false;
				if (!check) {
					b->cut += !fits(value[row], factor);
					value[row] = pk_mul_saturated(value[row], factor);
				}
			}
		}
	}
	return true;
}

static bool refine(struct pk_builder *b, uint32_t metric, int exponent, bool exactly)
{
	struct pk_profile *p = b->p;
	int64_t factor = 1;
	int i, old = p->metric.exponent[metric];

	if (exponent <= old)
		return true;
	for (i = old; i < exponent; i++)
		factor *= 10;
	if (exactly && !multiply(b, metric, factor, true))
		return false;
	multiply(b, metric, factor, false);
	if (pk_metric_period(p, metric) != PK_NULL)
		p->metric.period[metric] = pk_mul_saturated(p->metric.period[metric], factor);
	p->metric.exponent[metric] = (uint8_t)exponent;
	return true;
}

bool pk_build_metric_refine(struct pk_builder *b, uint32_t metric, int exponent)
{
	return exponent <= 18 && refine(b, metric, exponent, true);
}

void pk_builder_refine(struct pk_builder *b, uint32_t metric, int exponent)
{
	refine(b, metric, exponent, false);
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
	if (edge->line)
		pk_build_set(b, edge, line, row, edge->line);
	if (!isnan(edge->self_raw) || !isnan(edge->total_raw)) {
		pk_builder_column(b, PK_TABLE_EDGE, &t->self_raw);
		pk_builder_column(b, PK_TABLE_EDGE, &t->total_raw);
		t->self_raw[row] = edge->self_raw;
		t->total_raw[row] = edge->total_raw;
	}
}

uint32_t pk_build_sample(struct pk_builder *b, int64_t time, uint32_t thread, uint32_t node,
			 uint32_t metric, int64_t value)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_SAMPLE);
	struct pk_sample_table *t = &b->p->sample;

	t->time[row] = time;
	t->thread[row] = thread;
	t->node[row] = node;
	if (metric != 1) {
		pk_builder_column(b, PK_TABLE_SAMPLE, &t->metric);
		t->metric[row] = metric;
	}
	t->value[row] = value;
	return row;
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

void pk_build_value(struct pk_builder *b, const struct pk_value *value)
{
	uint32_t row = pk_builder_row(b, PK_TABLE_VALUE);
	struct pk_value_table *t = &b->p->value;

	t->node[row] = value->node;
	t->value[row] = value->value;
	if (value->metric != 1)
		pk_build_set(b, value, metric, row, value->metric);
	if (value->thread)
		pk_build_set(b, value, thread, row, value->thread);
	if (value->iterations != PK_NULL)
		pk_build_set(b, value, iterations, row, value->iterations);
	if (value->warmup)
		pk_build_set(b, value, warmup, row, true);
}

static void fill(uint32_t *column, uint32_t value, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		column[i] = value;
}

void pk_build_values(struct pk_builder *b, uint32_t node, uint32_t metric, uint32_t thread,
		     const double *value, uint32_t count)
{
	uint32_t first = pk_builder_rows(b, PK_TABLE_VALUE, count);
	struct pk_value_table *t = &b->p->value;

	fill(t->node + first, node, count);
	for (uint32_t i = 0; b->optionals[PK_TABLE_VALUE] && i < count; i++)
		fill_optional(b, PK_TABLE_VALUE, first + i);
	if (t->metric || metric != 1) {
		pk_builder_column(b, PK_TABLE_VALUE, &t->metric);
		fill(t->metric + first, metric, count);
	}
	if (t->thread || thread) {
		pk_builder_column(b, PK_TABLE_VALUE, &t->thread);
		fill(t->thread + first, thread, count);
	}
	memcpy(t->value + first, value, count * sizeof(*value));
}

uint32_t pk_build_span(struct pk_builder *b, int64_t time, int64_t duration, uint32_t thread,
		       uint32_t node, uint32_t category)
{
	struct pk_span_table *t = &b->p->span;
	bool room = t->count > 1 && t->count < b->alloc[PK_TABLE_SPAN];
	uint32_t row = room && !b->optionals[PK_TABLE_SPAN] ? t->count++
							    : pk_builder_row(b, PK_TABLE_SPAN);

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
	const uint64_t value[] = {(uint64_t)time, thread, name, category};

	pk_builder_put(b, PK_TABLE_INSTANT, value, 4);
}

void pk_build_counter(struct pk_builder *b, int64_t time, uint32_t process, uint32_t name,
		      uint32_t series, double value)
{
	const uint64_t values[] = {(uint64_t)time, process, name, series};
	uint32_t row = pk_builder_put(b, PK_TABLE_COUNTER, values, 4);

	b->p->counter.value[row] = value;
}

void pk_build_flow(struct pk_builder *b, uint32_t from, uint32_t to, uint32_t category)
{
	pk_builder_put(b, PK_TABLE_FLOW, (const uint64_t[]){from, to, category}, 3);
}

void pk_build_source(struct pk_builder *b, uint32_t file, uint32_t text)
{
	pk_builder_put(b, PK_TABLE_SOURCE, (const uint64_t[]){file, text}, 2);
}

void pk_builder_shift(struct pk_builder *b, const uint32_t *from, const uint32_t *to, int64_t ns)
{
	for (int i = 0; i < PK_TABLE_COUNT; i++) {
		const struct pk_table *t = &pk_tables[i];
		uint32_t end = to ? to[i] : pk_table_rows(b->p, t), row;

		for (int k = 0; k < t->column_count; k++) {
			int64_t *time = *pk_column_at(b->p, t, &t->columns[k]);

			if (t->columns[k].unit != PK_MOMENT || !time)
				continue;
			for (row = from ? from[i] : 1; row < end; row++)
				if (time[row] != PK_NULL)
					pk_add_saturated(&time[row], ns);
		}
	}
}

/* Extends [*first, *last] by the times of a column, and by the ends of spans if there are
 * durations. */
static void find_ends(const int64_t *time, const int64_t *duration, uint32_t rows, int64_t *first,
		      int64_t *last)
{
	int64_t least = *first, most = *last;

	for (uint32_t row = 1; row < rows; row++) {
		int64_t end = time[row];

		if (end == PK_NULL)
			continue;
		least = end < least ? end : least;
		if (duration)
			pk_add_known(&end, duration[row]);
		most = end > most ? end : most;
	}
	*first = least;
	*last = most;
}

/* The first and the last of all times, with the ends of spans if they are known; false if there are
 * none. */
static bool find_moments(const struct pk_profile *p, bool ends, int64_t *first, int64_t *last)
{
	*first = INT64_MAX;
	*last = INT64_MIN;
	for (const struct pk_table *t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++) {
		const int64_t *duration =
			ends && t == &pk_tables[PK_TABLE_SPAN] ? p->span.duration : NULL;
		uint32_t rows = pk_table_rows(p, t);

		for (int k = 0; k < t->column_count; k++) {
			const int64_t *time = *pk_column_at(p, t, &t->columns[k]);

			if (t->columns[k].unit == PK_MOMENT && time)
				find_ends(time, duration, rows, first, last);
		}
	}
	return *first != INT64_MAX;
}

int64_t pk_build_times_from_first(struct pk_builder *b)
{
	int64_t first, last;

	if (!find_moments(b->p, false, &first, &last))
		return PK_NULL;
	if (first)
		pk_builder_shift(b, NULL, NULL, -first);
	return first;
}

int64_t pk_build_last_time(const struct pk_builder *b)
{
	int64_t first, last;

	return find_moments(b->p, true, &first, &last) && last > 0 ? last : 0;
}

/* Paths of samples are all over the memory: what is known of them is asked for in advance. */
static void cost_from_samples(struct pk_builder *b)
{
	enum { AHEAD = 16 };
	const struct pk_sample_table *t = &b->p->sample;

	b->ordered = false; /* the samples are there */
	reserve_heads(b, b->p->node.count);
	for (uint32_t i = 1; i < t->count; i++) {
		if (i + AHEAD < t->count)
			__builtin_prefetch(&b->cost_head[t->node[i + AHEAD]]);
		if (t->node[i])
			pk_builder_add_cost(
				b, &(struct pk_cost){.thread = t->thread[i],
						     .node = t->node[i],
						     .metric = pk_sample_metric(t, i),
						     .labels = t->labels ? t->labels[i] : 0,
						     .self = t->value[i],
						     .calls = PK_NULL,
						     .later = true});
	}
}

struct pk_profile *pk_builder_finish(struct pk_builder *b)
{
	struct pk_profile *p;

	if (b->p->cost.count == 1)
		cost_from_samples(b);
	if (b->p->value.count > 1)
		pk_builder_means(b);
	if (b->period != PK_NULL && b->p->metric.count > 1)
		pk_build_set(b, metric, period, 1, b->period);
	p = b->p;
	b->p = NULL;
	pk_builder_free(b);
	return p;
}
