#pragma once

#include <stdint.h>

#include "analysis/workers/workers.h"
#include "base/error.h"
#include "model/profile.h"

/*
 * The self of each worker in each function. A worker that never ran a function counts as 0 in
 * it.
 */
enum {
	PK_WORKER_COLUMNS = 8
}; /* with more workers than this, the values of single workers are not kept */

struct pk_worker_row { /* of a function */
	int64_t sum, min, max;
	uint32_t min_worker, max_worker; /* the first worker with that value */
};

struct pk_by_worker {
	char **name; /* of workers */
	uint32_t count;
	uint32_t mains,
		helpers;  /* left out: those that hand out the work, and the pool's own threads */
	uint32_t columns; /* count; 0 if there are too many */
	bool narrow;      /* people have no room for these columns */
	struct pk_worker_row *of_function; /* by function */
	int64_t *value;                    /* by function * columns + worker */
	double scale;                      /* values are in 1 / scale of the metric's unit */
};

/*
 * Uses the workers that pk_workers_init finds in p. If there are none, or none has costs in
 * the metric (streams of a GPU), it uses all processes with costs, or the threads of a single
 * process. Returns -1 if there are no threads, for a bad expression, and for PK_BY_RANK.
 */
int pk_by_worker_init(struct pk_by_worker *b, struct pk_profile *p, uint32_t metric,
		      const struct pk_workers_options *options, struct pk_error *err);
void pk_by_worker_release(struct pk_by_worker *b);

/* The mean over workers, in the metric's unit. */
static inline double pk_worker_mean(const struct pk_by_worker *b, uint32_t function)
{
	return (double)b->of_function[function].sum / b->count / b->scale;
}

/* max / mean: 1 = all are equal; NaN if it is not defined. */
double pk_worker_imbalance(const struct pk_by_worker *b, uint32_t function);
