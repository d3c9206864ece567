#pragma once

#include "analysis/workers/workers.h"

/*
 * The functions in which the worker with the most useful time spent more useful time than the
 * average worker: excess = its own time - mean. The sum of all excesses is the difference between
 * this worker and the average.
 */
struct pk_worker_function {
	uint32_t function;   /* of pk_worker_functions.names */
	int64_t most;        /* self time of that worker, in units of 1 / scale of w->unit */
	int64_t sum;         /* of all workers */
	double mean, excess; /* in w->unit */
};

struct pk_worker_functions {
	struct pk_profile *names;       /* holds only the functions of all runs */
	struct pk_worker_function *row; /* by excess, the largest first */
	uint32_t count;
	uint32_t worker; /* index of the one with the most useful time */
	double scale;
};

/* -1 if there are no workers. */
int pk_worker_functions_init(struct pk_worker_functions *f, const struct pk_workers *w,
			     struct pk_error *err);
void pk_worker_functions_release(struct pk_worker_functions *f);
