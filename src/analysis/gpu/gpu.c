/* Sums over GPUs and ranks, and the words for what was found. */
#include "analysis/gpu/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "model/build/builder.h"

const char *const pk_gpu_kinds[] = {"computation", "communication", "copy", NULL};
const char *const pk_gpu_idles[] = {"launch",      "data_loading", "host_wait",
				    "kernel_wait", "other_idle",   NULL};
const char *const pk_gpu_odds[] = {"work_without_launch",  "launches_without_work",
				   "correlation_repeated", "work_before_launch",
				   "graph_launches",       "stream_overlaps",
				   "step_overlaps",        "steps_repeated",
				   "work_left_out",        NULL};

int64_t pk_gpu_exposed(const struct pk_gpu_times *t, enum pk_gpu_kind kind)
{
	unsigned before = (1U << kind) - 1; /* kinds that hide it */
	int64_t sum = 0;

	for (unsigned s = 1; s < PK_GPU_STATES; s++)
		pk_add_saturated(&sum, s >> kind & 1 && !(s & before) ? t->ran[s] : 0);
	return sum;
}

int64_t pk_gpu_ran(const struct pk_gpu_times *t, enum pk_gpu_kind kind)
{
	int64_t sum = 0;

	for (unsigned s = 1; s < PK_GPU_STATES; s++)
		pk_add_saturated(&sum, s >> kind & 1 ? t->ran[s] : 0);
	return sum;
}

int64_t pk_gpu_busy(const struct pk_gpu_times *t)
{
	int64_t sum = 0;

	for (unsigned s = 1; s < PK_GPU_STATES; s++)
		pk_add_saturated(&sum, t->ran[s]);
	return sum;
}

int64_t pk_gpu_idle_time(const struct pk_gpu_times *t)
{
	int64_t sum = 0;

	for (int i = 0; i < PK_GPU_IDLES; i++)
		pk_add_saturated(&sum, t->idle[i]);
	return sum;
}

int64_t pk_gpu_whole(const struct pk_gpu_times *t)
{
	int64_t sum = pk_gpu_busy(t);

	pk_add_saturated(&sum, pk_gpu_idle_time(t));
	return sum;
}

void pk_gpu_parts(int64_t part[PK_GPU_KINDS + PK_GPU_IDLES], const struct pk_gpu_times *t)
{
	for (int k = 0; k < PK_GPU_KINDS; k++)
		part[k] = pk_gpu_exposed(t, (enum pk_gpu_kind)k);
	for (int i = 0; i < PK_GPU_IDLES; i++)
		part[PK_GPU_KINDS + i] = t->idle[i];
}

double pk_gpu_share(int64_t time, const struct pk_gpu_times *t)
{
	int64_t whole = pk_gpu_whole(t);

	return whole > 0 ? (double)time / (double)whole : NAN;
}

void pk_gpu_times_add(struct pk_gpu_times *sum, const struct pk_gpu_times *t)
{
	for (int s = 1; s < PK_GPU_STATES; s++)
		pk_add_saturated(&sum->ran[s], t->ran[s]);
	for (int i = 0; i < PK_GPU_IDLES; i++)
		pk_add_saturated(&sum->idle[i], t->idle[i]);
}

/* Traces without a rank keep the order in which they were named, behind the others. */
PK_COMPARE_ROWS(by_rank, struct pk_gpu_trace,
		PK_ORDER(d[a].rank == PK_NULL, d[b].rank == PK_NULL)
			?: PK_ORDER(d[a].rank, d[b].rank) ?: PK_ORDER(a, b))

/* The length of the name of a file without what all traces of its kind end with:
 * WORKER.TIME.pt.trace.json.gz */
static size_t name_length(const char *file)
{
	static const char *const ends[] = {".gz", ".zst", ".json", ".pt.trace"};
	size_t len = strlen(file);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (pk_text_ends(file, len, ends[i]))
			len -= strlen(ends[i]);
	return len;
}

/* Names traces without a rank by their files; those of the same name by their paths. */
static void name_traces(struct pk_gpu *g)
{
	PK_FREED uint32_t *uses = NULL;

	for (uint32_t i = 0; i < g->traces; i++) {
		const char *file = pk_basename(pk_texts_get(&g->names, g->trace[i].path));
		size_t len = name_length(file); /* of ".json" nothing is left */

		if (g->trace[i].rank == PK_NULL)
			g->trace[i].name = pk_texts_put(&g->names, file, len ? len : strlen(file));
	}
	uses = pk_calloc((size_t)g->names.count + 1, sizeof(*uses));
	for (uint32_t i = 0; i < g->traces; i++)
		uses[g->trace[i].name]++;
	for (uint32_t i = 0; i < g->traces; i++)
		if (g->trace[i].name && uses[g->trace[i].name] > 1)
			g->trace[i].name = g->trace[i].path;
}

