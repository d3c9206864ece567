/* What profkit gpu says in words: where the time goes, what to do about it, what is odd. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/by_name.h"
#include "analysis/gpu/waits.h"
#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/gpu/internal.h"

#define INDENT "\n        "

/* A part of the time that could be less: its description, and its name in a sentence. */
struct loss {
	int64_t time;
	void (*say)(struct pk_buf *buf, const struct pk_gpu *g);
	const char *what; /* NULL: the reason is not known */
};

void pk_gpu_add_short(struct pk_buf *buf, const char *name, size_t len, size_t longest)
{
	static const char *const common[] = {
		"void ", "at::native::", "(anonymous namespace)::",
		"autograd::engine::evaluate_function: ", "torch::autograd::"};

	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++) {
		size_t prefix = strlen(common[i]);

		if (len <= prefix || memcmp(name, common[i], prefix) != 0)
			continue;
		name += prefix;
		len -= prefix;
	}
	pk_gpu_add_name(buf, name, len, longest);
}

static void add_name(struct pk_buf *buf, const struct pk_gpu *g, uint32_t name)
{
	enum { LONGEST = 48 };
	const char *text = pk_texts_get(&g->names, name);

	pk_gpu_add_short(buf, text, strlen(text), LONGEST);
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

static double computing_each(const struct pk_gpu_device *d)
{
	return (double)pk_gpu_ran(&d->times, PK_GPU_COMPUTATION) / d->windows;
}

double pk_gpu_median_computation(const struct pk_gpu *g)
{
	PK_FREED double *time = pk_malloc(pk_mul((size_t)g->devices + 1, sizeof(*time)));
	bool steps = g->devices && g->device->window->step != PK_NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < g->devices; i++) {
		if ((g->device[i].window->step != PK_NULL) != steps)
			return NAN;
		time[count] = computing_each(&g->device[i]);
		count += time[count] > 0;
	}
	qsort(time, count, sizeof(*time), pk_compare_reals);
	return count ? (time[(count - 1) / 2] + time[count / 2]) / 2 : NAN;
}

/* The GPU that the others wait for longest. */
static const struct pk_gpu_device *find_last(const struct pk_gpu *g)
{
	const struct pk_gpu_device *worst = g->device;

	for (uint32_t i = 0; i < g->devices; i++)
		if (g->device[i].kept_waiting > worst->kept_waiting)
			worst = &g->device[i];
	return worst;
}

/* The GPU that others wait for, and whether it computes longer or begins later. */
static void say_last(struct pk_buf *buf, const struct pk_gpu *g)
{
	const double longer = 1.02;
	const struct pk_gpu_device *worst = find_last(g);
	int64_t compared = 0;
	double ratio;

	for (uint32_t i = 0; i < g->devices; i++)
		compared += g->device[i].last;
	if (!worst->kept_waiting)
		return;
	pk_buf_adds(buf, INDENT);
	pk_gpu_add_place(buf, g, worst);
	pk_buf_addf(buf,
		    " begins last in %s of %s collective%s; the first one waits for it %s in all",
		    pk_in_count(worst->last).text, pk_in_count(compared).text,
		    compared == 1 ? "" : "s", pk_in_ns(worst->kept_waiting).text);
	ratio = computing_each(worst) / pk_gpu_median_computation(g);
	if (ratio >= longer)
		pk_buf_addf(buf, INDENT "it computes %.2f times as long as the median of all",
			    ratio);
	else if (!isnan(ratio))
		pk_buf_adds(buf,
			    INDENT "it computes no longer than the others: what it does before "
				   "makes it late");
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
	pk_buf_adds(buf, INDENT "start it earlier or in larger pieces (buckets, prefetch)");
	if (g->devices > 1)
		pk_buf_adds(buf, ", or find out why one comes late: profkit gpu --view ranks");
	pk_buf_adds(buf, INDENT "each collective, its size and bandwidth: profkit gpu --view "
				"communication\n");
}

/* Appends the command that shows more, except for data from a part, and ends the paragraph. */
static void add_where(struct pk_buf *buf, const struct pk_gpu *g, const char *where)
{
	if (!g->from_part)
		pk_buf_addf(buf, INDENT "%s", where);
	pk_buf_addc(buf, '\n');
}

