#ifndef PK_INSPECT_H
#define PK_INSPECT_H

#include <stddef.h>

#include "store/db.h"

/*
 * Is the database `schema` ("main", "store") a store that this version knows, with every
 * table a table of its own columns, and not a view, a virtual table or computed columns
 * that somebody put in its place? -1 with what is wrong.
 */
int pk_store_verify(sqlite3 *db, const char *schema, struct pk_error *err);
/* The same, but it may be of an older version, which is told. */
int pk_store_verify_old(sqlite3 *db, const char *schema, int64_t *version, struct pk_error *err);
/* True if the database has nothing in it. */
int pk_store_is_empty(sqlite3 *db, const char *schema, bool *empty, struct pk_error *err);

/* Numbers of runs. */
struct pk_run_numbers {
	int64_t *item;
	size_t count, alloc;
};
/*
 * All runs (label NULL), those with this label, or if there are none the run with this
 * number; none at all is no error. At most PK_STORE_MOST_RUNS.
 */
#define PK_STORE_MOST_RUNS 100000
int pk_store_find_runs(sqlite3 *db, const char *schema, const char *label,
		       struct pk_run_numbers *runs, struct pk_error *err);
void pk_run_numbers_release(struct pk_run_numbers *runs);

#endif
