/* Tables of profkit gpu: kernels, calls that launch them, copies and collectives, of all traces. */
#include <math.h>
#include <string.h>

#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "render/gpu/internal.h"

enum {
	K_KIND,
	K_CALLS,
	K_TOTAL,
	K_SHARE,
	K_MEAN,
	K_MIN,
	K_MAX,
	K_STDDEV,
	K_OCCUPANCY,
	K_GRID,
	K_BLOCK,
	K_SIZES,
	K_REGISTERS,
	K_SHARED,
	K_NAME,
	K_SHOWN, /* for people: the name below a heading for each enum pk_gpu_by */
	K_COLUMNS = K_SHOWN + PK_GPU_BYS
};

static const struct pk_grid_column kernel_columns[K_COLUMNS] = {
	[K_KIND] = {"kind", "kind", PK_CELL_TEXT,
		    .help = "`computation`, `communication` or `copy` (copies and sets of memory)"},
	[K_CALLS] = {"calls", "calls", PK_CELL_INT, .help = "How often it ran, on all GPUs"},
	[K_TOTAL] = {"total", "total", PK_CELL_VALUE, "ns",
		     .help = "Sum of its durations; calls that ran at the same time count twice"},
	[K_SHARE] = {"share", "share", PK_CELL_SHARE,
		     .help = "Share of total in the sum of all kernels and copies"},
	[K_MEAN] = {"mean", "mean", PK_CELL_EACH, "ns", .help = "Mean duration"},
	[K_MIN] = {"min", "min", PK_CELL_EACH, "ns", .help = "Shortest duration"},
	[K_MAX] = {"max", "max", PK_CELL_EACH, "ns", .help = "Longest duration"},
	[K_STDDEV] = {"stddev", NULL, PK_CELL_REAL,
		      .help = "Sample standard deviation of the durations, in ns; null for one "
			      "call"},
	[K_OCCUPANCY] =
		{"occupancy", "occupancy", PK_CELL_SHARE,
		 .help = "Share of the warps of a GPU that it kept busy, as torch or XLA "
			 "estimates it: the mean over its time; null if the trace does not say it"},
	[K_GRID] = {"grid", "grid", PK_CELL_TEXT,
		    .help = "Grid of most of its calls, in blocks: `106x4x1`; null if the trace "
			    "does not tell, and with `--by`"},
	[K_BLOCK] = {"block", "block", PK_CELL_TEXT, .help = "Threads of a block in these calls"},
	[K_SIZES] = {"sizes", "sizes", PK_CELL_INT,
		     .help = "Number of different launch sizes: grid, block, registers and shared "
			     "memory"},
	[K_REGISTERS] = {"registers", "regs", PK_CELL_INT,
			 .help = "Registers of a thread, at the size that most calls have"},
	[K_SHARED] = {"shared_memory", "shared B", PK_CELL_INT,
		      .help = "Shared memory of a block in bytes, at that size"},
	[K_NAME] = {"name", NULL, PK_CELL_TEXT,
		    .help = "Name of the kernel, or what is copied; with `--by`, that of what "
			    "it is added up by"},
	[K_SHOWN + PK_GPU_BY_NAME] = {.heading = "kernel", .type = PK_CELL_TEXT},
	[K_SHOWN + PK_GPU_BY_KIND] = {.heading = "kind of work", .type = PK_CELL_TEXT},
	[K_SHOWN + PK_GPU_BY_OPERATOR] = {.heading = "operator", .type = PK_CELL_TEXT},
	[K_SHOWN + PK_GPU_BY_SHAPE] = {.heading = "operator and shapes of its inputs",
				       .type = PK_CELL_TEXT},
	[K_SHOWN + PK_GPU_BY_MODULE] = {.heading = "module", .type = PK_CELL_TEXT},
	[K_SHOWN + PK_GPU_BY_STACK] = {.heading = "stack", .type = PK_CELL_TEXT},
	[K_SHOWN + PK_GPU_BY_ANNOTATION] = {.heading = "annotation", .type = PK_CELL_TEXT},
};
const struct pk_grid_columns pk_gpu_kernel_columns = PK_GRID_COLUMNS(kernel_columns);

static void put_size(struct pk_cell *row, const struct pk_gpu *g, const struct pk_gpu_kernel *k)
{
	const struct pk_gpu_size *size;

	if (!k->sizes)
		return;
	size = &g->size[k->size];
	pk_cell_text(&row[K_GRID], size->grid ? pk_texts_get(&g->names, size->grid) : NULL);
	pk_cell_text(&row[K_BLOCK], size->block ? pk_texts_get(&g->names, size->block) : NULL);
	pk_cell_int(&row[K_SIZES], k->sizes);
	pk_cell_int(&row[K_REGISTERS], size->registers);
	pk_cell_int(&row[K_SHARED], size->shared);
}

