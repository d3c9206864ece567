/*
 * pprof's -dot: the graph for Graphviz, with boxes whose text has the size of their flat value,
 * boxes for tags, and a legend.
 *
 *	N1 [label="main\nfib\n410ms (93.18%)" id="node1" fontsize=24 shape=box ...]
 *	N1_0 [label = "kind:io" id="N1_0" fontsize=8 shape=box3d tooltip="110ms"]
 *	N1 -> N1_0 [label=" 110ms" weight=100 tooltip="110ms" labeltooltip="110ms"]
 *	N2 -> N1 [label=" 410ms" weight=94 penwidth=5 color="#b20300" ...]
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "render/pprof/internal.h"

enum { MOST_TAGS = 4 }; /* of texts, and of numbers, that a node shows */

struct drawing {
	struct pprof_text *t;
	struct pprof_graph *g;
	uint32_t *first;    /* tags of a node */
	uint32_t *number;   /* of a node in the picture */
	bool *calls, *tags; /* a node has calls, or shows tags */
	struct pk_buf text;
};

static void put_escaped(struct pk_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n') {
			pk_buf_adds(out, "\\l");
			continue;
		}
		if (*text == '"' || *text == '\\')
			pk_buf_addc(out, '\\');
		pk_buf_addc(out, *text);
	}
}

static void put_escaped_name(struct pk_buf *out, const struct pprof_node *n)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	pprof_put_node_name(&name, n);
	put_escaped(out, name.data);
}

/* From green (-1) over gray to red. */
static void put_color(struct pk_buf *out, int64_t value, int64_t total, bool background)
{
	double score = total ? (double)value / fabs((double)total) : 0;
	double saturation = background ? 0.1 : 1, bright = background ? 0.93 : 0.7, dark, blue;

	score = score > 1 ? 1 : score < -1 ? -1 : score;
	if (fabs(score) < 0.2)
		saturation *= fabs(score) / 0.2;
	dark = bright * (1 - saturation * pow(fabs(score), 1 - 0.7));
	blue = bright * (1 - saturation);
	pk_buf_addf(out, "#%02x%02x%02x", (unsigned)((score < 0 ? dark : bright) * 255),
		    (unsigned)((score < 0 ? bright : dark) * 255), (unsigned)(blue * 255));
}

static void put_share(struct pprof_text *t, int64_t value)
{
	PK_BUF_AUTO percent = PK_BUF_INIT;

	pprof_put_value(t, 0, value);
	pprof_percent(&percent, value, t->total);
	pk_buf_addf(&t->out, " (%s)", percent.data + strspn(percent.data, " "));
}

/* The name in several lines: those of a qualified name, then its place. */
static void put_name(struct drawing *d, const struct pprof_node *n)
{
	struct pk_buf *out = &d->t->out, *text = &d->text;
	PK_BUF_AUTO escaped = PK_BUF_INIT;

	if (n->address)
		pk_buf_addf(out, "%016llx\\n", (unsigned long long)n->address);
	text->len = 0;
	pprof_short_name(text, n->key[0]);
	put_escaped(&escaped, text->len ? text->data : "");
	for (const char *at = escaped.len ? escaped.data : ""; *at; at++) {
		if (!strncmp(at, "[...]", 5)) {
			pk_buf_adds(out, "[…]");
			at += 4;
		} else if (!strncmp(at, "::", 2)) {
			pk_buf_adds(out, "\\n");
			at++;
		} else if (*at == '.') {
			pk_buf_adds(out, "\\n");
		} else {
			pk_buf_addc(out, *at);
		}
	}
	pk_buf_adds(out, escaped.len ? "\\n" : "");
	if (n->line && n->column)
		pk_buf_addf(out, "%s:%u:%u\\n", pk_basename(n->key[1]), n->line, n->column);
	else if (n->line)
		pk_buf_addf(out, "%s:%u\\n", pk_basename(n->key[1]), n->line);
	else if (*n->key[1])
		pk_buf_addf(out, "%s\\n", pk_basename(n->key[1]));
	else if (!escaped.len && *n->key[2])
		pk_buf_addf(out, "[%s]\\n", pk_basename(n->key[2]));
	else if (!escaped.len)
		pk_buf_adds(out, "<unknown>\\n");
}

