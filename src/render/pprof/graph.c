/*
 * pprof's graph: the flat and cum value of each function, line or file, and of the calls between
 * them. A path counts once for each node and each call in it. Nodes of small values are left out,
 * and then the graph is made again: a path that ends in such a node has no flat value.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/value_type.h"
#include "model/nameless.h"
#include "render/pprof/internal.h"

/* The one copy of a text. */
static const char *share(struct pprof_graph *g, const char *text)
{
	return pk_texts_get(&g->shared, pk_texts_put(&g->shared, text, strlen(text)));
}

/* "./a//b" is "a/b": Go's filepath.Clean, as far as names of files need it. */
static const char *clean(struct pprof_graph *g, const char *path)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;

	if (!*path)
		return share(g, "");
	for (const char *at = path; *at;) {
		size_t len = strcspn(at, "/");

		if (len == 2 && at[0] == '.' && at[1] == '.' && buf.len > 1 &&
		    memcmp(buf.data + buf.len - 2, "..", 2)) {
			const char *slash = memrchr(buf.data, '/', buf.len);

			buf.len = slash ? (size_t)(slash - buf.data) + (slash == buf.data) : 0;
			buf.data[buf.len] = '\0';
		} else if (len && !(len == 1 && *at == '.')) {
			pk_buf_adds(&buf, buf.len && buf.data[buf.len - 1] != '/' ? "/" : "");
			pk_buf_add(&buf, at, len);
		}
		if (!len && at == path)
			pk_buf_addc(&buf, '/');
		at += len + (at[len] == '/');
	}
	return share(g, buf.len ? buf.data : ".");
}

uint32_t pprof_library(const struct pk_profile *p, uint32_t location)
{
	uint32_t mapping = p->location.mapping ? p->location.mapping[location] : 0;

	return mapping ? p->mapping.file[mapping]
		       : p->function.module[p->location.function[location]];
}

static bool same_key(const struct pprof_node *a, const struct pprof_node *b)
{
	return a->line == b->line && a->begin == b->begin && a->address == b->address &&
	       a->column == b->column && a->key[0] == b->key[0] && a->key[1] == b->key[1] &&
	       a->key[2] == b->key[2];
}

static uint32_t intern_node(struct pprof_graph *g, const struct pprof_node *n)
{
	uint64_t hash = pk_hash_pair(n->address ^ n->column, (uint64_t)n->line << 32 | n->begin);
	uint32_t *known;

	for (int k = 0; k < 3; k++)
		hash = pk_hash_pair(hash, (uintptr_t)n->key[k]);
	known = PK_INDEX_FIND(&g->node_index, hash, id, same_key(&g->node[id], n));
	if (*known)
		return *known;
	PK_GROW(g->node, (size_t)g->nodes + 2, g->node_alloc);
	g->node[++g->nodes] = *n;
	return *known = g->nodes;
}

static const char *name_of(struct pprof_graph *g, struct pk_buf *buf, uint32_t f)
{
	const char **known = &g->known[g->p->function.name[f]].name[pprof_name_is_final(g->p, f)];

	if (pk_is_empty_name(g->p, f))
		return share(g, "");
	if (!*known) {
		pprof_name(buf, g->p, f);
		*known = share(g, buf->data);
	}
	return *known;
}

static const char *file_of(struct pprof_graph *g, uint32_t string)
{
	const char **known = &g->known[string].file;

	if (!*known)
		*known = clean(g, pk_text(g->p, string));
	return *known;
}

static void take_object(struct pprof_graph *g, struct pprof_node *n, uint32_t string)
{
	struct pprof_known *known = &g->known[string];

	if (!known->object) {
		known->object = share(g, pk_text(g->p, string));
		known->base = pk_basename(known->object);
	}
	n->key[2] = known->object;
	n->base = known->base;
}

static void make_node(struct pprof_graph *g, struct pk_buf *name, uint32_t location)
{
	const struct pk_profile *p = g->p;
	uint32_t f = p->location.function[location];
	enum pk_granularity by = g->params->granularity;
	const char *none = share(g, "");
	struct pprof_node n = {.key = {none, none, none}, .base = none};

	if (!strcmp(pk_text(p, p->function.name[f]), PPROF_NO_STACK))
		return; /* counts in the total alone */
	if (by != PK_BY_FILE && !pk_is_nameless(p, location))
		n.key[0] = name_of(g, name, f);
	if (by == PK_BY_FILE || pk_is_by_place(by))
		n.key[1] = file_of(g, p->function.file[f]);
	if (pk_is_by_place(by))
		n.line = pk_location_line(p, location);
	if (by == PK_BY_ADDRESS && p->location.address)
		n.address = p->location.address[location];
	if (by == PK_BY_ADDRESS && p->location.column && !g->params->no_columns)
		n.column = p->location.column[location];
	if (!*n.key[0]) {
		take_object(g, &n, pprof_library(p, location));
		n.begin = p->function.line[f];
	}
	g->node_of[location] = intern_node(g, &n);
}

