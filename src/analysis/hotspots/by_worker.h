#ifndef PK_BY_WORKER_H
#define PK_BY_WORKER_H

#include <stdint.h>

#include "analysis/workers/workers.h"
#include "base/error.h"
#include "model/profile.h"

/*
 * What each worker spent in each function itself. A worker that never was in a function counts
 * with 0 for it.
 */
enum { PK_WORKER_COLUMNS = 8 }; /* of more workers, no values of each are kept */

struct pk_worker_row { /* of a function */
	int64_t sum, min, max;
	uint32_t min_worker, max_worker; /* the first that has it */
};

struct pk_by_worker {
	char **name; /* of workers */
	uint32_t count;
	uint32_t mains, helpers; /* who gives them work, and threads of the pool's own: left out */
	uint32_t columns;        /* count, or 0 where there are too many */
	struct pk_worker_row *of_function; /* by frame */
	int64_t *value;                    /* by frame * columns + worker */
	double scale;                      /* values are in 1 / scale of the metric's unit */
};

/*
 * Of the workers that pk_workers_init finds in p; where there are none, or none has costs in the
 * metric (streams of a GPU), of all processes that have, of one process its threads. -1 where there
 * are no threads, for a bad expression, and for PK_BY_RANK.
 */
int pk_by_worker_init(struct pk_by_worker *b, struct pk_profile *p, uint32_t metric,
		      const struct pk_workers_options *options, struct pk_error *err);
void pk_by_worker_release(struct pk_by_worker *b);

/* The mean over workers, in the metric's unit. */
static inline double pk_worker_mean(const struct pk_by_worker *b, uint32_t frame)
{
	return (double)b->of_function[frame].sum / b->count / b->scale;
}

/* max / mean: 1 = all the same; NaN where that says nothing. */
double pk_worker_imbalance(const struct pk_by_worker *b, uint32_t frame);

#endif