static void put_node(struct drawing *d, uint32_t id, int64_t most)
{
	struct pprof_text *t = d->t;
	const struct pprof_node *n = &d->g->node[id];
	unsigned number = d->number[id];
	int size = 8;

	pk_buf_addf(&t->out, "N%u [label=\"", number);
	put_name(d, n);
	if (n->flat)
		put_share(t, n->flat);
	else
		pk_buf_addc(&t->out, '0');
	if (n->cum != n->flat) {
		pk_buf_adds(&t->out, n->flat ? "\\nof " : " of ");
		put_share(t, n->cum);
	}
	if (n->flat)
		size += (int)ceil(16 * sqrt(fabs((double)n->flat) / (double)most));
	pk_buf_addf(&t->out, "\" id=\"node%u\" fontsize=%d shape=box tooltip=\"", number, size);
	put_escaped_name(&t->out, n);
	pk_buf_adds(&t->out, " (");
	pprof_put_value(t, 0, n->cum);
	pk_buf_adds(&t->out, ")\" color=\"");
	put_color(&t->out, n->cum, t->total, false);
	pk_buf_adds(&t->out, "\" fillcolor=\"");
	put_color(&t->out, n->cum, t->total, true);
	pk_buf_adds(&t->out, "\"]\n");
}

static void put_tag(struct drawing *d, const char *from, const char *id, const char *name,
		    int64_t value, bool dotted)
{
	struct pk_buf *out = &d->t->out;
	PK_BUF_AUTO weight = PK_BUF_INIT;

	pprof_value(&weight, value, d->t->from, d->t->unit);
	pk_buf_addf(out, "%s [label = \"%s\" id=\"%s\" fontsize=8 shape=box3d tooltip=\"%s\"]\n",
		    id, name, id, weight.data);
	pk_buf_addf(
		out, "%s -> %s [label=\" %s\" weight=100 tooltip=\"%s\" labeltooltip=\"%s\"%s]\n",
		from, id, weight.data, weight.data, weight.data, dotted ? " style=\"dotted\"" : "");
}

/* The largest first; flat: by the values of the node alone. */
static int compare_tags(const void *x, const void *y, void *flat)
{
	const struct pprof_tag *a = x, *b = y;
	int diff = 0;

	if (!flat)
		diff = (llabs(a->cum) < llabs(b->cum)) - (llabs(a->cum) > llabs(b->cum));
	if (!diff)
		diff = (llabs(a->flat) < llabs(b->flat)) - (llabs(a->flat) > llabs(b->flat));
	return diff ? diff : strcmp(a->name, b->name);
}

static void sort_tags(struct pprof_tag *tag, size_t count, bool flat)
{
	if (count)
		qsort_r(tag, count, sizeof(*tag), compare_tags, flat ? &(char){0} : NULL);
}

/* Makes at most four of many numbers: the largest, each joined with the others that are nearest to
 * it. Returns how many there are. */
