/*
 * CSV: the table of hotspots, as `profkit hotspots --format csv` prints it; its keys are
 * documented in profkit-output(5).
 */
#include "analysis/hotspots/hotspots.h"
#include "render/bench/grid.h"
#include "render/tables.h"
#include "writers/writer.h"

struct params {
	const char *metric, *sort;
};

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "metric", 0, offsetof(struct params, metric), "NAME",
	 .help = "the metric to write (default: the first)"},
	{PK_OPT_TEXT, "sort", 0, offsetof(struct params, sort), "COLUMN", .fallback = "self",
	 .help = "order of functions, as in profkit hotspots --sort"},
	PK_OPT_LAST,
};

static int write_benchmarks(const struct pk_profile *p, uint32_t metric, const char *sort,
			    struct pk_output *out, struct pk_error *err)
{
	struct pk_bench_options choice = {.sort = sort};
	struct pk_grid_frame frame = {.schema = "benchmarks"};
	struct pk_bench_table table;
	struct pk_grid grid;

	if (pk_bench_table_init(&table, p, metric, &choice, err))
		return -1;
	pk_bench_grid(&grid, &table, table.count, false, NULL, err);
	pk_grid_render(&grid, PK_CSV, &frame, out);
	pk_grid_release(&grid);
	pk_bench_table_release(&table);
	return 0;
}

static int write_csv(const struct pk_profiles *list, const void *params, struct pk_output *out,
		     struct pk_error *err)
{
	const struct params *o = params;
	const struct pk_profile *p = list->item[0];
	struct pk_hotspot_options choice = {.min_share = 0};
	struct pk_grid_frame frame = {.schema = "hotspots"};
	uint32_t metric = pk_metric_find(p, o->metric);
	struct pk_hotspots hotspots;
	struct pk_grid grid;

	if (!metric)
		return pk_fail(err, PK_EUSAGE, "no metric '%s'", o->metric ? o->metric : "1");
	if (pk_is_benchmark(p))
		return write_benchmarks(p, metric, o->sort, out, err);
	if (pk_sort_parse(&choice.sort, o->sort, err) ||
	    pk_hotspots_init(&hotspots, p, metric, &choice, err))
		return -1;
	pk_hotspots_grid(&grid, &hotspots, hotspots.count, false);
	pk_grid_render(&grid, PK_CSV, &frame, out);
	pk_grid_release(&grid);
	pk_hotspots_release(&hotspots);
	return 0;
}

/* Their table has columns for them. */
static unsigned also_keeps(const struct pk_profile *p)
{
	return pk_is_benchmark(p) ? PK_PART_LABELS : 0;
}

static const struct pk_kept_if kept_if[] = {{.parts = PK_PART_LABELS, .when = "of benchmarks"},
					    {0}};

static const char *const suffixes[] = {".csv", NULL};

const struct pk_writer pk_writer_csv = {
	.name = "csv",
	.title = "table of functions, as profkit hotspots --format csv",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_CALLS | PK_PART_FILES,
	.kept_if = kept_if,
	.also_keeps = also_keeps,
	.benchmarks = true,
	.write = write_csv,
};
