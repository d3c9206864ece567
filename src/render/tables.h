#pragma once

#include "analysis/callers.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/tree.h"
#include "render/grid.h"

/*
 * Results as grids. With `people`, grids have columns and labels that only people see;
 * without, they have exactly the columns promised to scripts, and cost less to make. Texts are
 * borrowed from the result's profile, which must live as long as the grid. Release with
 * pk_grid_release.
 */

/* The first `rows` functions. */
void pk_hotspots_grid(struct pk_grid *g, const struct pk_hotspots *h, uint32_t rows, bool people);
/* True if faster code would reduce the metric as a whole: then functions have a speedup_bound. */
bool pk_has_speed(const struct pk_profile *p, uint32_t metric);
/* The first `rows` calls; for people, below the function that was asked for. */
void pk_callers_grid(struct pk_grid *g, const struct pk_callers *c, uint32_t rows, bool people);
void pk_call_tree_grid(struct pk_grid *g, const struct pk_call_tree *t, bool people);

extern const struct pk_grid_columns pk_hotspots_columns, pk_hotspot_stat_columns,
	pk_hotspot_run_columns, pk_hotspot_worker_columns, pk_callers_columns, pk_call_tree_columns;

/* True for the notations that people read. */
static inline bool pk_notation_is_for_people(enum pk_notation notation)
{
	return notation == PK_TEXT || notation == PK_MARKDOWN || notation == PK_HTML ||
	       notation == PK_BRIEF;
}