void pk_gpu_kernel_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	uint32_t count;
	PK_FREED struct pk_gpu_kernel *k = pk_gpu_merged_kernels(g, &count);
	int64_t total = 0;

	pk_grid_init(grid, kernel_columns, people ? K_COLUMNS : K_SHOWN);
	grid->spare = 1U << K_MIN | 1U << K_MAX | 1U << K_GRID | 1U << K_BLOCK | 1U << K_SIZES |
		      1U << K_REGISTERS | 1U << K_SHARED | 1U << K_OCCUPANCY | 1U << K_KIND;
	if (g->by == PK_GPU_BY_NAME)
		pk_gpu_find_sizes(g, k, count);
	for (uint32_t i = 0; i < count; i++)
		pk_add_saturated(&total, k[i].total);
	for (uint32_t i = 0; i < count; i++) {
		struct pk_cell *row = pk_grid_row(grid, 0);

		pk_cell_text(&row[K_KIND], pk_gpu_kinds[k[i].kind]);
		pk_cell_text(&row[K_NAME], pk_texts_get(&g->names, k[i].name));
		if (people)
			pk_cell_text(&row[K_SHOWN + g->by], pk_texts_get(&g->names, k[i].name));
		pk_cell_int(&row[K_CALLS], k[i].calls);
		pk_cell_int(&row[K_TOTAL], k[i].total);
		pk_cell_real(&row[K_SHARE], pk_share(k[i].total, total));
		pk_cell_int(&row[K_MEAN], (int64_t)(k[i].mean + 0.5));
		pk_cell_int(&row[K_MIN], k[i].shortest);
		pk_cell_int(&row[K_MAX], k[i].longest);
		pk_cell_real(&row[K_STDDEV], pk_gpu_stddev(k[i].squares, k[i].calls));
		if (k[i].occupancy_time)
			pk_cell_real(&row[K_OCCUPANCY],
				     k[i].occupancy / (double)k[i].occupancy_time);
		put_size(row, g, &k[i]);
	}
}

enum {
	L_NAME,
	L_CALLS,
	L_HOST,
	L_HOST_MEAN,
	L_DEVICE,
	L_DELAY_MEAN,
	L_DELAY_MAX,
	L_SHORT,
	L_SLOW,
	L_LATE,
	L_COLUMNS
};

static const struct pk_grid_column launch_columns[L_COLUMNS] = {
	[L_NAME] = {"name", "call", PK_CELL_TEXT, .help = "Function that was called"},
	[L_CALLS] = {"calls", "calls", PK_CELL_INT,
		     .help = "Number of its calls that launched work that is in the trace"},
	[L_HOST] = {"host", "host time", PK_CELL_VALUE, "ns", .help = "Sum of their durations"},
	[L_HOST_MEAN] = {"host_mean", "mean", PK_CELL_EACH, "ns", .help = "Their mean duration"},
	[L_DEVICE] = {"device", "GPU time", PK_CELL_VALUE, "ns",
		      .help = "Sum of the durations of the work that they launched"},
	[L_DELAY_MEAN] =
		{"delay_mean", "mean delay", PK_CELL_EACH, "ns",
		 .help = "Mean time from the end of a call to the begin of its work, 0 if that "
			 "began before"},
	[L_DELAY_MAX] = {"delay_max", "longest delay", PK_CELL_EACH, "ns", .help = "The longest"},
	[L_SHORT] = {"short_works", "short", PK_CELL_INT,
		     .help = "Number of works that were shorter than the call that launched them"},
	[L_SLOW] = {"slow_calls", "slow", PK_CELL_INT, .help = "Calls of more than 50 us"},
	[L_LATE] = {"late_works", "late", PK_CELL_INT, .help = "Delays of more than 100 us"},
};
const struct pk_grid_columns pk_gpu_launch_columns = PK_GRID_COLUMNS(launch_columns);

