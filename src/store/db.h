#ifndef PK_DB_H
#define PK_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * SQLite with one way to fail: 0 or -1 with err. Messages end with what SQLite says.
 */

/* Opens with everything that makes a file from a stranger harmless: no triggers, no
 * functions run by its schema, checks of its pages. flags are those of sqlite3_open_v2;
 * path NULL is a database in memory. A busy file is waited for. A connection is for one
 * thread at a time. */
int pk_db_open(const char *path, int flags, sqlite3 **db, struct pk_error *err);
/* A file in WAL mode needs others beside it to be read: they are allowed in the sandbox. Nothing
 * for other files, and what is none. Before pk_sandbox_enter. */
void pk_db_allow_reading(const char *path);
/* Attaches the file at path as `store`; it is made if it is not there. */
int pk_db_attach(sqlite3 *db, const char *path, struct pk_error *err);

/* Runs statements without results, made by sqlite3_mprintf from fmt. */
int pk_db_exec(sqlite3 *db, struct pk_error *err, const char *fmt, ...);
/* Prepares one statement; NULL with err. */
sqlite3_stmt *pk_db_prepare(sqlite3 *db, struct pk_error *err, const char *fmt, ...);
/* The only value of the only row; NULL and no row give 0. */
int pk_db_value(sqlite3 *db, int64_t *value, struct pk_error *err, const char *fmt, ...);
/* SQLite's message for the last error; always -1. */
int pk_db_fail(sqlite3 *db, struct pk_error *err);

#endif
