/*
 * A call tree for profiles that know, for each function, only its direct callers
 * (pstats, callgrind, gprof). Which caller's caller a function's time belongs to
 * is not in such a file; this is the rule by which it is guessed:
 *
 *  1. A function is a root if it has no callers, or was called more often than
 *     its callers called it, or if the edges that lead to it, each of which has
 *     some time, account for at most 90% of its total (callgrind: what a new thread
 *     does is no part of the call that starts it); its time there is its total less
 *     what the edges from callers account for.
 *  2. Below a path to F with time T, each callee G of F gets the share that T has
 *     of F's total: T / total(F) * total of the edge F -> G. Callees of one path
 *     never get more than T together.
 *  3. A callee that is on the path already (recursion, cycles) gets no path of
 *     its own there.
 *  4. Paths are followed from the largest time down, while that time is at least
 *     1/100,000 of the whole, and until the limit of nodes is reached. A function
 *     that has time of its own and was not reached becomes a root (a cycle
 *     without a caller: from its largest member).
 *  5. A function's exact self is divided among its paths in proportion to their
 *     times, in whole units by largest remainder, so that it is conserved.
 *
 * Every node made here is marked estimated.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/totals.h"
#include "model/transform/transform.h"

#define DEFAULT_NODES 1000000
#define SMALLEST_SHARE 1e-5

struct branch { /* a callee of a function */
	uint32_t callee;
	double total;
};

struct path { /* a node that is being made */
	double time;
	uint32_t node, function, order;
};

struct estimator {
	const struct pk_profile *p;
	struct pk_builder *b;
	struct pk_copy *copy;
	struct pk_functions functions;
	uint32_t *first; /* function -> its first branch; one more at the end */
	struct branch *branch;
	double *called_total;  /* per function: what edges from other functions account for */
	int64_t *called_calls; /* per function: calls from all callers */
	uint8_t *called;       /* per function: has callers other than itself */
	uint8_t *untimed;      /* per function: is called by an edge without time, as in cycles */
	uint32_t *nodes_of;    /* function -> how many paths end in it */
	struct path *heap;
	size_t heap_count, heap_alloc;
	double *time; /* per node made */
	size_t time_alloc;
	double smallest;
	uint32_t limit, order;
};

static const struct pk_function_total *function_of(const struct estimator *e, uint32_t function)
{
	uint32_t row = e->functions.of_function[function];

	return row ? &e->functions.row[row - 1] : NULL;
}

/* The total of an arc; where the file gives calls alone, by the share of calls. */
static double arc_total(const struct estimator *e, const struct pk_arc *arc)
{
	const struct pk_function_total *callee = function_of(e, arc->callee);

	if (arc->total != PK_NULL)
		return arc->total > 0 ? (double)arc->total : 0;
	if (!callee || arc->calls == PK_NULL || callee->calls <= 0)
		return 0;
	return (double)callee->total * (double)arc->calls / (double)callee->calls;
}

static void collect_branches(struct estimator *e)
{
	uint32_t functions = e->p->function.count, i, *fill;
	struct pk_arcs arcs;

	pk_arcs_init(&arcs, e->p, 1);
	e->first = pk_calloc((size_t)functions + 1, sizeof(*e->first));
	e->branch = pk_malloc(pk_mul((size_t)arcs.count + 1, sizeof(*e->branch)));
	e->called_total = pk_calloc(functions, sizeof(*e->called_total));
	e->called_calls = pk_calloc(functions, sizeof(*e->called_calls));
	e->called = pk_calloc(functions, 1);
	e->untimed = pk_calloc(functions, 1);
	for (i = 0; i < arcs.count; i++)
		e->first[arcs.row[i].caller + 1]++;
	for (i = 0; i < functions; i++)
		e->first[i + 1] += e->first[i];
	fill = pk_malloc(pk_mul(functions, sizeof(*fill)));
	memcpy(fill, e->first, functions * sizeof(*fill));
	for (i = 0; i < arcs.count; i++) {
		const struct pk_arc *arc = &arcs.row[i];

		e->branch[fill[arc->caller]++] = (struct branch){arc->callee, arc_total(e, arc)};
		if (arc->calls != PK_NULL)
			pk_add_saturated(&e->called_calls[arc->callee], arc->calls);
		if (arc->caller == arc->callee)
			continue;
		e->called[arc->callee] = 1;
		e->untimed[arc->callee] |= arc->total == PK_NULL || arc->total <= 0;
		e->called_total[arc->callee] += arc_total(e, arc);
	}
	free(fill);
	pk_arcs_release(&arcs);
}

/* A binary heap: the path with the most time first, the older one among equals. */
static bool before(const struct path *a, const struct path *b)
{
	return a->time > b->time || (a->time == b->time && a->order < b->order);
}

