/* The table of profkit gpu that compares ranks: who computes longer, who comes last. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "render/gpu/internal.h"

enum {
	R_PLACE,
	R_RANK,
	R_GPU,
	R_STEP,
	R_COMPUTATION,
	R_AGAINST,
	R_COMMUNICATION,
	R_EXPOSED,
	R_IDLE,
	R_LAST,
	R_WAITED,
	R_COLUMNS
};

static const struct pk_grid_column columns[R_COLUMNS] = {
	PK_GPU_RANK_COLUMNS(R_RANK, R_GPU, R_PLACE),
	[R_STEP] = {"step_time", "step", PK_CELL_VALUE, "ns", .help = "Time of a step"},
	[R_COMPUTATION] = {"computation", "compute", PK_CELL_VALUE, "ns",
			   .help = "Time in which kernels that compute ran"},
	[R_AGAINST] = {"computation_ratio", "to median", PK_CELL_RATIO,
		       .help = "computation / its median over all GPUs: a GPU that computes longer "
			       "keeps the others waiting"},
	[R_COMMUNICATION] = {"communication", "comm", PK_CELL_VALUE, "ns",
			     .help = "Time in which kernels that communicate ran"},
	[R_EXPOSED] = {"exposed_communication", "exposed comm", PK_CELL_VALUE, "ns",
		       .help = "Part of communication during which nothing computed"},
	[R_IDLE] = {"idle", "idle", PK_CELL_VALUE, "ns", .help = "Time in which nothing ran"},
	[R_LAST] = {"last", "last", PK_CELL_INT,
		    .help = "Number of collectives in all steps that this rank began last; null "
			    "with one GPU"},
	[R_WAITED] = {"kept_waiting", "kept waiting", PK_CELL_VALUE, "ns",
		      .help = "Time that the first rank waited for it in these collectives, in all "
			      "steps"},
};
const struct pk_grid_columns pk_gpu_rank_columns = PK_GRID_COLUMNS(columns);

void pk_gpu_rank_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	double median = pk_gpu_median_computation(g);

	pk_grid_init(grid, columns, R_COLUMNS);
	grid->spare = 1U << R_AGAINST | 1U << R_COMMUNICATION | 1U << R_EXPOSED | 1U << R_IDLE;
	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];
		struct pk_cell *row = pk_grid_row(grid, 0);
		int64_t computation = pk_gpu_ran(&d->times, PK_GPU_COMPUTATION);

		pk_gpu_place_cells(grid, &row[R_RANK], &row[R_GPU], people ? &row[R_PLACE] : NULL,
				   g, d);
		pk_cell_int(&row[R_STEP], pk_gpu_whole(&d->times) / d->windows);
		pk_cell_int(&row[R_COMPUTATION], computation / d->windows);
		pk_cell_real(&row[R_AGAINST], (double)computation / d->windows / median);
		pk_cell_int(&row[R_COMMUNICATION],
			    pk_gpu_ran(&d->times, PK_GPU_COMMUNICATION) / d->windows);
		pk_cell_int(&row[R_EXPOSED],
			    pk_gpu_exposed(&d->times, PK_GPU_COMMUNICATION) / d->windows);
		pk_cell_int(&row[R_IDLE], pk_gpu_idle_time(&d->times) / d->windows);
		if (g->devices < 2)
			continue;
		pk_cell_int(&row[R_LAST], d->last);
		pk_cell_int(&row[R_WAITED], d->kept_waiting);
	}
}
