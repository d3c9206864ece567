/* Profiles with one metric out of several. */

#include "base/alloc.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/transform/transform.h"

/* Marks the paths that have, at them or below, a value of the metric or an event. */
static bool *mark_needed(const struct pk_profile *p, uint32_t metric)
{
	bool *needed = pk_calloc(p->node.count, sizeof(*needed));
	uint32_t i;

	for (i = 1; i < p->cost.count; i++)
		needed[p->cost.node[i]] |= pk_cost_metric(p, i) == metric;
	for (i = 1; i < p->sample.count; i++)
		needed[p->sample.node[i]] |= pk_sample_metric(&p->sample, i) == metric;
	for (i = 1; i < p->value.count; i++)
		needed[p->value.node[i]] |= pk_value_metric(&p->value, i) == metric;
	for (i = 1; i < p->span.count; i++)
		needed[p->span.node[i]] = true;
	for (i = p->node.count - 1; i > 0; i--)
		needed[p->node.parent[i]] |= needed[i];
	return needed;
}

static void copy_needed(struct pk_copy *copy, uint32_t metric)
{
	const struct pk_profile *p = copy->p;
	PK_FREED bool *needed = mark_needed(p, metric);
	uint32_t i;

	for (i = 1; i < p->node.count; i++) {
		if (!needed[i])
			continue;
		pk_copy_node(copy, i, copy->node[p->node.parent[i]],
			     pk_copy_location(copy, p->node.location[i]));
	}
}

struct pk_profile *pk_keep_metric(const struct pk_profile *p, uint32_t metric)
{
	struct pk_copy copy;

	pk_copy_init(&copy, pk_builder_new(), p);
	pk_copy_run(&copy);
	pk_copy_metric(&copy, metric);
	pk_copy_threads(&copy);
	copy_needed(&copy, metric);
	pk_copy_costs(&copy, NULL);
	pk_copy_edges(&copy);
	pk_copy_events(&copy, NULL);
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}
