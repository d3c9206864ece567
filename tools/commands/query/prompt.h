#pragma once

#include "base/io/output.h"
#include "store/query.h"

/*
 * The prompt of profkit query: reads statements from the terminal, with line editing and a
 * history, and passes each to run. Ctrl-C ends the running statement.
 */
void pk_prompt(struct pk_query *query, void (*run)(void *data, const char *statement), void *data);

/* Runs ".tables", ".schema NAME", ".functions" or ".help"; -1 for another line. */
int pk_prompt_command(const char *line, struct pk_output *out, struct pk_error *err);
