#ifndef PK_TORCH_TEXT_H
#define PK_TORCH_TEXT_H

#include <stddef.h>

#include "analysis/ops/ops.h"
#include "base/io/output.h"

/*
 * The table of operators as torch's key_averages().table() prints it, byte for byte, so that
 * whatever parses that text keeps working. The result must have been made with
 * pk_ops_options.doubles.
 */
struct pk_torch_text_params {
	size_t rows;       /* at most so many are printed; percentages are of all */
	size_t name_width; /* at most so many columns for names; torch: 55 */
	bool overloads;    /* a column for overload names */
};
void pk_torch_print(const struct pk_ops *ops, const struct pk_torch_text_params *params,
		    struct pk_output *out);

#endif
