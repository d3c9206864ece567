#pragma once

#include "analysis/lines/lines.h"
#include "base/io/output.h"

/* Writes lines as LCOV, which editors and CI viewers color: how often each line was executed, or if
 * that was not counted its total, in the unit of the metric. The groups are files. */
void pk_lines_lcov(const struct pk_lines *l, struct pk_output *out);
