/*
 * profkit brief: the most important facts of a profile in a limited number of tokens, for language
 * models and scripts.
 */
#include "tools/commands/brief/brief.h"

#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/function_name.h"
#include "analysis/gpu/gpu.h"
#include "analysis/memory/memory.h"
#include "base/alloc.h"
#include "base/io/source_text.h"
#include "render/gpu/grid.h"
#include "tools/load/bench.h"
#include "tools/commands/summary/summary.h"
#include "tools/commands/summary/trace.h"
#include "tools/option.h"
#include "tools/table.h"

/* Adds the words of `gpu`. */
static void add_gpu(struct pk_buf *text, const struct pk_loaded *loaded)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_gpu gpu = {.without = PK_GPU_DETAILS};
	int status = 0;

	if (!pk_summary_has_gpu(loaded->one))
		return;
	for (size_t i = 0; !status && i < loaded->runs.count; i++)
		status = pk_gpu_add(&gpu, loaded->runs.item[i], &err);
	if (!status) {
		pk_gpu_finish(&gpu);
		pk_gpu_words(text, &gpu);
		pk_gpu_notes(text, &gpu);
	}
	pk_gpu_release(&gpu);
}

static void add_command(struct pk_buf *text, const struct pk_profile *p)
{
	if (p->run.command[1]) {
		pk_buf_adds(text, "command: ");
		pk_buf_add_visible(text, pk_text(p, p->run.command[1]));
		pk_buf_addc(text, '\n');
	}
	if (p->run.host[1]) {
		pk_buf_adds(text, "host: ");
		pk_buf_add_visible(text, pk_text(p, p->run.host[1]));
		pk_buf_addc(text, '\n');
	}
}

/* Adds the facts about the file as a whole: the words of the summary and of gpu. */
static void add_head(const struct pk_brief_of *b)
{
	const struct pk_hotspots *h = b->hotspots;
	struct pk_table_frame frame = {b->loaded, h->profile, h->metric, h->functions.total,
				       h->count};
	PK_BUF_AUTO text = PK_BUF_INIT;
	const char *rest;

	pk_summary_title(&text, &frame, &(struct pk_summary_known){.functions = &h->functions});
	rest = strchr(text.data, '\n');
	pk_brief_part(b->text, NULL, "lines", 1, 0);
	pk_brief_line(b->text, text.data, (size_t)(rest - text.data));
	pk_brief_part(b->text, NULL, "lines", 4, 1);
	pk_brief_lines(b->text, rest + 1);
	text.len = 0;
	add_command(&text, b->loaded->runs.item[0]);
	add_gpu(&text, b->loaded);
	pk_trace_summary_text(&text, b->loaded->runs.count == 1 ? h->profile : NULL);
	pk_brief_lines(b->text, text.len ? text.data : "");
	if (pk_summary_of_lines(h->profile))
		pk_brief_lines(b->text, "the time of a line includes the functions it calls");
}

static void add_commands(const struct pk_brief_of *b, const char *const *files)
{
	const struct pk_hotspots *h = b->hotspots;
	PK_BUF_AUTO words = PK_BUF_INIT;
	PK_BUF_AUTO text = PK_BUF_INIT;
	const struct pk_profile *p = h->profile;
	uint32_t hottest = h->count ? h->functions.row[h->order[0]].function : 0;
	const char *name = pk_text(p, p->function.name[hottest]);
	char handle[16];

	pk_option_words(&words, b->common);
	snprintf(handle, sizeof(handle), "f%u", hottest);
	if (!hottest || pk_starts_with(name, "[all ")) /* functions without callers */
		name = NULL;
	else if (!pk_handles_are_names(p))
		name = handle;
	pk_summary_hints(&text, name, h, words.len ? words.data : "", files, false);
	pk_brief_part(b->text, "more:", NULL, 2, 1);
	pk_brief_lines(b->text, text.len ? text.data : "");
	text.len = 0;
	if (!pk_is_memory(h->profile) &&
	    (h->profile->process.count > 2 || pk_thread_count(h->profile) > 1) &&
	    pk_command_words(&text, b->common, "workers")) {
		pk_buf_adds(&text, "  # how evenly processes or threads shared the work");
		pk_brief_line(b->text, text.data, text.len);
	}
}

static int show(const struct pk_common *c, const struct pk_loaded *loaded,
		const struct pk_hotspots *h, const char *const *files, struct pk_error *err)
{
	struct pk_brief text = {0};
	const struct pk_brief_of b = {&text, c, loaded, h};
	struct pk_output *out = pk_output_open(c->output, err);

	if (!out)
		return -1;
	add_head(&b);
	pk_brief_where(&b);
	pk_brief_unusual(&b);
	pk_brief_uncertain(&b);
	pk_brief_left_out(&b);
	add_commands(&b, files);
	pk_brief_write(&text, (size_t)c->budget, out);
	return pk_output_commit(out, err);
}

/* Benchmarks are rows with statistics, which the notation prints. */
static void no_hints(struct pk_buf *footer, const char *const *files)
{
	(void)footer;
	(void)files;
}

static int show_benchmarks(const struct pk_common *c, const struct pk_loaded *loaded,
			   const char *const *files, struct pk_error *err)
{
	struct pk_bench_show how = {.hints = no_hints};
	struct pk_common common = *c;

	(void)files;
	common.format = PK_BRIEF;
	return pk_show_benchmarks(&common, loaded, &how, err);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	static const struct pk_summary_form form = {show, show_benchmarks};

	return pk_summary_run(params, argc, argv, &form, err);
}

static const struct pk_opt opts[] = {
	{PK_OPT_INT, "budget", 0, offsetof(struct pk_common, budget), "N", .fallback = "800",
	 .max = 1e9, .help = "print at most N tokens; 0 is no limit"},
	{PK_OPT_TEXT, "unit", 0, offsetof(struct pk_common, unit), "UNIT",
	 .help = "show values in this unit (ns, us, ms, s, KB, MB, ...)"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_brief = {
	.name = "brief",
	.group = PK_GROUP_LOOK,
	.title = "print the most important facts, for agents and scripts",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.wants = PK_PART_ARGS | PK_PART_MARKS,
	.opts = opts,
	.params_size = sizeof(struct pk_common),
	.whole_runs = true,
	.start = pk_summary_start,
	.benchmarks = PK_BENCHMARKS_SHOWN,
	.run = run,
};
