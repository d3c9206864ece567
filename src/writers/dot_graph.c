/* A call graph as a cgraph graph: labels, colors, tooltips, the legend. */
#include "writers/dot_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/function_name.h"
#include "analysis/split_names.h"
#include "base/alloc.h"
#include "base/units.h"
#include "writers/dot_label.h"
#include "writers/dot_legend.h"
#include "writers/dot_theme.h"

enum measure { SELF_TIME, SELF_SHARE, TOTAL_TIME, TOTAL_SHARE };
static const char *const measures[] = {"self-time", "self-time-percentage", "total-time",
				       "total-time-percentage", NULL};

struct drawing {
	const struct pk_profile *p;
	const struct pk_dot_params *params;
	const struct pk_dot_theme *theme;
	struct pk_callgraph g;
	uint32_t metric;
	struct pk_rgb background;
	Agraph_t *graph;
	Agnode_t **node;
	double largest_self;  /* ratio, among what is shown */
	uint32_t *cycle_size; /* by cycle */
	uint32_t cut_names;
	struct pk_buf text, name;
};

static void set(void *object, const char *attribute, const char *value)
{
	/* cgraph copies what it is given, and takes it without const. */
	agsafeset(object, (char *)(uintptr_t)attribute, (char *)(uintptr_t)value, "");
}

static void set_number(void *object, const char *attribute, double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.2f", value);
	set(object, attribute, text);
}

static void set_color(void *object, const char *attribute, struct pk_rgb color)
{
	char text[8];

	pk_rgb_format(color, text);
	set(object, attribute, text);
}

static void set_default(Agraph_t *graph, int kind, const char *attribute, const char *value)
{
	agattr(graph, kind, (char *)(uintptr_t)attribute, (char *)(uintptr_t)value);
}

static void begin_text(struct drawing *d)
{
	d->text.len = 0;
	pk_buf_adds(&d->text, "");
}

/* The name of a function in d->name, as it may be shown. */
static void name_function(struct drawing *d, uint32_t frame)
{
	struct pk_buf place = PK_BUF_INIT;
	uint32_t function = d->p->frame.function[frame];

	d->name.len = 0;
	pk_graph_name(&d->name, d->p, frame);
	if (d->params->strip) {
		size_t len = d->p->string.len[function];

		pk_buf_add(&place, d->name.data, d->name.len - len);
		d->name.len = 0;
		pk_buf_add(&d->name, pk_text(d->p, function), len);
		pk_dot_strip_name(&d->name);
		pk_buf_add(&place, d->name.data, d->name.len);
		d->name.len = 0;
		pk_buf_add(&d->name, place.data, place.len);
	}
	d->cut_names += pk_dot_cut_name(&d->name);
	pk_buf_release(&place);
}

static void add_name(struct drawing *d)
{
	const char *line = d->name.data, *end = line + d->name.len;

	if (!d->params->wrap) {
		pk_dot_add_text(&d->text, line, d->name.len);
		return;
	}
	pk_dot_wrap_name(&d->name);
	line = d->name.data;
	end = line + d->name.len;
	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop ? stop : end;
		pk_dot_add_text(&d->text, line, (size_t)(stop - line));
		if (stop < end)
			pk_buf_adds(&d->text, "\\n");
		line = stop + 1;
	}
}

static void add_line(struct drawing *d)
{
	if (d->text.len)
		pk_buf_adds(&d->text, "\\n");
}

static void add_calls(struct drawing *d, int64_t calls)
{
	if (calls == PK_NULL)
		return;
	add_line(d);
	pk_buf_addf(&d->text, "%" PRId64 "\u00d7", calls);
}

static void add_measure(struct drawing *d, const struct pk_callgraph_node *n, int measure)
{
	bool self = measure == SELF_TIME || measure == SELF_SHARE;
	bool share = measure == SELF_SHARE || measure == TOTAL_SHARE;
	double value =
		share ? (self ? n->self_ratio : n->total_ratio) : (self ? n->self : n->total);

	if (isnan(value))
		return;
	add_line(d);
	if (self)
		pk_buf_addc(&d->text, '(');
	if (n->estimated)
		pk_buf_addc(&d->text, '~');
	if (share)
		pk_buf_addf(&d->text, "%.2f%%", value * 100);
	else
		pk_dot_add_formatted(&d->text, d->params->time_format, value);
	if (self)
		pk_buf_addc(&d->text, ')');
}

