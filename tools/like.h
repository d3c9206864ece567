#pragma once

#include "tools/command.h"
#include "render/pstats/text.h"

/*
 * --like pstats: prints what `python -m pstats` prints.
 */
enum pk_like { PK_LIKE_PROFKIT, PK_LIKE_PSTATS };
extern const char *const pk_likes[];

/* Of lines; the versions of line_profiler are as enum pk_line_profiler_version. */
enum pk_line_like { PK_LIKE_NO_OTHER, PK_LIKE_MEMORY_PROFILER, PK_LIKE_LINE_PROFILER };
extern const char *const pk_line_likes[];

#define PK_LIKE_HELP "print exactly what this tool prints"

/* match: a Python RE that restricts the functions, before -n does; NULL = none. */
int pk_show_like_pstats(const struct pk_common *c, enum pk_pstats_what what, const char *match,
			bool strip_dirs, int argc, char **argv, struct pk_error *err);
