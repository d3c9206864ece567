#pragma once

#include "analysis/gpu/ranks/ranks.h"
#include "render/grid.h"

/* The critical path through ranks: a row for each rank and for the transfer; or, of changes, the
 * rows of pk_what_if_grid. */
void pk_ranks_grid(struct pk_grid *grid, const struct pk_ranks *r);
void pk_ranks_change_grid(struct pk_grid *grid, const struct pk_ranks *r);
extern const struct pk_grid_columns pk_ranks_columns;
/* The rank that bounds the time, and how reliable the replay is. */
void pk_ranks_words(struct pk_buf *buf, const struct pk_ranks *r);
void pk_ranks_json(struct pk_json_writer *w, const struct pk_ranks *r);