static int measure_of(const char *name)
{
	int i;

	for (i = 0; measures[i]; i++)
		if (strcmp(measures[i], name) == 0)
			break;
	return i;
}

static void label_node(struct drawing *d, const struct pk_callgraph_node *n)
{
	const struct pk_opt_list *labels = &d->params->labels;
	const char *module = pk_basename(pk_text(d->p, d->p->frame.module[n->frame]));

	begin_text(d);
	if (*module && !d->p->frame.file[n->frame]) {
		pk_dot_add_text(&d->text, module, strlen(module));
		add_line(d);
	}
	name_function(d, n->frame);
	if (d->name.len)
		add_name(d);
	else
		pk_buf_addc(&d->text, ' '); /* a line of its own all the same */
	for (size_t i = 0; i < labels->count; i++)
		add_measure(d, n, measure_of(labels->item[i]));
	if (!labels->count) {
		add_measure(d, n, TOTAL_SHARE);
		add_measure(d, n, SELF_SHARE);
	}
	if (d->params->show_samples && d->p->metric.kind[d->metric] == PK_METRIC_COUNT)
		add_calls(d, isnan(n->self) ? PK_NULL : (int64_t)llround(n->self));
	add_calls(d, n->calls);
}

static void add_share(struct drawing *d, const char *what, double value, double ratio)
{
	if (isnan(value))
		return;
	pk_buf_addf(&d->text, "\\n%s", what);
	pk_dot_add_value(&d->text, d->p, d->metric, value);
	pk_buf_addf(&d->text, " (%.2f%%)", ratio * 100);
}

static void add_call_count(struct drawing *d, int64_t calls)
{
	if (calls == PK_NULL)
		return;
	pk_buf_adds(&d->text, "\\n");
	pk_format_count(&d->text, calls);
	pk_buf_adds(&d->text, calls == 1 ? " call" : " calls");
}

static void add_whole_name(struct drawing *d, uint32_t frame)
{
	d->name.len = 0;
	pk_buf_add(&d->name, pk_text(d->p, d->p->frame.function[frame]),
		   d->p->string.len[d->p->frame.function[frame]]);
	pk_dot_cut_name(&d->name);
	pk_dot_add_text(&d->text, d->name.data, d->name.len);
}

static void describe_node(struct drawing *d, const struct pk_callgraph_node *n)
{
	const char *file = pk_text(d->p, d->p->frame.file[n->frame]);
	const char *place = *file ? file : pk_text(d->p, d->p->frame.module[n->frame]);

	begin_text(d);
	add_whole_name(d, n->frame);
	if (*place) {
		pk_buf_adds(&d->text, "\\n");
		pk_dot_add_text(&d->text, place, strlen(place));
		if (d->p->frame.line[n->frame])
			pk_buf_addf(&d->text, ":%u", d->p->frame.line[n->frame]);
	}
	add_share(d, n->estimated ? "total about " : "total ", n->total, n->total_ratio);
	add_share(d, n->estimated ? "self about " : "self ", n->self, n->self_ratio);
	add_call_count(d, n->calls);
	if (n->cycle)
		pk_buf_addf(&d->text, "\\nin cycle %u (%u functions shown)", n->cycle,
			    d->cycle_size[n->cycle]);
}

static double node_weight(const struct drawing *d, const struct pk_callgraph_node *n)
{
	double weight = n->total_ratio;

	if (d->params->color_by_self && d->largest_self > 0)
		weight = n->self_ratio / d->largest_self;
	return isnan(weight) ? 0 : weight;
}