void pk_gpu_launch_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	uint32_t count;
	PK_FREED struct pk_gpu_call *c = pk_gpu_merged_calls(g, &count);

	(void)people;
	pk_grid_init(grid, launch_columns, L_COLUMNS);
	grid->spare = 1U << L_HOST_MEAN | 1U << L_DEVICE | 1U << L_DELAY_MAX | 1U << L_SLOW |
		      1U << L_LATE;
	for (uint32_t i = 0; i < count; i++) {
		struct pk_cell *row = pk_grid_row(grid, 0);

		pk_cell_text(&row[L_NAME], pk_texts_get(&g->names, c[i].name));
		pk_cell_int(&row[L_CALLS], c[i].calls);
		pk_cell_int(&row[L_HOST], c[i].host);
		pk_cell_int(&row[L_HOST_MEAN], c[i].host / c[i].calls);
		pk_cell_int(&row[L_DEVICE], c[i].device);
		pk_cell_int(&row[L_DELAY_MEAN], c[i].delay / c[i].calls);
		pk_cell_int(&row[L_DELAY_MAX], c[i].longest_delay);
		pk_cell_int(&row[L_SHORT], c[i].short_works);
		pk_cell_int(&row[L_SLOW], c[i].slow_calls);
		pk_cell_int(&row[L_LATE], c[i].late_works);
	}
}

enum { C_NAME, C_COUNT, C_BYTES, C_TIME, C_RATE, C_MIN, C_MAX, C_COLUMNS };

static const struct pk_grid_column copy_columns[C_COLUMNS] = {
	[C_NAME] = {"name", "kind", PK_CELL_TEXT, .help = "Kind of copies or sets of memory"},
	[C_COUNT] = {"count", "count", PK_CELL_INT, .help = "Number of copies or sets"},
	[C_BYTES] = {"bytes", "bytes", PK_CELL_VALUE, "bytes",
		     .help = "Bytes that they moved; null if the trace does not tell"},
	[C_TIME] = {"time", "time", PK_CELL_VALUE, "ns", .help = "Sum of their durations"},
	[C_RATE] = {"bandwidth", "GB/s", PK_CELL_RATIO,
		    .help = "bytes / time, in GB (10^9 bytes) per second"},
	[C_MIN] = {"bandwidth_min", "least GB/s", PK_CELL_RATIO,
		   .help = "Lowest bandwidth of one copy"},
	[C_MAX] = {"bandwidth_max", "most GB/s", PK_CELL_RATIO,
		   .help = "Highest bandwidth of one copy"},
};
const struct pk_grid_columns pk_gpu_copy_columns = PK_GRID_COLUMNS(copy_columns);

void pk_gpu_copy_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	uint32_t count;
	PK_FREED struct pk_gpu_copies *c = pk_gpu_merged_copies(g, &count);

	(void)people;
	pk_grid_init(grid, copy_columns, C_COLUMNS);
	grid->spare = 1U << C_MIN | 1U << C_MAX;
	for (uint32_t i = 0; i < count; i++) {
		struct pk_cell *row = pk_grid_row(grid, 0);

		pk_cell_text(&row[C_NAME], pk_texts_get(&g->names, c[i].name));
		pk_cell_int(&row[C_COUNT], c[i].count);
		pk_cell_int(&row[C_BYTES], c[i].bytes);
		pk_cell_int(&row[C_TIME], c[i].time);
		if (c[i].bytes != PK_NULL && c[i].time)
			pk_cell_real(&row[C_RATE], (double)c[i].bytes / (double)c[i].time);
		pk_cell_real(&row[C_MIN], c[i].slowest);
		pk_cell_real(&row[C_MAX], c[i].fastest);
	}
}

enum {
	M_NAME,
	M_TYPE,
	M_BYTES,
	M_RANKS,
	M_COUNT,
	M_TIME,
	M_EXPOSED,
	M_EXPOSED_SHARE,
	M_TRANSFER,
	M_ALGORITHM,
	M_BUS,
	M_WAIT,
	M_WAIT_MAX,
	M_LAST,
	M_LAST_TIMES,
	M_COLUMNS
};

