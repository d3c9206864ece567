/*
 * What happened on each stream of a GPU: gaps between its works, by reason, and its queue. Work is
 * in the queue from the begin of the call that launches it to its own begin.
 */
#include <stdlib.h>

#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"

struct change { /* of the length of a queue */
	int64_t time;
	uint32_t stream; /* index in the result */
	int8_t by;
};

/* Among changes at one moment, launches come first, so that no length is negative. */
PK_COMPARE(by_time, struct change,
	   PK_ORDER(a->stream, b->stream)
		   ?: PK_ORDER(a->time, b->time) ?: PK_ORDER(b->by, a->by))

static void add_gap(struct pk_gpu_gaps *g, int64_t time)
{
	g->count++;
	g->time += time;
	g->longest = time > g->longest ? time : g->longest;
}

/* The reason why a stream was idle between `before` and this work. */
static enum pk_gpu_idle gap_reason(const struct pk_gpu_input *in, const struct pk_gpu_work *w,
				   int64_t before)
{
	if (w->call && in->profile->span.time[w->call] > before)
		return PK_GPU_HOST_WAIT;
	return w->call && w->start - before < PK_GPU_SHORT_GAP ? PK_GPU_KERNEL_WAIT : PK_GPU_OTHER;
}

static void add_length(struct pk_gpu_stream *s, int64_t length)
{
	double apart = (double)length - s->mean;

	s->changes++;
	s->mean += apart / (double)s->changes;
	s->squares += apart * ((double)length - s->mean);
	s->longest = length > s->longest ? length : s->longest;
}

/* All that is launched on a stream starts, so that the length is 0 where the next stream begins. */
static void measure_queues(struct pk_gpu *g, struct change *change, size_t count)
{
	int64_t length = 0;

	pk_sort(change, count, sizeof(*change), by_time);
	for (size_t i = 0; i < count; i++) {
		struct pk_gpu_stream *s = &g->stream[change[i].stream];

		if (length >= PK_GPU_QUEUE)
			s->full += change[i].time - change[i - 1].time;
		length += change[i].by;
		add_length(s, length);
	}
}

void pk_gpu_add_streams(struct pk_gpu_input *in)
{
	struct pk_gpu *g = in->result;
	const struct pk_profile *p = in->profile;
	PK_FREED uint32_t *row = pk_calloc(p->thread.count, sizeof(*row)); /* by thread, + 1 */
	PK_FREED int64_t *end = pk_calloc(p->thread.count, sizeof(*end));
	PK_FREED struct change *change = pk_malloc(pk_mul(2 * (size_t)in->works, sizeof(*change)));
	size_t changes = 0;

	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		struct pk_gpu_stream *s;

		if (!row[w.stream]) {
			PK_GROW_ZERO(g->stream, (size_t)g->streams + 1, g->stream_alloc);
			row[w.stream] = ++g->streams;
			s = &g->stream[g->streams - 1];
			s->device = g->devices - 1;
			s->number = p->thread.tid[w.stream];
			end[w.stream] = w.start;
		}
		s = &g->stream[row[w.stream] - 1];
		if (w.start > end[w.stream])
			add_gap(&s->gap[gap_reason(in, &w, end[w.stream])],
				w.start - end[w.stream]);
		s->works++;
		if (w.end > end[w.stream]) {
			s->busy += w.end - (w.start > end[w.stream] ? w.start : end[w.stream]);
			end[w.stream] = w.end;
		}
		if (!w.call || p->span.time[w.call] > w.start)
			continue;
		change[changes++] = (struct change){p->span.time[w.call], row[w.stream] - 1, 1};
		change[changes++] = (struct change){w.start, row[w.stream] - 1, -1};
	}
	measure_queues(g, change, changes);
}
