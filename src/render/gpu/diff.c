/* The table of profkit gpu --diff: two sides of traces beside each other. */
#include "render/gpu/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/steps.h"
#include "analysis/stats/stats.h"
#include "base/alloc.h"
#include "base/num/compare.h"

enum {
	D_KIND,
	D_CALLS_BEFORE,
	D_CALLS_AFTER,
	D_BEFORE,
	D_AFTER,
	D_CHANGE,
	D_RATIO,
	D_CHANCE,
	D_VERDICT,
	D_NAME,
	D_COLUMNS
};

static const struct pk_grid_column columns[D_COLUMNS] = {
	[D_KIND] = {"kind", "kind", PK_CELL_TEXT,
		    .help = "\"time\" of a GPU (of a step, if both sides have steps), \"part\" of "
			    "that "
			    "time, or of a kernel as with `--view kernels`"},
	[D_CALLS_BEFORE] = {"calls_before", "calls before", PK_CELL_INT,
			    .help = "For kernels: number of runs on the first side; 0 if the "
				    "kernel was added"},
	[D_CALLS_AFTER] = {"calls_after", "calls after", PK_CELL_INT,
			   .help = "The same on the second side; 0 if it was removed"},
	[D_BEFORE] = {"before", "before", PK_CELL_VALUE, "ns",
		      .help = "Time on the first side: mean of the steps of all GPUs if both sides "
			      "have steps, otherwise of the GPUs; for kernels the sum of all runs"},
	[D_AFTER] = {"after", "after", PK_CELL_VALUE, "ns", .help = "The same on the second side"},
	[D_CHANGE] = {"change", "change", PK_CELL_DELTA, "ns", .help = "after - before"},
	[D_RATIO] = {"ratio", "ratio", PK_CELL_RATIO,
		     .help = "after / before; null if before is 0"},
	[D_CHANCE] = {"p", "p", PK_CELL_CHANCE,
		      .help = "For time and parts: probability of such a difference between the "
			      "steps of the two sides if nothing changed (Mann-Whitney); null with "
			      "fewer than 4 steps on a side"},
	[D_VERDICT] =
		{"verdict", "verdict", PK_CELL_TEXT,
		 .help = "\"added\" or \"removed\"; of time and parts \"more\" or \"less\" if p is "
			 "below 0.05 and the means differ, else \"not clear\"; null without a p"},
	[D_NAME] = {"name", "name", PK_CELL_TEXT, .help = "Name of the part or kernel"},
};
const struct pk_grid_columns pk_gpu_diff_columns = PK_GRID_COLUMNS(columns);

enum { PARTS = PK_GPU_KINDS + PK_GPU_IDLES, LEAST_STEPS = 4 };

/* The values of a part (-1: the whole) of all GPUs, for each step or GPU. The caller frees them. */
static double *values_of(const struct pk_gpu *g, int part, bool steps, size_t *count)
{
	double *value = NULL;
	size_t alloc = 0;

	*count = 0;
	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];

		for (uint32_t k = 0; k < (steps ? d->windows : 1); k++) {
			const struct pk_gpu_times *t = steps ? &d->window[k].times : &d->times;
			int64_t parts[PARTS];

			pk_gpu_parts(parts, t);
			PK_GROW(value, *count + 1, alloc);
			value[(*count)++] = (double)(part < 0 ? pk_gpu_whole(t) : parts[part]);
		}
	}
	return value;
}

static double mean_of(const double *value, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += value[i];
	return count ? sum / (double)count : 0;
}

static void set_times(struct pk_cell *row, int64_t before, int64_t after)
{
	pk_cell_int(&row[D_BEFORE], before);
	pk_cell_int(&row[D_AFTER], after);
	pk_cell_int(&row[D_CHANGE], after - before);
	pk_cell_real(&row[D_RATIO], before ? (double)after / (double)before : NAN);
}

static void add_part(struct pk_grid *grid, const struct pk_gpu *before, const struct pk_gpu *after,
		     int part, const char *name)
{
	bool steps = pk_gpu_has_steps(before) && pk_gpu_has_steps(after);
	size_t befores, afters;
	PK_FREED double *one = values_of(before, part, steps, &befores);
	PK_FREED double *other = values_of(after, part, steps, &afters);
	int64_t mean[2] = {(int64_t)(mean_of(one, befores) + 0.5),
			   (int64_t)(mean_of(other, afters) + 0.5)};
	struct pk_cell *row;
	double p;

	if (part >= 0 && !mean[0] && !mean[1])
		return;
	row = pk_grid_row(grid, 0);
	pk_cell_text(&row[D_KIND], part < 0 ? "time" : "part");
	pk_cell_text(&row[D_NAME], name);
	set_times(row, mean[0], mean[1]);
	if (!steps || befores < LEAST_STEPS || afters < LEAST_STEPS)
		return;
	p = pk_mann_whitney(one, befores, other, afters);
	pk_cell_real(&row[D_CHANCE], p);
	/* the mean may be the same although values differ */
	pk_cell_text(&row[D_VERDICT], !(p < 0.05) || mean[1] == mean[0] ? "not clear"
				      : mean[1] > mean[0]               ? "more"
									: "less");
}

