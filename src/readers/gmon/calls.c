/*
 * Calls of functions, and the times that they hand to what called them, as gprof does: a function's
 * own time and that below it is divided among its callers in proportion to their calls. Functions
 * that call each other are a cycle, whose time goes to what called it from outside.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "readers/gmon/internal.h"

PK_COMPARE(by_functions, struct gmon_arc,
	   PK_ORDER(a->caller, b->caller) ?: PK_ORDER(a->callee, b->callee)
						 ?: PK_ORDER(a->order, b->order))
/* gprof adds up what comes last in the file first. */
PK_COMPARE(by_order, struct gmon_arc,
	   PK_ORDER(a->caller, b->caller) ?: PK_ORDER(b->order, a->order))

/* A call of a label is a call of the function before it. By function, in one pass: many calls of
 * one label behind many others would take quadratic time. */
static uint32_t *find_called(const struct gmon *g)
{
	uint32_t *called = pk_calloc((size_t)g->functions + 1, sizeof(*called));

	for (uint32_t f = 1; f < g->functions; f++)
		called[f] = g->function[f].is_function ? f : called[f - 1];
	return called;
}

/* Finds the caller and the callee of each call. Leaves out those outside of all functions, and
 * counts of 0. */
static void find_ends(struct gmon *g)
{
	PK_FREED uint32_t *called = find_called(g);
	size_t kept = 0;

	for (size_t i = 0; i < g->arcs; i++) {
		struct gmon_arc *a = &g->arc[i];

		gmon_use(g, a->to);
		a->caller = gmon_function_at(g, a->from);
		a->callee = gmon_function_at(g, a->to);
		if (a->callee != UINT32_MAX)
			a->callee = called[a->callee];
		if (a->calls && a->caller != UINT32_MAX && a->callee != UINT32_MAX)
			g->arc[kept++] = *a;
	}
	g->arcs = kept;
}

/* Calls of the same functions become one. */
static void join_arcs(struct gmon *g)
{
	size_t kept = 0;

	find_ends(g);
	pk_sort(g->arc, g->arcs, sizeof(*g->arc), by_functions);
	for (size_t i = 0; i < g->arcs; i++) {
		struct gmon_arc *last = kept ? &g->arc[kept - 1] : NULL;

		if (last && last->caller == g->arc[i].caller && last->callee == g->arc[i].callee)
			last->calls += g->arc[i].calls;
		else
			g->arc[kept++] = g->arc[i];
	}
	g->arcs = kept;
	pk_sort(g->arc, g->arcs, sizeof(*g->arc), by_order);
	for (size_t i = g->arcs; i--;) {
		struct gmon_function *caller = &g->function[g->arc[i].caller];

		caller->first = (uint32_t)i;
		caller->arcs++;
		if (g->arc[i].caller == g->arc[i].callee)
			caller->self_calls = g->arc[i].calls;
		else
			g->function[g->arc[i].callee].calls += g->arc[i].calls;
	}
}

struct walk {
	struct gmon *g;
	uint32_t *number, *low; /* by function; number 0: not visited */
	uint32_t *next;         /* by function: the arc that is followed next */
	uint32_t *path, depth;  /* functions that are being visited */
	uint32_t *open, opened; /* functions whose cycle is not known yet */
	bool *is_open;
	uint32_t *order, ordered; /* functions, callees before callers */
	uint32_t numbers;
};

static void visit(struct walk *w, uint32_t f)
{
	w->number[f] = w->low[f] = ++w->numbers;
	w->path[w->depth++] = f;
	w->open[w->opened++] = f;
	w->is_open[f] = true;
}

/* The functions of a cycle are what was opened since f. */
static void close_cycle(struct walk *w, uint32_t f)
{
	struct gmon *g = w->g;
	uint32_t cycle = w->open[w->opened - 1] == f ? 0 : ++g->cycles, member;

	do {
		member = w->open[--w->opened];
		w->is_open[member] = false;
		g->function[member].cycle = cycle;
		w->order[w->ordered++] = member;
	} while (member != f);
}

