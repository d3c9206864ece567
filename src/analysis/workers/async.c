/* Tasks of asyncio in traces: when each ran, waited, and waited to be resumed. */
#include "analysis/workers/async.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/group.h"
#include "base/num/units.h"

/* Threads are compared with this many event loops of their process, so that time stays linear. */
enum { MAX_LOOPS = 64 };

struct range {
	int64_t start, end;
};

struct ranges { /* in the order of time, not overlapping */
	struct range *item;
	size_t count, alloc;
};

struct spans {
	const struct pk_profile *p;
	struct pk_groups by_thread;
};

static void spans_init(struct spans *s, const struct pk_profile *p)
{
	s->p = p;
	pk_groups_init(&s->by_thread, p->span.thread, sizeof(*p->span.thread), 1, p->span.count,
		       p->thread.count);
}

static struct range range_of(const struct pk_profile *p, uint32_t row)
{
	int64_t length = p->span.duration[row] > 0 ? p->span.duration[row] : 0;
	struct range r = {p->span.time[row], INT64_MAX};

	(void)__builtin_add_overflow(r.start, length, &r.end);
	return r;
}

static int64_t between(int64_t start, int64_t end)
{
	int64_t length;

	return __builtin_sub_overflow(end, start, &length) ? INT64_MAX : length;
}

static void add_range(struct ranges *list, struct range r)
{
	if (list->count && r.start < list->item[list->count - 1].end)
		return;
	PK_GROW(list->item, list->count + 1, list->alloc);
	list->item[list->count++] = r;
}

/* The index of the last range that begins at `time` or before, + 1; 0 if there is none. */
static size_t last_before(const struct ranges *list, int64_t time)
{
	return PK_BISECT(i, 0, list->count, list->item[i].start <= time);
}

static bool is_function(const struct pk_profile *p, uint32_t function, const char *name,
			const char *file)
{
	return pk_ends_with(pk_text(p, p->function.name[function]), name) &&
	       pk_ends_with(pk_text(p, p->function.file[function]), file);
}

/* The times in which a loop ran callbacks; a step of a task is one of them. */
static void find_runs(const struct spans *s, uint32_t thread, const bool *runs, struct ranges *list)
{
	for (uint32_t i = s->by_thread.first[thread]; i < s->by_thread.first[thread + 1]; i++) {
		uint32_t row = s->by_thread.row[i];

		if (runs[pk_node_function(s->p, s->p->span.node[row])])
			add_range(list, range_of(s->p, row));
	}
}

/* A task runs only while its loop runs a callback; a thread is begun by functions of threading. */
static bool is_task(const struct spans *s, uint32_t thread, const struct ranges *runs,
		    const bool *begins)
{
	int64_t end = INT64_MIN;
	uint32_t from = s->by_thread.first[thread], to = s->by_thread.first[thread + 1];

	for (uint32_t i = from; i < to; i++) {
		uint32_t row = s->by_thread.row[i];
		struct range r = range_of(s->p, row);
		size_t in;

		if (r.start < end)
			continue;
		in = last_before(runs, r.start);
		if (!in || runs->item[in - 1].end < r.end ||
		    begins[pk_node_function(s->p, s->p->span.node[row])])
			return false;
		end = r.end;
	}
	return to > from;
}

/* threads: `count` threads of one process */
static void find_tasks(const struct spans *s, const uint32_t *threads, uint32_t count,
		       const bool *runs, const bool *begins, uint32_t *loop_of)
{
	int loops = 0;

	for (uint32_t i = 0; i < count && loops < MAX_LOOPS; i++) {
		struct ranges list = {NULL, 0, 0};

		find_runs(s, threads[i], runs, &list);
		loops += list.count > 0;
		for (uint32_t k = 0; k < count && list.count; k++)
			if (k != i && !loop_of[threads[k]] && is_task(s, threads[k], &list, begins))
				loop_of[threads[k]] = threads[i];
		free(list.item);
	}
}

