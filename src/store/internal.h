#pragma once

#include "base/sqlite/db.h"

/* Shared by changes to stores (store.c). */

/* The file must be there: SQLite would create it. */
int pk_store_require(const char *path, struct pk_error *err);
/* Opens a connection with the file as `store`. */
int pk_store_open(const char *path, int flags, sqlite3 **db, struct pk_error *err);
/* The number of the next run that is added. */
int pk_store_next_run(sqlite3 *db, int64_t *run, struct pk_error *err);
int pk_store_set_label(sqlite3 *db, int64_t run, const char *label, struct pk_error *err);
/* Sets *is_part to whether it is a part, as reduce makes it: one run without a label, the sum of
 * others. */
int pk_store_is_part(sqlite3 *db, const char *schema, bool *is_part, struct pk_error *err);
/* Fails if `store` is a part, which it would no longer be with another run. */
int pk_store_refuse_part(sqlite3 *db, struct pk_error *err);
/* Once the change is final, no signal ends the process before it says so. */
int pk_store_commit(sqlite3 *db, struct pk_error *err);
