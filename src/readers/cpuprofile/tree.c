/*
 * Call paths of the nodes of V8's CPU profiles, which come in any order and tell their children or
 * their parent, by id.
 *
 * - The root is no function, and has no call path.
 * - Of nodes with the same id the first one counts. A node that two others list as a child belongs
 *   to the first of them. In a cycle, the node that is met first becomes a root.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "readers/cpuprofile/internal.h"

static int repair_node(struct cpuprofile *c, const struct cpu_node *n, const char *what)
{
	return pk_build_repair(c->b, c->err, what, "node %u", n->id);
}

static int index_ids(struct cpuprofile *c)
{
	c->by_ids = c->nodes * 2 + 1024;
	c->by_id = pk_calloc(c->by_ids, sizeof(*c->by_id));
	for (size_t i = 1; i <= c->nodes; i++) {
		struct cpu_node *n = &c->node[i];

		if (n->id == CPU_NO_ID)
			continue;
		if (cpu_find(c, n->id)) {
			if (repair_node(c, n, "node with the id of another: it gets no samples"))
				return -1;
			continue;
		}
		if (n->id < c->by_ids)
			c->by_id[n->id] = (uint32_t)i;
		else
			pk_id_map_put(&c->more_ids, n->id, (uint32_t)i);
	}
	return 0;
}

static int set_parent(struct cpuprofile *c, uint32_t child, uint32_t parent)
{
	struct cpu_node *n = &c->node[child];

	if (n->parent && n->parent != parent)
		return repair_node(c, n, "node with several parents: the first one taken");
	n->parent = parent;
	return 0;
}

static int find_parents(struct cpuprofile *c)
{
	for (uint32_t i = 1; i <= c->nodes; i++) {
		const struct cpu_node *n = &c->node[i];

		for (uint32_t k = 0; k < n->children; k++) {
			uint32_t child = cpu_find(c, c->child[n->child + k]);
			int ret =
				child ? set_parent(c, child, i)
				      : repair_node(c, n, "child that is not in the file left out");

			if (ret)
				return -1;
		}
	}
	for (uint32_t i = 1; i <= c->nodes; i++) {
		int64_t id = c->node[i].parent_id;
		uint32_t parent = id < 0 || id >= CPU_NO_ID ? 0 : cpu_find(c, (uint32_t)id);

		if (parent ? set_parent(c, i, parent)
			   : id >= 0 &&
				     repair_node(c, &c->node[i],
						 "node whose parent is not in the file taken as a "
						 "root"))
			return -1;
	}
	return 0;
}

/* Goes up to a node that has a path, and down again. */
static int make_path(struct cpuprofile *c, uint32_t leaf, uint32_t **path, size_t *alloc)
{
	uint32_t i = leaf, node = 0;
	size_t count = 0;

	for (; i && !c->node[i].built && !c->node[i].open; i = c->node[i].parent) {
		PK_GROW(*path, count + 1, *alloc);
		(*path)[count++] = i;
		c->node[i].open = true;
	}
	if (i && c->node[i].built)
		node = c->node[i].node;
	else if (i && repair_node(c, &c->node[i], "node that is below itself taken as a root"))
		return -1;
	while (count) {
		struct cpu_node *n = &c->node[(*path)[--count]];

		if (n->location)
			node = pk_build_node(c->b, node, n->location);
		n->node = node;
		n->built = true;
	}
	return 0;
}

int cpu_make_tree(struct cpuprofile *c)
{
	PK_FREED uint32_t *path = NULL;
	size_t alloc = 0;

	if (index_ids(c) || find_parents(c))
		return -1;
	for (uint32_t i = 1; i <= c->nodes; i++)
		if (!c->node[i].built && make_path(c, i, &path, &alloc))
			return -1;
	return 0;
}
