#pragma once

#include "tools/command.h"
#include "render/bench/hyperfine.h"
#include "render/bench/pyperf/pyperf.h"
#include "render/callgrind/annotate.h"
#include "render/pprof/pprof.h"
#include "render/pstats/text.h"

/*
 * --like TOOL: prints what this tool prints.
 */
enum pk_like {
	PK_LIKE_PROFKIT,
	PK_LIKE_PPROF,
	PK_LIKE_PSTATS,
	PK_LIKE_CALLGRIND,
	PK_LIKE_GPROF,
	PK_LIKE_PYTEST_BENCHMARK,
	PK_LIKE_HYPERFINE,                     /* the first of those of enum pk_hyperfine_view */
	PK_LIKE_PYPERF = PK_LIKE_HYPERFINE + 4 /* the first of those of enum pk_pyperf_view */
};
extern const char *const pk_likes[];

extern const char *const pk_graph_likes[];  /* of the call graph: only pprof */
extern const char *const pk_caller_likes[]; /* of callers and callees: only pstats */

/* Of lines; the versions of line_profiler are as enum pk_line_profiler_version. */
enum pk_line_like {
	PK_LIKE_NO_OTHER,
	PK_LIKE_MEMORY_PROFILER,
	PK_LIKE_LINE_PROFILER,
	PK_LIKE_CALLGRIND_LINES = PK_LIKE_LINE_PROFILER + 5,
};
extern const char *const pk_line_likes[];

#define PK_LIKE_PPROF_OPTION(params, member)                                                      \
	{                                                                                         \
		PK_OPT_NUMBER, "nodefraction", 0, offsetof(params, member), "F",                  \
			.fallback = "0.005",                                                      \
			.help = "with --like pprof: leave out what is less than this part of all" \
	}
#define PK_LIKE_HELP "print exactly what this tool prints"

/* --like pprof of hotspots and tree: view, match and fraction are set before, the rest here. */
int pk_show_like_pprof(const struct pk_common *c, struct pk_pprof_params *params, int argc,
		       char **argv, struct pk_error *err);

/* diff: the first side is the base. Percentages are of the total of the base, or without `of_base`
 * of all differences. normalize: the second side is scaled to the total of the base. */
int pk_show_diff_like_pprof(const struct pk_common *c, bool of_base, bool normalize, int argc,
			    char **argv, struct pk_error *err);

/* match: a Python RE that restricts the functions, before -n does; NULL = none. */
int pk_show_like_pstats(const struct pk_common *c, enum pk_pstats_what what, const char *match,
			bool strip_dirs, int argc, char **argv, struct pk_error *err);

/* -q is pyperf's: no warnings. */
int pk_show_like_pyperf(struct pk_common *c, enum pk_pyperf_view view, int argc, char **argv,
			struct pk_error *err);
/* --like callgrind_annotate; the metric is set here. */
int pk_show_like_callgrind(const struct pk_common *c, struct pk_callgrind_annotate *params,
			   int argc, char **argv, struct pk_error *err);
/* --like gprof: the flat profile. */
int pk_show_like_gprof(const struct pk_common *c, int argc, char **argv, struct pk_error *err);
int pk_show_like_hyperfine(const struct pk_common *c, enum pk_hyperfine_view view, int argc,
			   char **argv, struct pk_error *err);
