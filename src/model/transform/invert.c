/* Profiles with reversed call paths (pk_invert), and with file names without folders
 * (pk_strip_dirs). */

#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/transform/edges.h"
#include "model/transform/transform.h"

/* The limits of one inversion: generous for trees of usual programs (paths of some ten frames), and
 * in proportion to the input for others. */
struct budget {
	uint64_t nodes, steps;
	uint32_t cut;
};

static struct budget budget_of(const struct pk_profile *p)
{
	uint64_t count = p->node.count;

	return (struct budget){.nodes = 1000000 + 24 * count, .steps = 100000000 + 256 * count};
}

/* The path from the leaf to the root, made once per node. The leaf itself is always made. */
static uint32_t inverted_node(struct pk_copy *copy, struct budget *budget, uint32_t node)
{
	const struct pk_profile *p = copy->p, *result = pk_builder_profile(copy->b);
	bool estimated = pk_node_estimated(p, node);
	uint32_t made = 0;

	if (copy->node[node])
		return copy->node[node];
	for (uint32_t i = node; i; i = p->node.parent[i]) {
		if (made && (result->node.count > budget->nodes || !budget->steps)) {
			budget->cut++;
			break;
		}
		budget->steps -= budget->steps > 0;
		made = pk_build_node(copy->b, made, pk_copy_location(copy, p->node.location[i]));
		if (estimated)
			pk_build_node_estimated(copy->b, made);
	}
	copy->node[node] = made;
	return made;
}

struct pk_profile *pk_invert(const struct pk_profile *p, uint32_t *cut)
{
	struct budget budget = budget_of(p);
	const struct pk_sample_table *t = &p->sample;
	struct pk_builder *b = pk_builder_new();
	struct pk_copy copy;
	uint32_t i;

	pk_copy_init(&copy, b, p);
	pk_copy_begin(&copy);
	for (i = 1; i < p->cost.count; i++) {
		if (p->cost.self[i])
			pk_build_cost(b, copy.thread[pk_cost_thread(p, i)],
				      inverted_node(&copy, &budget, p->cost.node[i]),
				      copy.metric[pk_cost_metric(p, i)], p->cost.self[i], PK_NULL);
	}
	for (i = 1; i < t->count; i++)
		pk_build_sample(b, t->time[i], copy.thread[t->thread[i]],
				inverted_node(&copy, &budget, t->node[i]),
				copy.metric[pk_sample_metric(t, i)], t->value[i]);
	pk_copy_release(&copy);
	*cut = budget.cut;
	return pk_builder_finish(b);
}

static void strip_function(struct pk_copy *copy, uint32_t function, struct pk_function *f)
{
	(void)function;
	if (f->file)
		f->file = pk_build_text(copy->b,
					pk_basename(pk_text(pk_builder_profile(copy->b), f->file)));
}

struct pk_profile *pk_strip_dirs(const struct pk_profile *p)
{
	struct pk_copy copy;

	pk_copy_init(&copy, pk_builder_new(), p);
	copy.edit_function = strip_function;
	pk_copy_paths(&copy);
	pk_copy_events(&copy, NULL);
	pk_edges_copy(&copy, pk_edges_add_replacing);
	pk_copy_release(&copy);
	return pk_builder_finish(copy.b);
}