static struct pprof_edge *find_edge(struct pprof_graph *g, uint32_t from, uint32_t to)
{
	uint32_t *known = PK_INDEX_FIND(&g->edge_index, pk_hash_u64((uint64_t)from << 32 | to), id,
					g->edge[id].from == from && g->edge[id].to == to);

	if (*known)
		return &g->edge[*known];
	PK_GROW(g->edge, (size_t)g->edges + 2, g->edge_alloc);
	g->edge[++g->edges] = (struct pprof_edge){.from = from, .to = to, .inlined = true};
	*known = g->edges;
	return &g->edge[g->edges];
}

/* The state of a call path in the walk: its node and edge, 0 = none, and the source of an edge to
 * its callees. */
struct open {
	uint32_t node, edge, above;
	bool residual; /* nodes after `above` are not kept */
};

struct walk {
	struct pprof_graph *g;
	struct open *open; /* by depth; [0] is above all roots */
	size_t depth, alloc;
};

static void open_edge(struct pprof_graph *g, struct open *o, const struct open *up, uint32_t path)
{
	struct pprof_edge *e = find_edge(g, up->above, o->node);

	if (!e->open++) {
		pk_add_saturated(&e->weight, g->below[path]);
		e->residual |= up->residual;
		e->inlined &= pk_node_inlined(g->p, path);
	}
	o->edge = (uint32_t)(e - g->edge);
}

/* A node or an edge that is open has counted all paths below already. The first of equal calls says
 * whether it is inlined. */
static void enter(void *data, uint32_t path)
{
	struct walk *w = data;
	struct pprof_graph *g = w->g;
	uint32_t id = g->node_of[g->p->node.location[path]];
	struct pprof_node *n = &g->node[id];
	struct open *o, *up;

	PK_GROW(w->open, w->depth + 2, w->alloc);
	up = &w->open[w->depth];
	o = &w->open[++w->depth];
	*o = (struct open){.above = up->above, .residual = true};
	if (!g->has_costs[path] || !n->kept)
		return;
	*o = (struct open){.node = id, .above = id};
	if (!n->open++)
		pk_add_saturated(&n->cum, g->below[path]);
	pk_add_saturated(&n->flat, g->self[path]);
	if (up->above && up->above != id)
		open_edge(g, o, up, path);
}

static void leave(void *data, uint32_t path)
{
	struct walk *w = data;
	const struct open *o = &w->open[w->depth--];

	(void)path;
	if (o->node)
		w->g->node[o->node].open--;
	if (o->edge)
		w->g->edge[o->edge].open--;
}

/* One walk over all paths: a walk from each path to its root would take the square of their
 * depth. */
void pprof_graph_count(struct pprof_graph *g)
{
	struct walk w = {.g = g};

	for (uint32_t i = 1; i <= g->nodes; i++)
		g->node[i].flat = g->node[i].cum = 0;
	g->edges = 0;
	pk_index_release(&g->edge_index);
	PK_GROW_ZERO(w.open, 1, w.alloc);
	pk_tree_visit(&g->tree, g->p, enter, leave, &w);
	free(w.open);
}

bool pprof_is_there(const struct pprof_node *n)
{
	return n->kept && (n->flat || n->cum);
}

static int64_t magnitude(int64_t value)
{
	return value < 0 ? -value : value;
}

static int compare(const void *x, const void *y, void *data)
{
	const struct pprof_graph *g = data;
	const struct pprof_node *a = &g->node[*(const uint32_t *)x],
				*b = &g->node[*(const uint32_t *)y];
	int64_t i = magnitude(g->params->cum ? a->cum : a->flat);
	int64_t k = magnitude(g->params->cum ? b->cum : b->flat);
	int diff = (i < k) - (i > k);

	if (!diff)
		diff = pprof_compare_names(a, b);
	i = magnitude(g->params->cum ? a->flat : a->cum);
	k = magnitude(g->params->cum ? b->flat : b->cum);
	if (!diff)
		diff = (i < k) - (i > k);
	return diff ? diff : pprof_compare_nodes(a, b);
}

