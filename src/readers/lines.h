#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io/input.h"

/* Reading a file line by line, in windows that are much larger than a line. */
struct pk_line_reader {
	/* Gets one line without its '\n'. A result other than 0 ends the reading. The bytes stay in
	 * place until `leave`. */
	int (*line)(void *data, const char *line, size_t len);
	/* Called before the bytes of the lines so far are freed; NULL if nothing refers to them. */
	void (*leave)(void *data);
};

/* *number is that of the line being read, from 1. Returns -1 with err when a line is longer than
 * 64 MB or reading fails, and what `line` returned when that is not 0. */
int pk_read_lines(struct pk_input *in, const struct pk_line_reader *reader, void *data,
		  uint64_t *number, struct pk_error *err);