void pk_gpu_finish(struct pk_gpu *g)
{
	PK_FREED uint32_t *order = pk_malloc(pk_mul((size_t)g->traces + 1, sizeof(*order)));
	PK_FREED uint32_t *place = pk_malloc(pk_mul((size_t)g->traces + 1, sizeof(*place)));
	PK_FREED uint32_t *device = pk_malloc(pk_mul((size_t)g->devices + 1, sizeof(*device)));
	struct pk_gpu_trace *sorted = pk_calloc((size_t)g->traces + 1, sizeof(*sorted));
	struct pk_gpu_device *devices = pk_calloc((size_t)g->devices + 1, sizeof(*devices));
	uint32_t count = 0;

	for (uint32_t i = 0; i < g->traces; i++)
		order[i] = i;
	if (g->traces)
		qsort_r(order, g->traces, sizeof(*order), by_rank, g->trace);
	for (uint32_t i = 0; i < g->traces; i++) {
		sorted[i] = g->trace[order[i]];
		place[order[i]] = i;
		for (uint32_t k = 0; k < g->devices; k++) {
			if (g->device[k].trace != order[i])
				continue;
			device[k] = count;
			devices[count] = g->device[k];
			devices[count++].trace = i;
		}
	}
	for (uint32_t i = 0; i < g->streams; i++)
		g->stream[i].device = device[g->stream[i].device];
	for (uint32_t i = 0; i < g->memories; i++)
		g->memory[i].trace = place[g->memory[i].trace];
	for (uint32_t i = 0; i < g->collective_count; i++)
		g->collective[i].trace = place[g->collective[i].trace],
		g->collective[i].device = device[g->collective[i].device];
	for (uint32_t i = 0; i < g->kinds_of_collectives; i++)
		if (g->collectives[i].last)
			g->collectives[i].last = device[g->collectives[i].last - 1] + 1;
	free(g->trace);
	free(g->device);
	g->trace = sorted;
	g->device = devices;
	name_traces(g);
	if (g->streams)
		pk_group_sort(g->stream, sizeof(*g->stream), &g->stream->device, g->streams,
			      g->devices);
	if (g->memories)
		pk_group_sort(g->memory, sizeof(*g->memory), &g->memory->trace, g->memories,
			      g->traces);
	pk_gpu_merge_sizes(g);
	pk_gpu_join_collectives(g);
	pk_gpu_sort_sequences(g);
}

/* Traces that do not have as many steps as the others. */
static void note_lengths(struct pk_buf *buf, const struct pk_gpu *g)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];

		if (d->window->step == PK_NULL)
			continue;
		least = d->windows < least ? d->windows : least;
		most = d->windows > most ? d->windows : most;
	}
	if (most > least)
		pk_buf_addf(buf, "some GPUs have %u step%s, others up to %u\n", least,
			    least == 1 ? "" : "s", most);
}

/* Those between these two. */
static void note_missing(struct pk_buf *buf, int64_t before, int64_t after)
{
	int64_t apart = pk_apart(after, before);

	if (apart == 2)
		pk_buf_addf(buf, "rank %lld is missing\n", (long long)before + 1);
	else if (apart > 2)
		pk_buf_addf(buf, "ranks %lld to %lld are missing\n", (long long)before + 1,
			    (long long)after - 1);
}

void pk_gpu_rank_notes(struct pk_buf *buf, const struct pk_gpu *g)
{
	int64_t highest = PK_NULL, ranks = 0;

	note_lengths(buf, g);
	for (uint32_t i = 0; i < g->traces && g->traces > 1; i++) {
		int64_t rank = g->trace[i].rank, last = i ? g->trace[i - 1].rank : -1;

		if (rank == PK_NULL || last == PK_NULL)
			continue;
		if (i && rank == last) {
			pk_buf_addf(buf, "rank %lld is there twice: ", (long long)rank);
			pk_buf_add_visible(buf, pk_texts_get(&g->names, g->trace[i - 1].path));
			pk_buf_adds(buf, " and ");
			pk_buf_add_visible(buf, pk_texts_get(&g->names, g->trace[i].path));
			pk_buf_addc(buf, '\n');
		} else {
			note_missing(buf, last, rank);
		}
		highest = rank;
		ranks = g->trace[i].ranks > ranks ? g->trace[i].ranks : ranks;
	}
	if (highest != PK_NULL && ranks > highest)
		note_missing(buf, highest, ranks);
}

void pk_gpu_release(struct pk_gpu *g)
{
	for (uint32_t i = 0; i < g->devices; i++)
		free(g->device[i].window);
	free(g->trace);
	free(g->device);
	free(g->kernel);
	free(g->size);
	free(g->stream);
	free(g->call);
	free(g->copies);
	free(g->collective);
	free(g->collectives);
	free(g->memory);
	free(g->sequence);
	free(g->flops);
	pk_builder_free(g->paths);
	pk_buf_release(&g->said);
	pk_texts_release(&g->names);
}
