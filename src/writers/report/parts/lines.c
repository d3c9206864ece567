/* The lines of functions, as `lines` has them, for each metric of the page. */
#include <stdlib.h>

#include "analysis/lines/lines.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "render/lines/grid.h"
#include "writers/report/parts/parts.h"

enum { CONTEXT = 2, MOST_GROUPS = 500 };

static void release(void *result)
{
	pk_lines_release(result);
	free(result);
}

static void add_words(struct pk_report_table *table, const struct pk_lines *l)
{
	double unplaced = pk_share(l->unplaced, pk_whole(l->profile, l->metric, l->total));

	if (pk_lines_include_calls(l->profile))
		pk_buf_adds(&table->words,
			    "The time of a line includes the functions that it calls.\n");
	if (unplaced >= 0.0005)
		pk_buf_addf(&table->notes, "%s of self in functions whose lines are not known\n",
			    pk_in_percent(unplaced).text);
}

static void add_metric(struct pk_report_parts *parts, const struct pk_report_data *d, uint32_t m)
{
	static const struct pk_lines_options all = {.sort = {.key = {PK_SORT_SELF}, .count = 1},
						    .may_be_absent = true};
	const struct pk_lines_view view = {.extent = PK_LINES_WITH,
					   .context = CONTEXT,
					   .folders = d->report->source,
					   .folder_count = d->report->sources,
					   .numbers_only = !d->report->sources,
					   .plain_heads = true};
	struct pk_lines *lines = pk_calloc(1, sizeof(*lines));
	struct pk_error err = PK_ERROR_INIT;
	struct pk_lines_sources sources;
	struct pk_report_table *table;

	if (pk_lines_init(lines, d->report->profile, d->metric[m], &all, &err)) {
		free(lines);
		return;
	}
	if (!lines->row_count) {
		release(lines);
		return;
	}
	table = pk_report_add_table(parts, "lines", "");
	table->metric = m;
	table->result = lines;
	table->release = release;
	table->left = lines->group_count > MOST_GROUPS ? lines->group_count - MOST_GROUPS : 0;
	pk_lines_grid(&table->grid, lines, MOST_GROUPS, &view, true, &sources);
	add_words(table, lines);
	if (view.numbers_only)
		pk_buf_adds(&table->words,
			    "A page made with --source DIR shows the text of lines, too.\n");
	pk_lines_say_missing(&table->words, &sources);
	if (sources.changed.len)
		pk_buf_adds(&table->notes, sources.changed.data);
	pk_buf_release(&sources.changed);
}

void pk_report_add_lines(struct pk_report_parts *parts, const struct pk_report_data *d)
{
	if (!pk_has_lines(d->report->profile))
		return;
	for (uint32_t m = 0; m < d->metric_count; m++)
		add_metric(parts, d, m);
}
