/*
 * Two profiles as one with two metrics. Paths that are the same must stay together, so what differs
 * from run to run is left out: locations are those of whole functions, all threads become one, and
 * each function of the profile before becomes the function after that as_after gives.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/transform/transform.h"

enum { FINER = 3 };

/* function_id: the builder's function of every function; 0 = that of the copy. */
static void add_side(struct pk_copy *copy, const uint32_t *function_id, uint32_t from, uint32_t to,
		     int exponent, uint32_t runs)
{
	const struct pk_profile *p = copy->p;
	int64_t value;

	for (int e = p->metric.exponent[from]; e < exponent; e++)
		copy->factor[from] *= 10;
	for (uint32_t i = 1; i < p->node.count; i++) {
		uint32_t function = pk_node_function(p, i);

		function = function_id && function_id[function] ? function_id[function]
								: pk_copy_function(copy, function);
		pk_copy_node(copy, i, copy->node[p->node.parent[i]],
			     pk_build_place(copy->b, function, 0));
	}
	for (uint32_t i = 1; i < p->cost.count; i++) {
		if (pk_cost_metric(p, i) != from)
			continue;
		value = pk_copy_value(copy, from, p->cost.self[i]);
		if (runs > 1 && pk_metric_aggregate(p, from) != PK_AGGREGATE_MAX)
			value = pk_scaled(value, 1.0 / runs);
		pk_build_cost(copy->b, 0, copy->node[p->cost.node[i]], to, value, PK_NULL);
	}
}

/* Adds a metric of the pair that is aggregated as that of p. */
static uint32_t add_metric(struct pk_builder *b, const char *name, const char *unit, int exponent,
			   const struct pk_profile *p, uint32_t from)
{
	uint32_t metric = pk_build_metric(b, name, unit, exponent, p->metric.kind[from],
					  p->metric.exactness[from]);

	if (pk_metric_aggregate(p, from) == PK_AGGREGATE_MAX)
		pk_build_set(b, metric, aggregate, metric, PK_AGGREGATE_MAX);
	return metric;
}

static uint32_t *ids_after(struct pk_copy *after, const uint32_t *as_after, uint32_t functions)
{
	uint32_t *id = pk_calloc(functions, sizeof(*id));

	for (uint32_t f = 1; f < functions; f++)
		id[f] = as_after[f] ? pk_copy_function(after, as_after[f]) : 0;
	return id;
}

struct pk_profile *pk_pair(const struct pk_profile *before, uint32_t before_metric,
			   const struct pk_profile *after, uint32_t after_metric,
			   const uint32_t *as_after, const uint32_t *runs)
{
	const struct pk_metric_table *tb = &before->metric, *ta = &after->metric;
	struct pk_builder *b = pk_builder_new();
	const char *unit = pk_metric_unit(after, after_metric);
	int exponent = ta->exponent[after_metric];
	uint32_t was, is, *function_id;
	struct pk_copy copy;

	if (tb->exponent[before_metric] > exponent)
		exponent = tb->exponent[before_metric];
	if (runs && ta->kind[after_metric] != PK_METRIC_TIME && exponent < FINER)
		exponent = FINER; /* means of counts */
	was = add_metric(b, "before", unit, exponent, before, before_metric);
	is = add_metric(b, "after", unit, exponent, after, after_metric);
	pk_copy_init(&copy, b, after);
	add_side(&copy, NULL, after_metric, is, exponent, runs ? runs[1] : 1);
	function_id = ids_after(&copy, as_after, before->function.count);
	pk_copy_release(&copy);
	pk_copy_init(&copy, b, before);
	add_side(&copy, function_id, before_metric, was, exponent, runs ? runs[0] : 1);
	pk_copy_release(&copy);
	free(function_id);
	return pk_builder_finish(b);
}
