#ifndef PK_SPANS_H
#define PK_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/transform/copy.h"
#include "model/profile.h"

/* Nodes that are one below the other, from 1 for roots; 0 for node 0. The caller frees it. */
uint32_t *pk_node_depths(const struct pk_profile *p);
/* What the spans of a thread cost: "gpu_time" on those of a GPU where there is such a metric, else
 * the first that is time; 0 = none. */
uint32_t pk_span_metric(const struct pk_profile *p, uint32_t thread);

/*
 * The cost of the spans that are kept, as far as they are within the range: at every moment the one
 * that began last is running, so that the sum of a thread is the time in which any is open. What
 * is kept on a path that is left out costs its caller.
 */
void pk_copy_span_costs(struct pk_copy *copy, const bool *kept);

#endif