static const struct pk_grid_column communication_columns[M_COLUMNS] = {
	[M_NAME] = {"collective", "collective", PK_CELL_TEXT,
		    .help = "Name of the collective, or of its kernel if the trace does not name "
			    "the collective"},
	[M_TYPE] = {"type", "type", PK_CELL_TEXT, .help = "Type of the elements"},
	[M_BYTES] = {"bytes", "bytes", PK_CELL_VALUE, "bytes",
		     .help = "Size of the message: the output of an all-gather, the input of other "
			     "collectives"},
	[M_RANKS] = {"ranks", "ranks", PK_CELL_INT, .help = "Ranks of the group"},
	[M_COUNT] = {"count", "count", PK_CELL_INT,
		     .help = "Number of collectives; a collective that is in several traces counts "
			     "once"},
	[M_TIME] = {"time", "time", PK_CELL_VALUE, "ns",
		    .help = "Sum of their durations on all ranks"},
	[M_EXPOSED] = {"exposed", NULL, PK_CELL_VALUE, "ns",
		       .help = "Part of time during which nothing computed"},
	[M_EXPOSED_SHARE] = {"exposed_share", "exposed", PK_CELL_SHARE, .help = "exposed / time"},
	[M_TRANSFER] = {"transfer_mean", "transfer", PK_CELL_EACH, "ns",
			.help = "Mean over collectives of the shortest duration on a rank: that "
				"rank waits for no other. With one trace it includes the wait"},
	[M_ALGORITHM] = {"algorithm_bandwidth", "alg GB/s", PK_CELL_RATIO,
			 .help = "bytes / transfer time, in GB (10^9 bytes) per second"},
	[M_BUS] = {"bus_bandwidth", "bus GB/s", PK_CELL_RATIO,
		   .help = "algorithm_bandwidth times the bytes that links move for each byte of "
			   "the message: 2(n-1)/n for an all-reduce, (n-1)/n for all-gather, "
			   "reduce-scatter and all-to-all"},
	[M_WAIT] = {"wait_mean", "mean wait", PK_CELL_EACH, "ns",
		    .help = "Mean time from the begin on the first rank to that on the last; null "
			    "with one "
			    "rank"},
	[M_WAIT_MAX] = {"wait_max", "longest wait", PK_CELL_EACH, "ns", .help = "The longest"},
	[M_LAST] = {"last_rank", "last rank", PK_CELL_NUMBER,
		    .help = "The rank that began last most often"},
	[M_LAST_TIMES] = {"last_times", "times", PK_CELL_INT,
			  .help = "Number of times that it began last"},
};
const struct pk_grid_columns pk_gpu_communication_columns = PK_GRID_COLUMNS(communication_columns);

/* The bytes on the links for each byte of the message; NaN = not known. */
static double bus_factor(const char *name, int64_t ranks)
{
	double n = (double)ranks;

	if (ranks == PK_NULL || ranks < 1)
		return NAN;
	if (pk_starts_with(name, "allreduce") || pk_starts_with(name, "all_reduce"))
		return 2 * (n - 1) / n;
	if (strstr(name, "gather") || strstr(name, "scatter") || strstr(name, "all_to_all"))
		return (n - 1) / n;
	return 1;
}

static void add_rates(struct pk_cell *row, const struct pk_gpu_collectives *c, const char *name)
{
	double rate = (double)c->bytes * (double)c->count / (double)c->transfer;

	if (c->bytes == PK_NULL || c->transfer <= 0)
		return;
	pk_cell_real(&row[M_ALGORITHM], rate);
	pk_cell_real(&row[M_BUS], rate * bus_factor(name, c->ranks));
}

void pk_gpu_communication_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	enum { LONGEST = 32 };

	pk_grid_init(grid, communication_columns, M_COLUMNS);
	grid->spare = 1U << M_TYPE | 1U << M_RANKS | 1U << M_EXPOSED_SHARE | 1U << M_TRANSFER |
		      1U << M_ALGORITHM | 1U << M_WAIT_MAX | 1U << M_LAST_TIMES;
	for (uint32_t i = 0; i < g->kinds_of_collectives; i++) {
		const struct pk_gpu_collectives *c = &g->collectives[i];
		struct pk_cell *row = pk_grid_row(grid, 0);
		const char *name = pk_texts_get(&g->names, c->name);

		pk_gpu_name_cell(grid, &row[M_NAME], name, people ? LONGEST : 0);
		pk_cell_text(&row[M_TYPE], c->type ? pk_texts_get(&g->names, c->type) : NULL);
		pk_cell_int(&row[M_BYTES], c->bytes);
		pk_cell_int(&row[M_RANKS], c->ranks);
		pk_cell_int(&row[M_COUNT], c->count);
		pk_cell_int(&row[M_TIME], c->time);
		pk_cell_int(&row[M_EXPOSED], c->exposed);
		pk_cell_real(&row[M_EXPOSED_SHARE], pk_share(c->exposed, c->time));
		pk_cell_int(&row[M_TRANSFER], c->transfer / c->count);
		add_rates(row, c, name);
		if (!c->compared)
			continue;
		pk_cell_int(&row[M_WAIT], c->wait / c->compared);
		pk_cell_int(&row[M_WAIT_MAX], c->longest_wait);
		pk_cell_int(&row[M_LAST],
			    c->last ? g->trace[g->device[c->last - 1].trace].rank : PK_NULL);
		pk_cell_int(&row[M_LAST_TIMES], c->last_times);
	}
}
