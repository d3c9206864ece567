/* What profkit gpu says in words: where the time goes, what to do about it, what is odd. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/waits.h"
#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/gpu/grid.h"

#define INDENT "\n        "

/* A part of the time that could be less: its share, and what is said of it. */
struct loss {
	int64_t time;
	void (*say)(struct pk_buf *buf, const struct pk_gpu *g);
};

static void add_name(struct pk_buf *buf, const struct pk_gpu *g, uint32_t name)
{
	enum { LONGEST = 36 };
	const char *text = pk_gpu_name(&g->names, name);

	pk_gpu_add_name(buf, text, strlen(text), LONGEST);
}

/* A line "NAME 12 ms (40 calls), NAME 3 ms (2)": the kernels of this kind that took longest. */
static void add_top(struct pk_buf *buf, const struct pk_gpu *g, enum pk_gpu_kind kind)
{
	enum { NAMED = 3 };
	uint32_t count, said = 0;
	PK_FREED struct pk_gpu_kernel *k = pk_gpu_merged_kernels(g, &count);

	for (uint32_t i = 0; i < count && said < NAMED; i++) {
		if (k[i].kind != kind)
			continue;
		pk_buf_adds(buf, said ? ", " : INDENT);
		add_name(buf, g, k[i].name);
		pk_buf_addf(buf, " %s (%s", pk_in_ns(k[i].total).text,
			    pk_in_count(k[i].calls).text);
		if (!said++)
			pk_buf_adds(buf, k[i].calls == 1 ? " call" : " calls");
		pk_buf_addc(buf, ')');
	}
}

/* The rank that the others wait for longest. */
static void say_last(struct pk_buf *buf, const struct pk_gpu *g)
{
	const struct pk_gpu_trace *worst = g->trace;
	int64_t compared = 0;

	for (uint32_t i = 0; i < g->traces; i++) {
		compared += g->trace[i].last;
		if (g->trace[i].kept_waiting > worst->kept_waiting)
			worst = &g->trace[i];
	}
	if (!worst->kept_waiting)
		return;
	pk_buf_adds(buf, INDENT);
	if (worst->rank == PK_NULL)
		pk_buf_add_visible(buf, pk_basename(pk_gpu_name(&g->names, worst->path)));
	else
		pk_buf_addf(buf, "rank %lld", (long long)worst->rank);
	pk_buf_addf(buf,
		    " begins last in %s of %s collective%s; the first rank waits for it %s in all",
		    pk_in_count(worst->last).text, pk_in_count(compared).text,
		    compared == 1 ? "" : "s", pk_in_ns(worst->kept_waiting).text);
}

static void say_communication(struct pk_buf *buf, const struct pk_gpu *g)
{
	int64_t all = pk_gpu_ran(&g->times, PK_GPU_COMMUNICATION);
	int64_t exposed = pk_gpu_exposed(&g->times, PK_GPU_COMMUNICATION);

	pk_buf_addf(buf,
		    "communication that no computation hides (%s of all communication is "
		    "hidden)",
		    pk_in_percent(pk_share(all - exposed, all)).text);
	add_top(buf, g, PK_GPU_COMMUNICATION);
	say_last(buf, g);
	pk_buf_adds(buf,
		    INDENT "start it earlier or in larger pieces (buckets, prefetch), or find the "
			   "rank that comes late: profkit workers\n");
}

static void say_copies(struct pk_buf *buf, const struct pk_gpu *g)
{
	pk_buf_adds(buf, "copies that no kernel hides");
	add_top(buf, g, PK_GPU_COPY);
	pk_buf_adds(buf,
		    INDENT "copy from pinned memory with non_blocking=True on a stream of its own; "
			   "avoid .item(), .cpu() and prints of tensors\n");
}

static void say_launch(struct pk_buf *buf, const struct pk_gpu *g)
{
	(void)g;
	pk_buf_adds(buf, "launching: the calls that launch the next work take that long" INDENT
			 "fewer and longer kernels: torch.compile, CUDA graphs, larger batches\n");
}

