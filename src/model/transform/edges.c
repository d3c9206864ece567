/*
 * Copies caller edges; those that become equal are added up, without the calls within what became
 * one function.
 */
#include "model/transform/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/internal.h"

enum { MOST_KEYS = 8 };

/* Rows of a profile that are added to a builder. */
struct added {
	struct pk_edges *edges;
	struct pk_copy *copy;
	const struct pk_column *key[MOST_KEYS];
	const uint32_t *data[MOST_KEYS]; /* of the builder; NULL: absent */
	uint64_t *value[MOST_KEYS]; /* by place in the list of rows, as they are in the builder */
	int keys;
	uint32_t before;          /* rows that the builder had */
	uint32_t *fresh, freshes; /* places of those that have no equal */
};

static const struct pk_table *const table = &pk_tables[PK_TABLE_EDGE];

static uint64_t *values(struct pk_copy *copy, const struct pk_column *c, const uint32_t *rows,
			uint32_t count)
{
	uint64_t *value = pk_malloc(pk_mul(count + 1, sizeof(*value)));

	pk_copy_values(copy, PK_TABLE_EDGE, c, rows, count, value);
	return value;
}

static bool is_equal(const struct added *a, uint32_t row, uint32_t place)
{
	for (int k = 0; k < a->keys; k++) {
		uint64_t value = row >= a->before ? a->value[k][a->fresh[row - a->before]]
				 : a->data[k]     ? a->data[k][row]
						  : 0;

		if (value != a->value[k][place])
			return false;
	}
	return true;
}

/* The equal edge, or a new one. Runs of one program have most of their edges in the same order, so
 * the one after the last, `next`, is tried first. */
static uint32_t find(struct added *a, uint32_t place, uint32_t next)
{
	uint64_t hash = 0;
	uint32_t *known;

	if (next < a->before && is_equal(a, next, place))
		return next;
	/* Columns may be absent, as long as no row has anything in them. */
	for (int k = 0; k < a->keys; k++)
		if (a->value[k][place])
			hash = pk_hash_pair(hash, a->value[k][place] << 8 |
							  (uint64_t)(a->key[k] - table->columns));
	known = PK_INDEX_FIND(&a->edges->index, hash, id, is_equal(a, id, place));
	if (*known)
		return *known;
	*known = a->before + a->freshes;
	a->fresh[a->freshes++] = place;
	return *known;
}

static double sum_of_reals(double sum, double value)
{
	if (isnan(sum))
		return value;
	return isnan(value) ? sum : sum + value;
}

/* Adds the values of a column to the edges to[0..count). */
static void add_column(struct added *a, const struct pk_column *c, const uint32_t *rows,
		       const uint32_t *to, uint32_t count)
{
	void **data = pk_column_at(a->edges->b->p, table, c);
	uint64_t *value;
	double real;
	uint32_t i;

	if (!*pk_column_at(a->copy->p, table, c))
		return;
	if (!*data)
		pk_builder_column(a->edges->b, PK_TABLE_EDGE, data);
	value = values(a->copy, c, rows, count);
	for (i = 0; c->type == PK_COL_I64 && i < count; i++)
		a->edges->b->cut += pk_add_known((int64_t *)*data + to[i], (int64_t)value[i]);
	for (i = 0; c->type == PK_COL_REAL && i < count; i++) {
		memcpy(&real, &value[i], sizeof(real));
		((double *)*data)[to[i]] = sum_of_reals(((double *)*data)[to[i]], real);
	}
	free(value);
}

/* Keys are of 32 bits, sums of 64 or real. */
static void load_keys(struct added *a, const uint32_t *rows, uint32_t count)
{
	const struct pk_column *c;

	for (c = table->columns; c < table->columns + table->column_count; c++) {
		void *there = *pk_column_at(a->edges->b->p, table, c);

		if (c->join != PK_KEY || a->keys == MOST_KEYS ||
		    (!there && !*pk_column_at(a->copy->p, table, c)))
			continue;
		a->value[a->keys] = values(a->copy, c, rows, count);
		a->data[a->keys] = there;
		a->key[a->keys++] = c;
	}
}

static void add_rows(struct pk_edges *edges, struct pk_copy *copy, const uint32_t *rows,
		     uint32_t count)
{
	struct added a = {.edges = edges, .copy = copy, .before = edges->b->p->edge.count};
	uint32_t *row = pk_malloc(pk_mul(count + 1, sizeof(*row))), old = 0, next = 0, i;
	PK_FREED uint32_t *to = pk_malloc(pk_mul(count + 1, sizeof(*to)));

	a.fresh = pk_malloc(pk_mul(count + 1, sizeof(*a.fresh)));
	pk_copy_map_rows(copy, PK_TABLE_EDGE, rows, count);
	load_keys(&a, rows, count);
	for (i = 0; i < count; i++) {
		uint32_t before = a.freshes;

		next = to[old] = find(&a, i, next + 1);
		row[old] = rows[i];
		old += a.freshes == before;
	}
	while (a.keys)
		free(a.value[--a.keys]);
	for (i = 0; i < a.freshes; i++)
		a.fresh[i] = rows[a.fresh[i]];
	pk_copy_append(copy, PK_TABLE_EDGE, a.fresh, a.freshes);
	for (i = 0; old && i < (uint32_t)table->column_count; i++)
		if (table->columns[i].join == PK_SUM)
			add_column(&a, &table->columns[i], row, to, old);
	free(a.fresh);
	free(row);
}

