/* Looks at one trace: which work ran on which GPU, in which steps, and what is odd in it. */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/by_name.h"
#include "analysis/gpu/internal.h"
#include "analysis/gpu/use.h"
#include "base/alloc.h"
#include "base/json/members.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/events/nest.h"
#include "model/events/time_range.h"
#include "model/part/digest.h"

/* Kernels that communicate, by a part of their name: those of NCCL, RCCL and similar libraries, of
 * serving engines, and the collectives of XLA. */
static const char *const communication[] = {
	"nccl",       "rccl",       "hccl",           "oneccl",     "cross_device_reduce",
	"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute",
	"all_reduce", "allreduce",  "allgather",      "all_gather", "reduce_scatter",
	"all_to_all", "nvshmem",
};

static uint32_t function_of(const struct pk_gpu_input *in, uint32_t span)
{
	return pk_node_function(in->profile, in->profile->span.node[span]);
}

static enum pk_gpu_kind kind_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof(communication) / sizeof(*communication); i++)
		if (strcasestr(name, communication[i]))
			return PK_GPU_COMMUNICATION;
	return PK_GPU_COMPUTATION;
}

uint8_t *pk_gpu_find_kinds(const struct pk_launches *l)
{
	const struct pk_profile *p = l->profile;
	uint8_t *kind = pk_malloc(p->span.count);
	/* by function: the kind of a kernel + 1, 0 = not known yet */
	PK_FREED uint8_t *known = pk_calloc(p->function.count, sizeof(*known));

	for (uint32_t i = 1; i < p->span.count; i++) {
		uint32_t function;

		if (!pk_activity_is_work(l->activity[i]))
			continue;
		kind[i] = PK_GPU_COPY;
		if (l->activity[i] != PK_ACT_KERNEL)
			continue;
		function = pk_node_function(p, p->span.node[i]);
		if (!known[function])
			known[function] = (uint8_t)(kind_by_name(pk_launches_name(l, i)) + 1);
		kind[i] = known[function] - 1;
	}
	return kind;
}

PK_COMPARE(by_begin, struct pk_gpu_window, PK_ORDER(a->from, b->from) ?: PK_ORDER(a->step, b->step))
PK_COMPARE(by_step, struct pk_gpu_window,
	   PK_ORDER(a->step, b->step) ?: PK_ORDER(a->thread, b->thread))

/* Adds up windows of one step (several threads of the host may mark it), and cuts what overlaps. */
static void join_windows(struct pk_gpu_input *in)
{
	struct pk_gpu_window *w = in->window;
	uint32_t count = 0;

	pk_sort(w, in->windows, sizeof(*w), by_step);
	for (uint32_t i = 0; i < in->windows; i++) {
		struct pk_gpu_window *last = count ? &w[count - 1] : NULL;

		if (!last || last->step != w[i].step) {
			w[count++] = w[i];
			continue;
		}
		in->odd[PK_GPU_STEP_REPEATED] += last->thread == w[i].thread;
		last->thread = w[i].thread;
		last->from = w[i].from < last->from ? w[i].from : last->from;
		last->to = w[i].to > last->to ? w[i].to : last->to;
	}
	pk_sort(w, count, sizeof(*w), by_begin);
	in->windows = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct pk_gpu_window *last = in->windows ? &w[in->windows - 1] : NULL;

		if (last && w[i].from < last->to) {
			in->odd[PK_GPU_STEP_OVERLAP]++;
			w[i].from = last->to;
		}
		if (w[i].from < w[i].to)
			w[in->windows++] = w[i];
	}
}

/* The number of a step of JAX: of a TPU's line "Steps", or an argument of the host's
 * StepTraceAnnotation. PK_NULL = it is none. line: it is on such a line. */
static int64_t jax_step(const struct pk_gpu_input *in, uint32_t span, bool line)
{
	int64_t number;

	if (line) {
		const char *name = pk_launches_name(&in->launches, span);

		return pk_json_slice_int((struct pk_json_slice){name, strlen(name)}, &number)
			       ? number
			       : PK_NULL;
	}
	return pk_activity_is_work(in->launches.activity[span])
		       ? PK_NULL
		       : pk_launches_int(&in->launches, span, "step_num");
}

