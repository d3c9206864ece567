#pragma once

#include "base/text/str.h"
#include "model/function_total.h"

/*
 * The tables of the model as SQL. The first column of every table is `run`, the number of the
 * run that a row belongs to; in table run it is the primary key. Tables whose rows are
 * referred to have `id` next, which counts from 1 in every run: (run, id) identifies a row.
 * Texts are ids of table string, enums are texts, unknown values are NULL.
 */

/* Bytes 68 to 71 of the file: "pfkt". PRAGMA user_version holds the version. */
#define PK_STORE_APPLICATION_ID 0x70666b74
#define PK_STORE_VERSION 7

/* The tables of the model in the order of enum pk_table_id, then function_total. */
#define PK_SQL_TABLE_FUNCTION_TOTAL PK_TABLE_COUNT
#define PK_SQL_TABLE_COUNT (PK_TABLE_COUNT + 1)
const struct pk_table *pk_sql_table(int number);
/* The number of the table of this name, -1 if there is none. */
int pk_sql_table_find(const char *name);

/* Appends "run, id, ..." as they stand in the table. */
void pk_sql_column_list(struct pk_buf *sql, const struct pk_table *t);

/* Appends CREATE TABLE with help texts as comments and with foreign keys, without a final ';'.
 * schema NULL: no schema is named. */
void pk_sql_create_table(struct pk_buf *sql, const char *schema, const struct pk_table *t);
/* The same without comments and keys, for virtual tables. */
void pk_sql_declare_table(struct pk_buf *sql, const struct pk_table *t);

/*
 * Appends the index of a table; returns false if it needs none.
 *
 * Tables with an id are WITHOUT ROWID with the key (run, id): smaller, and filled and joined
 * faster, than with a unique index (measured). Tables that refer to themselves (node) get an
 * index of that reference, because SQLite would need quadratic time to walk down trees.
 *
 * Other tables get an index by run once there are several runs. It indexes the expression run
 * + 0, which profkit uses in its queries; SQLite does not use it for joins such as cost.run =
 * node.run AND cost.node = node.id, which are faster without it (measured).
 */
bool pk_sql_create_tree_index(struct pk_buf *sql, const char *schema, const struct pk_table *t);
bool pk_sql_create_run_index(struct pk_buf *sql, const char *schema, const struct pk_table *t);

#define PK_SQL_VIEW_COUNT 6
/*
 * Appends CREATE VIEW of a view. fast: the connection has
 * the functions of vtab.h and functions.h; otherwise the view is plain SQL.
 */
void pk_sql_create_view(struct pk_buf *sql, const char *schema, int number, bool fast);
const char *pk_sql_view_name(int number);
const char *pk_sql_view_columns(int number);
const char *pk_sql_view_help(int number);
