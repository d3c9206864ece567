/*
 * Which functions and edges of a call graph are drawn: near to, below or above chosen functions,
 * and above the limits of share, number and arrows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callgraph/internal.h"
#include "analysis/function_name.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"

/*
 * Chooses which functions and calls of the whole graph are shown: first the selection, then
 * the thresholds, then the limit. Each step sees only what the step before it kept.
 */
enum fate { SHOWN, NOT_SELECTED, BELOW_THRESHOLD, OVER_LIMIT };

struct prune {
	struct pk_callgraph *g;
	const struct pk_profile *p;
	const struct pk_callgraph_params *params;
	uint8_t *fate; /* per node */
};

/* Sets reached[] for all nodes within `depth` edges of the nodes in the queue. */
static void spread(const struct pk_digraph *d, uint32_t *queue, uint32_t len, int64_t depth,
		   bool *reached)
{
	uint32_t done = 0;

	for (int64_t level = 0; done < len && (depth < 0 || level < depth); level++) {
		for (uint32_t end = len; done < end; done++) {
			uint32_t node = queue[done];

			for (uint32_t i = d->first[node]; i < d->first[node + 1]; i++) {
				if (reached[d->to[i]])
					continue;
				reached[d->to[i]] = true;
				queue[len++] = d->to[i];
			}
		}
	}
}

static int select_near(struct prune *s, const char *option, const char *text,
		       const struct pk_digraph *d, struct pk_error *err)
{
	struct pk_callgraph *g = s->g;
	struct pk_pattern *pattern = pk_pattern_new(text, err);
	uint32_t *queue, found = 0;
	bool *reached;

	if (!pattern)
		return -1;
	queue = pk_calloc((size_t)g->node_count + 1, sizeof(*queue));
	reached = pk_calloc((size_t)g->node_count + 1, sizeof(*reached));
	for (uint32_t i = 0; i < g->node_count; i++) {
		if (!pk_pattern_matches(pattern, s->p, g->node[i].function))
			continue;
		reached[i] = true;
		queue[found++] = i;
	}
	pk_pattern_free(pattern);
	if (found)
		spread(d, queue, found, s->params->depth, reached);
	for (uint32_t i = 0; i < g->node_count; i++)
		if (!reached[i])
			s->fate[i] = NOT_SELECTED;
	free(queue);
	free(reached);
	if (!found)
		return pk_fail(err, PK_EUSAGE,
			       "%s: no function matches '%s'; --list-functions shows them all",
			       option, text);
	return 0;
}

static int select_root_and_leaf(struct prune *s, struct pk_error *err)
{
	const struct pk_callgraph_params *params = s->params;
	int status = 0;

	if (params->root) {
		struct pk_digraph d = pk_callgraph_digraph(s->g, false);

		status = select_near(s, "--root", params->root, &d, err);
		pk_callgraph_digraph_free(&d);
	}
	if (params->leaf && !status) {
		struct pk_digraph d = pk_callgraph_digraph(s->g, true);

		status = select_near(s, "--leaf", params->leaf, &d, err);
		pk_callgraph_digraph_free(&d);
	}
	return status;
}

static bool in_paths(const struct prune *s, uint32_t function)
{
	const char *file = pk_text(s->p, s->p->function.file[function]);
	const char *module = pk_text(s->p, s->p->function.module[function]);

	if (!*file && !*module) /* built-in functions have no place that could match */
		return s->p->function.kind[function] != PK_KIND_BUILTIN;
	for (size_t i = 0; i < s->params->paths.count; i++) {
		const char *path = s->params->paths.item[i];

		if (*file ? pk_starts_with(file, path) : strstr(module, path) != NULL)
			return true;
	}
	return false;
}

static void drop_outside_paths(struct prune *s)
{
	if (!s->params->paths.count)
		return;
	for (uint32_t i = 0; i < s->g->node_count; i++)
		if (!in_paths(s, s->g->node[i].function))
			s->fate[i] = NOT_SELECTED;
}

/* Negative values make a total small of which parts are large. Without a whole, only nothing is
 * small. */
static double size_of(const struct prune *s, const struct pk_callgraph_node *n)
{
	if (!s->g->negative)
		return n->total_ratio;
	if (n->self == 0 && n->total == 0)
		return 0;
	return fmax(fabs(n->self_ratio), fabs(n->total_ratio));
}

static void drop_small(struct prune *s)
{
	for (uint32_t i = 0; i < s->g->node_count; i++)
		if (s->fate[i] == SHOWN && size_of(s, &s->g->node[i]) < s->params->node_threshold)
			s->fate[i] = BELOW_THRESHOLD;
}

struct ranked {
	double key;
	uint32_t node;
};

PK_COMPARE(compare_ranked, struct ranked, PK_ORDER(b->key, a->key) ?: PK_ORDER(a->node, b->node))

static double key_of(const struct pk_callgraph_node *n, enum pk_callgraph_key by)
{
	double key = by == PK_CALLGRAPH_BY_SELF ? n->self_ratio : n->total_ratio;

	if (by == PK_CALLGRAPH_BY_CALLS)
		key = n->calls == PK_NULL ? NAN : (double)n->calls;
	return isnan(key) ? -INFINITY : key;
}

