/* The tables of profkit gpu: times of GPUs and of their steps. */
#include "render/gpu/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"

const char *const pk_gpu_views[] = {"summary", "breakdown",     "steps",        "overlap",
				    "idle",    "kernels",       "launches",     "queue",
				    "copies",  "communication", "ranks",        "sequences",
				    "memory",  "flops",         "distribution", NULL};

/* Steps and whole windows. The times are columns of ns for machines and of shares for people. */
enum {
	B_RANK,
	B_GPU,
	B_STEP,
	B_STEPS,
	B_TIME,
	B_COMPUTATION, /* the parts, which add up to B_TIME */
	B_COMMUNICATION,
	B_COPIES,
	B_IDLE, /* one for each reason */
	B_BUSY = B_IDLE + PK_GPU_IDLES,
	B_COMMUNICATION_ALL,
	B_COMMUNICATION_HIDDEN,
	B_COPIES_ALL,
	B_PLACE, /* for people */
	B_STEP_LABEL,
	B_STEP_COUNT,
	B_EACH,
	B_SHARE, /* one for each part */
	B_BUSY_SHARE = B_SHARE + PK_GPU_KINDS + PK_GPU_IDLES,
	B_COLUMNS
};

#define VALUE(name, text)                                     \
	{                                                     \
		name, NULL, PK_CELL_VALUE, "ns", .help = text \
	}
#define SHARE(text)                                    \
	{                                              \
		.heading = text, .type = PK_CELL_SHARE \
	}

static const struct pk_grid_column columns[B_COLUMNS] = {
	PK_GPU_RANK_COLUMNS(B_RANK, B_GPU, B_PLACE),
	[B_STEP] = {"step", NULL, PK_CELL_NUMBER,
		    .help = "With `--view steps`: number of the step; null if the trace has none"},
	[B_STEPS] = {"steps", NULL, PK_CELL_INT, .help = "Number of steps that are added up"},
	[B_TIME] =
		VALUE("time", "Time of the steps as the host marks them, or, without steps, from "
			      "the begin of the first work on the GPU to the end of the last; the "
			      "parts from computation to other_idle add up to it"),
	[B_COMPUTATION] = VALUE("computation", "Time in which kernels that compute ran"),
	[B_COMMUNICATION] = VALUE("exposed_communication",
				  "Time in which kernels that communicate ran and none that "
				  "compute"),
	[B_COPIES] = VALUE("exposed_copies",
			   "Time in which copies and sets of memory ran and no kernels"),
	[B_IDLE + PK_GPU_LAUNCH] =
		VALUE("launch", "Idle time from the begin of the call that launched the next work "
				"to the begin of that work"),
	[B_IDLE + PK_GPU_DATA] =
		VALUE("data_loading", "Idle time before the next work was launched in which the "
				      "host waited for a DataLoader"),
	[B_IDLE + PK_GPU_HOST_WAIT] =
		VALUE("host_wait", "Other idle time before the next work was launched"),
	[B_IDLE + PK_GPU_KERNEL_WAIT] =
		VALUE("kernel_wait", "Idle time of gaps below 30 us before work that had been "
				     "launched already"),
	[B_IDLE + PK_GPU_OTHER] =
		VALUE("other_idle", "Idle time of longer gaps before such work, or before work "
				    "whose launch is not in the trace"),
	[B_BUSY] = VALUE("busy", "Time in which anything ran"),
	[B_COMMUNICATION_ALL] =
		VALUE("communication", "Time in which kernels that communicate ran"),
	[B_COMMUNICATION_HIDDEN] = {"communication_hidden", NULL, PK_CELL_SHARE,
				    .help = "Share of communication during which kernels that "
					    "compute ran, too; null without communication"},
	[B_COPIES_ALL] = VALUE("copies", "Time in which copies and sets of memory ran"),
	[B_STEP_LABEL] = {.heading = "step", .type = PK_CELL_NUMBER},
	[B_STEP_COUNT] = {.heading = "steps", .type = PK_CELL_INT},
	[B_EACH] = {.heading = "time", .type = PK_CELL_VALUE, .unit = "ns"},
	[B_SHARE] = SHARE("compute"),
	[B_SHARE + 1] = SHARE("exposed comm"),
	[B_SHARE + 2] = SHARE("exposed copies"),
	[B_SHARE + 3] = SHARE("launch"),
	[B_SHARE + 4] = SHARE("data loading"),
	[B_SHARE + 5] = SHARE("host wait"),
	[B_SHARE + 6] = SHARE("kernel wait"),
	[B_SHARE + 7] = SHARE("other idle"),
	[B_BUSY_SHARE] = SHARE("busy"),
};
const struct pk_grid_columns pk_gpu_columns = PK_GRID_COLUMNS(columns);

void pk_gpu_add_place(struct pk_buf *buf, const struct pk_gpu *g, const struct pk_gpu_device *d)
{
	const struct pk_gpu_trace *t = &g->trace[d->trace];

	if (t->rank != PK_NULL) {
		pk_buf_addf(buf, "rank %lld, ", (long long)t->rank);
	} else if (g->traces > 1) {
		pk_buf_add_visible(buf, pk_texts_get(&g->names, t->name));
		pk_buf_adds(buf, ", ");
	}
	pk_buf_add_visible(buf, pk_texts_get(&g->names, d->name));
}