static void say_data(struct pk_buf *buf, const struct pk_gpu *g)
{
	(void)g;
	pk_buf_adds(buf,
		    "data loading: the host waited for the DataLoader" INDENT
		    "more workers (num_workers), prefetch_factor, less work for each sample\n");
}

static void say_host(struct pk_buf *buf, const struct pk_gpu *g)
{
	const struct pk_gpu_device *worst = g->device;

	for (uint32_t i = 1; i < g->devices; i++)
		if (g->device[i].times.idle[PK_GPU_HOST_WAIT] > worst->times.idle[PK_GPU_HOST_WAIT])
			worst = &g->device[i];
	pk_buf_adds(buf, "the host had launched nothing");
	for (int i = 0; i < PK_GPU_HOSTS && worst->host[i].time; i++) {
		pk_buf_adds(buf, i ? ", " : INDENT "it was in ");
		if (worst->host[i].name)
			add_name(buf, g, worst->host[i].name);
		else
			pk_buf_adds(buf, "nothing recorded");
		pk_buf_addf(buf, " %s", pk_in_ns(worst->host[i].time).text);
	}
	if (g->devices > 1) {
		pk_buf_adds(buf, " (");
		pk_gpu_add_place(buf, g, worst);
		pk_buf_addc(buf, ')');
	}
	pk_buf_adds(buf,
		    INDENT "let the host run ahead: no synchronisation (.item(), prints), CUDA "
			   "graphs, torch.compile, larger batches\n");
}

static void say_kernel(struct pk_buf *buf, const struct pk_gpu *g)
{
	(void)g;
	pk_buf_adds(buf, "short gaps between kernels that were launched in time" INDENT
			 "fuse small kernels: torch.compile, foreach and fused optimizers\n");
}

static void say_other(struct pk_buf *buf, const struct pk_gpu *g)
{
	(void)g;
	pk_buf_adds(buf,
		    "idle although the next work was launched, or its launch is not in the "
		    "trace" INDENT "work waits for other streams, for events or for other ranks\n");
}

PK_COMPARE(by_time, struct loss, PK_ORDER(b->time, a->time))

/* "  23.4%  WORDS", the largest first. */
static void say_losses(struct pk_buf *buf, const struct pk_gpu *g)
{
	const double small = 0.01;
	int64_t whole = pk_gpu_whole(&g->times);
	struct loss loss[] = {
		{pk_gpu_exposed(&g->times, PK_GPU_COMMUNICATION), say_communication},
		{pk_gpu_exposed(&g->times, PK_GPU_COPY), say_copies},
		{g->times.idle[PK_GPU_LAUNCH], say_launch},
		{g->times.idle[PK_GPU_DATA], say_data},
		{g->times.idle[PK_GPU_HOST_WAIT], say_host},
		{g->times.idle[PK_GPU_KERNEL_WAIT], say_kernel},
		{g->times.idle[PK_GPU_OTHER], say_other},
	};

	qsort(loss, sizeof(loss) / sizeof(*loss), sizeof(*loss), by_time);
	for (size_t i = 0; i < sizeof(loss) / sizeof(*loss); i++) {
		double share = pk_share(loss[i].time, whole);

		if (isnan(share) || share < small)
			break;
		pk_buf_addf(buf, "%6s  ", pk_in_percent(share).text);
		loss[i].say(buf, g);
	}
}

void pk_gpu_words(struct pk_buf *buf, const struct pk_gpu *g)
{
	int64_t whole = pk_gpu_whole(&g->times);
	double share = pk_share(pk_gpu_exposed(&g->times, PK_GPU_COMPUTATION), whole);

	pk_buf_addf(buf, "%6s  computation", pk_in_percent(isnan(share) ? 0 : share).text);
	add_top(buf, g, PK_GPU_COMPUTATION);
	pk_buf_addc(buf, '\n');
	say_losses(buf, g);
}

