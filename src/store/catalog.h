#ifndef PK_CATALOG_H
#define PK_CATALOG_H

#include "store/schema_sql.h"
#include "store/vtab.h"

/*
 * What the virtual tables read, and what is worked out for them when first needed:
 * function totals, orders of rows by the values of a column, depths of nodes.
 */
struct pk_catalog {
	const struct pk_profiles *list;
	int64_t first_run;
	struct pk_catalog_entry *entry; /* one per profile */
};

struct pk_catalog *pk_catalog_new(const struct pk_profiles *list);
void pk_catalog_free(struct pk_catalog *catalog);

/* The table struct (of pk_profile, or derived) that a table's column offsets refer to. */
const void *pk_catalog_data(struct pk_catalog *catalog, int table, size_t profile);
/* Rows in it, row 0 included; rows of all profiles, row 0 not included. */
uint32_t pk_catalog_profile_rows(struct pk_catalog *catalog, int table, size_t profile);
uint64_t pk_catalog_rows(struct pk_catalog *catalog, int table);

/* Rows 1.. in the order of the column's values, then of rows. The column is there, and
 * of type TEXT, REF or U32. */
const uint32_t *pk_catalog_order(struct pk_catalog *catalog, int table, size_t profile, int column);
/* The places from..to in such an order whose rows have the value. */
void pk_order_range(const uint32_t *order, const uint32_t *values, uint32_t rows, uint32_t value,
		    uint32_t *from, uint32_t *to);

/* Registers node_path and node_depth. Gives an SQLite status. */
int pk_catalog_functions(struct pk_catalog *catalog, sqlite3 *db);

#endif