/* For people: the shares of the time that one step took, or all. */
static void add_shares(struct pk_cell *row, const struct pk_gpu_times *t, int64_t steps,
		       const int64_t *part)
{
	int64_t whole = pk_gpu_whole(t);

	pk_cell_int(&row[B_EACH], steps > 1 ? whole / steps : whole);
	for (int i = 0; i < PK_GPU_KINDS + PK_GPU_IDLES; i++)
		if (part[i])
			pk_cell_real(&row[B_SHARE + i], pk_gpu_share(part[i], t));
	pk_cell_real(&row[B_BUSY_SHARE], pk_gpu_share(pk_gpu_busy(t), t));
}

static void add_times(struct pk_grid *grid, const struct pk_gpu *g, const struct pk_gpu_device *d,
		      const struct pk_gpu_window *window, bool people)
{
	const struct pk_gpu_times *t = window ? &window->times : &d->times;
	int64_t steps = d->window->step == PK_NULL ? 0 : window ? 1 : d->windows;
	int64_t part[PK_GPU_KINDS + PK_GPU_IDLES], all = pk_gpu_ran(t, PK_GPU_COMMUNICATION);
	struct pk_cell *row = pk_grid_row(grid, 0);

	pk_gpu_parts(part, t);
	pk_gpu_place_cells(grid, &row[B_RANK], &row[B_GPU], people ? &row[B_PLACE] : NULL, g, d);
	pk_cell_int(&row[B_STEP], window ? window->step : PK_NULL);
	pk_cell_int(&row[B_STEPS], steps);
	pk_cell_int(&row[B_TIME], pk_gpu_whole(t));
	for (int i = 0; i < PK_GPU_KINDS + PK_GPU_IDLES; i++)
		pk_cell_int(&row[B_COMPUTATION + i], part[i]);
	pk_cell_int(&row[B_BUSY], pk_gpu_busy(t));
	pk_cell_int(&row[B_COMMUNICATION_ALL], all);
	pk_cell_real(&row[B_COMMUNICATION_HIDDEN], pk_share(all - part[PK_GPU_COMMUNICATION], all));
	pk_cell_int(&row[B_COPIES_ALL], pk_gpu_ran(t, PK_GPU_COPY));
	if (!people)
		return;
	pk_cell_int(&row[B_STEP_LABEL], window ? window->step : PK_NULL);
	pk_cell_int(&row[B_STEP_COUNT], window || !steps ? PK_NULL : steps);
	add_shares(row, t, steps, part);
}

enum { PARTS = PK_GPU_KINDS + PK_GPU_IDLES };

struct part {
	int64_t time;
	uint8_t column;
};

PK_COMPARE(by_time, struct part, PK_ORDER(a->time, b->time) ?: PK_ORDER(b->column, a->column))

/* On a narrow terminal, the parts that take least are left out; the largest one never is. */
static void order_columns(struct pk_grid *grid, const struct pk_gpu *g, bool steps)
{
	int64_t time[PARTS];
	struct part part[PARTS];

	pk_gpu_parts(time, &g->times);
	for (int i = 0; i < PARTS; i++)
		part[i] = (struct part){time[i], (uint8_t)(B_SHARE + i)};
	qsort(part + 1, PARTS - 1, sizeof(*part), by_time); /* all but computation */
	grid->spare_first[0] = steps ? B_BUSY_SHARE : B_STEP_COUNT;
	for (int i = 1; i < PARTS - 1; i++)
		grid->spare_first[i] = part[i].column;
}

static void make_times(struct pk_grid *grid, const struct pk_gpu *g, bool steps, bool people)
{
	pk_grid_init(grid, columns, people ? B_COLUMNS : B_PLACE);
	grid->unit = "ns";
	if (people)
		order_columns(grid, g, steps);
	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];

		if (!steps)
			add_times(grid, g, d, NULL, people);
		for (uint32_t k = 0; steps && k < d->windows; k++)
			add_times(grid, g, d, &d->window[k], people);
	}
}

static void make_breakdown(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	make_times(grid, g, false, people);
}

static void make_steps(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	make_times(grid, g, true, people);
}

void pk_gpu_grid(struct pk_grid *grid, const struct pk_gpu *g, enum pk_gpu_view view, bool people)
{
	static void (*const makers[PK_GPU_VIEWS])(struct pk_grid * grid, const struct pk_gpu *g,
						  bool people) = {
		[PK_GPU_SUMMARY] = make_breakdown,
		[PK_GPU_BREAKDOWN] = make_breakdown,
		[PK_GPU_STEPS] = make_steps,
		[PK_GPU_OVERLAP] = pk_gpu_overlap_grid,
		[PK_GPU_IDLE] = pk_gpu_idle_grid,
		[PK_GPU_KERNELS] = pk_gpu_kernel_grid,
		[PK_GPU_LAUNCHES] = pk_gpu_launch_grid,
		[PK_GPU_QUEUE_VIEW] = pk_gpu_queue_grid,
		[PK_GPU_COPIES] = pk_gpu_copy_grid,
		[PK_GPU_COMMUNICATION_VIEW] = pk_gpu_communication_grid,
		[PK_GPU_RANKS] = pk_gpu_rank_grid,
		[PK_GPU_SEQUENCES] = pk_gpu_sequence_grid,
		[PK_GPU_MEMORY] = pk_gpu_memory_grid,
		[PK_GPU_FLOPS] = pk_gpu_flop_grid,
		[PK_GPU_DISTRIBUTION] = pk_gpu_distribution_grid,
	};

	makers[view](grid, g, people);
}
