/*
 * diff --like TOOL. Every file is a side, of which there may be any number; with "--" between them
 * there are two, each of which may have several files.
 */
#include "tools/commands/diff/like.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/bench/benchstat/benchstat.h"
#include "render/bench/pyperf/pyperf.h"
#include "tools/like/like.h"

enum { NONE, PPROF, PPROF_BASE, BENCHSTAT, PYPERF_COMPARE, PYPERF_TABLE };
const char *const pk_diff_likes[] = {"profkit",        "pprof",        "pprof-base", "benchstat",
				     "pyperf-compare", "pyperf-table", NULL};

/* A file given several times is "old.txt#0", "old.txt#1", as benchstat has it. */
static char *name_of(int argc, char **argv, int i)
{
	PK_BUF_AUTO name = PK_BUF_INIT;
	int before = 0, all = 0;

	for (int k = 0; k < argc; k++) {
		all += strcmp(argv[k], argv[i]) == 0;
		before += k < i && strcmp(argv[k], argv[i]) == 0;
	}
	pk_buf_adds(&name, argv[i]);
	if (all > 1)
		pk_buf_addf(&name, "#%d", before);
	return pk_buf_detach(&name);
}

static int load(const struct pk_common *c, int argc, char **argv, struct pk_bench_side *side,
		struct pk_error *err)
{
	struct pk_profiles runs[2];

	if (c->dashes > 0) {
		if (pk_load_sides(c, argc, argv, runs, err))
			return -1;
		side[0] = (struct pk_bench_side){name_of(argc, argv, 0), runs[0]};
		side[1] = (struct pk_bench_side){name_of(argc, argv, c->dashes), runs[1]};
		return 0;
	}
	for (int i = 0; i < argc; i++) {
		if (pk_load_inputs(c, 1, &argv[i], &side[i].runs, err))
			return -1;
		side[i].name = name_of(argc, argv, i);
	}
	return 0;
}

static int print(const struct pk_common *c, const struct pk_diff_like *like,
		 const struct pk_bench_side *side, size_t sides, struct pk_error *err)
{
	struct pk_benchstat_params params = {.metric = c->metric,
					     .match = like->match,
					     .row = like->row,
					     .column = like->column,
					     .alpha = like->alpha,
					     .confidence = like->confidence,
					     .csv = pk_common_notation(c) == PK_CSV};
	PK_BUF_AUTO notes = PK_BUF_INIT;
	struct pk_output *out;
	uint32_t metric;

	if (c->metric && pk_common_metric(c, side[0].runs.item[0], &metric, err))
		return -1;
	out = pk_output_open(c->output, err);
	if (!out)
		return -1;
	if (pk_benchstat_print(side, sides, &params, out, &notes, err)) {
		pk_output_discard(out);
		return -1;
	}
	for (char *at = notes.data, *end; at && (end = strchr(at, '\n')); at = end + 1)
		pk_note(c, "%.*s", (int)(end - at), at);
	return pk_output_commit(out, err);
}

/* A file is a side, as in pyperf. */
static int list_files(const struct pk_bench_side *side, size_t sides, struct pk_profiles *list,
		      struct pk_error *err)
{
	list->item = pk_calloc(sides, sizeof(*list->item));
	for (list->count = 0; list->count < sides; list->count++) {
		if (side[list->count].runs.count != 1)
			return pk_fail(
				err, PK_EUSAGE,
				"'%s': pyperf compares files of one run each, without \"--\"",
				side[list->count].name);
		list->item[list->count] = side[list->count].runs.item[0];
	}
	return 0;
}

static int print_pyperf(const struct pk_common *c, const struct pk_diff_like *like,
			const struct pk_bench_side *side, size_t sides, struct pk_error *err)
{
	bool markdown = pk_common_notation(c) == PK_MARKDOWN;
	struct pk_pyperf_compare_params params = {.table = like->tool == PYPERF_TABLE || markdown,
						  .markdown = markdown,
						  .by_speed = like->by_speed,
						  .min_speed = like->min_speed,
						  .verbose = c->verbose,
						  .quiet = c->quiet};
	struct pk_profiles list = {0};
	struct pk_output *out = NULL;
	int status = list_files(side, sides, &list, err);

	if (!status && c->metric)
		status = pk_common_metric(c, list.item[0], &params.metric, err);
	if (!status)
		out = pk_output_open(c->output, err);
	status = out ? pk_pyperf_compare(&list, &params, out, err) : -1;
	free(list.item);
	if (!status)
		return pk_output_commit(out, err);
	if (out)
		pk_output_discard(out);
	return -1;
}

static int check(const struct pk_common *c, const struct pk_diff_like *like, int argc,
		 struct pk_error *err)
{
	int notation = pk_common_notation(c);

	if (!argc)
		return pk_fail(err, PK_EUSAGE, "no input file (usage: profkit diff --like %s %s)",
			       pk_diff_likes[like->tool], "FILE...");
	if (notation != PK_TEXT && notation != (like->tool == BENCHSTAT ? PK_CSV : PK_MARKDOWN))
		return pk_fail(err, PK_EUSAGE, "--like %s prints text or %s",
			       pk_diff_likes[like->tool],
			       like->tool == BENCHSTAT ? "CSV" : "Markdown");
	if (like->alpha < 0 || like->alpha > 1)
		return pk_fail(err, PK_EUSAGE, "--alpha: not between 0 and 1");
	if (like->confidence < 0 || like->confidence > 1)
		return pk_fail(err, PK_EUSAGE, "--confidence: not between 0 and 1");
	return 0;
}

int pk_show_diff_like(const struct pk_common *c, const struct pk_diff_like *like, int argc,
		      char **argv, struct pk_error *err)
{
	size_t sides = c->dashes > 0 ? 2 : (size_t)argc;
	struct pk_bench_side *side;
	int status;

	if (like->match && like->tool != BENCHSTAT)
		return pk_fail(err, PK_EUSAGE, "--like %s cannot be combined with --match",
			       pk_diff_likes[like->tool]);
	if ((like->row || like->column) && like->tool != BENCHSTAT)
		return pk_fail(err, PK_EUSAGE, "%s needs --like benchstat",
			       like->row ? "--row" : "--column");
	if (like->normalize && like->tool > PPROF_BASE)
		return pk_fail(err, PK_EUSAGE, "--like %s cannot be combined with --normalize",
			       pk_diff_likes[like->tool]);
	if (like->tool <= PPROF_BASE)
		return pk_show_diff_like_pprof(c, like->tool == PPROF, like->normalize, argc, argv,
					       err);
	if (check(c, like, argc, err))
		return -1;
	side = pk_calloc(sides, sizeof(*side));
	status = load(c, argc, argv, side, err);
	if (!status)
		status =
			(like->tool == BENCHSTAT ? print : print_pyperf)(c, like, side, sides, err);
	for (size_t i = 0; i < sides; i++) {
		free((char *)side[i].name);
		pk_profiles_release(&side[i].runs);
	}
	free(side);
	return status;
}