static void find_jax_windows(struct pk_gpu_input *in)
{
	const struct pk_profile *p = in->profile;
	PK_FREED bool *line = pk_calloc(p->thread.count, sizeof(*line));
	size_t alloc = 0;

	for (uint32_t i = 1; i < p->thread.count; i++)
		line[i] = !strcmp(pk_text(p, p->thread.name[i]), "Steps");
	for (uint32_t i = 1; i < p->span.count; i++) {
		int64_t number = jax_step(in, i, line[p->span.thread[i]]);

		if (number < 0) /* or PK_NULL */
			continue;
		PK_GROW(in->window, (size_t)in->windows + 1, alloc);
		in->window[in->windows++] =
			(struct pk_gpu_window){.step = number,
					       .from = p->span.time[i],
					       .to = pk_span_end(p, i),
					       .thread = in->stream[p->span.thread[i]]};
	}
}

static bool has_steps(const struct pk_profile *p, const int64_t *step)
{
	for (uint32_t i = 1; i < p->function.count; i++)
		if (step[i] >= 0)
			return true;
	return false;
}

static int find_windows(struct pk_gpu_input *in, struct pk_error *err)
{
	const struct pk_profile *p = in->profile;
	struct pk_time_range range = {INT64_MIN, INT64_MAX};
	PK_FREED int64_t *step = pk_step_numbers(p);
	bool steps = has_steps(p, step);
	size_t alloc = 0;

	if (in->result->step && pk_step_range_parse(&range, in->result->step, p, err))
		return pk_fail_context(err, "--step: '%s'", pk_text(p, p->run.source[1]));
	for (uint32_t i = 1; !in->result->whole && steps && i < p->span.count; i++) {
		int64_t number = step[pk_node_function(p, p->span.node[i])];

		if (number < 0 || p->span.time[i] < range.from || p->span.time[i] >= range.to)
			continue;
		PK_GROW(in->window, (size_t)in->windows + 1, alloc);
		in->window[in->windows++] =
			(struct pk_gpu_window){.step = number,
					       .from = p->span.time[i],
					       .to = pk_span_end(p, i),
					       .thread = in->stream[p->span.thread[i]]};
	}
	if (!in->windows && !in->result->whole && !in->result->step)
		find_jax_windows(in);
	join_windows(in);
	return 0;
}

PK_COMPARE(by_from, struct pk_time_range, PK_ORDER(a->from, b->from))

bool *pk_gpu_loading_functions(const struct pk_profile *p)
{
	bool *loads = pk_calloc(p->function.count, sizeof(*loads));

	for (uint32_t i = 1; i < p->function.count; i++)
		loads[i] = p->function.kind[i] != PK_KIND_GPU &&
			   strstr(pk_text(p, p->function.name[i]), "DataLoader");
	return loads;
}

static void find_loading(struct pk_gpu_input *in)
{
	const struct pk_profile *p = in->profile;
	PK_FREED bool *loads = pk_gpu_loading_functions(p);
	size_t alloc = 0;

	if (!memchr(loads, true, p->function.count))
		return;
	for (uint32_t i = 1; i < p->span.count; i++) {
		if (!loads[function_of(in, i)])
			continue;
		PK_GROW(in->loading, (size_t)in->loadings + 1, alloc);
		in->loading[in->loadings++] =
			(struct pk_time_range){p->span.time[i], pk_span_end(p, i)};
	}
	pk_sort(in->loading, in->loadings, sizeof(*in->loading), by_from);
	in->loadings = pk_gpu_join_times(in->loading, in->loadings);
}

uint32_t *pk_gpu_streams(const struct pk_profile *p)
{
	uint32_t *stream = pk_calloc(p->thread.count, sizeof(*stream));
	struct pk_id_map streams = {.count = 0};

	for (uint32_t i = 1; i < p->thread.count; i++) {
		int64_t id = (int64_t)p->thread.process[i] << 40 ^ p->thread.tid[i];

		stream[i] = pk_id_map_get(&streams, id);
		if (stream[i])
			continue;
		stream[i] = i;
		pk_id_map_put(&streams, id, i);
	}
	pk_id_map_release(&streams);
	return stream;
}

static void count_overlaps(struct pk_gpu_input *in)
{
	PK_FREED int64_t *end = pk_calloc(in->profile->thread.count, sizeof(*end));

	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);

		in->odd[PK_GPU_SELF_OVERLAP] += w.start < end[w.stream];
		end[w.stream] = w.end > end[w.stream] ? w.end : end[w.stream];
	}
}

