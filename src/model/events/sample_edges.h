#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/*
 * Samples as calls: a path begins when it appears on the stack of a thread, and ends when it
 * leaves it. A sample of time lasts as long as its value; other samples last until the next
 * one of their thread, and the last one for a period. Samples without a time are left out.
 *
 * Threads come one after the other; within each, the path that began last ends first.
 */
typedef void pk_sample_edge(void *data, bool begins, uint32_t thread, uint32_t node, int64_t time);
void pk_sample_edges(const struct pk_profile *p, uint32_t metric, pk_sample_edge *edge, void *data);

/* The samples of a metric that have a time, by thread, then by time. */
struct pk_sample_order {
	uint32_t *row, count;
	uint32_t *first; /* those of thread t are row[first[t]] to row[first[t + 1] - 1] */
};
void pk_sample_order_init(struct pk_sample_order *o, const struct pk_profile *p, uint32_t metric);
void pk_sample_order_release(struct pk_sample_order *o);

/* The same with the time at which each ends. */
struct pk_moments {
	const struct pk_profile *p;
	struct pk_sample_order order;
	struct pk_moment {
		uint32_t thread, node;
		int64_t time, end;
	} * list; /* NULL: not joined */
	uint32_t count;
	bool is_time;
	int64_t period;
};
void pk_moments_init(struct pk_moments *m, const struct pk_profile *p, uint32_t metric);
void pk_moments_release(struct pk_moments *m);
struct pk_moment pk_moment_at(const struct pk_moments *m, uint32_t i);
/* Samples of a thread that begin within so many ns become one, which lasts as long as they do
 * together, with the path of the longest, the first of several. */
void pk_moments_join(struct pk_moments *m, int64_t within);
/* The number of functions on the path of moment i. */
uint32_t pk_moment_depth(const struct pk_moments *m, uint32_t i);
/* The number of calls on path b that are not on path a, which is 0 or another path of the
 * thread. */
uint32_t pk_begun_calls(const struct pk_profile *p, uint32_t a, uint32_t b);
/* depths: pk_node_depths; NULL: found for each moment, which is faster for few. */
void pk_moment_edges(const struct pk_moments *m, const uint32_t *depths, pk_sample_edge *edge,
		     void *data);

/* The same as a table of spans, row 0 included, in the order of profile.h. */
void pk_sample_spans_init(struct pk_span_table *spans, const struct pk_profile *p, uint32_t metric);
void pk_sample_spans_release(struct pk_span_table *spans);
