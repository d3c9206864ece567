/* What profkit gpu --critical-path shows: a table, and words. */
#include "render/gpu/critical.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/waits.h"
#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"

#define INDENT "\n        "

static const char *const labels[PK_CRITICAL_CLASSES] = {
	[PK_CRITICAL_OPERATORS] = "host: operators",
	[PK_CRITICAL_CALLS] = "host: calls of the driver",
	[PK_CRITICAL_HOST] = "host: outside of operators",
	[PK_CRITICAL_DATA] = "host: data loading",
	[PK_CRITICAL_COMPUTATION] = "GPU: computation",
	[PK_CRITICAL_COMMUNICATION] = "GPU: communication",
	[PK_CRITICAL_COPY] = "GPU: copies",
	[PK_CRITICAL_LAUNCH] = "launch delay",
	[PK_CRITICAL_GAP] = "gaps between kernels",
	[PK_CRITICAL_SYNC] = "synchronisation",
	[PK_CRITICAL_WAIT] = "other waits of the GPU",
};

/* Advice for each class, as for programs of torch if there is no other. */
static const char *const advice[PK_CRITICAL_CLASSES][PK_PROGRAMS] = {
	[PK_CRITICAL_OPERATORS] = {"the host launches too slowly: CUDA graphs, torch.compile, "
				   "larger batches",
				   "the host launches too slowly: one jax.jit for the whole step, "
				   "larger batches",
				   "the host launches too slowly: CUDA or HIP graphs, more work in "
				   "each kernel",
				   "the host launches too slowly: torch.compile, larger batches"},
	[PK_CRITICAL_CALLS] = {"fewer and longer kernels, or CUDA graphs; memory that is allocated "
			       "once",
			       [PK_PROGRAM_ELSEWHERE] =
				       "fewer and longer kernels; memory that is allocated once"},
	[PK_CRITICAL_HOST] = {"Python between the operators: less of it; with_stack=True records "
			      "its functions",
			      "Python between the calls of jax.jit: less of it",
			      "the program between the calls of the driver: less of it"},
	[PK_CRITICAL_DATA] = {"more workers (num_workers), prefetch_factor, less work for each "
			      "sample"},
	[PK_CRITICAL_COMPUTATION] = {"faster kernels: profkit gpu --view kernels"},
	[PK_CRITICAL_COMMUNICATION] = {"start it earlier, or find the rank that comes late: "
				       "profkit gpu FOLDER, profkit workers"},
	[PK_CRITICAL_COPY] =
		{"pinned memory with non_blocking=True; no .item(), .cpu() and prints "
		 "of tensors",
		 "arrays that stay on the device; no np.asarray() and prints of arrays",
		 "pinned memory and asynchronous copies; data that stays on the GPU",
		 "tensors that stay on the device; no .item(), .cpu() and prints of tensors"},
	[PK_CRITICAL_LAUNCH] = {"the GPU had nothing to do when the call came: let the host run "
				"ahead, CUDA graphs",
				"the device had nothing to do when the call came: let the host run "
				"ahead, one jax.jit for the whole step",
				[PK_PROGRAM_ELSEWHERE] =
					"the device had nothing to do when the call came: let the "
					"host run ahead"},
	[PK_CRITICAL_GAP] = {"fuse small kernels: torch.compile, foreach and fused optimizers",
			     "fuse small kernels: one jax.jit for the whole step",
			     "join small kernels, or launch them as CUDA or HIP graphs",
			     "fuse small kernels: torch.compile, foreach and fused optimizers"},
	[PK_CRITICAL_SYNC] = {"fewer synchronisations: each costs that beside the wait itself"},
	[PK_CRITICAL_WAIT] = {"for what the trace does not tell, such as events: "
			      "enable_cuda_sync_events=True records those of CUDA",
			      "for what the trace does not tell",
			      "for what the trace does not tell, "
			      "such as events",
			      "for what the trace does not tell, such as events"},
};

static const char *advice_on(const struct pk_critical *c, int kind)
{
	const char *text = advice[kind][c->program];

	return text ? text : advice[kind][PK_PROGRAM_TORCH];
}

enum { C_CLASS, C_NAME, C_LABEL, C_TIME, C_SHARE, C_HOST, C_GPU, C_DELAYS, C_COUNT, C_COLUMNS };

static const struct pk_grid_column columns[C_COLUMNS] = {
	[C_CLASS] = {"class", NULL, PK_CELL_TEXT,
		     .help = "With `--by kind`: what the time of the path is spent in; null "
			     "otherwise"},
	[C_NAME] = {"name", NULL, PK_CELL_TEXT,
		    .help = "With `--by operator`: name of the operator that it belongs to; with "
			    "`--by name`: of what ran; null if nothing was recorded"},
	[C_LABEL] = {.heading = "critical path", .type = PK_CELL_TEXT},
	[C_TIME] = {"time", "time", PK_CELL_VALUE, "ns",
		    .help = "Time of these parts of the path; the rows add up to the time that the "
			    "path covers"},
	[C_SHARE] = {"share", "share", PK_CELL_SHARE, .help = "time as a share of the whole path"},
	[C_HOST] = {"host", "host", PK_CELL_VALUE, "ns",
		    .help = "The part of time in which the host ran"},
	[C_GPU] = {"gpu", "GPU", PK_CELL_VALUE, "ns",
		   .help = "The part of time in which kernels and copies ran"},
	[C_DELAYS] = {"delays", "delays", PK_CELL_VALUE, "ns",
		      .help = "The part of time that was launch delays, gaps between kernels, "
			      "synchronisation and other waits"},
	[C_COUNT] = {"parts", "parts", PK_CELL_INT, .help = "Number of parts of the path"},
};
const struct pk_grid_columns pk_critical_columns = PK_GRID_COLUMNS(columns);

