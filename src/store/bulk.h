#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "store/catalog.h"

/* True for tables that pk_bulk_fill fills: those that have no long texts. */
bool pk_bulk_takes(int table);
/*
 * Writes the rows of these tables, and of their tree indexes, into the attached database `store`,
 * which must be in a file (see pk_bulk_is_possible), where they are empty.
 */
int pk_bulk_fill(sqlite3 *db, struct pk_catalog *catalog, struct pk_error *err);
bool pk_bulk_is_possible(sqlite3 *db);
