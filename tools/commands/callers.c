/* callers and callees: the callers of a function, and its callees. */
#include "analysis/callers.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "analysis/hotspots/hotspots.h"
#include "base/num/units.h"
#include "tools/like/like.h"
#include "render/tables.h"
#include "tools/table.h"

struct callers_params {
	struct pk_common common;
	bool strip_dirs;
	int like;
};

static void make_footer(struct pk_buf *footer, const struct pk_callers *c, size_t shown)
{
	if (shown >= c->count)
		return;
	pk_buf_addf(footer, "… %s more %s%s; --limit 0 shows all\n",
		    pk_in_count((int64_t)(c->count - shown)).text, c->callees ? "callee" : "caller",
		    c->count - shown == 1 ? "" : "s");
}

/* Says why a share that is shown is above 100 %. */
static void add_excess(struct pk_buf *footer, const struct pk_callers *c, size_t rows)
{
	bool recursive = false;

	for (uint32_t i = 0; i < c->group_count && rows; i++) {
		const struct pk_caller_group *group = &c->groups[i];

		for (uint32_t k = 0; k < group->count && rows; k++, rows--) {
			const struct pk_arc *arc = &c->arcs.row[c->order[group->first + k]];

			recursive |= pk_share(arc->total, group->function->total) >= 1.0005;
		}
	}
	if (recursive && pk_has_negative(&c->functions))
		pk_buf_adds(footer, PK_SHARES_OF_NEGATIVE);
	else if (recursive)
		pk_buf_adds(footer, "shares above 100% are of recursive calls: each of them "
				    "counts there, and in the total of the function only the "
				    "outermost\n");
}

static int show(const struct callers_params *o, const struct pk_loaded *loaded,
		const struct pk_callers *c, struct pk_error *err)
{
	struct pk_table_frame table = {loaded, c->profile, c->metric, c->functions.total, c->count};
	struct pk_grid_frame frame = {
		.schema = o->common.command->name, .members = pk_table_members, .data = &table};
	size_t rows = pk_common_rows(&o->common, c->count);
	bool people = pk_notation_is_for_people(pk_common_notation(&o->common));
	struct pk_grid grid;

	if (c->behind)
		pk_note(&o->common,
			"f%u is the name of a function, and is taken as that; as a handle it is "
			"'%s'",
			c->behind, pk_text(c->profile, c->profile->function.name[c->behind]));
	pk_table_title(&frame.title, &table);
	pk_buf_adds(&frame.title, c->callees ? "\nfunctions, and below each what it calls\n"
					     : "\nfunctions, and below each what calls it\n");
	if (people)
		add_excess(&frame.footer, c, rows);
	make_footer(&frame.footer, c, rows);
	pk_callers_grid(&grid, c, (uint32_t)rows, people);
	return pk_show_grid(&o->common, &grid, &frame, err);
}

static int show_loaded(const struct callers_params *o, const struct pk_loaded *loaded,
		       const struct pk_caller_options *options, struct pk_error *err)
{
	struct pk_profile *stripped = o->strip_dirs ? pk_strip_dirs(loaded->one) : NULL;
	const struct pk_profile *p = stripped ? stripped : loaded->one;
	struct pk_callers callers;
	uint32_t metric;
	int status = -1;

	if (!pk_common_metric(&o->common, p, &metric, err) &&
	    !pk_callers_init(&callers, p, metric, options, err)) {
		status = show(o, loaded, &callers, err);
		pk_callers_release(&callers);
	}
	if (stripped)
		pk_profile_free(stripped);
	return status;
}

/* The first operand, or the last one if the first is a file and the last is not. */
static const char *take_function(int *argc, char ***argv)
{
	if (*argc < 2)
		return NULL;
	--*argc;
	if (access((*argv)[0], F_OK) == 0 && access((*argv)[*argc], F_OK) != 0)
		return (*argv)[*argc];
	return *(*argv)++;
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct callers_params *o = params;
	bool callees = strcmp(o->common.command->name, "callees") == 0;
	struct pk_caller_options options = {.callees = callees, .min_share = o->common.min_share};
	struct pk_loaded loaded;
	int status;

	options.function = take_function(&argc, &argv);
	if (o->like)
		return pk_show_like_pstats(&o->common,
					   callees ? PK_PSTATS_CALLEES : PK_PSTATS_CALLERS,
					   options.function, o->strip_dirs, argc, argv, err);
	if (pk_table_sort(&o->common, PK_SORT_TOTAL, &options.sort, err) ||
	    pk_load_merged(&o->common, argc, argv, &loaded, err))
		return -1;
	status = show_loaded(o, &loaded, &options, err);
	pk_loaded_release(&loaded);
	return status;
}

static const struct pk_opt opts[] = {
	{PK_OPT_FLAG, "strip-dirs", 0, offsetof(struct callers_params, strip_dirs),
	 .help = "reduce file names to their last part"},
	{PK_OPT_CHOICE, "like", 0, offsetof(struct callers_params, like), "TOOL",
	 .choices = pk_caller_likes, .fallback = "profkit", .help = PK_LIKE_HELP},
	PK_OPT_LAST,
};

#define USES                                                                                      \
	(PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SORT | PK_USE_SHOW | \
	 PK_USE_OUTPUT)

const struct pk_command pk_cmd_callers = {
	.name = "callers",
	.group = PK_GROUP_LOOK,
	.title = "list the callers of functions",
	.operands = "[FUNCTION] FILE...",
	.uses = USES,
	.sorts = PK_SORT_NAMES,
	.ignores = PK_PART_ORDER | PK_PART_MARKS | PK_PART_SPANS | PK_PART_THREADS,
	.opts = opts,
	.params_size = sizeof(struct callers_params),
	.run = run,
};

const struct pk_command pk_cmd_callees = {
	.name = "callees",
	.group = PK_GROUP_LOOK,
	.title = "list what functions call",
	.operands = "[FUNCTION] FILE...",
	.uses = USES,
	.sorts = PK_SORT_NAMES,
	.ignores = PK_PART_ORDER | PK_PART_MARKS | PK_PART_SPANS | PK_PART_THREADS,
	.opts = opts,
	.params_size = sizeof(struct callers_params),
	.run = run,
};
