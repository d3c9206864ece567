/* Where the time of each worker went, and how many worked when. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/heap.h"
#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"

static enum pk_work work_of(unsigned class)
{
	switch (class) {
	case PK_CLASS_USEFUL:
		return PK_WORK_USEFUL;
	case PK_CLASS_DISPATCH:
	case PK_CLASS_TRANSFER:
	case PK_CLASS_SERIALISE:
	case PK_CLASS_LOCK:
		return PK_WORK_OVERHEAD;
	case PK_CLASS_STARTUP:
		return PK_WORK_STARTUP;
	case PK_CLASS_SHUTDOWN:
		return PK_WORK_TAIL;
	default:
		return PK_WORK_WAIT;
	}
}

/* What counts of a worker whose threads do different things: the first of these. */
static const uint8_t precedence[PK_CLASS_COUNT] = {
	PK_CLASS_USEFUL,  PK_CLASS_SERIALISE,  PK_CLASS_TRANSFER, PK_CLASS_DISPATCH, PK_CLASS_LOCK,
	PK_CLASS_STARTUP, PK_CLASS_COLLECTIVE, PK_CLASS_SHUTDOWN, PK_CLASS_WAIT,
};

static int first_open(const uint32_t *open)
{
	for (int i = 0; i < PK_CLASS_COUNT; i++)
		if (open[precedence[i]])
			return precedence[i];
	return -1;
}

struct cursor {
	struct pk_work_lane *lane;
	size_t edge; /* 2 * piece, and 1 more at its end */
};

static int64_t edge_time(const struct cursor *c)
{
	const struct pk_work_piece *piece = &c->lane->pieces.item[c->edge / 2];

	return c->edge % 2 ? piece->end : piece->start;
}

static void join_lanes(struct pk_work_pieces *out, struct cursor *cursor, uint32_t count)
{
	uint32_t open[PK_CLASS_COUNT] = {0};
	int64_t now = INT64_MIN;
	struct pk_heap heap;

	pk_heap_init(&heap, count);
	for (uint32_t i = 0; i < count; i++)
		pk_heap_put(&heap, edge_time(&cursor[i]), i);
	while (heap.count) {
		struct cursor *c = &cursor[heap.item[0].list];
		int64_t time = heap.item[0].time;
		unsigned class = c->lane->pieces.item[c->edge / 2].class;
		int running = first_open(open);

		if (running >= 0)
			pk_work_add_piece(out, now, time, (unsigned)running);
		now = time;
		open[class] += c->edge % 2 ? UINT32_MAX : 1; /* one less, or one more */
		if (++c->edge < 2 * c->lane->pieces.count)
			pk_heap_next(&heap, edge_time(c));
		else
			pk_heap_drop(&heap);
	}
	pk_heap_release(&heap);
}

static bool use_gpu(const struct pk_workers *w, const struct pk_work_lanes *lanes)
{
	if (w->by != PK_BY_RANK)
		return w->by == PK_BY_STREAM;
	for (size_t i = 0; i < w->runs->count; i++) {
		const struct pk_profile *p = w->runs->item[i];
		bool gpu = false;

		for (uint32_t t = 1; t < p->thread.count; t++)
			gpu |= p->thread.role[t] == PK_ROLE_GPU && lanes[i].lane[t].active;
		if (!gpu)
			return false;
	}
	return true;
}

/* The threads of a run by process: those of process i are thread[from[i]..from[i + 1]). */
struct threads {
	uint32_t *from, *thread;
};

static void sort_threads(struct threads *s, const struct pk_profile *p)
{
	s->from = pk_calloc((size_t)p->process.count + 2, sizeof(*s->from));
	s->thread = pk_calloc(p->thread.count, sizeof(*s->thread));
	for (uint32_t t = 0; t < p->thread.count; t++)
		s->from[p->thread.process[t] + 2]++;
	for (uint32_t i = 1; i <= p->process.count; i++)
		s->from[i + 1] += s->from[i];
	for (uint32_t t = 0; t < p->thread.count; t++)
		s->thread[s->from[p->thread.process[t] + 1]++] = t;
}

