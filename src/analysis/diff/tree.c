/*
 * The call tree of a difference: paths on which much changed, those with the largest changes
 * first.
 */
#include "analysis/diff/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/transform/transform.h"

struct arranging {
	struct pk_diff_tree *t;
	double *peak; /* per node: the largest change of its total and of the nodes below */
	uint32_t *list;
	size_t rows;
};

int64_t pk_diff_tree_value(const struct pk_diff_tree *t, uint32_t node, enum pk_side side,
			   bool self)
{
	const struct pk_tree *tree = &t->side[side];

	int64_t value = (self ? tree->self : tree->total)[node], runs = t->runs[side];
	int64_t rest = value % runs;

	return value / runs + (2 * rest >= runs) - (2 * rest <= -runs);
}

static double change_of(const struct pk_diff_tree *t, uint32_t node)
{
	return (double)pk_diff_tree_value(t, node, PK_AFTER, false) -
	       (double)pk_diff_tree_value(t, node, PK_BEFORE, false);
}

static double *find_peaks(const struct pk_diff_tree *t)
{
	const struct pk_profile *p = t->pair;
	double *peak = pk_calloc(p->node.count, sizeof(*peak));

	for (uint32_t i = p->node.count - 1; i > 0; i--) {
		uint32_t parent = p->node.parent[i];

		peak[i] = fmax(peak[i], fabs(change_of(t, i)));
		peak[parent] = fmax(peak[parent], peak[i]);
	}
	return peak;
}

/* The largest peak first; of equal ones the parent first. */
PK_COMPARE_ROWS(by_peak, double, PK_ORDER(d[b], d[a]) ?: PK_ORDER(a, b))

/* Clears the peak of nodes that are not shown. */
static void choose(struct arranging *a, double least, size_t limit)
{
	uint32_t count = a->t->pair->node.count, n = 0;

	a->list = pk_malloc(pk_mul(count, sizeof(*a->list)));
	for (uint32_t i = 1; i < count; i++) {
		if (a->peak[i] > 0 && a->peak[i] >= least)
			a->list[n++] = i;
		else
			a->peak[i] = 0;
	}
	a->t->nodes = n;
	if (n <= limit)
		return;
	qsort_r(a->list, n, sizeof(*a->list), by_peak, a->peak);
	for (uint32_t i = (uint32_t)limit; i < n; i++)
		a->peak[a->list[i]] = 0;
}

/* Pushes the children that are shown, the smallest first, so that the largest is taken first. */
static size_t push_children(struct arranging *a, struct pk_diff_tree_row **stack, size_t *alloc,
			    size_t depth, uint32_t node, int level)
{
	const struct pk_tree *tree = &a->t->side[PK_AFTER];
	uint32_t n = 0;

	for (uint32_t i = tree->first[node]; i; i = tree->next[i]) {
		if (a->peak[i] > 0)
			a->list[n++] = i;
	}
	qsort_r(a->list, n, sizeof(*a->list), by_peak, a->peak);
	PK_GROW(*stack, depth + n, *alloc);
	while (n-- > 0)
		(*stack)[depth++] = (struct pk_diff_tree_row){
			.node = a->list[n],
			.parent = node,
			.depth = level,
			.estimated = pk_node_estimated(a->t->pair, a->list[n])};
	return depth;
}

static void arrange(struct arranging *a)
{
	struct pk_diff_tree_row *stack = NULL;
	size_t alloc = 0, depth = push_children(a, &stack, &alloc, 0, 0, 0);

	while (depth) {
		struct pk_diff_tree_row row = stack[--depth];

		PK_GROW(a->t->row, a->t->count + 1, a->rows);
		a->t->row[a->t->count++] = row;
		depth = push_children(a, &stack, &alloc, depth, row.node, row.depth + 1);
	}
	free(stack);
}

void pk_diff_tree_init(struct pk_diff_tree *t, const struct pk_match *m, const uint32_t metric[2],
		       const uint32_t runs[2], double min_share, size_t limit)
{
	const struct pk_profile *p[PK_SIDES];
	struct pk_profile *estimate[PK_SIDES];
	uint32_t *as_after = pk_match_functions_after(m);
	struct arranging a = {.t = t};
	double whole = 0;

	memset(t, 0, sizeof(*t));
	for (int s = 0; s < PK_SIDES; s++) {
		p[s] = pk_with_paths(m->side[s].profile[0], &estimate[s]);
		t->runs[s] = pk_metric_aggregate(p[s], metric[s]) == PK_AGGREGATE_MAX ? 1 : runs[s];
	}
	t->pair = pk_pair(p[PK_BEFORE], metric[PK_BEFORE], p[PK_AFTER], metric[PK_AFTER], as_after,
			  NULL);
	for (int s = 0; s < PK_SIDES; s++) {
		pk_profile_free(estimate[s]);
		pk_tree_init(&t->side[s], t->pair, (uint32_t)s + 1);
		whole = fmax(whole, (double)pk_diff_tree_value(t, 0, s, false));
	}
	free(as_after);
	pk_tree_link(&t->side[PK_AFTER], t->pair);
	a.peak = find_peaks(t);
	choose(&a, min_share * whole, limit);
	arrange(&a);
	free(a.list);
	free(a.peak);
}

void pk_diff_tree_release(struct pk_diff_tree *t)
{
	pk_tree_release(&t->side[PK_BEFORE]);
	pk_tree_release(&t->side[PK_AFTER]);
	pk_profile_free(t->pair);
	free(t->row);
}