static void push(struct estimator *e, struct path path)
{
	size_t i = e->heap_count;

	PK_GROW(e->heap, e->heap_count + 1, e->heap_alloc);
	e->heap_count++;
	for (; i && before(&path, &e->heap[(i - 1) / 2]); i = (i - 1) / 2)
		e->heap[i] = e->heap[(i - 1) / 2];
	e->heap[i] = path;
}

static struct path pop(struct estimator *e)
{
	struct path top = e->heap[0], last = e->heap[--e->heap_count];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < e->heap_count) {
		if (child + 1 < e->heap_count && before(&e->heap[child + 1], &e->heap[child]))
			child++;
		if (!before(&e->heap[child], &last))
			break;
		e->heap[i] = e->heap[child];
		i = child;
	}
	e->heap[i] = last;
	return top;
}

/* Makes the path parent -> function and has it followed later. */
static void add_path(struct estimator *e, uint32_t parent, uint32_t function, double time)
{
	uint32_t node = pk_build_node(e->b, parent,
				      pk_build_place(e->b, pk_copy_function(e->copy, function), 0));

	PK_GROW_ZERO(e->time, (size_t)node + 1, e->time_alloc);
	pk_build_node_estimated(e->b, node);
	e->time[node] += time;
	e->nodes_of[function]++;
	push(e, (struct path){time, node, function, e->order++});
}

static bool is_on_path(const struct estimator *e, uint32_t node, uint32_t function)
{
	const struct pk_profile *made = pk_builder_profile(e->b);
	uint32_t wanted = pk_copy_function(e->copy, function);

	if (!e->nodes_of[function])
		return false;
	while (node && pk_node_function(made, node) != wanted)
		node = made->node.parent[node];
	return node != 0;
}

static bool is_full(const struct estimator *e)
{
	return pk_builder_profile(e->b)->node.count > e->limit;
}

static void follow(struct estimator *e, const struct path *path)
{
	const struct pk_function_total *f = function_of(e, path->function);
	double ratio, sum = 0, time;
	uint32_t i;

	if (!f || f->total <= 0)
		ratio = 0;
	else
		ratio = path->time / (double)f->total;
	for (i = e->first[path->function]; i < e->first[path->function + 1]; i++)
		if (!is_on_path(e, path->node, e->branch[i].callee))
			sum += e->branch[i].total * ratio;
	if (sum > path->time)
		ratio *= path->time / sum;
	for (i = e->first[path->function]; i < e->first[path->function + 1]; i++) {
		uint32_t callee = e->branch[i].callee;

		time = e->branch[i].total * ratio;
		if ((time < e->smallest || is_full(e)) && e->nodes_of[callee])
			continue;
		if (!is_on_path(e, path->node, callee))
			add_path(e, path->node, callee, time);
	}
}

static void follow_all(struct estimator *e)
{
	while (e->heap_count) {
		struct path path = pop(e);

		follow(e, &path);
	}
}

static void add_roots(struct estimator *e)
{
	uint32_t i;

	for (i = 0; i < e->functions.count; i++) {
		const struct pk_function_total *f = &e->functions.row[i];
		double time = (double)f->total;

		if (e->called[f->function]) {
			bool often = f->calls != PK_NULL && f->calls > e->called_calls[f->function];

			time -= e->called_total[f->function];
			if (time <= 0 ||
			    !(often || (time >= (double)f->total / 10 && !e->untimed[f->function])))
				continue;
		}
		add_path(e, 0, f->function, time > 0 ? time : 0);
	}
	follow_all(e);
}

PK_COMPARE(by_total, struct pk_function_total *const,
	   PK_ORDER((*b)->total, (*a)->total) ?: PK_ORDER(*a, *b))

/* Adds functions that no root leads to: cycles without a caller, and functions whose callers took
 * no time. */
static void add_unreached(struct estimator *e)
{
	const struct pk_function_total **rest =
		pk_malloc(pk_mul(e->functions.count + 1, sizeof(*rest)));
	size_t count = 0, i;

	for (i = 0; i < e->functions.count; i++)
		if (!e->nodes_of[e->functions.row[i].function] && e->functions.row[i].self)
			rest[count++] = &e->functions.row[i];
	qsort(rest, count, sizeof(*rest), by_total);
	for (i = 0; i < count; i++) {
		if (e->nodes_of[rest[i]->function])
			continue;
		add_path(e, 0, rest[i]->function, rest[i]->total > 0 ? (double)rest[i]->total : 0);
		follow_all(e);
	}
	free(rest);
}

struct share {
	uint32_t node;
	int64_t whole;
	double rest;
};

PK_COMPARE(by_rest, struct share, PK_ORDER(b->rest, a->rest) ?: PK_ORDER(a->node, b->node))

/* Divides amount by the times of the nodes; what rounding leaves goes to the largest
 * remainders. One node, or none with time: everything to the first. */
