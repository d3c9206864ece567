/*
 * The call paths that are written, as a tree of names: those of the profile, below the roots of
 * their threads if these are wanted; see folded.c.
 */
#include "writers/folded/folded.h"

#include <stdlib.h>

#include "base/num/compare.h"
#include "model/totals.h"

static uint32_t add_node(struct pk_folded_tree *t, uint32_t parent, uint32_t name, uint32_t from)
{
	PK_GROW(t->node, (size_t)t->count + 1, t->alloc);
	t->node[t->count] =
		(struct pk_folded_node){.name = name, .from = from, .next = t->node[parent].first};
	t->node[parent].first = t->count;
	return t->count++;
}

static uint32_t add_label(struct pk_folded_tree *t, uint32_t parent, struct pk_buf *text)
{
	PK_GROW(t->name, (size_t)t->names + 1, t->name_alloc);
	t->name[t->names] = (struct pk_folded_name){
		.text = pk_arena_copy(&t->text, text->data, text->len), .len = text->len};
	pk_buf_release(text);
	return add_node(t, parent, t->names++, 0);
}

static uint32_t add_root(struct pk_folded_tree *t, uint32_t parent, uint32_t name, const char *what,
			 int64_t id)
{
	const struct pk_profile *p = t->p;
	struct pk_buf buf = PK_BUF_INIT;

	if (name)
		pk_buf_add(&buf, pk_text(p, name), p->string.len[name]);
	else if (id != PK_NULL)
		pk_buf_addf(&buf, "%s %lld", what, (long long)id);
	else
		pk_buf_adds(&buf, what);
	return add_label(t, parent, &buf);
}

static void add_id(struct pk_buf *buf, char before, int64_t id)
{
	pk_buf_addc(buf, before);
	if (id == PK_NULL)
		pk_buf_addc(buf, '?');
	else
		pk_buf_addf(buf, "%lld", (long long)id);
}

/* The name of the root as stackcollapse-perf.pl writes it with --pid or --tid. */
static uint32_t add_comm(struct pk_folded_tree *t, uint32_t thread)
{
	const struct pk_profile *p = t->p;
	uint32_t name = p->thread.name[thread], process = p->thread.process[thread];
	struct pk_buf buf = PK_BUF_INIT;
	size_t i;

	if (!name)
		return 0;
	pk_buf_add(&buf, pk_text(p, name), p->string.len[name]);
	if (!t->variants)
		pk_folded_clean(&buf, 0);
	for (i = 0; i < buf.len; i++)
		if (buf.data[i] == ' ')
			buf.data[i] = '_';
	if (t->root != PK_FOLDED_COMM)
		add_id(&buf, '-', process ? p->process.pid[process] : PK_NULL);
	if (t->root == PK_FOLDED_COMM_TID)
		add_id(&buf, '/', p->thread.tid[thread]);
	return add_label(t, 0, &buf);
}

static uint32_t add_py_spy_process(struct pk_folded_tree *t, uint32_t process)
{
	const struct pk_profile *p = t->p;
	struct pk_buf buf = PK_BUF_INIT;

	if (!process || p->process.pid[process] == PK_NULL)
		return 0;
	pk_buf_addf(&buf, "process %lld:\"%s\"", (long long)p->process.pid[process],
		    pk_text(p, p->process.name[process]));
	return add_label(t, 0, &buf);
}

static uint32_t add_py_spy_thread(struct pk_folded_tree *t, uint32_t parent, uint32_t thread)
{
	const struct pk_profile *p = t->p;
	const char *name = pk_text(p, p->thread.name[thread]);
	struct pk_buf buf = PK_BUF_INIT;

	if (p->thread.tid[thread] == PK_NULL)
		return parent;
	/* ids of the system are small, those of pthreads are addresses */
	if (p->thread.tid[thread] >> 32)
		pk_buf_addf(&buf, "thread (0x%llX)", (unsigned long long)p->thread.tid[thread]);
	else
		pk_buf_addf(&buf, "thread (%lld)", (long long)p->thread.tid[thread]);
	if (*name)
		pk_buf_addf(&buf, ": %s", name);
	return add_label(t, parent, &buf);
}

static uint32_t thread_root(struct pk_folded_tree *t, uint32_t thread)
{
	const struct pk_profile *p = t->p;
	uint32_t process = p->thread.process[thread], node = 0;

	if (!thread || t->root == PK_FOLDED_NO_ROOT)
		return 0;
	if (t->root == PK_FOLDED_PY_SPY_ROOT)
		return add_py_spy_thread(t, add_py_spy_process(t, process), thread);
	if (t->root != PK_FOLDED_THREAD)
		return add_comm(t, thread);
	if (process)
		node = add_root(t, 0, p->process.name[process], "process", p->process.pid[process]);
	return add_root(t, node, p->thread.name[thread], "thread", p->thread.tid[thread]);
}

/* The name of a node below the root. */
static uint32_t name_of(const struct pk_folded_tree *t, uint32_t root, uint32_t node)
{
	const struct pk_profile *p = t->p;
	uint32_t function = pk_node_function(p, node), location = p->node.location[node];
	const char *comm = root ? t->name[t->node[root].name].text : "";

	if (!t->variants)
		return function;
	if (p->location.inlined && p->location.inlined[location] && pk_folded_is_jit(p, function))
		function += PK_FOLDED_INLINED * p->function.count;
	if (pk_starts_with(comm, "java"))
		function += PK_FOLDED_JAVA * p->function.count;
	return function;
}

