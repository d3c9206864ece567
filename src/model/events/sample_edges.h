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

/* Each sample and how long it lasts, in the same order. */
typedef void pk_sample_each(void *data, uint32_t thread, uint32_t node, int64_t from, int64_t to);
void pk_sample_walk(const struct pk_profile *p, uint32_t metric, pk_sample_each *each, void *data);

/* The same as a table of spans, row 0 included, in the order of profile.h. */
void pk_sample_spans_init(struct pk_span_table *spans, const struct pk_profile *p, uint32_t metric);
void pk_sample_spans_release(struct pk_span_table *spans);
