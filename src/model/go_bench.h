#pragma once

#include <stddef.h>

#include "base/text/str.h"
#include "model/profile.h"

/* Units and configurations of Go's benchmarks, as benchstat understands them. */

/* Appends the base unit, "sec/op" of "ns/op"; returns what values are multiplied by for it. */
double pk_go_bench_base(struct pk_buf *base, const char *unit, size_t len);
enum pk_metric_kind pk_go_bench_kind(const char *base);
/* The metric of a base unit, "sec/op" -> "time", and back. Others have one name. */
const char *pk_go_bench_metric(const char *unit);
const char *pk_go_bench_unit(const char *metric);
/* True if benchstat counts the unit in Ki and Mi. */
bool pk_go_bench_is_bytes(const char *unit);

/* The value of a key of a configuration ("goos: linux\npkg: words\n"); "" if there is none. */
const char *pk_go_bench_setting(const char *config, const char *key, size_t *len);
