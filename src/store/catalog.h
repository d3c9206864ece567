#pragma once

#include "store/schema_sql.h"
#include "store/vtab.h"

/*
 * The data of the virtual tables, including what is computed when first needed: function
 * totals, rows in the order of a column's values, depths of nodes.
 */
struct pk_catalog {
	const struct pk_profiles *list;
	int64_t first_run;
	struct pk_catalog_entry *entry;    /* one per profile */
	uint64_t rows[PK_SQL_TABLE_COUNT]; /* of all profiles, plus 1; 0 = not counted yet */
};

struct pk_catalog *pk_catalog_new(const struct pk_profiles *list);
void pk_catalog_free(struct pk_catalog *catalog);

/* The table struct (of pk_profile, or derived) that a table's column offsets refer to. */
const void *pk_catalog_data(struct pk_catalog *catalog, int table, size_t profile);
/* The number of rows: of one profile with row 0, or of all profiles without row 0. */
uint32_t pk_catalog_profile_rows(struct pk_catalog *catalog, int table, size_t profile);
uint64_t pk_catalog_rows(struct pk_catalog *catalog, int table);

/* Rows from 1 in the order of the column's values; equal values in the order of rows. The column
 * must have memory and the type TEXT, REF or U32. */
const uint32_t *pk_catalog_order(struct pk_catalog *catalog, int table, size_t profile, int column);
/* The range [from, to) of such an order with this value. */
void pk_order_range(const uint32_t *order, const uint32_t *values, uint32_t rows, uint32_t value,
		    uint32_t *from, uint32_t *to);

/* Registers node_path and node_depth. Returns an SQLite status. */
int pk_catalog_functions(struct pk_catalog *catalog, sqlite3 *db);
