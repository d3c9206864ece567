#include "tests/check_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/db.h"
#include "store/pages.h"

static char path[] = "/tmp/check_pages.XXXXXX";

static sqlite3 *open_empty(int page_size)
{
	struct pk_error err = PK_ERROR_INIT;
	sqlite3 *db;

	memset(strrchr(path, '.') + 1, 'X', 6);
	close(mkstemp(path));
	ck_assert_int_eq(pk_db_open(NULL, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &db, &err),
			 0);
	ck_assert_int_eq(pk_db_attach(db, path, &err), 0);
	ck_assert_int_eq(pk_db_exec(db, &err,
				    "PRAGMA store.page_size = %d;"
				    "CREATE TABLE store.k(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;"
				    "CREATE TABLE store.r(a, b)",
				    page_size),
			 0);
	return db;
}

static int64_t ask(sqlite3 *db, const char *sql)
{
	struct pk_error err = PK_ERROR_INIT;
	int64_t value;

	ck_assert_int_eq(pk_db_value(db, &value, &err, "%s", sql), 0);
	return value;
}

/* A text that tells its row, of 0 to 49 bytes. */
static size_t text_of(char text[64], int row)
{
	return (size_t)snprintf(text, 64, "%0*d", row % 50, row) * (row % 50 > 0);
}

static void fill(sqlite3 *db, const char *table, bool keys, int rows)
{
	char sql[100], text[64];
	struct pk_record r = {0};
	struct pk_pages pages;
	struct pk_tree tree;
	int64_t root;

	snprintf(sql, sizeof(sql), "SELECT rootpage FROM store.sqlite_schema WHERE name = '%s'",
		 table);
	root = ask(db, sql);
	ck_assert(pk_pages_begin(&pages, db));
	pk_tree_begin(&tree, &pages, keys);
	for (int i = 1; i <= rows; i++) {
		pk_record_int(&r, i);
		pk_record_text(&r, text, text_of(text, i));
		pk_tree_add(&tree, &r);
	}
	pk_tree_end(&tree, (uint32_t)root);
	ck_assert_int_eq(pk_pages_end(&pages), SQLITE_OK);
}

static void assert_rows(sqlite3 *db, const char *table, int rows)
{
	char sql[200], text[64];
	sqlite3_stmt *stmt;
	int i;

	ck_assert_int_eq(ask(db, "SELECT integrity_check = 'ok' FROM "
				 "pragma_integrity_check"),
			 1);
	snprintf(sql, sizeof(sql), "SELECT a, b FROM store.%s ORDER BY a", table);
	ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	for (i = 1; sqlite3_step(stmt) == SQLITE_ROW; i++) {
		size_t len = text_of(text, i);

		ck_assert_int_eq(sqlite3_column_int(stmt, 0), i);
		ck_assert_uint_eq((size_t)sqlite3_column_bytes(stmt, 1), len);
		ck_assert_int_eq(memcmp(sqlite3_column_text(stmt, 1), text, len), 0);
	}
	ck_assert_int_eq(i, rows + 1);
	sqlite3_finalize(stmt);
	snprintf(sql, sizeof(sql), "SELECT a FROM store.%s WHERE a = %d", table, rows);
	ck_assert_int_eq(ask(db, sql), rows);
}

/* Numbers of rows around those that fill one page, two levels and three. */
START_TEST(trees_of_any_size)
{
	struct pk_error err = PK_ERROR_INIT;

	for (int rows = 0; rows < 40000; rows = rows < 800 ? rows + 1 : rows * 3) {
		sqlite3 *db = open_empty(512);

		fill(db, "k", true, rows);
		assert_rows(db, "k", rows);
		fill(db, "r", false, rows);
		assert_rows(db, "r", rows);
		/* SQL adds rows to what was written */
		ck_assert_int_eq(pk_db_exec(db, &err,
					    "INSERT INTO store.k VALUES (%d, ''), (0, 'x');"
					    "DELETE FROM store.k WHERE a = 0;"
					    "INSERT INTO store.r VALUES (%d, '')",
					    rows + 1, rows + 1),
				 0);
		ck_assert_int_eq(ask(db, "SELECT max(rowid) FROM store.r"), rows + 1);
		ck_assert_int_eq(ask(db, "SELECT count(*) FROM store.k"), rows + 1);
		ck_assert_int_eq(ask(db, "SELECT integrity_check = 'ok' FROM "
					 "pragma_integrity_check"),
				 1);
		sqlite3_close(db);
		unlink(path);
	}
}
END_TEST

START_TEST(values_of_all_kinds)
{
	static const int64_t numbers[] = {0,
					  1,
					  2,
					  -1,
					  127,
					  128,
					  -128,
					  -129,
					  32767,
					  32768,
					  -32768,
					  -32769,
					  8388607,
					  8388608,
					  -8388608,
					  -8388609,
					  INT32_MAX,
					  (int64_t)INT32_MAX + 1,
					  INT32_MIN,
					  (int64_t)INT32_MIN - 1,
					  140737488355327,
					  140737488355328,
					  -140737488355328,
					  -140737488355329,
					  INT64_MAX,
					  INT64_MIN};
	static const double reals[] = {0, -0.0, 1, 0.5, -2.25, 1e14, 1e300, -1e-300};
	enum {
		NUMBERS = sizeof(numbers) / sizeof(*numbers),
		REALS = sizeof(reals) / sizeof(*reals)
	};
	sqlite3 *db = open_empty(4096);
	struct pk_record r = {0};
	struct pk_pages pages;
	struct pk_tree tree;
	sqlite3_stmt *stmt;
	int64_t root = ask(db, "SELECT rootpage FROM store.sqlite_schema WHERE name = 'r'");

	ck_assert(pk_pages_begin(&pages, db));
	pk_tree_begin(&tree, &pages, false);
	for (size_t i = 0; i < NUMBERS; i++) {
		pk_record_int(&r, numbers[i]);
		pk_record_null(&r);
		pk_tree_add(&tree, &r);
	}
	for (size_t i = 0; i < REALS; i++) {
		pk_record_null(&r);
		pk_record_real(&r, reals[i]);
		pk_tree_add(&tree, &r);
	}
	pk_tree_end(&tree, (uint32_t)root);
	ck_assert_int_eq(pk_pages_end(&pages), SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT a, b FROM store.r", -1, &stmt, NULL),
			 SQLITE_OK);
	for (size_t i = 0; i < NUMBERS + REALS; i++) {
		ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
		ck_assert_int_eq(sqlite3_column_type(stmt, i < NUMBERS), SQLITE_NULL);
		if (i < NUMBERS)
			ck_assert_int_eq(sqlite3_column_int64(stmt, 0), numbers[i]);
		else
			ck_assert(sqlite3_column_double(stmt, 1) == reals[i - NUMBERS]);
	}
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	unlink(path);
}
END_TEST

CHECK_MAIN("pages", trees_of_any_size, values_of_all_kinds)
