/* How each worker spent the window, and how many workers were useful at each time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"

static const uint8_t work_of[PK_CLASS_COUNT] = {
	[PK_CLASS_USEFUL] = PK_WORK_USEFUL,     [PK_CLASS_DISPATCH] = PK_WORK_OVERHEAD,
	[PK_CLASS_TRANSFER] = PK_WORK_OVERHEAD, [PK_CLASS_SERIALISE] = PK_WORK_OVERHEAD,
	[PK_CLASS_LOCK] = PK_WORK_OVERHEAD,     [PK_CLASS_STARTUP] = PK_WORK_STARTUP,
	[PK_CLASS_SHUTDOWN] = PK_WORK_TAIL,     [PK_CLASS_WAIT] = PK_WORK_WAIT,
	[PK_CLASS_COLLECTIVE] = PK_WORK_WAIT,
};

/* If threads of a worker do different things, the class with the lowest rank counts. */
static const uint8_t rank[PK_CLASS_COUNT] = {
	[PK_CLASS_USEFUL] = 0,     [PK_CLASS_SERIALISE] = 1, [PK_CLASS_TRANSFER] = 2,
	[PK_CLASS_DISPATCH] = 3,   [PK_CLASS_LOCK] = 4,      [PK_CLASS_STARTUP] = 5,
	[PK_CLASS_COLLECTIVE] = 6, [PK_CLASS_SHUTDOWN] = 7,  [PK_CLASS_WAIT] = 8,
};

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

static void add_lane(struct pk_worker *worker, const struct pk_work_lane *lane)
{
	if (lane->samples != PK_NULL)
		worker->samples =
			(worker->samples == PK_NULL ? 0 : worker->samples) + lane->samples;
	pk_work_extend(&worker->start, &worker->end, lane->start, lane->end);
	for (int k = 0; k < PK_CLASS_COUNT; k++)
		pk_add_saturated(&worker->class_time[k], lane->class_time[k]);
}

/* Merges pairs, then pairs of pairs, so that each piece is moved log(count) times. */
static void merge_all(struct pk_work_pieces **list, size_t count)
{
	for (size_t step = 1; step < count; step *= 2)
		for (size_t i = 0; i + step < count; i += 2 * step)
			pk_work_merge(list[i], list[i + step], rank);
}

/* Adds the sums of the threads of a run to their workers, and merges their pieces. */
static void gather(struct pk_workers *w, uint32_t run, struct pk_work_lanes *lanes, bool gpu,
		   struct pk_work_lane *own)
{
	uint32_t all = w->count + w->others, *owner = pk_work_owners(w, run, all);
	struct pk_work_pieces **list = pk_malloc(pk_mul(lanes->count, sizeof(*list)));
	uint32_t *first = pk_calloc((size_t)all + 1, sizeof(*first)); /* thread + 1, by owner */
	uint32_t *next = pk_calloc(lanes->count, sizeof(*next)); /* thread + 1 of the same owner */

	for (uint32_t t = lanes->count; t-- > 0;) {
		if (!owner[t] || (w->runs->item[run]->thread.role[t] == PK_ROLE_GPU) != gpu)
			continue;
		add_lane(&w->worker[owner[t] - 1], &lanes->lane[t]);
		next[t] = first[owner[t]];
		first[owner[t]] = t + 1;
	}
	for (uint32_t i = 0; i < all; i++) {
		size_t count = 0;

		for (uint32_t t = first[i + 1]; t; t = next[t - 1])
			if (lanes->lane[t - 1].pieces.count)
				list[count++] = &lanes->lane[t - 1].pieces;
		merge_all(list, count);
		if (count) {
			own[i].pieces = *list[0];
			*list[0] = (struct pk_work_pieces){.count = 0};
		}
	}
	free(owner);
	free(list);
	free(first);
	free(next);
}

static void add_segment(struct pk_workers *w, int64_t start, int64_t end, enum pk_work work,
			size_t first)
{
	struct pk_work_segment *last = w->segments > first ? &w->segment[w->segments - 1] : NULL;

	if (end <= start)
		return;
	if (last && last->work == work && last->end == start) {
		last->end = end;
		return;
	}
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
		      const struct pk_work_pieces *p)
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
		enum pk_work work = work_of[piece->class];

		add_segment(w, now, piece->start, idle_work(worker, now), worker->segment);
		if (work == PK_WORK_WAIT)
			work = idle_work(worker, piece->start);
		add_segment(w, piece->start, piece->end, work, worker->segment);
		now = piece->end;
	}
	add_segment(w, now, w->window.end, idle_work(worker, now), worker->segment);
	worker->segments = w->segments - worker->segment;
	for (size_t i = worker->segment; i < w->segments; i++)
		worker->work[w->segment[i].work] += w->segment[i].end - w->segment[i].start;
}

