#include "tools/like.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const char *const pk_likes[] = {"profkit", "pstats", NULL};

/* The file whose date pstats prints; a run of a store has none. */
static const char *path_of(const struct pk_profile *p, int argc, char **argv)
{
	const char *source = pk_text(p, p->run.source[1]);

	for (int i = 0; i < argc; i++)
		if (!strcmp(argv[i], source))
			return source;
	return NULL;
}

static int print(const struct pk_common *c, const struct pk_profiles *runs, int argc, char **argv,
		 struct pk_pstats_params *params, struct pk_error *err)
{
	const char **paths = pk_calloc(runs->count, sizeof(*paths));
	struct pk_output *out;
	int status = -1;
	size_t i;

	for (i = 0; i < runs->count; i++)
		paths[i] = path_of(runs->item[i], argc, argv);
	params->path = paths;
	out = pk_output_open(c->output, err);
	if (out) {
		status = pk_pstats_print(runs, params, out, err);
		if (status)
			pk_output_discard(out);
		else
			status = pk_output_commit(out, err);
	}
	free(paths);
	return status;
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
	};
	struct pk_profiles runs;
	uint32_t metric;
	int status = -1;

	if (c->format > PK_TEXT)
		return pk_fail(err, PK_EUSAGE, "--like pstats is text, and has no --format %s",
			       pk_notations[c->format]);
	if (c->sort && pk_sort_parse(&params.sort, c->sort, err))
		return pk_fail_context(err, "--sort");
	if (pk_load_inputs(c, argc, argv, &runs, err))
		return -1;
	if (!pk_common_metric(c, runs.item[0], &metric, err))
		status = print(c, &runs, argc, argv, &params, err);
	pk_profiles_release(&runs);
	return status;
}
