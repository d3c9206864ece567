/*
 * The data of the page: columns of numbers, in which functions are numbers of a table of names.
 *
 *	{"profkit": "0.1.0", "inputs": [{"path": "x.folded", "format": "...", ...}],
 *	 "words": ["x.folded (...): time 3 ms"], "options": "", "files": "x.folded",
 *	 "places": false,
 *	 "metrics": [{"name": "time", "unit": "ns", "exponent": 0, "total": 3000000, ...}],
 *	 "texts": ["", "main", "x.py"],
 *	 "symbols": {"name": [1], "file": [2], "line": [3], "module": [0], "kind": [1]},
 *	 "functions": {"symbol": [0], "metrics": [{"self": [3000000], "total": [3000000], ...}]},
 *	 "calls": [{"count": 1, "left": 0, "caller": [0], "callee": [1], "total": [2000000], ...}],
 *	 "paths": {"depth": [0], "symbol": [0], "metrics": [{"self": [3000000], "rest": [0]}]}, ...}
 *
 * "places": call paths of the profile are told apart by lines, those of the page are not.
 * "shifted": times count from the begin of the first of several files, for --time from that of
 * each. Callers and callees are rows of functions. Paths come in the order of a walk through the
 * tree, callers before callees: the depth tells the caller. The "rest" of a path is the part that
 * is not in the page: its total less its self and the totals of the paths below it that are in the
 * page. A metric with "no_sum" has parts that exceed the whole; with values below 0, it has the
 * "width" of boxes and "whole_width". A column of nothing but zeros is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/tables.h"
#include "writers/report/internal.h"
#include "writers/report/names.h"

/* The values of a function in a metric; NULL if it has none. */
static const struct pk_function_total *total_of(const struct pk_hotspots *h, uint32_t function)
{
	uint32_t row = h->functions.of_function[function];

	if (!row || !pk_function_has_value(h->profile, &h->functions.row[row - 1]))
		return NULL;
	return &h->functions.row[row - 1];
}

static void put_function_metric(struct pk_json_writer *w, const struct pk_report_data *d,
				const struct pk_hotspots *h, uint32_t count)
{
	PK_FREED const struct pk_function_total **row = pk_malloc(pk_mul(count, sizeof(*row)));

	for (uint32_t i = 0; i < count; i++)
		row[i] = total_of(h, d->function[i]);
	pk_json_object(w);
	PK_REPORT_BRIEF_COLUMN(w, "self", count,
			       !row[i] || row[i]->self_unknown ? PK_NULL : row[i]->self);
	PK_REPORT_BRIEF_COLUMN(w, "total", count,
			       !row[i] || row[i]->total_unknown ? PK_NULL : row[i]->total);
	PK_REPORT_BRIEF_COLUMN(w, "calls", count, row[i] ? row[i]->calls : PK_NULL);
	PK_REPORT_BRIEF_COLUMN(w, "primitive", count, row[i] ? row[i]->primitive_calls : PK_NULL);
	PK_REPORT_BRIEF_COLUMN(w, "row", count, row[i] ? 1 + row[i]->estimated : 0); /* 0: none */
	pk_json_end(w);
}

static void put_functions(struct pk_json_writer *w, const struct pk_report_data *d,
			  struct pk_report_names *names, uint32_t limit)
{
	uint32_t count = d->function_count < limit ? d->function_count : limit;
	int64_t left = 0;

	for (uint32_t i = count; i < d->function_count; i++) {
		const struct pk_function_total *f = total_of(&d->hotspots[0], d->function[i]);

		pk_add_saturated(&left, f ? f->self : 0);
	}
	pk_json_put_object(w, "functions");
	pk_json_put(w, "count %jd left %jd left_self %jd", (int64_t)count,
		    (int64_t)d->function_count - count, left);
	PK_REPORT_COLUMN(w, "symbol", count,
			 pk_report_name_function(names, d->report->profile, d->function[i]));
	pk_json_put_array(w, "metrics");
	for (uint32_t m = 0; m < d->metric_count; m++)
		put_function_metric(w, d, &d->hotspots[m], count);
	pk_json_end(w);
	pk_json_end(w);
}

/* Calls between functions of the page; `limit` of them at most, the largest. Columns have a value
 * for each call. */