enum { LAUNCHES = 1, LAUNCHES_KERNEL = 2, LAUNCHES_GRAPH = 4 };

static uint8_t what_launches(const char *call)
{
	return (uint8_t)(LAUNCHES | (strstr(call, "LaunchKernel") ? LAUNCHES_KERNEL : 0) |
			 (strstr(call, "GraphLaunch") ? LAUNCHES_GRAPH : 0));
}

static void count_calls(struct pk_gpu_input *in)
{
	const struct pk_profile *p = in->profile;
	const struct pk_launches *l = &in->launches;
	PK_FREED uint64_t *launched = pk_gpu_seen_new(p);
	/* by function: what its name says, 0 = not known yet */
	PK_FREED uint8_t *known = pk_calloc(p->function.count, sizeof(*known));

	for (uint32_t i = 1; i < p->span.count; i++) {
		if (!pk_activity_is_work(l->activity[i]))
			continue;
		pk_gpu_see(launched, l->call[i]);
		in->odd[PK_GPU_UNLAUNCHED] += !l->call[i];
		in->odd[PK_GPU_TOO_EARLY] +=
			l->call[i] && p->span.time[i] < p->span.time[l->call[i]];
	}
	for (uint32_t i = 1; i < p->span.count; i++) {
		uint8_t *says;

		if (l->activity[i] != PK_ACT_RUNTIME)
			continue;
		says = &known[function_of(in, i)];
		if (!*says)
			*says = what_launches(pk_launches_name(l, i));
		in->odd[PK_GPU_WORKLESS] +=
			*says & LAUNCHES_KERNEL && !pk_gpu_was_seen(launched, i);
		in->odd[PK_GPU_GRAPHS] += (*says & LAUNCHES_GRAPH) != 0;
	}
	in->odd[PK_GPU_ID_REPEATED] = l->repeated;
}

/* The work of the GPU that this process stands for. */
static void collect_work(struct pk_gpu_input *in, uint32_t process)
{
	const struct pk_profile *p = in->profile;

	in->work = pk_realloc(in->work, pk_mul(p->span.count, sizeof(*in->work)));
	in->works = 0;
	for (uint32_t i = 1; i < p->span.count; i++)
		if (pk_activity_is_work(in->launches.activity[i]) &&
		    p->thread.process[p->span.thread[i]] == process)
			in->work[in->works++] = i;
	pk_sort_spans(p, in->work, in->works);
}

/* The GPU of this process is the last one: keeps its idle times if they are the longest. */
static void keep_longest(struct pk_gpu_input *in, uint32_t process)
{
	uint32_t device = in->result->devices - 1;

	for (int k = 0; k < PK_GPU_IDLES; k++) {
		struct pk_gpu_idle_times times = in->idle[k];
		int64_t time = in->result->device[device].times.idle[k];

		if (!times.count || time <= in->longest[k].time)
			continue;
		in->idle[k] = in->longest[k].times;
		in->longest[k].times = times;
		in->longest[k].time = time;
		in->longest[k].process = process;
		in->longest[k].device = device;
	}
}

/* The thread that marks the steps; 0 = not known. */
static uint32_t main_thread(const struct pk_gpu_input *in)
{
	uint32_t thread = in->windows ? in->window->thread : 0;

	/* the line "Steps" of XLA is one of a device */
	return in->profile->thread.role[thread] == PK_ROLE_GPU ? 0 : thread;
}

static void watch_host(struct pk_gpu_input *in, int kind)
{
	struct pk_gpu_host *host = in->result->device[in->longest[kind].device].host[kind];
	const struct pk_profile *p = in->profile;
	struct pk_gpu_wait_list list = {0};

	pk_gpu_watch_host(&list, &in->launches, in->longest[kind].process, &in->longest[kind].times,
			  main_thread(in));
	for (uint32_t i = 0; i < list.count && i < PK_GPU_HOSTS; i++) {
		uint32_t name = list.item[i].name;

		host[i].time = list.item[i].time;
		if (name)
			host[i].name = pk_texts_put(&in->result->names, pk_text(p, name),
						    p->string.len[name]);
	}
	pk_gpu_wait_list_release(&list);
}

