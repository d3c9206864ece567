/*
 * Divides the time of a GPU by what ran, and where nothing ran by the reason: whether the work
 * that ended the gap had been launched.
 *
 *	         |-- host wait --|launch|          |gap|
 *	host                     [launch B]  [C]
 *	GPU      A]                     [B        ][C]
 *
 * A gap at the end of a step is ended by the first work of the next step; that of the last step by
 * work that is not in the trace.
 *
 * Works come in the order of their begins, so that the last end seen of each kind says until when
 * any work of this kind runs.
 */
#include <stdlib.h>

#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"

uint32_t pk_gpu_join_times(struct pk_time_range *time, uint32_t count)
{
	uint32_t joined = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct pk_time_range *last = joined ? &time[joined - 1] : NULL;

		if (!last || time[i].from > last->to)
			time[joined++] = time[i];
		else if (time[i].to > last->to)
			last->to = time[i].to;
	}
	return joined;
}

struct sweep {
	struct pk_gpu_input *in;
	struct pk_gpu_device *device;
	uint32_t window, loading; /* the first that does not end before `now` */
	int64_t now;
	bool unlaunched;           /* the launch of the next work is not known */
	bool tells;                /* the launch of some work is known */
	uint32_t host;             /* the thread that launches the next work, 0 = not known */
	int64_t end[PK_GPU_KINDS]; /* the last end of the works that have begun */
};

/* The end of the part of [from, ...) that is in one window, or in none; *times: the times of that
 * window, NULL = none. */
static int64_t find_window(struct sweep *s, int64_t from, struct pk_gpu_times **times)
{
	struct pk_gpu_device *d = s->device;

	while (s->window < d->windows && d->window[s->window].to <= from)
		s->window++;
	*times = NULL;
	if (s->window == d->windows)
		return INT64_MAX;
	if (d->window[s->window].from > from)
		return d->window[s->window].from;
	*times = &d->window[s->window].times;
	return d->window[s->window].to;
}

/* Keeps the times that tell what the host did. */
static void keep_idle(struct sweep *s, int64_t to, enum pk_gpu_idle idle)
{
	struct pk_gpu_idle_times *t = &s->in->idle[idle];

	if (idle != PK_GPU_HOST_WAIT && idle != PK_GPU_DATA)
		return;
	PK_GROW(t->item, (size_t)t->count + 1, t->alloc);
	t->item[t->count++] = (struct pk_gpu_idle_time){s->now, to, s->host};
}

/* Adds a time in which nothing changes: kinds that ran, or idle for a reason. */
static void add(struct sweep *s, int64_t to, unsigned state, enum pk_gpu_idle idle)
{
	while (s->now < to) {
		struct pk_gpu_times *times;
		int64_t end = find_window(s, s->now, &times);

		if (end > to)
			end = to;
		if (times)
			*(state ? &times->ran[state] : &times->idle[idle]) += end - s->now;
		else if (state)
			s->device->outside += end - s->now;
		if (times && !state)
			keep_idle(s, end, idle);
		if (times && s->unlaunched)
			s->device->unlaunched += end - s->now;
		s->now = end;
	}
}

/* Adds idle time in which nothing was launched: the host loaded data, or did something else. */
static void wait_for_host(struct sweep *s, int64_t to)
{
	const struct pk_gpu_input *in = s->in;

	while (s->now < to) {
		while (s->loading < in->loadings && in->loading[s->loading].to <= s->now)
			s->loading++;
		if (s->loading == in->loadings || in->loading[s->loading].from >= to) {
			add(s, to, 0, PK_GPU_HOST_WAIT);
		} else {
			const struct pk_time_range *l = &in->loading[s->loading];

			add(s, l->from, 0, PK_GPU_HOST_WAIT);
			add(s, l->to < to ? l->to : to, 0, PK_GPU_DATA);
		}
	}
}

/* Adds the time before this work, in which nothing ran. */
static void end_gap(struct sweep *s, const struct pk_gpu_work *work)
{
	const int64_t *time = s->in->profile->span.time;
	uint32_t call = work->call;
	int64_t start = work->start;

	s->host = s->in->profile->span.thread[call];
	if (!call) {
		s->unlaunched = true;
		add(s, start, 0, PK_GPU_OTHER);
		s->unlaunched = false;
	} else if (time[call] > s->now) {
		wait_for_host(s, time[call] < start ? time[call] : start);
		add(s, start, 0, PK_GPU_LAUNCH);
	} else if (start - s->now < PK_GPU_SHORT_GAP) {
		add(s, start, 0, PK_GPU_KERNEL_WAIT);
	} else {
		add(s, start, 0, PK_GPU_OTHER);
	}
}

/* Adds the time after the last work. The host had launched nothing, as before any other work,
 * unless the trace tells no launches at all. */
static void end_window(struct sweep *s, int64_t to)
{
	s->host = 0;
	if (s->tells) {
		wait_for_host(s, to);
		return;
	}
	s->unlaunched = true;
	add(s, to, 0, PK_GPU_OTHER);
}

/* Goes on to `to`, or until nothing runs. */
static void run_until(struct sweep *s, int64_t to)
{
	while (s->now < to) {
		unsigned state = 0;
		int64_t next = to;

		for (int k = 0; k < PK_GPU_KINDS; k++) {
			if (s->end[k] <= s->now)
				continue;
			state |= 1U << k;
			next = s->end[k] < next ? s->end[k] : next;
		}
		if (!state)
			return;
		add(s, next, state, 0);
	}
}

void pk_gpu_break_down(struct pk_gpu_input *in, struct pk_gpu_device *device)
{
	struct sweep s = {.in = in, .device = device};

	for (int i = 0; i < PK_GPU_IDLES; i++)
		in->idle[i].count = 0;
	s.now = device->window[0].from;
	if (s.now > in->profile->span.time[in->work[0]])
		s.now = in->profile->span.time[in->work[0]];
	for (int k = 0; k < PK_GPU_KINDS; k++)
		s.end[k] = s.now;
	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		int64_t *end = &s.end[pk_gpu_kind_of(in, w.span)];

		s.tells |= w.call != 0;
		run_until(&s, w.start);
		if (s.now < w.start)
			end_gap(&s, &w);
		if (w.end > *end)
			*end = w.end;
	}
	run_until(&s, INT64_MAX);
	end_window(&s, device->window[device->windows - 1].to);
	for (uint32_t i = 0; i < device->windows; i++)
		pk_gpu_times_add(&device->times, &device->window[i].times);
}
