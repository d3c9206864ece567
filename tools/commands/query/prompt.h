#ifndef PK_PROMPT_H
#define PK_PROMPT_H

#include "base/io/output.h"
#include "store/query.h"

/*
 * The prompt of profkit query: reads statements from the terminal, with editing and a
 * history that lasts as long as the prompt, and hands each to run. Ctrl-C ends the
 * statement that is running.
 */
void pk_prompt(struct pk_query *query, void (*run)(void *data, const char *statement), void *data);

/* Does what ".tables", ".schema NAME", ".functions" or ".help" say; -1 if it is none. */
int pk_prompt_command(const char *line, struct pk_output *out, struct pk_error *err);

#endif
