/*
 * The store as an output format.
 */
#include "store/save.h"

#include <string.h>
#include <unistd.h>

#include "base/io/target.h"

#include "store/catalog.h"
#include "store/schema_sql.h"
#include "writers/writer.h"

static int run_sql(sqlite3 *db, struct pk_buf *sql, struct pk_error *err)
{
	int status = pk_db_exec(db, err, "%s", sql->data);

	sql->len = 0;
	return status;
}

int pk_store_create(sqlite3 *db, struct pk_error *err)
{
	PK_BUF_AUTO sql = PK_BUF_INIT;
	int status, i;

	status = pk_db_exec(db, err, "PRAGMA store.application_id = %d", PK_STORE_APPLICATION_ID) ||
		 pk_db_exec(db, err, "PRAGMA store.user_version = %d", PK_STORE_VERSION);
	for (i = 0; !status && i < PK_SQL_TABLE_COUNT; i++) {
		pk_sql_create_table(&sql, "store", pk_sql_table(i));
		status = run_sql(db, &sql, err);
	}
	for (i = 0; !status && i < PK_SQL_VIEW_COUNT; i++) {
		pk_sql_create_view(&sql, "store", i, false);
		status = run_sql(db, &sql, err);
	}
	return status ? -1 : 0;
}

int pk_store_insert(sqlite3 *db, struct pk_catalog *catalog, int64_t first_run,
		    struct pk_error *err)
{
	PK_BUF_AUTO columns = PK_BUF_INIT;
	int64_t end = first_run + (int64_t)catalog->list->count, run;
	int status = 0, i;

	pk_catalog_set_first_run(catalog, first_run);
	for (i = 0; !status && i < PK_SQL_TABLE_COUNT; i++) {
		const struct pk_table *t = pk_sql_table(i);

		columns.len = 0;
		pk_sql_column_list(&columns, t);
		/* run by run, so that its number is a constant in the statement */
		for (run = first_run; !status && run < end; run++)
			status = pk_db_exec(db, err,
					    "INSERT INTO store.%s(%s) SELECT %lld%s FROM main.%s "
					    "WHERE run = %lld",
					    t->name, columns.data, (long long)run,
					    columns.data + strlen("run"), t->name, (long long)run);
	}
	return status;
}

int pk_store_index(sqlite3 *db, struct pk_error *err)
{
	PK_BUF_AUTO sql = PK_BUF_INIT;
	int64_t runs;
	int status = pk_db_value(db, &runs, err, "SELECT count(*) FROM store.run"), i;

	for (i = 0; !status && i < PK_SQL_TABLE_COUNT; i++) {
		const struct pk_table *t = pk_sql_table(i);

		if (pk_sql_create_tree_index(&sql, "store", t) ||
		    (runs > 1 && pk_sql_create_run_index(&sql, "store", t)))
			status = run_sql(db, &sql, err);
	}
	return status;
}

/* Large pages are filled faster, small ones waste less. */
static int page_size(struct pk_catalog *catalog)
{
	uint64_t rows = 0;

	for (int i = 0; i < PK_TABLE_COUNT; i++)
		rows += pk_catalog_rows(catalog, i);
	return rows < 100000 ? 4096 : 16384;
}

int pk_store_fill(sqlite3 *db, struct pk_catalog *catalog, struct pk_error *err)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0,
			  NULL); /* defensive mode does not allow to turn the journal off */
	if (pk_db_exec(db, err,
		       "PRAGMA store.page_size = %d;PRAGMA store.journal_mode = OFF; PRAGMA "
		       "store.synchronous = OFF;PRAGMA store.locking_mode = EXCLUSIVE; BEGIN",
		       page_size(catalog)) ||
	    pk_store_create(db, err) || pk_store_insert(db, catalog, 1, err) ||
	    pk_store_index(db, err))
		return -1;
	return pk_db_exec(db, err, "COMMIT");
}

/* Undoes an interrupted change and removes its journal before the store is replaced. SQLite would
 * take the journal for one of the new store. */
static int settle(const char *target, const char *suffix, struct pk_error *err)
{
	struct pk_error reason = PK_ERROR_INIT;
	PK_BUF_AUTO journal = PK_BUF_INIT;
	sqlite3 *db = NULL;
	int status = 0;

	pk_buf_addf(&journal, "%s%s", target, suffix);
	if (access(journal.data, F_OK) == 0) {
		if (access(target, F_OK) == 0)
			status = pk_db_open(target, SQLITE_OPEN_READWRITE, &db, &reason) ||
				 pk_db_exec(db, &reason, "BEGIN EXCLUSIVE; COMMIT");
		sqlite3_close(db);
		if (!status || reason.code == PK_EFORMAT)
			pk_target_unlink_journal(journal.data);
		else
			*err = reason;
	}
	return err->code ? -1 : 0;
}

/* Writes to a temporary file, or in memory if `out` is not a file. */
static int write_store(const struct pk_profiles *list, const void *params, struct pk_output *out,
		       struct pk_error *err)
{
	const char *path = pk_output_temporary(out), *target = pk_output_target(out);
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, status = -1;
	struct pk_catalog *catalog;
	sqlite3 *db;

	(void)params;
	if (path && (settle(target, "-journal", err) || settle(target, "-wal", err)))
		return -1;
	if (pk_db_open(NULL, flags, &db, err))
		return -1;
	catalog = pk_catalog_attach(db, list, err);
	if (catalog && !(path ? pk_db_attach(db, path, err)
			      : pk_db_exec(db, err, "ATTACH ':memory:' AS store")))
		status = pk_store_fill(db, catalog, err);
	if (!status && !path) {
		sqlite3_int64 size;
		unsigned char *bytes = sqlite3_serialize(db, "store", &size, 0);

		if (bytes)
			pk_output_write(out, bytes, (size_t)size);
		else
			status = pk_fail(err, PK_ELIMIT, "the store does not fit into memory");
		sqlite3_free(bytes);
	}
	sqlite3_close(db);
	return status;
}

static const char *const suffixes[] = {".db", ".sqlite", ".sqlite3", ".part", NULL};

const struct pk_writer pk_writer_store = {
	.name = "store",
	.title = "profkit's own store: one SQLite file, many runs",
	.suffixes = suffixes,
	.keeps = ~0U,
	.many = true,
	.binary = true,
	.benchmarks = true,
	.write = write_store,
};
