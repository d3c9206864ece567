/*
 * Benchmarks, as `hotspots` lists them, for each metric of the page, and the values of each row:
 *
 *	"values": [[0.00123, 0.00121], []]
 */
#include <stdlib.h>

#include "analysis/bench/table.h"
#include "base/alloc.h"
#include "render/bench/grid.h"
#include "writers/report/parts/parts.h"

enum { MOST_VALUES = 60, MOST_STRIPS = 300 };

static void release(void *result)
{
	pk_bench_table_release(result);
	free(result);
}

/* Thins out many values: keeps every n-th, in the order of the file. */
static void put_values(struct pk_json_writer *w, const struct pk_benchmark *row)
{
	uint32_t shown = row->count < MOST_VALUES ? row->count : MOST_VALUES;

	pk_json_flat_array(w);
	for (uint32_t i = 0; i < shown; i++)
		pk_json_double(w, row->value[(uint64_t)i * row->count / shown], 7);
	pk_json_end(w);
}

static void put_strips(struct pk_json_writer *w, const void *result, uint32_t rows)
{
	const struct pk_bench_table *t = result;

	pk_json_put_array(w, "values");
	for (uint32_t i = 0; i < t->count && i < rows && i < MOST_STRIPS; i++)
		put_values(w, t->line[i].row);
	pk_json_end(w);
}

void pk_report_add_benchmarks(struct pk_report_parts *parts, const struct pk_report_data *d)
{
	static const struct pk_bench_options all;
	const struct pk_profile *p = d->report->profile;

	if (!pk_is_benchmark(p))
		return;
	for (uint32_t m = 0; m < d->metric_count; m++) {
		struct pk_bench_table *bench = pk_calloc(1, sizeof(*bench));
		struct pk_error err = PK_ERROR_INIT;
		struct pk_report_table *table;

		/* fails for regular expressions and orders only */
		pk_bench_table_init(bench, p, d->metric[m], &all, &err);
		table = pk_report_add_table(parts, "benchmarks", "");
		table->metric = m;
		table->result = bench;
		table->release = release;
		table->put_more = put_strips;
		pk_bench_grid(&table->grid, bench, UINT32_MAX, false, NULL, &err);
	}
}
