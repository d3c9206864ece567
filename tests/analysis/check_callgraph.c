/* Call graphs: selection, thresholds, cycles, totals. */
#include "tests/check_util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callgraph/callgraph.h"
#include "analysis/callgraph/internal.h"
#include "analysis/function_name.h"
#include "base/alloc.h"
#include "model/build/builder.h"

#define DEFAULTS                                                              \
	{                                                                     \
		.node_threshold = 0.005, .edge_threshold = 0.001, .depth = -1 \
	}

/* A profile as pstats has it: functions and edges with times in seconds. */
struct made {
	struct pk_builder *b;
	uint32_t metric;
};

static struct made make(void)
{
	struct made m = {.b = pk_builder_new()};

	m.metric = pk_build_metric(m.b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	return m;
}

static uint32_t function_of(struct made *m, const char *name)
{
	struct pk_function f = {.name = pk_build_text(m->b, name),
				.file = pk_build_text(m->b, "/srv/app/main.py"),
				.line = 7,
				.kind = PK_KIND_PYTHON};

	return pk_build_function(m->b, &f);
}

static uint32_t add_function(struct made *m, const char *name, double self, double total)
{
	uint32_t frame = function_of(m, name);
	struct pk_edge e = {.callee = frame,
			    .metric = m->metric,
			    .calls = 4,
			    .primitive_calls = 4,
			    .self = (int64_t)(self * 1e9),
			    .total = (int64_t)(total * 1e9),
			    .self_raw = self,
			    .total_raw = total};

	pk_build_edge(m->b, &e);
	return frame;
}

static void add_call(struct made *m, const char *caller, const char *callee, double total)
{
	struct pk_edge e = {.caller = function_of(m, caller),
			    .callee = function_of(m, callee),
			    .metric = m->metric,
			    .calls = 3,
			    .primitive_calls = 2,
			    .self = 0,
			    .total = (int64_t)(total * 1e9),
			    .self_raw = 0,
			    .total_raw = total};

	pk_build_edge(m->b, &e);
}

static struct pk_profile *finish(struct made *m)
{
	return pk_builder_finish(m->b);
}

static struct pk_callgraph graph_of(const struct pk_profile *p,
				    const struct pk_callgraph_params *params)
{
	struct pk_callgraph g;
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(pk_callgraph_init(&g, p, 1, params, &err) == 0, "%s", err.text);
	return g;
}

static const char *name_of(const struct pk_profile *p, const struct pk_callgraph *g, uint32_t node)
{
	return pk_text(p, p->function.name[g->node[node].function]);
}

/* "a b c": the functions shown, in order. */
static void expect_nodes(const struct pk_profile *p, const struct pk_callgraph *g,
			 const char *names)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_adds(&buf, "");
	for (uint32_t i = 0; i < g->node_count; i++)
		pk_buf_addf(&buf, "%s%s", i ? " " : "", name_of(p, g, i));
	ck_assert_str_eq(buf.data, names);
	pk_buf_release(&buf);
}

/* "a>b b>c": the edges shown, in order; residual ones "a..b". */
static void expect_edges(const struct pk_profile *p, const struct pk_callgraph *g,
			 const char *edges)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_buf_adds(&buf, "");
	for (uint32_t i = 0; i < g->edge_count; i++)
		pk_buf_addf(&buf, "%s%s%s%s", i ? " " : "", name_of(p, g, g->edge[i].caller),
			    g->edge[i].residual ? ".." : ">", name_of(p, g, g->edge[i].callee));
	ck_assert_str_eq(buf.data, edges);
	pk_buf_release(&buf);
}

/* main 10 s = a 6 + b 3.95 + tiny 0.04; a calls b, b calls leaf (2 s), leaf calls tiny. */
static struct pk_profile *example(void)
{
	struct made m = make();

