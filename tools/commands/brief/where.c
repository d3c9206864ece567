/* brief: the hottest functions or lines, what calls them, and the hottest path. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lines/lines.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/label.h"
#include "render/lines/grid.h"
#include "render/tables.h"
#include "tools/commands/brief/brief.h"
#include "tools/commands/summary/summary.h"

/* At most ROWS are made, at least LEAST are shown and WORTH made; the budget says how many are
 * shown. */
enum {
	ROWS = 60,
	LEAST = 3,
	WORTH = 6,
	LINES = 10,
	ONLY_LINES = 20,
	WITH_CALLERS = 5,
	CALLERS = 3,
	FRAMES = 9
};

void pk_brief_function(struct pk_buf *buf, const struct pk_profile *p, uint32_t function)
{
	PK_BUF_AUTO label = PK_BUF_INIT;
	size_t start;

	pk_function_label(&label, p, function, PK_LABEL_SHORT);
	pk_buf_addf(buf, "f%u ", function);
	start = buf->len;
	pk_buf_add_visible(buf, label.data ? label.data : "");
	pk_brief_cut_name(buf, start);
}

/* The number of functions with a share worth a row. */
static uint32_t count_rows(const struct pk_hotspots *h)
{
	uint32_t rows = 0;

	while (rows < h->count && rows < ROWS &&
	       (rows < WORTH ||
		pk_share(h->functions.row[h->order[rows]].self, h->functions.total) >= 0.01))
		rows++;
	while (rows > 1 && h->functions.row[h->order[rows - 1]].self == 0)
		rows--;
	return rows;
}

static void add_functions(const struct pk_brief_of *b)
{
	const struct pk_hotspots *h = b->hotspots;
	uint32_t rows = count_rows(h);
	struct pk_grid grid;

	pk_hotspots_grid(&grid, h, rows, true);
	if (b->common->unit)
		grid.show_unit = b->common->unit;
	pk_brief_rows(b->text, &grid, NULL, "functions", LEAST, 1);
	if (grid.rows)
		b->text->part[b->text->count - 1].left_out = h->count - rows;
	pk_grid_release(&grid);
}

/* The hottest lines: of a profile of lines in place of functions. */
static void add_lines(const struct pk_brief_of *b)
{
	const struct pk_lines_options all = {.sort = {.key = {PK_SORT_SELF}, .count = 1}};
	bool instead = pk_summary_of_lines(b->hotspots->profile);
	struct pk_error err = PK_ERROR_INIT;
	struct pk_lines lines;
	struct pk_grid grid;

	if (!pk_has_lines(b->hotspots->profile) ||
	    pk_lines_init(&lines, b->hotspots->profile, b->hotspots->metric, &all, &err))
		return;
	pk_hottest_lines_grid(&grid, &lines, instead ? ONLY_LINES : LINES);
	pk_brief_rows(b->text, &grid, "hottest lines: ", "lines", instead ? LEAST : 2,
		      instead ? 1 : 5);
	if (grid.rows && lines.row_count > grid.rows)
		b->text->part[b->text->count - 1].left_out = lines.row_count - grid.rows;
	pk_grid_release(&grid);
	pk_lines_release(&lines);
}

PK_COMPARE(by_total, struct pk_arc, PK_ORDER(b->total, a->total) ?: PK_ORDER(a->caller, b->caller))

/* A function whose row may not be shown is named. */
static void say_callers(const struct pk_brief_of *b, uint32_t function, bool named,
			struct pk_arc *arc, uint32_t count)
{
	const struct pk_profile *p = b->hotspots->profile;
	PK_BUF_AUTO line = PK_BUF_INIT;
	int64_t sum = 0;

