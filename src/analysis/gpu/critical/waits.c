/*
 * Who waits for work on a GPU: calls of the host (cudaDeviceSynchronize, cudaStreamSynchronize,
 * cudaEventSynchronize, copies of pageable memory), and work of other streams
 * (cudaStreamWaitEvent). Rows of the category cuda_sync say which stream and event that is:
 *
 *	{"cat": "cuda_sync", "name": "Stream Wait Event",
 *	 "args": {"stream": 24, "correlation": 1389, "wait_on_stream": 20,
 *	          "wait_on_cuda_event_record_corr_id": 1385}}
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/critical/internal.h"
#include "base/alloc.h"
#include "base/num/merge_sort.h"
#include "model/build/id_map.h"

struct waits {
	struct pk_critical_graph *g;
	uint8_t *sync;      /* by function: enum pk_sync + 1; 0 = not known yet */
	uint32_t *work_of;  /* by span: the last work that a call launched */
	uint32_t *launched; /* works with a launch, by stream and launch */
	uint32_t count;
	uint32_t *device_sync, device_syncs; /* spans */
	uint32_t *row_of;           /* by span: the row of cuda_sync that tells about a call */
	struct pk_call_ids records; /* calls that recorded an event */
	struct pk_id_map stream;    /* process and number -> its first thread */
};

static enum pk_sync sync_of(struct waits *w, uint32_t span)
{
	const struct pk_profile *p = w->g->in.profile;
	uint32_t function = pk_node_function(p, p->span.node[span]);
	uint8_t *sync = &w->sync[function];

	if (!*sync)
		*sync = (uint8_t)(1 + pk_sync_of(pk_text(p, p->function.name[function])));
	return (enum pk_sync)(*sync - 1);
}

static uint32_t stream_of(const struct waits *w, uint32_t span)
{
	return w->g->stream[w->g->in.profile->span.thread[span]];
}

static int64_t launch_time(const struct waits *w, uint32_t work)
{
	return w->g->in.profile->span.time[w->g->in.launches.call[work]];
}

static bool launched_before(const void *data, uint32_t a, uint32_t b)
{
	const struct waits *w = data;

	return launch_time(w, a) < launch_time(w, b);
}

static bool by_stream(const void *data, uint32_t a, uint32_t b)
{
	const struct waits *w = data;
	uint32_t x = stream_of(w, a), y = stream_of(w, b);

	return x != y ? x < y : launched_before(data, a, b);
}

