/* Which boxes a flame graph has, and where: of call paths, or in the order of time. */
#include "writers/flamegraph/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/events/spans.h"
#include "model/totals.h"

static void sum_up(struct pk_tree *tree, const struct pk_profile *p)
{
	memcpy(tree->total, tree->self, tree->count * sizeof(*tree->total));
	for (uint32_t i = tree->count - 1; i > 0; i--)
		pk_add_saturated(&tree->total[p->node.parent[i]], tree->total[i]);
}

/* Costs below zero have no width: they count as zero. All are multiplied by factor, which brings
 * two metrics to the same unit. If anything changes, totals are made anew. */
static void adjust(struct pk_tree *tree, const struct pk_profile *p, int64_t factor,
		   struct pk_flame *flame)
{
	uint64_t found = 0;

	for (uint32_t i = 1; i < tree->count; i++) {
		if (tree->self[i] < 0) {
			tree->self[i] = 0;
			found++;
		}
		if (factor != 1 && __builtin_mul_overflow(tree->self[i], factor, &tree->self[i]))
			tree->self[i] = INT64_MAX;
	}
	if (!found && factor == 1)
		return;
	flame->negative += found;
	sum_up(tree, p);
}

static int64_t larger(int64_t most, int64_t change)
{
	return change < -INT64_MAX ? INT64_MAX : llabs(change) > most ? llabs(change) : most;
}

static void add_box(struct pk_flame *flame, const struct pk_flame_box *box)
{
	int64_t change;

	PK_GROW(flame->box, flame->count + 1, flame->alloc);
	flame->box[flame->count++] = *box;
	if (box->depth > flame->depth)
		flame->depth = box->depth;
	if (box->node && !__builtin_sub_overflow(box->after, box->before, &change))
		flame->most_changed = larger(flame->most_changed, change);
	flame->most_self_changed = larger(flame->most_self_changed, box->self_change);
}

struct child {
	const struct pk_flame_name *name;
	uint32_t node;
};

struct layout {
	struct pk_flame *flame;
	struct pk_flame_names *names;
	const struct pk_profile *p;
	struct pk_tree tree;          /* widths */
	struct pk_tree before, after; /* of a difference */
	bool compare;
	double least; /* value of the narrowest box */
	struct child *child;
	struct pk_flame_box *stack; /* boxes to be placed, the next one last */
	size_t child_alloc, stack_count, stack_alloc;
};

static int by_name(const void *va, const void *vb)
{
	const struct child *a = va, *b = vb;
	size_t len = a->name->len < b->name->len ? a->name->len : b->name->len;
	int order = memcmp(a->name->text, b->name->text, len);

	if (!order && a->name->len != b->name->len)
		order = a->name->len < b->name->len ? -1 : 1;
	if (!order && a->node != b->node)
		order = a->node < b->node ? -1 : 1;
	return order;
}

/* The children of a node that cost something, sorted; 0 if none of them is wide enough. */
static size_t gather(struct layout *l, uint32_t node)
{
	size_t count = 0;
	bool wide = false;

	for (uint32_t i = l->tree.first[node]; i; i = l->tree.next[i]) {
		if (l->tree.total[i] <= 0)
			continue;
		PK_GROW(l->child, count + 1, l->child_alloc);
		l->child[count++].node = i;
		wide |= (double)l->tree.total[i] >= l->least;
	}
	if (!wide)
		return 0;
	if (count > 1) {
		for (size_t i = 0; i < count; i++)
			l->child[i].name = pk_flame_name(l->names, l->child[i].node);
		qsort(l->child, count, sizeof(*l->child), by_name);
	}
	return count;
}

/* The change of a path's own cost; saturated at 64 bits. */
static int64_t self_change(const struct layout *l, uint32_t node)
{
	int64_t change = l->after.self[node], before = l->before.self[node];

	pk_add_saturated(&change, before == INT64_MIN ? INT64_MAX : -before);
	return change == INT64_MIN ? -INT64_MAX : change;
}

