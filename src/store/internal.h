#pragma once

#include "base/sqlite/db.h"

/* Shared by changes to stores (store.c). */

/* The file must be there: SQLite would create it. */
int pk_store_require(const char *path, struct pk_error *err);
/* Opens a connection with the file as `store`. */
int pk_store_open(const char *path, int flags, sqlite3 **db, struct pk_error *err);
/* The number of the next run that is added. */
int pk_store_next_run(sqlite3 *db, int64_t *run, struct pk_error *err);
/* Once the change is final, no signal ends the process before it says so. */
int pk_store_commit(sqlite3 *db, struct pk_error *err);