static void put_arcs(struct pk_json_writer *w, const struct pk_report_data *d, uint32_t m,
		     const struct pk_report_limits *limits)
{
	const struct pk_arcs *arcs = &d->arcs[m];
	uint32_t shown = 0, count = 0, available = d->arc_count[m],
		 most = available < limits->nodes ? available : limits->nodes;
	PK_FREED const struct pk_arc **arc = pk_malloc(pk_mul(most, sizeof(*arc)));

	for (uint32_t i = 0; i < arcs->count; i++) /* a root is no call of a function */
		count += arcs->row[i].caller && arcs->row[i].callee;
	for (uint32_t i = 0; i < available && shown < most; i++) {
		const struct pk_arc *a = &arcs->row[d->arc[m][i] - 1];

		if (a->caller && a->callee && d->row_of[a->caller] < limits->functions &&
		    d->row_of[a->callee] < limits->functions)
			arc[shown++] = a;
	}
	pk_json_object(w);
	pk_json_put(w, "count %jd left %jd", (int64_t)shown, (int64_t)count - shown);
	PK_REPORT_BRIEF_COLUMN(w, "caller", shown, d->row_of[arc[i]->caller]);
	PK_REPORT_BRIEF_COLUMN(w, "callee", shown, d->row_of[arc[i]->callee]);
	PK_REPORT_BRIEF_COLUMN(w, "calls", shown, arc[i]->calls);
	PK_REPORT_BRIEF_COLUMN(w, "self", shown, arc[i]->self);
	PK_REPORT_BRIEF_COLUMN(w, "total", shown, arc[i]->total);
	PK_REPORT_BRIEF_COLUMN(w, "estimated", shown, arc[i]->estimated);
	pk_json_end(w);
}

/* The paths of the page in the order of a walk. */
struct walk {
	uint32_t *place, *depth, count, deepest;
};

/* The first `count` places, in the order of the profile. */
static int64_t *in_order(const struct pk_report_data *d, uint32_t count)
{
	enum { PLACE_BITS = 16 };
	int64_t *order = pk_malloc(pk_mul(count, sizeof(*order)));

	_Static_assert(PK_REPORT_NODES < 1 << PLACE_BITS, "a place has more bits");
	for (uint32_t i = 0; i < count; i++)
		order[i] = (int64_t)d->node[i] << PLACE_BITS | (i + 1);
	pk_sort_ints_from(order, count, PLACE_BITS);
	for (uint32_t i = 0; i < count; i++)
		order[i] &= (1 << PLACE_BITS) - 1;
	return order;
}

/* Siblings in the order of the profile. */
static void walk_init(struct walk *walk, const struct pk_report_data *d, uint32_t count)
{
	PK_FREED int64_t *order = in_order(d, count);
	PK_FREED uint32_t *first = pk_calloc((size_t)count + 1, sizeof(*first));
	PK_FREED uint32_t *next = pk_calloc((size_t)count + 1, sizeof(*next));
	uint32_t depth = 0, place;

	for (uint32_t i = count; i-- > 0;) {
		place = (uint32_t)order[i];
		next[place] = first[d->caller[place]];
		first[d->caller[place]] = place;
	}
	walk->place = pk_malloc(pk_mul(count, sizeof(*walk->place)));
	walk->depth = pk_malloc(pk_mul(count, sizeof(*walk->depth)));
	walk->count = walk->deepest = 0;
	place = first[0];
	while (place) {
		walk->place[walk->count] = place;
		walk->depth[walk->count++] = depth;
		walk->deepest = depth > walk->deepest ? depth : walk->deepest;
		if (first[place]) {
			place = first[place];
			depth++;
			continue;
		}
		for (; place && !next[place]; depth--)
			place = d->caller[place];
		place = next[place];
	}
}

static void put_path_metric(struct pk_json_writer *w, const struct pk_report_data *d, uint32_t m,
			    const struct walk *walk)
{
	const struct pk_report_values *v = &d->value[m];
	/* by depth: the totals of the paths below the one that comes next, negative */
	PK_FREED int64_t *below = pk_calloc((size_t)walk->deepest + 2, sizeof(*below));
	PK_FREED int64_t *rest = pk_malloc(pk_mul(walk->count, sizeof(*rest)));
	const uint32_t *place = walk->place;

	for (uint32_t i = walk->count; i-- > 0;) {
		uint32_t depth = walk->depth[i];

		pk_add_saturated(&below[depth + 1], v->total[place[i]]);
		pk_add_saturated(&below[depth + 1], -v->self[place[i]]);
		rest[i] = below[depth + 1];
		below[depth + 1] = 0;
		pk_add_saturated(&below[depth], -v->total[place[i]]);
	}
	pk_json_object(w);
	pk_json_put_int(w, "total", v->total[0]);
	if (d->no_sum[m])
		pk_json_put(w, "no_sum %d", true);
	if (v->width)
		pk_json_put_int(w, "whole_width", v->width[0]);
	PK_REPORT_BRIEF_COLUMN(w, "self", walk->count, v->self[place[i]]);
	PK_REPORT_BRIEF_COLUMN(w, "rest", walk->count, rest[i]);
	if (v->width)
		PK_REPORT_BRIEF_COLUMN(w, "width", walk->count, v->width[place[i]]);
	if (v->calls)
		PK_REPORT_BRIEF_COLUMN(w, "calls", walk->count, v->calls[place[i]]);
	pk_json_end(w);
}

void pk_report_put_paths(struct pk_json_writer *w, const struct pk_report_data *d,
			 struct pk_report_names *names, uint32_t limit)
{
	const struct pk_profile *p = d->calls.profile;
	uint32_t count = d->node_count < limit ? d->node_count : limit;
	struct walk walk;

