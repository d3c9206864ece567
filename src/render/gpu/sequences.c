/* Tables of profkit gpu: sequences of kernels; memory; floating-point operations. */
#include <math.h>
#include <string.h>

#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "render/gpu/internal.h"

enum { S_OPERATOR, S_COUNT, S_LENGTH, S_DEVICE, S_HOST, S_KERNELS, S_COLUMNS };

static const struct pk_grid_column sequence_columns[S_COLUMNS] = {
	[S_OPERATOR] = {"operator", "operator", PK_CELL_TEXT,
			.help = "Name of the operator that launches them, with what it calls"},
	[S_COUNT] = {"count", "count", PK_CELL_INT, .help = "How often it launches them"},
	[S_LENGTH] = {"length", "length", PK_CELL_INT, .help = "Number of kernels and copies"},
	[S_DEVICE] = {"device", "GPU", PK_CELL_VALUE, "ns", .help = "Sum of their durations"},
	[S_HOST] = {"host", "host", PK_CELL_VALUE, "ns",
		    .help = "Sum of the durations of the operators"},
	[S_KERNELS] =
		{"kernels", "kernels", PK_CELL_TEXT,
		 .help = "List of their names, in the order in which they begin: the first 32; "
			 "CSV: as JSON"},
};
const struct pk_grid_columns pk_gpu_sequence_columns = PK_GRID_COLUMNS(sequence_columns);

static const char arrow[] = " \xE2\x86\x92 ", times_sign[] = " \xC3\x97";

static int64_t names_of(const struct pk_gpu_sequence *s)
{
	return s->length < PK_GPU_NAMED ? s->length : PK_GPU_NAMED;
}

/* Adds a short name, in quotes if it contains the text that separates names. */
static void add_kernel(struct pk_buf *buf, const char *name)
{
	enum { LONGEST = 29 };
	bool quoted = strstr(name, arrow) || strstr(name, times_sign);

	pk_buf_adds(buf, quoted ? "\"" : "");
	pk_gpu_add_short(buf, name, strlen(name), LONGEST);
	pk_buf_adds(buf, quoted ? "\"" : "");
}

/* The first kernels, by names that can be read: "a → b ×2 → c". */
static void add_sequence(struct pk_buf *buf, const char *name, const struct pk_gpu_sequence *s)
{
	enum { SHOWN = 4 };
	int64_t named = 0;

	for (int i = 0; i < SHOWN && named < names_of(s); i++) {
		const char *first = name;
		int64_t times = 0;

		do {
			name += strlen(name) + 1;
			times++;
		} while (named + times < names_of(s) && !strcmp(name, first));
		pk_buf_adds(buf, i ? arrow : "");
		add_kernel(buf, first);
		if (times > 1)
			pk_buf_addf(buf, "%s%jd", times_sign, (intmax_t)times);
		named += times;
	}
	if (named < s->length)
		pk_buf_addf(buf, "%s… %jd more", arrow, (intmax_t)(s->length - named));
}

static void add_list(struct pk_buf *buf, const char *name, const struct pk_gpu_sequence *s)
{
	for (int64_t i = 0; i < names_of(s); i++) {
		pk_buf_addc(buf, i ? ',' : '[');
		pk_json_quote(buf, name, strlen(name));
		name += strlen(name) + 1;
	}
	pk_buf_addc(buf, ']');
}

void pk_gpu_sequence_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	enum { LONGEST = 20 };

	pk_grid_init(grid, sequence_columns, S_COLUMNS);
	grid->spare = 1U << S_LENGTH;
	for (uint32_t i = 0; i < g->sequences; i++) {
		const struct pk_gpu_sequence *s = &g->sequence[i];
		struct pk_cell *row;
		PK_BUF_AUTO name = PK_BUF_INIT, kernels = PK_BUF_INIT;
		const char *op = pk_texts_get(&g->names, s->operator_name);
		const char *names = pk_texts_get(&g->names, s->kernels);

		if (people && s->length < 2) /* nothing could be fused */
			continue;
		row = pk_grid_row(grid, 0);
		pk_cell_int(&row[S_COUNT], s->count);
		pk_cell_int(&row[S_LENGTH], s->length);
		pk_cell_int(&row[S_DEVICE], s->device);
		pk_cell_int(&row[S_HOST], s->host);
		if (!people) {
			pk_cell_text(&row[S_OPERATOR], op);
			add_list(&kernels, names, s);
			pk_cell_copy(grid, &row[S_KERNELS], &kernels);
			row[S_KERNELS].json = true;
			continue;
		}
		pk_gpu_add_short(&name, op, strlen(op), LONGEST);
		pk_cell_copy(grid, &row[S_OPERATOR], &name);
		add_sequence(&kernels, names, s);
		pk_cell_copy(grid, &row[S_KERNELS], &kernels);
		row[S_KERNELS].breaks = true;
	}
}

enum { A_RANK, A_NAME, A_PEAK, A_TIME, A_LAST, A_RESERVED, A_CHANGES, A_COLUMNS };

