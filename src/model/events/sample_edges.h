#ifndef PK_SAMPLE_EDGES_H
#define PK_SAMPLE_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/*
 * Samples as calls: a path begins where it comes on the stack of a thread, and ends where it
 * leaves it. A sample of time holds as long as its value; one of anything else until the next
 * of its thread, the last one for a period. Samples without a time are left out.
 *
 * Threads come one after the other; in each, what begins last ends first.
 */
typedef void pk_sample_edge(void *data, bool begins, uint32_t thread, uint32_t node, int64_t time);
void pk_sample_edges(const struct pk_profile *p, uint32_t metric, pk_sample_edge *edge, void *data);

/* The same as a table of spans, row 0 included, in the order of profile.h. */
void pk_sample_spans_init(struct pk_span_table *spans, const struct pk_profile *p, uint32_t metric);
void pk_sample_spans_release(struct pk_span_table *spans);

#endif
