#pragma once

#include "base/text/str.h"
#include "model/profile.h"
#include "render/grid.h"

/* Cells about functions. Texts are those of the profile; only labels are made. */
void pk_cell_string(struct pk_cell *cell, const struct pk_profile *p, uint32_t string);
void pk_cell_line(struct pk_cell *cell, uint32_t line); /* 0 gives null */
/* A short label of the function, with a note after it unless that is NULL. */
void pk_cell_label(struct pk_grid *g, struct pk_cell *cell, const struct pk_profile *p,
		   uint32_t function, const char *note);
/* Four cells: name, module, file and line. */
void pk_cells_function(struct pk_cell *cell, const struct pk_profile *p, uint32_t function);
