#pragma once

#include <stddef.h>

#include "base/sqlite/db.h"

/*
 * Checks that the database `schema` ("main", "store") is a store of this version and that
 * every table is an ordinary table with its columns, and not a view, a virtual table or one
 * with computed columns. Returns -1 with the reason.
 */
int pk_store_verify(sqlite3 *db, const char *schema, struct pk_error *err);
/* The same for a store that may be of an older version; *version is set to it. */
int pk_store_verify_old(sqlite3 *db, const char *schema, int64_t *version, struct pk_error *err);
/* True if the database has nothing in it. */
int pk_store_is_empty(sqlite3 *db, const char *schema, bool *empty, struct pk_error *err);

/* Numbers of runs. */
struct pk_run_numbers {
	int64_t *item;
	size_t count, alloc;
};
/*
 * Lists all runs (label NULL), or those with this label, or else those with this KEY=VALUE in table
 * meta, or the run with this number. Whatever labels there are, "last=N" are the N runs that were
 * added last, "LABEL,last=N" the last ones of these, "3..20" the runs with these numbers. It is not
 * an error if there is none.
 */
int pk_store_find_runs(sqlite3 *db, const char *schema, const char *label,
		       struct pk_run_numbers *runs, struct pk_error *err);
/* Adds the numbers that the statement returns, and finalizes it. The statement is NULL if it could
 * not be prepared; then err is set. */
int pk_run_numbers_collect(sqlite3 *db, sqlite3_stmt *stmt, struct pk_run_numbers *runs,
			   struct pk_error *err);
void pk_run_numbers_release(struct pk_run_numbers *runs);
