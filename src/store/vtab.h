#pragma once

#include <sqlite3.h>
#include <stdint.h>

#include "base/error.h"
#include "model/profile.h"

/*
 * Profiles as SQL tables: every table of pk_sql_table is a virtual table of `main` that reads
 * the columns in place. Rows of the first profile have run = first_run, those of the second
 * first_run + 1. rowid is run * 2^32 + the number of the row.
 *
 * Found without a scan: run, id and rowid, by value or range; the value of a column that is a
 * reference, a text or a 32 bit number (an index is made when first needed).
 */
struct pk_catalog;

/* Makes the tables and the SQL functions node_path(run, node) and node_depth(run, node).
 * The catalog belongs to the connection and ends with it; the list must outlive both. */
struct pk_catalog *pk_catalog_attach(sqlite3 *db, const struct pk_profiles *list,
				     struct pk_error *err);
/* 1 unless set otherwise. */
void pk_catalog_set_first_run(struct pk_catalog *catalog, int64_t run);
