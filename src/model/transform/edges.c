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
		const void *data = *pk_column_at(a->edges->b->p, table, a->key[k]);
		uint64_t value = row >= a->before ? a->value[k][a->fresh[row - a->before]]
				 : data           ? pk_column_get(a->key[k], data, row)
						  : pk_column_default(a->key[k]);

		if (value != a->value[k][place])
			return false;
	}
	return true;
}

/* The equal edge, or a new one. */
static uint32_t find(struct added *a, uint32_t place)
{
	struct pk_index *x = &a->edges->index;
	uint64_t hash = 0;
	uint32_t tag, i, id;

	for (int k = 0; k < a->keys; k++)
		hash = pk_hash_pair(hash, a->value[k][place]);
	tag = pk_index_tag(hash);
	pk_index_reserve(x);
	for (i = tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && is_equal(a, id, place))
			return id;
	id = a->before + a->freshes;
	a->fresh[a->freshes++] = place;
	pk_index_put(x, i, tag, id);
	return id;
}

static uint64_t sum_of(const struct pk_column *c, uint64_t sum, uint64_t value)
{
	int64_t total = (int64_t)sum;
	double real[2];

	if (c->type != PK_COL_REAL) {
		pk_add_known(&total, (int64_t)value);
		return (uint64_t)total;
	}
	memcpy(&real[0], &sum, sizeof(sum));
	memcpy(&real[1], &value, sizeof(value));
	if (isnan(real[0]))
		return value;
	if (!isnan(real[1]))
		real[0] += real[1];
	memcpy(&sum, &real[0], sizeof(sum));
	return sum;
}

/* Adds the values of a column to the edges to[0..count); those that are new have them. */
static void add_column(struct added *a, const struct pk_column *c, const uint32_t *rows,
		       const uint32_t *to, uint32_t count)
{
	void **data = pk_column_at(a->edges->b->p, table, c);
	uint64_t *value = values(a->copy, c, rows, count);
	uint32_t fresh = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (fresh < a->freshes && a->fresh[fresh] == i) {
			fresh++;
			continue;
		}
		if (!*data && value[i] != pk_column_default(c))
			pk_builder_column(a->edges->b, PK_TABLE_EDGE, data);
		if (*data)
			pk_column_put(c, *data, to[i],
				      sum_of(c, pk_column_get(c, *data, to[i]), value[i]));
	}
	free(value);
}

static void add_rows(struct pk_edges *edges, struct pk_copy *copy, const uint32_t *rows,
		     uint32_t count)
{
	struct added a = {.edges = edges, .copy = copy, .before = edges->b->p->edge.count};
	uint32_t *to = pk_malloc(pk_mul(count + 1, sizeof(*to))), *fresh, i;
	const struct pk_column *c, *end = table->columns + table->column_count;

	a.fresh = pk_malloc(pk_mul(count + 1, sizeof(*a.fresh)));
	pk_copy_map_rows(copy, PK_TABLE_EDGE, rows, count);
	for (c = table->columns; c < end; c++) {
		if (c->join != PK_KEY || a.keys == MOST_KEYS)
			continue;
		a.value[a.keys] = values(copy, c, rows, count);
		a.key[a.keys++] = c;
	}
	for (i = 0; i < count; i++)
		to[i] = find(&a, i);
	fresh = pk_malloc(pk_mul(a.freshes + 1, sizeof(*fresh)));
	for (i = 0; i < a.freshes; i++)
		fresh[i] = rows[a.fresh[i]];
	pk_copy_append(copy, PK_TABLE_EDGE, fresh, a.freshes);
	for (c = table->columns; c < end && a.freshes < count; c++)
		if (c->join == PK_SUM)
			add_column(&a, c, rows, to, count);
	for (i = 0; i < (uint32_t)a.keys; i++)
		free(a.value[i]);
	free(fresh);
	free(a.fresh);
	free(to);
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

/* The last edge of the source from each caller, as it is now, to each callee, as it was. */
static uint32_t *last_edges(struct pk_copy *copy, uint32_t *count)
{
	const struct pk_edge_table *t = &copy->p->edge;
	uint32_t *last = pk_malloc(pk_mul(t->count, sizeof(*last))), row, i;
	struct pk_index x = {0};

	*count = 0;
	for (row = 1; row < t->count; row++) {
		uint64_t ends =
			(uint64_t)pk_copy_function(copy, t->caller[row]) << 32 | t->callee[row];
		uint32_t tag = pk_index_tag(pk_hash_pair(ends, t->metric[row])), other;

		pk_index_reserve(&x);
		for (i = tag & x.mask; x.slot[i].id; i = (i + 1) & x.mask) {
			other = last[x.slot[i].id - 1];
			if (x.slot[i].tag == tag && t->callee[other] == t->callee[row] &&
			    t->metric[other] == t->metric[row] &&
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

/* Takes what one of several functions that are one now called of another from their total. */
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