	qsort(arc, count, sizeof(*arc), by_total);
	for (uint32_t i = 0; i < count; i++)
		pk_add_saturated(&sum, arc[i].total);
	if (named)
		pk_brief_function(&line, p, function);
	else
		pk_buf_addf(&line, "f%u", function);
	pk_buf_adds(&line, " is called by ");
	for (uint32_t i = 0; i < count && i < CALLERS; i++) {
		pk_buf_adds(&line, i ? ", " : "");
		pk_brief_function(&line, p, arc[i].caller);
		if (count > 1 && sum > 0)
			pk_buf_addf(&line, " %s%s", arc[i].estimated ? "~" : "",
				    pk_in_percent((double)arc[i].total / (double)sum).text);
	}
	if (count > CALLERS)
		pk_buf_addf(&line, ", and %s more", pk_in_count(count - CALLERS).text);
	pk_brief_line(b->text, line.data, line.len);
}

/* The callers of the hottest functions. */
static void add_callers(const struct pk_brief_of *b)
{
	const struct pk_hotspots *h = b->hotspots;
	struct pk_arcs arcs;
	PK_FREED struct pk_arc *own = NULL;

	pk_arcs_init(&arcs, h->profile, h->metric);
	own = pk_malloc(pk_mul((size_t)arcs.count + 1, sizeof(*own)));
	pk_brief_part(b->text, "called by:", NULL, 3, 3);
	for (uint32_t i = 0; i < WITH_CALLERS && i < h->count; i++) {
		uint32_t function = h->functions.row[h->order[i]].function, count = 0;

		for (uint32_t k = 0; k < arcs.count; k++)
			if (arcs.row[k].callee == function && arcs.row[k].caller)
				own[count++] = arcs.row[k];
		if (count)
			say_callers(b, function, i >= LEAST, own, count);
	}
	pk_arcs_release(&arcs);
}

/* Functions that cost much with what they call, and little themselves. */
static void add_totals(const struct pk_brief_of *b)
{
	enum { MOST = 6 };
	const struct pk_sort by_total_first = {.key = {PK_SORT_TOTAL}, .count = 1};
	const struct pk_hotspots *h = b->hotspots;
	PK_FREED uint32_t *order = pk_malloc(pk_mul((size_t)h->count + 1, sizeof(*order)));
	PK_BUF_AUTO line = PK_BUF_INIT;
	int64_t whole = pk_whole(h->profile, h->metric, h->functions.total);
	double last = 0.995; /* a callee that is nearly the whole says nothing new */
	uint32_t said = 0;

	for (uint32_t i = 0; i < h->count; i++)
		order[i] = h->order[i];
	pk_sort_functions(&by_total_first, h->profile, h->functions.row, order, h->count);
	for (uint32_t i = 0; i < h->count && said < MOST; i++) {
		const struct pk_function_total *f = &h->functions.row[order[i]];
		double total = pk_share(f->total, whole);

		if (total < 0.05 || isnan(total))
			break;
		if (f->self > f->total / 4 || total >= last)
			continue;
		last = 0.98 * total; /* nor does one that only passes a call on */
		pk_buf_adds(&line, said++ ? ", " : "large with what they call (total): ");
		pk_brief_function(&line, h->profile, f->function);
		pk_buf_addf(&line, " %s", pk_in_percent(total).text);
	}
	if (!said)
		return;
	pk_brief_part(b->text, NULL, NULL, 1, 3);
	pk_brief_line(b->text, line.data, line.len);
}

struct nodes {
	uint32_t *node;
	size_t count, alloc;
};

/* Finds the most expensive function that some nodes call: its nodes, and their cost. Paths that
 * differ in lines are one. `sum` has a zero for each function. */
static int64_t go_down(const struct pk_profile *p, const struct pk_tree *tree,
		       const struct nodes *at, struct nodes *below, int64_t *sum)
{
	uint32_t best = 0;
	int64_t cost;

	for (size_t i = 0; i < at->count; i++)
		for (uint32_t k = tree->first[at->node[i]]; k; k = tree->next[k]) {
			uint32_t function = pk_node_function(p, k);

			pk_add_saturated(&sum[function], tree->total[k]);
			if (!best || sum[function] > sum[best])
				best = function;
		}
	cost = sum[best];
	below->count = 0;
	for (size_t i = 0; i < at->count; i++)
		for (uint32_t k = tree->first[at->node[i]]; k; k = tree->next[k]) {
			uint32_t function = pk_node_function(p, k);

			sum[function] = 0;
			if (function != best)
				continue;
			PK_GROW(below->node, below->count + 1, below->alloc);
			below->node[below->count++] = k;
		}
	return cost;
}

