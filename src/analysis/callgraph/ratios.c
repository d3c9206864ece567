/*
 * Shares of totals as gprof2dot computes them for formats without totals: the time of a function is
 * passed on to its callers, and a cycle counts as one function.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/callgraph/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/totals.h"

/*
 * Totals worked out from how often functions call each other, as gprof does (Graham, Kessler,
 * McKusick: "gprof: a call graph execution profiler", 1982): the time of a function is divided
 * among its callers by their share of its calls. A cycle of functions counts as one function
 * for callers outside; within it, time flows only along shortest paths from each function that
 * is called from outside.
 *
 * For samples, a "call" is a sample in which the two functions stand next to each other. That
 * is less exact than the sums over whole paths, which samples allow; it is offered for
 * agreement with tools that work this way.
 */
struct flow {
	struct pk_callgraph *g;
	struct pk_digraph out, in;
	double *calls; /* per edge */
	double *ratio; /* per edge: the share of the calls of the callee, or of its cycle */
	double *cycle_total;
	uint32_t *cycle, *order;
	uint32_t cycles;
	/* within one cycle, from one entry: */
	uint32_t *rank; /* per node, from 1; 0 = not reached */
	uint32_t *queue;
	double *share;   /* per node: the sum of ratio over the edges from which it gets time */
	double *partial; /* per node */
};

static uint32_t find_edge(const struct pk_callgraph *g, const struct pk_digraph *d, uint32_t caller,
			  uint32_t callee)
{
	return PK_BISECT(i, d->first[caller], d->first[caller + 1], g->edge[i].callee < callee);
}

static void count_calls(struct flow *f, const struct pk_profile *p, uint32_t metric)
{
	PK_FREED uint32_t *node_of = pk_calloc(p->function.count, sizeof(*node_of));
	int64_t *calls = pk_calloc((size_t)f->g->edge_count + 1, sizeof(*calls));
	struct pk_tree tree;

	for (uint32_t i = 0; i < f->g->node_count; i++)
		node_of[f->g->node[i].function] = i;
	pk_tree_init(&tree, p, metric);
	for (uint32_t i = 1; i < p->node.count; i++) {
		uint32_t parent = p->node.parent[i];

		if (parent)
			pk_add_saturated(&calls[find_edge(f->g, &f->out,
							  node_of[pk_node_function(p, parent)],
							  node_of[pk_node_function(p, i)])],
					 tree.total[i]);
	}
	for (uint32_t i = 0; i < f->g->edge_count; i++)
		f->calls[i] = (double)calls[i];
	pk_tree_release(&tree);
	free(calls);
}

static bool same_cycle(const struct flow *f, uint32_t a, uint32_t b)
{
	return f->cycle[a] && f->cycle[a] == f->cycle[b];
}

static void set_call_ratios(struct flow *f)
{
	const struct pk_callgraph *g = f->g;
	PK_FREED double *function = pk_calloc((size_t)g->node_count + 1, sizeof(*function));
	PK_FREED double *cycle = pk_calloc((size_t)f->cycles + 1, sizeof(*cycle));

	for (uint32_t i = 0; i < g->edge_count; i++) {
		const struct pk_callgraph_edge *e = &g->edge[i];

		if (e->caller == e->callee)
			continue;
		function[e->callee] += f->calls[i];
		if (!same_cycle(f, e->caller, e->callee))
			cycle[f->cycle[e->callee]] += f->calls[i];
	}
	for (uint32_t i = 0; i < g->edge_count; i++) {
		const struct pk_callgraph_edge *e = &g->edge[i];
		uint32_t c = f->cycle[e->callee];
		bool enters = c && f->cycle[e->caller] != c;

		if (e->caller != e->callee)
			f->ratio[i] = pk_callgraph_ratio(f->g, f->calls[i],
							 enters ? cycle[c] : function[e->callee]);
	}
}

static void call_shares_of_totals(struct flow *f)
{
	struct pk_callgraph *g = f->g;

	for (uint32_t i = 0; i < g->edge_count; i++) {
		struct pk_callgraph_edge *e = &g->edge[i];

		e->total_ratio =
			e->caller == e->callee ? NAN : f->ratio[i] * g->node[e->callee].total_ratio;
	}
}

/* The time that a function gets over its edges to functions outside its cycle. */
static double hand_up(struct flow *f, uint32_t node)
{
	struct pk_callgraph *g = f->g;
	double sum = 0;

	for (uint32_t i = f->out.first[node]; i < f->out.first[node + 1]; i++) {
		struct pk_callgraph_edge *e = &g->edge[i];
		uint32_t c = f->cycle[e->callee];

		if (e->callee == node || same_cycle(f, node, e->callee))
			continue;
		e->total_ratio =
			f->ratio[i] * (c ? f->cycle_total[c] : g->node[e->callee].total_ratio);
		sum += e->total_ratio;
	}
	return sum;
}

/* Ranks the members of a cycle by their distance from the entry. Returns how many are in queue,
 * nearest first. */
