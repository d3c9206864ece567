/* Profiles whose call paths stand below the process, thread or label that they belong to. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "model/build/builder.h"
#include "model/transform/copy.h"
#include "model/label.h"
#include "model/transform/transform.h"

const char *const pk_groupings[] = {"none", "process", "thread", NULL};

struct grouping {
	struct pk_copy copy;
	enum pk_grouping by;
	const char *key;    /* key of the label by which paths are grouped */
	uint32_t *value;    /* by label_set: the label of this key, 0 = it has none */
	bool alone;         /* groups have no call paths */
	uint32_t *made_for; /* per node: group + 1 for which copy.node holds what it became */
	uint32_t box;       /* root of the group in made_for[0] */
	uint32_t *way;      /* nodes from a leaf up */
	size_t way_alloc;
	uint64_t most; /* nodes to make at most */
};

/* A process, or a thread; 0 for those that are not known. */
static uint32_t group_of(const struct grouping *g, uint32_t row)
{
	uint32_t thread = pk_cost_thread(g->copy.p, row);

	if (g->key)
		return g->value[pk_cost_labels(g->copy.p, row)];
	return g->by == PK_GROUPED_BY_THREAD ? thread : g->copy.p->thread.process[thread];
}

static uint32_t add_box(struct grouping *g, uint32_t parent, struct pk_buf *name)
{
	uint32_t node =
		pk_build_node(g->copy.b, parent, pk_build_label(g->copy.b, name->data, name->len));

	pk_buf_release(name);
	return node;
}

static uint32_t process_box(struct grouping *g, uint32_t process)
{
	struct pk_buf name = PK_BUF_INIT;

	if (!process)
		pk_buf_adds(&name, "process not known");
	else
		pk_process_label(&name, g->copy.p, process);
	return add_box(g, 0, &name);
}

static uint32_t label_box(struct grouping *g, uint32_t label)
{
	struct pk_buf name = PK_BUF_INIT;

	pk_buf_addf(&name, label ? "%s: " : "no %s", g->key);
	if (label)
		pk_label_value(&name, g->copy.p, label);
	return add_box(g, 0, &name);
}

/* Threads of several processes stand below these. */
static uint32_t make_box(struct grouping *g, uint32_t group)
{
	const struct pk_profile *p = g->copy.p;
	struct pk_buf name = PK_BUF_INIT;
	uint32_t parent = 0;

	if (g->key)
		return label_box(g, group);
	if (g->by == PK_GROUPED_BY_PROCESS)
		return process_box(g, group);
	if (p->process.count > 2)
		parent = process_box(g, p->thread.process[group]);
	if (!group)
		pk_buf_adds(&name, "thread not known");
	else
		pk_thread_label(&name, p, group);
	return add_box(g, parent, &name);
}

/* The rows of a group stand together, so that its box is made once. */
static uint32_t group_box(struct grouping *g, uint32_t group)
{
	if (g->made_for[0] != group + 1)
		g->box = make_box(g, group);
	g->made_for[0] = group + 1;
	return g->box;
}

/* The path below the box of the group, made once for each path and group. */
static uint32_t grouped_node(struct grouping *g, uint32_t group, uint32_t node)
{
	const struct pk_profile *p = g->copy.p;
	size_t depth = 0;
	uint32_t made;

	if (g->alone)
		return group_box(g, group);
	for (; node && g->made_for[node] != group + 1; node = p->node.parent[node]) {
		PK_GROW(g->way, depth + 1, g->way_alloc);
		g->way[depth++] = node;
	}
	made = node ? g->copy.node[node] : group_box(g, group);
	while (depth) {
		node = g->way[--depth];
		pk_copy_node(&g->copy, node, made,
			     pk_copy_location(&g->copy, p->node.location[node]));
		made = g->copy.node[node];
		g->made_for[node] = group + 1;
	}
	return made;
}