/* The windows of a GPU: the steps, or from its first work to its last. */
static void copy_windows(const struct pk_gpu_input *in, struct pk_gpu_device *d)
{
	d->windows = in->windows ? in->windows : 1;
	d->window = pk_calloc(d->windows, sizeof(*d->window));
	if (in->windows) {
		memcpy(d->window, in->window, in->windows * sizeof(*d->window));
		return;
	}
	d->window->step = PK_NULL;
	d->window->from = d->window->to = in->profile->span.time[in->work[0]];
	for (uint32_t i = 0; i < in->works; i++) {
		int64_t end = pk_span_end(in->profile, in->work[i]);

		d->window->to = end > d->window->to ? end : d->window->to;
	}
}

/* Keeps the work that begins in one of the steps. */
static void keep_steps(struct pk_gpu_input *in)
{
	uint32_t kept = 0, window = 0;

	for (uint32_t i = 0; i < in->works; i++) {
		int64_t start = in->profile->span.time[in->work[i]];

		while (window < in->windows && in->window[window].to <= start)
			window++;
		if (window < in->windows && in->window[window].from <= start)
			in->work[kept++] = in->work[i];
	}
	in->works = kept;
}

static void add_details(struct pk_gpu_input *in, struct pk_gpu_device *d)
{
	unsigned without = in->result->without;

	if (!(without & PK_GPU_STREAMS))
		pk_gpu_add_streams(in);
	if (!(without & PK_GPU_CALLS))
		pk_gpu_add_calls(in);
	if (!(without & PK_GPU_COPY_SUMS))
		pk_gpu_add_copies(in);
	if (!(without & PK_GPU_SEQUENCE_SUMS))
		pk_gpu_add_sequences(in);
	if (in->result->count_flops)
		pk_gpu_add_flops(in, d);
}

static void add_devices(struct pk_gpu_input *in)
{
	const struct pk_profile *p = in->profile;
	struct pk_gpu *g = in->result;
	PK_FREED uint32_t *works = pk_gpu_works(&in->launches);
	int64_t left = works[0];
	uint32_t count = 0;

	for (uint32_t i = 1; i < p->process.count; i++) {
		struct pk_gpu_device *d;
		const char *name = p->process.name[i] ? pk_text(p, p->process.name[i]) : "GPU";

		if (!works[i])
			continue;
		if (count++ >= PK_GPU_DEVICES) {
			left += works[i];
			continue;
		}
		PK_GROW_ZERO(g->device, (size_t)g->devices + 1, g->device_alloc);
		d = &g->device[g->devices++];
		d->trace = g->traces;
		d->name = pk_texts_put(&g->names, name, strlen(name));
		collect_work(in, i);
		copy_windows(in, d);
		pk_gpu_break_down(in, d);
		pk_gpu_count_launches(in, d);
		if (g->step)
			keep_steps(in);
		count_overlaps(in);
		pk_gpu_add_kernels(in);
		if (g->details)
			pk_gpu_add_sizes(in);
		if (g->paths)
			pk_gpu_add_paths(in);
		pk_gpu_add_collectives(in);
		add_details(in, d);
		pk_gpu_times_add(&g->times, &d->times);
		keep_longest(in, i);
	}
	free(in->work);
	in->work = NULL;
	for (int k = 0; k < PK_GPU_IDLES; k++)
		watch_host(in, k);
	in->odd[PK_GPU_LEFT_OUT] = left;
}

/* "world_size" of torch's "distributedInfo"; 0 if there is none. */
static int64_t world_size(const struct pk_profile *p)
{
	const char *info = pk_meta_find(p, "distributedInfo");
	struct pk_json_slice object = {info, info ? strlen(info) : 0};
	int64_t ranks = 0;

	pk_json_slice_int(pk_json_slice_member(object, "world_size"), &ranks);
	return ranks;
}

static void add_trace(struct pk_gpu_input *in, uint32_t digest)
{
	struct pk_gpu *g = in->result;
	const struct pk_profile *p = in->profile;
	const char *not_read = pk_meta_find(p, "tables_not_read");
	struct pk_gpu_trace *t;

	PK_GROW_ZERO(g->trace, (size_t)g->traces + 1, g->trace_alloc);
	t = &g->trace[g->traces++];
	t->path = pk_gpu_name_text(&g->names, p, p->run.source[1]);
	t->format = pk_gpu_name_text(&g->names, p, p->run.format[1]);
	t->label = pk_gpu_name_text(&g->names, p, p->run.label[1]);
	t->digest = digest;
	if (not_read)
		t->not_read = pk_texts_put(&g->names, not_read, strlen(not_read));
	t->rank = p->run.rank ? p->run.rank[1] : PK_NULL;
	t->ranks = world_size(p);
	t->program = pk_program_of(&in->launches);
	t->start = p->run.start[1];
	memcpy(t->odd, in->odd, sizeof(t->odd));
}

