/* The table of functions, or of benchmarks, as an output format: see table.h. */
#include "writers/table.h"

#include "analysis/hotspots/hotspots.h"
#include "render/bench/grid.h"
#include "render/tables.h"

const struct pk_opt pk_table_options[] = {
	{PK_OPT_TEXT, "metric", 0, offsetof(struct pk_table_params, metric), "NAME",
	 .help = "the metric to write (default: the first)"},
	{PK_OPT_TEXT, "sort", 0, offsetof(struct pk_table_params, sort), "COLUMN",
	 .fallback = "self", .help = "order of functions, as in profkit hotspots --sort"},
	PK_OPT_LAST,
};

/* Benchmarks have columns for them. */
unsigned pk_table_also_keeps(const struct pk_profile *p)
{
	return pk_is_benchmark(p) ? PK_PART_LABELS : 0;
}

const struct pk_kept_if pk_table_kept_if[] = {{.parts = PK_PART_LABELS, .when = "of benchmarks"},
					      {0}};

/* Notations for people have units and groups, those for programs plain numbers. */
static bool is_for_people(enum pk_notation notation)
{
	return notation == PK_MARKDOWN;
}

static void render(struct pk_grid *grid, const char *schema, const struct pk_profile *p,
		   uint32_t metric, enum pk_notation notation, struct pk_output *out)
{
	struct pk_grid_frame frame = {.schema = schema};

	pk_buf_addf(&frame.title, "%s (%s): %s\n", pk_text(p, p->run.source[1]),
		    pk_text(p, p->run.format[1]), pk_text(p, p->metric.name[metric]));
	pk_grid_render(grid, notation, &frame, out);
	pk_grid_frame_release(&frame);
	pk_grid_release(grid);
}

static int write_benchmarks(const struct pk_profile *p, uint32_t metric,
			    const struct pk_table_params *o, enum pk_notation notation,
			    struct pk_output *out, struct pk_error *err)
{
	struct pk_bench_options choice = {.sort = o->sort};
	struct pk_bench_table table;
	struct pk_grid grid;

	if (pk_bench_table_init(&table, p, metric, &choice, err))
		return -1;
	pk_bench_grid(&grid, &table, table.count, is_for_people(notation), NULL, err);
	render(&grid, "benchmarks", p, metric, notation, out);
	pk_bench_table_release(&table);
	return 0;
}

int pk_write_table(const struct pk_profile *p, const struct pk_table_params *o,
		   enum pk_notation notation, struct pk_output *out, struct pk_error *err)
{
	struct pk_hotspot_options choice = {.min_share = 0};
	uint32_t metric = pk_metric_find(p, o->metric);
	struct pk_hotspots hotspots;
	struct pk_grid grid;

	if (!metric)
		return pk_fail(err, PK_EUSAGE, "no metric '%s'", o->metric ? o->metric : "1");
	if (pk_is_benchmark(p))
		return write_benchmarks(p, metric, o, notation, out, err);
	if (pk_sort_parse(&choice.sort, o->sort, err) ||
	    pk_hotspots_init(&hotspots, p, metric, &choice, err))
		return -1;
	pk_hotspots_grid(&grid, &hotspots, hotspots.count, is_for_people(notation));
	render(&grid, "hotspots", p, metric, notation, out);
	pk_hotspots_release(&hotspots);
	return 0;
}
