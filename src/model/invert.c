#include <stdlib.h>

#include "base/str.h"
#include "model/builder.h"
#include "model/copy.h"
#include "model/edges.h"
#include "model/transform.h"

struct pk_profile *pk_invert(const struct pk_profile *p)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_copy copy;
	uint32_t i;

	pk_copy_init(&copy, b, p);
	pk_copy_run(&copy);
	pk_copy_metrics(&copy);
	pk_copy_threads(&copy);
	for (i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i], made = 0, metric = pk_cost_metric(p, i);
		bool estimated = pk_node_estimated(p, node);

		if (!p->cost.self[i])
			continue;
		for (; node; node = p->node.parent[node]) {
			made = pk_build_node(b, made, pk_copy_frame(&copy, p->node.frame[node]),
					     pk_node_line(p, node));
			if (estimated)
				pk_build_node_estimated(b, made);
		}
		pk_build_cost(b, copy.thread[pk_cost_thread(p, i)], made, copy.metric[metric],
			      p->cost.self[i], PK_NULL);
	}
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