/* Work that is not counted because it ran outside of steps. */
static void note_outside(struct pk_buf *buf, const struct pk_gpu *g)
{
	int64_t outside = 0;

	for (uint32_t i = 0; i < g->devices; i++)
		pk_add_saturated(&outside, g->device[i].outside);
	if (outside)
		pk_buf_addf(buf,
			    "%s of work ran outside of the steps and is not in the breakdown; "
			    "--whole counts from the first work to the last\n",
			    pk_in_ns(outside).text);
}

void pk_gpu_notes(struct pk_buf *buf, const struct pk_gpu *g)
{
	/* one, several */
	static const char *const words[PK_GPU_ODDS][2] = {
		[PK_GPU_UNLAUNCHED] = {"kernel or copy whose launch is not in the trace",
				       "kernels or copies whose launch is not in the trace"},
		[PK_GPU_WORKLESS] = {"launch whose kernel is not in the trace",
				     "launches whose kernel is not in the trace"},
		[PK_GPU_ID_REPEATED] = {"call with the correlation id of an earlier call, whose "
					"work is counted as that call's",
					"calls with the correlation id of an earlier call, whose "
					"work is counted as theirs"},
		[PK_GPU_TOO_EARLY] = {"kernel or copy that begins before the call that launched "
				      "it: clocks differ",
				      "kernels or copies that begin before the call that launched "
				      "them: clocks differ"},
		[PK_GPU_GRAPHS] =
			{"launch of a CUDA graph: all its kernels count as launched by it",
			 "launches of CUDA graphs: all kernels of one count as launched "
			 "by it"},
		[PK_GPU_SELF_OVERLAP] = {"kernel or copy that begins before the one before it on "
					 "its stream ends",
					 "kernels or copies that begin before the one before them "
					 "on their stream ends"},
		[PK_GPU_STEP_OVERLAP] = {"step that begins before the step before it ends: it "
					 "counts from there",
					 "steps that begin before the step before them ends: they "
					 "count from there"},
		[PK_GPU_LEFT_OUT] = {"kernel or copy on a GPU beyond the first 32 of its trace, "
				     "left out",
				     "kernels or copies on GPUs beyond the first 32 of their "
				     "trace, left out"},
	};

	note_outside(buf, g);
	pk_gpu_rank_notes(buf, g);
	if (g->aligned)
		pk_buf_adds(buf, "the clocks of ranks are aligned: their collectives end at the "
				 "same time\n");
	for (int i = 0; i < PK_GPU_ODDS; i++) {
		int64_t sum = 0;

		for (uint32_t t = 0; t < g->traces; t++)
			pk_add_saturated(&sum, g->trace[t].odd[i]);
		if (sum)
			pk_buf_addf(buf, "%s %s\n", pk_in_count(sum).text, words[i][sum != 1]);
	}
}

void pk_gpu_json(struct pk_json_writer *w, const struct pk_gpu *g, enum pk_gpu_view view)
{
	pk_json_put_array(w, "inputs");
	for (uint32_t i = 0; i < g->traces; i++) {
		const struct pk_gpu_trace *t = &g->trace[i];

		pk_json_put(w, "{path %s format %s label %s}", pk_gpu_name(&g->names, t->path),
			    pk_gpu_name(&g->names, t->format),
			    t->label ? pk_gpu_name(&g->names, t->label) : NULL);
	}
	pk_json_end(w);
	pk_json_put(w, "view %s", pk_gpu_views[view]);
	pk_json_put_array(w, "odd");
	for (uint32_t t = 0; t < g->traces; t++)
		for (int i = 0; i < PK_GPU_ODDS; i++)
			if (g->trace[t].odd[i])
				pk_json_put(w, "{rank %jd what %s count %jd}", g->trace[t].rank,
					    pk_gpu_odds[i], g->trace[t].odd[i]);
	pk_json_end(w);
}
