#ifndef PK_SAVE_H
#define PK_SAVE_H

#include "model/profile.h"
#include "store/db.h"
#include "store/vtab.h"

/*
 * Saving is one INSERT ... SELECT per table, from the virtual tables over the profiles
 * into the database `store`, which the caller has attached.
 */

/* Makes all tables and views in an empty database. */
int pk_store_create(sqlite3 *db, struct pk_error *err);
/* Puts in the rows of all profiles as runs first_run, first_run + 1, ... */
int pk_store_insert(sqlite3 *db, struct pk_catalog *catalog, int64_t first_run,
		    struct pk_error *err);
/* All of that in an empty database that nobody else sees before it is whole, without a journal. */
int pk_store_fill(sqlite3 *db, struct pk_catalog *catalog, struct pk_error *err);
/* What is made after the rows: indexes, more of them when there are several runs. */
int pk_store_index(sqlite3 *db, struct pk_error *err);

#endif
