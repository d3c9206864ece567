#pragma once

#include "analysis/workers/workers.h"
#include "model/part/part.h"

/* The facts that a part keeps about the workers of a run: pk_part_describe. A row for each worker
 * that pk_workers_init finds in the run alone, and rows for the run as a rank: for all of it, and
 * for each of its steps (ProfilerStep#N). */
void pk_workers_describe(struct pk_reduction *part, const struct pk_profile *p, uint32_t member);

/* The workers of all runs of a part, or if options->by is PK_BY_RANK or PK_BY_AUTO, its runs.
 * Fills what pk_workers_times does but segments and steps: no clocks are compared, each worker has
 * the window of its run. */
int pk_workers_of_part(struct pk_workers *w, const struct pk_profile *p,
		       const struct pk_workers_options *options, struct pk_error *err);

/* The useful time of the runs of a part in each step. */
struct pk_worker_steps {
	int64_t *number; /* of the steps that any of them has, ascending */
	uint32_t count;
	uint32_t *row; /* of the table worker, by worker and step; 0 = it does not have it */
};
void pk_worker_steps_init(struct pk_worker_steps *s, const struct pk_workers *w);
void pk_worker_steps_release(struct pk_worker_steps *s);