enum advice { ADVICE_COPIES, ADVICE_LAUNCHES, ADVICE_HOST, ADVICE_GAPS };

/* Adds what helps, in the terms of what the program was written with. */
static void add_advice(struct pk_buf *buf, const struct pk_gpu *g, enum advice what)
{
	static const char *const words[][PK_PROGRAMS] = {
		[ADVICE_COPIES] =
			{"copy from pinned memory with non_blocking=True on a stream of "
			 "its own; avoid .item(), .cpu() and prints of tensors",
			 "keep arrays on the device: jax.device_put before they are "
			 "needed; avoid np.asarray() and prints of arrays",
			 "keep data on the GPU; copy asynchronously from pinned memory, on "
			 "a stream of its own",
			 "keep tensors on the device, copy less and in larger pieces; avoid "
			 ".item(), .cpu() and prints of tensors"},
		[ADVICE_LAUNCHES] = {"fewer and longer kernels: torch.compile, CUDA graphs, larger "
				     "batches",
				     "fewer and longer kernels: one jax.jit for the whole step, "
				     "larger batches",
				     "fewer and longer kernels: more work in each, or CUDA or HIP "
				     "graphs",
				     "fewer and longer kernels: torch.compile, larger batches"},
		[ADVICE_HOST] =
			{"let the host run ahead: no synchronisation (.item(), prints), "
			 "CUDA graphs, torch.compile, larger batches",
			 "let the host run ahead: no block_until_ready(), np.asarray() and "
			 "prints in the loop, one jax.jit for the whole step",
			 "let the host run ahead: fewer calls that synchronise or allocate, "
			 "asynchronous copies, CUDA or HIP graphs",
			 "let the host run ahead: no synchronisation (.item(), prints), "
			 "torch.compile, larger batches"},
		[ADVICE_GAPS] = {"fuse small kernels: torch.compile, foreach and fused optimizers",
				 "fuse small kernels: one jax.jit for the whole step",
				 "join small kernels, or launch them as CUDA or HIP graphs",
				 "fuse small kernels: torch.compile, foreach and fused optimizers"},
	};

	pk_buf_addf(buf, INDENT "%s",
		    words[what][g->traces ? g->trace->program : PK_PROGRAM_TORCH]);
}

/* Adds what helps against the copies that take longest, by the memory they are from and to. */
static void add_copy_advice(struct pk_buf *buf, const struct pk_gpu *g)
{
	enum { OTHER, PINNED, INSIDE, SETS, MANAGED, WAYS };
	static const char *const words[WAYS] = {
		[PINNED] = "memory of the host is pinned already: copy less, or on a stream of its "
			   "own while kernels run",
		[INSIDE] = "most are from GPU memory to GPU memory: write results where they are "
			   "needed, and keep layouts",
		[SETS] = "most only set memory: leave that out where all of it is written "
			 "afterwards",
		[MANAGED] = "most move pages of managed memory: prefetch them before kernels need "
			    "them",
	};
	int64_t time[WAYS] = {0};
	uint32_t count, most = OTHER;
	PK_FREED struct pk_gpu_kernel *k = pk_gpu_merged_kernels(g, &count);

	for (uint32_t i = 0; i < count; i++) {
		const char *name = pk_texts_get(&g->names, k[i].name);

		if (k[i].kind == PK_GPU_COPY)
			pk_add_saturated(&time[pk_starts_with(name, "Memset")        ? SETS
					       : strstr(name, "Pinned")              ? PINNED
					       : strstr(name, "(Unified)")           ? MANAGED
					       : pk_copy_way(name) == PK_COPY_INSIDE ? INSIDE
										     : OTHER],
					 k[i].total);
	}
	for (uint32_t i = 1; i < WAYS; i++)
		if (time[i] > time[most])
			most = i;
	if (most)
		pk_buf_addf(buf, INDENT "%s", words[most]);
	else
		add_advice(buf, g, ADVICE_COPIES);
}

static void say_copies(struct pk_buf *buf, const struct pk_gpu *g)
{
	pk_buf_adds(buf, "copies that no kernel hides");
	add_top(buf, g, PK_GPU_COPY);
	add_copy_advice(buf, g);
	add_where(buf, g, "bandwidth: profkit gpu --view copies");
}