	add_function(&m, "main", 0.01, 10);
	add_function(&m, "a", 5, 6);
	add_function(&m, "b", 2.95, 4.95);
	add_function(&m, "tiny", 0.04, 0.04);
	add_function(&m, "leaf", 2, 2);
	add_call(&m, "main", "a", 6);
	add_call(&m, "main", "b", 3.95);
	add_call(&m, "a", "b", 1);
	add_call(&m, "b", "leaf", 1.995);
	add_call(&m, "main", "leaf", 0.005);
	add_call(&m, "leaf", "tiny", 0.03);
	add_call(&m, "main", "tiny", 0.01);
	return finish(&m);
}

START_TEST(thresholds_and_counts)
{
	struct pk_profile *p = example();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_callgraph g = graph_of(p, &params);

	expect_nodes(p, &g, "main a b leaf"); /* tiny has 0.4 %, the edge main>leaf 0.05 % */
	expect_edges(p, &g, "main>a main>b a>b b>leaf");
	ck_assert_double_eq_tol(g.self_total, 10, 1e-12);
	ck_assert_double_eq_tol(g.total, 10, 1e-12);
	ck_assert_double_eq_tol(g.self_shown, 0.996, 1e-12);
	ck_assert_uint_eq(g.functions, 5);
	ck_assert_uint_eq(g.calls, 7);
	ck_assert_uint_eq(g.below_threshold, 1);
	ck_assert_uint_eq(g.not_selected + g.over_limit + g.cycles + g.clamped, 0);
	ck_assert_double_eq_tol(g.node[1].total_ratio, 0.6, 1e-12);
	ck_assert_double_eq_tol(g.node[1].self_ratio, 0.5, 1e-12);
	ck_assert_int_eq(g.node[1].calls, 4);
	ck_assert_int_eq(g.edge[0].calls, 2); /* an edge shows primitive calls */
	ck_assert_double_eq_tol(g.edge[0].total_ratio, 0.6, 1e-12);
	pk_callgraph_release(&g);

	params.node_threshold = params.edge_threshold = 0;
	g = graph_of(p, &params);
	ck_assert_uint_eq(g.node_count, 5);
	ck_assert_uint_eq(g.edge_count, 7);
	ck_assert_double_eq(g.self_shown, 1);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

START_TEST(thresholds_keep_what_is_equal)
{
	struct pk_profile *p = example();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_callgraph g;

	params.node_threshold = 0.5 / 100;
	params.edge_threshold = 1.0 / 10;
	g = graph_of(p, &params);
	expect_edges(p, &g, "main>a main>b a>b b>leaf"); /* a>b is exactly 10 % */
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

START_TEST(limit_after_selection)
{
	struct pk_profile *p = example();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_callgraph g;

	params.limit.count = 2;
	g = graph_of(p, &params);
	expect_nodes(p, &g, "main a");
	ck_assert_uint_eq(g.over_limit, 2);
	ck_assert_uint_eq(g.below_threshold, 1);
	pk_callgraph_release(&g);

	params.root = "b";
	g = graph_of(p, &params);
	expect_nodes(p, &g, "b leaf");
	ck_assert_uint_eq(g.not_selected, 2);
	ck_assert_uint_eq(g.below_threshold, 1);
	ck_assert_uint_eq(g.over_limit, 0);
	pk_callgraph_release(&g);

	params.root = NULL;
	params.key = PK_CALLGRAPH_BY_SELF;
	g = graph_of(p, &params);
	expect_nodes(p, &g, "a b");
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

START_TEST(limit_by_share)
{
	struct pk_profile *p = example();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_callgraph g;

	params.limit.share = 0.5; /* 3 of all 5 functions, shown or not */
	g = graph_of(p, &params);
	expect_nodes(p, &g, "main a b");
	ck_assert_uint_eq(g.over_limit, 1);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

/* The largest call of each function: main>a 6 s, main>b 3.95, b>leaf 1.995, leaf>tiny 0.03. Then
 * a>b 1, main>tiny 0.01, main>leaf 0.005. */
START_TEST(arrows)
{
	static const char *const shown[] = {
		"main>a main>b b>leaf leaf>tiny",
		"main>a main>b a>b b>leaf leaf>tiny",
		"main>a main>b main>tiny a>b b>leaf leaf>tiny",
		"main>a main>b main>leaf main>tiny a>b b>leaf leaf>tiny",
	};
	struct pk_profile *p = example();
	struct pk_callgraph_params params = {.depth = -1};
	struct pk_callgraph g;

	for (uint32_t i = 0; i < 4; i++) {
		params.arrows = 4 + i;
		g = graph_of(p, &params);
		expect_edges(p, &g, shown[i]);
		ck_assert_uint_eq(g.calls_over_limit, 3 - i);
		pk_callgraph_release(&g);
	}
	params.arrows = 2;
	g = graph_of(p, &params);
	expect_edges(p, &g, "main>a main>b");
	ck_assert_uint_eq(g.calls_over_limit, 5);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

/* The call of a function by itself is not the largest that leads to it. */
START_TEST(arrows_of_recursion)
{
	struct made m = make();
	struct pk_callgraph_params params = {.depth = -1, .arrows = 1};
	struct pk_profile *p;
	struct pk_callgraph g;

	add_function(&m, "main", 4, 10);
	add_function(&m, "again", 6, 6);
	add_call(&m, "main", "again", 1);
	add_call(&m, "again", "again", 5);
	p = finish(&m);
	g = graph_of(p, &params);
	expect_edges(p, &g, "main>again");
	ck_assert_uint_eq(g.calls_over_limit, 1);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

/* A selected function is found although it is below every threshold. */
START_TEST(selection_comes_before_thresholds)
{
	struct pk_profile *p = example();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_callgraph g;

	params.leaf = "tiny";
	params.depth = 1;
	g = graph_of(p, &params);
	expect_nodes(p, &g, "main leaf");
	ck_assert_uint_eq(g.below_threshold, 1);
	pk_callgraph_release(&g);

	params.node_threshold = 0;
	g = graph_of(p, &params);
	expect_nodes(p, &g, "main leaf tiny");
	expect_edges(p, &g, "main>tiny leaf>tiny");
	pk_callgraph_release(&g);

	params.depth = 0;
	g = graph_of(p, &params);
	expect_nodes(p, &g, "tiny");
	pk_callgraph_release(&g);

	params = (struct pk_callgraph_params)DEFAULTS;
	params.root = "main";
	params.depth = 1;
	params.leaf = "leaf";
	g = graph_of(p, &params);
	expect_nodes(p, &g, "main b leaf");
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

START_TEST(patterns)
{
	static const char *const fits[] = {
		"leaf",
		"l*f",
		"[kl]eaf",
		"main:7:leaf",
		"*:leaf",
		"/^le/",
		"/app.main.py:7.leaf/",
		"/srv/app/main.py:7(leaf)",
	};
	static const char *const fits_not[] = {"eaf", "LEAF", "[!l]eaf", "/^eaf/", "le"};
	struct pk_profile *p = example();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_callgraph g;

	for (size_t i = 0; i < sizeof(fits) / sizeof(*fits); i++) {
		struct pk_pattern *pattern = pk_pattern_new(fits[i], &err);

		ck_assert_msg(pk_pattern_matches(pattern, p, 5), "%s", fits[i]);
		pk_pattern_free(pattern);
	}
	for (size_t i = 0; i < sizeof(fits_not) / sizeof(*fits_not); i++) {
		struct pk_pattern *pattern = pk_pattern_new(fits_not[i], &err);

		ck_assert_msg(!pk_pattern_matches(pattern, p, 5), "%s", fits_not[i]);
		pk_pattern_free(pattern);
	}
	params.root = "nobody";
	ck_assert_int_eq(pk_callgraph_init(&g, p, 1, &params, &err), -1);
	ck_assert_str_eq(err.text, "--root: no function matches 'nobody'; "
				   "--list-functions shows them all");
	params.root = "/a(/";
	ck_assert_int_eq(pk_callgraph_init(&g, p, 1, &params, &err), -1);
	ck_assert(strstr(err.text, "regular expression 'a(': "));
	pk_profile_free(p);
}
END_TEST

START_TEST(paths)
{
	const char *prefix[] = {"/usr", "/srv/app"};
	struct made m = make();
	struct pk_function f = {.name = pk_build_text(m.b, "elsewhere"),
				.file = pk_build_text(m.b, "/opt/x.py")};
	struct pk_edge e = {.metric = m.metric, .self_raw = 1, .total_raw = 1};
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_profile *p;
	struct pk_callgraph g;

	add_function(&m, "here", 1, 1);
	e.callee = pk_build_function(m.b, &f);
	pk_build_edge(m.b, &e);
	f = (struct pk_function){.name = pk_build_text(m.b, "no place")};
	e.callee = pk_build_function(m.b, &f);
	pk_build_edge(m.b, &e);
	p = finish(&m);
	params.paths = (struct pk_opt_list){.item = prefix, .count = 2};
	g = graph_of(p, &params);
	expect_nodes(p, &g, "here no place");
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

START_TEST(residual_edges)
{
	struct made m = make();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_profile *p;
	struct pk_callgraph g;

	add_function(&m, "main", 0, 10);
	add_function(&m, "wrap1", 0, 6);
	add_function(&m, "wrap2", 0, 6);
	add_function(&m, "work", 6, 6);
	add_function(&m, "other", 4, 4);
	add_call(&m, "main", "wrap1", 6);
	add_call(&m, "wrap1", "wrap2", 6);
	add_call(&m, "wrap2", "work", 6);
	add_call(&m, "wrap2", "wrap1", 1);
	add_call(&m, "main", "other", 4);
	p = finish(&m);
	params.key = PK_CALLGRAPH_BY_SELF;
	params.limit.count = 3;
	params.residual = true;
	g = graph_of(p, &params);
	expect_nodes(p, &g, "main work other");
	expect_edges(p, &g, "main..work main>other");
	pk_callgraph_release(&g);
	params.residual = false;
	g = graph_of(p, &params);
	expect_edges(p, &g, "main>other");
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

/* a <-> b, c -> d -> e -> c, r -> r; no other circles */
START_TEST(cycles)
{
	struct made m = make();
	struct pk_callgraph_params params = DEFAULTS;
	static const char *const names[] = {"main", "a", "b", "c", "d", "e", "r"};
	static const uint32_t expected[] = {0, 1, 1, 2, 2, 2, 0};
	struct pk_profile *p;
	struct pk_callgraph g;

	for (size_t i = 0; i < 7; i++)
		add_function(&m, names[i], 1, 2);
	add_call(&m, "main", "a", 1);
	add_call(&m, "a", "b", 1);
	add_call(&m, "b", "a", 1);
	add_call(&m, "b", "c", 1);
	add_call(&m, "c", "d", 1);
	add_call(&m, "d", "e", 1);
	add_call(&m, "e", "c", 1);
	add_call(&m, "main", "e", 1);
	add_call(&m, "d", "r", 1);
	add_call(&m, "r", "r", 1);
	p = finish(&m);
	g = graph_of(p, &params);
	ck_assert_uint_eq(g.node_count, 7);
	ck_assert_uint_eq(g.cycles, 2);
	for (uint32_t i = 0; i < 7; i++)
		ck_assert_uint_eq(g.node[i].cycle, expected[i]);
	pk_callgraph_release(&g);
	params.root = "c";
	g = graph_of(p, &params);
	expect_nodes(p, &g, "c d e r");
	ck_assert_uint_eq(g.cycles, 1);
	ck_assert_uint_eq(g.node[0].cycle, 1);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

/* Reachability both ways, the definition, against the search on random graphs. */
START_TEST(cycles_by_definition)
{
	enum { NODES = 12 };
	uint32_t state = 12345u + (uint32_t)_i;
	bool reach[NODES][NODES] = {{false}};
	uint32_t first[NODES + 1], to[NODES * NODES], cycle[NODES], order[NODES], place[NODES];
	uint32_t count = 0, largest = 0;

	for (uint32_t i = 0; i < NODES; i++) {
		first[i] = count;
		for (uint32_t j = 0; j < NODES; j++) {
			state = state * 1664525u + 1013904223u;
			if ((state >> 16) % NODES < 1 + (uint32_t)_i % 3) {
				to[count++] = j;
				reach[i][j] = true;
			}
		}
	}
	first[NODES] = count;
	for (int k = 0; k < NODES; k++)
		for (int i = 0; i < NODES; i++)
			for (int j = 0; j < NODES; j++)
				reach[i][j] |= reach[i][k] && reach[k][j];
	count = pk_cycles(&(struct pk_digraph){NODES, first, to}, cycle, order);
	for (uint32_t i = 0; i < NODES; i++)
		place[order[i]] = i;
	for (uint32_t i = 0; i < NODES; i++) {
		bool alone = true;

		for (uint32_t j = 0; j < NODES; j++) {
			bool together = i != j && reach[i][j] && reach[j][i];

			alone = alone && !together;
			ck_assert_int_eq(together, i != j && cycle[i] && cycle[i] == cycle[j]);
			if (reach[i][j] && !reach[j][i])
				ck_assert_uint_lt(place[j], place[i]);
		}
		ck_assert_int_eq(alone, cycle[i] == 0);
		ck_assert_uint_le(cycle[i], largest + 1);
		if (cycle[i] > largest)
			largest = cycle[i];
	}
	ck_assert_uint_eq(count, largest);
}
END_TEST

static void chain(uint32_t nodes, bool closed)
{
	uint32_t *first = pk_calloc(nodes + 1, sizeof(*first));
	uint32_t *to = pk_calloc(nodes, sizeof(*to));
	uint32_t *cycle = pk_calloc(nodes, sizeof(*cycle));

	for (uint32_t i = 0; i < nodes; i++) {
		first[i] = i;
		to[i] = (i + 1) % nodes;
	}
	first[nodes] = closed ? nodes : nodes - 1;
	ck_assert_uint_eq(pk_cycles(&(struct pk_digraph){nodes, first, to}, cycle, NULL), closed);
	for (uint32_t i = 0; i < nodes; i++)
		ck_assert_uint_eq(cycle[i], closed);
	free(first);
	free(to);
	free(cycle);
}

START_TEST(long_chains)
{
	chain(100000, false);
	chain(100000, true);
}
END_TEST

/* A path through 100,000 functions, as folded stacks can hold it. */
START_TEST(deep_paths)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	struct pk_callgraph_params params = DEFAULTS;
	uint32_t node = 0;
	struct pk_profile *p;
	struct pk_callgraph g;

	for (int i = 0; i < 100000; i++) {
		char name[20];
		int len = snprintf(name, sizeof(name), "f%d", i);

		node = pk_build_node(b, node, pk_build_label(b, name, (size_t)len));
	}
	pk_build_cost(b, 0, node, metric, 5, PK_NULL);
	p = pk_builder_finish(b);
	for (int k = 0; k < 3; k++) {
		params.totals = (int)k;
		g = graph_of(p, &params);
		ck_assert_uint_eq(g.node_count, 100000);
		ck_assert_uint_eq(g.edge_count, 99999);
		ck_assert_double_eq(g.node[0].total_ratio, 1);
		ck_assert_double_eq(g.node[99999].self_ratio, 1);
		pk_callgraph_release(&g);
	}
	pk_profile_free(p);
}
END_TEST

static uint32_t path(struct pk_builder *b, const char *names)
{
	uint32_t node = 0;

	for (; *names; names++)
		if (*names != ';')
			node = pk_build_node(b, node, pk_build_label(b, names, 1));
	return node;
}

static void add_ratio(struct pk_buf *buf, double ratio)
{
	if (isnan(ratio))
		pk_buf_adds(buf, " nan");
	else
		pk_buf_addf(buf, " %.10g", ratio);
}

/* "a 0.5, b 1, a>b 0.25": the shares of functions and of calls, in order. */
static void expect_ratios(const struct pk_profile *p, const struct pk_callgraph *g,
			  const char *expected)
{
	struct pk_buf buf = PK_BUF_INIT;

	for (uint32_t i = 0; i < g->node_count; i++) {
		pk_buf_addf(&buf, "%s%s", i ? ", " : "", name_of(p, g, i));
		add_ratio(&buf, g->node[i].total_ratio);
	}
	for (uint32_t i = 0; i < g->edge_count; i++) {
		pk_buf_addf(&buf, ", %s>%s", name_of(p, g, g->edge[i].caller),
			    name_of(p, g, g->edge[i].callee));
		add_ratio(&buf, g->edge[i].total_ratio);
	}
	ck_assert_str_eq(buf.data, expected);
	pk_buf_release(&buf);
}

/* Cases in which shares of calls mislead: x calls itself, and is both a root and called by m. */
START_TEST(totals_from_paths)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_profile *p;
	struct pk_callgraph g;

	pk_build_cost(b, 0, path(b, "m;a"), metric, 8, PK_NULL);
	pk_build_cost(b, 0, path(b, "m;x;x;a"), metric, 4, PK_NULL);
	pk_build_cost(b, 0, path(b, "x"), metric, 8, PK_NULL);
	p = pk_builder_finish(b);
	g = graph_of(p, &params);
	expect_ratios(p, &g, "m 0.6, a 0.6, x 0.6, m>a 0.4, m>x 0.2, x>a 0.2, x>x 0.2");
	pk_callgraph_release(&g);

	/* The edges' part of the callee's 0.6: m calls x in all samples in which it is called;
	 * a is called 8 times by m, 4 times by x. */
	params.totals = PK_TOTALS_CALLSTACKS;
	g = graph_of(p, &params);
	expect_ratios(p, &g, "m 0.6, a 0.6, x 0.6, m>a 0.4, m>x 0.6, x>a 0.2, x>x nan");
	pk_callgraph_release(&g);

	/* a: self 0.6, 0.2 of it go to x; x: 0.4 + 0.2, all of it goes to m. */
	params.totals = PK_TOTALS_CALLRATIOS;
	g = graph_of(p, &params);
	expect_ratios(p, &g, "m 1, a 0.6, x 0.6, m>a 0.4, m>x 0.6, x>a 0.2, x>x nan");
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

/* Callers known by count only (the `profile` module): time by share of calls. */
START_TEST(edges_without_time)
{
	struct made m = make();
	uint32_t callee = add_function(&m, "f", 8, 8);
	struct pk_edge e = {.caller = function_of(&m, "ghost"),
			    .callee = callee,
			    .metric = m.metric,
			    .calls = 3,
			    .primitive_calls = PK_NULL,
			    .self = PK_NULL,
			    .total = PK_NULL,
			    .self_raw = NAN,
			    .total_raw = NAN};
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_profile *p;
	struct pk_callgraph g;

	pk_build_edge(m.b, &e);
	p = finish(&m);
	g = graph_of(p, &params);
	expect_nodes(p, &g, "f ghost"); /* without known values: never below a threshold */
	ck_assert(isnan(g.node[1].total_ratio));
	ck_assert_double_eq_tol(g.edge[0].total_ratio, 0.75, 1e-12);
	ck_assert_double_eq_tol(g.edge[0].total, 6, 1e-12);
	ck_assert_int_eq(g.edge[0].calls, 3);
	ck_assert(g.edge[0].estimated);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

START_TEST(total_is_the_largest)
{
	struct made m = make();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_profile *p;
	struct pk_callgraph g;

	add_function(&m, "over", 1, 8);
	add_function(&m, "rest", 3, 3);
	add_call(&m, "over", "rest", 9);
	p = finish(&m);
	g = graph_of(p, &params);
	ck_assert_double_eq(g.self_total, 4);
	ck_assert_double_eq(g.total, 8);
	ck_assert_double_eq(g.node[0].total_ratio, 1);
	ck_assert_double_eq(g.node[0].self_ratio, 0.25);
	ck_assert_double_eq(g.edge[0].total_ratio, 1);
	ck_assert_uint_eq(g.clamped, 1);
	ck_assert_double_eq(pk_callgraph_size(&g, 0.5), 0.5);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

/* Memory that was freed: shares are those of tables, of the sum. */
START_TEST(negative_values)
{
	struct made m = make();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_profile *p;
	struct pk_callgraph g;

	add_function(&m, "main", -6, 4);
	add_function(&m, "grow", 10, 10);
	add_function(&m, "freed", -0.5, 0);
	add_function(&m, "small", 0.5, 0.001);
	add_call(&m, "main", "grow", 10);
	add_call(&m, "main", "freed", -3);
	params.node_threshold = 0.01;
	p = finish(&m);
	g = graph_of(p, &params);
	expect_nodes(p, &g, "grow main small freed");
	ck_assert_double_eq(g.total, 4);
	ck_assert_double_eq(g.node[0].total_ratio, 2.5);
	ck_assert_double_eq(g.node[1].total_ratio, 1);
	ck_assert_double_eq(g.node[1].self_ratio, -1.5);
	ck_assert_double_eq(g.node[3].self_ratio, -0.125);
	ck_assert_uint_eq(g.edge_count, 2);
	ck_assert_double_eq(g.edge[1].total_ratio, -0.75);
	ck_assert_uint_eq(g.clamped, 0);
	ck_assert_double_eq(pk_callgraph_size(&g, 2.5), 1);
	ck_assert_double_eq(pk_callgraph_size(&g, 5), 1); /* calls, of which others free some */
	ck_assert_double_eq(pk_callgraph_size(&g, -1.5), 0);
	ck_assert_double_eq(pk_callgraph_size(&g, NAN), 0);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

START_TEST(negative_sum)
{
	struct made m = make();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_profile *p;
	struct pk_callgraph g;

	add_function(&m, "main", -6, -2);
	add_function(&m, "grow", 4, 4);
	p = finish(&m);
	g = graph_of(p, &params);
	ck_assert_double_eq(g.total, -2);
	ck_assert(isnan(g.node[0].total_ratio) && isnan(g.node[1].self_ratio));
	ck_assert(isnan(g.self_shown));
	ck_assert_uint_eq(g.clamped, 0);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

START_TEST(nothing_at_all)
{
	struct made m = make();
	struct pk_callgraph_params params = DEFAULTS;
	struct pk_profile *p = finish(&m);
	struct pk_callgraph g = graph_of(p, &params);

	ck_assert_uint_eq(g.node_count + g.edge_count, 0);
	pk_callgraph_release(&g);
	pk_profile_free(p);
}
END_TEST

static void add_loops(TCase *tcase)
{
	tcase_add_loop_test(tcase, cycles_by_definition, 0, 300);
}

CHECK_MAIN_AND("callgraph", add_loops, thresholds_and_counts, thresholds_keep_what_is_equal,
	       limit_after_selection, limit_by_share, arrows, arrows_of_recursion,
	       selection_comes_before_thresholds, patterns, paths, residual_edges, cycles,
	       long_chains, deep_paths, totals_from_paths, edges_without_time, total_is_the_largest,
	       negative_values, negative_sum, nothing_at_all)
