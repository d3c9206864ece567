#pragma once

#include "tools/table.h"

/* Appends what `summary` says of the file above the functions, a line each. */
void pk_summary_title(struct pk_buf *title, const struct pk_table_frame *frame);