static void drop_over_limit(struct prune *s)
{
	struct ranked *list;
	int64_t limit = s->params->limit.count;
	uint32_t count = 0;

	if (s->params->limit.share > 0)
		limit = (int64_t)ceil(s->params->limit.share * s->g->node_count);
	if (limit <= 0)
		return;
	list = pk_calloc((size_t)s->g->node_count + 1, sizeof(*list));
	for (uint32_t i = 0; i < s->g->node_count; i++)
		if (s->fate[i] == SHOWN)
			list[count++] = (struct ranked){key_of(&s->g->node[i], s->params->key), i};
	qsort(list, count, sizeof(*list), compare_ranked);
	for (uint32_t i = 0; i < count; i++)
		if (i >= limit)
			s->fate[list[i].node] = OVER_LIMIT;
	free(list);
}

static bool is_between_shown(const struct prune *s, const struct pk_callgraph_edge *e)
{
	return s->fate[e->caller] == SHOWN && s->fate[e->callee] == SHOWN;
}

/*
 * Connects functions that are shown although none of their callers is: each gets one edge from
 * the nearest shown function from which a path over left-out functions leads to it. One search
 * from all shown functions at once finds them.
 */
static void add_residual_edges(struct prune *s, struct pk_callgraph_edge *kept, uint32_t *count)
{
	struct pk_callgraph *g = s->g;
	struct pk_digraph d = pk_callgraph_digraph(g, false);
	PK_FREED uint32_t *queue = pk_calloc((size_t)g->node_count + 1, sizeof(*queue));
	PK_FREED uint32_t *from =
		pk_calloc((size_t)g->node_count + 1, sizeof(*from)); /* shown + 1 */
	bool *called = pk_calloc((size_t)g->node_count + 1, sizeof(*called));
	uint32_t len = 0;

	for (uint32_t i = 0; i < *count; i++)
		called[kept[i].callee] |= kept[i].caller != kept[i].callee;
	for (uint32_t i = 0; i < g->node_count; i++) {
		if (s->fate[i] == SHOWN) {
			queue[len++] = i;
			from[i] = i + 1;
		}
	}
	for (uint32_t done = 0; done < len; done++) {
		uint32_t node = queue[done], source = from[node];

		for (uint32_t i = d.first[node]; i < d.first[node + 1]; i++) {
			uint32_t to = d.to[i];

			if (s->fate[to] == SHOWN && s->fate[node] != SHOWN && !called[to] &&
			    source != to + 1) {
				called[to] = true;
				kept[(*count)++] = (struct pk_callgraph_edge){
					.caller = source - 1,
					.callee = to,
					.calls = PK_NULL,
					.total = NAN,
					.total_ratio = NAN,
					.residual = true,
				};
			} else if (s->fate[to] != SHOWN && s->fate[to] != NOT_SELECTED &&
				   !from[to]) {
				from[to] = source;
				queue[len++] = to;
			}
		}
	}
	free(called);
	pk_callgraph_digraph_free(&d);
}

/* Keeps the largest calls. The largest of each function goes before all others, so that no function
 * loses its last caller as long as there is room. */
static void drop_arrows_over_limit(struct prune *s, struct pk_callgraph_edge *kept, uint32_t *count,
				   uint32_t functions)
{
	int64_t limit = s->params->arrows < 0 ? 50 + 2 * (int64_t)functions : s->params->arrows;
	uint32_t *largest, all = *count;
	struct ranked *list;

	if (!s->params->arrows || *count <= limit)
		return;
	largest = pk_calloc((size_t)s->g->node_count + 1, sizeof(*largest)); /* by callee, + 1 */
	list = pk_calloc((size_t)all + 1, sizeof(*list));
	for (uint32_t i = 0; i < all; i++) {
		uint32_t *l = &largest[kept[i].callee];

		list[i] = (struct ranked){isnan(kept[i].weight) ? 0 : fabs(kept[i].weight), i};
		if (kept[i].caller != kept[i].callee && (!*l || list[*l - 1].key < list[i].key))
			*l = i + 1;
	}
	for (uint32_t i = 0; i < s->g->node_count; i++)
		if (largest[i])
			list[largest[i] - 1].key += 2;
	qsort(list, all, sizeof(*list), compare_ranked);
	for (uint32_t i = (uint32_t)limit; i < all; i++)
		kept[list[i].node].caller = UINT32_MAX;
	*count = 0;
	for (uint32_t i = 0; i < all; i++)
		if (kept[i].caller != UINT32_MAX)
			kept[(*count)++] = kept[i];
	s->g->calls_over_limit = all - *count;
	free(largest);
	free(list);
}

