#pragma once

#include "analysis/workers/workers.h"
#include "base/io/output.h"

/* Draws the workers of a part as a heat map: a row for each, columns are the steps of runs (useful
 * time by the median), or without steps all of the run, and shares of where its time goes. */
void pk_workers_draw_heat(const struct pk_workers *w, const char *title, struct pk_output *out);