static void say_launch(struct pk_buf *buf, const struct pk_gpu *g)
{
	int64_t calls = 0, time = 0, short_works = 0;

	for (uint32_t i = 0; i < g->devices; i++) {
		calls += g->device[i].launches;
		pk_add_saturated(&time, g->device[i].launching);
		short_works += g->device[i].short_works;
	}
	pk_buf_adds(buf, "launching: nothing runs from the call that launches the next work until "
			 "the work begins");
	if (calls == 1)
		pk_buf_addf(buf, INDENT "1 launch of %s, %s than the work that it launches",
			    pk_in_ns(time).text, short_works ? "longer" : "not longer");
	else if (calls)
		pk_buf_addf(buf,
			    INDENT "%s launches of %s on average, %s of them longer than the "
				   "work that they launch",
			    pk_in_count(calls).text, pk_in_ns(time / calls).text,
			    short_works ? pk_in_count(short_works).text : "none");
	add_advice(buf, g, ADVICE_LAUNCHES);
	add_where(buf, g,
		  "which calls: profkit gpu --view launches; what could be fused: --view "
		  "sequences");
}

/* Describes what the host did while the GPU with most of this idle time waited for it. */
static void add_host(struct pk_buf *buf, const struct pk_gpu *g, enum pk_gpu_idle idle)
{
	const struct pk_gpu_device *worst = g->device;
	const struct pk_gpu_host *host;

	for (uint32_t i = 1; i < g->devices; i++)
		if (g->device[i].times.idle[idle] > worst->times.idle[idle])
			worst = &g->device[i];
	host = worst->host[idle];
	for (int i = 0; i < PK_GPU_HOSTS && host[i].time; i++) {
		pk_buf_adds(buf, i ? ", " : INDENT "it was in ");
		if (host[i].name)
			add_name(buf, g, host[i].name);
		else
			pk_buf_adds(buf, "(nothing recorded)");
		pk_buf_addf(buf, " %s", pk_in_ns(host[i].time).text);
	}
	if (g->devices > 1 && host[0].time) {
		pk_buf_adds(buf, " (");
		pk_gpu_add_place(buf, g, worst);
		pk_buf_addc(buf, ')');
	}
}

static void say_data(struct pk_buf *buf, const struct pk_gpu *g)
{
	pk_buf_adds(buf, "data loading: the host waited for the DataLoader");
	add_host(buf, g, PK_GPU_DATA);
	pk_buf_adds(buf, INDENT
		    "more workers (num_workers), prefetch_factor, less work for each sample" INDENT
		    "in which steps: profkit gpu --view steps\n");
}

static void say_host(struct pk_buf *buf, const struct pk_gpu *g)
{
	pk_buf_adds(buf, "the host had launched nothing");
	add_host(buf, g, PK_GPU_HOST_WAIT);
	add_advice(buf, g, ADVICE_HOST);
	add_where(buf, g,
		  "what it waits for: profkit gpu --critical-path; what would pay: --what-if auto");
}

static void say_kernel(struct pk_buf *buf, const struct pk_gpu *g)
{
	pk_buf_adds(buf, "short gaps between kernels that were launched in time");
	add_advice(buf, g, ADVICE_GAPS);
	add_where(buf, g, "candidates: profkit gpu --view sequences");
}

/* The part of other_idle before work whose launch is not in the trace; parts do not have it. */
static int64_t unlaunched_idle(const struct pk_gpu *g)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < g->devices; i++)
		pk_add_saturated(&sum, g->device[i].unlaunched);
	return sum;
}

static void say_unlaunched(struct pk_buf *buf, const struct pk_gpu *g)
{
	(void)g;
	pk_buf_adds(
		buf,
		"idle, and the launch of the next work is not in the trace: why is not known\n");
}

static void say_other(struct pk_buf *buf, const struct pk_gpu *g)
{
	if (g->from_part) {
		pk_buf_adds(buf, "idle although the next work was launched, or its launch is not "
				 "in the trace: profkit gpu of the traces tells\n");
		return;
	}
	pk_buf_adds(buf, "idle although the next work was launched");
	pk_buf_adds(buf, INDENT "work waits for other streams, for events or for other ranks: "
				"profkit gpu --critical-path\n");
}

