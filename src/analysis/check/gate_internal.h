#pragma once

#include "analysis/check/gate.h"

/* Steps of pk_gate_init. */

/* The largest value after the change that the rule allows. */
double pk_gate_allowed(const struct pk_gate_finding *f);

/* Sets the verdict on a benchmark, or on the geometric mean of their ratios. */
void pk_gate_decide_benchmark(struct pk_gate_finding *f, const struct pk_gate_options *options);
/* True if its measured change is above the limit. */
bool pk_gate_benchmark_is_above(const struct pk_gate_finding *f);
/* By row: true if it is in one of the groups that the patterns name; NULL if none names a group.
 * The caller frees it. */
bool *pk_gate_groups(const struct pk_diff *d, const struct pk_rule_pattern *pattern, size_t count);
void pk_gate_benchmark_rules(struct pk_rules *rules, const struct pk_diff *d);

/* True if only one side has the benchmark, so that it is not compared but counted. */
bool pk_gate_sets_apart(const struct pk_gate_finding *f, struct pk_gate_rule *result);
