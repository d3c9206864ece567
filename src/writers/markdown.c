/*
 * Markdown: the table of hotspots, as `profkit hotspots --format markdown` prints it.
 *
 *	before.prof (pstats): time
 *
 *	| calls | self (ms) | total (ms) | function |
 *	| ---: | ---: | ---: | --- |
 *	| 12,000 | 185.22 | 185.22 | price\_of (orders.py:30) |
 */
#include "writers/table.h"

static int write_markdown(const struct pk_profiles *list, const void *params, struct pk_output *out,
			  struct pk_error *err)
{
	return pk_write_table(list->item[0], params, PK_MARKDOWN, out, err);
}

static const char *const suffixes[] = {".md", ".markdown", NULL};

const struct pk_writer pk_writer_markdown = {
	.name = "markdown",
	.title = "table of functions, as profkit hotspots --format markdown",
	.suffixes = suffixes,
	.opts = pk_table_options,
	.params_size = sizeof(struct pk_table_params),
	.keeps = PK_TABLE_KEEPS,
	.benchmarks = true,
	.write = write_markdown,
};