	walk_init(&walk, d, count);
#define NODE(i) d->node[walk.place[i] - 1]
	pk_json_put_object(w, "paths");
	pk_json_put(w, "count %jd left %jd", (int64_t)count, (int64_t)d->node_total - count);
	PK_REPORT_COLUMN(w, "symbol", count,
			 pk_report_name_function(names, p, pk_node_function(p, NODE(i))));
	PK_REPORT_BRIEF_COLUMN(w, "depth", count, walk.depth[i]);
	PK_REPORT_BRIEF_COLUMN(w, "estimated", count, pk_node_estimated(p, NODE(i)));
#undef NODE
	pk_json_put_array(w, "metrics");
	for (uint32_t m = 0; m < d->metric_count; m++)
		put_path_metric(w, d, m, &walk);
	pk_json_end(w);
	pk_report_put_split(w, d->split, d->metric_count, walk.place, walk.count, limit);
	pk_json_end(w);
	free(walk.place);
	free(walk.depth);
}

static void put_metrics(struct pk_json_writer *w, const struct pk_report_data *d)
{
	const struct pk_profile *p = d->report->profile;

	pk_json_put_array(w, "metrics");
	for (uint32_t i = 0; i < d->metric_count; i++) {
		uint32_t m = d->metric[i];

		pk_json_object(w);
		pk_json_put(w, "name %s unit %s exponent %u", pk_text(p, p->metric.name[m]),
			    pk_metric_unit(p, m), (unsigned)p->metric.exponent[m]);
		pk_json_put_text(w, "kind", pk_metric_kinds[p->metric.kind[m]]);
		pk_json_put_text(w, "exactness", pk_exactness_names[p->metric.exactness[m]]);
		pk_json_put_text(w, "aggregate", pk_aggregates[pk_metric_aggregate(p, m)]);
		pk_json_put(w, "speed %d total %jd", pk_has_speed(p, m),
			    d->hotspots[i].functions.total);
		pk_json_end(w);
	}
	pk_json_end(w);
	pk_json_put_int(w, "metrics_left", d->metrics_left);
}

static void put_inputs(struct pk_json_writer *w, const char *key, const struct pk_profiles *runs,
		       const struct pk_report_file *file)
{
	pk_json_put_array(w, key);
	for (size_t i = 0; i < runs->count; i++) {
		const struct pk_profile *p = runs->item[i];

		pk_json_put(w, "{path %s format %s producer %s size %jd crc %jd}",
			    pk_text(p, p->run.source[1]), pk_text(p, p->run.format[1]),
			    pk_text(p, p->run.producer[1]), file[i].size, (int64_t)file[i].crc);
	}
	pk_json_end(w);
}

/* True if times of some file were shifted to the begin of another one. */
static bool is_shifted(const struct pk_report *r)
{
	int64_t start = r->profile->run.start[1];
	bool shifted = false;

	for (size_t i = 0; start != PK_NULL && i < r->runs->count; i++)
		shifted |= r->runs->item[i]->run.start[1] != start;
	return shifted;
}

static void put_origin(struct pk_json_writer *w, const struct pk_report *r)
{
	put_inputs(w, "inputs", r->runs, r->file);
	if (r->comparison)
		put_inputs(w, "inputs_before", r->comparison->before, r->comparison->file);
	pk_json_put(w, "options %s files %s places %d", r->options, r->files,
		    r->profile->location.line != NULL);
	if (is_shifted(r))
		pk_json_put(w, "shifted %d", true);
	pk_json_put_array(w, "words");
	for (const char *line = r->words; *line; line += strcspn(line, "\n") + 1) {
		size_t len = strcspn(line, "\n");

		pk_json_text_len(w, line, len);
		if (!line[len])
			break;
	}
	pk_json_end(w);
}

void pk_report_json(struct pk_buf *json, const struct pk_report_data *d,
		    const struct pk_report_limits *limits)
{
	struct pk_output *out = pk_output_to_buf(json);
	struct pk_error err = PK_ERROR_INIT;
	struct pk_report_names names = {0};
	struct pk_json_writer w;

	pk_report_name_text(&names, d->report->profile, 0);
	pk_json_init(&w, out, 0);
	pk_json_object(&w);
	pk_json_put_text(&w, "profkit", d->report->version);
	put_origin(&w, d->report);
	put_metrics(&w, d);
	put_functions(&w, d, &names, limits->functions);
	pk_json_put_array(&w, "calls");
	for (uint32_t m = 0; m < d->metric_count; m++)
		put_arcs(&w, d, m, limits);
	pk_json_end(&w);
	if (d->has_tree)
		pk_report_put_paths(&w, d, &names, limits->nodes);
	pk_report_put_comparison(&w, d, &names, limits);
	pk_report_parts_json(&w, d->parts, &names, limits);
	pk_report_put_names(&w, &names);
	pk_json_end(&w);
	pk_output_commit(out, &err); /* to memory: it does not fail */
	pk_report_names_release(&names);
}