int pk_gpu_need_work(const struct pk_launches *l, struct pk_error *err)
{
	const struct pk_profile *p = l->profile;

	for (uint32_t i = 1; i < p->span.count; i++)
		if (pk_activity_is_work(l->activity[i]))
			return 0;
	return pk_fail(err, PK_EFORMAT,
		       "'%s' has no kernels or copies on a GPU: gpu needs a trace of "
		       "torch.profiler, JAX, rocprofiler or Perfetto or an export of Nsight "
		       "Systems with those",
		       pk_text(p, p->run.source[1]));
}

/* True if flows that were not kept might give the launches of most of the work. */
static bool needs_flows(const struct pk_launches *l)
{
	const struct pk_profile *p = l->profile;
	uint32_t linked = 0, works = 0;

	for (uint32_t i = 1; p->unread & PK_PART_MARKS && i < p->span.count; i++) {
		works += pk_activity_is_work(l->activity[i]);
		linked += l->call[i] != 0;
	}
	return linked < works - linked;
}

/* True if a trace with the same digest was added; adds a message. */
static bool comes_again(struct pk_gpu *g, const struct pk_profile *p, uint32_t digest)
{
	uint32_t i;

	for (i = 0; i < g->traces && g->trace[i].digest != digest;)
		i++;
	if (i == g->traces)
		return false;
	pk_say_twice(&g->said, pk_texts_get(&g->names, g->trace[i].path),
		     pk_text(p, p->run.source[1]));
	return true;
}

static uint32_t digest_of(struct pk_gpu *g, const struct pk_profile *p)
{
	char digits[PK_DIGEST_DIGITS + 1];

	pk_profile_digest(p, digits);
	return pk_texts_put(&g->names, digits, PK_DIGEST_DIGITS);
}

bool pk_gpu_needs_operators(const struct pk_gpu *g)
{
	return g->by >= PK_GPU_BY_OPERATOR || g->count_flops ||
	       !(g->without & PK_GPU_SEQUENCE_SUMS);
}

const char *const *pk_gpu_args(const struct pk_gpu *g)
{
	/* of launches and copies, steps of JAX, what XLA compiled, and collectives */
	static const char *const few[] = {"correlation",
					  "correlation_id",
					  "bytes",
					  "step_num",
					  "hlo_op",
					  "hlo_category",
					  "Collective name",
					  "dtype",
					  "Group size",
					  "In msg nelems",
					  "Out msg nelems",
					  "Process Group Name",
					  "Process Group Ranks",
					  NULL};

	return g->details || pk_gpu_needs_operators(g) ? NULL : few;
}

int pk_gpu_add(struct pk_gpu *g, const struct pk_profile *p, struct pk_error *err)
{
	struct pk_gpu_input in = {.result = g, .profile = p};
	uint32_t digest = 0;
	int status;

	if (g->from_part)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' is a trace beside a part, which is shown alone; profkit "
			       "reduce adds traces to parts",
			       pk_text(p, p->run.source[1]));
	if (g->once) {
		digest = digest_of(g, p);
		if (comes_again(g, p, digest))
			return 0;
	}
	pk_launches_init_any(&in.launches, p, pk_gpu_needs_operators(g));
	in.stream = pk_gpu_streams(p);
	status = pk_gpu_need_work(&in.launches, err);
	if (!status && g->asks_for_flows && needs_flows(&in.launches))
		status = 1;
	if (!status)
		status = find_windows(&in, err);
	if (!status) {
		in.kind = pk_gpu_find_kinds(&in.launches);
		if (g->by >= PK_GPU_BY_MODULE || g->count_flops ||
		    !(g->without & PK_GPU_SEQUENCE_SUMS))
			in.parent = pk_span_parents(p);
		find_loading(&in);
		count_calls(&in);
		add_devices(&in);
		pk_gpu_add_memory(&in);
		add_trace(&in, digest);
	}
	pk_launches_release(&in.launches);
	free(in.kind);
	free(in.window);
	free(in.loading);
	free(in.work);
	free(in.stream);
	free(in.parent);
	for (int k = 0; k < PK_GPU_IDLES; k++) {
		free(in.idle[k].item);
		free(in.longest[k].times.item);
	}
	return status;
}