static void worker_pieces(struct pk_work_pieces *out, struct pk_worker *worker,
			  const struct pk_profile *p, struct pk_work_lanes *lanes,
			  const struct threads *threads, bool gpu)
{
	const uint32_t *list = threads->thread;
	uint32_t length = p->thread.count, count = 0;
	struct cursor *cursor;

	if (worker->thread) {
		list = &worker->thread;
		length = 1;
	} else if (worker->process) {
		list += threads->from[worker->process];
		length = threads->from[worker->process + 1] - threads->from[worker->process];
	}
	cursor = pk_malloc(pk_mul((size_t)length + 1, sizeof(*cursor)));
	for (uint32_t i = 0; i < length; i++) {
		struct pk_work_lane *lane = &lanes->lane[list[i]];

		if ((p->thread.role[list[i]] == PK_ROLE_GPU) != gpu)
			continue;
		if (lane->samples != PK_NULL)
			worker->samples =
				(worker->samples == PK_NULL ? 0 : worker->samples) + lane->samples;
		if (lane->start != PK_NULL &&
		    (worker->start == PK_NULL || lane->start < worker->start))
			worker->start = lane->start;
		if (lane->end != PK_NULL && (worker->end == PK_NULL || lane->end > worker->end))
			worker->end = lane->end;
		for (int k = 0; k < PK_CLASS_COUNT; k++)
			pk_add_saturated(&worker->class_time[k], lane->class_time[k]);
		if (lane->pieces.count)
			cursor[count++] = (struct cursor){.lane = lane};
	}
	if (count == 1) { /* nothing to join */
		*out = cursor[0].lane->pieces;
		cursor[0].lane->pieces = (struct pk_work_pieces){.count = 0};
	} else {
		join_lanes(out, cursor, count);
	}
	free(cursor);
}

static void add_segment(struct pk_workers *w, size_t *alloc, int64_t start, int64_t end,
			enum pk_work work, size_t first)
{
	struct pk_work_segment *last = w->segments > first ? &w->segment[w->segments - 1] : NULL;

	if (end <= start)
		return;
	if (last && last->work == work && last->end == start) {
		last->end = end;
		return;
	}
	PK_GROW(w->segment, w->segments + 1, *alloc);
	w->segment[w->segments++] = (struct pk_work_segment){start, end, work};
}

/* Time without work is start-up before the first useful moment, tail after the last one. */
static enum pk_work idle_work(const struct pk_worker *worker, int64_t start)
{
	if (worker->first == PK_NULL)
		return PK_WORK_WAIT;
	if (start < worker->first)
		return PK_WORK_STARTUP;
	return start >= worker->last ? PK_WORK_TAIL : PK_WORK_WAIT;
}

static void partition(struct pk_workers *w, struct pk_worker *worker,
		      const struct pk_work_pieces *p, size_t *alloc)
{
	int64_t now = w->window.start;

	worker->segment = w->segments;
	for (size_t i = 0; i < p->count; i++) {
		if (p->item[i].class != PK_CLASS_USEFUL)
			continue;
		worker->first = worker->first == PK_NULL ? p->item[i].start : worker->first;
		worker->last = p->item[i].end;
	}
	for (size_t i = 0; i < p->count; i++) {
		const struct pk_work_piece *piece = &p->item[i];
		enum pk_work work = work_of(piece->class);

		add_segment(w, alloc, now, piece->start, idle_work(worker, now), worker->segment);
		if (work == PK_WORK_WAIT)
			work = idle_work(worker, piece->start);
		add_segment(w, alloc, piece->start, piece->end, work, worker->segment);
		now = piece->end;
	}
	add_segment(w, alloc, now, w->window.end, idle_work(worker, now), worker->segment);
	worker->segments = w->segments - worker->segment;
	for (size_t i = worker->segment; i < w->segments; i++)
		worker->work[w->segment[i].work] += w->segment[i].end - w->segment[i].start;
}

static void widen(const struct pk_worker *worker, int64_t *start, int64_t *end)
{
	if (worker->start != PK_NULL && worker->start < *start)
		*start = worker->start;
	if (worker->end != PK_NULL && worker->end > *end)
		*end = worker->end;
}

static void set_window(struct pk_workers *w)
{
	int64_t start = INT64_MAX, end = INT64_MIN;

	for (uint32_t i = 0; i < w->count; i++)
		widen(&w->worker[i], &start, &end);
	for (uint32_t i = 0; i < w->others; i++)
		widen(&w->other[i], &start, &end);
	w->window.start = start <= end ? start : 0;
	w->window.end = start <= end ? end : 0;
	w->window.source = w->others ? PK_WINDOW_RUN : PK_WINDOW_WORKERS;
}

