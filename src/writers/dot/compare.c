/* Two call graphs as one drawing: functions and calls of both sides with both numbers, new ones and
 * those that are gone. */
#include "writers/dot/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/words.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/label.h"

/* share of the whole: a smaller change is called neither slower nor faster */
#define LEAST_WORTH_A_WORD 0.01

struct arc { /* a call, by functions of the match */
	uint32_t caller, callee;
	uint32_t place, order; /* the caller's box among all, its own among the calls */
	const struct pk_callgraph_edge *edge;
};

struct graph_side {
	struct pk_callgraph shown, whole;
	const struct pk_callgraph_node **node; /* of whole, by function; NULL */
	struct arc *arc;                       /* of whole, sorted */
};

struct comparing {
	struct pk_drawing d;
	const struct pk_match *match;
	struct graph_side side[PK_SIDES];
	uint32_t *place; /* number of its box among those written, by function; 0 = it has none */
	uint32_t places;
	int digits;  /* decimals of a shown difference: those of the tolerance */
	double most; /* the largest difference of total shares shown */
};

PK_COMPARE(compare_arcs, struct arc,
	   PK_ORDER(a->caller, b->caller) ?: PK_ORDER(a->callee, b->callee))

static uint32_t function_of(const struct comparing *c, enum pk_side s, const struct pk_callgraph *g,
			    uint32_t node)
{
	return c->match->side[s].of_function[0][g->node[node].function];
}

static struct arc *arcs_of(const struct comparing *c, enum pk_side s, const struct pk_callgraph *g,
			   struct arc *arc)
{
	for (uint32_t i = 0; i < g->edge_count; i++)
		arc[i] = (struct arc){.caller = function_of(c, s, g, g->edge[i].caller),
				      .callee = function_of(c, s, g, g->edge[i].callee),
				      .edge = &g->edge[i]};
	return arc;
}

static void init_side(struct comparing *c, enum pk_side s)
{
	struct graph_side *side = &c->side[s];

	side->node = pk_calloc(c->match->count, sizeof(*side->node));
	for (uint32_t i = 0; i < side->whole.node_count; i++)
		side->node[function_of(c, s, &side->whole, i)] = &side->whole.node[i];
	side->arc = arcs_of(c, s, &side->whole,
			    pk_malloc(pk_mul(side->whole.edge_count, sizeof(*side->arc))));
	pk_sort(side->arc, side->whole.edge_count, sizeof(*side->arc), compare_arcs);
}

static const struct pk_callgraph_edge *find_edge(const struct graph_side *side,
						 const struct arc *wanted)
{
	const struct arc *found = side->whole.edge_count
					  ? bsearch(wanted, side->arc, side->whole.edge_count,
						    sizeof(*side->arc), compare_arcs)
					  : NULL;

	return found ? found->edge : NULL;
}

/* A selection that matches nothing on one side leaves that side out. */
static int init_graphs(struct comparing *c, struct pk_error *err)
{
	const struct pk_dot_params *params = c->d.params;
	struct pk_callgraph_params everything = {.depth = -1, .totals = params->shown.totals};
	int failed = 0;

	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_profile *p = c->match->side[s].profile[0];

		if (pk_check_sum(p, params->metrics[s], "call graph", err))
			return -1;
		failed += pk_callgraph_init(&c->side[s].shown, p, params->metrics[s],
					    &params->shown, err) != 0;
		if (pk_callgraph_init(&c->side[s].whole, p, params->metrics[s], &everything, err))
			return -1;
		init_side(c, s);
	}
	return failed == PK_SIDES ? -1 : 0;
}

/* The difference of the totals, as a part of the whole, because shares also change with the rest. A
 * side without the function counts as 0. */
static double difference_of(const struct comparing *c, uint32_t function)
{
	const struct pk_callgraph_node *was = c->side[PK_BEFORE].node[function];
	const struct pk_callgraph_node *is = c->side[PK_AFTER].node[function];
	double most = fmax(c->side[PK_BEFORE].whole.total, c->side[PK_AFTER].whole.total);
	double difference = (is ? is->total : 0) - (was ? was->total : 0);

	return most > 0 ? difference / most : 0;
}

/* True if a difference is shown as one. */
static bool counts(const struct comparing *c, double difference)
{
	const struct pk_dot_params *o = c->d.params;

	return fabs(difference) * 100 >= o->tolerance && !(difference < 0 && o->only_slower) &&
	       !(difference > 0 && o->only_faster);
}