static void sort_nodes(struct pprof_graph *g)
{
	g->count = 0;
	for (uint32_t i = 1; i <= g->nodes; i++)
		if (pprof_is_there(&g->node[i]))
			g->order[g->count++] = i;
	qsort_r(g->order, g->count, sizeof(*g->order), compare, g);
}

/* Part of the sum of all flat values. */
static int64_t cutoff(const struct pprof_graph *g, double fraction)
{
	int64_t sum = 0;

	for (uint32_t i = 1; i <= g->nodes; i++)
		pk_add_saturated(&sum, g->node[i].flat);
	return magnitude((int64_t)((double)sum * fraction));
}

static void drop_nodes(struct pprof_graph *g, int64_t least)
{
	for (uint32_t i = 1; i <= g->nodes; i++) {
		if (!pprof_is_there(&g->node[i]) || magnitude(g->node[i].cum) >= least)
			continue;
		g->node[i].kept = false;
		g->dropped++;
	}
	if (g->dropped)
		pprof_graph_count(g);
}

uint32_t pprof_drop_edges(struct pprof_graph *g, int64_t least)
{
	uint32_t kept = 0, all = g->edges;

	for (uint32_t i = 1; i <= all; i++)
		if (magnitude(g->edge[i].weight) >= least)
			g->edge[++kept] = g->edge[i];
	g->edges = kept;
	return all - kept;
}

static void trim(struct pprof_graph *g)
{
	bool all = g->params->view == PK_PPROF_PEEK;
	int64_t nodes = cutoff(g, g->params->fraction);
	int64_t edges = all ? 0 : cutoff(g, g->params->edge_fraction);

	if (nodes)
		drop_nodes(g, nodes);
	if (g->params->view == PK_PPROF_DOT) {
		pprof_trim_picture(g, nodes, edges);
		return;
	}
	sort_nodes(g);
	g->original = g->count;
	if (g->params->nodes && g->params->nodes < g->count) {
		for (uint32_t i = (uint32_t)g->params->nodes; i < g->count; i++)
			g->node[g->order[i]].kept = false;
		pprof_graph_count(g);
		sort_nodes(g);
	}
	pprof_drop_edges(g, edges);
}

static void add_costs(struct pprof_graph *g)
{
	const struct pk_profile *p = g->p;

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == g->params->metric)
			pk_add_saturated(&g->self[p->cost.node[i]], p->cost.self[i] / g->factor);
	memcpy(g->below, g->self, p->node.count * sizeof(*g->below));
	for (uint32_t i = p->node.count - 1; i; i--) {
		uint32_t parent = p->node.parent[i];

		pk_add_saturated(&g->below[parent], g->below[i]);
		g->has_costs[i] |= g->self[i] != 0;
		g->has_costs[parent] |= g->has_costs[i];
	}
}

void pprof_graph_init(struct pprof_graph *g, const struct pk_profile *p,
		      const struct pk_pprof_params *params)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	*g = (struct pprof_graph){.p = p, .params = params};
	g->unit = pk_own_unit(p, params->metric, &g->factor);
	if (!g->unit)
		g->unit = pk_metric_unit(p, params->metric);
	g->self = pk_calloc(p->node.count, sizeof(*g->self));
	g->below = pk_calloc(p->node.count, sizeof(*g->below));
	g->has_costs = pk_calloc(p->node.count, sizeof(*g->has_costs));
	g->node_of = pk_calloc(p->location.count, sizeof(*g->node_of));
	PK_GROW_ZERO(g->node, 1, g->node_alloc);
	g->known = pk_calloc(p->string.count, sizeof(*g->known));
	for (uint32_t i = 1; i < p->node.count; i++)
		if (!g->node_of[p->node.location[i]])
			make_node(g, &name, p->node.location[i]);
	for (uint32_t i = 1; i <= g->nodes; i++)
		g->node[i].kept = true;
	g->order = pk_malloc(pk_mul((size_t)g->nodes + 1, sizeof(*g->order)));
	if (params->view == PK_PPROF_TRACES)
		return;
	add_costs(g);
	pk_tree_init(&g->tree, p, params->metric);
	pprof_graph_count(g);
	trim(g);
}

void pprof_graph_release(struct pprof_graph *g)
{
	free(g->self);
	free(g->below);
	free(g->has_costs);
	pk_tree_release(&g->tree);
	free(g->node_of);
	free(g->node);
	free(g->edge);
	free(g->order);
	free(g->tag);
	free(g->known);
	pk_texts_release(&g->shared);
	pk_index_release(&g->node_index);
	pk_index_release(&g->edge_index);
	pk_arena_release(&g->text);
}
