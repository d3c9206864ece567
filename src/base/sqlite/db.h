#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * SQLite with one way to fail: functions return 0, or -1 with err, which ends with SQLite's
 * message.
 */

/* Opens a database with all protections against a hostile file: triggers, functions and virtual
 * tables in its schema do not run, and its pages are checked. flags are those of sqlite3_open_v2;
 * path NULL is a database in memory. A locked file is waited for. A connection must be used by one
 * thread at a time. */
int pk_db_open(const char *path, int flags, sqlite3 **db, struct pk_error *err);
/* True if a database in WAL mode was read in a way that writers could not notice, so that it may
 * have changed meanwhile. */
bool pk_db_is_unseen(void);
/* Attaches the file at path as `store`, and creates it if needed. */
int pk_db_attach(sqlite3 *db, const char *path, struct pk_error *err);

/* Runs statements without results; fmt is that of sqlite3_mprintf. */
int pk_db_exec(sqlite3 *db, struct pk_error *err, const char *fmt, ...);
/* Prepares one statement; NULL with err. */
sqlite3_stmt *pk_db_prepare(sqlite3 *db, struct pk_error *err, const char *fmt, ...);
/* Reads the only value of the only row; NULL or no row give 0. */
int pk_db_value(sqlite3 *db, int64_t *value, struct pk_error *err, const char *fmt, ...);
/* Sets err to SQLite's last message and returns -1. */
int pk_db_fail(sqlite3 *db, struct pk_error *err);