/* "12.34% +1.20%" */
static void add_shares(struct comparing *c, double was, double is, bool self)
{
	double any = isnan(was) ? is : was;
	struct pk_buf *text = &c->d.text;

	if (isnan(any))
		return;
	pk_dot_add_line(&c->d);
	pk_buf_addf(text, self ? "(%.2f%%)" : "%.2f%%", any * 100);
	if (counts(c, is - was))
		pk_buf_addf(text, " %+.*f%%", c->digits, (is - was) * 100);
}

/* "20× → 40×" */
static void add_calls(struct comparing *c, int64_t was, int64_t is)
{
	if (was == PK_NULL && is == PK_NULL)
		return;
	pk_dot_add_line(&c->d);
	if (was == is || was == PK_NULL || is == PK_NULL)
		pk_buf_addf(&c->d.text, "%" PRId64 "\u00d7", was == PK_NULL ? is : was);
	else
		pk_buf_addf(&c->d.text, "%" PRId64 "\u00d7 \u2192 %" PRId64 "\u00d7", was, is);
}

static bool is_time(const struct comparing *c)
{
	return c->d.p->metric.kind[c->d.metric] == PK_METRIC_TIME;
}

static const char *word_for(const struct comparing *c, uint32_t function)
{
	double difference = difference_of(c, function);

	if (!c->side[PK_BEFORE].node[function])
		return "new";
	if (!c->side[PK_AFTER].node[function])
		return "gone";
	if (isnan(difference) || !counts(c, difference) || fabs(difference) < LEAST_WORTH_A_WORD)
		return NULL;
	return pk_direction_word(is_time(c), difference > 0);
}

/* Makes the side that names the function that of d. */
static uint32_t use_side(struct comparing *c, uint32_t function)
{
	uint32_t id;

	c->d.p = pk_match_profile(c->match, function, &id);
	return id;
}

static void label_node(struct comparing *c, uint32_t function)
{
	const struct pk_callgraph_node *was = c->side[PK_BEFORE].node[function];
	const struct pk_callgraph_node *is = c->side[PK_AFTER].node[function];
	const char *word = word_for(c, function);

	pk_dot_begin_text(&c->d);
	pk_dot_name_function(&c->d, use_side(c, function));
	if (c->d.name.len)
		pk_dot_add_name(&c->d);
	add_shares(c, was ? was->total_ratio : NAN, is ? is->total_ratio : NAN, false);
	add_shares(c, was ? was->self_ratio : NAN, is ? is->self_ratio : NAN, true);
	add_calls(c, was ? was->calls : PK_NULL, is ? is->calls : PK_NULL);
	if (word) {
		pk_dot_add_line(&c->d);
		pk_buf_adds(&c->d.text, word);
	}
}

static void add_both(struct comparing *c, const char *what, const double value[PK_SIDES])
{
	for (int s = 0; s < PK_SIDES; s++) {
		if (isnan(value[s]))
			continue;
		pk_buf_addf(&c->d.text, "\\n%s %s: ", what, s == PK_BEFORE ? "before" : "after");
		pk_dot_add_value(&c->d.text, c->match->side[s].profile[0], c->d.params->metrics[s],
				 value[s]);
	}
}

static void describe_node(struct comparing *c, uint32_t function)
{
	const struct pk_callgraph_node *was = c->side[PK_BEFORE].node[function];
	const struct pk_callgraph_node *is = c->side[PK_AFTER].node[function];
	const char *word = word_for(c, function);
	uint32_t id = use_side(c, function);

	pk_dot_begin_text(&c->d);
	pk_dot_add_whole_name(&c->d, id);
	pk_dot_add_place(&c->d, c->d.p->function.file[id], c->d.p->function.line[id]);
	add_both(c, "total", (double[]){was ? was->total : NAN, is ? is->total : NAN});
	add_both(c, "self", (double[]){was ? was->self : NAN, is ? is->self : NAN});
	if (word)
		pk_buf_addf(&c->d.text, "\\n%s", word);
}

static struct pk_rgb mix(uint32_t color, double part)
{
	struct pk_rgb strong = pk_rgb_from(color), paper = {1, 1, 1};

	return (struct pk_rgb){paper.r + (strong.r - paper.r) * part,
			       paper.g + (strong.g - paper.g) * part,
			       paper.b + (strong.b - paper.b) * part};
}

/* Red (or orange, which color-blind readers can tell from blue) for slower, blue for faster; or the
 * colors of the map by the size of the difference. */
