#ifndef PK_WORKERS_FUNCTIONS_H
#define PK_WORKERS_FUNCTIONS_H

#include "analysis/workers/workers.h"

/*
 * Which functions the worker with the most useful time spent more useful time in than the workers
 * did on average: excess = its own - mean. All excesses together are what that worker did more than
 * the average.
 */
struct pk_worker_function {
	uint32_t function;   /* of pk_worker_functions.names */
	int64_t most;        /* of that worker, in the function itself; in 1 / scale of w->unit */
	int64_t sum;         /* of all workers */
	double mean, excess; /* in w->unit */
};

struct pk_worker_functions {
	struct pk_profile *names;       /* holds the functions of all runs, and nothing else */
	struct pk_worker_function *row; /* by excess, the largest first */
	uint32_t count;
	uint32_t worker; /* the one with the most useful time: index */
	double scale;
};

/* -1 where there are no workers. */
int pk_worker_functions_init(struct pk_worker_functions *f, const struct pk_workers *w,
			     struct pk_error *err);
void pk_worker_functions_release(struct pk_worker_functions *f);

#endif