static void keep_edges(struct prune *s)
{
	struct pk_callgraph *g = s->g;
	size_t room = (size_t)g->edge_count + (s->params->residual ? g->node_count : 0) + 1;
	struct pk_callgraph_edge *kept = pk_calloc(room, sizeof(*kept));
	uint32_t count = 0, functions = 0;

	for (uint32_t i = 0; i < g->edge_count; i++) {
		if (!is_between_shown(s, &g->edge[i]))
			continue;
		if (fabs(g->edge[i].weight) < s->params->edge_threshold)
			g->calls_below_threshold++;
		else
			kept[count++] = g->edge[i];
	}
	for (uint32_t i = 0; i < g->node_count; i++)
		functions += s->fate[i] == SHOWN;
	drop_arrows_over_limit(s, kept, &count, functions);
	if (s->params->residual)
		add_residual_edges(s, kept, &count);
	free(g->edge);
	g->edge = kept;
	g->edge_count = count;
}

/* Numbers the cycles of which at least two functions are shown. Other cycles are no longer
 * marked. */
static void renumber_cycles(struct pk_callgraph *g)
{
	PK_FREED uint32_t *shown = pk_calloc((size_t)g->cycles + 1, sizeof(*shown));
	PK_FREED uint32_t *number = pk_calloc((size_t)g->cycles + 1, sizeof(*number));
	uint32_t count = 0;

	for (uint32_t i = 0; i < g->node_count; i++)
		shown[g->node[i].cycle]++;
	for (uint32_t i = 0; i < g->node_count; i++) {
		uint32_t cycle = g->node[i].cycle;

		if (cycle && shown[cycle] > 1 && !number[cycle])
			number[cycle] = ++count;
		g->node[i].cycle = number[cycle];
	}
	g->cycles = count;
}

/* Copies the functions shown to a new array, largest total first; place[] tells where each went. */
static void keep_nodes(struct prune *s, uint32_t *place)
{
	struct pk_callgraph *g = s->g;
	struct pk_callgraph_node *kept = pk_calloc((size_t)g->node_count + 1, sizeof(*kept));
	struct ranked *list = pk_calloc((size_t)g->node_count + 1, sizeof(*list));
	uint32_t count = 0;
	double self = 0;

	for (uint32_t i = 0; i < g->node_count; i++) {
		const struct pk_callgraph_node *n = &g->node[i];

		if (s->fate[i] != SHOWN)
			continue;
		self += isnan(n->self) ? 0 : n->self;
		list[count++] = (struct ranked){key_of(n, PK_CALLGRAPH_BY_TOTAL), i};
	}
	qsort(list, count, sizeof(*list), compare_ranked);
	for (uint32_t i = 0; i < count; i++) {
		kept[i] = g->node[list[i].node];
		place[list[i].node] = i;
	}
	g->self_shown = count == g->node_count && !g->negative
				? 1
				: pk_callgraph_share(g, self, g->self_total);
	free(g->node);
	free(list);
	g->node = kept;
	g->node_count = count;
}

/* Functions of which no more is known than whom they call tell nothing without an arrow. */
static void drop_lone_callers(struct prune *s)
{
	struct pk_callgraph *g = s->g;
	PK_FREED bool *drawn = pk_calloc((size_t)g->node_count + 1, sizeof(*drawn));

	if (s->params->node_threshold <= 0)
		return;
	for (uint32_t i = 0; i < g->edge_count; i++)
		drawn[g->edge[i].caller] = drawn[g->edge[i].callee] = true;
	for (uint32_t i = 0; i < g->node_count; i++)
		if (!drawn[i] && g->node[i].empty && isnan(g->node[i].total) && s->fate[i] == SHOWN)
			s->fate[i] = BELOW_THRESHOLD;
}

static void finish(struct prune *s)
{
	struct pk_callgraph *g = s->g;
	PK_FREED uint32_t *place = pk_calloc((size_t)g->node_count + 1, sizeof(*place));

	for (uint32_t i = 0; i < g->node_count; i++) {
		if (g->node[i].empty) {
			g->functions--;
			g->empty_shown += s->fate[i] == SHOWN;
			continue;
		}
		g->not_selected += s->fate[i] == NOT_SELECTED;
		g->below_threshold += s->fate[i] == BELOW_THRESHOLD;
		g->over_limit += s->fate[i] == OVER_LIMIT;
	}
	keep_nodes(s, place);
	for (uint32_t i = 0; i < g->edge_count; i++) {
		g->edge[i].caller = place[g->edge[i].caller];
		g->edge[i].callee = place[g->edge[i].callee];
	}
	pk_callgraph_sort_edges(g);
	renumber_cycles(g);
}

int pk_callgraph_prune(struct pk_callgraph *g, const struct pk_profile *p,
		       const struct pk_callgraph_params *params, struct pk_error *err)
{
	struct prune s = {.g = g, .p = p, .params = params};

	s.fate = pk_calloc((size_t)g->node_count + 1, 1);
	if (select_root_and_leaf(&s, err)) {
		free(s.fate);
		return -1;
	}
	drop_outside_paths(&s);
	drop_small(&s);
	drop_over_limit(&s);
	keep_edges(&s);
	drop_lone_callers(&s);
	finish(&s);
	free(s.fate);
	return 0;
}