static void leave(struct walk *w, uint32_t f)
{
	uint32_t caller;

	w->depth--;
	if (w->low[f] == w->number[f])
		close_cycle(w, f);
	if (!w->depth)
		return;
	caller = w->path[w->depth - 1];
	if (w->low[f] < w->low[caller])
		w->low[caller] = w->low[f];
}

/* Visits what the function calls, deep first, and finds cycles (Tarjan). */
static void walk_from(struct walk *w, uint32_t f)
{
	visit(w, f);
	while (w->depth) {
		const struct gmon_function *at = &w->g->function[f = w->path[w->depth - 1]];
		uint32_t to;

		if (w->next[f] == at->arcs) {
			leave(w, f);
			continue;
		}
		to = w->g->arc[at->first + w->next[f]++].callee;
		if (!w->number[to])
			visit(w, to);
		else if (w->is_open[to] && w->number[to] < w->low[f])
			w->low[f] = w->number[to];
	}
}

/* The functions, callees before callers; those of a cycle are beside each other. */
static uint32_t *find_cycles(struct gmon *g)
{
	size_t count = (size_t)g->functions + 1;
	PK_FREED uint32_t *columns = pk_calloc(pk_mul(count, 5), sizeof(*columns));
	PK_FREED bool *is_open = pk_calloc(count, sizeof(*is_open));
	struct walk w = {.g = g, .is_open = is_open, .order = pk_calloc(count, sizeof(*w.order))};

	w.number = columns;
	w.low = columns + count;
	w.next = columns + 2 * count;
	w.path = columns + 3 * count;
	w.open = columns + 4 * count;
	for (uint32_t f = 0; f < g->functions; f++)
		if (!w.number[f])
			walk_from(&w, f);
	g->cycle = pk_calloc((size_t)g->cycles + 1, sizeof(*g->cycle));
	return w.order;
}

static void sum_cycles(struct gmon *g)
{
	for (uint32_t f = 0; f < g->functions; f++)
		for (int i = 0; i < 2; i++)
			g->cycle[g->function[f].cycle].self[i] += g->function[f].self[i];
	for (size_t i = 0; i < g->arcs; i++) {
		struct gmon_arc *a = &g->arc[i];
		uint32_t cycle = g->function[a->callee].cycle;

		a->in_cycle = cycle && cycle == g->function[a->caller].cycle;
		if (!a->in_cycle)
			g->cycle[cycle].calls += a->calls;
	}
}

/* Hands the time of what a function calls to it, and to its cycle. */
static void gather(struct gmon *g, uint32_t caller)
{
	struct gmon_function *f = &g->function[caller];

	for (uint32_t k = f->first; k < f->first + f->arcs; k++) {
		struct gmon_arc *a = &g->arc[k];
		const struct gmon_function *callee = &g->function[a->callee];
		const struct gmon_cycle *cycle = &g->cycle[callee->cycle];
		uint64_t calls = callee->cycle ? cycle->calls : callee->calls;
		double share;

		if (a->in_cycle || a->caller == a->callee || !a->calls || !calls)
			continue;
		share = (double)a->calls / (double)calls;
		for (int i = 0; i < 2; i++) {
			a->self[i] = (callee->cycle ? cycle->self : callee->self)[i] * share;
			a->below[i] = (callee->cycle ? cycle->below : callee->below)[i] * share;
			f->below[i] += a->self[i] + a->below[i];
			if (f->cycle)
				g->cycle[f->cycle].below[i] += a->self[i] + a->below[i];
		}
	}
}

void gmon_propagate(struct gmon *g)
{
	PK_FREED uint32_t *order = NULL;

	join_arcs(g);
	order = find_cycles(g);
	sum_cycles(g);
	for (uint32_t i = 0; i < g->functions; i++)
		gather(g, order[i]);
}