static size_t collapse(struct drawing *d, struct pprof_tag *tag, size_t count, const char *unit)
{
	int64_t from[MOST_TAGS], least[MOST_TAGS], most[MOST_TAGS];

	if (count <= MOST_TAGS)
		return count;
	for (int i = 0; i < MOST_TAGS; i++)
		from[i] = least[i] = most[i] = tag[i].number;
	for (size_t k = MOST_TAGS; k < count; k++) {
		double number = (double)tag[k].number;
		int near = 0;

		for (int i = 1; i < MOST_TAGS; i++)
			if (fabs((double)from[i] - number) < fabs((double)from[near] - number))
				near = i;
		pk_add_saturated(&tag[near].flat, tag[k].flat);
		pk_add_saturated(&tag[near].cum, tag[k].cum);
		least[near] = tag[k].number < least[near] ? tag[k].number : least[near];
		most[near] = tag[k].number > most[near] ? tag[k].number : most[near];
		tag[near].seen = 1;
	}
	for (int i = 0; i < MOST_TAGS; i++) {
		d->text.len = 0;
		pprof_value(&d->text, least[i], unit, "auto");
		if (tag[i].seen) {
			pk_buf_adds(&d->text, "..");
			pprof_value(&d->text, most[i], unit, "auto");
		}
		tag[i].name = pk_arena_copy(&d->g->text, d->text.data, d->text.len);
	}
	return MOST_TAGS;
}

/* The numbers of the node, or of one of its tags, which has these labels. */
static bool put_numbers(struct drawing *d, const struct pprof_tag *all, size_t count,
			const char *labels, const char *from, bool flat)
{
	struct pprof_tag *tag = pk_calloc(count + 1, sizeof(*tag));
	size_t tags = 0;
	bool any = false;

	for (size_t i = 0; i < count; i++)
		if (all[i].is_number && !strcmp(all[i].labels, labels))
			tag[tags++] = all[i];
	sort_tags(tag, tags, flat);
	tags = collapse(d, tag, tags, pprof_bytes_unit(d->g->p));
	sort_tags(tag, tags, flat);
	for (size_t i = 0; i < tags; i++) {
		bool own = flat || tag[i].flat == tag[i].cum;
		int64_t value = own ? tag[i].flat : tag[i].cum;
		PK_BUF_AUTO id = PK_BUF_INIT;

		if (!value)
			continue;
		pk_buf_addf(&id, "N%s_%zu", from, i);
		put_tag(d, from, id.data, tag[i].name, value, !own);
		any = true;
	}
	free(tag);
	return any;
}

/* Nodes without callees in the picture also have the tags of their callees that are not in it. */
static void put_tags(struct drawing *d, uint32_t id)
{
	size_t count = d->first[id + 1] - d->first[id];
	struct pprof_tag *all = count ? d->g->tag + d->first[id] : NULL;
	struct pprof_tag *tag = pk_calloc(count + 1, sizeof(*tag));
	bool flat = d->calls[id];
	PK_BUF_AUTO from = PK_BUF_INIT;
	size_t tags = 0;

	pk_buf_addf(&from, "N%u", d->number[id]);
	for (size_t i = 0; i < count; i++)
		if (!all[i].is_number)
			tag[tags++] = all[i];
	sort_tags(tag, tags, flat);
	for (size_t i = 0; i < tags && i < MOST_TAGS; i++) {
		int64_t value = flat ? tag[i].flat : tag[i].cum;
		PK_BUF_AUTO name = PK_BUF_INIT;

		if (!value)
			continue;
		pk_buf_addf(&name, "%s_%zu", from.data, i);
		put_tag(d, from.data, name.data, tag[i].name, value, false);
		put_numbers(d, all, count, tag[i].labels, name.data, flat);
		d->tags[id] = true;
	}
	d->tags[id] |= put_numbers(d, all, count, "", from.data, flat);
	free(tag);
}

/* 1 to most + 1, by the share of the total. */
static unsigned width(int64_t weight, int most, int64_t total)
{
	__int128 part = (__int128)weight * most / total;

	part = part < 0 ? -part : part;
	return 1 + (unsigned)(part < most ? part : most);
}

