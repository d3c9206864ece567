#ifndef PK_SAMPLING_H
#define PK_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/*
 * How a profile was sampled, thread by thread: how often, and for how long not at all. From the
 * times of samples; where the format has none, nothing of that is known, and nothing is made up.
 */
struct pk_sampled_thread {
	uint32_t thread;    /* 0 = samples of no thread */
	int64_t total;      /* the sum of self */
	int64_t samples;    /* PK_NULL where only sums are known */
	int64_t start, end; /* ns: the first and the last sample; PK_NULL = not known */
	int64_t interval;   /* ns: the median of the times from one sample to the next, of those
			     * between different times; the lower of two in the middle; PK_NULL */
	int64_t gap_start;  /* ns: the longest of these, the first if there are several; PK_NULL */
	int64_t gap;        /* ns, PK_NULL */
};

struct pk_sampling {
	bool sampled;     /* false: the metric is measured in another way */
	bool timed;       /* some samples have a time */
	int64_t interval; /* ns: the median of those of all threads; PK_NULL = not known */
	struct pk_sampled_thread *thread; /* that have samples or values, in the table's order */
	uint32_t threads;
	uint32_t gap; /* the thread with the longest gap, as index; UINT32_MAX = there is none */
};

/* Of one metric. */
void pk_sampling_init(struct pk_sampling *s, const struct pk_profile *p, uint32_t metric);
void pk_sampling_release(struct pk_sampling *s);

#endif
