#pragma once

#include "tools/command.h"

struct pk_convert_params {
	struct pk_common common;
	const char *to; /* name of the writer; NULL = by the suffix of the output */
	bool merge;
};

/*
 * Reads all operands but the last and writes them to the last. With -o, all operands are
 * inputs; with --to and a single operand, the output is standard output.
 */
int pk_convert(struct pk_convert_params *params, int argc, char **argv, struct pk_error *err);
/* name_outputs of commands whose last operand is written. */
void pk_convert_name_output(const void *params, int argc, char **argv);
