/* Tables of profkit gpu: sequences of kernels; memory. */
#include "render/gpu/internal.h"

enum { S_OPERATOR, S_COUNT, S_LENGTH, S_DEVICE, S_HOST, S_KERNELS, S_COLUMNS };

static const struct pk_grid_column sequence_columns[S_COLUMNS] = {
	[S_OPERATOR] = {"operator", "operator", PK_CELL_TEXT,
			.help = "Name of the operator that launches them, with what it calls"},
	[S_COUNT] = {"count", "count", PK_CELL_INT, .help = "How often it does"},
	[S_LENGTH] = {"length", "length", PK_CELL_INT, .help = "Number of kernels and copies"},
	[S_DEVICE] = {"device", "GPU time", PK_CELL_VALUE, "ns", .help = "Sum of their durations"},
	[S_HOST] = {"host", "host time", PK_CELL_VALUE, "ns",
		    .help = "Sum of those of the operators"},
	[S_KERNELS] = {"kernels", "kernels", PK_CELL_TEXT,
		       .help = "Their names, in the order in which they begin: the first 32"},
};
const struct pk_grid_columns pk_gpu_sequence_columns = PK_GRID_COLUMNS(sequence_columns);

void pk_gpu_sequence_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	(void)people;
	pk_grid_init(grid, sequence_columns, S_COLUMNS);
	for (uint32_t i = 0; i < g->sequences; i++) {
		const struct pk_gpu_sequence *s = &g->sequence[i];
		struct pk_cell *row = pk_grid_row(grid, 0);

		pk_cell_text(&row[S_OPERATOR], pk_gpu_name(&g->names, s->operator_name));
		pk_cell_int(&row[S_COUNT], s->count);
		pk_cell_int(&row[S_LENGTH], s->length);
		pk_cell_int(&row[S_DEVICE], s->device);
		pk_cell_int(&row[S_HOST], s->host);
		pk_cell_text(&row[S_KERNELS], pk_gpu_name(&g->names, s->kernels));
	}
}

enum { A_RANK, A_NAME, A_PEAK, A_TIME, A_LAST, A_RESERVED, A_CHANGES, A_COLUMNS };

static const struct pk_grid_column memory_columns[A_COLUMNS] = {
	[A_RANK] =
		{"rank", "rank", PK_CELL_NUMBER,
		 .help = "Rank of the trace in a distributed program; null if the trace does not "
			 "say it"},
	[A_NAME] = {"name", "memory", PK_CELL_TEXT, .help = "Whose memory"},
	[A_PEAK] = {"peak", "peak", PK_CELL_VALUE, "bytes", .help = "The most that was allocated"},
	[A_TIME] = {"peak_time", "at", PK_CELL_VALUE, "ns",
		    .help = "When that was, from the start of the run"},
	[A_LAST] = {"last", "in the end", PK_CELL_VALUE, "bytes",
		    .help = "What was allocated in the end"},
	[A_RESERVED] =
		{"reserved", "reserved", PK_CELL_VALUE, "bytes",
		 .help = "The most that the allocator had reserved; null if it is not known"},
	[A_CHANGES] = {"changes", "changes", PK_CELL_INT,
		       .help = "Number of allocations and frees that were recorded"},
};
const struct pk_grid_columns pk_gpu_memory_columns = PK_GRID_COLUMNS(memory_columns);

void pk_gpu_memory_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	(void)people;
	pk_grid_init(grid, memory_columns, A_COLUMNS);
	for (uint32_t i = 0; i < g->memories; i++) {
		const struct pk_gpu_memory *m = &g->memory[i];
		struct pk_cell *row = pk_grid_row(grid, 0);

		pk_cell_int(&row[A_RANK], g->trace[m->trace].rank);
		pk_cell_text(&row[A_NAME], pk_gpu_name(&g->names, m->name));
		pk_cell_int(&row[A_PEAK], m->peak);
		pk_cell_int(&row[A_TIME], m->peak_time);
		pk_cell_int(&row[A_LAST], m->last);
		pk_cell_int(&row[A_RESERVED], m->reserved);
		pk_cell_int(&row[A_CHANGES], m->changes);
	}
}