PK_COMPARE(by_time, struct loss, PK_ORDER(b->time, a->time))

enum { LOSSES = 8 };

/* Lists all time that is not computation, by reason, the largest first. */
static void find_losses(struct loss *loss, const struct pk_gpu *g)
{
	int64_t unlaunched = unlaunched_idle(g);
	const struct loss found[LOSSES] = {
		{pk_gpu_exposed(&g->times, PK_GPU_COMMUNICATION), say_communication,
		 "communication"},
		{pk_gpu_exposed(&g->times, PK_GPU_COPY), say_copies, "copies"},
		{g->times.idle[PK_GPU_LAUNCH], say_launch, "calls that launch work"},
		{g->times.idle[PK_GPU_DATA], say_data, "data loading"},
		{g->times.idle[PK_GPU_HOST_WAIT], say_host,
		 "the host, which launches work too late"},
		{g->times.idle[PK_GPU_KERNEL_WAIT], say_kernel, "gaps between kernels"},
		{g->times.idle[PK_GPU_OTHER] - unlaunched, say_other,
		 g->from_part ? NULL : "waits of work that was launched"},
		{unlaunched, say_unlaunched, NULL},
	};

	memcpy(loss, found, sizeof(found));
	qsort(loss, LOSSES, sizeof(*loss), by_time);
}

/* "  23.4%  WORDS", the largest first. */
static void say_losses(struct pk_buf *buf, const struct pk_gpu *g)
{
	const double small = 0.01;
	struct loss loss[LOSSES];
	int64_t whole = pk_gpu_whole(&g->times);

	find_losses(loss, g);
	for (size_t i = 0; i < LOSSES; i++) {
		double share = pk_share(loss[i].time, whole);

		if (isnan(share) || share < small)
			break;
		pk_buf_addf(buf, "%6s  ", pk_in_percent(share).text);
		loss[i].say(buf, g);
	}
}

/* One sentence: the share of computation, and the largest part of the rest, which is the first line
 * of the losses. */
static void say_verdict(struct pk_buf *buf, const struct pk_gpu *g, double computing)
{
	const double enough = 0.9;
	struct loss loss[LOSSES];
	double share;

	find_losses(loss, g);
	share = pk_share(loss->time, pk_gpu_whole(&g->times));
	pk_buf_addf(buf, "%s for %s of the time",
		    g->devices > 1 ? "GPUs compute" : "The GPU computes",
		    pk_in_percent(computing).text);
	if (computing >= enough)
		pk_buf_adds(buf, ": only faster kernels help much.\n");
	else
		pk_buf_addf(buf, ". %s of the rest is lost to %s (%s)%s.\n",
			    share > (1 - computing) / 2 ? "Most" : "The largest part",
			    loss->what ? loss->what : "waits whose reason is not in the trace",
			    pk_in_percent(share).text, loss->what ? ": begin there" : "");
}

/* The GPU that computes much longer than the others, unless it was named as the last one. */
static void say_slow_device(struct pk_buf *buf, const struct pk_gpu *g)
{
	const double much = 1.05;
	const struct pk_gpu_device *worst = g->device, *last = find_last(g);
	double ratio;

	for (uint32_t i = 1; i < g->devices; i++)
		if (computing_each(&g->device[i]) > computing_each(worst))
			worst = &g->device[i];
	ratio = computing_each(worst) / pk_gpu_median_computation(g);
	if (g->devices < 2 || !(ratio >= much) || isinf(ratio) ||
	    (worst == last && last->kept_waiting))
		return;
	pk_gpu_add_place(buf, g, worst);
	pk_buf_addf(buf,
		    " computes for %s%s, %.2f times the median of all: profkit gpu --view ranks\n",
		    pk_in_ns((int64_t)computing_each(worst)).text,
		    worst->window->step == PK_NULL ? "" : " of a step", ratio);
}

