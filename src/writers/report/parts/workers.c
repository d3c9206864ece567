/* How evenly workers shared the work, as `workers` says it, where there are several. */
#include <stdlib.h>

#include "analysis/workers/workers.h"
#include "base/alloc.h"
#include "render/workers/grid.h"
#include "writers/report/parts/parts.h"

enum { WHOLE_LINES = 10000 }; /* the window of the browser breaks them */

static void release(void *result)
{
	pk_workers_release(result);
	free(result);
}

void pk_report_add_workers(struct pk_report_parts *parts, const struct pk_report_data *d)
{
	static const struct pk_workers_options automatic;
	struct pk_workers *workers = pk_calloc(1, sizeof(*workers));
	struct pk_error err = PK_ERROR_INIT;
	struct pk_report_table *table;
	size_t left;

	if (pk_workers_init(workers, d->report->runs, &automatic, &err)) {
		free(workers);
		return;
	}
	if (workers->count < 2) {
		release(workers);
		return;
	}
	table = pk_report_add_table(parts, "workers", "");
	table->result = workers;
	table->release = release;
	pk_workers_grid(&table->grid, workers, PK_REPORT_ROWS, false, 0, &left);
	table->left = (uint32_t)left;
	pk_workers_title(&table->words, workers);
	pk_workers_text(&table->notes, workers, WHOLE_LINES, 0);
}