/* The next begin or end of a useful segment of the worker, at or after *edge (as in a cursor). */
static bool next_useful(const struct pk_workers *w, const struct pk_worker *worker, size_t *edge,
			int64_t *time)
{
	while (*edge / 2 < worker->segments) {
		const struct pk_work_segment *s = &w->segment[worker->segment + *edge / 2];

		if (s->work == PK_WORK_USEFUL) {
			*time = *edge % 2 ? s->end : s->start;
			return true;
		}
		*edge += 2 - *edge % 2;
	}
	return false;
}

static void add_step(struct pk_workers *w, size_t *alloc, int64_t time, uint32_t active)
{
	struct pk_work_step *last = w->steps ? &w->step[w->steps - 1] : NULL;

	if (last && last->time == time) {
		last->active = active;
		return;
	}
	if (last && last->active == active)
		return;
	PK_GROW(w->step, w->steps + 1, *alloc);
	w->step[w->steps++] = (struct pk_work_step){time, active};
}

static void make_steps(struct pk_workers *w)
{
	size_t *edge = pk_calloc((size_t)w->count + 1, sizeof(*edge)), alloc = 0;
	uint32_t active = 0;
	struct pk_heap heap;
	int64_t time;

	pk_heap_init(&heap, w->count);
	for (uint32_t i = 0; i < w->count; i++)
		if (next_useful(w, &w->worker[i], &edge[i], &time))
			pk_heap_put(&heap, time, i);
	add_step(w, &alloc, w->window.start, 0);
	while (heap.count) {
		uint32_t i = heap.item[0].list;

		active += edge[i] % 2 ? UINT32_MAX : 1;
		time = heap.item[0].time;
		edge[i]++;
		add_step(w, &alloc, time, active);
		if (next_useful(w, &w->worker[i], &edge[i], &time))
			pk_heap_next(&heap, time);
		else
			pk_heap_drop(&heap);
	}
	PK_GROW(w->step, w->steps + 1, alloc);
	w->step[w->steps++] = (struct pk_work_step){w->window.end, 0};
	pk_heap_release(&heap);
	free(edge);
	for (size_t i = 0; i + 1 < w->steps; i++)
		w->time_at[w->step[i].active] += w->step[i + 1].time - w->step[i].time;
}

/* What of [start, end) at most one worker is useful in; *step goes on with the time. */
static int64_t alone(const struct pk_workers *w, int64_t start, int64_t end, size_t *step)
{
	int64_t sum = 0;

	while (*step + 1 < w->steps && w->step[*step + 1].time <= start)
		++*step;
	for (size_t i = *step; i + 1 < w->steps && w->step[i].time < end; i++) {
		int64_t from = w->step[i].time > start ? w->step[i].time : start;
		int64_t to = w->step[i + 1].time < end ? w->step[i + 1].time : end;

		if (w->step[i].active <= 1 && to > from)
			sum += to - from;
	}
	return sum;
}

static void find_serial(struct pk_workers *w)
{
	w->serial = PK_NULL;
	for (uint32_t k = 0; k < w->others; k++) {
		const struct pk_worker *o = &w->other[k];
		size_t step = 0;

		if (o->role != PK_WORKER_MAIN)
			continue;
		w->serial = w->serial == PK_NULL ? 0 : w->serial;
		for (size_t i = o->segment; i < o->segment + o->segments; i++)
			if (w->segment[i].work == PK_WORK_USEFUL)
				w->serial +=
					alone(w, w->segment[i].start, w->segment[i].end, &step);
	}
}

static void shift_worker(struct pk_worker *worker, struct pk_work_pieces *p, int64_t shift)
{
	for (size_t i = 0; i < p->count; i++) {
		p->item[i].start += shift;
		p->item[i].end += shift;
	}
	worker->start += worker->start == PK_NULL ? 0 : shift;
	worker->end += worker->end == PK_NULL ? 0 : shift;
}

static struct pk_work_lane *gather(struct pk_workers *w, struct pk_worker *list, uint32_t count,
				   struct pk_work_lanes *lanes, const int64_t *shift)
{
	struct pk_work_lane *of = pk_calloc((size_t)count + 1, sizeof(*of));
	struct threads *threads = pk_calloc(w->runs->count, sizeof(*threads));
	bool gpu = use_gpu(w, lanes);

	for (size_t r = 0; r < w->runs->count; r++)
		sort_threads(&threads[r], w->runs->item[r]);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t run = list[i].run;

		worker_pieces(&of[i].pieces, &list[i], w->runs->item[run], &lanes[run],
			      &threads[run], gpu);
		shift_worker(&list[i], &of[i].pieces, shift[run]);
	}
	for (size_t r = 0; r < w->runs->count; r++) {
		free(threads[r].from);
		free(threads[r].thread);
	}
	free(threads);
	return of;
}