static const struct pk_grid_column memory_columns[A_COLUMNS] = {
	[A_RANK] =
		{"rank", "rank", PK_CELL_NUMBER,
		 .help = "Rank of the trace in a distributed program; null if the trace does not "
			 "say it"},
	[A_NAME] = {"name", "memory", PK_CELL_TEXT, .help = "Owner of the memory"},
	[A_PEAK] = {"peak", "peak", PK_CELL_VALUE, "bytes", .help = "Largest amount allocated"},
	[A_TIME] = {"peak_time", "at", PK_CELL_VALUE, "ns",
		    .help = "Time of the peak, from the start of the run"},
	[A_LAST] = {"last", "in the end", PK_CELL_VALUE, "bytes",
		    .help = "Amount allocated at the end"},
	[A_RESERVED] =
		{"reserved", "reserved", PK_CELL_VALUE, "bytes",
		 .help = "Largest amount that the allocator had reserved; null if it is not known"},
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
		pk_cell_text(&row[A_NAME], pk_texts_get(&g->names, m->name));
		pk_cell_int(&row[A_PEAK], m->peak);
		pk_cell_int(&row[A_TIME], m->peak_time);
		pk_cell_int(&row[A_LAST], m->last);
		pk_cell_int(&row[A_RESERVED], m->reserved);
		pk_cell_int(&row[A_CHANGES], m->changes);
	}
}

enum { F_CALLS, F_TIME, F_SHARE, F_FLOPS, F_RATE, F_OF_PEAK, F_NAME, F_COLUMNS };

static const struct pk_grid_column flop_columns[F_COLUMNS] = {
	[F_CALLS] = {"calls", "calls", PK_CELL_INT,
		     .help = "Calls of the operator, or with XLA of the kernel"},
	[F_TIME] = {"time", "GPU time", PK_CELL_VALUE, "ns",
		    .help = "Time in which their kernels and copies ran; parallel work of one call "
			    "counts once"},
	[F_SHARE] = {"share", "share", PK_CELL_SHARE, .help = "Share of all these times"},
	[F_FLOPS] = {"gflops", "GFLOP a call", PK_CELL_REAL,
		     .help = "Floating-point operations of a call in 10^9, from the sizes of its "
			     "inputs; null if they are not known"},
	[F_RATE] = {"tflops_per_second", "TFLOP/s", PK_CELL_RATIO,
		    .help = "Floating-point operations per second of that time, in 10^12"},
	[F_OF_PEAK] = {"of_peak", "of peak", PK_CELL_SHARE,
		       .help = "tflops_per_second as a share of `--peak-flops`; null without it"},
	[F_NAME] = {"name", "operator", PK_CELL_TEXT,
		    .help = "Operator and sizes of its inputs, or with XLA the kernel; (not "
			    "known): all others"},
};
const struct pk_grid_columns pk_gpu_flop_columns = PK_GRID_COLUMNS(flop_columns);

void pk_gpu_flop_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	uint32_t count;
	PK_FREED struct pk_gpu_flops *f = pk_gpu_merged_flops(g, &count);
	int64_t whole = 0;

	(void)people;
	pk_grid_init(grid, flop_columns, F_COLUMNS);
	for (uint32_t i = 0; i < count; i++)
		pk_add_saturated(&whole, f[i].time);
	for (uint32_t i = 0; i < count; i++) {
		struct pk_cell *row = pk_grid_row(grid, 0);
		double rate = f[i].flops / ((double)f[i].time * 1e-9);

		pk_cell_int(&row[F_CALLS], f[i].calls);
		pk_cell_int(&row[F_TIME], f[i].time);
		pk_cell_real(&row[F_SHARE], pk_share(f[i].time, whole));
		pk_cell_text(&row[F_NAME], pk_texts_get(&g->names, f[i].name));
		if (!(f[i].flops > 0))
			continue;
		pk_cell_real(&row[F_FLOPS], f[i].flops / (double)f[i].calls * 1e-9);
		if (f[i].time <= 0)
			continue;
		pk_cell_real(&row[F_RATE], rate * 1e-12);
		if (g->peak_flops > 0)
			pk_cell_real(&row[F_OF_PEAK], rate / g->peak_flops);
	}
}

void pk_gpu_flop_words(struct pk_buf *buf, const struct pk_gpu *g)
{
	double flops = 0, rate;

	for (uint32_t i = 0; i < g->devices; i++)
		flops += g->device[i].flops;
	rate = flops / ((double)pk_gpu_whole(&g->times) * 1e-9);
	if (!(flops > 0)) {
		pk_buf_adds(buf, "no operations are known: torch.profiler records the sizes of "
				 "inputs with record_shapes=True\n");
		return;
	}
	if (!isfinite(rate))
		return;
	pk_buf_addf(buf, "each second of this time a GPU computed %.4g TFLOP", rate * 1e-12);
	if (g->peak_flops > 0)
		pk_buf_addf(buf, ", %.1f%% of its peak (model FLOPs utilisation)",
			    rate / g->peak_flops * 100);
	pk_buf_adds(buf, "\n");
}