static struct pk_rgb color_of(const struct comparing *c, double difference)
{
	enum { RED = 0xE03020, ORANGE = 0xE66101, BLUE = 0x2166AC };
	bool safe = strcmp(c->d.theme->name, "safe") == 0;
	double part = c->most > 0 ? fabs(difference) / c->most : 0;

	if (isnan(difference) || !counts(c, difference))
		part = 0;
	if (c->d.params->color_by_difference)
		return pk_theme_color(c->d.theme, part, c->d.params->skew);
	return mix(difference > 0 ? (safe ? ORANGE : RED) : BLUE, part);
}

static void add_node(struct comparing *c, uint32_t function)
{
	const struct pk_callgraph_node *was = c->side[PK_BEFORE].node[function];
	const struct pk_callgraph_node *is = c->side[PK_AFTER].node[function];
	struct pk_rgb color = color_of(c, difference_of(c, function));

	if (c->place[function])
		return;
	c->place[function] = ++c->places;
	pk_output_printf(c->d.out, "\t%u", function);
	pk_dot_set(&c->d, "color", "black");
	pk_dot_set_color(&c->d, "fillcolor", color);
	pk_dot_set_color(&c->d, "fontcolor", pk_rgb_text_on(color));
	pk_dot_set_number(&c->d, "fontsize", pk_theme_font_size(c->d.theme, 0));
	label_node(c, function);
	pk_dot_set(&c->d, "label", c->d.text.data);
	if (!is)
		pk_dot_set(&c->d, "style", "filled,dashed");
	else if (!was)
		pk_dot_set(&c->d, "penwidth", "3");
	describe_node(c, function);
	pk_dot_set(&c->d, "tooltip", c->d.text.data);
	pk_dot_end_statement(&c->d);
}

static void label_edge(struct comparing *c, const struct pk_callgraph_edge *was,
		       const struct pk_callgraph_edge *is)
{
	pk_dot_begin_text(&c->d);
	if (was && is && !isnan(was->total_ratio) && !isnan(is->total_ratio))
		pk_buf_addf(&c->d.text, "%.2f%% / %.2f%%", was->total_ratio * 100,
			    is->total_ratio * 100);
	else if (!isnan((was ? was : is)->total_ratio))
		pk_buf_addf(&c->d.text, "%.2f%%", (was ? was : is)->total_ratio * 100);
	add_calls(c, was ? was->calls : PK_NULL, is ? is->calls : PK_NULL);
	if (!was || !is) {
		pk_dot_add_line(&c->d);
		pk_buf_adds(&c->d.text, was ? "gone" : "new");
	}
}

static void add_edge(struct comparing *c, const struct arc *arc)
{
	const struct pk_callgraph_edge *was = find_edge(&c->side[PK_BEFORE], arc);
	const struct pk_callgraph_edge *is = find_edge(&c->side[PK_AFTER], arc);
	double weight[] = {was ? pk_callgraph_size(&c->side[PK_BEFORE].shown, was->weight) : 0,
			   is ? pk_callgraph_size(&c->side[PK_AFTER].shown, is->weight) : 0};
	double width = pk_theme_pen_width(c->d.theme, fmax(weight[0], weight[1]));

	if (!was && !is)
		return;
	pk_output_printf(c->d.out, "\t%u -> %u", arc->caller, arc->callee);
	pk_dot_set_number(&c->d, "arrowsize", 0.5 * sqrt(width));
	pk_dot_set_number(&c->d, "fontsize", pk_theme_font_size(c->d.theme, 0));
	label_edge(c, was, is);
	pk_dot_set(&c->d, "label", c->d.text.data);
	pk_dot_set_number(&c->d, "penwidth", width);
	if (!is)
		pk_dot_set(&c->d, "style", "dashed");
	else if (!was)
		pk_dot_set(&c->d, "style", "bold");
	pk_dot_end_statement(&c->d);
}

