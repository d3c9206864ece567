#pragma once

#include "analysis/workers/class.h"

/*
 * Tasks of asyncio, which viztracer --log_async records as threads. An event loop runs them in
 * turns, each from one await to the next (a step):
 *
 *	thread    ── Handle._run ──  select  ── Handle._run ── Handle._run ── ...
 *	task 1      client                                       client
 *	task 2                                 handle
 *
 * Task 1 waits until select returns. From then on, at the latest, it could run, and waits for
 * task 2.
 */
struct pk_async_task {
	uint32_t thread;                     /* of the profile, named as the task */
	uint32_t loop;                       /* the thread that runs it */
	int64_t start, end;                  /* of its first and last step */
	int64_t running, resumable, waiting; /* add up to end - start */
	int64_t steps, longest;
	uint32_t longest_in; /* function that the longest step began with */
	uint32_t waits_for;  /* the function that awaits longest; 0 = it never waits */
	int64_t waits;       /* how long */
};

struct pk_async {
	struct pk_async_task *task; /* in the order of the file */
	uint32_t count;
	uint32_t loops;
	int64_t window, running, polling; /* of all loops: their time, in tasks, in select */
	int64_t *waits;                   /* for each function, how long tasks await in it */
};

/* For each thread, the thread whose event loop runs it; 0 = it is no task. The caller frees it. */
uint32_t *pk_async_loops(const struct pk_profile *p);
/* The part of the metric that is counted for tasks and, as self of what runs them, for their loops:
 * a total that adds up all threads has it twice. */
int64_t pk_async_twice(const struct pk_profile *p, uint32_t metric);
/* count is 0 if there are no tasks. */
void pk_async_init(struct pk_async *a, const struct pk_profile *p, const struct pk_classes *c);
void pk_async_release(struct pk_async *a);
