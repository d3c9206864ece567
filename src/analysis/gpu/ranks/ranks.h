#pragma once

#include "analysis/gpu/gpu.h"

/*
 * The critical path through several ranks, which wait for each other in collectives. Each rank does
 * work of its own, some of it while a collective runs; a collective begins to move data when its
 * last rank has come, and takes as long as on that rank.
 *
 *	rank 0  work |wait      |transfer| work
 *	rank 1  work ...........|transfer| work     <- the path, until another rank comes last
 */
struct pk_ranks {
	const struct pk_gpu *gpu;
	uint32_t joined; /* collectives that several ranks have */
	double measured; /* ns from the first begin to the last end */
	double replay;   /* the same as the model gives it */
	double transfer; /* of the path: in which data moved */
	struct pk_ranks_part {
		double time;   /* of the path: work of this rank */
		int64_t times; /* collectives on the path that it entered last */
	} * rank;              /* by trace */
	struct pk_ranks_change {
		char *text;
		double time, saved;
	} * change; /* largest saving first */
	size_t changes, alloc;
};

/* After pk_gpu_finish. Rules: "rank:17=median", "rank:17/2", "communication=0", "auto". -1 with err
 * if no collective joins ranks (PK_EFORMAT), or if a text is not a rule (PK_EUSAGE). */
int pk_ranks_init(struct pk_ranks *r, const struct pk_gpu *gpu, const char *const *rules,
		  size_t count, struct pk_error *err);
void pk_ranks_release(struct pk_ranks *r);
