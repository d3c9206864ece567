/* diff --view tree. */
#include "tools/commands/diff/view.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/check/judge.h"
#include "analysis/diff/tree.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/id_map.h"
#include "model/label.h"
#include "render/diff_grid.h"
#include "render/tables.h"

struct view {
	const struct pk_common *c;
	const struct pk_profiles *sides;
	struct pk_profile *one[PK_SIDES]; /* the runs of a side added up */
	uint32_t metric[PK_SIDES], runs[PK_SIDES];
	struct pk_diff_tree tree;
};

static void write_members(struct pk_json_writer *w, void *data)
{
	static const char *const keys[] = {"before", "after"};
	const struct view *v = data;

	pk_write_side_inputs(w, v->sides);
	pk_write_metric(w, v->one[PK_AFTER], v->metric[PK_AFTER]);
	pk_json_put_object(w, "sides");
	for (int s = 0; s < PK_SIDES; s++) {
		pk_json_key(w, keys[s]);
		pk_json_put(w, "{label %s runs %u total %.*jd}", pk_run_name(v->sides[s].item[0]),
			    v->runs[s], v->tree.pair->metric.exponent[1],
			    pk_diff_tree_value(&v->tree, 0, s, false));
	}
	pk_json_end(w);
	pk_json_put_int(w, "rows_total", v->tree.nodes);
}

static void make_title(struct pk_buf *title, const struct view *v)
{
	int64_t before = pk_diff_tree_value(&v->tree, 0, PK_BEFORE, false);
	int64_t after = pk_diff_tree_value(&v->tree, 0, PK_AFTER, false);
	const struct pk_profile *p = v->tree.pair;
	struct pk_unit unit = pk_unit_for_scaled(
		pk_metric_unit(p, 1), before > after ? before : after, p->metric.exponent[1]);

	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_profile *first = v->sides[s].item[0];
		const struct pk_metric_table *metric = &v->one[s]->metric;

		pk_side_title(title, (enum pk_side)s, pk_run_name(first), first, v->runs[s],
			      pk_metric_aggregate(v->one[s], v->metric[s]) == PK_AGGREGATE_MAX
				      ? "largest"
				      : "mean",
			      pk_text(v->one[s], metric->name[v->metric[s]]));
		pk_format_value(title, s == PK_BEFORE ? before : after, &unit);
		pk_buf_addf(title, "%s%s\n", *unit.name ? " " : "", unit.name);
	}
}

/* A key that is the same for the same function in any profile. */
static int64_t identity(const struct pk_profile *p, uint32_t function, struct pk_buf *buf)
{
	uint64_t hash;

	buf->len = 0;
	pk_buf_addf(buf, "%s\n%s\n%u", pk_text(p, p->function.name[function]),
		    pk_text(p, p->function.file[function]), p->function.line[function]);
	hash = pk_hash_fixed(buf->data, buf->len);
	return (int64_t)(hash >> 1);
}

/* Judges the runs, which the tree adds up. Returns, per function of the pair, the change of its
 * self; NULL = not known. d is to be released. */
static const struct pk_change **judge(const struct view *v, const struct pk_opt_list *map,
				      struct pk_diff *d)
{
	const struct pk_profile *pair = v->tree.pair;
	const struct pk_change **judged = pk_calloc(pair->function.count, sizeof(*judged));
	struct pk_diff_options options = {.match = {.map = map}, .metric = v->c->metric};
	struct pk_error ignored = PK_ERROR_INIT;
	struct pk_id_map rows = {0};
	PK_BUF_AUTO buf = PK_BUF_INIT;

	if (pk_diff_init(d, &v->sides[PK_BEFORE], &v->sides[PK_AFTER], &options, &ignored)) {
		memset(d, 0, sizeof(*d));
		return judged;
	}
	pk_diff_judge(d, &pk_judge_defaults);
	pk_diff_find_unrecorded(d);
	for (uint32_t i = 1; i < d->match.count; i++) {
		uint32_t id;
		const struct pk_profile *p = pk_match_profile(&d->match, i, &id);

		pk_id_map_put(&rows, identity(p, id, &buf), i);
	}
	for (uint32_t i = 1; i < pair->function.count; i++) {
		uint32_t row = pk_id_map_get(&rows, identity(pair, i, &buf));

		judged[i] = row ? &d->row[row].change[PK_SELF] : NULL;
	}
	pk_id_map_release(&rows);
	return judged;
}

