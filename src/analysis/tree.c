/* The call tree that tree shows: top-down or bottom-up, the largest paths within the limits. */
#include "analysis/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/transform/transform.h"

/* Replaces the profile by one derived from it. */
static void derive(struct pk_call_tree *t, struct pk_profile *made)
{
	if (t->derived)
		pk_profile_free(t->derived);
	t->derived = made;
	t->profile = made;
}

static int prepare(struct pk_call_tree *t, const struct pk_call_tree_options *options,
		   struct pk_error *err)
{
	static const struct pk_selection by_function = {.granularity = PK_BY_FUNCTION};
	int status = 0;

	t->profile = pk_with_paths(t->profile, &t->derived);
	if (t->profile->node.count <= 1)
		return pk_fail(err, PK_EUSAGE, "'%s' holds neither call paths nor callers",
			       pk_text(t->profile, t->profile->run.source[1]));
	if (pk_has_places(t->profile) && !options->by_line) {
		struct pk_profile *joined;
		const char *unmatched;

		status = pk_select(t->profile, &by_function, &joined, &unmatched, err);
		if (joined)
			derive(t, joined);
	}
	if (options->bottom_up)
		derive(t, pk_invert(t->profile, &t->cut));
	return status;
}

/* With several metrics, a path may have no value in this one: kernels have no CPU time. */
static bool is_elsewhere(const struct pk_call_tree *t, uint32_t node)
{
	return t->profile->span.count > 1 && t->profile->metric.count > 2 && t->tree.calls &&
	       t->tree.calls[node] == PK_NULL && !t->tree.total[node];
}

static void choose(struct pk_call_tree *t, const struct pk_call_tree_options *options)
{
	const uint32_t *parent = t->profile->node.parent;
	double least = options->min_share * (double)t->total;
	PK_FREED bool *kept = pk_calloc(t->tree.count, sizeof(*kept));
	uint32_t i;

	t->nodes = pk_malloc(pk_mul(t->tree.count, sizeof(*t->nodes)));
	t->depth = pk_calloc(t->tree.count, sizeof(*t->depth));
	kept[0] = true;
	for (i = 1; i < t->tree.count; i++) {
		t->depth[i] = t->depth[parent[i]] + 1;
		kept[i] = kept[parent[i]] && !is_elsewhere(t, i) &&
			  (options->min_share <= 0 || (double)t->tree.total[i] >= least) &&
			  (!options->depth || t->depth[i] <= options->depth);
		if (kept[i])
			t->nodes[t->node_count++] = i;
	}
}

PK_COMPARE_ROWS(by_total, struct pk_tree, PK_ORDER(d->total[b], d->total[a]) ?: PK_ORDER(a, b))

/*
 * Moves the `limit` largest nodes to the front and returns their number. A parent comes before
 * its children in that order, since its total is at least as large and its id smaller. If
 * negative costs break that, the child is dropped.
 */
static uint32_t keep_largest(struct pk_call_tree *t, uint32_t *chosen, uint32_t limit)
{
	PK_FREED bool *kept = pk_calloc(t->tree.count, sizeof(*kept));
	uint32_t left = 0, i;

	kept[0] = true;
	t->largest_left = INT64_MIN;
	qsort_r(chosen, t->node_count, sizeof(*chosen), by_total, &t->tree);
	for (i = 0; i < t->node_count; i++) {
		uint32_t node = chosen[i];

		if (left < limit && kept[t->profile->node.parent[node]]) {
			kept[node] = true;
			chosen[left++] = node;
		} else if (t->tree.total[node] > t->largest_left) {
			t->largest_left = t->tree.total[node];
		}
	}
	return left;
}

/* Sorts the chosen nodes by the values of functions. */
static void sort_nodes(const struct pk_call_tree *t, const struct pk_sort *sort, uint32_t *chosen,
		       uint32_t count)
{
	PK_FREED struct pk_function_total *rows = pk_malloc(pk_mul(count, sizeof(*rows)));
	uint32_t *order = pk_malloc(pk_mul(count, sizeof(*order))), i;

	for (i = 0; i < count; i++) {
		uint32_t node = chosen[i];
		int64_t calls = t->tree.calls ? t->tree.calls[node] : PK_NULL;

		rows[i] = (struct pk_function_total){.function = pk_node_function(t->profile, node),
						     .calls = calls,
						     .primitive_calls = calls,
						     .self = t->tree.self[node],
						     .total = t->tree.total[node],
						     .self_raw = NAN,
						     .total_raw = NAN};
		order[i] = i;
	}
	pk_sort_functions(sort, t->profile, rows, order, count);
	for (i = 0; i < count; i++)
		order[i] = chosen[order[i]];
	memcpy(chosen, order, count * sizeof(*chosen));
	free(order);
}

/* Makes rows of the sorted nodes: each below its parent, depth first. */
static void make_rows(struct pk_call_tree *t, const uint32_t *sorted, uint32_t count)
{
	const uint32_t *parent = t->profile->node.parent;
	PK_FREED uint32_t *first = pk_calloc(t->tree.count, sizeof(*first));
	uint32_t *next = pk_calloc(t->tree.count, sizeof(*next)), i, node;

	for (i = count; i-- > 0;) {
		next[sorted[i]] = first[parent[sorted[i]]];
		first[parent[sorted[i]]] = sorted[i];
	}
	t->rows = pk_malloc(pk_mul(count, sizeof(*t->rows)));
	node = first[0];
	while (node) {
		/* sums over all paths of one function are exact */
		bool exact = t->bottom_up && t->depth[node] == 1;

		t->rows[t->count++] =
			(struct pk_call_tree_row){node, parent[node], t->depth[node],
						  pk_node_estimated(t->profile, node) && !exact};
		if (first[node]) {
			node = first[node];
			continue;
		}
		while (node && !next[node])
			node = parent[node];
		node = next[node];
	}
	free(next);
}

void pk_call_tree_arrange(struct pk_call_tree *t, const struct pk_sort *sort, uint32_t limit)
{
	PK_FREED uint32_t *chosen = pk_malloc(pk_mul(t->node_count, sizeof(*chosen)));
	uint32_t count = t->node_count;

	memcpy(chosen, t->nodes, count * sizeof(*chosen));
	if (limit < count)
		count = keep_largest(t, chosen, limit);
	sort_nodes(t, sort, chosen, count);
	make_rows(t, chosen, count);
}

int pk_call_tree_init(struct pk_call_tree *t, const struct pk_profile *p, uint32_t metric,
		      const struct pk_call_tree_options *options, struct pk_error *err)
{
	memset(t, 0, sizeof(*t));
	t->profile = p;
	t->metric = metric;
	t->bottom_up = options->bottom_up;
	if (prepare(t, options, err)) {
		pk_call_tree_release(t);
		return -1;
	}
	if (options->paths_alone)
		return 0;
	pk_tree_init(&t->tree, t->profile, metric);
	t->total = t->tree.total[0];
	choose(t, options);
	return 0;
}

void pk_call_tree_release(struct pk_call_tree *t)
{
	pk_tree_release(&t->tree);
	if (t->derived)
		pk_profile_free(t->derived);
	free(t->nodes);
	free(t->depth);
	free(t->rows);
	memset(t, 0, sizeof(*t));
}