/* By node of the profile: its node of the tree, and 1 + the key for which it was made. */
struct made {
	uint32_t node, key;
};

static uint32_t add_path(struct pk_folded_tree *t, struct made *made, uint32_t key, uint32_t root,
			 uint32_t node, uint32_t **way, size_t *alloc)
{
	const struct pk_profile *p = t->p;
	size_t depth = 0;
	uint32_t to;

	for (; node && made[node].key != key + 1; node = p->node.parent[node]) {
		PK_GROW(*way, depth + 1, *alloc);
		(*way)[depth++] = node;
	}
	to = node ? made[node].node : root;
	while (depth) {
		uint32_t name;

		node = (*way)[--depth];
		name = name_of(t, root, node);
		if (t->whole || t->name[name].len || !to)
			to = add_node(t, to, name, node);
		while ((name = t->name[name].more))
			to = add_node(t, to, name, node);
		made[node] = (struct made){to, key + 1};
	}
	return to;
}

/* Rows of cost with the same key have the same root. */
static uint32_t key_of(const struct pk_folded_tree *t, uint32_t row)
{
	uint32_t thread = pk_cost_thread(t->p, row);

	return t->root == PK_FOLDED_NO_ROOT ? 0
	       : t->root == PK_FOLDED_COMM  ? t->p->thread.name[thread]
					    : thread;
}

static void add_row(struct pk_folded_tree *t, uint32_t row, uint32_t node)
{
	for (int m = 0; m < t->metrics; m++)
		if (pk_cost_metric(t->p, row) == t->metric[m])
			pk_aggregate_add(pk_metric_aggregate(t->p, t->metric[m]),
					 &t->node[node].value[m], t->p->cost.self[row]);
}

/* Paths of one root after those of another, so that each node is made once for a root. */
void pk_folded_tree_build(struct pk_folded_tree *t)
{
	const struct pk_profile *p = t->p;
	uint32_t keys = p->thread.count > p->string.count ? p->thread.count : p->string.count;
	uint32_t *first = pk_calloc(keys + 1, sizeof(*first)), *way = NULL, key, row;
	uint32_t *next = pk_calloc(p->cost.count, sizeof(*next));
	struct made *made = pk_calloc(p->node.count, sizeof(*made));
	size_t alloc = 0;

	PK_GROW_ZERO(t->node, 1, t->alloc);
	t->count = 1;
	for (row = p->cost.count; row-- > 1;) {
		key = key_of(t, row);
		next[row] = first[key];
		first[key] = row;
	}
	for (key = 0; key <= keys; key++) {
		uint32_t root = first[key] ? thread_root(t, pk_cost_thread(p, first[key])) : 0;

		for (row = first[key]; row; row = next[row])
			add_row(t, row,
				add_path(t, made, key, root, p->cost.node[row], &way, &alloc));
	}
	free(way);
	free(made);
	free(next);
	free(first);
}

static void join(struct pk_folded_tree *t, uint32_t to, uint32_t from)
{
	struct pk_folded_node *a = &t->node[to], *b = &t->node[from];
	uint32_t child, next;

	for (int m = 0; m < t->metrics; m++) {
		pk_aggregate_add(pk_metric_aggregate(t->p, t->metric[m]), &a->value[m],
				 b->value[m]);
		b->value[m] = 0;
	}
	for (child = b->first; child; child = next) {
		next = t->node[child].next;
		t->node[child].next = a->first;
		a->first = child;
	}
	b->first = 0;
}

/* Parents come before their children, so that a list is complete when it is looked at. */
void pk_folded_tree_join(struct pk_folded_tree *t)
{
	struct pk_folded_item *item = NULL;
	size_t alloc = 0, count;
	uint32_t parent, child, kept;

	for (parent = 0; parent < t->count; parent++) {
		child = t->node[parent].first;
		if (!child || !t->node[child].next) /* as most nodes */
			continue;
		for (count = 0; child; child = t->node[child].next) {
			PK_GROW(item, count + 1, alloc);
			item[count++] = (struct pk_folded_item){
				child, t->name[t->node[child].name].rank[1], 0, false};
		}
		pk_folded_sort(item, count);
		for (kept = t->node[parent].first = 0; count--;) {
			child = item[count].node;
			if (kept && item[count].rank == t->name[t->node[kept].name].rank[1]) {
				join(t, kept, child);
				continue;
			}
			kept = child;
			t->node[kept].next = t->node[parent].first;
			t->node[parent].first = kept;
		}
	}
	free(item);
}

void pk_folded_tree_release(struct pk_folded_tree *t)
{
	pk_arena_release(&t->text);
	free(t->name);
	free(t->node);
}

PK_COMPARE(by_rank, struct pk_folded_item, PK_ORDER(b->rank, a->rank) ?: PK_ORDER(b->node, a->node))

void pk_folded_sort(struct pk_folded_item *item, size_t count)
{
	size_t i, j;

	if (count > 16) {
		qsort(item, count, sizeof(*item), by_rank);
		return;
	}
	for (i = 1; i < count; i++) {
		struct pk_folded_item one = item[i];

		for (j = i; j && by_rank(&item[j - 1], &one) > 0; j--)
			item[j] = item[j - 1];
		item[j] = one;
	}
}
