/*
 * Makes the profile of a flame graph whose boxes have callers and counts, for build.c: call paths,
 * costs, the unit, and what the picture says of itself.
 *
 *	main (200 samples, 66.67%) below work (150 samples, 50%)      main: 50 samples of its own
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/frame_text.h"
#include "readers/flamegraph_svg/internal.h"

struct unit {
	const char *text, *name, *unit;
	int64_t scale;
	enum pk_metric_kind kind;
};

static const struct unit units[] = {
	{"samples", "samples", "count", 1, PK_METRIC_COUNT},
	{"ns", "time", "ns", 1, PK_METRIC_TIME},
	{"nanoseconds", "time", "ns", 1, PK_METRIC_TIME},
	{"us", "time", "ns", 1000, PK_METRIC_TIME},
	{"usec", "time", "ns", 1000, PK_METRIC_TIME},
	{"μs", "time", "ns", 1000, PK_METRIC_TIME}, /* the letter mu */
	{"µs", "time", "ns", 1000, PK_METRIC_TIME}, /* the micro sign */
	{"microseconds", "time", "ns", 1000, PK_METRIC_TIME},
	{"ms", "time", "ns", 1000000, PK_METRIC_TIME},
	{"milliseconds", "time", "ns", 1000000, PK_METRIC_TIME},
	{"s", "time", "ns", 1000000000, PK_METRIC_TIME},
	{"seconds", "time", "ns", 1000000000, PK_METRIC_TIME},
	{"bytes", "memory", "bytes", 1, PK_METRIC_BYTES},
};

static void make_metrics(struct svg_build *r)
{
	PK_FREED char *text = pk_strndup(r->unit ? r->unit : "samples", r->unit ? r->unit_len : 7);
	struct unit unit = {NULL, text, "count", 1, PK_METRIC_COUNT};
	enum pk_exactness exactness = r->rounded || r->overfull ? PK_ROUNDED : PK_SAMPLED;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(text, units[i].text))
			unit = units[i];
	r->scale = unit.scale;
	r->metric = pk_build_metric(r->b, unit.name, unit.unit, r->decimals, unit.kind, exactness);
	if (r->compared)
		r->delta = pk_build_metric(r->b, "delta", unit.unit, r->decimals, unit.kind,
					   PK_ROUNDED);
}

static int64_t scaled(const struct svg_build *r, int64_t value)
{
	int64_t result;

	if (__builtin_mul_overflow(value, r->scale, &result))
		return value < 0 ? -INT64_MAX : INT64_MAX;
	return result;
}

static void cost_box(struct svg_build *r, const struct svg_box *box)
{
	int64_t own = box->weight - box->children;

	if (own > 0)
		pk_build_cost(r->b, 0, box->node, r->metric, scaled(r, own), PK_NULL);
	if (box->change)
		pk_build_cost(
			r->b, 0, box->node, r->delta,
			scaled(r, llround((double)box->change * (double)r->root->weight / 10000)),
			PK_NULL);
}

/* In profkit's own pictures the change of a frame includes its callees: leaves only its own. */
static void own_changes(struct svg_build *r)
{
	if (!r->picture->producer || strcmp(r->picture->producer, "profkit") != 0)
		return;
	for (size_t i = 1; i < r->boxes; i++) {
		const struct svg_box *box = &r->box[r->order[i]];

		/* Rows nearer to the root come first: the whole change of the parent was used. */
		r->box[box->parent].change -= box->change;
	}
	r->root->change = 0;
}

static bool by_py_spy(const struct svg_build *r)
{
	const char *title = r->picture->title;
	const char *record = title ? strstr(title, "py-spy record ") : NULL;

	return record && (record == title || record[-1] == '/');
}

