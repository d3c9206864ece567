#include <stdlib.h>

#include "base/str.h"
#include "model/builder.h"
#include "model/copy.h"
#include "model/edges.h"
#include "model/transform.h"

/* The path from the leaf to the root, made once per node. */
static uint32_t inverted_node(struct pk_copy *copy, uint32_t node)
{
	const struct pk_profile *p = copy->p;
	bool estimated = pk_node_estimated(p, node);
	uint32_t made = 0;

	if (copy->node[node])
		return copy->node[node];
	for (uint32_t i = node; i; i = p->node.parent[i]) {
		made = pk_build_node(copy->b, made, pk_copy_frame(copy, p->node.frame[i]),
				     pk_node_line(p, i));
		if (estimated)
			pk_build_node_estimated(copy->b, made);
	}
	copy->node[node] = made;
	return made;
}

struct pk_profile *pk_invert(const struct pk_profile *p)
{
	const struct pk_sample_table *t = &p->sample;
	struct pk_builder *b = pk_builder_new();
	struct pk_copy copy;
	uint32_t i;

	pk_copy_init(&copy, b, p);
	pk_copy_run(&copy);
	pk_copy_metrics(&copy);
	pk_copy_threads(&copy);
	for (i = 1; i < p->cost.count; i++) {
		if (p->cost.self[i])
			pk_build_cost(b, copy.thread[pk_cost_thread(p, i)],
				      inverted_node(&copy, p->cost.node[i]),
				      copy.metric[pk_cost_metric(p, i)], p->cost.self[i], PK_NULL);
	}
	for (i = 1; i < t->count; i++)
		pk_build_sample(b, t->time[i], copy.thread[t->thread[i]],
				inverted_node(&copy, t->node[i]), copy.metric[t->metric[i]],
				t->value[i]);
	pk_copy_release(&copy);
	return pk_builder_finish(b);
}

static void strip_frame(struct pk_copy *copy, uint32_t frame, struct pk_frame *f)
{
	(void)frame;
	if (f->file)
		f->file = pk_build_text(copy->b,
					pk_basename(pk_text(pk_builder_profile(copy->b), f->file)));
}

struct pk_profile *pk_strip_dirs(const struct pk_profile *p)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_edges edges;
	struct pk_copy copy;

	pk_copy_init(&copy, b, p);
	copy.edit_frame = strip_frame;
	pk_copy_run(&copy);
	pk_copy_metrics(&copy);
	pk_copy_threads(&copy);
	pk_copy_nodes(&copy);
	pk_copy_costs(&copy, NULL);
	pk_copy_lines(&copy);
	pk_copy_events(&copy, NULL);
	pk_edges_init(&edges);
	pk_edges_add_replacing(&edges, &copy);
	pk_edges_build(&edges, b);
	pk_edges_release(&edges);
	pk_copy_release(&copy);
	return pk_builder_finish(b);
}