static void add_legend(struct comparing *c)
{
	bool safe = strcmp(c->d.theme->name, "safe") == 0;

	pk_dot_begin_text(&c->d);
	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_profile *p = c->match->side[s].profile[0];
		const char *name = pk_run_name(p),
			   *other = pk_run_name(c->match->side[!s].profile[0]);

		if (strcmp(pk_basename(name), pk_basename(other)) != 0)
			name = pk_basename(name);
		pk_buf_adds(&c->d.text, s == PK_BEFORE ? "before: " : "after: ");
		pk_dot_add_text(&c->d.text, name, strlen(name));
		pk_buf_adds(&c->d.text, ", ");
		pk_dot_add_value(&c->d.text, p, c->d.params->metrics[s],
				 c->side[s].whole.self_total);
		pk_buf_adds(&c->d.text, "\\l");
	}
	if (c->d.params->color_by_difference)
		pk_buf_adds(&c->d.text, "color: size of the difference\\l");
	else
		pk_buf_addf(&c->d.text, "%s: %s, blue: %s\\l", safe ? "orange" : "red",
			    pk_direction_word(is_time(c), true),
			    pk_direction_word(is_time(c), false));
	pk_buf_adds(&c->d.text, "thick border: new, dashed: gone\\l"
				"box: share before with all that it calls, and its change;\\l"
				"(the same of the function alone); calls before \u2192 after\\l");
	pk_dot_put_legend(&c->d, "black", "");
}

static void find_most(struct comparing *c)
{
	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_callgraph *g = &c->side[s].shown;

		for (uint32_t i = 0; i < g->node_count; i++) {
			double difference = difference_of(c, function_of(c, s, g, i));

			if (!isnan(difference) && counts(c, difference))
				c->most = fmax(c->most, fabs(difference));
		}
	}
}

PK_COMPARE(compare_calls, struct arc, compare_arcs(a, b) ?: PK_ORDER(a->order, b->order))

static int compare_places(const void *va, const void *vb)
{
	const struct arc *a = va, *b = vb;
	int order = PK_ORDER(a->place, b->place);

	return order ? order : PK_ORDER(a->order, b->order);
}

/* The calls of both sides between functions that have boxes: each call once, by the place of the
 * caller's box, those of the side after first. Returns their number. */
static uint32_t list_calls(const struct comparing *c, struct arc *arc)
{
	uint32_t count = 0, kept = 0;

	for (int s = PK_SIDES; s-- > 0;) {
		const struct pk_callgraph *g = &c->side[s].shown;
		struct arc *side = arcs_of(c, s, g, arc + count);

		for (uint32_t i = 0; i < g->edge_count; i++) {
			if (g->edge[i].residual)
				continue;
			arc[count] = side[i];
			arc[count].place = c->place[side[i].caller];
			arc[count].order = count;
			count++;
		}
	}
	qsort(arc, count, sizeof(*arc), compare_calls);
	for (uint32_t i = 0; i < count; i++)
		if (!kept || compare_arcs(&arc[kept - 1], &arc[i]))
			arc[kept++] = arc[i];
	qsort(arc, kept, sizeof(*arc), compare_places);
	return kept;
}

/* The functions after, then those that only the side before shows. */
static void draw(struct comparing *c)
{
	size_t edges = (size_t)c->side[0].shown.edge_count + c->side[1].shown.edge_count;
	struct arc *arc = pk_malloc(pk_mul(edges + 1, sizeof(*arc)));
	uint32_t count;

	find_most(c);
	pk_dot_begin_graph(&c->d, edges);
	if (c->d.params->legend)
		add_legend(c);
	for (int s = PK_SIDES; s-- > 0;) {
		for (uint32_t i = 0; i < c->side[s].shown.node_count; i++)
			add_node(c, function_of(c, s, &c->side[s].shown, i));
	}
	count = list_calls(c, arc);
	for (uint32_t i = 0; i < count; i++)
		add_edge(c, &arc[i]);
	pk_output_puts(c->d.out, "}\n");
	pk_dot_note(&c->d, c->d.cut_names, " names are too long for a label, and cut");
	free(arc);
}

int pk_dot_compare(const struct pk_dot_params *params, struct pk_output *out, struct pk_error *err)
{
	struct comparing c = {
		.d = {.params = params,
		      .theme = &pk_dot_themes[params->colormap],
		      .metric = params->metrics[PK_AFTER],
		      .p = params->match->side[PK_AFTER].profile[0],
		      .out = out},
		.match = params->match,
	};
	int status;

	c.digits = (int)fmin(fmax(-floor(log10(params->tolerance)), 0), 9);
	c.d.background = pk_rgb_from(c.d.theme->background);
	c.place = pk_calloc(c.match->count, sizeof(*c.place));
	status = init_graphs(&c, err);
	if (!status)
		draw(&c);
	for (int s = 0; s < PK_SIDES; s++) {
		pk_callgraph_release(&c.side[s].shown);
		pk_callgraph_release(&c.side[s].whole);
		free(c.side[s].node);
		free(c.side[s].arc);
	}
	pk_buf_release(&c.d.text);
	pk_buf_release(&c.d.name);
	free(c.place);
	return status;
}