/* The place in `launched` of the first work that a stream got at this time or later. */
static uint32_t place_of(const struct waits *w, uint32_t stream, int64_t time)
{
	uint32_t low = 0, high = w->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2, work = w->launched[middle];
		uint32_t other = stream_of(w, work);

		if (other < stream || (other == stream && launch_time(w, work) < time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last work that a stream got before a time; 0 = none. */
static uint32_t work_before(const struct waits *w, uint32_t stream, int64_t time)
{
	uint32_t place = place_of(w, stream, time);

	if (!place || stream_of(w, w->launched[place - 1]) != stream)
		return 0;
	return w->launched[place - 1];
}

static uint32_t work_after(const struct waits *w, uint32_t stream, int64_t time)
{
	uint32_t place = place_of(w, stream, time);

	if (place == w->count || stream_of(w, w->launched[place]) != stream)
		return 0;
	return w->launched[place];
}

/* If work ended long after the event that waited for it, the trace is wrong there. */
static void wait_for(struct waits *w, uint32_t work, uint32_t node, enum pk_critical_edge kind)
{
	struct pk_critical_graph *g = w->g;
	int64_t late = pk_span_end(g->in.profile, work) - pk_node_time(g, node);

	g->result->odd[PK_CRITICAL_LATE] += late > 0;
	if (late <= PK_CRITICAL_SKEW)
		pk_critical_link(g, pk_end_node(work), node, kind);
}

static uint32_t stream_by_number(const struct waits *w, uint32_t row, const char *key)
{
	const struct pk_profile *p = w->g->in.profile;
	int64_t number = pk_launches_int(&w->g->in.launches, row, key);
	int64_t process = p->thread.process[p->span.thread[row]];

	return number < 0 ? 0 : pk_id_map_get(&w->stream, process << 40 ^ number);
}

/* The stream that a row of cuda_sync is about. */
static uint32_t stream_of_row(const struct waits *w, uint32_t row)
{
	uint32_t stream = stream_by_number(w, row, "stream");

	return stream ? stream : stream_of(w, row);
}

/* Work that was launched on a stream before an event was recorded there, which a row of cuda_sync
 * tells; 0 = not known. */
static uint32_t recorded_work(const struct waits *w, uint32_t row)
{
	const struct pk_launches *l = &w->g->in.launches;
	uint32_t record = pk_call_ids_find(
		&w->records, pk_launches_int(l, row, "wait_on_cuda_event_record_corr_id"),
		w->g->in.profile->span.time[row]);
	uint32_t stream = stream_by_number(w, row, "wait_on_stream");

	return record && stream ? work_before(w, stream, w->g->in.profile->span.time[record]) : 0;
}

static void stream_waits(struct waits *w, uint32_t call, uint32_t row)
{
	uint32_t before = row ? recorded_work(w, row) : 0, after;

	if (!row) {
		w->g->result->odd[PK_CRITICAL_NO_EVENTS]++;
		return;
	}
	after = work_after(w, stream_of_row(w, row), w->g->in.profile->span.time[call]);
	if (before && after && stream_of(w, before) != stream_of(w, after))
		wait_for(w, before, pk_begin_node(after), PK_EDGE_EVENT);
}

/* The host waits for a stream or an event; the stream is that of the thread's last launch if the
 * trace does not tell it. */
static void host_waits(struct waits *w, uint32_t call, uint32_t row, uint32_t last)
{
	int64_t time = w->g->in.profile->span.time[call];
	uint32_t work = 0;

	if (row && sync_of(w, call) == PK_SYNC_EVENT)
		work = recorded_work(w, row);
	else if (row)
		work = work_before(w, stream_of_row(w, row), time);
	else if (last)
		work = work_before(w, stream_of(w, last), time);
	w->g->result->odd[PK_CRITICAL_GUESSED] += !row && work;
	if (work)
		wait_for(w, work, pk_end_node(call), PK_EDGE_SYNC);
}

/* A copy from or to pageable memory, and one without "Async", returns when it is done. */
static void copy_waits(struct waits *w, uint32_t call)
{
	const struct pk_critical_graph *g = w->g;
	const struct pk_profile *p = g->in.profile;
	uint32_t work = w->work_of[call];
	const char *name;

	if (!work || g->in.launches.activity[work] != PK_ACT_MEMCPY ||
	    pk_span_end(p, work) > pk_span_end(p, call))
		return;
	name = pk_launches_name(&g->in.launches, work);
	if (!strstr(pk_launches_name(&g->in.launches, call), "Async") || strstr(name, "Pageable") ||
	    !strchr(name, '('))
		pk_critical_link(w->g, pk_end_node(work), pk_end_node(call), PK_EDGE_SYNC);
}

static void see_call(struct waits *w, uint32_t call, uint32_t last)
{
	enum pk_sync kind = sync_of(w, call);

	if (kind == PK_SYNC_DEVICE)
		w->device_sync[w->device_syncs++] = call;
	if (kind == PK_SYNC_NONE || kind == PK_SYNC_OTHER)
		copy_waits(w, call);
	if (kind == PK_SYNC_WAIT_EVENT)
		stream_waits(w, call, w->row_of[call]);
	if (kind == PK_SYNC_STREAM || kind == PK_SYNC_EVENT)
		host_waits(w, call, w->row_of[call], last);
}

/* In the order of threads and time. */
static void see_calls(struct waits *w)
{
	struct pk_critical_graph *g = w->g;
	const struct pk_profile *p = g->in.profile;
	uint32_t thread = 0, last = 0;

	for (uint32_t i = 1; i < p->span.count; i++) {
		if (g->in.launches.activity[i] != PK_ACT_RUNTIME ||
		    g->class_of[i] == PK_CRITICAL_HIDDEN)
			continue;
		if (p->span.thread[i] != thread)
			last = 0;
		thread = p->span.thread[i];
		see_call(w, i, last);
		last = w->work_of[i] ? w->work_of[i] : last;
	}
}

/* Adds the waits of calls that wait for all that was launched before: each waits for the last work
 * of every stream that got work since the previous such call. */
static void add_device_waits(struct waits *w)
{
	const struct pk_profile *p = w->g->in.profile;
	PK_FREED uint32_t *last = pk_calloc(p->thread.count, sizeof(*last));
	PK_FREED uint32_t *stream = pk_malloc(pk_mul(p->thread.count, sizeof(*stream)));
	uint32_t next = 0, streams = 0;

	if (!w->device_syncs)
		return;
	pk_merge_sort(w->launched, w->count, launched_before, w);
	pk_sort_spans(p, w->device_sync, w->device_syncs);
	for (uint32_t i = 0; i < w->device_syncs; i++) {
		uint32_t call = w->device_sync[i];

		for (; next < w->count && launch_time(w, w->launched[next]) < p->span.time[call];
		     next++) {
			uint32_t at = stream_of(w, w->launched[next]);

			if (!last[at])
				stream[streams++] = at;
			last[at] = w->launched[next];
		}
		for (; streams; streams--) {
			wait_for(w, last[stream[streams - 1]], pk_end_node(call), PK_EDGE_SYNC);
			last[stream[streams - 1]] = 0;
		}
	}
}

/* Finds the rows of cuda_sync, each of the last call of its id before it. */
static void find_rows(struct waits *w)
{
	const struct pk_launches *l = &w->g->in.launches;
	const struct pk_profile *p = l->profile;
	struct pk_call_ids waiting = {.count = 0};

	for (uint32_t i = 1; i < p->span.count; i++) {
		enum pk_sync kind = l->activity[i] == PK_ACT_RUNTIME ? sync_of(w, i) : PK_SYNC_NONE;

		if (kind == PK_SYNC_RECORD)
			pk_call_ids_add(&w->records, l, i);
		else if (kind == PK_SYNC_STREAM || kind == PK_SYNC_EVENT ||
			 kind == PK_SYNC_WAIT_EVENT)
			pk_call_ids_add(&waiting, l, i);
	}
	pk_call_ids_sort(&w->records);
	pk_call_ids_sort(&waiting);
	for (uint32_t i = 1; i < p->span.count; i++) {
		uint32_t call;

		if (l->activity[i] != PK_ACT_SYNC)
			continue;
		call = pk_call_ids_find(&waiting, pk_launches_int(l, i, l->correlation),
					p->span.time[i]);
		w->row_of[call] = i;
	}
	free(waiting.item);
}

static void prepare(struct waits *w)
{
	struct pk_critical_graph *g = w->g;
	const struct pk_profile *p = g->in.profile;

	for (uint32_t i = 0; i < g->works; i++) {
		uint32_t call = g->in.launches.call[g->work[i]];

		if (!call)
			continue;
		w->work_of[call] = g->work[i];
		w->launched[w->count++] = g->work[i];
	}
	pk_merge_sort(w->launched, w->count, by_stream, w);
	for (uint32_t i = 1; i < p->thread.count; i++)
		if (g->stream[i] == i)
			pk_id_map_put(&w->stream,
				      (int64_t)p->thread.process[i] << 40 ^ p->thread.tid[i], i);
	find_rows(w);
}

void pk_critical_add_waits(struct pk_critical_graph *g)
{
	const struct pk_profile *p = g->in.profile;
	struct waits w = {
		.g = g,
		.sync = pk_calloc(p->function.count, sizeof(*w.sync)),
		.work_of = pk_calloc(p->span.count, sizeof(*w.work_of)),
		.row_of = pk_calloc(p->span.count, sizeof(*w.row_of)),
		.launched = pk_malloc(pk_mul((size_t)g->works + 1, sizeof(*w.launched))),
		.device_sync = pk_malloc(pk_mul(p->span.count, sizeof(*w.device_sync))),
	};

	prepare(&w);
	see_calls(&w);
	add_device_waits(&w);
	free(w.sync);
	free(w.work_of);
	free(w.launched);
	free(w.device_sync);
	free(w.row_of);
	free(w.records.item);
	pk_id_map_release(&w.stream);
}