static void set_window(struct pk_workers *w)
{
	int64_t start = PK_NULL, end = PK_NULL;

	for (uint32_t i = 0; i < w->count + w->others; i++)
		pk_work_extend(&start, &end, w->worker[i].start, w->worker[i].end);
	w->window.start = start == PK_NULL ? 0 : start;
	w->window.end = start == PK_NULL ? 0 : end;
	w->window.source = w->others ? PK_WINDOW_RUN : PK_WINDOW_WORKERS;
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
	int64_t *begin = pk_malloc(pk_mul(w->segments + 1, sizeof(*begin)));
	int64_t *end = pk_malloc(pk_mul(w->segments + 1, sizeof(*end)));
	size_t count = 0, begun = 0, ended = 0, alloc = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		const struct pk_work_segment *s = &w->segment[w->worker[i].segment];

		for (size_t k = 0; k < w->worker[i].segments; k++) {
			if (s[k].work != PK_WORK_USEFUL)
				continue;
			begin[count] = s[k].start;
			end[count++] = s[k].end;
		}
	}
	pk_sort_ints(begin, count);
	pk_sort_ints(end, count);
	add_step(w, &alloc, w->window.start, 0);
	while (ended < count) {
		int64_t time = end[ended];

		if (begun < count && begin[begun] < time)
			time = begin[begun];
		for (; begun < count && begin[begun] == time; begun++)
			;
		for (; ended < count && end[ended] == time; ended++)
			;
		add_step(w, &alloc, time, (uint32_t)(begun - ended));
	}
	PK_GROW(w->step, w->steps + 1, alloc);
	w->step[w->steps++] = (struct pk_work_step){w->window.end, 0};
	free(begin);
	free(end);
	for (size_t i = 0; i + 1 < w->steps; i++)
		w->time_at[w->step[i].active] += w->step[i + 1].time - w->step[i].time;
}

/* The part of [start, end) in which at most one worker is useful. *step is the step to begin with;
 * it moves on with the time. */
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

/* For ranks without a device, which have one lane each by now. */
static void split_joined(struct pk_workers *w, struct pk_work_lanes *own)
{
	struct pk_work_lanes *one = pk_calloc((size_t)w->count + 1, sizeof(*one));

	for (uint32_t i = 0; i < w->count; i++)
		one[i] = (struct pk_work_lanes){.lane = &own->lane[i], .count = 1};
	w->lone_collectives = pk_workers_split(one, w->count, false);
	free(one);
}

static void timed(struct pk_workers *w, struct pk_work_lanes *own, bool gpu)
{
	size_t most = 1;

	set_window(w);
	if (w->by == PK_BY_RANK && !gpu)
		split_joined(w, own);
	for (uint32_t i = 0; i < own->count; i++) /* before each piece, and after the last one */
		most += 2 * own->lane[i].pieces.count + 1;
	w->segment = pk_malloc(pk_mul(most, sizeof(*w->segment)));
	for (uint32_t i = 0; i < own->count; i++) {
		struct pk_work_pieces *pieces = &own->lane[i].pieces;

		partition(w, &w->worker[i], pieces);
		free(pieces->item);
		*pieces = (struct pk_work_pieces){.count = 0};
	}
	make_steps(w);
	find_serial(w);
}

/* Without times the window is the largest total of a worker, or of the parent, and the difference
 * to it counts as waiting for the others. */
static void sums_only(struct pk_workers *w)
{
	w->window.source = PK_WINDOW_SUMS;
	for (uint32_t i = 0; i < w->count + w->others; i++) {
		struct pk_worker *worker = &w->worker[i];
		int64_t total = 0;

		for (int k = 0; k < PK_CLASS_COUNT; k++) {
			pk_add_saturated(&worker->work[work_of[k]], worker->class_time[k]);
			pk_add_saturated(&total, worker->class_time[k]);
		}
		if (i >= w->count) /* the process of a parent has threads that wait, too */
			total = worker->role == PK_WORKER_MAIN ? worker->work[PK_WORK_USEFUL] : 0;
		if (total > w->window.end)
			w->window.end = total;
	}
	for (uint32_t i = 0; i < w->count; i++) {
		int64_t rest = w->window.end;

		for (int k = 0; k < PK_WORK_COUNT; k++)
			pk_add_saturated(&rest, -w->worker[i].work[k]);
		pk_add_saturated(&w->worker[i].work[PK_WORK_WAIT], rest);
	}
}

/* Shares are rounded to millionths by largest remainder, so that they add up to 1 as printed. */
static void divide(struct pk_workers *w)
{
	__int128 whole = 0, rest[PK_WORK_COUNT];
	int64_t left = 1000000, units[PK_WORK_COUNT];

	for (int k = 0; k < PK_WORK_COUNT; k++)
		whole += w->sum[k];
	if (whole <= 0)
		return;
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

void pk_workers_add_up(struct pk_workers *w)
{
	for (int k = 0; k < PK_WORK_COUNT; k++) {
		w->share[k] = NAN;
		for (uint32_t i = 0; i < w->count; i++)
			pk_add_saturated(&w->sum[k], w->worker[i].work[k]);
	}
	if (w->count && pk_workers_span(w) > 0)
		divide(w);
}

void pk_workers_times(struct pk_workers *w, struct pk_work_lanes *lanes)
{
	struct pk_work_lanes own = {.count = w->count + w->others}; /* a lane for each */
	bool gpu = use_gpu(w, lanes);

	w->time_at = pk_calloc((size_t)w->count + 1, sizeof(*w->time_at));
	own.lane = pk_calloc((size_t)own.count + 1, sizeof(*own.lane));
	if (w->timed && w->by == PK_BY_RANK && gpu)
		w->lone_collectives = pk_workers_split(lanes, (uint32_t)w->runs->count, true);
	for (size_t r = 0; r < w->runs->count; r++)
		gather(w, (uint32_t)r, &lanes[r], gpu, own.lane);
	if (w->timed)
		timed(w, &own, gpu);
	else
		sums_only(w);
	pk_work_lanes_release(&own);
	pk_workers_add_up(w);
}