static void add_node(struct drawing *d, uint32_t i)
{
	const struct pk_callgraph_node *n = &d->g.node[i];
	double weight = node_weight(d, n);
	struct pk_rgb color = pk_theme_color(d->theme, weight, d->params->skew);
	Agnode_t *node;
	char id[16];

	snprintf(id, sizeof(id), "%u", n->frame);
	node = d->node[i] = agnode(d->graph, id, 1);
	set_color(node, "color", color);
	set_color(node, "fontcolor", d->theme->filled ? pk_rgb_text_on(color) : color);
	set_number(node, "fontsize", pk_theme_font_size(d->theme, weight));
	label_node(d, n);
	set(node, "label", d->text.data);
	describe_node(d, n);
	set(node, "tooltip", d->text.data);
	if (n->cycle)
		set(node, "peripheries", "2");
}

static void label_edge(struct drawing *d, const struct pk_callgraph_edge *e)
{
	begin_text(d);
	if (!isnan(e->total_ratio))
		pk_buf_addf(&d->text, "%.2f%%", e->total_ratio * 100);
	add_calls(d, e->calls);
}

static void describe_edge(struct drawing *d, const struct pk_callgraph_edge *e)
{
	begin_text(d);
	add_whole_name(d, d->g.node[e->caller].frame);
	pk_buf_adds(&d->text, e->residual ? "\\n... " : "\\n-> ");
	add_whole_name(d, d->g.node[e->callee].frame);
	add_share(d, e->estimated ? "about " : "", e->total, e->total_ratio);
	add_call_count(d, e->calls);
}

static void add_edge(struct drawing *d, const struct pk_callgraph_edge *e)
{
	double weight = isnan(e->weight) ? 0 : e->weight;
	struct pk_rgb color = pk_theme_color(d->theme, weight, d->params->skew);
	double width = pk_theme_pen_width(d->theme, weight);
	Agedge_t *edge = agedge(d->graph, d->node[e->caller], d->node[e->callee], NULL, 1);

	set_number(edge, "arrowsize", 0.5 * sqrt(width));
	if (d->theme->stops)
		color = pk_rgb_readable(color, d->background, 2);
	set_color(edge, "color", color);
	set_color(edge, "fontcolor", pk_rgb_readable(color, d->background, 4.5));
	set_number(edge, "fontsize", pk_theme_font_size(d->theme, weight));
	label_edge(d, e);
	set(edge, "label", d->text.data);
	set_number(edge, "labeldistance", width);
	set_number(edge, "penwidth", width);
	describe_edge(d, e);
	set(edge, "tooltip", d->text.data);
	set(edge, "labeltooltip", d->text.data);
	if (e->residual || e->estimated)
		set(edge, "style", e->residual ? "dotted" : "dashed");
}

static void begin_graph(struct drawing *d)
{
	char color[8];

	d->graph = agopen((char *)(uintptr_t) "callgraph", Agdirected, NULL);
	if (d->theme->background != 0xffffff) {
		pk_rgb_format(d->background, color);
		set_default(d->graph, AGRAPH, "bgcolor", color);
	}
	set_default(d->graph, AGRAPH, "fontname", "Arial");
	set_default(d->graph, AGRAPH, "nodesep", "0.125");
	set_default(d->graph, AGRAPH, "ranksep", "0.25");
	set_default(d->graph, AGRAPH, "tooltip", " ");
	set_default(d->graph, AGNODE, "fontname", "Arial");
	set_default(d->graph, AGNODE, "height", "0");
	set_default(d->graph, AGNODE, "shape", "box");
	set_default(d->graph, AGNODE, "style", d->theme->filled ? "filled" : "solid");
	set_default(d->graph, AGNODE, "width", "0");
	set_default(d->graph, AGEDGE, "fontname", "Arial");
}

static void add_legend(struct drawing *d)
{
	struct pk_rgb text = pk_rgb_from(d->theme->text);
	Agnode_t *node = agnode(d->graph, (char *)(uintptr_t) "legend", 1);

	begin_text(d);
	pk_dot_add_legend(&d->text, d->p, d->metric, &d->g, d->params);
	set_color(node, "color", text);
	set_color(node, "fontcolor", text);
	set_number(node, "fontsize", d->theme->font_min);
	set(node, "label", d->text.data);
	set(node, "margin", "0.15,0.1");
	set(node, "shape", "note");
	set(node, "style", "solid");
	set(node, "tooltip", " ");
}

