#ifndef PK_LIKE_H
#define PK_LIKE_H

#include "tools/command.h"
#include "render/pstats/text.h"

/*
 * --like pstats: what `python -m pstats` prints, instead of a table of profkit's own.
 */
enum pk_like { PK_LIKE_PROFKIT, PK_LIKE_PSTATS };
extern const char *const pk_likes[];

#define PK_LIKE_HELP "print exactly what this tool prints"

/* match: an RE of Python that restricts the functions; NULL = none. It comes before -n. */
int pk_show_like_pstats(const struct pk_common *c, enum pk_pstats_what what, const char *match,
			bool strip_dirs, int argc, char **argv, struct pk_error *err);

#endif
