/*
 * The call graph that `callgraph` draws, for each metric of the page, without places: the page lays
 * it out.
 *
 *	"graphs": [{"metric": 0, "functions": 213, "calls": 573, "below": 160, "over": 0,
 *	            "symbol": [3], "count": [1], "self": [0.1], "total": [0.2],
 *	            "self_share": [0.3], "total_share": [0.7], "estimated": [0], "cycle": [0],
 *	            "caller": [0], "callee": [1], "arrow_calls": [12], "arrow_share": [0.3],
 *	            "arrow_estimated": [0]}]
 *
 * "split": its functions are not those of the other views, but the lines of one are joined. "empty"
 * is how many of the functions have no values of their own, if some have none: they are not
 * counted in "functions". Values are seconds, or in the unit of the metric.
 */
#include <stdlib.h>

#include "analysis/callgraph/callgraph.h"
#include "analysis/split_names.h"
#include "base/alloc.h"
#include "writers/report/names.h"
#include "writers/report/parts/parts.h"

/* Uses the default limits of callgraph, and a limit of functions; a note tells what was left
 * out. */
static const struct pk_callgraph_params shown = {
	.node_threshold = 0.005,
	.edge_threshold = 0.001,
	.limit = {.given = true, .count = PK_REPORT_GRAPH},
	.depth = -1,
	.arrows = -1,
};

struct pk_report_graphs {
	struct pk_profile *split; /* NULL: names are functions */
	uint32_t count;
	struct graph {
		struct pk_callgraph g;
		uint32_t metric; /* of the page */
	} graph[PK_REPORT_METRICS];
};

/* Fails for regular expressions only. */
static int make(struct graph *graph, const struct pk_report_data *d, const struct pk_profile *split,
		uint32_t m)
{
	struct pk_error err = PK_ERROR_INIT;

	if (split)
		return pk_callgraph_init(&graph->g, split, d->metric[m], &shown, &err);
	return pk_callgraph_of(&graph->g, d->report->profile, d->metric[m],
			       &d->hotspots[m].functions, &d->arcs[m], &shown, &err);
}

struct pk_report_graphs *pk_report_graphs_new(const struct pk_report_data *d)
{
	struct pk_report_graphs *graphs = pk_calloc(1, sizeof(*graphs));

	graphs->split = pk_split_names(d->report->profile);
	for (uint32_t m = 0; m < d->metric_count; m++) {
		struct graph *graph = &graphs->graph[graphs->count];

		if (d->no_sum[m] || make(graph, d, graphs->split, m))
			continue;
		graph->metric = m;
		if (graph->g.edge_count)
			graphs->count++;
		else
			pk_callgraph_release(&graph->g);
	}
	return graphs;
}

void pk_report_graphs_free(struct pk_report_graphs *graphs)
{
	if (!graphs)
		return;
	for (uint32_t i = 0; i < graphs->count; i++)
		pk_callgraph_release(&graphs->graph[i].g);
	pk_profile_free(graphs->split);
	free(graphs);
}

#define PUT_REALS(w, key, rows, value)                \
	do {                                          \
		pk_json_put_array(w, key);            \
		for (uint32_t i = 0; i < (rows); i++) \
			pk_json_double(w, value, 17); \
		pk_json_end(w);                       \
	} while (0)

static void put_graph(struct pk_json_writer *w, const struct pk_callgraph *g,
		      const struct pk_profile *p, struct pk_report_names *names)
{
	const struct pk_callgraph_node *n = g->node;
	const struct pk_callgraph_edge *e = g->edge;

	pk_json_put(w, "functions %u calls %u below %u over %u calls_over %u", g->functions,
		    g->calls, g->below_threshold, g->over_limit, g->calls_over_limit);
	if (g->empty_shown)
		pk_json_put_int(w, "empty", g->empty_shown);
	PK_REPORT_COLUMN(w, "symbol", g->node_count,
			 pk_report_name_function(names, p, n[i].function));
	PK_REPORT_COLUMN(w, "count", g->node_count, n[i].calls);
	PK_REPORT_COLUMN(w, "cycle", g->node_count, n[i].cycle);
	PK_REPORT_COLUMN(w, "estimated", g->node_count, n[i].estimated);
	PUT_REALS(w, "self", g->node_count, n[i].self);
	PUT_REALS(w, "total", g->node_count, n[i].total);
	PUT_REALS(w, "self_share", g->node_count, n[i].self_ratio);
	PUT_REALS(w, "total_share", g->node_count, n[i].total_ratio);
	PK_REPORT_COLUMN(w, "caller", g->edge_count, e[i].caller);
	PK_REPORT_COLUMN(w, "callee", g->edge_count, e[i].callee);
	PK_REPORT_COLUMN(w, "arrow_calls", g->edge_count, e[i].calls);
	PK_REPORT_COLUMN(w, "arrow_estimated", g->edge_count, e[i].estimated);
	PUT_REALS(w, "arrow_share", g->edge_count, e[i].weight);
}

void pk_report_graphs_json(struct pk_json_writer *w, const struct pk_report_graphs *graphs,
			   const struct pk_profile *p, struct pk_report_names *names)
{
	if (!graphs || !graphs->count)
		return;
	pk_json_put_array(w, "graphs");
	for (uint32_t i = 0; i < graphs->count; i++) {
		pk_json_object(w);
		pk_json_put_int(w, "metric", graphs->graph[i].metric);
		if (graphs->split)
			pk_json_put(w, "split %d", true);
		put_graph(w, &graphs->graph[i].g, graphs->split ? graphs->split : p, names);
		pk_json_end(w);
	}
	pk_json_end(w);
}
