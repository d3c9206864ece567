/*
 * Memory over time, and who allocated it, as `memory` says it:
 *
 *	"memory": {"curve": [0, 5, 7], "duration": 3000000, "peak": 7, "peak_at": 2000000}
 *
 * The curve has the highest value in each of so many equal parts of the time. "series" says what it
 * is of, where it is not all that was alive.
 */
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "base/alloc.h"
#include "render/memory/grid.h"
#include "writers/report/parts/parts.h"

enum { POINTS = 600, MOST_IN_LIST = 300 };

static void release(void *result)
{
	pk_memory_release(result);
	free(result);
}

void pk_report_add_memory(struct pk_report_parts *parts, const struct pk_report_data *d)
{
	struct pk_memory *memory = pk_calloc(1, sizeof(*memory));
	struct pk_memory_view view = {
		.memory = memory, .rows = MOST_IN_LIST, .functions = true, .lines = true};
	struct pk_report_table *table;

	pk_memory_init(memory, d->report->profile);
	if (!pk_memory_is_known(memory)) {
		release(memory);
		return;
	}
	table = pk_report_add_table(parts, "memory", "");
	table->result = memory;
	table->release = release;
	pk_memory_summary(&table->words, &view);
	pk_memory_grid(&table->grid, &view);
	parts->memory = memory;
}

void pk_report_memory_json(struct pk_json_writer *w, const struct pk_memory *memory)
{
	PK_BUF_AUTO name = PK_BUF_INIT;
	int64_t value[POINTS], at, peak, highest;

	if (!memory)
		return;
	peak = pk_memory_peak(memory, &at);
	highest = pk_memory_curve(memory, value, POINTS);
	pk_json_put_object(w, "memory");
	pk_json_put(w, "duration %jd peak %jd peak_at %jd highest %jd", memory->duration, peak, at,
		    highest);
	if (memory->series_drawn) {
		pk_memory_curve_name(&name, memory);
		pk_json_put(w, "series %s", name.data);
	}
	pk_json_put_array(w, "curve");
	for (int i = 0; highest != PK_NULL && i < POINTS; i++)
		pk_json_int_or_null(w, value[i]);
	pk_json_end(w);
	pk_json_end(w);
}
