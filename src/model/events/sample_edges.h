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

/* The samples of a metric that have a time, in the same order. */
struct pk_moments {
	const struct pk_profile *p;
	struct pk_moment {
		uint32_t thread, node, row;
		int64_t time, end;
	} * list;
	uint32_t count;
};
void pk_moments_init(struct pk_moments *m, const struct pk_profile *p, uint32_t metric);
void pk_moments_release(struct pk_moments *m);
/* Samples of a thread that begin within so many ns become one, which lasts as long as they do
 * together, with the path of the longest, the first of several. */
void pk_moments_join(struct pk_moments *m, int64_t within);
/* The number of functions on the path of moment i. */
uint32_t pk_moment_depth(const struct pk_moments *m, uint32_t i);
/* depths: pk_node_depths; NULL: found for each moment, which is faster for few. */
void pk_moment_edges(const struct pk_moments *m, const uint32_t *depths, pk_sample_edge *edge,
		     void *data);

/* The same as a table of spans, row 0 included, in the order of profile.h. */
void pk_sample_spans_init(struct pk_span_table *spans, const struct pk_profile *p, uint32_t metric);
void pk_sample_spans_release(struct pk_span_table *spans);