/* A step that takes much longer than the others. */
static void say_slow_step(struct pk_buf *buf, const struct pk_gpu *g)
{
	enum { FEWEST = 3 };
	const double much = 1.2;
	const struct pk_gpu_device *at = NULL;
	const struct pk_gpu_window *worst = NULL;
	PK_FREED double *time = NULL;
	size_t count = 0, alloc = 0;
	double ratio;

	for (uint32_t i = 0; i < g->devices; i++) {
		const struct pk_gpu_device *d = &g->device[i];

		for (uint32_t k = 0; k < d->windows && d->window->step != PK_NULL; k++) {
			PK_GROW(time, count + 1, alloc);
			time[count++] = (double)pk_gpu_whole(&d->window[k].times);
			if (worst && time[count - 1] <= (double)pk_gpu_whole(&worst->times))
				continue;
			worst = &d->window[k];
			at = d;
		}
	}
	if (count < FEWEST)
		return;
	qsort(time, count, sizeof(*time), pk_compare_reals);
	ratio = time[count - 1] / time[(count - 1) / 2];
	if (!(ratio >= much) || isinf(ratio))
		return;
	pk_buf_addf(buf, "step %lld", (long long)worst->step);
	if (g->devices > 1) {
		pk_buf_adds(buf, " of ");
		pk_gpu_add_place(buf, g, at);
	}
	pk_buf_addf(buf,
		    " takes %s, %.2f times the median of all steps: profkit gpu --view steps\n",
		    pk_in_ns(pk_gpu_whole(&worst->times)).text, ratio);
}

void pk_gpu_words(struct pk_buf *buf, const struct pk_gpu *g)
{
	const double much = 0.5;
	int64_t whole = pk_gpu_whole(&g->times);
	double share = pk_share(pk_gpu_exposed(&g->times, PK_GPU_COMPUTATION), whole);

	if (isnan(share)) {
		pk_buf_adds(buf, "All work on the GPU has a length of 0, and there is no time "
				 "between it: nothing to divide.\n");
		return;
	}
	say_verdict(buf, g, share);
	pk_buf_addf(buf, "%6s  computation", pk_in_percent(share).text);
	add_top(buf, g, PK_GPU_COMPUTATION);
	if (share >= much && !g->from_part)
		pk_buf_adds(buf,
			    INDENT "of which operators: profkit gpu --view kernels --by operator; "
				   "how near to the peak: --peak-flops\n");
	else
		pk_buf_addc(buf, '\n');
	say_losses(buf, g);
	say_slow_device(buf, g);
	say_slow_step(buf, g);
}