void pk_edges_init(struct pk_edges *edges, struct pk_builder *b)
{
	*edges = (struct pk_edges){.b = b};
}

void pk_edges_release(struct pk_edges *edges)
{
	pk_index_release(&edges->index);
}

void pk_edges_add(struct pk_edges *edges, struct pk_copy *copy)
{
	uint32_t count, *rows = pk_copy_kept(copy, PK_TABLE_EDGE, NULL, &count);

	add_rows(edges, copy, rows, count);
	free(rows);
}

/* The last edge from each line of each caller to each callee, with callers as they are in the
 * builder and callees as they are in the source. */
static uint32_t *last_edges(struct pk_copy *copy, uint32_t *count)
{
	const struct pk_edge_table *t = &copy->p->edge;
	uint32_t *last = pk_malloc(pk_mul(t->count, sizeof(*last))), row, i;
	struct pk_index x = {0};

	*count = 0;
	for (row = 1; row < t->count; row++) {
		uint64_t ends =
			(uint64_t)pk_copy_function(copy, t->caller[row]) << 32 | t->callee[row];
		uint64_t line = t->line ? t->line[row] : 0;
		uint32_t tag = pk_index_tag(pk_hash_pair(ends, line << 32 | t->metric[row])), other;

		pk_index_reserve(&x);
		for (i = tag & x.mask; x.slot[i].id; i = (i + 1) & x.mask) {
			other = last[x.slot[i].id - 1];
			if (x.slot[i].tag == tag && t->callee[other] == t->callee[row] &&
			    t->metric[other] == t->metric[row] &&
			    (!t->line || t->line[other] == line) &&
			    pk_copy_function(copy, t->caller[other]) == ends >> 32)
				break;
		}
		if (!x.slot[i].id)
			pk_index_put(&x, i, tag, ++*count);
		last[x.slot[i].id - 1] = row;
	}
	pk_index_release(&x);
	return last;
}

void pk_edges_add_replacing(struct pk_edges *edges, struct pk_copy *copy)
{
	uint32_t count, *rows = last_edges(copy, &count);

	add_rows(edges, copy, rows, count);
	free(rows);
}

/* Where several functions become one: subtracts calls between them from the total. */
static void subtract_inner(struct pk_edge_table *t, uint32_t whole, struct pk_copy *copy,
			   uint32_t inner)
{
	const struct pk_edge_table *from = &copy->p->edge;
	int64_t total = pk_copy_value(copy, from->metric[inner], from->total[inner]);

	if (t->total[whole] != PK_NULL && total != PK_NULL &&
	    __builtin_sub_overflow(t->total[whole], total, &t->total[whole]))
		t->total[whole] = INT64_MIN + 1;
	if (t->total_raw && from->total_raw && !isnan(from->total_raw[inner]))
		t->total_raw[whole] -= from->total_raw[inner];
}

/* By function and metric of the builder: the edge of the function as a whole, 0 = none. */
static uint32_t *whole_edges(const struct pk_edges *edges)
{
	const struct pk_profile *p = edges->b->p;
	uint32_t *whole = pk_calloc(pk_mul(p->function.count, p->metric.count), sizeof(*whole));

	for (uint32_t i = 1; i < p->edge.count; i++)
		if (!p->edge.caller[i])
			whole[p->edge.callee[i] * p->metric.count + p->edge.metric[i]] = i;
	return whole;
}

static uint32_t whole_of(const uint32_t *whole, const struct pk_edges *edges, struct pk_copy *copy,
			 uint32_t row)
{
	const struct pk_edge_table *t = &copy->p->edge;

	return whole[pk_copy_function(copy, t->callee[row]) * edges->b->p->metric.count +
		     copy->metric[t->metric[row]]];
}

void pk_edges_add_grouped(struct pk_edges *edges, struct pk_copy *copy)
{
	const struct pk_edge_table *t = &copy->p->edge;
	struct pk_edge_table *made = &edges->b->p->edge;
	uint32_t *whole_edge, whole, i;
	int64_t total;

	pk_edges_add(edges, copy);
	whole_edge = whole_edges(edges);
	for (i = 1; i < t->count; i++)
		if (t->caller[i] && t->caller[i] != t->callee[i] &&
		    pk_copy_function(copy, t->caller[i]) == pk_copy_function(copy, t->callee[i]) &&
		    (whole = whole_of(whole_edge, edges, copy, i)))
			subtract_inner(made, whole, copy, i);
	for (i = 1; i < t->count; i++) {
		total = pk_copy_value(copy, t->metric[i], t->total[i]);
		if (t->caller[i] || total == PK_NULL ||
		    !(whole = whole_of(whole_edge, edges, copy, i)))
			continue;
		if (made->total[whole] < total)
			made->total[whole] = total;
		if (made->total_raw && t->total_raw && made->total_raw[whole] < t->total_raw[i])
			made->total_raw[whole] = t->total_raw[i];
	}
	free(whole_edge);
}

void pk_edges_copy(struct pk_copy *copy, void (*add)(struct pk_edges *edges, struct pk_copy *copy))
{
	struct pk_edges edges;

	pk_edges_init(&edges, copy->b);
	add(&edges, copy);
	pk_edges_release(&edges);
}