struct pair { /* a kernel on both sides; one may be NULL */
	const struct pk_gpu_kernel *side[2];
	const char *name;
	uint8_t kind;
};

static int64_t total(const struct pair *p, int side)
{
	return p->side[side] ? p->side[side]->total : 0;
}

static int64_t size_of(const struct pair *p)
{
	int64_t change = total(p, 1) - total(p, 0);

	return change < 0 ? -change : change;
}

PK_COMPARE(by_name, struct pair, PK_ORDER(a->kind, b->kind) ?: strcmp(a->name, b->name))
PK_COMPARE(by_change, struct pair,
	   PK_ORDER(size_of(b), size_of(a)) ?: PK_ORDER(a->kind, b->kind)
						   ?: strcmp(a->name, b->name))

/* Kernels of both sides; those with the same name and kind are a pair. */
static struct pair *make_pairs(const struct pk_gpu *const g[2], struct pk_gpu_kernel *const k[2],
			       const uint32_t count[2], size_t *pairs)
{
	size_t all = (size_t)count[0] + count[1], kept = 0;
	struct pair *pair = pk_calloc(all + 1, sizeof(*pair));

	for (int side = 0; side < 2; side++)
		for (uint32_t i = 0; i < count[side]; i++) {
			struct pair *p = &pair[i + (side ? count[0] : 0)];

			p->side[side] = &k[side][i];
			p->name = pk_texts_get(&g[side]->names, k[side][i].name);
			p->kind = k[side][i].kind;
		}
	pk_sort(pair, all, sizeof(*pair), by_name);
	for (size_t i = 0; i < all; i++) {
		struct pair *last = kept ? &pair[kept - 1] : NULL;

		if (last && !by_name(last, &pair[i]))
			last->side[pair[i].side[1] != NULL] = pair[i].side[pair[i].side[1] != NULL];
		else
			pair[kept++] = pair[i];
	}
	pk_sort(pair, kept, sizeof(*pair), by_change);
	*pairs = kept;
	return pair;
}

void pk_gpu_diff_grid(struct pk_grid *grid, const struct pk_gpu *before, const struct pk_gpu *after,
		      bool people)
{
	static const char *const exposed[PK_GPU_KINDS] = {"computation", "exposed_communication",
							  "exposed_copies"};
	const struct pk_gpu *const g[2] = {before, after};
	uint32_t count[2];
	struct pk_gpu_kernel *const k[2] = {pk_gpu_merged_kernels(before, &count[0]),
					    pk_gpu_merged_kernels(after, &count[1])};
	PK_FREED struct pair *pair = NULL;
	size_t pairs;

	(void)people;
	pk_grid_init(grid, columns, D_COLUMNS);
	grid->unit = "ns";
	grid->spare = 1U << D_KIND | 1U << D_CALLS_BEFORE | 1U << D_CALLS_AFTER | 1U << D_RATIO |
		      1U << D_CHANCE;
	add_part(grid, before, after, -1,
		 pk_gpu_has_steps(before) && pk_gpu_has_steps(after) ? "step" : "all");
	for (int i = 0; i < PARTS; i++)
		add_part(grid, before, after, i,
			 i < PK_GPU_KINDS ? exposed[i] : pk_gpu_idles[i - PK_GPU_KINDS]);
	pair = make_pairs(g, k, count, &pairs);
	for (size_t i = 0; i < pairs; i++) {
		const struct pair *p = &pair[i];
		struct pk_cell *row = pk_grid_row(grid, 0);

		pk_cell_text(&row[D_KIND], pk_gpu_kinds[p->kind]);
		pk_cell_int(&row[D_CALLS_BEFORE], p->side[0] ? p->side[0]->calls : 0);
		pk_cell_int(&row[D_CALLS_AFTER], p->side[1] ? p->side[1]->calls : 0);
		set_times(row, total(p, 0), total(p, 1));
		if (!p->side[0] || !p->side[1])
			pk_cell_text(&row[D_VERDICT], p->side[0] ? "removed" : "added");
		pk_cell_text(&row[D_NAME], p->name);
	}
	free(k[0]);
	free(k[1]);
}