/* Puts the children on the stack, so that the leftmost is taken from it first. */
static void push_children(struct layout *l, const struct pk_flame_box *parent)
{
	size_t count = gather(l, parent->node), first = l->stack_count, a, b;
	int64_t start = parent->start;

	pk_add_saturated(&start, l->tree.self[parent->node]);
	for (size_t i = 0; i < count; i++) {
		uint32_t node = l->child[i].node;
		int64_t total = l->tree.total[node];

		if ((double)total >= l->least) {
			PK_GROW(l->stack, l->stack_count + 1, l->stack_alloc);
			l->stack[l->stack_count++] = (struct pk_flame_box){
				.node = node,
				.depth = parent->depth + 1,
				.start = start,
				.total = total,
				.before = l->compare ? l->before.total[node] : 0,
				.after = l->compare ? l->after.total[node] : total,
				.self_change = l->compare ? self_change(l, node) : 0,
			};
		}
		pk_add_saturated(&start, total);
	}
	for (a = first, b = l->stack_count; a + 1 < b; a++) {
		struct pk_flame_box swap = l->stack[--b];

		l->stack[b] = l->stack[a];
		l->stack[a] = swap;
	}
}

static void count_rest(struct layout *l)
{
	struct pk_flame *flame = l->flame;
	const int64_t *width = l->tree.total;

	for (uint32_t i = 1; i < l->tree.count; i++) {
		uint32_t parent = l->p->node.parent[i];
		int64_t there;

		flame->narrow += width[i] > 0;
		if (!l->compare || width[i] > 0)
			continue;
		there = l->before.total[i] > 0 ? l->before.total[i] : l->after.total[i];
		if (there <= 0)
			continue;
		flame->unseen++;
		if (!parent || width[parent] > 0)
			pk_add_saturated(&flame->unseen_value, there);
	}
	flame->narrow -= flame->count - 1;
}

/* For every path itself: the larger value of both sides, or that of one side. */
static void set_widths(struct layout *l, enum pk_flame_widths widths)
{
	struct pk_tree *tree = &l->tree;

	if (widths == PK_FLAME_AUTO || widths == PK_FLAME_AFTER)
		return;
	for (uint32_t i = 0; i < tree->count; i++) {
		if (widths == PK_FLAME_BEFORE || l->before.self[i] > tree->self[i])
			tree->self[i] = l->before.self[i];
	}
	sum_up(tree, l->p);
}

static void set_scale(struct pk_flame *flame, const struct pk_flame_scale *scale, int64_t sum,
		      double *least)
{
	flame->total = scale->total > sum ? scale->total : sum;
	*least = scale->least * (double)flame->total;
}

void pk_flame_layout(struct pk_flame *flame, struct pk_flame_names *names,
		     const struct pk_flame_scale *scale)
{
	const struct pk_profile *p = names->p;
	struct layout l = {.flame = flame, .names = names, .p = p, .compare = scale->before != 0};
	struct pk_flame ignored = {0};

	memset(flame, 0, sizeof(*flame));
	pk_tree_init(&l.tree, p, scale->metric);
	pk_tree_link(&l.tree, p);
	adjust(&l.tree, p, scale->factor, flame);
	if (l.compare) {
		pk_tree_init(&l.before, p, scale->before);
		adjust(&l.before, p, scale->before_factor, flame);
		pk_tree_init(&l.after, p, scale->metric);
		adjust(&l.after, p, scale->factor, &ignored);
		set_widths(&l, scale->widths);
	}
	if (l.tree.total[0] > 0) {
		struct pk_flame_box box = {.before = l.compare ? l.before.total[0] : 0,
					   .after = (l.compare ? &l.after : &l.tree)->total[0]};

		set_scale(flame, scale, l.tree.total[0], &l.least);
		box.total = flame->total;
		add_box(flame, &box);
		push_children(&l, &box);
		while (l.stack_count) {
			box = l.stack[--l.stack_count];
			add_box(flame, &box);
			flame->estimated += pk_node_estimated(p, box.node);
			push_children(&l, &box);
		}
		count_rest(&l);
	}
	pk_tree_release(&l.tree);
	pk_tree_release(&l.before);
	pk_tree_release(&l.after);
	free(l.child);
	free(l.stack);
}

/* One row of samples, or of costs where the metric has none, after the other. */
struct event {
	uint32_t node;
	int64_t value;
};