static void release_lanes(struct pk_work_lane *lane, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		free(lane[i].pieces.item);
	free(lane);
}

/* Ranks without a device: each has one lane by now. */
static void split_joined(struct pk_work_lane *lane, uint32_t count)
{
	struct pk_work_lanes *rank = pk_calloc((size_t)count + 1, sizeof(*rank));

	for (uint32_t i = 0; i < count; i++)
		rank[i] = (struct pk_work_lanes){.lane = &lane[i], .count = 1};
	pk_workers_split(rank, count, false);
	free(rank);
}

static void timed(struct pk_workers *w, struct pk_work_lanes *lanes, const int64_t *shift)
{
	bool gpu = use_gpu(w, lanes);
	struct pk_work_lane *own, *others;
	size_t alloc = 0;

	if (w->by == PK_BY_RANK && gpu)
		w->uneven = !pk_workers_split(lanes, w->runs->count, true);
	own = gather(w, w->worker, w->count, lanes, shift);
	others = gather(w, w->other, w->others, lanes, shift);
	set_window(w);
	if (w->by == PK_BY_RANK && !gpu)
		split_joined(own, w->count);
	for (uint32_t i = 0; i < w->count; i++)
		partition(w, &w->worker[i], &own[i].pieces, &alloc);
	for (uint32_t i = 0; i < w->others; i++)
		partition(w, &w->other[i], &others[i].pieces, &alloc);
	release_lanes(own, w->count);
	release_lanes(others, w->others);
	make_steps(w);
	find_serial(w);
}

/* Without times the window is at least what the busiest did; what of it others did not do is
 * waiting, nobody knows when. */
static void sums_only(struct pk_workers *w, struct pk_work_lanes *lanes, const int64_t *shift)
{
	release_lanes(gather(w, w->worker, w->count, lanes, shift), w->count);
	release_lanes(gather(w, w->other, w->others, lanes, shift), w->others);
	w->window.source = PK_WINDOW_SUMS;
	w->serial = PK_NULL;
	for (uint32_t i = 0; i < w->count; i++) {
		struct pk_worker *worker = &w->worker[i];
		int64_t total = 0;

		for (int k = 0; k < PK_CLASS_COUNT; k++) {
			pk_add_saturated(&worker->work[work_of((unsigned)k)],
					 worker->class_time[k]);
			pk_add_saturated(&total, worker->class_time[k]);
		}
		if (total > w->window.end)
			w->window.end = total;
	}
	for (uint32_t i = 0; i < w->count; i++) {
		int64_t rest = w->window.end;

		for (int k = 0; k < PK_WORK_COUNT; k++)
			rest -= w->worker[i].work[k];
		w->worker[i].work[PK_WORK_WAIT] += rest;
	}
}

/* Shares in millionths, by largest remainder: they add to 1 as they are written. */
static void divide(struct pk_workers *w)
{
	__int128 whole = (__int128)w->count * pk_workers_span(w), rest[PK_WORK_COUNT];
	int64_t left = 1000000, units[PK_WORK_COUNT];

	for (int k = 0; k < PK_WORK_COUNT; k++) {
		__int128 part = (__int128)w->sum[k] * 1000000;

		units[k] = (int64_t)(part / whole);
		rest[k] = part % whole;
		left -= units[k];
	}
	for (; left > 0; left--) {
		int most = 0;

		for (int k = 1; k < PK_WORK_COUNT; k++)
			most = rest[k] > rest[most] ? k : most;
		units[most]++;
		rest[most] = -1;
	}
	for (int k = 0; k < PK_WORK_COUNT; k++)
		w->share[k] = (double)units[k] / 1e6;
}

static void add_up(struct pk_workers *w)
{
	for (int k = 0; k < PK_WORK_COUNT; k++) {
		w->share[k] = NAN;
		for (uint32_t i = 0; i < w->count; i++)
			pk_add_saturated(&w->sum[k], w->worker[i].work[k]);
	}
	if (w->count && pk_workers_span(w) > 0)
		divide(w);
}

void pk_workers_times(struct pk_workers *w, struct pk_work_lanes *lanes, const int64_t *shift)
{
	w->time_at = pk_calloc((size_t)w->count + 1, sizeof(*w->time_at));
	if (w->timed)
		timed(w, lanes, shift);
	else
		sums_only(w, lanes, shift);
	add_up(w);
}
