/* diff --like TOOL: two files are the sides; with "--" between them a side may have several. */
#include "tools/commands/diff/like.h"

#include "tools/like/like.h"

enum { NONE, PPROF, PPROF_BASE };
const char *const pk_diff_likes[] = {"profkit", "pprof", "pprof-base", NULL};

int pk_show_diff_like(const struct pk_common *c, const struct pk_diff_like *like, int argc,
		      char **argv, struct pk_error *err)
{
	if (like->match)
		return pk_fail(err, PK_EUSAGE, "--like %s has no --match",
			       pk_diff_likes[like->tool]);
	return pk_show_diff_like_pprof(c, like->tool == PPROF, like->normalize, argc, argv, err);
}