/* Appends the reason why a view has no rows. */
void pk_gpu_empty_note(struct pk_buf *buf, enum pk_gpu_view view)
{
	switch (view) {
	case PK_GPU_MEMORY:
		pk_buf_adds(buf, "the trace does not say what was allocated (with torch.profiler: "
				 "profile_memory=True)\n");
		break;
	case PK_GPU_COMMUNICATION_VIEW:
		pk_buf_adds(buf, "no kernels that communicate\n");
		break;
	case PK_GPU_COPIES:
		pk_buf_adds(buf, "no copies and sets of memory\n");
		break;
	case PK_GPU_SEQUENCES:
		pk_buf_adds(buf, "no operators that launch several kernels, or none of that "
				 "name\n");
		break;
	case PK_GPU_LAUNCHES:
		pk_buf_adds(buf, "no calls that launch the work of this trace\n");
		break;
	case PK_GPU_IDLE:
		pk_buf_adds(buf, "no gaps on any stream\n");
		break;
	default:
		break;
	}
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

/* Further data in the traces that is not shown; traces of one program have the same. */
static void note_unread(struct pk_buf *buf, const struct pk_gpu *g)
{
	for (uint32_t i = 0; i < g->traces; i++) {
		if (!g->trace[i].not_read)
			continue;
		pk_buf_adds(buf, "tables that are not read: ");
		pk_buf_add_visible(buf, pk_texts_get(&g->names, g->trace[i].not_read));
		pk_buf_addc(buf, '\n');
		break;
	}
}

/* True if several traces have collectives. */
static bool several_communicate(const struct pk_gpu *g)
{
	uint32_t i = 0;

	while (i < g->collective_count && g->collective[i].trace == g->collective->trace)
		i++;
	return i < g->collective_count;
}

static void note_clocks(struct pk_buf *buf, const struct pk_gpu *g)
{
	static const char *const guesses[] = {
		[PK_CLOCKS_SURE] = "",
		[PK_CLOCKS_FEW] = ": a guess, since so few may fit by chance",
		[PK_CLOCKS_REGULAR] = (": a guess, since they come so regularly that those before "
				       "or after may fit, too")};
	const struct pk_clocks *k = &g->clocks;

	if (k->aligned && !k->confirmed) {
		pk_buf_addf(buf,
			    "the clocks of ranks are aligned by %s collective%s: no other one "
			    "confirms them\n",
			    pk_in_count(k->sets).text, k->sets == 1 ? "" : "s");
	} else if (k->aligned) {
		pk_buf_addf(buf, "the clocks of ranks are aligned by %s collectives",
			    pk_in_count(k->sets).text);
		if (k->most)
			pk_buf_addf(buf,
				    ", whose ends are then %s apart in the median and %s at most",
				    pk_in_ns(k->apart).text, pk_in_ns(k->most).text);
		else
			pk_buf_adds(buf, ", which then end at the same time on all of them");
		pk_buf_addf(buf, "%s\n", guesses[k->guess]);
	}
	if (k->alone)
		pk_buf_addf(buf, "%s %s found on one GPU only, and not compared\n",
			    pk_in_count(k->alone).text,
			    k->alone == 1 ? "collective was" : "collectives were");
	if (!k->sets && k->traces > 1 && (k->alone || several_communicate(g)))
		pk_buf_adds(buf, "the clocks of ranks are those of their files: no collective is "
				 "known to be the same on two ranks\n");
}

void pk_gpu_notes(struct pk_buf *buf, const struct pk_gpu *g)
{
	/* one, several */
	static const char *const words[PK_GPU_ODDS][2] = {
		[PK_GPU_UNLAUNCHED] = {"kernel or copy whose launch is not in the trace",
				       "kernels or copies whose launch is not in the trace"},
		[PK_GPU_WORKLESS] = {"launch whose kernel is not in the trace",
				     "launches whose kernel is not in the trace"},
		[PK_GPU_ID_REPEATED] = {"call with the correlation id of an earlier call: work "
					"with this id counts as launched by the last such call "
					"that began before it",
					"calls with the correlation id of an earlier call: work "
					"with these ids counts as launched by the last such call "
					"that began before it"},
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
		[PK_GPU_STEP_REPEATED] =
			{"step with the number of an earlier one of its thread: "
			 "both count as one, from the first begin to the last end",
			 "steps with the number of an earlier one of their thread: "
			 "those of a number count as one, from the first begin to the last end"},
		[PK_GPU_LEFT_OUT] = {"kernel or copy on a GPU beyond the first 32 of its trace, "
				     "left out",
				     "kernels or copies on GPUs beyond the first 32 of their "
				     "trace, left out"},
	};

	note_unread(buf, g);
	note_outside(buf, g);
	pk_gpu_rank_notes(buf, g);
	note_clocks(buf, g);
	if (g->by_order)
		pk_buf_addf(buf,
			    "%s %s no process group: those at the same place of each trace are "
			    "taken for the same one, which is wrong if traces lack some\n",
			    pk_in_count(g->by_order).text,
			    g->by_order == 1 ? "collective names" : "collectives name");
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

		pk_json_put(w, "{path %s format %s label %s}", pk_texts_get(&g->names, t->path),
			    pk_texts_get(&g->names, t->format),
			    t->label ? pk_texts_get(&g->names, t->label) : NULL);
	}
	pk_json_end(w);
	pk_json_put(w, "view %s", pk_gpu_views[view]);
	if (g->clocks.aligned)
		pk_json_put(w, "clocks {collectives %ju ends_apart %jd ends_apart_most %jd}",
			    (uintmax_t)g->clocks.sets, g->clocks.apart, g->clocks.most);
	if (g->clocks.alone)
		pk_json_put(w, "collectives_of_one_rank %ju", (uintmax_t)g->clocks.alone);
	pk_json_put_array(w, "odd");
	for (uint32_t t = 0; t < g->traces; t++)
		for (int i = 0; i < PK_GPU_ODDS; i++)
			if (g->trace[t].odd[i])
				pk_json_put(w, "{rank %jd what %s count %jd}", g->trace[t].rank,
					    pk_gpu_odds[i], g->trace[t].odd[i]);
	pk_json_end(w);
}
