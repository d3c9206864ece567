/*
 * Totals of functions, of arcs between them and of call paths; a function counts once in its
 * recursion.
 */
#include "model/totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "base/num/units.h"

void pk_aggregate_add(enum pk_aggregate how, int64_t *sum, int64_t value)
{
	if (how != PK_AGGREGATE_MAX)
		pk_add_saturated(sum, value);
	else if (value > *sum)
		*sum = value;
}

int64_t pk_metric_total(const struct pk_profile *p, uint32_t metric)
{
	enum pk_aggregate how = pk_metric_aggregate(p, metric);
	int64_t total = 0;

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == metric)
			pk_aggregate_add(how, &total, p->cost.self[i]);
	return metric ? total : PK_NULL;
}

static void add_costs(struct pk_tree *tree, const struct pk_profile *p, uint32_t metric)
{
	enum pk_aggregate how = pk_metric_aggregate(p, metric);
	uint32_t i;

	for (i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i];

		if (pk_cost_metric(p, i) != metric)
			continue;
		pk_aggregate_add(how, &tree->self[node], p->cost.self[i]);
		if (tree->calls)
			pk_add_known(&tree->calls[node], p->cost.calls[i]);
	}
}

void pk_tree_init(struct pk_tree *tree, const struct pk_profile *p, uint32_t metric)
{
	enum pk_aggregate how = pk_metric_aggregate(p, metric);
	uint32_t count = p->node.count, i;

	memset(tree, 0, sizeof(*tree));
	tree->count = count;
	tree->self = pk_alloc_zeros(count, sizeof(*tree->self));
	tree->total = pk_malloc(pk_mul(count, sizeof(*tree->total)));
	if (p->cost.calls) {
		tree->calls = pk_malloc(pk_mul(count, sizeof(*tree->calls)));
		for (i = 0; i < count; i++)
			tree->calls[i] = PK_NULL;
	}
	add_costs(tree, p, metric);
	memcpy(tree->total, tree->self, count * sizeof(*tree->total));
	for (i = count - 1; i > 0; i--)
		pk_aggregate_add(how, &tree->total[p->node.parent[i]], tree->total[i]);
}

void pk_tree_link(struct pk_tree *tree, const struct pk_profile *p)
{
	tree->first = pk_calloc(tree->count, sizeof(*tree->first));
	tree->next = pk_calloc(tree->count, sizeof(*tree->next));
	for (uint32_t i = tree->count - 1; i > 0; i--) {
		uint32_t parent = p->node.parent[i];

		tree->next[i] = tree->first[parent];
		tree->first[parent] = i;
	}
}

void pk_tree_release(struct pk_tree *tree)
{
	free(tree->first);
	free(tree->next);
	free(tree->self);
	free(tree->total);
	free(tree->calls);
	memset(tree, 0, sizeof(*tree));
}

bool pk_parts_exceed(const struct pk_profile *p, uint32_t metric)
{
	struct pk_tree tree;
	int64_t sum = 0;
	bool exceed;

	if (!metric || pk_metric_adds_up(p, metric))
		return false;
	pk_tree_init(&tree, p, metric);
	for (uint32_t i = 1; i < tree.count; i++)
		if (!p->node.parent[i])
			pk_add_saturated(&sum, tree.total[i]);
	exceed = sum > tree.total[0];
	pk_tree_release(&tree);
	return exceed;
}

uint32_t pk_tree_walk(const struct pk_tree *tree, const struct pk_profile *p, uint32_t node,
		      int *depth)
{
	if (!node)
		*depth = 0;
	if (tree->first[node]) {
		(*depth)++;
		return tree->first[node];
	}
	while (node && !tree->next[node]) {
		node = p->node.parent[node];
		(*depth)--;
	}
	return node ? tree->next[node] : 0;
}

/* The nodes in the order of a walk through the tree: callers first, siblings in the order of their
 * ids. */
static uint32_t *walk_order(const struct pk_profile *p)
{
	const uint32_t *parent = p->node.parent;
	uint32_t count = p->node.count;
	uint32_t *order = pk_malloc(pk_mul(count, sizeof(*order)));
	/* the size of what is below a node and itself; then where its next child comes */
	PK_FREED uint32_t *place = pk_alloc_zeros(count, sizeof(*place));

	for (uint32_t i = count; i-- > 1;)
		place[parent[i]] += ++place[i];
	place[0] = 0;
	for (uint32_t i = 1; i < count; i++) {
		uint32_t *next = &place[parent[i]], size = place[i];

		order[*next] = i;
		place[i] = *next + 1;
		*next += size;
	}
	return order;
}