/* The rows of cost, those of a group together. */
static uint32_t *rows_by_group(const struct grouping *g)
{
	const struct pk_profile *p = g->copy.p;
	uint32_t groups = g->key                          ? p->label_set.count
			  : g->by == PK_GROUPED_BY_THREAD ? p->thread.count
							  : p->process.count;
	uint32_t *place = pk_calloc((size_t)groups + 1, sizeof(*place)), i;
	uint32_t *rows = pk_malloc(pk_mul(p->cost.count, sizeof(*rows)));

	for (i = 1; i < p->cost.count; i++)
		place[group_of(g, i) + 1]++;
	for (i = 0; i < groups; i++)
		place[i + 1] += place[i];
	for (i = 1; i < p->cost.count; i++)
		rows[place[group_of(g, i)]++] = i;
	free(place);
	return rows;
}

static int copy_costs(struct grouping *g, struct pk_error *err)
{
	const struct pk_profile *p = g->copy.p, *made = pk_builder_profile(g->copy.b);
	uint32_t *rows = rows_by_group(g), i;
	int status = 0;

	for (i = 0; i + 1 < p->cost.count && !status; i++) {
		uint32_t row = rows[i], thread = pk_cost_thread(p, row);

		pk_build_cost(g->copy.b, g->copy.thread[thread],
			      grouped_node(g, group_of(g, row), p->cost.node[row]),
			      g->copy.metric[pk_cost_metric(p, row)], p->cost.self[row],
			      pk_cost_calls(p, row));
		if (made->node.count > g->most)
			status = pk_fail(err, PK_EFORMAT,
					 "more than %llu call paths, each group with its "
					 "own: choose some with %s",
					 (unsigned long long)g->most,
					 g->key ? "--label" : "--thread or --process");
	}
	free(rows);
	return status;
}

static int group(struct grouping *g, const struct pk_profile *p, struct pk_profile **result,
		 struct pk_error *err)
{
	struct pk_profile *grouped;
	int status;

	/* A limit in proportion to the profile, because one path of a million functions may occur
	 * in ten thousand threads. */
	g->most = 10000000 + 24 * (uint64_t)p->node.count;
	pk_copy_init(&g->copy, pk_builder_new(), p);
	g->made_for = pk_calloc(p->node.count, sizeof(*g->made_for));
	pk_copy_begin(&g->copy);
	status = copy_costs(g, err);
	grouped = pk_builder_finish(g->copy.b);
	pk_copy_release(&g->copy);
	free(g->made_for);
	free(g->way);
	if (status)
		pk_profile_free(grouped);
	else
		*result = grouped;
	return status;
}

int pk_group(const struct pk_profile *p, enum pk_grouping by, struct pk_profile **result,
	     struct pk_error *err)
{
	struct grouping g = {.by = by};

	if (p->cost.count < 2 || p->thread.count < 2)
		return pk_fail(err, PK_EFORMAT,
			       "'%s' does not say which thread or process cost what",
			       pk_text(p, p->run.source[1]));
	return group(&g, p, result, err);
}

/* The first label that has the same key and value. */
static uint32_t first_label(struct pk_index *x, const struct pk_label_set_table *t, uint32_t label)
{
	uint64_t hash = pk_hash_pair((uint64_t)t->text[label] << 32 | t->unit[label],
				     (uint64_t)t->number[label]);
	uint32_t *first =
		PK_INDEX_FIND(x, hash, id,
			      t->text[id] == t->text[label] && t->number[id] == t->number[label] &&
				      t->unit[id] == t->unit[label]);

	if (!*first)
		*first = label;
	return *first;
}

/* By set: the label of the key, 0 if there is none. */
static bool find_values(const struct pk_profile *p, const char *key, uint32_t *value)
{
	const struct pk_label_set_table *t = &p->label_set;
	struct pk_index index = {0};
	bool found;

	for (uint32_t i = 1; i < t->count; i++)
		value[i] = strcmp(pk_text(p, t->key[i]), key) ? value[t->rest[i]]
							      : first_label(&index, t, i);
	found = index.used;
	pk_index_release(&index);
	return found;
}

int pk_group_by_label(const struct pk_profile *p, const char *key, bool alone,
		      struct pk_profile **result, struct pk_error *err)
{
	PK_FREED uint32_t *value = pk_calloc(p->label_set.count, sizeof(*value));
	struct grouping g = {.key = key, .value = value, .alone = alone};

	if (!find_values(p, key, value))
		return pk_fail(err, PK_EFORMAT, "'%s' has no label '%s'",
			       pk_text(p, p->run.source[1]), key);
	return group(&g, p, result, err);
}
