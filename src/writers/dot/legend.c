/* The legend of a call graph: what boxes, arrows and colors mean, and what was left out. */
#include "writers/dot/internal.h"

#include <math.h>
#include <string.h>

#include "base/num/units.h"

void pk_dot_add_value(struct pk_buf *label, const struct pk_profile *p, uint32_t metric,
		      double value)
{
	double base = p->metric.kind[metric] == PK_METRIC_TIME ? value * 1e9 : value;

	if (fabs(base) < 9e18)
		pk_format_value_unit(label, llround(base), pk_metric_unit(p, metric));
	else
		pk_buf_addf(label, "%g", value);
}

static void end_line(struct pk_buf *label)
{
	pk_buf_adds(label, "\\l");
}

static void add_count(struct pk_buf *label, uint32_t count, const char *rest)
{
	pk_format_count(label, count);
	pk_buf_adds(label, rest);
}

static void add_title(struct pk_buf *label, const struct pk_profile *p, const char *title)
{
	if (!title)
		title = pk_basename(pk_text(p, p->run.source[1]));
	pk_dot_add_text(label, title, strlen(title));
	end_line(label);
}

static void add_total(struct pk_buf *label, const struct pk_profile *p, uint32_t metric,
		      const struct pk_callgraph *g)
{
	const char *name = pk_text(p, p->metric.name[metric]);
	size_t len = strlen(name);

	pk_buf_adds(label, g->negative && g->total <= 0 ? "no shares: all adds up to " : "100% = ");
	pk_dot_add_value(label, p, metric, g->total);
	if (*name && strcmp(name, "time") != 0) {
		pk_buf_adds(label, p->metric.kind[metric] == PK_METRIC_COUNT ? " " : " of ");
		/* "1 sample", "2 samples" */
		if (g->total == 1 && p->metric.kind[metric] == PK_METRIC_COUNT && len > 2 &&
		    name[len - 1] == 's' && name[len - 2] != 's')
			len--;
		pk_dot_add_text(label, name, len);
	}
	end_line(label);
}

static void add_left_out(struct pk_buf *label, const struct pk_callgraph *g,
			 const struct pk_dot_params *params)
{
	const char *separator = "left out: ";

	if (g->not_selected) {
		pk_buf_adds(label, separator);
		add_count(label, g->not_selected, " not asked for");
		separator = ", ";
	}
	if (g->below_threshold) {
		pk_buf_adds(label, separator);
		add_count(label, g->below_threshold, " below ");
		pk_buf_addf(label, "%g%%", params->shown.node_threshold * 100);
		separator = ", ";
	}
	if (g->over_limit) {
		pk_buf_adds(label, separator);
		add_count(label, g->over_limit, " beyond the limit");
	}
	if (g->node_count - g->empty_shown < g->functions)
		end_line(label);
}

static void add_counts(struct pk_buf *label, const struct pk_callgraph *g, bool time,
		       const struct pk_dot_params *params)
{
	uint32_t calls = 0;

	for (uint32_t i = 0; i < g->edge_count; i++)
		calls += !g->edge[i].residual;
	add_count(label, g->node_count - g->empty_shown, " of ");
	add_count(label, g->functions, " functions");
	if (!isnan(g->self_shown))
		pk_buf_addf(label, ", with %s of self%s", pk_in_percent(g->self_shown).text,
			    time ? " time" : "");
	end_line(label);
	if (g->empty_shown) {
		add_count(label, g->empty_shown, " more without values of their own");
		end_line(label);
	}
	add_left_out(label, g, params);
	add_count(label, calls, " of ");
	add_count(label, g->calls, " arrows");
	if (g->calls_over_limit)
		pk_buf_adds(label, ", the largest (--arrows 0 draws all)");
	else if (params->shown.edge_threshold > 0 && calls < g->calls)
		pk_buf_addf(label, ", none below %g%%", params->shown.edge_threshold * 100);
	end_line(label);
}

static bool any_edge(const struct pk_callgraph *g, bool residual)
{
	for (uint32_t i = 0; i < g->edge_count; i++)
		if (residual ? g->edge[i].residual : g->edge[i].estimated)
			return true;
	return false;
}

static bool any_node(const struct pk_callgraph *g)
{
	for (uint32_t i = 0; i < g->node_count; i++)
		if (g->node[i].estimated)
			return true;
	return false;
}

/* What boxes and arrows say: shares, if there are some, and numbers of calls, if they are known. */
static void add_meanings(struct pk_buf *label, const struct pk_callgraph *g)
{
	bool counted = false, shares = !isnan(g->self_shown);

	for (uint32_t i = 0; i < g->node_count; i++)
		counted |= g->node[i].calls != PK_NULL;
	if (shares) {
		pk_buf_adds(label, "box: share with all that it calls, (its own share)");
		pk_buf_adds(label, counted ? ", calls\\l" : "\\l");
		pk_buf_adds(label, "arrow: share of the calls from there");
		pk_buf_adds(label, counted ? ", and their number\\l" : "\\l");
	} else if (counted) {
		pk_buf_adds(label, "box, arrow: calls\\l");
	}
}

static void add_marks(struct pk_buf *label, const struct pk_callgraph *g,
		      const struct pk_dot_params *params)
{
	if (!params->labels.count)
		add_meanings(label, g);
	if (pk_dot_themes[params->colormap].words && !isnan(g->self_shown)) {
		pk_buf_addf(label, "color: %s; %s", params->color_by_self ? "own share" : "share",
			    pk_dot_themes[params->colormap].words);
		end_line(label);
	}
	if (g->cycles) {
		pk_buf_addf(label, "double border: functions that call each other (%u %s)",
			    g->cycles, g->cycles == 1 ? "cycle" : "cycles");
		end_line(label);
	}
	if (any_edge(g, false)) {
		pk_buf_adds(label,
			    any_node(g) ? "~, dashed: estimated" : "dashed: share estimated");
		end_line(label);
	}
	if (any_edge(g, true)) {
		pk_buf_adds(label, "dotted: by way of functions left out");
		end_line(label);
	}
}

void pk_dot_add_legend(struct pk_buf *label, const struct pk_profile *p, uint32_t metric,
		       const struct pk_callgraph *g, const struct pk_dot_params *params)
{
	add_title(label, p, params->title);
	add_total(label, p, metric, g);
	add_counts(label, g, p->metric.kind[metric] == PK_METRIC_TIME, params);
	add_marks(label, g, params);
}