uint32_t *pk_async_loops(const struct pk_profile *p)
{
	uint32_t *loop_of = pk_calloc(p->thread.count, sizeof(*loop_of));
	bool *runs = pk_calloc(p->function.count, sizeof(*runs)), any = false;
	bool *begins = pk_calloc(p->function.count, sizeof(*begins));
	struct pk_groups of; /* threads by process */
	struct spans s;

	for (uint32_t i = 1; i < p->function.count && p->span.count > 1; i++) {
		runs[i] = is_function(p, i, "_run", "asyncio/events.py");
		begins[i] = is_function(p, i, "", "threading.py");
		any |= runs[i];
	}
	if (any) {
		spans_init(&s, p);
		pk_groups_init(&of, p->thread.process, sizeof(*p->thread.process), 1,
			       p->thread.count, p->process.count);
		for (uint32_t i = 0; i < p->process.count; i++)
			find_tasks(&s, of.row + of.first[i], of.first[i + 1] - of.first[i], runs,
				   begins, loop_of);
		pk_groups_release(&of);
		pk_groups_release(&s.by_thread);
	}
	free(runs);
	free(begins);
	return loop_of;
}

int64_t pk_async_twice(const struct pk_profile *p, uint32_t metric)
{
	PK_FREED uint32_t *loop_of = pk_async_loops(p);
	int64_t sum = 0;

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (loop_of[pk_cost_thread(p, i)] && pk_cost_metric(p, i) == metric)
			pk_add_known(&sum, p->cost.self[i]);
	return sum;
}

/* The state of following the steps of one task through its spans. */
struct steps {
	const struct pk_profile *p;
	struct pk_async *a;
	struct pk_async_task *task;
	const struct ranges *runs, *polls;
	size_t run;             /* the callback of this step, as of last_before */
	int64_t length;         /* of this step */
	int64_t end, before;    /* ends of the seen part of this step, and of the step before */
	uint32_t first;         /* its first span */
	struct ranges open;     /* spans around and at the current one */
	uint32_t *chain, *last; /* their nodes; those of the step before, at its end */
	size_t chain_alloc, last_alloc, last_count, depth;
	int64_t *waits;    /* of this task, by function */
	uint32_t *touched; /* functions that have such */
	size_t touched_count, touched_alloc;
	bool first_chain; /* all spans of this step so far lie in each other */
	size_t common;    /* number of these in which the step before ended */
};

/* The time before this step: the loop knew that the task can run when select returned at last. */
static void add_gap(struct steps *s, int64_t start)
{
	size_t poll = last_before(s->polls, start);
	int64_t ready = s->before;
	uint32_t function = s->common ? pk_node_function(s->p, s->last[s->common - 1]) : 0;

	if (poll && s->polls->item[poll - 1].end > ready)
		ready = s->polls->item[poll - 1].end;
	if (ready > start)
		ready = start;
	pk_add_saturated(&s->task->resumable, between(ready, start));
	pk_add_saturated(&s->task->waiting, between(s->before, ready));
	if (!function || ready == s->before)
		return;
	if (!s->waits[function]) {
		PK_GROW(s->touched, s->touched_count + 1, s->touched_alloc);
		s->touched[s->touched_count++] = function;
	}
	pk_add_saturated(&s->waits[function], between(s->before, ready));
	pk_add_saturated(&s->a->waits[function], between(s->before, ready));
}

static void end_step(struct steps *s)
{
	struct pk_async_task *t = s->task;
	uint32_t *chain = s->chain;
	size_t alloc = s->chain_alloc;

	if (!s->run)
		return;
	if (t->steps++)
		add_gap(s, s->p->span.time[s->first]);
	else
		t->start = s->p->span.time[s->first];
	pk_add_saturated(&t->running, s->length);
	if (s->length > t->longest || t->steps == 1) {
		t->longest = s->length;
		t->longest_in = pk_node_function(s->p, s->p->span.node[s->first]);
	}
	t->end = s->before = s->end;
	s->chain = s->last;
	s->chain_alloc = s->last_alloc;
	s->last = chain;
	s->last_alloc = alloc;
	s->last_count = s->depth;
	s->run = 0;
}

static void begin_step(struct steps *s, uint32_t row, size_t run)
{
	end_step(s);
	s->run = run;
	s->first = row;
	s->length = 0;
	s->common = 0;
	s->first_chain = true;
}

/* A coroutine that was suspended is entered again from the outside in: while spans of the new step
 * are those in which the last one ended, it awaited below them. */
static void compare_chains(struct steps *s, uint32_t node)
{
	size_t at = s->depth - 1;

	if (at < s->last_count && s->last[at] == node &&
	    s->p->function.kind[pk_node_function(s->p, node)] == PK_KIND_PYTHON)
		s->common = s->depth;
}

