#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Operands that stand for many files: a folder (all files in it and below it, but those whose name
 * begins with a dot), a pattern in quotes ("runs/r*.prof"), and a list "@LIST", a file with a path
 * a line ("@-": standard input).
 */
struct pk_file {
	char *path;
	uint64_t size; /* of a plain file; 0 = of others */
	bool found;    /* found in a folder: it may be no profile */
};

/* The largest come first, those of one size in the order of their paths: a large file that is read
 * last would be waited for, and the order of the operands does not matter. */
struct pk_files {
	struct pk_file *item;
	char **path; /* the same paths, as operands */
	size_t count, alloc;
};

/* *files is NULL if no operand stands for many files; then nothing is done. Otherwise it holds the
 * files of all operands, which are also named to the sandbox; `output` is left out of folders and
 * of what a pattern matches. Call it before the sandbox is entered. */
int pk_operands_expand(struct pk_files **files, int argc, char **argv, const char *output,
		       struct pk_error *err);
void pk_files_free(struct pk_files *files);
