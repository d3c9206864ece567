/* The drawing of one call graph: labels, colors, tooltips, the legend. */
#include "writers/dot/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/function_name.h"
#include "analysis/split_names.h"
#include "base/alloc.h"
#include "base/num/units.h"

enum measure { SELF_TIME, SELF_SHARE, TOTAL_TIME, TOTAL_SHARE };
static const char *const measures[] = {"self-time", "self-time-percentage", "total-time",
				       "total-time-percentage", NULL};

static void add_calls(struct pk_drawing *d, int64_t calls)
{
	if (calls == PK_NULL)
		return;
	pk_dot_add_line(d);
	pk_buf_addf(&d->text, "%" PRId64 "\u00d7", calls);
}

static void add_measure(struct pk_drawing *d, const struct pk_callgraph_node *n, int measure)
{
	bool self = measure == SELF_TIME || measure == SELF_SHARE;
	bool share = measure == SELF_SHARE || measure == TOTAL_SHARE;
	double value =
		share ? (self ? n->self_ratio : n->total_ratio) : (self ? n->self : n->total);

	if (isnan(value))
		return;
	pk_dot_add_line(d);
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

static void label_node(struct pk_drawing *d, const struct pk_callgraph_node *n)
{
	const struct pk_opt_list *labels = &d->params->labels;
	const char *module = pk_basename(pk_text(d->p, d->p->function.module[n->function]));

	pk_dot_begin_text(d);
	if (*module && !d->p->function.file[n->function]) {
		pk_dot_add_text(&d->text, module, strlen(module));
		pk_dot_add_line(d);
	}
	pk_dot_name_function(d, n->function);
	if (d->name.len)
		pk_dot_add_name(d);
	else
		pk_buf_addc(&d->text, ' '); /* a line of its own in any case */
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

static void add_share(struct pk_drawing *d, const char *what, double value, double ratio)
{
	if (isnan(value))
		return;
	pk_buf_addf(&d->text, "\\n%s", what);
	pk_dot_add_value(&d->text, d->p, d->metric, value);
	if (!isnan(ratio))
		pk_buf_addf(&d->text, " (%.2f%%)", ratio * 100);
}

static void add_call_count(struct pk_drawing *d, int64_t calls)
{
	if (calls == PK_NULL)
		return;
	pk_buf_adds(&d->text, "\\n");
	pk_format_count(&d->text, calls);
	pk_buf_adds(&d->text, calls == 1 ? " call" : " calls");
}

static void describe_node(struct pk_drawing *d, const struct pk_callgraph_node *n)
{
	const struct pk_function_table *t = &d->p->function;

	pk_dot_begin_text(d);
	pk_dot_add_whole_name(d, n->function);
	pk_dot_add_place(d, t->file[n->function] ? t->file[n->function] : t->module[n->function],
			 t->line[n->function]);
	add_share(d, n->estimated ? "total about " : "total ", n->total, n->total_ratio);
	add_share(d, n->estimated ? "self about " : "self ", n->self, n->self_ratio);
	add_call_count(d, n->calls);
	if (n->cycle)
		pk_buf_addf(&d->text, "\\nin cycle %u (%u functions shown)", n->cycle,
			    d->cycle_size[n->cycle]);
}

static double node_weight(const struct pk_drawing *d, const struct pk_callgraph_node *n)
{
	if (!d->params->color_by_self || !(d->largest_self > 0))
		return pk_callgraph_size(&d->g, n->total_ratio);
	return fmax(0, n->self_ratio / d->largest_self); /* 0 if that is not known */
}

static void add_node(struct pk_drawing *d, const struct pk_callgraph_node *n)
{
	double weight = node_weight(d, n);
	struct pk_rgb color = pk_theme_color(d->theme, weight, d->params->skew);

	pk_output_printf(d->out, "\t%u", n->function);
	pk_dot_set_color(d, "color", color);
	pk_dot_set_color(d, "fontcolor", d->theme->filled ? pk_rgb_text_on(color) : color);
	pk_dot_set_number(d, "fontsize", pk_theme_font_size(d->theme, weight));
	label_node(d, n);
	pk_dot_set(d, "label", d->text.data);
	if (n->cycle)
		pk_dot_set(d, "peripheries", "2");
	describe_node(d, n);
	pk_dot_set(d, "tooltip", d->text.data);
	pk_dot_end_statement(d);
}

static void label_edge(struct pk_drawing *d, const struct pk_callgraph_edge *e)
{
	pk_dot_begin_text(d);
	if (!isnan(e->total_ratio))
		pk_buf_addf(&d->text, "%.2f%%", e->total_ratio * 100);
	add_calls(d, e->calls);
}

static void describe_edge(struct pk_drawing *d, const struct pk_callgraph_edge *e)
{
	pk_dot_begin_text(d);
	pk_dot_add_whole_name(d, d->g.node[e->caller].function);
	pk_buf_adds(&d->text, e->residual ? "\\n... " : "\\n-> ");
	pk_dot_add_whole_name(d, d->g.node[e->callee].function);
	add_share(d, e->estimated ? "about " : "", e->total, e->total_ratio);
	add_call_count(d, e->calls);
}

static void add_edge(struct pk_drawing *d, const struct pk_callgraph_edge *e)
{
	double weight = pk_callgraph_size(&d->g, e->weight);
	struct pk_rgb color = pk_theme_color(d->theme, weight, d->params->skew);
	double width = pk_theme_pen_width(d->theme, weight);

	pk_output_printf(d->out, "\t%u -> %u", d->g.node[e->caller].function,
			 d->g.node[e->callee].function);
	pk_dot_set_number(d, "arrowsize", 0.5 * sqrt(width));
	if (d->theme->stops)
		color = pk_rgb_readable(color, d->background, 2);
	pk_dot_set_color(d, "color", color);
	pk_dot_set_color(d, "fontcolor", pk_rgb_readable(color, d->background, 4.5));
	pk_dot_set_number(d, "fontsize", pk_theme_font_size(d->theme, weight));
	label_edge(d, e);
	pk_dot_set(d, "label", d->text.data);
	pk_dot_set_number(d, "labeldistance", width);
	describe_edge(d, e);
	pk_dot_set(d, "labeltooltip", d->text.data);
	pk_dot_set_number(d, "penwidth", width);
	if (e->residual || e->estimated)
		pk_dot_set(d, "style", e->residual ? "dotted" : "dashed");
	pk_dot_set(d, "tooltip", d->text.data);
	pk_dot_end_statement(d);
}

static void add_legend(struct pk_drawing *d)
{
	char color[8];

	pk_rgb_format(pk_rgb_from(d->theme->text), color);
	pk_dot_begin_text(d);
	pk_dot_add_legend(&d->text, d->p, d->metric, &d->g, d->params);
	pk_dot_put_legend(d, color, color);
}

static void prepare(struct pk_drawing *d)
{
	d->background = pk_rgb_from(d->theme->background);
	d->cycle_size = pk_calloc((size_t)d->g.cycles + 1, sizeof(*d->cycle_size));
	for (uint32_t i = 0; i < d->g.node_count; i++) {
		d->cycle_size[d->g.node[i].cycle]++;
		if (d->g.node[i].self_ratio > d->largest_self)
			d->largest_self = d->g.node[i].self_ratio;
	}
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
				       "--node-label: '%s' is not one of self-time, "
				       "self-time-percentage, total-time, total-time-percentage",
				       params->labels.item[i]);
	return 0;
}

static void note_small(const struct pk_drawing *d, uint32_t count, const char *what,
		       double threshold)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, " %s%s too small to show (less than %g%%)", what, count == 1 ? "" : "s",
		    threshold * 100);
	pk_dot_note(d, count, text.data);
}

