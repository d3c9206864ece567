#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/profile.h"
#include "render/grid.h"

/*
 * SQL over profiles that were read: the tables and views of schema_sql.h and the functions of
 * functions.h. run is the position in the list, from 1. Only reading is allowed.
 */
struct pk_query;

/* The list must outlive the query. */
struct pk_query *pk_query_open(const struct pk_profiles *list, struct pk_error *err);
void pk_query_close(struct pk_query *q);
/* Ends the running statement with an error. A signal handler may call it. */
void pk_query_interrupt(struct pk_query *q);

/* Statements that run longer fail; 0 = no limit. A function of SQLite that takes another second ends
 * the process with a message and status 2. */
void pk_query_limit_time(struct pk_query *q, double seconds);
/* A statement fails if SQLite and its result need more memory; 0 = no limit. Only one query at a
 * time can have a limit, because SQLite counts memory per process. */
void pk_query_limit_memory(struct pk_query *q, uint64_t bytes);

/* The number of statements with a result; -1 if one is wrong, with its place in err. */
int pk_query_count(struct pk_query *q, const char *sql, struct pk_error *err);
/*
 * Runs all statements and calls show with every result, whose cells are valid until show
 * returns. Stops at the first error, or if show returns -1.
 */
typedef int (*pk_query_show)(struct pk_grid *grid, void *data, struct pk_error *err);
int pk_query_run(struct pk_query *q, const char *sql, pk_query_show show, void *data,
		 struct pk_error *err);

/* True if the text ends with the ';' of a statement. */
bool pk_query_is_complete(const char *sql);