static int show(struct view *v, const struct pk_opt_list *map, struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "diff.tree", .members = write_members, .data = v};
	bool people = pk_notation_is_for_people(pk_common_notation(v->c));
	const struct pk_change **judged;
	struct pk_diff d;
	struct pk_grid grid;
	int status;

	judged = judge(v, map, &d);
	make_title(&frame.title, v);
	pk_title_filters(&frame.title, v->c);
	if (v->tree.count < v->tree.nodes)
		pk_buf_addf(&frame.footer, "\xE2\x80\xA6 %u more paths; --limit 0 shows all\n",
			    v->tree.nodes - v->tree.count);
	if (!v->tree.nodes)
		pk_buf_adds(&frame.footer, "no path changed by 0.5% of the whole; --min-share says "
					   "otherwise\n");
	pk_diff_tree_grid(&grid, &v->tree, judged, people);
	status = pk_show_grid(v->c, &grid, &frame, err);
	free(judged);
	pk_diff_release(&d);
	return status;
}

static int show_matched(struct view *v, const struct pk_match *m, const struct pk_opt_list *map,
			struct pk_error *err)
{
	double least = v->c->min_share > 0 ? v->c->min_share : 0.005;
	int status;

	if (pk_diff_check_common(m, pk_run_name(v->one[PK_BEFORE]), pk_run_name(v->one[PK_AFTER]),
				 err))
		return -1;
	pk_diff_tree_init(&v->tree, m, v->metric, v->runs, least, pk_common_rows(v->c, UINT32_MAX));
	status = show(v, map, err);
	pk_diff_tree_release(&v->tree);
	return status;
}

static int check(const struct view *v, struct pk_error *err)
{
	for (int s = 0; s < PK_SIDES; s++) {
		const struct pk_profile *p = v->one[s];

		if (!(pk_profile_parts(p) & (PK_PART_PATHS | PK_PART_EDGES)))
			return pk_fail(err, PK_EFORMAT, "'%s' has neither call paths nor callers",
				       pk_run_name(p));
	}
	if (pk_match_paths(v->one[PK_BEFORE], v->one[PK_AFTER], err))
		return -1;
	return pk_match_units(v->one[PK_BEFORE], v->metric[PK_BEFORE], v->one[PK_AFTER],
			      v->metric[PK_AFTER], err);
}

static int match_and_show(struct view *v, const struct pk_opt_list *map, struct pk_error *err)
{
	struct pk_match_options options = {.map = map};
	struct pk_match match;
	int status = pk_match_two(&match, v->one, &options, err);

	if (status)
		return status;
	status = show_matched(v, &match, map, err);
	pk_match_release(&match);
	return status;
}

int pk_show_diff_tree(const struct pk_common *c, const struct pk_opt_list *map,
		      const struct pk_profiles sides[2], struct pk_error *err)
{
	struct view v = {.c = c, .sides = sides};
	int status = 0;

	for (int s = 0; s < PK_SIDES && !status; s++) {
		v.runs[s] = (uint32_t)sides[s].count;
		v.one[s] = sides[s].item[0];
		if (sides[s].count > 1)
			status = pk_merge(&sides[s], &v.one[s], err);
		if (!status)
			status = pk_common_metric(c, v.one[s], &v.metric[s], err);
	}
	for (int s = 0; s < PK_SIDES && !status; s++)
		if (pk_is_part(v.one[s]))
			v.runs[s] = pk_part_runs(v.one[s], v.metric[s]);
	if (!status)
		status = check(&v, err);
	if (!status)
		status = match_and_show(&v, map, err);
	for (int s = 0; s < PK_SIDES; s++) {
		if (v.one[s] && v.one[s] != sides[s].item[0])
			pk_profile_free(v.one[s]);
	}
	return status;
}

enum pk_measure pk_common_measure(const struct pk_common *c, int measure,
				  const struct pk_profile *p, const char **metric)
{
	*metric = c->metric;
	if (*metric && strcmp(*metric, "calls") == 0 && !pk_metric_find(p, "calls")) {
		*metric = NULL;
		return PK_CALLS;
	}
	return (enum pk_measure)measure;
}
