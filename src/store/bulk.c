/*
 * Fills the tables of a new store without SQL, for save.c: the rows of the profiles, as vtab.c
 * shows them, become pages (pages.c).
 */
#include "store/bulk.h"

#include <math.h>
#include <string.h>

#include "model/args/text.h"
#include "store/db.h"
#include "store/pages.h"

bool pk_bulk_takes(int table)
{
	const struct pk_table *t = pk_sql_table(table);

	for (int i = 0; i < t->column_count; i++)
		if (t->columns[i].type == PK_COL_BYTES)
			return false;
	return table != PK_TABLE_RUN; /* its numbers are those of sqlite_sequence */
}

bool pk_bulk_is_possible(sqlite3 *db)
{
	sqlite3_file *file = NULL;

	return sqlite3_file_control(db, "store", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
	       file && file->pMethods;
}

static void add_int(struct pk_record *r, int64_t value, int64_t null)
{
	if (value == null)
		pk_record_null(r);
	else
		pk_record_int(r, value);
}

static void add_numbers(struct pk_record *r, const struct pk_arg_table *t, uint32_t place)
{
	int64_t numbers[PK_MOST_NUMBERS];
	int count = pk_arg_unpack(t, place, numbers);
	char text[PK_ARG_LIST];

	if (count)
		pk_record_text(r, text, pk_arg_list(text, numbers, count));
	else
		pk_record_null(r);
}

static void add_real(struct pk_record *r, double value)
{
	if (isnan(value))
		pk_record_null(r);
	else
		pk_record_real(r, value);
}

/* As column_value in vtab.c. */
static void add_value(struct pk_record *r, const struct pk_profile *p, const struct pk_column *c,
		      const void *data, uint32_t row)
{
	uint64_t value = data ? pk_column_get(c, data, row) : pk_column_default(c);
	double real;

	switch (c->type) {
	case PK_COL_TEXT:
	case PK_COL_REF:
	case PK_COL_U64:
		add_int(r, (int64_t)value, 0);
		break;
	case PK_COL_I64:
		add_int(r, (int64_t)value, PK_NULL);
		break;
	case PK_COL_REAL:
		memcpy(&real, &value, sizeof(real));
		add_real(r, real);
		break;
	case PK_COL_ENUM:
		pk_record_text(r, c->names[value], strlen(c->names[value]));
		break;
	case PK_COL_NUMBERS:
		add_numbers(r, &p->arg, (uint32_t)value);
		break;
	case PK_COL_U32:
	case PK_COL_U8:
	case PK_COL_BYTES:
		pk_record_int(r, (int64_t)value);
		break;
	}
}

static void add_rows(struct pk_tree *tree, struct pk_catalog *catalog, int table, size_t profile)
{
	const struct pk_table *t = pk_sql_table(table);
	const char *data = pk_catalog_data(catalog, table, profile);
	uint32_t rows = pk_catalog_profile_rows(catalog, table, profile), row;
	const struct pk_profile *p = catalog->list->item[profile];
	struct pk_record r = {0};

	for (row = 1; row < rows; row++) {
		pk_record_int(&r, catalog->first_run + (int64_t)profile);
		if (t->has_id)
			pk_record_int(&r, row);
		for (const struct pk_column *c = t->columns; c < t->columns + t->column_count; c++)
			add_value(&r, p, c, *(void *const *)(data + c->offset), row);
		pk_tree_add(tree, &r);
	}
}

/* The rows of an index of the column: sorted by its values. */
static void add_keys(struct pk_tree *tree, struct pk_catalog *catalog, int table, size_t profile,
		     const struct pk_column *c)
{
	const struct pk_table *t = pk_sql_table(table);
	const char *data = pk_catalog_data(catalog, table, profile);
	const void *values = *(void *const *)(data + c->offset);
	uint32_t rows = pk_catalog_profile_rows(catalog, table, profile), i;
	const uint32_t *order =
		values ? pk_catalog_order(catalog, table, profile, (int)(c - t->columns)) : NULL;
	struct pk_record r = {0};

	for (i = 1; i < rows; i++) {
		uint32_t row = order ? order[i - 1] : i;

		pk_record_int(&r, catalog->first_run + (int64_t)profile);
		add_value(&r, catalog->list->item[profile], c, values, row);
		pk_record_int(&r, row);
		pk_tree_add(tree, &r);
	}
}

/* The table, or the index of this column of it. */
static int fill(sqlite3 *db, struct pk_pages *pages, struct pk_catalog *catalog, int table,
		const struct pk_column *index, struct pk_error *err)
{
	const struct pk_table *t = pk_sql_table(table);
	struct pk_tree tree;
	int64_t root;

	if (pk_db_value(db, &root, err,
			"SELECT rootpage FROM store.sqlite_schema WHERE name = '%q%s%q'", t->name,
			index ? "_" : "", index ? index->name : ""))
		return -1;
	pk_tree_begin(&tree, pages, t->has_id || index);
	for (size_t i = 0; i < catalog->list->count; i++) {
		if (index)
			add_keys(&tree, catalog, table, i, index);
		else
			add_rows(&tree, catalog, table, i);
	}
	pk_tree_end(&tree, (uint32_t)root);
	return 0;
}

int pk_bulk_fill(sqlite3 *db, struct pk_catalog *catalog, struct pk_error *err)
{
	int status = 0, i, rc;
	struct pk_pages pages;

	if (!pk_pages_begin(&pages, db))
		return pk_fail(err, PK_EIO, "the store is not in a file");
	for (i = 0; !status && i < PK_SQL_TABLE_COUNT; i++) {
		const struct pk_column *index = pk_sql_tree_column(pk_sql_table(i));

		if (pk_bulk_takes(i))
			status = fill(db, &pages, catalog, i, NULL, err) ||
				 (index && fill(db, &pages, catalog, i, index, err));
	}
	rc = pk_pages_end(&pages);
	if (!status && rc != SQLITE_OK)
		status = pk_fail(err, PK_EIO, "%s", sqlite3_errstr(rc));
	return status ? -1 : 0;
}
