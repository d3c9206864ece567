#include "writers/flamegraph/base.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/str.h"
#include "model/transform/copy.h"
#include "model/label.h"

/* A function is named by its name, or as its box is. */
static bool is_base(const struct pk_profile *p, uint32_t function,
		    const struct pk_opt_list *functions)
{
	struct pk_buf label = PK_BUF_INIT;
	bool found = false;

	pk_function_label(&label, p, function, PK_LABEL_SHORT);
	pk_buf_addc(&label, '\0');
	for (size_t i = 0; i < functions->count && !found; i++)
		found = strcmp(functions->item[i], label.data) == 0 ||
			strcmp(functions->item[i], pk_text(p, p->function.name[function])) == 0;
	pk_buf_release(&label);
	return found;
}

static void copy_nodes(struct pk_copy *copy, const bool *base)
{
	const struct pk_profile *p = copy->p;

	for (uint32_t i = 1; i < p->node.count; i++) {
		uint32_t above = copy->node[p->node.parent[i]];
		bool is_root = base[pk_node_function(p, i)];

		if (!is_root && !above)
			continue;
		pk_copy_node(copy, i, is_root ? 0 : above,
			     pk_copy_location(copy, p->node.location[i]));
	}
}

struct pk_profile *pk_flame_cut(const struct pk_profile *p, const struct pk_opt_list *functions)
{
	struct pk_builder *b = pk_builder_new();
	bool *base = pk_calloc(p->function.count, sizeof(*base));
	struct pk_copy copy;

	for (uint32_t i = 1; i < p->function.count; i++)
		base[i] = is_base(p, i, functions);
	pk_copy_init(&copy, b, p);
	pk_copy_run(&copy);
	pk_copy_metrics(&copy);
	pk_copy_threads(&copy);
	copy_nodes(&copy, base);
	pk_copy_costs(&copy, NULL);
	pk_copy_events(&copy, NULL);
	pk_copy_release(&copy);
	free(base);
	return pk_builder_finish(b);
}