struct path {
	struct step {
		uint32_t function;
		size_t calls; /* how often it calls itself, and 1 */
	} * step;
	size_t count, alloc;
	int64_t cost, own; /* of the last function: with what it calls, and without */
};

static void add_step(struct path *path, uint32_t function, int64_t cost)
{
	path->cost = cost;
	if (path->count && path->step[path->count - 1].function == function) {
		path->step[path->count - 1].calls++;
		return;
	}
	PK_GROW(path->step, path->count + 1, path->alloc);
	path->step[path->count++] = (struct step){.function = function, .calls = 1};
}

/* Follows the path from the root down to where no callee has half of the cost any more. */
static void find_path(const struct pk_profile *p, const struct pk_tree *tree, struct path *path)
{
	PK_FREED int64_t *sum = pk_calloc((size_t)p->function.count + 1, sizeof(*sum));
	struct nodes at = {0}, below = {0};
	int64_t cost;

	PK_GROW(at.node, 1, at.alloc);
	at.node[at.count++] = 0;
	while ((cost = go_down(p, tree, &at, &below, sum)) > 0 &&
	       (!path->count || cost >= path->cost / 2)) {
		struct nodes old = at;

		add_step(path, pk_node_function(p, below.node[0]), cost);
		at = below;
		below = old;
	}
	path->own = path->cost;
	for (size_t i = 0; i < at.count; i++)
		for (uint32_t k = tree->first[at.node[i]]; k; k = tree->next[k])
			path->own -= tree->total[k];
	free(at.node);
	free(below.node);
}

/* True if the path leads somewhere: not if all of the cost is spread over the callees of its
 * end. */
static bool is_worth_saying(const struct path *path, int64_t whole)
{
	return path->count > 1 && whole > 0 &&
	       (path->own >= path->cost / 2 || (double)path->cost / (double)whole < 0.995);
}

static void add_path(const struct pk_brief_of *b)
{
	const struct pk_profile *p = b->hotspots->profile;
	PK_BUF_AUTO line = PK_BUF_INIT;
	struct path path = {0};
	struct pk_tree tree;

	if (!pk_has_paths(p) || !pk_metric_adds_up(p, b->hotspots->metric))
		return;
	pk_tree_init(&tree, p, b->hotspots->metric);
	pk_tree_link(&tree, p);
	find_path(p, &tree, &path);
	if (is_worth_saying(&path, tree.total[0])) {
		pk_buf_addf(&line, "hottest path (%s of the whole at its end): ",
			    pk_in_percent((double)path.cost / (double)tree.total[0]).text);
		for (size_t i = 0; i < path.count; i++) {
			pk_buf_adds(&line, i ? " > " : "");
			if (path.count > FRAMES && i == FRAMES / 3) {
				pk_buf_addf(&line, "(%zu more) > ", path.count - FRAMES);
				i += path.count - FRAMES;
			}
			pk_brief_function(&line, p, path.step[i].function);
			if (path.step[i].calls > 1)
				pk_buf_addf(&line, " (%zu calls deep)", path.step[i].calls);
		}
		pk_brief_part(b->text, NULL, NULL, 1, 4);
		pk_brief_line(b->text, line.data, line.len);
	}
	free(path.step);
	pk_tree_release(&tree);
}

void pk_brief_where(const struct pk_brief_of *b)
{
	if (pk_summary_of_lines(b->hotspots->profile)) {
		add_lines(b);
		return;
	}
	add_functions(b);
	add_callers(b);
	add_totals(b);
	add_path(b);
	add_lines(b);
}
