#ifndef PK_QUERY_H
#define PK_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/profile.h"
#include "render/grid.h"

/*
 * SQL over profiles that were read: the tables and views of schema_sql.h and the functions
 * of functions.h, run = position in the list from 1. Only reading is allowed.
 */
struct pk_query;

/* The list must outlive the query. */
struct pk_query *pk_query_open(const struct pk_profiles *list, struct pk_error *err);
void pk_query_close(struct pk_query *q);
/* Ends the statement that is running, with an error. May be called by a signal handler. */
void pk_query_interrupt(struct pk_query *q);

/* From here on a statement that runs for longer than this fails; 0 = it may. */
void pk_query_limit_time(struct pk_query *q, double seconds);
/* From here on a statement fails for which SQLite and its result take more memory than this; 0 = it
 * may. One query at a time can have it: SQLite counts what it takes in the whole process. */
void pk_query_limit_memory(struct pk_query *q, uint64_t bytes);

/* How many statements of the text have a result; -1 if one is wrong: then err says where. */
int pk_query_count(struct pk_query *q, const char *sql, struct pk_error *err);
/*
 * Runs all statements of the text, and calls show with every result, whose cells are valid
 * until it returns. Stops at the first error, and when show returns -1.
 */
typedef int (*pk_query_show)(struct pk_grid *grid, void *data, struct pk_error *err);
int pk_query_run(struct pk_query *q, const char *sql, pk_query_show show, void *data,
		 struct pk_error *err);

/* True if the text ends with the ';' of a statement. */
bool pk_query_is_complete(const char *sql);

#endif
