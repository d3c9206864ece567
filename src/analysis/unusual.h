#pragma once

#include <stdint.h>

#include "analysis/hotspots/hotspots.h"

/*
 * Facts about a profile that its table of functions does not show at once. Functions are rows of
 * hotspots->functions + 1; 0 = there is none.
 */
struct pk_unusual {
	uint32_t half, most; /* functions with the most self that make up 50 % and 90 % of it */
	uint32_t recursive;  /* that with the largest total of those that call themselves */
	uint32_t tiny;       /* that with most self of those called often and short */
	uint32_t uneven;     /* one call took much longer than the others: the largest difference */
	struct pk_span_stat spans; /* of the calls of uneven */
	int64_t waits;             /* self of functions that wait, of all threads */
	uint32_t waiting[3];       /* those with most of it */
	int64_t nameless;          /* self of functions without a symbol */
};

void pk_unusual_init(struct pk_unusual *u, const struct pk_hotspots *h);