/* The nodes of a walk are far apart in memory, so their rows are prefetched. */
void pk_tree_visit(const struct pk_tree *tree, const struct pk_profile *p,
		   void (*enter)(void *, uint32_t), void (*leave)(void *, uint32_t), void *data)
{
	enum { AHEAD = 16 };
	PK_FREED uint32_t *order = walk_order(p);
	const uint32_t *parent = p->node.parent;
	uint32_t last = 0;

	for (uint32_t i = 0; i + 1 < p->node.count; i++) {
		if (i + 1 + AHEAD < p->node.count) {
			uint32_t ahead = order[i + AHEAD];

			__builtin_prefetch(&parent[ahead]);
			__builtin_prefetch(&p->node.location[ahead]);
			__builtin_prefetch(&tree->self[ahead]);
			__builtin_prefetch(&tree->total[ahead]);
		}
		for (; last != parent[order[i]]; last = parent[last])
			leave(data, last);
		last = order[i];
		enter(data, last);
	}
	for (; last; last = parent[last])
		leave(data, last);
}

static struct pk_function_total *function_row(struct pk_functions *f, uint32_t function)
{
	struct pk_function_total *row;

	if (f->of_function[function])
		return &f->row[f->of_function[function] - 1];
	row = &f->row[f->count++];
	*row = (struct pk_function_total){.function = function,
					  .calls = PK_NULL,
					  .primitive_calls = PK_NULL,
					  .self_raw = NAN,
					  .total_raw = NAN};
	f->of_function[function] = f->count;
	return row;
}

static bool functions_from_edges(struct pk_functions *f, const struct pk_profile *p,
				 uint32_t metric)
{
	const struct pk_edge_table *t = &p->edge;
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		struct pk_function_total *row;

		if (t->caller[i] || t->metric[i] != metric)
			continue;
		row = function_row(f, t->callee[i]);
		pk_add_known(&row->calls, t->calls[i]);
		pk_add_known(&row->primitive_calls, t->primitive_calls[i]);
		pk_add_known(&row->self, t->self[i]);
		pk_add_known(&row->total, t->total[i]);
		row->self_raw = t->self_raw ? t->self_raw[i] : NAN;
		row->total_raw = t->total_raw ? t->total_raw[i] : NAN;
		row->self_unknown |= t->self[i] == PK_NULL;
		row->total_unknown |= t->total[i] == PK_NULL;
		pk_add_known(&f->total, t->self[i]);
	}
	return f->count > 0;
}

static struct pk_arc arc_at(const struct pk_edge_table *t, uint32_t row)
{
	return (struct pk_arc){
		.caller = t->caller[row],
		.callee = t->callee[row],
		.calls = t->calls[row],
		.primitive_calls = t->primitive_calls[row],
		.self = t->self[row],
		.total = t->total[row],
		.self_raw = t->self_raw ? t->self_raw[row] : NAN,
		.total_raw = t->total_raw ? t->total_raw[row] : NAN,
	};
}

/* Arcs, which are found by their functions. */
struct arc_list {
	struct pk_arcs *arcs;
	struct pk_index index;
	size_t alloc;
};

static uint32_t arc_of(struct arc_list *w, uint32_t caller, uint32_t callee)
{
	struct pk_arcs *arcs = w->arcs;
	uint32_t *known = PK_INDEX_FIND(&w->index, pk_hash_u64((uint64_t)caller << 32 | callee), id,
					arcs->row[id - 1].caller == caller &&
						arcs->row[id - 1].callee == callee);

	if (*known)
		return *known - 1;
	PK_GROW(arcs->row, arcs->count + 1, w->alloc);
	arcs->row[arcs->count] = (struct pk_arc){.caller = caller,
						 .callee = callee,
						 .calls = PK_NULL,
						 .primitive_calls = PK_NULL,
						 .self_raw = NAN,
						 .total_raw = NAN};
	*known = ++arcs->count;
	return arcs->count - 1;
}

/* Edges that differ only in the line of the call are one arc. So are those of several functions
 * with one name and place. */
static void add_to_arc(struct pk_arc *sum, const struct pk_arc *arc)
{
	pk_add_known(&sum->calls, arc->calls);
	pk_add_known(&sum->primitive_calls, arc->primitive_calls);
	pk_add_known(&sum->self, arc->self);
	pk_add_known(&sum->total, arc->total);
	sum->self_raw += arc->self_raw;
	sum->total_raw += arc->total_raw;
}

static void arcs_from_edges(struct pk_arcs *arcs, const struct pk_profile *p, uint32_t metric)
{
	const struct pk_edge_table *t = &p->edge;
	struct arc_list w = {.arcs = arcs};
	uint32_t i, before, id;

	for (i = 1; i < t->count; i++) {
		struct pk_arc arc = arc_at(t, i);

		if (!t->caller[i] || t->metric[i] != metric)
			continue;
		before = arcs->count;
		id = arc_of(&w, arc.caller, arc.callee);
		if (id < before)
			add_to_arc(&arcs->row[id], &arc);
		else
			arcs->row[id] = arc;
	}
	pk_index_release(&w.index);
}

