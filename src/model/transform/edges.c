#include "model/transform/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"

void pk_edges_init(struct pk_edges *edges)
{
	memset(edges, 0, sizeof(*edges));
}

void pk_edges_release(struct pk_edges *edges)
{
	free(edges->row);
	pk_index_release(&edges->index);
}

static double add_raw(double sum, double value)
{
	if (isnan(sum) || isnan(value))
		return isnan(sum) ? value : sum;
	return sum + value;
}

static void add_edge(struct pk_edge *sum, const struct pk_edge *edge)
{
	pk_add_known(&sum->calls, edge->calls);
	pk_add_known(&sum->primitive_calls, edge->primitive_calls);
	pk_add_known(&sum->self, edge->self);
	pk_add_known(&sum->total, edge->total);
	sum->self_raw = add_raw(sum->self_raw, edge->self_raw);
	sum->total_raw = add_raw(sum->total_raw, edge->total_raw);
}

/* Index of the equal edge + 1; if there is none, *at is where it goes. */
static uint32_t find(struct pk_edges *edges, const struct pk_edge *edge, uint32_t *at,
		     uint32_t *tag)
{
	struct pk_index *x = &edges->index;
	uint64_t hash = pk_hash_pair((uint64_t)edge->caller << 32 | edge->callee, edge->metric);
	uint32_t i;

	*tag = pk_index_tag(hash);
	pk_index_reserve(x);
	for (i = *tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		const struct pk_edge *row = &edges->row[x->slot[i].id - 1];

		if (x->slot[i].tag == *tag && row->caller == edge->caller &&
		    row->callee == edge->callee && row->metric == edge->metric)
			break;
	}
	*at = i;
	return x->slot[i].id;
}

static void put(struct pk_edges *edges, const struct pk_edge *edge, bool replace)
{
	uint32_t at, tag, id = find(edges, edge, &at, &tag);

	if (id && replace) {
		edges->row[id - 1] = *edge;
	} else if (id) {
		add_edge(&edges->row[id - 1], edge);
	} else {
		PK_GROW(edges->row, edges->count + 1, edges->alloc);
		edges->row[edges->count++] = *edge;
		pk_index_put(&edges->index, at, tag, (uint32_t)edges->count);
	}
}

void pk_edges_add(struct pk_edges *edges, struct pk_copy *copy)
{
	uint32_t i;

	for (i = 1; i < copy->p->edge.count; i++) {
		struct pk_edge edge = pk_copy_edge(copy, i);

		put(edges, &edge, false);
	}
}

void pk_edges_add_replacing(struct pk_edges *edges, struct pk_copy *copy)
{
	struct pk_edges one; /* callees are still those of the source */
	size_t k;
	uint32_t i;

	pk_edges_init(&one);
	for (i = 1; i < copy->p->edge.count; i++) {
		struct pk_edge edge = pk_copy_edge(copy, i);

		edge.callee = copy->p->edge.callee[i];
		put(&one, &edge, true);
	}
	for (k = 0; k < one.count; k++) {
		one.row[k].callee = pk_copy_function(copy, one.row[k].callee);
		put(edges, &one.row[k], false);
	}
	pk_edges_release(&one);
}

/* Takes what one of several functions that are one now called of another from their total. */
static void subtract_inner(struct pk_edge *whole, const struct pk_edge *inner)
{
	if (whole->total != PK_NULL && inner->total != PK_NULL &&
	    __builtin_sub_overflow(whole->total, inner->total, &whole->total))
		whole->total = INT64_MIN + 1;
	whole->total_raw -= isnan(inner->total_raw) ? 0 : inner->total_raw;
}

static struct pk_edge *whole_of(struct pk_edges *edges, const struct pk_edge *edge)
{
	struct pk_edge key = {.callee = edge->callee, .metric = edge->metric};
	uint32_t at, tag, id = find(edges, &key, &at, &tag);

	return id ? &edges->row[id - 1] : NULL;
}

void pk_edges_add_grouped(struct pk_edges *edges, struct pk_copy *copy)
{
	const struct pk_edge_table *t = &copy->p->edge;
	struct pk_edge *whole, edge;
	uint32_t i;

	pk_edges_add(edges, copy);
	for (i = 1; i < t->count; i++) {
		edge = pk_copy_edge(copy, i);
		if (t->caller[i] && t->caller[i] != t->callee[i] && edge.caller == edge.callee &&
		    (whole = whole_of(edges, &edge)))
			subtract_inner(whole, &edge);
	}
	for (i = 1; i < t->count; i++) {
		edge = pk_copy_edge(copy, i);
		if (edge.caller || edge.total == PK_NULL || !(whole = whole_of(edges, &edge)))
			continue;
		if (whole->total < edge.total)
			whole->total = edge.total;
		if (whole->total_raw < edge.total_raw)
			whole->total_raw = edge.total_raw;
	}
}

void pk_edges_build(const struct pk_edges *edges, struct pk_builder *b)
{
	size_t i;

	for (i = 0; i < edges->count; i++)
		pk_build_edge(b, &edges->row[i]);
}
