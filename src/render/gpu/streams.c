/* Tables of profkit gpu: what ran at the same time; gaps and queues of streams. */
#include <string.h>

#include "analysis/gpu/waits.h"
#include "analysis/hotspots/hotspots.h"
#include "base/num/units.h"
#include "render/gpu/internal.h"

enum { O_PLACE, O_RANK, O_GPU, O_WHAT, O_TIME, O_SHARE, O_COLUMNS };

static const struct pk_grid_column overlap_columns[O_COLUMNS] = {
	PK_GPU_RANK_COLUMNS(O_RANK, O_GPU, O_PLACE),
	[O_WHAT] = {"what", "running", PK_CELL_TEXT,
		    .help = "The kinds of work that ran, and no others: `computation`, "
			    "`communication`, `copy`, several of them joined by `+`, or `idle`"},
	[O_TIME] = {"time", "time", PK_CELL_VALUE, "ns", .help = "Time in this state"},
	[O_SHARE] = {"share", "share", PK_CELL_SHARE, .help = "Share of the time of the GPU"},
};
const struct pk_grid_columns pk_gpu_overlap_columns = PK_GRID_COLUMNS(overlap_columns);

void pk_gpu_place_cells(struct pk_grid *grid, struct pk_cell *rank, struct pk_cell *gpu,
			struct pk_cell *place, const struct pk_gpu *g,
			const struct pk_gpu_device *d)
{
	enum { LONGEST = 34 }; /* so that there is room for the largest parts beside it */
	PK_BUF_AUTO whole = PK_BUF_INIT;
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_cell_int(rank, g->trace[d->trace].rank);
	pk_cell_text(gpu, pk_texts_get(&g->names, d->name));
	if (!place)
		return;
	pk_gpu_add_place(&whole, g, d);
	pk_gpu_add_name(&text, whole.data, whole.len, LONGEST);
	pk_cell_copy(grid, place, &text);
}

void pk_gpu_name_cell(struct pk_grid *grid, struct pk_cell *cell, const char *name, size_t longest)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (!longest || strlen(name) <= longest) {
		pk_cell_text(cell, name);
		return;
	}
	pk_gpu_add_name(&text, name, strcspn(name, "("), longest);
	pk_cell_copy(grid, cell, &text);
}

/* In the order of the time that they took, idle last. */
void pk_gpu_overlap_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	pk_grid_init(grid, overlap_columns, O_COLUMNS);
	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];
		int64_t whole = pk_gpu_whole(&d->times);

		for (unsigned s = 1; s <= PK_GPU_STATES; s++) {
			bool idle = s == PK_GPU_STATES;
			int64_t time = idle ? pk_gpu_idle_time(&d->times) : d->times.ran[s];
			PK_BUF_AUTO what = PK_BUF_INIT;
			struct pk_cell *row;

			if (!time)
				continue;
			for (int k = 0; k < PK_GPU_KINDS; k++)
				if (!idle && s >> k & 1)
					pk_buf_addf(&what, "%s%s", what.len ? "+" : "",
						    pk_gpu_kinds[k]);
			pk_buf_adds(&what, idle ? "idle" : "");
			row = pk_grid_row(grid, 0);
			pk_gpu_place_cells(grid, &row[O_RANK], &row[O_GPU],
					   people ? &row[O_PLACE] : NULL, g, d);
			pk_cell_copy(grid, &row[O_WHAT], &what);
			pk_cell_int(&row[O_TIME], time);
			pk_cell_real(&row[O_SHARE], pk_share(time, whole));
		}
	}
}

enum {
	I_PLACE,
	I_RANK,
	I_GPU,
	I_STREAM,
	I_REASON,
	I_GAPS,
	I_TIME,
	I_SHARE,
	I_MEAN,
	I_MAX,
	I_COLUMNS
};

static const struct pk_grid_column idle_columns[I_COLUMNS] = {
	PK_GPU_RANK_COLUMNS(I_RANK, I_GPU, I_PLACE),
	[I_STREAM] = {"stream", "stream", PK_CELL_NUMBER, .help = "Number of the stream"},
	[I_REASON] =
		{"reason", "reason", PK_CELL_TEXT,
		 .help = "`host_wait`: the work after the gap was launched after the gap had "
			 "begun; `kernel_wait`: it was launched before, and the gap is shorter "
			 "than 30 us; `other_idle`: the gap is longer, or the launch is not known"},
	[I_GAPS] = {"gaps", "gaps", PK_CELL_INT, .help = "Number of such gaps"},
	[I_TIME] = {"time", "time", PK_CELL_VALUE, "ns", .help = "Sum of these gaps"},
	[I_SHARE] = {"share", "share", PK_CELL_SHARE,
		     .help = "Share of time in all gaps of the stream"},
	[I_MEAN] = {"mean", "mean", PK_CELL_EACH, "ns", .help = "Their mean"},
	[I_MAX] = {"longest", "longest", PK_CELL_EACH, "ns", .help = "The longest"},
};
const struct pk_grid_columns pk_gpu_idle_columns = PK_GRID_COLUMNS(idle_columns);