static void note_beyond(const struct pk_drawing *d, uint32_t count, const char *what)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_addf(&text, " %s%s beyond the limit", what, count == 1 ? "" : "s");
	pk_dot_note(d, count, text.data);
}

/* Who draws looks at the legend; a conversion says it. */
static void note_left_out(const struct pk_drawing *d)
{
	const struct pk_callgraph *g = &d->g;

	if (d->params->note)
		return;
	note_small(d, g->below_threshold, "function", d->params->shown.node_threshold);
	note_beyond(d, g->over_limit, "function");
	note_small(d, g->calls_below_threshold, "arrow", d->params->shown.edge_threshold);
	note_beyond(d, g->calls_over_limit, "arrow");
}

static int draw(struct pk_drawing *d, struct pk_error *err)
{
	if (pk_callgraph_init(&d->g, d->p, d->metric, &d->params->shown, err))
		return -1;
	prepare(d);
	pk_dot_begin_graph(d, d->g.edge_count);
	if (d->params->legend)
		add_legend(d);
	for (uint32_t i = 0; i < d->g.node_count; i++)
		add_node(d, &d->g.node[i]);
	for (uint32_t i = 0; i < d->g.edge_count; i++)
		add_edge(d, &d->g.edge[i]);
	pk_output_puts(d->out, "}\n");
	note_left_out(d);
	pk_dot_note(d, d->cut_names, " names are too long for a label, and cut");
	pk_dot_note(d, d->g.clamped, " shares outside 0..100% are shown as 0% or 100%");
	free(d->cycle_size);
	pk_buf_release(&d->text);
	pk_buf_release(&d->name);
	pk_callgraph_release(&d->g);
	return 0;
}

int pk_dot_write(const struct pk_profile *p, const struct pk_dot_params *params,
		 struct pk_output *out, struct pk_error *err)
{
	struct pk_drawing d = {
		.p = p,
		.params = params,
		.theme = &pk_dot_themes[params->colormap],
		.metric = params->metric ? params->metric : 1,
		.out = out,
	};
	struct pk_profile *split;
	int status;

	if (check_params(params, err))
		return -1;
	if (params->match)
		return pk_dot_compare(params, out, err);
	if (d.metric >= p->metric.count)
		return pk_fail(err, PK_EUSAGE, "a profile without values has no call graph");
	if (pk_check_sum(p, d.metric, "call graph", err))
		return -1;
	split = params->names_as_read ? NULL : pk_split_names(p);
	if (split)
		d.p = split;
	status = draw(&d, err);
	pk_profile_free(split);
	return status;
}
