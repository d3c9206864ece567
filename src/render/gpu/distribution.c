/* The table of profkit gpu for many ranks: how the steps of ranks differ, and which ranks are the
 * extremes. */
#include "analysis/gpu/ranks/distribution.h"

#include "render/gpu/internal.h"

enum {
	D_WHAT,
	D_LEAST,
	D_P5,
	D_MEDIAN,
	D_P95,
	D_MOST,
	D_LEAST_RANK,
	D_MOST_RANK,
	D_LEAST_IN,
	D_MOST_IN,
	D_COLUMNS
};

static const struct pk_grid_column columns[D_COLUMNS] = {
	[D_WHAT] = {"what", "what", PK_CELL_TEXT,
		    .help = "step, a part of it, busy, communication, or kept_waiting: how long "
			    "others waited in collectives that this GPU began last, of all steps"},
	[D_LEAST] = {"min", "min", PK_CELL_VALUE, "ns",
		     .help = "Smallest value of all GPUs; each GPU counts with its mean step"},
	[D_P5] = {"p5", "p5", PK_CELL_VALUE, "ns",
		  .help = "Value at position ceil(0.05 * GPUs) in ascending order"},
	[D_MEDIAN] = {"median", "median", PK_CELL_VALUE, "ns", .help = "Value at 0.5 * GPUs"},
	[D_P95] = {"p95", "p95", PK_CELL_VALUE, "ns", .help = "Value at 0.95 * GPUs"},
	[D_MOST] = {"max", "max", PK_CELL_VALUE, "ns", .help = "The most"},
	[D_LEAST_RANK] = {"min_rank", NULL, PK_CELL_NUMBER,
			  .help = "Rank of the GPU with the smallest value; null if not known"},
	[D_MOST_RANK] = {"max_rank", NULL, PK_CELL_NUMBER,
			 .help = "Rank of the GPU with the largest value"},
	[D_LEAST_IN] = {"min_in", "min in", PK_CELL_TEXT, .help = "GPU with the smallest value"},
	[D_MOST_IN] = {"max_in", "max in", PK_CELL_TEXT, .help = "GPU with the largest value"},
};
const struct pk_grid_columns pk_gpu_distribution_columns = PK_GRID_COLUMNS(columns);

static void put_place(struct pk_grid *grid, struct pk_cell *row, int rank, int in,
		      const struct pk_gpu *g, uint32_t device)
{
	const struct pk_gpu_device *d = &g->device[device];
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_cell_int(&row[rank], g->trace[d->trace].rank);
	pk_gpu_add_place(&name, g, d);
	pk_cell_copy(grid, &row[in], &name);
}

void pk_gpu_distribution_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	(void)people;
	pk_grid_init(grid, columns, D_COLUMNS);
	grid->unit = "ns";
	grid->spare = 1U << D_LEAST_IN | 1U << D_P5;
	for (int what = 0; what < PK_GPU_FIGURES; what++) {
		struct pk_gpu_distribution d;
		struct pk_cell *row;

		pk_gpu_distribute(&d, g, (enum pk_gpu_figure)what);
		if (!d.most && what) /* no rank has any */
			continue;
		row = pk_grid_row(grid, 0);
		pk_cell_text(&row[D_WHAT], pk_gpu_figures[what]);
		pk_cell_int(&row[D_LEAST], d.least);
		pk_cell_int(&row[D_P5], d.p5);
		pk_cell_int(&row[D_MEDIAN], d.median);
		pk_cell_int(&row[D_P95], d.p95);
		pk_cell_int(&row[D_MOST], d.most);
		if (d.least == d.most)
			continue;
		put_place(grid, row, D_LEAST_RANK, D_LEAST_IN, g, d.least_in);
		put_place(grid, row, D_MOST_RANK, D_MOST_IN, g, d.most_in);
	}
}
