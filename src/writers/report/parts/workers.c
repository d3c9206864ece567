/* How evenly workers shared the work, as `workers` says it, where there are several. */
#include "analysis/workers/workers.h"
#include "render/workers/grid.h"
#include "writers/report/parts/parts.h"

enum { WHOLE_LINES = -1 }; /* the window of the browser breaks them */

void pk_report_add_workers(struct pk_report_parts *parts, const struct pk_report_data *d)
{
	const struct pk_report *r = d->report;
	const struct pk_workers *workers = r->workers;
	struct pk_report_table *table;
	size_t left;

	if (!workers || workers->count < 2 || workers->sum[PK_WORK_USEFUL] <= 0 ||
	    (r->comparison && r->runs->count > 1 && !r->profile->process.rank))
		return; /* runs of a side that are no ranks did the same work several times */
	table = pk_report_add_table(parts, "workers", "");
	pk_workers_grid(&table->grid, workers, PK_REPORT_ROWS, false, 0, &left);
	table->left = (uint32_t)left;
	pk_workers_title(&table->words, workers);
	pk_workers_text(&table->notes, workers, WHOLE_LINES, 0);
}
