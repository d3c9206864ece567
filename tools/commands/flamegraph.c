/* profkit flamegraph: one profile, or the difference of two, as SVG. */
#include <stddef.h>
#include <stdlib.h>

#include "analysis/match/match.h"
#include "base/alloc.h"
#include "model/label.h"
#include "tools/command.h"
#include "tools/picture.h"
#include "writers/flamegraph/flamegraph.h"

struct params {
	struct pk_common common;
	struct pk_flamegraph_params flame;
	const char *diff;
	int by;
	const char *by_label;
	struct pk_opt_list map;
};

#define AT(member) (offsetof(struct params, flame) + offsetof(struct pk_flamegraph_params, member))

static int fail(const struct params *params, const struct pk_error *err)
{
	return pk_draw_fail(&params->common, (double)params->flame.width, params->flame.fontsize,
			    "ERROR: No valid input provided to flamegraph.", err);
}

static int check_paths(const struct pk_profile *p, struct pk_error *err)
{
	if (pk_profile_parts(p) & (PK_PART_PATHS | PK_PART_EDGES))
		return 0;
	return pk_fail(err, PK_EFORMAT, "there is nothing to draw: no stacks");
}

static int draw_matched(struct params *params, const struct pk_match *m, const uint32_t metric[2],
			struct pk_error *err)
{
	struct pk_profile *made[PK_SIDES];
	const struct pk_profile *was = pk_with_paths(m->side[PK_BEFORE].profile[0], &made[0]);
	const struct pk_profile *is = pk_with_paths(m->side[PK_AFTER].profile[0], &made[1]);
	PK_FREED uint32_t *as_after = pk_match_functions_after(m);
	const uint32_t runs[] = {pk_part_runs(m->side[PK_BEFORE].profile[0], metric[PK_BEFORE]),
				 pk_part_runs(m->side[PK_AFTER].profile[0], metric[PK_AFTER])};
	struct pk_profile *pair = pk_pair(was, metric[PK_BEFORE], is, metric[PK_AFTER], as_after,
					  runs[0] > 1 || runs[1] > 1 ? runs : NULL);
	int status;

	if (!m->both)
		pk_note(&params->common, "no function of '%s' is in '%s'", pk_run_name(was),
			pk_run_name(is));
	params->flame.before_name = pk_run_name(was);
	params->flame.after_name = pk_run_name(is);
	params->flame.compared = pk_text(is, is->metric.name[metric[PK_AFTER]]);
	status = pk_draw(&params->common, &pk_writer_flamegraph, &params->flame, NULL, pair, err);
	pk_profile_free(pair);
	pk_profile_free(made[0]);
	pk_profile_free(made[1]);
	return status;
}

static int draw_pair(struct params *params, struct pk_profile *before, struct pk_profile *after,
		     struct pk_error *err)
{
	struct pk_match_options options = {.map = &params->map};
	struct pk_profile *sides[PK_SIDES] = {before, after};
	struct pk_match match;
	uint32_t metric[PK_SIDES];
	int status;

	if (check_paths(before, err) || pk_match_paths(before, after, err) ||
	    pk_match_wanted(&params->common, &match, sides, &options, metric, err))
		return -1;
	status = draw_matched(params, &match, metric, err);
	pk_match_release(&match);
	return status;
}

static int draw_difference(struct params *params, const struct pk_loaded *after,
			   struct pk_error *err)
{
	char *path = pk_strdup(params->diff);
	struct pk_loaded before;
	int status = pk_load_merged(&params->common, 1, &path, &before, err);

	if (!status) {
		status = pk_loaded_group(&before, params->by, params->by_label, err);
		pk_note_sums(&params->common, &before, after);
		if (!status)
			status = draw_pair(params, before.one, after->one, err);
		pk_loaded_release(&before);
	}
	free(path);
	return status;
}

static int draw_alone(struct params *params, struct pk_profile *p, struct pk_error *err)
{
	return pk_draw(&params->common, &pk_writer_flamegraph, &params->flame,
		       &params->flame.metric, p, err);
}

/* charts show threads side by side in any case */
static int group(const struct params *params, struct pk_loaded *loaded, struct pk_error *err)
{
	if ((params->by || params->by_label) && params->flame.flamechart)
		return pk_fail(err, PK_EUSAGE, "--by%s cannot be combined with --chart",
			       params->by ? "" : "-label");
	return pk_loaded_group(loaded, params->by, params->by_label, err);
}

static int run(void *data, int argc, char **argv, struct pk_error *err)
{
	struct params *params = data;
	struct pk_loaded loaded;
	int status;

	if (pk_check_svg_name(&params->common, err))
		return -1;
	params->flame.picture = true;
	params->common.read.ordered = params->flame.flamechart;
	if (params->flame.flamechart)
		params->common.read.wanted |= PK_PART_ORDER | PK_PART_SPANS | PK_PART_THREADS;
	if (params->by != PK_GROUPED_NOT)
		params->common.read.wanted |= PK_PART_THREADS;
	if (pk_load_merged(&params->common, argc, argv, &loaded, err))
		return fail(params, err);
	status = check_paths(loaded.one, err);
	if (!status)
		status = group(params, &loaded, err);
	if (!status)
		status = params->diff ? draw_difference(params, &loaded, err)
				      : draw_alone(params, loaded.one, err);
	pk_loaded_release(&loaded);
	return status ? fail(params, err) : 0;
}

static void name_outputs(const void *data, int argc, char **argv)
{
	const struct params *params = data;

	(void)argc;
	(void)argv;
	if (params->flame.cp || params->flame.palette_map)
		pk_output_name(pk_flamegraph_map_path(&params->flame));
}

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "diff", 0, offsetof(struct params, diff), "BEFORE", .file = true,
	 .help = "draw the difference to this file"},
	PK_FLAMEGRAPH_OPTIONS(AT),
	{PK_OPT_GROUP, .help = "paths"},
	{PK_OPT_LIST, "map", 0, offsetof(struct params, map), "OLD=NEW",
	 .help = "with --diff: new name of OLD (see profkit-diff(1))"},
	{PK_OPT_CHOICE, "by", 0, offsetof(struct params, by), "WHAT", .choices = pk_groupings,
	 .fallback = "none", .help = "draw a box for each process or thread"},
	{PK_OPT_TEXT, "by-label", 0, offsetof(struct params, by_label), "KEY",
	 .help = "draw a box for each value of a label; also --by label:KEY"},
	{PK_OPT_GROUP, .help = "other names"},
	{PK_OPT_FLAG, "icicle", 0, AT(inverted), .help = "same as --inverted"},
	{PK_OPT_FLAG, "chart", 0, AT(flamechart), .help = "same as --flamechart"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_flamegraph = {
	.name = "flamegraph",
	.group = PK_GROUP_DRAW,
	.title = "draw a flame graph, to search and zoom in a browser",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.ignores = PK_PART_ORDER | PK_PART_MARKS | PK_PART_SPANS | PK_PART_THREADS,
	.opts = opts,
	.params_size = sizeof(struct params),
	.name_outputs = name_outputs,
	.makes = "flamegraph-svg",
	.run = run,
};
