/*
 * The call graph that callgraph draws: functions, edges, their values and ratios, of one profile
 * or of two.
 */
#include "analysis/callgraph/callgraph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callgraph/internal.h"
#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/num/units.h"
#include "model/totals.h"

/*
 * Builds the whole call graph of a profile.
 *
 * Sums are made in doubles, in the order of the file, and from the file's own numbers where it
 * has them, so that shares agree to the last digit with those of tools that work in doubles.
 */
struct build {
	struct pk_callgraph *g;
	const struct pk_profile *p;
	struct pk_functions functions; /* may belong to the caller, as may the arcs */
	struct pk_arcs arcs;
	uint32_t *node_of; /* index + 1; 0 = none */
	double divisor;    /* a value divided by it is in the unit shown */
	bool raw;          /* sums are already in the unit shown */
};

/* What sums of doubles may be off. */
static const double rounding = 0x1p-23;

double pk_callgraph_ratio(struct pk_callgraph *g, double numerator, double denominator)
{
	double ratio;

	if (isnan(numerator) || isnan(denominator))
		return NAN;
	if (denominator == 0)
		return 1;
	ratio = numerator / denominator;
	if (ratio < -rounding || ratio > 1 + rounding)
		g->clamped++;
	return ratio < 0 ? 0 : ratio > 1 ? 1 : ratio;
}

double pk_callgraph_share(struct pk_callgraph *g, double value, double whole)
{
	if (!g->negative)
		return pk_callgraph_ratio(g, value, whole);
	return whole > 0 ? value / whole : NAN;
}

static double measure(const struct build *b, double raw, int64_t value)
{
	if (isfinite(raw))
		return raw;
	if (value == PK_NULL)
		return NAN;
	return b->raw ? (double)value / b->divisor : (double)value;
}

static void add_functions(struct build *b)
{
	struct pk_callgraph *g = b->g;
	double largest = 0, smallest = 0;

	for (uint32_t i = 0; i < b->functions.count; i++)
		if (!isnan(b->functions.row[i].total_raw))
			b->raw = true;
	g->node = pk_calloc((size_t)b->functions.count + 1, sizeof(*g->node));
	for (uint32_t i = 0; i < b->functions.count; i++) {
		const struct pk_function_total *f = &b->functions.row[i];
		struct pk_callgraph_node *n = &g->node[g->node_count++];

		n->function = f->function;
		n->calls = f->calls;
		n->self = measure(b, f->self_raw, f->self);
		n->total = measure(b, f->total_raw, f->total);
		n->estimated = f->estimated;
		n->empty = !pk_function_has_value(b->p, f);
		b->node_of[f->function] = g->node_count;
		if (!isnan(n->self))
			g->self_total += n->self;
		largest = fmax(largest, n->total); /* which ignores NaN */
		smallest = fmin(smallest, fmin(n->self, n->total));
	}
	g->negative = smallest < -rounding * fabs(g->self_total);
	g->total = largest > g->self_total && !g->negative ? largest : g->self_total;
}

/* Adds callers that appear in edges but have no row of their own. */
static void add_unknown_callers(struct build *b)
{
	struct pk_callgraph *g = b->g;
	size_t alloc = (size_t)g->node_count + 1;

	for (uint32_t i = 0; i < b->arcs.count; i++) {
		const uint32_t ends[] = {b->arcs.row[i].caller, b->arcs.row[i].callee};

		for (int k = 0; k < 2; k++) {
			if (b->node_of[ends[k]])
				continue;
			PK_GROW(g->node, g->node_count + 1, alloc);
			g->node[g->node_count++] = (struct pk_callgraph_node){
				.function = ends[k],
				.calls = PK_NULL,
				.self = NAN,
				.total = NAN,
				.empty = true,
			};
			b->node_of[ends[k]] = g->node_count;
		}
	}
}

/* The time of an edge. If the profile only counts the calls of the edge, the callee's total is
 * divided by calls. */
static double edge_total(struct build *b, const struct pk_arc *a, uint32_t callee, bool *estimated)
{
	const struct pk_callgraph_node *n = &b->g->node[callee];
	double total = measure(b, a->total_raw, a->total);

	*estimated = a->estimated;
	if (!isnan(total) || a->calls == PK_NULL || n->calls == PK_NULL)
		return total;
	*estimated = true;
	return pk_callgraph_ratio(b->g, (double)a->calls, (double)n->calls) * n->total;
}

void pk_callgraph_sort_edges(struct pk_callgraph *g)
{
	struct pk_callgraph_edge *edge = g->edge;

	pk_group_sort(edge, sizeof(*edge), &edge->callee, g->edge_count, g->node_count);
	pk_group_sort(edge, sizeof(*edge), &edge->caller, g->edge_count, g->node_count);
}

static void add_edges(struct build *b)
{
	struct pk_callgraph *g = b->g;

	g->edge = pk_calloc((size_t)b->arcs.count + 1, sizeof(*g->edge));
	for (uint32_t i = 0; i < b->arcs.count; i++) {
		const struct pk_arc *a = &b->arcs.row[i];
		struct pk_callgraph_edge *e = &g->edge[g->edge_count++];

		e->caller = b->node_of[a->caller] - 1;
		e->callee = b->node_of[a->callee] - 1;
		e->calls = a->primitive_calls != PK_NULL ? a->primitive_calls : a->calls;
		e->total = edge_total(b, a, e->callee, &e->estimated);
	}
	pk_callgraph_sort_edges(g);
}

