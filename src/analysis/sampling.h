#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/events/sample_edges.h"
#include "model/profile.h"

/*
 * How a profile was sampled, by thread: the interval and the longest gap, from the times of
 * samples. If the format has no times, they are not known.
 */
struct pk_sampled_thread {
	uint32_t thread;    /* 0 = samples without a thread */
	int64_t total;      /* the sum of self */
	int64_t samples;    /* PK_NULL if only sums are known */
	int64_t start, end; /* ns: the first and the last sample; PK_NULL = not known */
	int64_t interval;   /* ns: the median time between samples of different times; of two in the
			       middle the lower; PK_NULL */
	int64_t gap_start;  /* ns: begin of the longest such time, of equal ones the first;
			       PK_NULL */
	int64_t gap;        /* ns, PK_NULL */
};

struct pk_sampling {
	bool sampled;     /* false: the metric is not sampled */
	bool timed;       /* some samples have a time */
	int64_t interval; /* ns: the median of the threads' intervals; PK_NULL = not known */
	struct pk_sampled_thread *thread; /* threads with samples or values, in the table's order */
	uint32_t threads;
	uint32_t gap; /* index of the thread with the longest gap; UINT32_MAX = none */
};

/* The number of samples of a metric. */
uint32_t pk_sample_count(const struct pk_profile *p, uint32_t metric);
/* Finds how the profile was sampled in one metric. */
void pk_sampling_init(struct pk_sampling *s, const struct pk_profile *p, uint32_t metric);
/* The same if the order of these samples is there. */
void pk_sampling_of(struct pk_sampling *s, const struct pk_profile *p, uint32_t metric,
		    const struct pk_sample_order *order);
void pk_sampling_release(struct pk_sampling *s);
