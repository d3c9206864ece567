#pragma once

#include "analysis/bench/bench.h"
#include "base/text/regex.h"
#include "model/build/builder.h"
#include "render/bench/benchstat/internal.h"

/* Values of a cell. The texts are strings of `names`, ids in the order in which they were seen. */
struct pk_benchstat_entry {
	uint32_t config, unit, row;
	uint32_t name; /* the parts of it that are neither rows nor columns */
	size_t side;
	const struct pk_benchmark *values;
	bool zeros; /* those that are 0, or all others */
};

struct pk_benchstat_collected {
	struct pk_benchstat *b;
	struct pk_builder *names; /* texts with a letter for what they name */
	struct pk_benchstat_entry *entry;
	size_t count, alloc;
	struct pk_benchmarks *list;
	size_t lists, lists_alloc;
	struct pk_regex *match;
	struct pk_bench_side *column; /* of params->column, by its values as they are seen */
	size_t columns, column_alloc;
};

/* Collects the values of all sides. On failure, too, the caller releases them. */
int pk_benchstat_collect(struct pk_benchstat_collected *all, size_t sides, struct pk_error *err);
void pk_benchstat_collected_release(struct pk_benchstat_collected *all);

static inline const char *pk_benchstat_name(const struct pk_benchstat_collected *all, uint32_t id)
{
	return pk_text(pk_builder_profile(all->names), id) + 1;
}
