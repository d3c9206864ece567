/* Calls between functions of both sides, with the mean value of each side. */
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "model/build/id_map.h"
#include "model/totals.h"

struct collecting {
	struct pk_diff_arcs *arcs;
	const struct pk_diff *d;
	const bool *wanted;
	struct pk_id_map numbers; /* of arcs, by caller and callee */
	size_t alloc;
	bool known[PK_SIDES]; /* a run of this side has callers */
};

static struct pk_diff_arc *find_arc(struct collecting *c, uint32_t caller, uint32_t callee)
{
	uint32_t number = pk_id_map_number(&c->numbers, (int64_t)caller << 32 | callee);
	struct pk_diff_arcs *arcs = c->arcs;

	if (number > arcs->count) {
		PK_GROW(arcs->row, number, c->alloc);
		arcs->row[arcs->count++] = (struct pk_diff_arc){.caller = caller, .callee = callee};
	}
	return &arcs->row[number - 1];
}

static double mean_part(int64_t value, double factor)
{
	return value == PK_NULL ? NAN : (double)value * factor;
}

static void add_run(struct collecting *c, enum pk_side s, uint32_t run)
{
	const struct pk_match_side *side = &c->d->match.side[s];
	const struct pk_profile *p = side->profile[run];
	uint32_t metric = c->d->side[s].metric[run];
	double finer = pow(10, c->d->exponent - p->metric.exponent[metric]) / pk_diff_runs(c->d, s);
	struct pk_arcs arcs;

	pk_arcs_init(&arcs, p, metric);
	c->known[s] |= arcs.count > 0;
	for (uint32_t i = 0; i < arcs.count; i++) {
		const struct pk_arc *a = &arcs.row[i];
		uint32_t caller = side->of_function[run][a->caller];
		uint32_t callee = side->of_function[run][a->callee];
		struct pk_diff_arc *arc;

		if (!c->wanted[caller] && !c->wanted[callee])
			continue;
		arc = find_arc(c, caller, callee);
		arc->total[s] += mean_part(a->total, finer);
		arc->calls[s] += mean_part(a->calls, 1.0 / pk_diff_runs(c->d, s));
	}
	pk_arcs_release(&arcs);
}

/* The calls of a side without callers (a baseline) are unknown and not 0, or every caller of the
 * other side would be the cause of a change. */
static void forget_unknown(struct collecting *c, enum pk_side s)
{
	for (uint32_t i = 0; !c->known[s] && i < c->arcs->count; i++)
		c->arcs->row[i].total[s] = c->arcs->row[i].calls[s] = NAN;
}

PK_COMPARE(compare_arcs, struct pk_diff_arc,
	   PK_ORDER(a->caller, b->caller) ?: PK_ORDER(a->callee, b->callee))

static void index_arcs(struct pk_diff_arcs *arcs, uint32_t rows)
{
	const uint32_t *caller = arcs->count ? &arcs->row->caller : NULL;
	const uint32_t *callee = arcs->count ? &arcs->row->callee : NULL;
	struct pk_groups g;

	pk_groups_init(&g, caller, sizeof(*arcs->row), 0, arcs->count, rows);
	arcs->callees = g.first;
	free(g.row); /* arcs are in order by caller */
	pk_groups_init(&g, callee, sizeof(*arcs->row), 0, arcs->count, rows);
	arcs->callers = g.first;
	arcs->by_callee = g.row;
}

void pk_diff_arcs_init(struct pk_diff_arcs *arcs, const struct pk_diff *d, const bool *wanted)
{
	struct collecting c = {.arcs = arcs, .d = d, .wanted = wanted};

	memset(arcs, 0, sizeof(*arcs));
	for (int s = 0; s < PK_SIDES; s++) {
		for (uint32_t run = 0; run < d->side[s].runs; run++)
			add_run(&c, s, run);
	}
	for (int s = 0; s < PK_SIDES; s++)
		forget_unknown(&c, s);
	pk_id_map_release(&c.numbers);
	pk_sort(arcs->row, arcs->count, sizeof(*arcs->row), compare_arcs);
	index_arcs(arcs, d->match.count);
}

void pk_diff_arcs_release(struct pk_diff_arcs *arcs)
{
	free(arcs->row);
	free(arcs->by_callee);
	free(arcs->callees);
	free(arcs->callers);
	memset(arcs, 0, sizeof(*arcs));
}