static void divide(const struct estimator *e, struct share *share, uint32_t count, int64_t amount)
{
	double sum = 0, exact;
	int64_t left = amount, step = amount < 0 ? -1 : 1;
	uint32_t i;

	for (i = 0; i < count; i++)
		sum += e->time[share[i].node];
	for (i = 0; i < count; i++) {
		exact = sum > 0 ? (double)amount * (e->time[share[i].node] / sum) : 0;
		/* Near the limits of int64_t, amount as a double may be 1 too large. */
		share[i].whole = fabs(exact) < 0x1p63 ? (int64_t)trunc(exact) : amount;
		share[i].rest = fabs(exact - trunc(exact));
		left -= share[i].whole;
	}
	if (sum <= 0) {
		share[0].whole += left;
		return;
	}
	qsort(share, count, sizeof(*share), by_rest);
	for (i = 0; left * step > 0 && i < count; i++, left -= step)
		share[i].whole += step;
	/* Doubles are not exact beyond 2^53: the largest path takes the difference. */
	share[0].whole += left;
}

/* Nodes in the order of their functions: a counting sort. */
static uint32_t *nodes_by_function(const struct pk_profile *made, uint32_t **first)
{
	uint32_t functions = made->function.count, i, *sorted, *fill;

	*first = pk_calloc((size_t)functions + 1, sizeof(**first));
	for (i = 1; i < made->node.count; i++)
		(*first)[pk_node_function(made, i) + 1]++;
	for (i = 0; i < functions; i++)
		(*first)[i + 1] += (*first)[i];
	fill = pk_malloc(pk_mul(functions, sizeof(*fill)));
	memcpy(fill, *first, functions * sizeof(*fill));
	sorted = pk_malloc(pk_mul(made->node.count, sizeof(*sorted)));
	for (i = 1; i < made->node.count; i++)
		sorted[fill[pk_node_function(made, i)]++] = i;
	free(fill);
	return sorted;
}

static void divide_metric(struct estimator *e, uint32_t metric, const uint32_t *sorted,
			  const uint32_t *first, struct share *share)
{
	struct pk_functions f;
	uint32_t i, k, function, count;

	pk_functions_init(&f, e->p, metric);
	for (i = 0; i < f.count; i++) {
		function = pk_copy_function(e->copy, f.row[i].function);
		count = first[function + 1] - first[function];
		if (!count || !f.row[i].self)
			continue;
		for (k = 0; k < count; k++)
			share[k].node = sorted[first[function] + k];
		divide(e, share, count, f.row[i].self);
		for (k = 0; k < count; k++)
			if (share[k].whole)
				pk_build_cost(e->b, 0, share[k].node, e->copy->metric[metric],
					      share[k].whole, PK_NULL);
	}
	pk_functions_release(&f);
}

static void divide_self(struct estimator *e)
{
	const struct pk_profile *made = pk_builder_profile(e->b);
	uint32_t *first, *sorted = nodes_by_function(made, &first), m;
	PK_FREED struct share *share = pk_malloc(pk_mul(made->node.count, sizeof(*share)));

	for (m = 1; m < e->p->metric.count; m++)
		divide_metric(e, m, sorted, first, share);
	free(sorted);
	free(first);
}

static void release(struct estimator *e)
{
	pk_functions_release(&e->functions);
	free(e->first);
	free(e->branch);
	free(e->called_total);
	free(e->called_calls);
	free(e->called);
	free(e->untimed);
	free(e->nodes_of);
	free(e->heap);
	free(e->time);
}

struct pk_profile *pk_estimate_tree(const struct pk_profile *p, uint32_t max_nodes)
{
	struct pk_copy copy;
	struct estimator e = {.p = p, .b = pk_builder_new(), .copy = &copy};
	uint32_t i;

	pk_copy_init(&copy, e.b, p);
	pk_copy_begin(&copy);
	for (i = 1; i < p->function.count; i++)
		pk_copy_function(&copy, i);
	pk_copy_edges(&copy);
	pk_functions_init(&e.functions, p, 1);
	e.limit = max_nodes ? max_nodes : DEFAULT_NODES;
	e.smallest = (double)e.functions.total * SMALLEST_SHARE;
	e.nodes_of = pk_calloc(p->function.count, sizeof(*e.nodes_of));
	collect_branches(&e);
	add_roots(&e);
	add_unreached(&e);
	divide_self(&e);
	release(&e);
	pk_copy_release(&copy);
	return pk_builder_finish(e.b);
}

const struct pk_profile *pk_with_paths(const struct pk_profile *p, struct pk_profile **estimate)
{
	*estimate = p->edge.count > 1 && !pk_has_paths(p) ? pk_estimate_tree(p, 0) : NULL;
	return *estimate ? *estimate : p;
}
