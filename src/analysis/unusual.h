#pragma once

#include <stdint.h>

#include "analysis/hotspots/hotspots.h"

/*
 * Facts about a profile that its table of functions does not show at once. Functions are rows of
 * hotspots->functions + 1; 0 = there is none.
 */
struct pk_unusual {
	uint32_t half, most; /* functions with the most self that make up 50 % and 90 % of it */
	/* the function with the largest total among those that call themselves */
	uint32_t recursive;
	uint32_t tiny;   /* the function with most self among those called often and briefly */
	uint32_t uneven; /* one call took much longer than the others: the largest difference */
	struct pk_span_stat spans; /* of the calls of uneven */
	int64_t waits;             /* self of functions that wait, of all threads */
	uint32_t waiting[3];       /* the waiting functions with most self */
	int64_t nameless;          /* self of functions without a symbol */
};

void pk_unusual_init(struct pk_unusual *u, const struct pk_hotspots *h);
