/*
 * The waits within totals, such as that of a function that calls time.sleep: no faster machine
 * makes them shorter.
 *
 * Call paths say how much of a total waits. Callers give an estimate, which is certain as far as a
 * function calls what waits itself. Without either, only this is certain: not more of a total waits
 * than is not self, nor than waits in the whole run, and what is outside of it, which is the whole
 * less the total, cannot wait longer than it takes.
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

/* Adds up the waits below each row in the call paths of p. */
static void add_paths(const struct pk_diff *d, enum pk_side s, uint32_t run,
		      const struct pk_profile *p, int64_t *waits)
{
	struct walk w = {.d = d, .p = p, .row = d->match.side[s].of_function[run], .waits = waits};

	w.open = pk_calloc(d->match.count, sizeof(*w.open));
	pk_tree_init(&w.tree, p, d->side[s].metric[run]);
	pk_tree_link(&w.tree, p);
	keep_waits(&w);
	pk_tree_visit(&w.tree, p, enter, leave, &w);
	pk_tree_release(&w.tree);
	free(w.open);
}

/* Adds up the waits that each row calls itself. */
static void add_direct(const struct pk_diff *d, enum pk_side s, uint32_t run,
		       const struct pk_edge_table *t, int64_t *waits)
{
	const uint32_t *row = d->match.side[s].of_function[run];

	for (uint32_t i = 1; i < t->count; i++)
		if (t->caller[i] && t->metric[i] == d->side[s].metric[run] &&
		    t->self[i] != PK_NULL && d->row[row[t->callee[i]]].waits)
			pk_add_saturated(&waits[row[t->caller[i]]], t->self[i]);
}

bool pk_diff_any_waits(const struct pk_diff *d)
{
	uint32_t row = 1;

	while (row < d->match.count && !d->row[row].waits)
		row++;
	return row < d->match.count;
}

static int64_t value_of(const struct pk_diff *d, enum pk_side s, uint32_t run, enum pk_measure m,
			uint32_t row)
{
	return d->side[s].value[m][(size_t)row * d->side[s].runs + run];
}

static int64_t between(__int128 value, int64_t least, int64_t most)
{
	return value > most ? most : value < least ? least : (int64_t)value;
}

/* Sets what is certain of a row that calls waits itself for so long. */
static void set_bounds(struct pk_diff_waits *w, const struct pk_diff *d, enum pk_side s,
		       uint32_t run, uint32_t row, int64_t direct)
{
	int64_t total = value_of(d, s, run, PK_TOTAL, row);
	int64_t self = value_of(d, s, run, PK_SELF, row);
	__int128 outside = (__int128)d->side[s].whole[run] - total;
	__int128 least = (__int128)w->value[0] - (outside > 0 ? outside : 0);

	w->most[row] = between((__int128)total - self, 0, w->value[0]);
	w->least[row] = between(least > direct ? least : direct, 0, w->most[row]);
}

/* value and least hold what paths, or callers, say. */
static void set_row(struct pk_diff_waits *w, const struct pk_diff *d, enum pk_side s, uint32_t run,
		    uint32_t row, double unit)
{
	int64_t of_paths = pk_scaled(w->value[row], unit);
	int64_t total = value_of(d, s, run, PK_TOTAL, row), all = total > 0 ? total : 0;

	if (d->row[row].waits)
		w->least[row] = w->most[row] = all;
	else if (w->known == PK_WAITS_PATHS)
		w->least[row] = w->most[row] = between(of_paths, 0, all);
	else
		set_bounds(w, d, s, run, row, pk_scaled(w->least[row], unit));
	w->value[row] = between(of_paths, w->least[row], w->most[row]);
}

void pk_diff_waits_init(struct pk_diff_waits *w, const struct pk_diff *d, enum pk_side s,
			uint32_t run)
{
	const struct pk_profile *p = d->match.side[s].profile[run], *paths;
	double unit =
		(double)pk_diff_factor(d, s, run) / (d->side[s].members ? d->side[s].members : 1);
	struct pk_profile *estimate;

	*w = (struct pk_diff_waits){.known = pk_has_paths(p)     ? PK_WAITS_PATHS
					     : pk_has_callers(p) ? PK_WAITS_CALLERS
								 : PK_WAITS_NOTHING};
	w->value = pk_calloc(d->match.count, sizeof(*w->value));
	w->least = pk_calloc(d->match.count, sizeof(*w->least));
	w->most = pk_calloc(d->match.count, sizeof(*w->most));
	if (!pk_diff_any_waits(d))
		return;
	paths = pk_with_paths(p, &estimate);
	add_paths(d, s, run, paths, w->value);
	pk_profile_free(estimate);
	add_direct(d, s, run, &p->edge, w->least);
	w->value[0] = 0; /* of the whole */
	for (uint32_t i = 1; i < d->match.count; i++)
		if (d->row[i].waits)
			pk_add_saturated(&w->value[0], value_of(d, s, run, PK_SELF, i));
	w->value[0] = w->least[0] = w->most[0] = w->value[0] > 0 ? w->value[0] : 0;
	for (uint32_t i = 1; i < d->match.count; i++)
		set_row(w, d, s, run, i, unit);
}

bool pk_diff_waits_guess(struct pk_diff_waits *w, const struct pk_diff *d, enum pk_side s)
{
	enum pk_side other = s == PK_BEFORE ? PK_AFTER : PK_BEFORE;
	struct pk_diff_waits like;
	bool known;

	if (w->known != PK_WAITS_NOTHING)
		return true;
	pk_diff_waits_init(&like, d, other, 0);
	for (uint32_t i = 1; i < d->match.count; i++)
		w->value[i] = between(like.value[i], w->least[i], w->most[i]);
	known = like.known != PK_WAITS_NOTHING;
	pk_diff_waits_release(&like);
	return known;
}

void pk_diff_waits_release(struct pk_diff_waits *w)
{
	free(w->value);
	free(w->least);
	free(w->most);
}

double pk_diff_waiting(const struct pk_diff *d, uint32_t row, enum pk_measure m, enum pk_side s,
		       int64_t value)
{
	if (d->row[row].waits)
		return (double)value;
	return row && m == PK_SELF ? 0 : fmin((double)value, (double)d->row[row].waiting[s]);
}

double pk_diff_machine(const struct pk_diff *d, uint32_t row, enum pk_measure m)
{
	int64_t after = row ? d->row[row].change[m].after : d->total.after;
	double factor = d->machine_factor, waits;

	if (!d->without_machine || isnan(factor) || m == PK_CALLS || d->row[row].waits)
		return 1;
	waits = pk_diff_waiting(d, row, m, PK_AFTER, after);
	return waits > 0 ? (double)after / (((double)after - waits) / factor + waits) : factor;
}