/* py-spy's names are "function (file:line)", those of processes and threads apart. */
static uint32_t location_of(struct svg_build *r, const struct svg_box *box, bool split)
{
	struct pk_frame_text text;
	struct pk_function function;

	if (!split || !pk_frame_text_place(box->name, box->name_len, &text))
		return pk_build_label(r->b, box->name, box->name_len);
	function = pk_frame_text_function(r->b, &text);
	return pk_build_place(r->b, pk_build_function(r->b, &function), text.line);
}

static void build_nodes(struct svg_build *r)
{
	bool drop = flamegraph_svg_called_all(r->root), split = by_py_spy(r);
	for (size_t i = 0; i < r->boxes; i++) {
		struct svg_box *box = &r->box[r->order[i]];
		const struct svg_box *parent = &r->box[box->parent];

		r->overfull += box->children > box->weight;
		if (box == r->root && drop)
			continue;
		box->location = location_of(r, box, split);
		box->node = pk_build_node(r->b, box == r->root ? 0 : parent->node, box->location);
		if (box->estimated)
			pk_build_node_estimated(r->b, box->node);
	}
}

/* Gives the root the value that no box on it has, or that --total asked for. */
static void cost_root(struct svg_build *r)
{
	static const char label[] = "[not drawn]";

	if (!r->root->node && r->root->weight > r->root->children)
		r->root->node = pk_build_node(r->b, 0, pk_build_label(r->b, label, strlen(label)));
	if (r->root->node)
		cost_box(r, r->root);
}

/* Boxes of one path: parted by time in a chart, or by the order of lines in flamegraph.pl. */
static void count_merged(struct svg_build *r)
{
	PK_FREED uint32_t *node = pk_malloc(pk_mul(r->boxes, sizeof(*node)));

	for (size_t i = 0; i < r->boxes; i++)
		node[i] = r->box[i].node;
	qsort(node, r->boxes, sizeof(*node), pk_compare_ids);
	for (size_t i = 1; i < r->boxes; i++)
		r->merged += node[i] && node[i] == node[i - 1];
}

static void say(struct svg_build *r, const char *key, int64_t count, const char *what)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (count) {
		pk_format_count(&text, count);
		pk_buf_adds(&text, " of ");
		pk_format_count(&text, (int64_t)r->boxes);
		pk_buf_addf(&text, " boxes: %s", what);
		pk_build_meta(r->b, key, text.data);
	}
}

/* py-spy draws with inferno; its title is its command line, the program's after "--". */
static void say_producer(struct svg_build *r)
{
	const char *producer = r->picture->producer;
	const char *command = by_py_spy(r) ? strstr(r->picture->title, " -- ") : NULL;

	/* flamegraph.pl writes places in px with a point. */
	if (!producer)
		producer = r->tolerance > 1 ? "inferno" : "flamegraph.pl";
	if (by_py_spy(r))
		producer = "py-spy";
	pk_build_run_text(r->b, PK_RUN_PRODUCER, producer);
	if (command)
		pk_build_run_text(r->b, PK_RUN_COMMAND, command + 4);
}

static void say_all(struct svg_build *r)
{
	say_producer(r);
	if (r->picture->title)
		pk_build_meta(r->b, "flamegraph.title", r->picture->title);
	if (r->picture->subtitle)
		pk_build_meta(r->b, "flamegraph.subtitle", r->picture->subtitle);
	if (r->picture->notes)
		pk_build_meta(r->b, "flamegraph.notes", r->picture->notes);
	pk_build_meta(r->b, "flamegraph.self", "includes calls too thin to be drawn");
	say(r, "flamegraph.merged", r->merged, "added to another one of the same path");
	say(r, "flamegraph.uncounted", r->uncounted,
	    "no count in the title, measured by the width");
	say(r, "flamegraph.rounded", r->overfull,
	    "smaller than the sum of those on it, by rounding");
}

void flamegraph_svg_cost(struct svg_build *r)
{
	build_nodes(r);
	make_metrics(r);
	own_changes(r);
	for (size_t i = 1; i < r->boxes; i++)
		cost_box(r, &r->box[r->order[i]]);
	cost_root(r);
	count_merged(r);
	say_all(r);
}