static void add_row(struct pk_grid *grid, const struct pk_critical *c, int64_t time, int64_t count,
		    const char *class_of, const char *name, const char *label)
{
	struct pk_cell *cell = pk_grid_row(grid, 0);

	pk_cell_text(&cell[C_CLASS], class_of);
	pk_cell_text(&cell[C_NAME], name);
	pk_cell_text(&cell[C_LABEL], label);
	pk_cell_int(&cell[C_TIME], time);
	pk_cell_real(&cell[C_SHARE], pk_share(time, pk_critical_time(c)));
	pk_cell_int(&cell[C_COUNT], count);
}

/* The classes, largest time first. */
static void sort_classes(const struct pk_critical *c, int order[PK_CRITICAL_CLASSES])
{
	for (int i = 0; i < PK_CRITICAL_CLASSES; i++) {
		int k = i;

		for (; k && c->time[order[k - 1]] < c->time[i]; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

static void add_classes(struct pk_grid *grid, const struct pk_critical *c)
{
	int order[PK_CRITICAL_CLASSES];

	sort_classes(c, order);
	for (int i = 0; i < PK_CRITICAL_CLASSES; i++)
		if (c->count[order[i]])
			add_row(grid, c, c->time[order[i]], c->count[order[i]],
				pk_critical_classes[order[i]], NULL, labels[order[i]]);
}

void pk_critical_grid(struct pk_grid *grid, const struct pk_critical *c, enum pk_gpu_by by)
{
	enum pk_critical_by what =
		by == PK_GPU_BY_OPERATOR ? PK_CRITICAL_BY_OPERATOR : PK_CRITICAL_BY_NAME;
	PK_FREED struct pk_critical_row *row = NULL;
	uint32_t count;

	pk_grid_init(grid, columns, C_COLUMNS);
	grid->spare = 1U << C_HOST | 1U << C_GPU | 1U << C_DELAYS | 1U << C_COUNT;
	if (by == PK_GPU_BY_KIND) {
		add_classes(grid, c);
		return;
	}
	row = pk_critical_rows(c, what, -1, &count);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = row[i].name ? pk_text(c->profile, row[i].name) : NULL;
		struct pk_cell *cell;

		add_row(grid, c, row[i].time, row[i].count, NULL, name,
			name                       ? name
			: by == PK_GPU_BY_OPERATOR ? "(no operator)"
						   : "(nothing recorded)");
		cell = &grid->cells[(grid->rows - 1) * C_COLUMNS];
		pk_cell_int(&cell[C_HOST], row[i].host);
		pk_cell_int(&cell[C_GPU], row[i].gpu);
		pk_cell_int(&cell[C_DELAYS], row[i].delays);
	}
}

void pk_critical_title(struct pk_buf *buf, const struct pk_critical *c)
{
	enum { LONGEST = 60 };

	pk_buf_adds(buf, "critical path of ");
	if (c->span)
		pk_gpu_add_name(buf, pk_critical_name(c, c->span),
				strlen(pk_critical_name(c, c->span)), LONGEST);
	else if (c->step)
		pk_buf_addf(buf, "steps %s", c->step);
	else
		pk_buf_adds(buf, "the whole trace");
	if (c->choices == 2)
		pk_buf_adds(buf, ", the shorter of 2");
	else if (c->choices > 2)
		pk_buf_addf(buf, ",\nthe median of %s without the first and the last",
			    pk_in_count(c->choices).text);
	pk_buf_addf(buf, ": %s", pk_in_ns(pk_critical_time(c)).text);
	if (c->range.to > c->host_end)
		pk_buf_addf(buf, ",\nof which the last %s are on the GPU after the host was done",
			    pk_in_ns(c->range.to - c->host_end).text);
}

/* Lines "NAME 12 ms (40 parts)": the longest names of a class. */
static void add_top(struct pk_buf *buf, const struct pk_critical *c, int class_of)
{
	enum { NAMED = 3, LONGEST = 60 };
	uint32_t count;
	PK_FREED struct pk_critical_row *row =
		pk_critical_rows(c, PK_CRITICAL_BY_NAME, class_of, &count);

	for (uint32_t i = 0; i < count && i < NAMED; i++) {
		const char *name =
			row[i].name ? pk_text(c->profile, row[i].name) : "(nothing recorded)";

		pk_buf_adds(buf, INDENT);
		pk_gpu_add_name(buf, name, strlen(name), LONGEST);
		pk_buf_addf(buf, " %s (%s %s)", pk_in_ns(row[i].time).text,
			    pk_in_count(row[i].count).text, row[i].count == 1 ? "part" : "parts");
	}
}

void pk_critical_words(struct pk_buf *buf, const struct pk_critical *c)
{
	const double small = 0.01;
	int order[PK_CRITICAL_CLASSES];

	sort_classes(c, order);
	for (int i = 0; i < PK_CRITICAL_CLASSES; i++) {
		double share = pk_share(c->time[order[i]], pk_critical_time(c));

		if (isnan(share) || share < small)
			break;
		pk_buf_addf(buf, "%6s  %s", pk_in_percent(share).text, labels[order[i]]);
		add_top(buf, c, order[i]);
		pk_buf_addf(buf, INDENT "%s\n", advice_on(c, order[i]));
	}
}

/* Notes about odd events: for one, for several. */
static const char *const words[PK_CRITICAL_ODDS][2] = {
	[PK_CRITICAL_TOO_EARLY] =
		{"kernel or copy that begins before the call that launched it: clocks "
		 "differ;\n    its launch is left out",
		 "kernels or copies that begin before the call that launched them: clocks "
		 "differ;\n    their launches are left out"},
	[PK_CRITICAL_UNLAUNCHED] = {"kernel or copy whose launch is not in the trace",
				    "kernels or copies whose launch is not in the trace"},
	[PK_CRITICAL_REPEATED] =
		{"call with the correlation id of an earlier call: work "
		 "with this id counts as launched by the last such call that began before it",
		 "calls with the correlation id of an earlier call: work "
		 "with these ids counts as launched by the last such call that began before it"},
	[PK_CRITICAL_LATE] =
		{"kernel or copy that ends after what waited for it: clocks differ",
		 "kernels or copies that end after what waited for them: clocks differ"},
	[PK_CRITICAL_GUESSED] = {"call that waits for a stream which the trace does not tell:\n"
				 "    that of the last launch of its thread is taken",
				 "calls that wait for a stream which the trace does not tell:\n"
				 "    that of the last launch of their thread is taken"},
	[PK_CRITICAL_LOCKS] =
		{"call that begins while another thread allocates or frees memory, and "
		 "ends after that:\n"
		 "    it is taken to wait for the lock of the driver",
		 "calls that begin while another thread allocates or frees memory, and end "
		 "after that:\n"
		 "    they are taken to wait for the lock of the driver"},
	[PK_CRITICAL_CYCLES] = {"dependency that goes round in a circle, left out",
				"dependencies that go round in a circle, left out"},
	[PK_CRITICAL_OVERLAPS] =
		{"span of the host that overlaps more than 16 others of its thread, left out",
		 "spans of the host that overlap more than 16 others of their thread, left out"},
	[PK_CRITICAL_STREAMS] =
		{"kernel or copy taken to wait for another stream, whose work ended up to "
		 "30 us before it",
		 "kernels or copies taken to wait for another stream,\n"
		 "    whose work ended up to 30 us before them"},
	[PK_CRITICAL_NO_EVENTS] =
		{"call that makes a stream wait: the trace does not tell for what\n"
		 "    (of CUDA, enable_cuda_sync_events=True records it)",
		 "calls that make a stream wait: the trace does not tell for what\n"
		 "    (of CUDA, enable_cuda_sync_events=True records it)"},
};

void pk_critical_notes(struct pk_buf *buf, const struct pk_critical *c)
{
	if (c->earlier)
		pk_buf_addf(buf,
			    "%s of the path is work that was launched before it begins: the GPU "
			    "is behind the host\n",
			    pk_in_ns(c->earlier).text);
	for (int i = 0; i < PK_CRITICAL_ODDS; i++)
		if (c->odd[i])
			pk_buf_addf(buf, "%s %s\n", pk_in_count(c->odd[i]).text,
				    words[i][c->odd[i] != 1]);
}

void pk_critical_json(struct pk_json_writer *w, const struct pk_critical *c)
{
	pk_json_put(w, "range {start %jd end %jd host_end %jd}", c->range.from, c->range.to,
		    c->host_end);
	pk_json_put(w, "of %s choices %jd earlier_work %jd",
		    c->span ? pk_critical_name(c, c->span) : NULL, (int64_t)c->choices, c->earlier);
	pk_json_put_array(w, "odd");
	for (int i = 0; i < PK_CRITICAL_ODDS; i++)
		if (c->odd[i])
			pk_json_put(w, "{what %s count %jd}", pk_critical_odds[i], c->odd[i]);
	pk_json_end(w);
	pk_json_put_array(w, "path");
	for (uint32_t i = 0; i < c->parts; i++) {
		const struct pk_critical_part *part = &c->part[i];

		pk_json_put(w, "{start %jd end %jd class %s name %s operator %s}", part->from,
			    part->to, pk_critical_classes[part->class_of],
			    part->span ? pk_critical_name(c, part->span) : NULL,
			    part->op ? pk_critical_name(c, part->op) : NULL);
	}
	pk_json_end(w);
}
