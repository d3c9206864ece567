/*
 * The waits within totals, such as that of a function that calls time.sleep: no faster machine
 * makes them shorter.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/totals.h"
#include "model/transform/transform.h"

struct walk {
	const struct pk_diff *d;
	const struct pk_profile *p;
	const uint32_t *row; /* by function */
	struct pk_tree tree; /* of waits only */
	uint32_t *open;      /* per row: number of times on the current path */
	int64_t *waits;      /* per row */
};

static uint32_t row_at(const struct walk *w, uint32_t node)
{
	return w->row[pk_node_function(w->p, node)];
}

static void enter(void *data, uint32_t node)
{
	struct walk *w = data;
	uint32_t row = row_at(w, node);

	if (!w->open[row]++)
		pk_add_saturated(&w->waits[row], w->tree.total[node]);
}

static void leave(void *data, uint32_t node)
{
	struct walk *w = data;

	w->open[row_at(w, node)]--;
}

static void keep_waits(struct walk *w)
{
	struct pk_tree *t = &w->tree;

	memset(t->total, 0, t->count * sizeof(*t->total));
	for (uint32_t i = t->count - 1; i > 0; i--) {
		if (w->d->row[row_at(w, i)].waits)
			pk_add_saturated(&t->total[i], t->self[i]);
		pk_add_saturated(&t->total[w->p->node.parent[i]], t->total[i]);
	}
}

int64_t *pk_diff_waits(const struct pk_diff *d, enum pk_side s, uint32_t run)
{
	const struct pk_match_side *side = &d->match.side[s];
	struct walk w = {.d = d, .row = side->of_function[run]};
	struct pk_profile *estimate;
	uint32_t row = 1;

	w.waits = pk_calloc(d->match.count, sizeof(*w.waits));
	while (row < d->match.count && !d->row[row].waits)
		row++;
	if (row == d->match.count)
		return w.waits;
	w.p = pk_with_paths(side->profile[run], &estimate);
	w.open = pk_calloc(d->match.count, sizeof(*w.open));
	pk_tree_init(&w.tree, w.p, d->side[s].metric[run]);
	pk_tree_link(&w.tree, w.p);
	keep_waits(&w);
	pk_tree_visit(&w.tree, w.p, enter, leave, &w);
	pk_tree_release(&w.tree);
	pk_profile_free(estimate);
	free(w.open);
	return w.waits;
}