static bool next_event(const struct pk_profile *p, uint32_t metric, bool samples, uint32_t *row,
		       struct event *e)
{
	uint32_t count = samples ? p->sample.count : p->cost.count;

	while (++*row < count) {
		if ((samples ? pk_sample_metric(&p->sample, *row) : pk_cost_metric(p, *row)) !=
		    metric)
			continue;
		e->node = samples ? p->sample.node[*row] : p->cost.node[*row];
		e->value = samples ? p->sample.value[*row] : p->cost.self[*row];
		return true;
	}
	return false;
}

struct chart {
	struct pk_flame *flame;
	const struct pk_profile *p;
	double least;
	uint32_t *depth; /* of every node; 0: the root */
	uint32_t *path;  /* by depth: nodes of the event that are not open */
	size_t *open;    /* by depth: boxes that are open, the root first */
	size_t path_alloc, open_alloc, open_count;
};

/* The number of boxes that stay open; the nodes above them are put into the path. Goes no further
 * down than that, because stacks may be deep and differ only at their tops. */
static size_t find_path(struct chart *c, uint32_t node)
{
	size_t depth = c->depth[node];

	PK_GROW(c->path, depth + 1, c->path_alloc);
	PK_GROW(c->open, depth + 1, c->open_alloc);
	for (; depth; depth--, node = c->p->node.parent[node]) {
		if (depth < c->open_count && c->flame->box[c->open[depth]].node == node)
			break;
		c->path[depth] = node;
	}
	return depth + 1;
}

/* Ends boxes until `keep` are open. A narrow box is always the newest: the boxes above it are at
 * most as wide, so they were dropped before. */
static void close_boxes(struct chart *c, size_t keep, int64_t end)
{
	struct pk_flame *flame = c->flame;

	while (c->open_count > keep) {
		struct pk_flame_box *box = &flame->box[c->open[--c->open_count]];

		box->total = end - box->start;
		if ((double)box->total < c->least) {
			flame->count = (size_t)(box - flame->box);
			flame->narrow++;
		}
	}
}

static void add_event(struct chart *c, const struct event *e, int64_t start)
{
	size_t depth = find_path(c, e->node);

	close_boxes(c, depth, start);
	for (; depth <= c->depth[e->node]; depth++) {
		struct pk_flame_box box = {
			.node = c->path[depth], .depth = (uint32_t)depth, .start = start};

		c->open[c->open_count++] = c->flame->count;
		add_box(c->flame, &box);
	}
}

static void finish_chart(struct pk_flame *flame, const struct pk_profile *p)
{
	flame->depth = 0;
	flame->most_changed = 0;
	for (size_t i = 0; i < flame->count; i++) {
		if (flame->box[i].depth > flame->depth)
			flame->depth = flame->box[i].depth;
		flame->estimated += pk_node_estimated(p, flame->box[i].node);
	}
}

void pk_flame_chart(struct pk_flame *flame, const struct pk_profile *p,
		    const struct pk_flame_scale *scale)
{
	struct chart c = {.flame = flame, .p = p};
	struct pk_flame_box root = {0};
	PK_FREED bool *sampled = pk_sampled_metrics(p);
	bool samples = sampled[scale->metric];
	struct event e;
	int64_t sum = 0, start = 0;

	memset(flame, 0, sizeof(*flame));
	for (uint32_t row = 0; next_event(p, scale->metric, samples, &row, &e);) {
		flame->negative += e.value < 0;
		pk_add_saturated(&sum, e.value > 0 ? e.value : 0);
	}
	if (sum <= 0)
		return;
	set_scale(flame, scale, sum, &c.least);
	root.total = flame->total;
	add_box(flame, &root);
	c.depth = pk_node_depths(p);
	PK_GROW(c.open, 1, c.open_alloc);
	c.open[c.open_count++] = 0;
	for (uint32_t row = 0; next_event(p, scale->metric, samples, &row, &e);) {
		if (e.value <= 0)
			continue;
		add_event(&c, &e, start);
		pk_add_saturated(&start, e.value);
	}
	close_boxes(&c, 1, start);
	finish_chart(flame, p);
	free(c.depth);
	free(c.path);
	free(c.open);
}

void pk_flame_release(struct pk_flame *flame)
{
	free(flame->box);
	memset(flame, 0, sizeof(*flame));
}