double pk_callgraph_size(const struct pk_callgraph *g, double share)
{
	return share > 0 ? fmin(share / g->most, 1) : 0; /* NaN is not above 0 */
}

static double smaller(double a, double b)
{
	return isnan(a) || b < a ? b : a;
}

static void set_ratios(struct pk_callgraph *g)
{
	g->most = 1;
	for (uint32_t i = 0; i < g->node_count; i++) {
		struct pk_callgraph_node *n = &g->node[i];

		n->self_ratio = pk_callgraph_share(g, n->self, g->self_total);
		n->total_ratio = pk_callgraph_share(g, n->total, g->total);
		if (g->negative)
			g->most = fmax(g->most, n->total_ratio);
	}
	for (uint32_t i = 0; i < g->edge_count; i++)
		g->edge[i].total_ratio = pk_callgraph_share(g, g->edge[i].total, g->total);
}

static void set_weights(struct pk_callgraph *g)
{
	for (uint32_t i = 0; i < g->edge_count; i++) {
		struct pk_callgraph_edge *e = &g->edge[i];

		e->weight = e->total_ratio;
		if (isnan(e->weight))
			e->weight = smaller(g->node[e->caller].total_ratio,
					    g->node[e->callee].total_ratio);
	}
}

static void set_units(struct build *b)
{
	struct pk_callgraph *g = b->g;

	if (b->raw)
		return;
	g->self_total /= b->divisor;
	g->total /= b->divisor;
	for (uint32_t i = 0; i < g->node_count; i++) {
		g->node[i].self /= b->divisor;
		g->node[i].total /= b->divisor;
	}
	for (uint32_t i = 0; i < g->edge_count; i++)
		g->edge[i].total /= b->divisor;
}

static void find_cycles(struct pk_callgraph *g)
{
	struct pk_digraph d = pk_callgraph_digraph(g, false);
	uint32_t *cycle = pk_calloc((size_t)g->node_count + 1, sizeof(*cycle));

	g->cycles = pk_cycles(&d, cycle, NULL);
	for (uint32_t i = 0; i < g->node_count; i++)
		g->node[i].cycle = cycle[i];
	free(cycle);
	pk_callgraph_digraph_free(&d);
}

static void build(struct build *b, uint32_t metric)
{
	b->node_of = pk_calloc((size_t)b->p->function.count + 1, sizeof(*b->node_of));
	b->divisor = pk_metric_scale(b->p, metric);
	if (b->p->metric.kind[metric] == PK_METRIC_TIME)
		b->divisor *= 1e9;
	add_functions(b);
	add_unknown_callers(b);
	add_edges(b);
	set_ratios(b->g);
	set_units(b);
	free(b->node_of);
}

int pk_callgraph_init(struct pk_callgraph *g, const struct pk_profile *p, uint32_t metric,
		      const struct pk_callgraph_params *params, struct pk_error *err)
{
	struct pk_functions functions;
	struct pk_arcs arcs;
	int status;

	pk_functions_init(&functions, p, metric);
	pk_arcs_init(&arcs, p, metric);
	status = pk_callgraph_of(g, p, metric, &functions, &arcs, params, err);
	pk_arcs_release(&arcs);
	pk_functions_release(&functions);
	return status;
}

int pk_callgraph_of(struct pk_callgraph *g, const struct pk_profile *p, uint32_t metric,
		    const struct pk_functions *functions, const struct pk_arcs *arcs,
		    const struct pk_callgraph_params *params, struct pk_error *err)
{
	struct build b = {.g = g, .p = p, .functions = *functions, .arcs = *arcs};

	memset(g, 0, sizeof(*g));
	build(&b, metric);
	g->functions = g->node_count;
	g->calls = g->edge_count;
	find_cycles(g);
	if (params->totals != PK_TOTALS_EXACT && p->edge.count <= 1)
		pk_callgraph_callratios(g, p, metric, (enum pk_callgraph_totals)params->totals);
	set_weights(g);
	if (pk_callgraph_prune(g, p, params, err)) {
		pk_callgraph_release(g);
		return -1;
	}
	return 0;
}

void pk_callgraph_release(struct pk_callgraph *g)
{
	free(g->node);
	free(g->edge);
	memset(g, 0, sizeof(*g));
}

struct pk_digraph pk_callgraph_digraph(const struct pk_callgraph *g, bool reversed)
{
	struct pk_groups edges;

	pk_groups_init(&edges, reversed ? &g->edge->callee : &g->edge->caller, sizeof(*g->edge), 0,
		       g->edge_count, g->node_count);
	for (uint32_t i = 0; i < g->edge_count; i++) {
		const struct pk_callgraph_edge *e = &g->edge[edges.row[i]];

		edges.row[i] = reversed ? e->caller : e->callee;
	}
	return (struct pk_digraph){g->node_count, edges.first, edges.row};
}

void pk_callgraph_digraph_free(struct pk_digraph *d)
{
	free((void *)(uintptr_t)d->first);
	free((void *)(uintptr_t)d->to);
}
