/* profkit tree: the call tree, from the root or bottom-up. */
#include <stddef.h>

#include "analysis/hotspots/hotspots.h"
#include "analysis/tree.h"
#include "base/num/units.h"
#include "render/tables.h"
#include "tools/like/like.h"
#include "tools/table.h"

enum { LIKE_TREE = 1, LIKE_PEEK, LIKE_TRACES };
static const char *const likes[] = {"profkit", "pprof-tree", "pprof-peek", "pprof-traces", NULL};

struct tree_params {
	struct pk_common common;
	bool bottom_up;
	int by;
	const char *by_label, *match;
	int like;
	double fraction;
	int64_t depth;
};

static bool has_estimates(const struct pk_call_tree *t)
{
	uint32_t i;

	for (i = 0; i < t->count; i++)
		if (t->rows[i].estimated)
			return true;
	return false;
}

static void make_footer(struct pk_buf *footer, const struct pk_call_tree *t)
{
	uint32_t left = t->node_count - t->count;
	double share = pk_share(t->largest_left, pk_whole(t->profile, t->metric, t->total));

	if (left) {
		pk_buf_addf(footer, "… %s more path%s", pk_in_count(left).text,
			    left == 1 ? "" : "s");
		if (!isnan(share))
			pk_buf_addf(footer, " (%s %.1f%%)", left == 1 ? "with" : "each at most",
				    share * 100);
		pk_buf_adds(footer, "; --limit 0 shows all\n");
	}
	if (has_estimates(t))
		pk_buf_adds(footer, "~ estimated: the input knows callers, not call paths\n");
}

static int show(const struct tree_params *o, const struct pk_loaded *loaded,
		const struct pk_call_tree *t, struct pk_error *err)
{
	struct pk_table_frame table = {loaded, t->profile, t->metric, t->total, t->node_count};
	struct pk_grid_frame frame = {
		.schema = "tree", .members = pk_table_members, .data = &table};
	bool people = pk_notation_is_for_people(pk_common_notation(&o->common));
	struct pk_grid grid;

	pk_table_title(&frame.title, &table);
	pk_buf_adds(&frame.title, o->bottom_up ? ", functions and below each its callers\n" : "\n");
	make_footer(&frame.footer, t);
	pk_call_tree_grid(&grid, t, people);
	return pk_show_grid(&o->common, &grid, &frame, err);
}

static int show_loaded(const struct tree_params *o, const struct pk_loaded *loaded,
		       struct pk_error *err)
{
	struct pk_call_tree_options options = {
		.bottom_up = o->bottom_up,
		.by_line = pk_is_by_place(o->common.select.granularity),
		.min_share = o->common.min_share,
		.depth = o->depth,
	};
	struct pk_call_tree tree;
	struct pk_sort sort;
	uint32_t metric;
	int status;

	if (pk_common_metric(&o->common, loaded->one, &metric, err) ||
	    pk_table_sort(&o->common, PK_SORT_TOTAL, &sort, err) ||
	    pk_call_tree_init(&tree, loaded->one, metric, &options, err))
		return -1;
	if (tree.cut)
		pk_note(&o->common, "%u paths too long to reverse: outermost callers left out",
			tree.cut);
	pk_call_tree_arrange(&tree, &sort, (uint32_t)pk_common_rows(&o->common, tree.node_count));
	status = show(o, loaded, &tree, err);
	pk_call_tree_release(&tree);
	return status;
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct tree_params *o = params;
	struct pk_loaded loaded;
	int status;

	if (o->match && o->like != LIKE_PEEK)
		return pk_fail(err, PK_EUSAGE, "--match needs --like pprof-peek");
	if (o->like && (o->bottom_up || o->by || o->by_label || o->depth))
		return pk_fail(err, PK_EUSAGE,
			       "--like %s cannot be combined with --bottom-up, --by, --by-label or "
			       "--depth",
			       likes[o->like]);
	if (o->like) {
		struct pk_pprof_params like = {
			.view = (enum pk_pprof_view)(PK_PPROF_TREE + o->like - LIKE_TREE),
			.match = o->like == LIKE_PEEK && !o->match ? "" : o->match,
			.fraction = o->fraction,
		};

		o->common.read.ordered = o->like == LIKE_TRACES;
		return pk_show_like_pprof(&o->common, &like, argc, argv, err);
	}
	if (o->by != PK_GROUPED_NOT)
		o->common.read.wanted |= PK_PART_THREADS;
	if (pk_load_merged(&o->common, argc, argv, &loaded, err))
		return -1;
	status = pk_loaded_group(&loaded, o->by, o->by_label, err);
	if (!status)
		status = show_loaded(o, &loaded, err);
	pk_loaded_release(&loaded);
	return status;
}

static const struct pk_opt opts[] = {
	{PK_OPT_FLAG, "bottom-up", 'b', offsetof(struct tree_params, bottom_up),
	 .help = "start with each function, with its callers below it"},
	{PK_OPT_CHOICE, "by", 0, offsetof(struct tree_params, by), "WHAT", .choices = pk_groupings,
	 .fallback = "none", .help = "group call paths by process or thread"},
	{PK_OPT_TEXT, "by-label", 0, offsetof(struct tree_params, by_label), "KEY",
	 .help = "group call paths by the values of a label; also --by label:KEY"},
	{PK_OPT_CHOICE, "like", 0, offsetof(struct tree_params, like), "TOOL", .choices = likes,
	 .fallback = "profkit", .help = PK_LIKE_HELP},
	{PK_OPT_TEXT, "match", 0, offsetof(struct tree_params, match), "RE",
	 .help = "with --like pprof-peek: the functions to show, with callers and callees"},
	PK_LIKE_PPROF_OPTION(struct tree_params, fraction),
	{PK_OPT_INT, "depth", 'd', offsetof(struct tree_params, depth), "N", .min = 0, .max = 1e9,
	 .help = "show at most N functions of a path; 0 shows all"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_tree = {
	.name = "tree",
	.group = PK_GROUP_LOOK,
	.title = "show the call tree, top-down or bottom-up",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SORT |
		PK_USE_SHOW | PK_USE_OUTPUT,
	.ignores = PK_PART_ORDER | PK_PART_MARKS | PK_PART_THREADS,
	.opts = opts,
	.sorts = PK_SORT_NAMES,
	.params_size = sizeof(struct tree_params),
	.run = run,
};
