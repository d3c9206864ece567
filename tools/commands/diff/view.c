#include "tools/commands/diff/view.h"

#include <string.h>

#include "analysis/diff/tree.h"
#include "base/num/units.h"
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

static void write_value(struct pk_json_writer *w, const struct view *v, enum pk_side s)
{
	pk_json_decimal(w, pk_diff_tree_value(&v->tree, 0, s, false),
			v->tree.pair->metric.exponent[1]);
}

static void write_members(struct pk_json_writer *w, void *data)
{
	static const char *const keys[] = {"before", "after"};
	const struct view *v = data;

	pk_write_side_inputs(w, v->sides);
	pk_write_metric(w, v->one[PK_AFTER], v->metric[PK_AFTER]);
	pk_json_put_object(w, "sides");
	for (int s = 0; s < PK_SIDES; s++) {
		pk_json_put_flat_object(w, keys[s]);
		pk_json_put_text(w, "label", pk_run_name(v->sides[s].item[0]));
		pk_json_put_int(w, "runs", v->runs[s]);
		pk_json_key(w, "total");
		write_value(w, v, s);
		pk_json_end(w);
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

		pk_buf_addf(title, "%s %s (%s)",
			    s == PK_BEFORE ? "before:" : "after: ", pk_run_name(first),
			    pk_text(first, first->run.format[1]));
		if (v->runs[s] > 1)
			pk_buf_addf(title, " and %u more runs, mean", v->runs[s] - 1);
		pk_buf_addf(title, ": %s ",
			    pk_text(v->one[s], v->one[s]->metric.name[v->metric[s]]));
		pk_format_value(title, s == PK_BEFORE ? before : after, &unit);
		pk_buf_addf(title, "%s%s\n", *unit.name ? " " : "", unit.name);
	}
}

static int show(struct view *v, struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "diff.tree", .members = write_members, .data = v};
	bool people = pk_notation_is_for_people(pk_common_notation(v->c));
	struct pk_grid grid;

	make_title(&frame.title, v);
	if (v->tree.count < v->tree.nodes)
		pk_buf_addf(&frame.footer, "\xE2\x80\xA6 %u more paths; --limit 0 shows all\n",
			    v->tree.nodes - v->tree.count);
	if (!v->tree.nodes)
		pk_buf_adds(&frame.footer,
			    "no path changed by 0.5 % of the whole; --min-share says "
			    "otherwise\n");
	pk_diff_tree_grid(&grid, &v->tree, people);
	return pk_show_grid(v->c, &grid, &frame, err);
}

static int show_matched(struct view *v, const struct pk_match *m, struct pk_error *err)
{
	double least = v->c->min_share > 0 ? v->c->min_share : 0.005;
	int status;

	if (!m->both)
		return pk_fail(err, PK_EFORMAT,
			       "no function of '%s' is in '%s': they are not of one program",
			       pk_run_name(v->one[PK_BEFORE]), pk_run_name(v->one[PK_AFTER]));
	pk_diff_tree_init(&v->tree, m, v->metric, v->runs, least, pk_common_rows(v->c, UINT32_MAX));
	status = show(v, err);
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
	status = show_matched(v, &match, err);
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