void pk_gpu_idle_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	pk_grid_init(grid, idle_columns, I_COLUMNS);
	grid->spare = 1U << I_MEAN;
	for (uint32_t i = 0; i < g->streams; i++) {
		const struct pk_gpu_stream *s = &g->stream[i];
		int64_t all = 0;

		for (int k = 0; k < PK_GPU_IDLES; k++)
			pk_add_saturated(&all, s->gap[k].time);
		for (int k = 0; k < PK_GPU_IDLES; k++) {
			const struct pk_gpu_gaps *gap = &s->gap[k];
			struct pk_cell *row;

			if (!gap->count)
				continue;
			row = pk_grid_row(grid, 0);
			pk_gpu_place_cells(grid, &row[I_RANK], &row[I_GPU],
					   people ? &row[I_PLACE] : NULL, g, &g->device[s->device]);
			pk_cell_int(&row[I_STREAM], s->number);
			pk_cell_text(&row[I_REASON], pk_gpu_idles[k]);
			pk_cell_int(&row[I_GAPS], gap->count);
			pk_cell_int(&row[I_TIME], gap->time);
			pk_cell_real(&row[I_SHARE], pk_share(gap->time, all));
			pk_cell_int(&row[I_MEAN], gap->time / gap->count);
			pk_cell_int(&row[I_MAX], gap->longest);
		}
	}
}

enum {
	Q_PLACE,
	Q_RANK,
	Q_GPU,
	Q_STREAM,
	Q_WORKS,
	Q_BUSY,
	Q_MEAN,
	Q_STDDEV,
	Q_MAX,
	Q_FULL,
	Q_COLUMNS
};

static const struct pk_grid_column queue_columns[Q_COLUMNS] = {
	PK_GPU_RANK_COLUMNS(Q_RANK, Q_GPU, Q_PLACE),
	[Q_STREAM] = {"stream", "stream", PK_CELL_NUMBER, .help = "Number of the stream"},
	[Q_WORKS] = {"works", "works", PK_CELL_INT, .help = "Kernels, copies and sets on it"},
	[Q_BUSY] = {"busy", "busy", PK_CELL_VALUE, "ns", .help = "Time in which any of them ran"},
	[Q_MEAN] = {"length_mean", "mean length", PK_CELL_RATIO,
		    .help = "Mean length of its queue, after each change: works that were launched "
			    "and had not begun; null if no launch is known"},
	[Q_STDDEV] = {"length_stddev", "stddev", PK_CELL_RATIO,
		      .help = "Sample standard deviation of these lengths"},
	[Q_MAX] = {"length_max", "longest", PK_CELL_INT, .help = "The longest"},
	[Q_FULL] =
		{"full", "full", PK_CELL_VALUE, "ns",
		 .help = "Time with 1,024 or more works in the queue: calls that launch wait then"},
};
const struct pk_grid_columns pk_gpu_queue_columns = PK_GRID_COLUMNS(queue_columns);

void pk_gpu_queue_grid(struct pk_grid *grid, const struct pk_gpu *g, bool people)
{
	pk_grid_init(grid, queue_columns, Q_COLUMNS);
	for (uint32_t i = 0; i < g->streams; i++) {
		const struct pk_gpu_stream *s = &g->stream[i];
		struct pk_cell *row = pk_grid_row(grid, 0);

		pk_gpu_place_cells(grid, &row[Q_RANK], &row[Q_GPU], people ? &row[Q_PLACE] : NULL,
				   g, &g->device[s->device]);
		pk_cell_int(&row[Q_STREAM], s->number);
		pk_cell_int(&row[Q_WORKS], s->works);
		pk_cell_int(&row[Q_BUSY], s->busy);
		if (!s->changes)
			continue;
		pk_cell_real(&row[Q_MEAN], s->mean);
		pk_cell_real(&row[Q_STDDEV], pk_gpu_stddev(s->squares, s->changes));
		pk_cell_int(&row[Q_MAX], s->longest);
		pk_cell_int(&row[Q_FULL], s->full);
	}
}
