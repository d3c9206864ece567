/* Tasks: calls of the user's function below a worker of a pool, if the profile has spans. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"

struct tasks {
	int64_t *duration;
	size_t count, alloc;
};

static void put_task(struct pk_workers *w, struct tasks *t, uint32_t worker, int64_t duration)
{
	struct pk_worker *who = &w->worker[worker];

	PK_GROW(t->duration, t->count + 1, t->alloc);
	t->duration[t->count++] = duration;
	who->tasks++;
	pk_add_saturated(&who->task_time, duration);
	if (duration > w->tasks.max || t->count == 1) {
		w->tasks.longest_worker = worker;
		w->tasks.max = duration;
	}
}

/* in_chunk: the tasks so far in the chunk of the thread, whose spans come in the order of time, a
 * chunk before its tasks. */
static void put_span(struct pk_workers *w, struct tasks *t, uint32_t worker, int64_t *in_chunk,
		     uint32_t row)
{
	const struct pk_profile *p = w->runs->item[w->worker[worker].run];
	const struct pk_classes *c = &w->classes[w->worker[worker].run];
	uint32_t node = p->span.node[row], parent = p->node.parent[node];

	if (c->marks[node] & PK_MARK_CHUNK && !(c->marks[parent] & PK_MARK_CHUNK)) {
		w->worker[worker].chunks++;
		*in_chunk = 0;
	} else if (c->marks[node] & PK_MARK_TASK) {
		put_task(w, t, worker, p->span.duration[row]);
		if (c->marks[parent] & PK_MARK_CHUNK) {
			++*in_chunk;
		} else {
			w->worker[worker].chunks++;
			*in_chunk = 1;
		}
		if (*in_chunk > w->tasks.per_chunk)
			w->tasks.per_chunk = *in_chunk;
	}
}

static bool has_task_paths(const struct pk_classes *c, const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->node.count; i++)
		if (c->marks[i] & PK_MARK_TASK)
			return true;
	return false;
}

static void walk_run(struct pk_workers *w, struct tasks *t, uint32_t run)
{
	const struct pk_profile *p = w->runs->item[run];
	const uint16_t *marks = w->classes[run].marks;
	int64_t *in_chunk = pk_calloc(p->thread.count, sizeof(*in_chunk));
	uint32_t *of = pk_workers_of_threads(w, run);

	for (uint32_t i = 1; i < p->span.count; i++) {
		uint32_t thread = p->span.thread[i], worker = of[thread];

		if (worker && marks[p->span.node[i]] & (PK_MARK_CHUNK | PK_MARK_TASK))
			put_span(w, t, worker - 1, &in_chunk[thread], i);
	}
	free(in_chunk);
	free(of);
}

/* The median, of two in the middle the lower; by 11 bits in each pass, in a third of the time of
 * sorting. */
static int64_t median(const struct tasks *t, int64_t min, int64_t max)
{
	enum { BITS = 11 };
	size_t count[1 << BITS], left = (t->count - 1) / 2;
	uint64_t range = (uint64_t)max - (uint64_t)min, prefix = 0;
	int shift = 0;

	while (shift + BITS < 64 && range >> (shift + BITS))
		shift += BITS;
	for (; shift >= 0; shift -= BITS) {
		uint64_t digit = 0;

		memset(count, 0, sizeof(count));
		for (size_t i = 0; i < t->count; i++) {
			uint64_t value = ((uint64_t)t->duration[i] - (uint64_t)min) >> shift;

			if (value >> BITS == prefix)
				count[value & ((1 << BITS) - 1)]++;
		}
		while (left >= count[digit])
			left -= count[digit++];
		prefix = prefix << BITS | digit;
	}
	return (int64_t)((uint64_t)min + prefix);
}

static void statistics(struct pk_task_stats *s, struct tasks *t)
{
	double squares = 0;

	s->tasks = (int64_t)t->count;
	if (!t->count)
		return;
	s->min = s->max;
	for (size_t i = 0; i < t->count; i++) {
		s->min = t->duration[i] < s->min ? t->duration[i] : s->min;
		pk_add_saturated(&s->total, t->duration[i]);
	}
	s->median = median(t, s->min, s->max);
	s->mean = (double)s->total / (double)t->count;
	for (size_t i = 0; i < t->count; i++) {
		double d = (double)t->duration[i] - s->mean;

		squares += d * d;
	}
	s->stddev = t->count > 1 ? sqrt(squares / (double)(t->count - 1)) : 0;
}

/* T(c) of profkit-workers(1): n m / p + n h / (c p) + c m / 2 + sigma sqrt(2 c ln p). */
static double model(const struct pk_task_stats *s, double p, double h, double c)
{
	double n = (double)s->tasks;

	return n * s->mean / p + n * h / (c * p) + c * s->mean / 2 +
	       s->stddev * sqrt(2 * c * log(p));
}

/* The chunk size with the least time by the model, with at least four chunks for each worker. */
static void choose_chunk(struct pk_workers *w)
{
	struct pk_task_stats *s = &w->tasks;
	double p = w->count, best = INFINITY, now, h;
	int64_t most = w->count ? s->tasks / (4 * (int64_t)w->count) : 0;

	if (s->tasks < 8 || w->count < 2 || s->chunks < 1 || most < 1)
		return;
	h = (double)w->sum[PK_WORK_OVERHEAD] / (double)s->chunks;
	for (int64_t c = 1; c <= most; c = c * 2 > most && c < most ? most : c * 2) {
		double time = model(s, p, h, (double)c);

		if (time < best) {
			best = time;
			s->best_chunk = c;
		}
	}
	now = model(s, p, h, (double)(s->per_chunk > 0 ? s->per_chunk : 1));
	s->gain = now > 0 && now > best ? (now - best) / now : 0;
}

void pk_workers_tasks(struct pk_workers *w)
{
	struct tasks t = {NULL, 0, 0};
	bool known = false;

	w->tasks = (struct pk_task_stats){.tasks = PK_NULL, .chunks = PK_NULL};
	for (size_t r = 0; r < w->runs->count; r++)
		known |= w->runs->item[r]->span.count > 1 && !w->sampled &&
			 has_task_paths(&w->classes[r], w->runs->item[r]);
	if (!known)
		return;
	for (uint32_t i = 0; i < w->count; i++)
		w->worker[i].tasks = w->worker[i].task_time = w->worker[i].chunks = 0;
	for (size_t r = 0; r < w->runs->count; r++)
		walk_run(w, &t, (uint32_t)r);
	statistics(&w->tasks, &t);
	w->tasks.chunks = 0;
	for (uint32_t i = 0; i < w->count; i++)
		w->tasks.chunks += w->worker[i].chunks;
	if (w->tasks.tasks)
		w->tasks.overhead = w->sum[PK_WORK_OVERHEAD] / w->tasks.tasks;
	choose_chunk(w);
	free(t.duration);
}
