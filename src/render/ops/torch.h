#pragma once

#include <stddef.h>

#include "analysis/ops/ops.h"
#include "base/io/output.h"

/*
 * Prints the operator table as torch's key_averages().table() does, byte for byte, so that
 * programs that parse that text keep working. The result must have been made with
 * pk_ops_options.doubles.
 */
struct pk_torch_text_params {
	size_t rows;       /* number of rows printed; percentages are of all rows */
	size_t name_width; /* greatest width of the name column; torch: 55 */
	bool overloads;    /* a column for overload names */
};
void pk_torch_print(const struct pk_ops *ops, const struct pk_torch_text_params *params,
		    struct pk_output *out);