static void prepare(struct drawing *d)
{
	d->background = pk_rgb_from(d->theme->background);
	d->node = pk_calloc((size_t)d->g.node_count + 1, sizeof(*d->node));
	d->cycle_size = pk_calloc((size_t)d->g.cycles + 1, sizeof(*d->cycle_size));
	for (uint32_t i = 0; i < d->g.node_count; i++) {
		d->cycle_size[d->g.node[i].cycle]++;
		if (d->g.node[i].self_ratio > d->largest_self)
			d->largest_self = d->g.node[i].self_ratio;
	}
}

static void note(const struct pk_dot_params *params, uint32_t count, const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	if (!count || !params->note)
		return;
	pk_format_count(&buf, count);
	pk_buf_adds(&buf, text);
	params->note(params->note_data, buf.data);
	pk_buf_release(&buf);
}

static int check_params(const struct pk_dot_params *params, struct pk_error *err)
{
	if (pk_dot_check_format(params->time_format, err))
		return pk_fail_context(err, "--time-format");
	if (!(params->skew > 0))
		return pk_fail(err, PK_EUSAGE, "--skew: '%g' is not above 0", params->skew);
	for (size_t i = 0; i < params->labels.count; i++)
		if (!measures[measure_of(params->labels.item[i])])
			return pk_fail(err, PK_EUSAGE,
				       "--node-label: '%s' is none of self-time, "
				       "self-time-percentage, total-time, total-time-percentage",
				       params->labels.item[i]);
	return 0;
}

static struct pk_callgraph_params graph_params(const struct pk_dot_params *params)
{
	return (struct pk_callgraph_params){
		.node_threshold = params->node_threshold,
		.edge_threshold = params->edge_threshold,
		.limit = params->limit.count,
		.limit_share = params->limit.share,
		.key = (enum pk_callgraph_key)params->limit_by,
		.root = params->root,
		.leaf = params->leaf,
		.depth = params->depth,
		.paths = params->paths.item,
		.path_count = params->paths.count,
		.totals = (enum pk_callgraph_totals)params->totals,
		.residual = params->residual,
	};
}

static int draw(struct drawing *d, struct pk_error *err)
{
	struct pk_callgraph_params selection = graph_params(d->params);

	if (pk_callgraph_init(&d->g, d->p, d->metric, &selection, err))
		return -1;
	prepare(d);
	begin_graph(d);
	if (d->params->legend)
		add_legend(d);
	for (uint32_t i = 0; i < d->g.node_count; i++)
		add_node(d, i);
	for (uint32_t i = 0; i < d->g.edge_count; i++)
		add_edge(d, &d->g.edge[i]);
	note(d->params, d->cut_names, " names are too long for a label, and cut");
	note(d->params, d->g.clamped, " shares outside 0..100% are shown as 0% or 100%");
	free(d->node);
	free(d->cycle_size);
	pk_buf_release(&d->text);
	pk_buf_release(&d->name);
	pk_callgraph_release(&d->g);
	return 0;
}

Agraph_t *pk_dot_graph(const struct pk_profile *p, const struct pk_dot_params *params,
		       struct pk_error *err)
{
	struct drawing d = {
		.p = p,
		.params = params,
		.theme = &pk_dot_themes[params->colormap],
		.metric = params->metric ? params->metric : 1,
	};
	struct pk_profile *split;

	if (check_params(params, err))
		return NULL;
	if (d.metric >= p->metric.count) {
		pk_fail(err, PK_EUSAGE, "a profile without values has no call graph");
		return NULL;
	}
	split = params->names_as_read ? NULL : pk_split_names(p);
	if (split)
		d.p = split;
	draw(&d, err);
	pk_profile_free(split);
	return d.graph;
}