/* Adds up functions, arcs or both along the paths. */
struct walk {
	enum pk_aggregate how;
	const struct pk_profile *p;
	const struct pk_tree *tree;
	struct pk_functions *functions; /* NULL: not asked for */
	uint32_t *open;                 /* per function: number of times on the current path */
	struct arc_list arcs;           /* arcs.arcs is NULL: not asked for */
	struct walk_step {
		uint32_t function, arc;
	} * path;
	size_t depth, alloc;
};

static void enter_function(struct walk *w, uint32_t node, uint32_t function)
{
	struct pk_function_total *row = function_row(w->functions, function);
	bool outermost = !w->open[function]++;

	pk_aggregate_add(w->how, &row->self, w->tree->self[node]);
	row->estimated |= pk_node_estimated(w->p, node);
	if (outermost)
		pk_aggregate_add(w->how, &row->total, w->tree->total[node]);
	if (!w->tree->calls)
		return;
	pk_add_known(&row->calls, w->tree->calls[node]);
	if (outermost)
		pk_add_known(&row->primitive_calls, w->tree->calls[node]);
}

static uint32_t enter_arc(struct walk *w, uint32_t node, uint32_t caller, uint32_t callee)
{
	uint32_t id = arc_of(&w->arcs, caller, callee);
	struct pk_arc *arc = &w->arcs.arcs->row[id];
	bool outermost = !arc->open++;

	pk_aggregate_add(w->how, &arc->self, w->tree->self[node]);
	arc->estimated |= pk_node_estimated(w->p, node);
	if (outermost)
		pk_aggregate_add(w->how, &arc->total, w->tree->total[node]);
	if (!w->tree->calls)
		return id;
	pk_add_known(&arc->calls, w->tree->calls[node]);
	if (outermost)
		pk_add_known(&arc->primitive_calls, w->tree->calls[node]);
	return id;
}

static void enter(void *data, uint32_t node)
{
	struct walk *w = data;
	uint32_t function = pk_node_function(w->p, node), arc = 0;

	if (w->functions)
		enter_function(w, node, function);
	if (w->arcs.arcs && w->depth)
		arc = enter_arc(w, node, w->path[w->depth - 1].function, function);
	PK_GROW(w->path, w->depth + 1, w->alloc);
	w->path[w->depth++] = (struct walk_step){function, arc};
}

static void leave(void *data, uint32_t node)
{
	struct walk *w = data;
	const struct walk_step *step = &w->path[--w->depth];

	(void)node;
	if (w->functions)
		w->open[step->function]--;
	if (w->arcs.arcs && w->depth)
		w->arcs.arcs->row[step->arc].open--;
}

static void walk_paths(struct pk_functions *f, struct pk_arcs *arcs, const struct pk_profile *p,
		       uint32_t metric, const struct pk_tree *tree)
{
	struct walk w = {.how = pk_metric_aggregate(p, metric),
			 .p = p,
			 .functions = f,
			 .arcs = {.arcs = arcs}};
	struct pk_tree made;

	if (!tree)
		pk_tree_init(&made, p, metric);
	w.tree = tree ? tree : &made;
	w.open = f ? pk_calloc(p->function.count, sizeof(*w.open)) : NULL;
	pk_tree_visit(w.tree, p, enter, leave, &w);
	if (f)
		f->total = w.tree->total[0];
	if (!tree)
		pk_tree_release(&made);
	pk_index_release(&w.arcs.index);
	free(w.open);
	free(w.path);
}

void pk_totals_of(struct pk_functions *f, struct pk_arcs *arcs, const struct pk_profile *p,
		  uint32_t metric, const struct pk_tree *tree)
{
	bool has_edges = p->edge.count > 1;

	if (f) {
		memset(f, 0, sizeof(*f));
		f->row = pk_malloc(pk_mul(p->function.count, sizeof(*f->row)));
		f->of_function = pk_calloc(p->function.count, sizeof(*f->of_function));
		if (functions_from_edges(f, p, metric))
			f = NULL;
	}
	if (arcs)
		memset(arcs, 0, sizeof(*arcs));
	if (arcs && has_edges) {
		arcs_from_edges(arcs, p, metric);
		arcs = NULL;
	}
	if (f || arcs)
		walk_paths(f, arcs, p, metric, tree);
}

void pk_functions_init(struct pk_functions *f, const struct pk_profile *p, uint32_t metric)
{
	pk_totals_of(f, NULL, p, metric, NULL);
}

void pk_functions_release(struct pk_functions *f)
{
	free(f->row);
	free(f->of_function);
	memset(f, 0, sizeof(*f));
}

void pk_arcs_init(struct pk_arcs *arcs, const struct pk_profile *p, uint32_t metric)
{
	pk_totals_of(NULL, arcs, p, metric, NULL);
}

void pk_arcs_release(struct pk_arcs *arcs)
{
	free(arcs->row);
	memset(arcs, 0, sizeof(*arcs));
}
