#pragma once

#include "analysis/bench/table.h"
#include "render/grid.h"

/* The first `rows` benchmarks. unit: of all numbers ("us"); NULL = for each the one that fits it,
 * since benchmarks of a file differ by orders of magnitude. The table must live as long. */
int pk_bench_grid(struct pk_grid *g, const struct pk_bench_table *t, uint32_t rows, bool people,
		  const char *unit, struct pk_error *err);
extern const struct pk_grid_columns pk_bench_columns;
