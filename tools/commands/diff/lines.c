/* Lines of two sides: `lines BEFORE -- AFTER` and `diff --view lines`. */
#include "tools/commands/diff/lines.h"

#include "analysis/lines/compare.h"
#include "base/num/units.h"
#include "model/label.h"
#include "render/diff_grid.h"
#include "render/lines/grid.h"
#include "render/tables.h"
#include "tools/table.h"

enum { DEFAULT_GROUPS = 10, NEAR = 10 };

/* One side: its runs as one, and their lines. */
struct side {
	const struct pk_profiles *runs;
	struct pk_profile *one;
	struct pk_lines lines;
};

uint32_t pk_line_groups(const struct pk_common *c, uint32_t groups)
{
	if (c->limit.given)
		return (uint32_t)pk_common_rows(c, groups);
	return pk_notation_is_for_people(pk_common_notation(c)) && groups > DEFAULT_GROUPS
		       ? DEFAULT_GROUPS
		       : groups;
}

void pk_say_more_groups(struct pk_buf *footer, uint32_t left, bool files)
{
	if (left)
		pk_buf_addf(footer, "\xE2\x80\xA6 %s more %s%s; --limit 0 shows all\n",
			    pk_in_count(left).text, files ? "file" : "function",
			    left == 1 ? "" : "s");
}

static int load_side(const struct pk_common *c, const struct pk_profiles *runs,
		     const struct pk_lines_options *options, struct side *side,
		     struct pk_error *err)
{
	uint32_t metric;

	side->runs = runs;
	side->one = runs->item[0];
	if (runs->count > 1 && pk_merge(runs, &side->one, err))
		return -1;
	if (pk_common_metric(c, side->one, &metric, err))
		return -1;
	return pk_lines_init(&side->lines, side->one, metric, options, err);
}

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct side *side = data;
	const struct pk_profiles runs[2] = {*side[PK_BEFORE].runs, *side[PK_AFTER].runs};

	pk_write_side_inputs(w, runs);
	pk_write_metric(w, side[PK_AFTER].one, side[PK_AFTER].lines.metric);
}

static void add_title(struct pk_buf *title, const struct side *s, enum pk_side which)
{
	uint32_t metric = s->lines.metric;

	pk_side_title(title, which, pk_run_name(s->runs->item[0]), s->runs->item[0],
		      (uint32_t)s->runs->count, "added",
		      pk_text(s->one, s->one->metric.name[metric]));
	pk_table_total(title, s->one, metric, s->lines.total);
	pk_buf_addc(title, '\n');
}

static int show(const struct pk_common *c, const struct pk_side_lines *o, struct side side[2],
		struct pk_error *err)
{
	const struct pk_lines lines[2] = {side[PK_BEFORE].lines, side[PK_AFTER].lines};
	const struct pk_lines_diff_options options = {
		.match = {.map = &o->map},
		.folders = {&o->sources[PK_BEFORE], &o->sources[PK_AFTER]}};
	struct pk_grid_frame frame = {.schema = "lines", .members = write_members, .data = side};
	struct pk_lines_view view = {.context = o->context >= 0      ? (uint32_t)o->context
						: lines[PK_AFTER].at ? NEAR
								     : 0};
	struct pk_lines_diff diff;
	struct pk_grid grid;
	uint32_t rows;
	int status;

	if (pk_lines_diff_init(&diff, lines, &options, err))
		return -1;
	rows = pk_line_groups(c, diff.count);
	for (int s = 0; s < PK_SIDES; s++)
		add_title(&frame.title, &side[s], (enum pk_side)s);
	pk_title_filters(&frame.title, c);
	pk_say_more_groups(&frame.footer, diff.count - rows, lines[PK_AFTER].by_file);
	pk_lines_diff_grid(&grid, &diff, rows, &view,
			   pk_notation_is_for_people(pk_common_notation(c)));
	status = pk_show_grid(c, &grid, &frame, err);
	pk_lines_diff_release(&diff);
	return status;
}

/* The target may be new, or gone. */
static int load_both(const struct pk_common *c, const struct pk_side_lines *o,
		     const struct pk_profiles sides[2], struct side side[2], struct pk_error *err)
{
	struct pk_lines_options options = {.sort = {.key = {PK_SORT_SELF}, .count = 1},
					   .target = o->target,
					   .whole_file = true,
					   .may_be_absent = true};

	if (load_side(c, &sides[PK_BEFORE], &options, &side[PK_BEFORE], err))
		return -1;
	options.whole_file = false;
	options.may_be_absent = side[PK_BEFORE].lines.group_count > 0;
	return load_side(c, &sides[PK_AFTER], &options, &side[PK_AFTER], err);
}

int pk_show_side_lines(const struct pk_common *c, const struct pk_side_lines *options,
		       const struct pk_profiles sides[2], struct pk_error *err)
{
	struct side side[2] = {0};
	int status = load_both(c, options, sides, side, err);

	if (!status)
		status = show(c, options, side, err);
	for (int s = 0; s < PK_SIDES; s++) {
		pk_lines_release(&side[s].lines);
		if (side[s].one && side[s].one != sides[s].item[0])
			pk_profile_free(side[s].one);
	}
	return status;
}
