#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/transform/copy.h"
#include "model/profile.h"

/* Per node: its depth, 1 for roots, 0 for node 0. The caller frees it. */
uint32_t *pk_node_depths(const struct pk_profile *p);
/* The metric of a thread's spans: "gpu_time" for a GPU if there is such a metric, otherwise the
 * first time metric; 0 = none. */
uint32_t pk_span_metric(const struct pk_profile *p, uint32_t thread);

/*
 * Adds the costs of kept spans within the range: at every moment the span that began last is
 * running, so that the sum of a thread is the time in which any span is open. Time on a path
 * that is left out is added to its caller.
 */
void pk_copy_span_costs(struct pk_copy *copy, const bool *kept);
