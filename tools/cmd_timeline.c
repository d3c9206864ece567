#include <stddef.h>

#include "command.h"
#include "picture.h"
#include "writers/timeline.h"

struct params {
	struct pk_common common;
	struct pk_timeline_params timeline;
};

#define AT(member) (offsetof(struct params, timeline) + offsetof(struct pk_timeline_params, member))

static int draw(struct params *params, struct pk_profile *p, struct pk_error *err)
{
	uint32_t metric;

	if (params->common.metric && pk_common_metric(&params->common, p, &metric, err))
		return -1;
	params->timeline.metric = params->common.metric;
	return pk_draw(&params->common, &pk_writer_timeline, &params->timeline, p, err);
}

static int run(void *data, int argc, char **argv)
{
	struct params *params = data;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_loaded loaded;
	int status = pk_load_merged(&params->common, argc, argv, &loaded, &err);

	if (!status) {
		status = draw(params, loaded.one, &err);
		pk_loaded_release(&loaded);
	}
	if (!status)
		return PK_DONE;
	return pk_draw_fail(&params->common, (double)params->timeline.width, 12,
			    "ERROR: nothing to draw over time.", &err);
}

static const struct pk_opt opts[] = {PK_TIMELINE_OPTIONS(AT), PK_OPT_LAST};

static const char *const description[] = {
	"Draws what ran when into an SVG picture for a browser: for each thread a lane with its "
	"spans, those that were called below those that called them. Instants are red marks below "
	"the name of a thread; GPU streams stand below the other threads, counters as areas below "
	"the threads of their process. Processes stand in the order that the file gives them, else "
	"in the order in which they began. A profile without spans that knows when its samples "
	"were taken is drawn from these.",
	"Colors tell functions apart; with `--color category` they tell categories apart "
	"(`cpu_op`, `kernel`), and a legend says which is which. `--flows` draws arrows from spans "
	"to those that they launched; of more than 300, some from all of the time.",
	"The size of the picture is bounded, however many spans there are: what is shorter than a "
	"pixel is joined with what is beside it in the same row, under the name of the longest "
	"(\"read and 12 others\"), in a paler color; the line at the bottom says how many. "
	"`--time A..B` draws a part in full; `--thread`, `--process` and `--category` choose what "
	"is drawn.",
	"In the browser: a box under the mouse is explained at the top; a click on a box, Ctrl and "
	"the wheel, `+` and `-` zoom; dragging, Shift and the wheel, `a` and `d` move; Ctrl-F "
	"finds boxes by a regular expression and says how much time they are; Tab and the arrow "
	"keys walk over the boxes, Esc goes back. What is seen is kept in the address.",
	"The times on the axis are those from the begin of the run.",
	NULL,
};

static const struct pk_example examples[] = {
	{"profkit timeline trace.json -o timeline.svg", "Draw what ran when"},
	{"profkit timeline --time 10%..20% --depth 5 trace.json -o timeline.svg",
	 "A tenth of the run, the five outermost calls of each thread"},
	{"profkit timeline --color category --flows trace.json -o timeline.svg",
	 "A color for each category, and arrows to the kernels that were launched"},
	{"profkit timeline --thread stream --title \"GPU 0\" trace.json -o gpu.svg",
	 "The streams of a GPU"},
	{"profkit timeline --width 900 --subtitle \"run 7\" trace.json -o page.svg",
	 "As wide as a page, with a line below the title"},
	{NULL, NULL},
};

const struct pk_command pk_cmd_timeline = {
	.name = "timeline",
	.group = PK_GROUP_DRAW,
	.title = "processes and threads over time, as an SVG picture",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.opts = opts,
	.params_size = sizeof(struct params),
	.run = run,
	.description = description,
	.examples = examples,
};
