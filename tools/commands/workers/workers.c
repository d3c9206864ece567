/* profkit workers: who did the work, who waited, why, and what to do about it. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/workers.h"
#include "model/part/digest.h"
#include "tools/command.h"
#include "render/tables.h"
#include "render/workers/grid.h"
#include "tools/commands/workers/functions.h"
#include "tools/commands/workers/scaling.h"
#include "tools/commands/workers/tasks.h"
#include "writers/workers/heat.h"
#include "writers/workers/svg.h"

struct workers_params {
	struct pk_common common;
	int by;
	const char *workers, *main;
	struct pk_opt_list classify;
	bool functions, scaling;
	int64_t cpus;
};

static void write_members(struct pk_json_writer *json, void *data)
{
	const struct pk_workers *w = data;

	pk_write_inputs(json, w->runs);
	pk_workers_json(json, w);
}

/* In a picture there is no room for several paths. */
static void add_files(struct pk_buf *title, const struct pk_profile *p, bool picture)
{
	uint32_t members = p->member.count - 1;

	if (picture && members > 1) {
		pk_buf_add_visible(title, pk_basename(pk_text(p, p->member.name[1])));
		pk_buf_addf(title, " and %u more", members - 1);
	} else {
		pk_buf_add_visible(title, pk_text(p, p->run.source[1]));
	}
}

static void make_title(struct pk_buf *title, const struct pk_workers *w, bool picture)
{
	const struct pk_profile *p = w->runs->item[0];

	add_files(title, p, picture);
	pk_buf_addf(title, " (%s", pk_text(p, p->run.format[1]));
	if (p->run.producer[1] &&
	    strcmp(pk_text(p, p->run.producer[1]), pk_text(p, p->run.format[1])) != 0)
		pk_buf_addf(title, ", %s", pk_text(p, p->run.producer[1]));
	pk_buf_addc(title, ')');
	if (w->runs->count > 1)
		pk_buf_addf(title, " and %zu more", w->runs->count - 1);
	pk_buf_adds(title, ": ");
	pk_workers_title(title, w);
	pk_buf_addc(title, '\n');
}

static int show(const struct pk_common *c, struct pk_workers *w, struct pk_error *err)
{
	struct pk_grid_frame frame = {
		.schema = "workers", .members = write_members, .data = w, .only_members = true};
	bool people = pk_notation_is_for_people(pk_common_notation(c));
	int width = c->output || pk_common_notation(c) != PK_TEXT ? 0 : pk_stdout_width();
	size_t left_out;
	struct pk_grid grid;

	pk_workers_grid(&grid, w, pk_common_rows(c, w->count), people, width, &left_out);
	make_title(&frame.title, w, false);
	pk_title_filters(&frame.title, c);
	pk_workers_text(&frame.footer, w, pk_common_notation(c) == PK_BRIEF ? -1 : width, left_out);
	return pk_show_grid(c, &grid, &frame, err);
}

static int draw(const struct pk_common *c, const struct pk_workers *w, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(c->output, err);
	PK_BUF_AUTO title = PK_BUF_INIT;
	int status = 0;

	if (!out)
		return -1;
	make_title(&title, w, true);
	while (title.len && title.data[title.len - 1] == '\n')
		title.data[--title.len] = '\0';
	if (w->is_part)
		pk_workers_draw_heat(w, title.data, out);
	else
		status = pk_workers_draw(w, title.data, out, err);
	if (status) {
		pk_output_discard(out);
		return -1;
	}
	return pk_output_commit(out, err);
}

static int show_one(const struct workers_params *o, struct pk_workers *w, struct pk_error *err)
{
	const struct pk_common *c = &o->common;

	if (o->functions && w->is_part)
		return pk_fail(
			err, PK_EUSAGE,
			"--functions is for profiles: 'profkit hotspots' shows of a part how "
			"functions differ between runs");
	if (o->functions)
		return pk_workers_show_functions(c, w, err);
	if (pk_wants_svg(c))
		return draw(c, w, err);
	return show(c, w, err);
}

/* The runs of the files, each once. */
static int load(const struct pk_common *c, int argc, char **argv, struct pk_profiles *runs,
		struct pk_error *err)
{
	PK_BUF_AUTO said = PK_BUF_INIT;

	if (pk_load_ranks(c, argc, argv, runs, err))
		return -1;
	pk_profiles_drop_twins(runs, &said);
	for (size_t at = 0; at < said.len; at += strlen(said.data + at) + 1)
		pk_note(c, "%s", said.data + at);
	return 0;
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct workers_params *o = params;
	struct pk_workers_options options = {
		.by = (enum pk_workers_by)o->by,
		.workers = o->workers,
		.main = o->main,
		.classify = (const char *const *)o->classify.item,
		.classify_count = o->classify.count,
		.processors = o->cpus,
	};
	struct pk_profiles runs;
	struct pk_workers w;
	int status;

	if (o->scaling)
		return pk_workers_scaling(&o->common, &options, argc, argv, err);
	if (load(&o->common, argc, argv, &runs, err))
		return -1;
	if (o->by == PK_BY_TASK && !pk_is_part(runs.item[0]) && !o->functions &&
	    !pk_wants_svg(&o->common)) {
		status = pk_workers_show_tasks(&o->common, &runs, &options, err);
		pk_profiles_release(&runs);
		return status;
	}
	status = pk_workers_init(&w, &runs, &options, err);
	if (!status) {
		status = show_one(o, &w, err);
		pk_workers_release(&w);
	}
	pk_profiles_release(&runs);
	return status;
}

#define AT(member) offsetof(struct workers_params, member)

static const struct pk_opt opts[] = {
	{PK_OPT_CHOICE, "by", 0, AT(by), "WHAT", .choices = pk_workers_bys, .fallback = "auto",
	 .help = "what a worker is: a process, a thread, a rank (a file), or a stream of a GPU; "
		 "task: "
		 "shows tasks of asyncio instead"},
	{PK_OPT_TEXT, "workers", 0, AT(workers), "RE",
	 .help = "the workers are those whose name, as shown, matches"},
	{PK_OPT_TEXT, "main", 0, AT(main), "RE",
	 .help = "the parent that gives them work is the one whose name, as shown, matches"},
	{PK_OPT_LIST, "classify", 0, AT(classify), "RE=CLASS",
	 .help = "class of functions that match, and of what they call: useful, dispatch, "
		 "transfer, serialise, lock, startup, shutdown, wait, collective"},
	{PK_OPT_INT, "cpus", 0, AT(cpus), "N", .min = 1, .max = 1e6,
	 .help = "number of processors that the workers could use, if it is not in the profile"},
	{PK_OPT_FLAG, "functions", 0, AT(functions),
	 .help = "list the functions in which the busiest worker spent more time than the average "
		 "worker"},
	{PK_OPT_FLAG, "scaling", 0, AT(scaling),
	 .help = "compare runs of the same work with different numbers of workers: RUN or RUN=N"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_workers = {
	.name = "workers",
	.group = PK_GROUP_LOOK,
	.title = "show how evenly workers shared the work, and why some waited",
	.operands = "FILE...",
	.many = true,
	.uses = PK_USE_READ | PK_USE_SELECT | PK_USE_LIMIT | PK_USE_SHOW | PK_USE_OUTPUT,
	.opts = opts,
	.params_size = sizeof(struct workers_params),
	.makes = "flamegraph-svg",
	.run = run,
};
