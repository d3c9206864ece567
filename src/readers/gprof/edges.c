/*
 * Functions and calls of gprof's call graph, as edges. A call stands in the entries of its caller
 * and of its callee, and is taken once.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/gprof/internal.h"

static int compare_arcs(const void *va, const void *vb)
{
	const struct gprof_arc *a = va, *b = vb;
	const uint32_t x[] = {a->caller, a->callee, a->caller_number, a->callee_number};
	const uint32_t y[] = {b->caller, b->callee, b->caller_number, b->callee_number};

	for (int i = 0; i < 4; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return (a->total == PK_NULL) - (b->total == PK_NULL); /* one that has times comes first */
}

/* True if a call is the same as that before it: it stands in the entries of both functions. */
static bool is_repeated(const struct gprof *r, size_t i)
{
	const struct gprof_arc *a = &r->arc[i], *last = i ? a - 1 : NULL;

	return !a->callee ||
	       (last && last->caller == a->caller && last->callee == a->callee &&
		last->caller_number == a->caller_number && last->callee_number == a->callee_number);
}

/* The totals of functions in a cycle lack what the other functions of the cycle cost; the totals of
 * the calls from outside have it, so a total that is larger is taken. */
static void raise_totals(struct gprof *r)
{
	PK_FREED int64_t *called = pk_calloc(r->sums_alloc + 1, sizeof(*called));

	for (size_t i = 0; i < r->arcs; i++)
		if (!is_repeated(r, i) && r->arc[i].total != PK_NULL &&
		    r->arc[i].caller != r->arc[i].callee)
			pk_add_saturated(&called[r->arc[i].callee], r->arc[i].total);
	for (uint32_t f = 1; f < r->sums_alloc; f++)
		if (r->sums[f].in_cycle && called[f] > r->sums[f].total)
			r->sums[f].total = called[f];
}

void gprof_push_edges(struct gprof *r)
{
	if (r->arcs)
		qsort(r->arc, r->arcs, sizeof(*r->arc), compare_arcs);
	raise_totals(r);
	for (uint32_t f = 1; f < r->sums_alloc; f++) {
		const struct gprof_sums *s = &r->sums[f];

		if (!s->in_flat && !s->in_graph)
			continue;
		pk_build_edge(
			r->b,
			&(struct pk_edge){.callee = f,
					  .metric = r->metric,
					  .calls = s->calls,
					  .primitive_calls = s->in_graph ? s->primitive : s->calls,
					  .self = s->self,
					  .total = s->total > s->self ? s->total : s->self,
					  .self_raw = NAN,
					  .total_raw = NAN});
	}
	for (size_t i = 0; i < r->arcs; i++) {
		const struct gprof_arc *a = &r->arc[i];

		if (is_repeated(r, i))
			continue;
		pk_build_edge(r->b,
			      &(struct pk_edge){.caller = a->caller,
						.callee = a->callee,
						.metric = r->metric,
						.calls = a->calls,
						.primitive_calls = a->caller == a->callee ? 0
								   : a->total == PK_NULL  ? PK_NULL
											 : a->calls,
						.self = a->self,
						.total = a->total,
						.self_raw = NAN,
						.total_raw = NAN});
	}
}
