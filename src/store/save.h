#pragma once

#include "model/profile.h"
#include "base/sqlite/db.h"
#include "store/vtab.h"

/*
 * Saving is one INSERT ... SELECT per table, from the virtual tables over the profiles into
 * the attached database `store`.
 */

/* Makes all tables and views in an empty database. */
int pk_store_create(sqlite3 *db, struct pk_error *err);
/* Inserts the rows of all profiles as runs first_run, first_run + 1, ... */
int pk_store_insert(sqlite3 *db, struct pk_catalog *catalog, int64_t first_run,
		    struct pk_error *err);
/* Creates and fills an empty database without a journal. Other processes must not see it yet. */
int pk_store_fill(sqlite3 *db, struct pk_catalog *catalog, struct pk_error *err);
/* Creates the indexes; there are more if the store has several runs. */
int pk_store_index(sqlite3 *db, struct pk_error *err);