static void put_edge(struct drawing *d, const struct pprof_edge *e)
{
	struct pprof_text *t = d->t;
	struct pk_buf *out = &t->out;
	PK_BUF_AUTO weight = PK_BUF_INIT;

	pprof_value(&weight, e->weight, t->from, t->unit);
	pk_buf_addf(out, "N%u -> N%u [label=\" %s%s\"", d->number[e->from], d->number[e->to],
		    weight.data, e->inlined ? "\\n (inline)" : "");
	if (t->total) {
		if (width(e->weight, 100, t->total) > 1)
			pk_buf_addf(out, " weight=%u", width(e->weight, 100, t->total));
		if (width(e->weight, 5, t->total) > 1)
			pk_buf_addf(out, " penwidth=%u", width(e->weight, 5, t->total));
		pk_buf_adds(out, " color=\"");
		put_color(out, e->weight, t->total, false);
		pk_buf_addc(out, '"');
	}
	d->text.len = 0;
	put_escaped_name(&d->text, &d->g->node[e->from]);
	pk_buf_adds(&d->text, e->residual ? " ... " : " -> ");
	put_escaped_name(&d->text, &d->g->node[e->to]);
	pk_buf_addf(&d->text, " (%s)", weight.data);
	pk_buf_addf(out, " tooltip=\"%s\" labeltooltip=\"%s\"%s%s]\n", d->text.data, d->text.data,
		    e->residual ? " style=\"dotted\"" : "", d->tags[e->from] ? " minlen=2" : "");
}

static void put_legend(struct pprof_text *t)
{
	const struct pk_profile *p = t->g->params->whole;
	const char *file = p->mapping.count > 1 ? pk_text(p, p->mapping.file[1]) : "";
	struct pk_buf *out = &t->out;
	PK_BUF_AUTO lines = PK_BUF_INIT;
	char *end;

	pk_buf_add(&lines, out->data, out->len);
	pk_buf_adds(&lines, "\nSee https://git.io/JfYMW for how to read the graph\n");
	out->len = 0;
	pk_buf_addf(out, "digraph \"%s\" {\nnode [style=filled fillcolor=\"#f8f8f8\"]\n",
		    *file ? pk_basename(file) : "unnamed");
	end = strchr(lines.data, '\n');
	*end = '\0';
	pk_buf_adds(out, "subgraph cluster_L { \"");
	put_escaped(out, lines.data);
	pk_buf_adds(out, "\" [shape=box fontsize=16 label=\"");
	*end = '\n';
	put_escaped(out, lines.data);
	pk_buf_addc(out, '"');
	if (*file)
		pk_buf_addf(out, " tooltip=\"%s\"", pk_basename(file));
	pk_buf_adds(out, "] }\n");
}

static void put_graph(struct drawing *d)
{
	struct pprof_graph *g = d->g;
	uint32_t *edge = pk_malloc(pk_mul((size_t)g->edges + 1, sizeof(*edge)));
	int64_t most = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		int64_t flat = llabs(g->node[g->order[i]].flat);

		d->number[g->order[i]] = i + 1;
		most = flat > most ? flat : most;
	}
	for (uint32_t i = 0; i < g->edges; i++) {
		edge[i] = i + 1;
		d->calls[g->edge[i + 1].from] = true;
	}
	for (uint32_t i = 0; i < g->count; i++) {
		put_node(d, g->order[i], most);
		put_tags(d, g->order[i]);
	}
	pprof_sort_edges(g, edge, g->edges);
	for (uint32_t i = 0; i < g->edges; i++)
		put_edge(d, &g->edge[edge[i]]);
	free(edge);
}

void pprof_put_dot(struct pprof_text *t)
{
	size_t nodes = (size_t)t->g->nodes + 1;
	struct drawing d = {.t = t, .g = t->g};

	put_legend(t);
	d.first = pprof_tags_first(t->g);
	d.number = pk_calloc(nodes, sizeof(*d.number));
	d.calls = pk_calloc(nodes, sizeof(*d.calls));
	d.tags = pk_calloc(nodes, sizeof(*d.tags));
	put_graph(&d);
	pk_buf_adds(&t->out, "}\n");
	free(d.first);
	free(d.number);
	free(d.calls);
	free(d.tags);
	pk_buf_release(&d.text);
}
