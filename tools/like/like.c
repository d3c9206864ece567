/* Prints the output of other tools (--like), and lists the tools of each command. */
#include "tools/like/like.h"

#include <unistd.h>

#include "base/alloc.h"
#include "render/gprof/flat.h"

const char *const pk_likes[] = {"profkit",
				"pprof",
				"pstats",
				"callgrind_annotate",
				"gprof",
				"pytest-benchmark",
				"hyperfine",
				"hyperfine-markdown",
				"hyperfine-asciidoc",
				"hyperfine-csv",
				"pyperf-show",
				"pyperf-stats",
				"pyperf-hist",
				"pyperf-metadata",
				"pyperf-check",
				"pyperf-dump",
				NULL};
const char *const pk_graph_likes[] = {"profkit", "pprof", NULL};
const char *const pk_caller_likes[] = {"profkit", "pstats", NULL};
const char *const pk_line_likes[] = {"profkit",           "memory_profiler",    "line_profiler",
				     "line_profiler-5.0", "line_profiler-4.2",  "line_profiler-4.0",
				     "line_profiler-3.0", "callgrind_annotate", NULL};

static int print(const struct pk_common *c, const struct pk_profiles *runs,
		 const struct pk_pstats_params *params, struct pk_error *err)
{
	struct pk_output *out = pk_output_open(c->output, err);

	if (!out)
		return -1;
	if (!pk_pstats_print(runs, params, out, err)) {
		if (*pk_output_notes(out))
			pk_note(c, "%s", pk_output_notes(out));
		return pk_output_commit(out, err);
	}
	pk_output_discard(out);
	return -1;
}

int pk_show_like_pstats(const struct pk_common *c, enum pk_pstats_what what, const char *match,
			bool strip_dirs, int argc, char **argv, struct pk_error *err)
{
	struct pk_pstats_params params = {
		.what = what,
		.metric = c->metric,
		.sort = {.reverse = c->reverse},
		.strip_dirs = strip_dirs,
		.match = match,
		.limit = c->limit,
		.files = argv,
		.file_count = argc,
	};
	struct pk_profiles runs;
	uint32_t metric;
	int status = -1;

	if (c->format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE,
			       "--like pstats prints text: it cannot be combined with --format %s",
			       pk_notations[c->format]);
	if (c->sort && pk_sort_parse(&params.sort, c->sort, err))
		return pk_fail_context(err, "--sort");
	if (pk_load_inputs(c, argc, argv, &runs, err))
		return -1;
	if (!pk_common_metric(c, runs.item[0], &metric, err))
		status = print(c, &runs, &params, err);
	pk_profiles_release(&runs);
	return status;
}

int pk_show_like_pyperf(struct pk_common *c, enum pk_pyperf_view view, int argc, char **argv,
			struct pk_error *err)
{
	struct pk_pyperf_params params = {.view = view, .quiet = c->quiet};
	struct pk_output *out = NULL;
	struct pk_profiles runs;
	int status = -1;

	if (c->format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE,
			       "--like %s prints text: it cannot be combined with --format %s",
			       pk_likes[PK_LIKE_PYPERF + view], pk_notations[c->format]);
	c->read.wanted |= PK_PART_ARGS;
	if (pk_load_inputs(c, argc, argv, &runs, err))
		return -1;
	if (!c->metric || !pk_common_metric(c, runs.item[0], &params.metric, err))
		out = pk_output_open(c->output, err);
	if (out && !pk_pyperf_print(&runs, &params, out, err))
		status = pk_output_commit(out, err);
	else if (out)
		pk_output_discard(out);
	pk_profiles_release(&runs);
	return status;
}

int pk_show_like_callgrind(const struct pk_common *c, struct pk_callgrind_annotate *params,
			   int argc, char **argv, struct pk_error *err)
{
	PK_FREED char *here = getcwd(NULL, 0);
	struct pk_common as_written = *c;
	struct pk_loaded loaded;
	struct pk_output *out;
	int status = -1;

	if (c->demangle == PK_DEMANGLE_AUTO)
		as_written.demangle = PK_DEMANGLE_AS_READ;
	if (c->format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE, "--like callgrind_annotate is text alone");
	if (c->sort)
		return pk_fail(err, PK_EUSAGE,
			       "--like callgrind_annotate sorts by its events: choose one with -m");
	if (pk_load_merged(&as_written, argc, argv, &loaded, err))
		return -1;
	if (!c->metric || !pk_common_metric(c, loaded.one, &params->metric, err)) {
		out = pk_output_open(c->output, err);
		if (out) {
			params->here = here;
			pk_callgrind_annotate(loaded.one, params, out);
			status = pk_output_commit(out, err);
		}
	}
	pk_loaded_release(&loaded);
	return status;
}

int pk_show_like_gprof(const struct pk_common *c, int argc, char **argv, struct pk_error *err)
{
	struct pk_common as_written = *c;
	struct pk_loaded loaded;
	struct pk_output *out;
	uint32_t metric;
	int status = -1;

	if (c->demangle == PK_DEMANGLE_AUTO) /* equal times are in the order of mangled names */
		as_written.demangle = PK_DEMANGLE_AS_READ;
	if (c->format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE, "--like gprof is text alone");
	if (c->sort)
		return pk_fail(err, PK_EUSAGE, "--like gprof sorts by self time");
	if (pk_load_merged(&as_written, argc, argv, &loaded, err))
		return -1;
	if (!pk_common_metric(c, loaded.one, &metric, err)) {
		out = pk_output_open(c->output, err);
		if (out) {
			pk_gprof_flat(loaded.one, metric, c->demangle == PK_DEMANGLE_AUTO, out);
			status = pk_output_commit(out, err);
		}
	}
	pk_loaded_release(&loaded);
	return status;
}

int pk_show_like_hyperfine(const struct pk_common *c, enum pk_hyperfine_view view, int argc,
			   char **argv, struct pk_error *err)
{
	struct pk_hyperfine_params params = {.view = view, .metric = c->metric, .unit = c->unit};
	struct pk_profiles runs;
	struct pk_output *out;
	int status = -1;

	if (c->format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE, "--like %s cannot be combined with --format %s",
			       pk_likes[PK_LIKE_HYPERFINE + view], pk_notations[c->format]);
	if (pk_load_inputs(c, argc, argv, &runs, err))
		return -1;
	out = pk_output_open(c->output, err);
	if (out && !pk_hyperfine_print(&runs, &params, out, err))
		status = pk_output_commit(out, err);
	else if (out)
		pk_output_discard(out);
	pk_profiles_release(&runs);
	return status;
}