static uint32_t rank_members(struct flow *f, uint32_t entry, const uint32_t *member, uint32_t count)
{
	uint32_t len = 0;

	for (uint32_t i = 0; i < count; i++) {
		f->rank[member[i]] = 0;
		f->share[member[i]] = 0;
	}
	f->rank[entry] = 1;
	f->queue[len++] = entry;
	for (uint32_t done = 0; done < len; done++) {
		uint32_t node = f->queue[done];

		for (uint32_t i = f->out.first[node]; i < f->out.first[node + 1]; i++) {
			uint32_t to = f->out.to[i];

			if (!same_cycle(f, node, to))
				continue;
			if (!f->rank[to]) {
				f->rank[to] = f->rank[node] + 1;
				f->queue[len++] = to;
			}
			if (f->rank[to] > f->rank[node])
				f->share[to] += f->ratio[i];
		}
	}
	return len;
}

static double add_time(double sum, double add)
{
	return isnan(sum) ? add : sum + add;
}

/* Lets the time of a cycle flow to one member that is called from outside; `part` is its share. */
static void flow_to(struct flow *f, uint32_t entry, double part, const uint32_t *member,
		    uint32_t count)
{
	struct pk_callgraph *g = f->g;

	for (uint32_t k = rank_members(f, entry, member, count); k-- > 0;) {
		uint32_t node = f->queue[k];
		double partial = part * g->node[node].self_ratio;

		for (uint32_t i = f->out.first[node]; i < f->out.first[node + 1]; i++) {
			struct pk_callgraph_edge *e = &g->edge[i];
			uint32_t to = e->callee;
			double carried;

			if (to == node)
				continue;
			if (!same_cycle(f, node, to)) {
				partial += part * e->total_ratio;
				continue;
			}
			if (f->rank[to] <= f->rank[node])
				continue;
			carried = pk_callgraph_ratio(g, f->ratio[i], f->share[to]) * f->partial[to];
			e->total_ratio = add_time(e->total_ratio, carried);
			partial += carried;
		}
		f->partial[node] = partial;
		g->node[node].total_ratio += partial;
	}
}

static void integrate_cycle(struct flow *f, const uint32_t *member, uint32_t count)
{
	struct pk_callgraph *g = f->g;
	uint32_t cycle = f->cycle[member[0]];

	for (uint32_t k = 0; k < count; k++) {
		f->cycle_total[cycle] += g->node[member[k]].self_ratio + hand_up(f, member[k]);
		g->node[member[k]].total_ratio = 0;
	}
	for (uint32_t k = 0; k < count; k++) {
		double part = 0;
		bool entered = false;

		for (uint32_t i = f->in.first[member[k]]; i < f->in.first[member[k] + 1]; i++) {
			uint32_t caller = f->in.to[i];

			if (same_cycle(f, caller, member[k]))
				continue;
			part += f->ratio[find_edge(g, &f->out, caller, member[k])];
			entered = true;
		}
		if (entered)
			flow_to(f, member[k], part, member, count);
	}
}

static void integrate(struct flow *f)
{
	struct pk_callgraph *g = f->g;

	for (uint32_t i = 0; i < g->edge_count; i++)
		g->edge[i].total_ratio = NAN;
	for (uint32_t i = 0, end; i < g->node_count; i = end) {
		uint32_t node = f->order[i];

		for (end = i + 1; end < g->node_count && same_cycle(f, node, f->order[end]); end++)
			;
		if (f->cycle[node])
			integrate_cycle(f, f->order + i, end - i);
		else
			g->node[node].total_ratio = g->node[node].self_ratio + hand_up(f, node);
	}
	for (uint32_t i = 0; i < g->node_count; i++)
		g->node[i].total = g->node[i].total_ratio * g->total;
}

void pk_callgraph_callratios(struct pk_callgraph *g, const struct pk_profile *p, uint32_t metric,
			     enum pk_callgraph_totals how)
{
	size_t nodes = (size_t)g->node_count + 1, edges = (size_t)g->edge_count + 1;
	PK_FREED double *reals = pk_calloc(3 * nodes + 2 * edges, sizeof(*reals));
	PK_FREED uint32_t *numbers = pk_calloc(4 * nodes, sizeof(*numbers));
	struct flow f = {
		.g = g,
		.out = pk_callgraph_digraph(g, false),
		.in = pk_callgraph_digraph(g, true),
		.share = reals,
		.partial = reals + nodes,
		.cycle_total = reals + 2 * nodes,
		.calls = reals + 3 * nodes,
		.ratio = reals + 3 * nodes + edges,
		.cycle = numbers,
		.order = numbers + nodes,
		.rank = numbers + 2 * nodes,
		.queue = numbers + 3 * nodes,
	};

	f.cycles = pk_cycles(&f.out, f.cycle, f.order);
	count_calls(&f, p, metric);
	set_call_ratios(&f);
	if (how == PK_TOTALS_CALLSTACKS)
		call_shares_of_totals(&f);
	else
		integrate(&f);
	for (uint32_t i = 0; i < g->edge_count; i++) {
		g->edge[i].total = g->edge[i].total_ratio * g->total;
		g->edge[i].estimated = true;
	}
	pk_callgraph_digraph_free(&f.out);
	pk_callgraph_digraph_free(&f.in);
}
