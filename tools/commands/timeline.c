#include <stddef.h>

#include "tools/command.h"
#include "tools/picture.h"
#include "writers/timeline/timeline.h"

struct params {
	struct pk_common common;
	struct pk_timeline_params timeline;
};

#define AT(member) (offsetof(struct params, timeline) + offsetof(struct pk_timeline_params, member))

static int run(void *data, int argc, char **argv, struct pk_error *err)
{
	struct params *params = data;
	struct pk_loaded loaded;
	int status;

	if (pk_check_svg_name(&params->common, err))
		return -1;
	if (pk_load_merged(&params->common, argc, argv, &loaded, err))
		return -1;
	status = pk_draw(&params->common, &pk_writer_timeline, &params->timeline,
			 &params->timeline.metric, loaded.one, err);
	pk_loaded_release(&loaded);
	return status;
}

static const struct pk_opt opts[] = {PK_TIMELINE_OPTIONS(AT), PK_OPT_LAST};

const struct pk_command pk_cmd_timeline = {
	.name = "timeline",
	.group = PK_GROUP_DRAW,
	.title = "draw processes and threads over time",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.opts = opts,
	.params_size = sizeof(struct params),
	.makes = "flamegraph-svg",
	.keeps_metrics = true,
	.run = run,
};
