/*
 * Functions, calls and lines of a gmon.out as edges and costs.
 *
 * - Ticks are divided among functions, so that their times are not whole numbers. Each is rounded
 *   to ns such that the sum is that of all ticks.
 * - The numbers that gprof itself prints, for which bins have fractions of bytes, are kept as well
 *   (self_raw, total_raw).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/nameless.h"
#include "readers/gmon/internal.h"

enum { DEEPEST = 64 };

static const double SECOND = 1e9;

static int64_t ns_of(const struct gmon *g, double ticks)
{
	double ns = ticks / g->rate * SECOND;

	return ns < 9.2e18 ? (int64_t)llround(ns) : INT64_MAX;
}

static void build_functions(struct gmon *g)
{
	uint32_t module = g->binary ? pk_build_text(g->b, pk_basename(g->binary)) : 0;

	for (uint32_t i = 0; i < g->functions; i++) {
		struct gmon_function *at = &g->function[i];
		struct pk_function f = {.kind = PK_KIND_NATIVE, .module = module};
		struct pk_symbol symbol[DEEPEST];
		size_t count = 0;

		if (!at->self[GMON_EXACT] && !at->calls && !at->self_calls && !at->arcs)
			continue;
		if (g->symbols)
			count = pk_symbols_find_at(g->symbols, at->start, symbol, DEEPEST);
		if (count) {
			f.file = pk_build_text(g->b, symbol[count - 1].file);
			f.line = f.file ? symbol[count - 1].line : 0;
		}
		f.name = at->name ? pk_build_text(g->b, at->name)
				  : pk_build_nameless_at(g->b, 0, at->start);
		at->built = pk_build_function(g->b, &f);
	}
}

/* Times of lines, of which there are some if the program has debugging information. */
static void build_lines(struct gmon *g)
{
	double ticks = 0;
	int64_t sum = 0;
	bool any = false;

	for (size_t i = 0; i < g->lines; i++)
		any |= g->line[i].line != 0;
	for (size_t i = 0; i < g->lines; i++) {
		const struct gmon_line *l = &g->line[i];
		struct gmon_function *f = &g->function[l->function];
		int64_t ns;

		ticks += l->ticks;
		ns = ns_of(g, ticks) - sum;
		sum += ns;
		pk_add_saturated(&f->ns, ns);
		if (any && ns)
			pk_build_cost(
				g->b, 0,
				pk_build_node(g->b, 0, pk_build_place(g->b, f->built, l->line)),
				g->metric, ns, PK_NULL);
	}
	g->unknown_ns = ns_of(g, ticks + g->unknown) - sum;
}

static void push_function(struct gmon *g, const struct gmon_function *f)
{
	int64_t calls = f->calls || f->self_calls ? (int64_t)(f->calls + f->self_calls) : PK_NULL;

	pk_build_edge(g->b,
		      &(struct pk_edge){
			      .callee = f->built,
			      .metric = g->metric,
			      .calls = calls,
			      .primitive_calls = calls == PK_NULL ? PK_NULL : (int64_t)f->calls,
			      .self = f->ns,
			      .total = f->total_ns > f->ns ? f->total_ns : f->ns,
			      .self_raw = f->self[GMON_GPROF] / g->rate,
			      .total_raw = (f->self[GMON_GPROF] + f->below[GMON_GPROF]) / g->rate});
}

/* gprof has an entry for a function with time or calls, its own or those of what it calls. Others
 * are known as callers only. */
static bool has_entry(const struct gmon_function *f)
{
	return f->ns || f->total_ns || f->calls || f->self_calls || f->self[GMON_GPROF] > 0 ||
	       f->below[GMON_GPROF] > 0;
}

/* Samples of no function are one of their own. */
static void push_unknown(struct gmon *g)
{
	struct gmon_function f = {.ns = g->unknown_ns};
	struct pk_function unknown = {.name = pk_build_nameless(g->b, 0)};

	f.built = pk_build_function(g->b, &unknown);
	f.self[GMON_GPROF] = g->unknown;
	push_function(g, &f);
}

