/*
 * The tags of pprof's nodes: the labels of the samples that end in a node (flat) or go through it
 * (cum), all texts of a sample being one tag, and the numbers of the key "bytes".
 *
 *	N1_0 [label = "kind:io\nworker:1" ...]
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/totals.h"
#include "render/pprof/internal.h"

struct tagging {
	struct pprof_graph *g;
	struct pk_index index;
	const char **texts; /* by label set; NULL = not known yet */
	const char *unit;   /* of bytes */
	/* By path: the path of the next node that is shown, from itself upwards, but for those that
	 * are on their path already. */
	uint32_t *up;
	uint32_t *open; /* by node: how often it is on the path that is walked */
};

/* "key:value" of each, sorted, with what DOT takes for an end of line between them. */
static const char *join_texts(struct tagging *t, uint32_t set)
{
	const struct pk_profile *p = t->g->p;
	const struct pk_label_set_table *s = &p->label_set;
	PK_BUF_AUTO all = PK_BUF_INIT;
	char **text = NULL;
	size_t count = 0, alloc = 0;

	for (; set; set = s->rest[set]) {
		struct pk_buf one = PK_BUF_INIT;

		if (s->number[set] != PK_NULL)
			continue;
		pk_buf_addf(&one, "%s:%s", pk_text(p, s->key[set]), pk_text(p, s->text[set]));
		PK_GROW(text, count + 1, alloc);
		text[count++] = pk_buf_detach(&one);
	}
	if (count)
		qsort(text, count, sizeof(*text), pk_compare_texts);
	for (size_t i = 0; i < count; free(text[i++]))
		pk_buf_addf(&all, "%s%s", i ? "\\n" : "", text[i]);
	free(text);
	return all.len ? pk_arena_copy(&t->g->text, all.data, all.len) : "";
}

static bool is_bytes(const struct pk_profile *p, uint32_t set)
{
	return p->label_set.number[set] != PK_NULL &&
	       !strcmp(pk_text(p, p->label_set.key[set]), "bytes");
}

const char *pprof_bytes_unit(const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->label_set.count; i++)
		if (is_bytes(p, i) && p->label_set.unit[i])
			return pk_text(p, p->label_set.unit[i]);
	return "bytes";
}

static bool is_same(const struct pprof_tag *a, const struct pprof_tag *b)
{
	return a->node == b->node && a->is_number == b->is_number && !strcmp(a->name, b->name) &&
	       !strcmp(a->labels, b->labels);
}

/* The tag of a node with this name, which is made if needed. Those of numbers are equal if they
 * look so. */
static struct pprof_tag *find_tag(struct tagging *t, const struct pprof_tag *wanted)
{
	struct pprof_graph *g = t->g;
	uint64_t hash = pk_hash_pair((uint64_t)wanted->node << 1 | wanted->is_number,
				     pk_hash_bytes(wanted->name, strlen(wanted->name)));
	uint32_t *known = PK_INDEX_FIND(&t->index, hash, id, is_same(&g->tag[id], wanted));

	if (*known)
		return &g->tag[*known];
	PK_GROW(g->tag, (size_t)g->tags + 2, g->tag_alloc);
	g->tag[++g->tags] = *wanted;
	if (wanted->is_number)
		g->tag[g->tags].name = pk_arena_copy(&g->text, wanted->name, strlen(wanted->name));
	*known = g->tags;
	return &g->tag[g->tags];
}

static void add(struct tagging *t, struct pprof_tag wanted, uint32_t set, int64_t value, bool flat)
{
	const struct pk_profile *p = t->g->p;
	struct pprof_tag *tag;

	if (*wanted.name) {
		tag = find_tag(t, &wanted);
		pk_add_saturated(flat ? &tag->flat : &tag->cum, value);
	}
	wanted.is_number = true;
	for (; set; set = p->label_set.rest[set]) {
		const char *unit = t->g->params->unit;
		PK_BUF_AUTO name = PK_BUF_INIT;

		if (!is_bytes(p, set))
			continue;
		wanted.number = p->label_set.number[set];
		pprof_value(&name, wanted.number, t->unit, unit ? unit : "minimum");
		wanted.name = name.data;
		tag = find_tag(t, &wanted);
		pk_add_saturated(flat ? &tag->flat : &tag->cum, value);
	}
}

static void enter_path(void *data, uint32_t path)
{
	struct tagging *t = data;
	uint32_t id = t->g->node_of[t->g->p->node.location[path]];

	t->up[path] =
		!t->open[id]++ && t->g->node[id].kept ? path : t->up[t->g->p->node.parent[path]];
}

static void leave_path(void *data, uint32_t path)
{
	struct tagging *t = data;

	t->open[t->g->node_of[t->g->p->node.location[path]]]--;
}

/* Lets a cost visit only the nodes that are shown, however deep its path is. */
static void find_shown(struct tagging *t)
{
	struct pk_tree tree;

	t->up = pk_calloc(t->g->p->node.count, sizeof(*t->up));
	t->open = pk_calloc((size_t)t->g->nodes + 1, sizeof(*t->open));
	pk_tree_init(&tree, t->g->p, t->g->params->metric);
	pk_tree_visit(&tree, t->g->p, enter_path, leave_path, t);
	pk_tree_release(&tree);
}

static void add_cost(struct tagging *t, uint32_t cost, uint32_t set)
{
	struct pprof_graph *g = t->g;
	const struct pk_profile *p = g->p;
	struct pprof_tag tag = {.name = t->texts[set], .labels = t->texts[set]};
	int64_t value = p->cost.self[cost] / g->factor;
	uint32_t path = p->cost.node[cost], id = g->node_of[p->node.location[path]];

	if (g->node[id].kept) {
		tag.node = id;
		add(t, tag, set, value, true);
	}
	for (path = t->up[path]; path; path = t->up[p->node.parent[path]]) {
		tag.node = g->node_of[p->node.location[path]];
		add(t, tag, set, value, false);
	}
}

PK_COMPARE(by_node, struct pprof_tag, PK_ORDER(a->node, b->node))

void pprof_tags_count(struct pprof_graph *g, int64_t least)
{
	const struct pk_profile *p = g->p;
	struct tagging t = {.g = g, .unit = pprof_bytes_unit(p)};
	uint32_t kept = 0;

	g->tags = 0;
	t.texts = pk_calloc(p->label_set.count, sizeof(*t.texts));
	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t set = pk_cost_labels(p, i);

		if (!set || pk_cost_metric(p, i) != g->params->metric || !p->cost.self[i])
			continue;
		if (!t.up)
			find_shown(&t);
		if (!t.texts[set])
			t.texts[set] = join_texts(&t, set);
		add_cost(&t, i, set);
	}
	for (uint32_t i = 1; i <= g->tags; i++)
		if (llabs(g->tag[i].flat) >= least || llabs(g->tag[i].cum) >= least)
			g->tag[++kept] = g->tag[i];
	g->tags = kept;
	if (g->tags)
		pk_sort(g->tag + 1, g->tags, sizeof(*g->tag), by_node);
	pk_index_release(&t.index);
	free(t.texts);
	free(t.up);
	free(t.open);
}

uint32_t *pprof_tags_first(struct pprof_graph *g)
{
	uint32_t *first = pk_malloc(pk_mul((size_t)g->nodes + 2, sizeof(*first))), at = 1;

	for (uint32_t i = 0; i <= g->nodes + 1; i++) {
		while (at <= g->tags && g->tag[at].node < i)
			at++;
		first[i] = at;
	}
	return first;
}
