#ifndef PK_SCHEMA_SQL_H
#define PK_SCHEMA_SQL_H

#include "base/text/str.h"
#include "model/schema.h"

/*
 * The tables of the model as SQL. In every table the first column is `run`, the number of
 * the run a row belongs to; in table run it is the primary key. Tables whose rows are
 * referred to have `id` next, which counts from 1 in every run: (run, id) names a row.
 * Texts are ids of table string, enums are texts, what is not known is NULL.
 */

/* Bytes 68 to 71 of the file: "pfkt". PRAGMA user_version holds the version. */
#define PK_STORE_APPLICATION_ID 0x70666b74
#define PK_STORE_VERSION 2

/*
 * What every user of SQL would have to work out again, and slowly: functions as a whole.
 * A table like those of the model, but derived from them, so it is never read back.
 */
struct pk_function_total_table {
	uint32_t count;
	uint32_t *function, *metric;
	int64_t *calls, *primitive_calls; /* PK_NULL */
	int64_t *self, *total;
	uint8_t *estimated;
};

/* The tables of the model in the order of enum pk_table_id, then function_total. */
#define PK_SQL_TABLE_FUNCTION_TOTAL PK_TABLE_COUNT
#define PK_SQL_TABLE_COUNT (PK_TABLE_COUNT + 1)
const struct pk_table *pk_sql_table(int number);
/* The number of the table of this name, -1 if there is none. */
int pk_sql_table_find(const char *name);

/* What a column holds in every row where its array is absent: 0, but metric 1. */
int64_t pk_sql_absent(const struct pk_column *column);

/* Appends "run, id, ..." as they stand in the table. */
void pk_sql_column_list(struct pk_buf *sql, const struct pk_table *t);

/* Appends CREATE TABLE with the help texts as comments and foreign keys. No final ';'.
 * schema NULL: none is named. */
void pk_sql_create_table(struct pk_buf *sql, const char *schema, const struct pk_table *t);
/* The same without comments and keys: how a virtual table declares itself. */
void pk_sql_declare_table(struct pk_buf *sql, const struct pk_table *t);

/*
 * Indexes; false and nothing appended if the table needs none.
 *
 * Tables with an id are WITHOUT ROWID, their key is (run, id): smaller and faster, filled
 * and joined, than a unique index beside the rows (measured). Tables that refer to
 * themselves (node) get an index of that reference, without which SQLite walks trees down in
 * quadratic time.
 *
 * The others need an index by run once there are several. It is one of the expression
 * run + 0, which profkit asks for and which SQLite does not take for joins such as
 * cost.run = node.run AND cost.node = node.id, where it does better without (measured).
 */
bool pk_sql_create_tree_index(struct pk_buf *sql, const char *schema, const struct pk_table *t);
bool pk_sql_create_run_index(struct pk_buf *sql, const char *schema, const struct pk_table *t);

#define PK_SQL_VIEW_COUNT 4
/*
 * Appends CREATE VIEW of argument, function_cost, functions or path. fast: for a connection that
 * has the functions of vtab.h and functions.h; else plain SQL that works anywhere.
 */
void pk_sql_create_view(struct pk_buf *sql, const char *schema, int number, bool fast);
const char *pk_sql_view_name(int number);
const char *pk_sql_view_columns(int number);
const char *pk_sql_view_help(int number);

#endif