/* A function in a cycle has at least what its calls from outside take. */
static void set_totals(struct gmon *g)
{
	PK_FREED int64_t *called = pk_calloc((size_t)g->functions + 1, sizeof(*called));

	for (size_t i = 0; i < g->arcs; i++) {
		const struct gmon_arc *a = &g->arc[i];

		if (a->caller != a->callee && !a->in_cycle)
			pk_add_saturated(&called[a->callee],
					 ns_of(g, a->self[GMON_EXACT] + a->below[GMON_EXACT]));
	}
	for (uint32_t i = 0; i < g->functions; i++) {
		struct gmon_function *f = &g->function[i];

		f->total_ns = f->ns;
		pk_add_saturated(&f->total_ns, ns_of(g, f->below[GMON_EXACT]));
		if (f->cycle && called[i] > f->total_ns)
			f->total_ns = called[i];
	}
}

/* Functions that have one name and place in the model become one: the first. */
static void join_functions(struct gmon *g)
{
	uint32_t count = pk_builder_profile(g->b)->function.count;
	PK_FREED uint32_t *first = pk_calloc(count, sizeof(*first));

	for (uint32_t i = 0; i < g->functions; i++) {
		struct gmon_function *f = &g->function[i], *to;

		if (!f->built)
			continue;
		if (!first[f->built]) {
			first[f->built] = i + 1;
			continue;
		}
		to = &g->function[first[f->built] - 1];
		pk_add_saturated(&to->ns, f->ns);
		pk_add_saturated(&to->total_ns, f->total_ns);
		to->calls += f->calls;
		to->self_calls += f->self_calls;
		to->self[GMON_GPROF] += f->self[GMON_GPROF];
		to->below[GMON_GPROF] += f->below[GMON_GPROF];
		f->joined = true;
	}
}

static void push_arc(struct gmon *g, const struct gmon_arc *a)
{
	struct pk_edge edge = {.caller = g->function[a->caller].built,
			       .callee = g->function[a->callee].built,
			       .metric = g->metric,
			       .calls = (int64_t)a->calls,
			       .primitive_calls = PK_NULL,
			       .self = PK_NULL,
			       .total = PK_NULL,
			       .self_raw = NAN,
			       .total_raw = NAN};

	if (a->caller == a->callee)
		edge.primitive_calls = 0;
	if (a->caller != a->callee && !a->in_cycle) {
		edge.primitive_calls = edge.calls;
		edge.self = ns_of(g, a->self[GMON_EXACT]);
		edge.total = edge.self;
		pk_add_saturated(&edge.total, ns_of(g, a->below[GMON_EXACT]));
		edge.self_raw = a->self[GMON_GPROF] / g->rate;
		edge.total_raw = edge.self_raw + a->below[GMON_GPROF] / g->rate;
	}
	pk_build_edge(g->b, &edge);
}

int gmon_build(struct gmon *g)
{
	g->metric = pk_build_metric(g->b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	if (g->histograms)
		pk_build_period(g->b, llround(SECOND / g->rate));
	else
		g->rate = 1;
	build_functions(g);
	build_lines(g);
	set_totals(g);
	join_functions(g);
	for (uint32_t i = 0; i < g->functions; i++)
		if (g->function[i].built && !g->function[i].joined && has_entry(&g->function[i]))
			push_function(g, &g->function[i]);
	if (g->unknown_ns > 0)
		push_unknown(g);
	for (size_t i = 0; i < g->arcs; i++)
		push_arc(g, &g->arc[i]);
	for (uint32_t i = 0; i < g->drops; i++)
		if (g->dropped[i].used &&
		    pk_build_repair(
			    g->b, g->err,
			    "copy of a function counted for the function before it, as gprof "
			    "does (-O functions=all: for itself)",
			    "%s", g->dropped[i].name))
			return -1;
	return 0;
}