static void see_span(struct steps *s, uint32_t row)
{
	struct range r = range_of(s->p, row);
	size_t depth = s->depth;

	while (depth && s->open.item[depth - 1].end <= r.start)
		depth--;
	if (!depth) {
		size_t run = last_before(s->runs, r.start);

		if (run != s->run)
			begin_step(s, row, run);
		pk_add_saturated(&s->length, between(r.start, r.end));
		s->end = r.end;
	}
	s->first_chain &= depth == s->depth || s->first == row;
	s->depth = depth;
	PK_GROW(s->open.item, s->depth + 1, s->open.alloc);
	PK_GROW(s->chain, s->depth + 1, s->chain_alloc);
	s->open.item[s->depth] = r;
	s->chain[s->depth++] = s->p->span.node[row];
	if (s->first_chain)
		compare_chains(s, s->p->span.node[row]);
}

static void add_task(struct pk_async *a, const struct spans *s, uint32_t thread, uint32_t loop,
		     const struct ranges *runs, const struct ranges *polls, int64_t *waits)
{
	struct pk_async_task *task = &a->task[a->count++];
	struct steps steps = {
		.p = s->p, .a = a, .task = task, .runs = runs, .polls = polls, .waits = waits};

	*task = (struct pk_async_task){.thread = thread, .loop = loop};
	for (uint32_t i = s->by_thread.first[thread]; i < s->by_thread.first[thread + 1]; i++)
		see_span(&steps, s->by_thread.row[i]);
	end_step(&steps);
	pk_add_saturated(&a->running, task->running);
	for (size_t i = 0; i < steps.touched_count; i++) {
		uint32_t function = steps.touched[i];

		if (waits[function] > task->waits) {
			task->waits = waits[function];
			task->waits_for = function;
		}
		waits[function] = 0;
	}
	free(steps.open.item);
	free(steps.chain);
	free(steps.last);
	free(steps.touched);
}

static void add_loop(struct pk_async *a, const struct spans *s, const struct pk_classes *c,
		     uint32_t loop, const struct pk_groups *tasks, const bool *is_run,
		     int64_t *waits)
{
	const struct pk_profile *p = s->p;
	struct ranges runs = {NULL, 0, 0}, polls = {NULL, 0, 0};
	int64_t start = INT64_MAX, end = INT64_MIN;

	find_runs(s, loop, is_run, &runs);
	for (uint32_t i = s->by_thread.first[loop]; i < s->by_thread.first[loop + 1]; i++) {
		uint32_t row = s->by_thread.row[i];
		struct range r = range_of(p, row);

		start = r.start < start ? r.start : start;
		end = r.end > end ? r.end : end;
		if (c->of_node[p->span.node[row]] == PK_CLASS_WAIT)
			add_range(&polls, r);
	}
	for (size_t i = 0; i < polls.count; i++)
		pk_add_saturated(&a->polling, between(polls.item[i].start, polls.item[i].end));
	pk_add_saturated(&a->window, between(start, end));
	a->loops++;
	for (uint32_t i = tasks->first[loop]; i < tasks->first[loop + 1]; i++)
		add_task(a, s, tasks->row[i], loop, &runs, &polls, waits);
	free(runs.item);
	free(polls.item);
}

void pk_async_init(struct pk_async *a, const struct pk_profile *p, const struct pk_classes *c)
{
	uint32_t *loop_of = pk_async_loops(p);
	bool *is_run = pk_calloc(p->function.count, sizeof(*is_run));
	int64_t *waits = pk_calloc(p->function.count, sizeof(*waits));
	struct pk_groups tasks; /* threads by loop */
	struct spans s;

	*a = (struct pk_async){.task = pk_calloc(p->thread.count, sizeof(*a->task))};
	a->waits = pk_calloc(p->function.count, sizeof(*a->waits));
	for (uint32_t i = 1; i < p->function.count; i++)
		is_run[i] = is_function(p, i, "_run", "asyncio/events.py");
	pk_groups_init(&tasks, loop_of, sizeof(*loop_of), 1, p->thread.count, p->thread.count);
	spans_init(&s, p);
	for (uint32_t t = 1; t < p->thread.count; t++)
		if (tasks.first[t] < tasks.first[t + 1])
			add_loop(a, &s, c, t, &tasks, is_run, waits);
	pk_groups_release(&s.by_thread);
	pk_groups_release(&tasks);
	free(loop_of);
	free(is_run);
	free(waits);
}

void pk_async_release(struct pk_async *a)
{
	free(a->task);
	free(a->waits);
}
