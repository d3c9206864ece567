#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "command.h"
#include "picture.h"
#include "writers/flamegraph.h"

struct params {
	struct pk_common common;
	struct pk_flamegraph_params flame;
	const char *diff;
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

static int draw(struct params *params, struct pk_profile *p, struct pk_error *err)
{
	return pk_draw(&params->common, &pk_writer_flamegraph, &params->flame, p, err);
}

/* The profile with call paths: itself, or an estimate, which is then the caller's. */
static struct pk_profile *with_paths(struct pk_profile *p)
{
	return p->node.count > 1 ? p : pk_estimate_tree(p, 0);
}

static int draw_pair(struct params *params, struct pk_profile *before, struct pk_profile *after,
		     struct pk_error *err)
{
	struct pk_profile *was, *is, *pair;
	struct pk_buf sides = PK_BUF_INIT;
	uint32_t was_metric, is_metric;
	int status;

	if (check_paths(before, err) ||
	    pk_common_metric(&params->common, before, &was_metric, err) ||
	    pk_common_metric(&params->common, after, &is_metric, err))
		return -1;
	if (strcmp(pk_metric_unit(before, was_metric), pk_metric_unit(after, is_metric)) != 0)
		return pk_fail(err, PK_EUSAGE, "cannot compare '%s' with '%s'",
			       pk_metric_unit(before, was_metric),
			       pk_metric_unit(after, is_metric));
	was = with_paths(before);
	is = with_paths(after);
	pair = pk_pair(was, was_metric, is, is_metric);
	pk_buf_addf(&sides, "%s to %s", pk_text(before, before->run.source[1]),
		    pk_text(after, after->run.source[1]));
	if (!params->flame.subtitle)
		params->flame.subtitle = sides.data;
	status = draw(params, pair, err);
	pk_buf_release(&sides);
	pk_profile_free(pair);
	if (is != after)
		pk_profile_free(is);
	if (was != before)
		pk_profile_free(was);
	return status;
}

static int draw_difference(struct params *params, struct pk_profile *after, struct pk_error *err)
{
	char *path = pk_strdup(params->diff);
	struct pk_loaded before;
	int status = pk_load_merged(&params->common, 1, &path, &before, err);

	if (!status) {
		status = draw_pair(params, before.one, after, err);
		pk_loaded_release(&before);
	}
	free(path);
	return status;
}

static int draw_alone(struct params *params, struct pk_profile *p, struct pk_error *err)
{
	uint32_t metric;

	if (params->common.metric && pk_common_metric(&params->common, p, &metric, err))
		return -1;
	params->flame.metric = params->common.metric;
	return draw(params, p, err);
}

static int run(void *data, int argc, char **argv)
{
	struct params *params = data;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_loaded loaded;
	int status;

	params->common.read.ordered = params->flame.flamechart;
	if (params->flame.flamechart)
		params->common.read.wanted |= PK_PART_ORDER;
	if (pk_load_merged(&params->common, argc, argv, &loaded, &err))
		return fail(params, &err);
	status = check_paths(loaded.one, &err);
	if (!status)
		status = (params->diff ? draw_difference : draw_alone)(params, loaded.one, &err);
	pk_loaded_release(&loaded);
	return status ? fail(params, &err) : PK_DONE;
}

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "diff", 0, offsetof(struct params, diff), "BEFORE",
	 .help = "draw the difference to this file"},
	PK_FLAMEGRAPH_OPTIONS(AT),
	{PK_OPT_GROUP, .help = "other names"},
	{PK_OPT_FLAG, "icicle", 0, AT(inverted), .help = "the same as --inverted"},
	{PK_OPT_FLAG, "chart", 0, AT(flamechart), .help = "the same as --flamechart"},
	PK_OPT_LAST,
};

static const char *const description[] = {
	"Draws call paths as nested boxes, as wide as what they cost, into an SVG picture for a "
	"browser. Siblings stand in alphabetical order. In the browser: a box under the mouse is "
	"explained in the line of details; a click zooms into it; Ctrl-F, F3 or `Search` finds "
	"boxes by a regular expression and says what share of the whole they are (a match within "
	"a match counts once); Ctrl-I ignores case; Tab and the arrow keys walk over the boxes, "
	"Enter zooms, Esc goes back. What is seen is kept in the address, so that a link shows it "
	"again.",
	"Options mean what they mean to flamegraph.pl and inferno. Several inputs are added. With "
	"`--diff`, and for a profile with the metrics before and after (folded stacks with two "
	"counts a line), the picture is that of a difference: widths are those after; a box is "
	"red for more, blue for less, with all that it calls; what is gone is counted at the "
	"bottom.",
	"`--chart` keeps the order of time: spans are drawn from their begin to their end, with "
	"gaps "
	"where nothing ran, thread after thread (`--thread` chooses one); samples follow one "
	"another.",
	"A profile that knows callers but no call paths (pstats) is drawn as an estimate: hatched.",
	"Where there is nothing to draw, the picture says so, and the exit status is 2.",
	NULL,
};

static const struct pk_example examples[] = {
	{"profkit flamegraph orders.folded -o flame.svg", "Draw folded stacks"},
	{"profkit flamegraph out.prof -o flame.svg --colors python",
	 "Python: own code red, libraries aqua, what comes with Python yellow"},
	{"profkit flamegraph --icicle --minwidth 0.5% orders.folded -o flame.svg",
	 "The root on top, without what is less than half a percent"},
	{"profkit flamegraph --diff before.prof after.prof -o flame.svg", "What has changed"},
	{NULL, NULL},
};

const struct pk_command pk_cmd_flamegraph = {
	.name = "flamegraph",
	.group = PK_GROUP_DRAW,
	.title = "flame graph, as an SVG picture to search and zoom",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.ignores = PK_PART_ORDER,
	.opts = opts,
	.params_size = sizeof(struct params),
	.run = run,
	.description = description,
	.examples = examples,
};
