#pragma once

#include "analysis/ops/ops.h"
#include "render/grid.h"

/* The first `rows` operators. Texts are borrowed from the result. */
void pk_ops_grid(struct pk_grid *g, const struct pk_ops *ops, size_t rows, bool people);
extern const struct pk_grid_columns pk_ops_columns;
