/* What a store is: its version, whether its tables are those of profkit, and which runs it has. */
#include "store/inspect.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "store/schema_sql.h"

static int verify_header(sqlite3 *db, const char *schema, int64_t *version, struct pk_error *err)
{
	int64_t id;

	if (pk_db_value(db, &id, err, "PRAGMA %s.application_id", schema) ||
	    pk_db_value(db, version, err, "PRAGMA %s.user_version", schema))
		return -1;
	if (id != PK_STORE_APPLICATION_ID)
		return pk_fail(err, PK_EFORMAT, "an SQLite database, but not a profkit store");
	if (*version > PK_STORE_VERSION)
		return pk_fail(err, PK_EFORMAT,
			       "written by a newer profkit (store version %lld; this one knows "
			       "versions up to %d)",
			       (long long)*version, PK_STORE_VERSION);
	if (*version < 1)
		return pk_fail(err, PK_EFORMAT, "store version %lld does not exist",
			       (long long)*version);
	return 0;
}

/* Only tables that are stored as such have a root page. */
static int verify_table(sqlite3 *db, const char *schema, const char *name, struct pk_error *err)
{
	int64_t tables, computed;

	if (pk_db_value(db, &tables, err,
			"SELECT count(*) FROM %s.sqlite_master WHERE type = 'table' AND "
			"rootpage > 0 AND name = %Q",
			schema, name) ||
	    pk_db_value(db, &computed, err,
			"SELECT count(*) FROM pragma_table_xinfo(%Q, %Q) WHERE hidden <> 0", name,
			schema))
		return -1;
	if (tables != 1)
		return pk_fail(err, PK_EFORMAT, "not a whole store: it has no table '%s'", name);
	if (computed)
		return pk_fail(err, PK_EFORMAT, "table '%s' has computed columns", name);
	return 0;
}

static int verify_columns(sqlite3 *db, const char *schema, const struct pk_table *t,
			  struct pk_error *err)
{
	PK_BUF_AUTO columns = PK_BUF_INIT;
	sqlite3_stmt *stmt;

	pk_sql_column_list(&columns, t);
	stmt = pk_db_prepare(db, err, "SELECT %s FROM %s.%s", columns.data, schema, t->name);
	if (!stmt)
		return pk_fail_context(err, "not a whole store");
	sqlite3_finalize(stmt);
	return 0;
}

/* The tables of version 1 that are read. */
static int verify_first(sqlite3 *db, const char *schema, struct pk_error *err)
{
	static const char *const tables[] = {
		"run",    "meta",    "repair",  "string", "frame", "process",
		"thread", "metric",  "node",    "cost",   "edge",  "sample",
		"span",   "instant", "counter", "flow",   "arg",   "function_total"};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (verify_table(db, schema, tables[i], err))
			return -1;
	return 0;
}

int pk_store_verify_old(sqlite3 *db, const char *schema, int64_t *version, struct pk_error *err)
{
	if (verify_header(db, schema, version, err))
		return -1;
	if (*version == 1)
		return verify_first(db, schema, err);
	for (int i = 0; i < PK_SQL_TABLE_COUNT; i++) {
		if (*version < 4 && i == PK_TABLE_VALUE)
			continue;
		if (*version < 5 && i >= PK_TABLE_MEMBER && i <= PK_TABLE_BUCKET)
			continue;
		if (*version < 6 && (i == PK_TABLE_GPU_STEP || i == PK_TABLE_COLLECTIVE))
			continue;
		if (*version < 7 && i == PK_TABLE_WORKER)
			continue;
		if (verify_table(db, schema, pk_sql_table(i)->name, err) ||
		    (*version == PK_STORE_VERSION &&
		     verify_columns(db, schema, pk_sql_table(i), err)))
			return -1;
	}
	return 0;
}

int pk_store_verify(sqlite3 *db, const char *schema, struct pk_error *err)
{
	int64_t version;

	if (pk_store_verify_old(db, schema, &version, err))
		return -1;
	if (version < PK_STORE_VERSION)
		return pk_fail(
			err, PK_EUSAGE,
			"written by an older profkit (store version %lld), so it can only be "
			"read: profkit convert OLD.db -o NEW.db makes a store of this version",
			(long long)version);
	return 0;
}

int pk_store_is_empty(sqlite3 *db, const char *schema, bool *empty, struct pk_error *err)
{
	int64_t objects;

	if (pk_db_value(db, &objects, err, "SELECT count(*) FROM %s.sqlite_master", schema))
		return -1;
	*empty = objects == 0;
	return 0;
}

int pk_run_numbers_collect(sqlite3 *db, sqlite3_stmt *stmt, struct pk_run_numbers *runs,
			   struct pk_error *err)
{
	int rc;

	if (!stmt)
		return -1;
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		PK_GROW(runs->item, runs->count + 1, runs->alloc);
		runs->item[runs->count++] = sqlite3_column_int64(stmt, 0);
	}
	if (rc != SQLITE_DONE)
		pk_db_fail(db, err);
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? 0 : -1;
}

/* Finds the runs to which `store add --meta KEY=VALUE` gave this value. */
static int find_by_meta(sqlite3 *db, const char *schema, const char *label,
			struct pk_run_numbers *runs, struct pk_error *err)
{
	int key = (int)strcspn(label, "=");

	if (!label[key])
		return 0;
	return pk_run_numbers_collect(
		db,
		pk_db_prepare(db, err,
			      "SELECT DISTINCT m.run FROM %s.meta m "
			      "CROSS JOIN %s.string k ON k.run = m.run AND k.id = m.key "
			      "CROSS JOIN %s.string v ON v.run = m.run AND v.id = m.value "
			      "WHERE k.text = '%.*q' AND v.text = %Q ORDER BY m.run",
			      schema, schema, schema, key, label, label + key + 1),
		runs, err);
}

/* The length of the label before "last=N" or ",last=N" at its end; -1 if it has no such end. */
static int before_last(const char *label, long long *count)
{
	const char *last = label, *at;
	char *end;

	while ((at = strstr(last, ",last=")))
		last = at + 1;
	if (!pk_starts_with(last, "last=") || last[5] < '0' || last[5] > '9' || *label == ',')
		return -1;
	*count = strtoll(last + 5, &end, 10);
	return *end ? -1 : (int)(last - label) - (last > label);
}

static int find_named(sqlite3 *db, const char *schema, const char *label,
		      struct pk_run_numbers *runs, struct pk_error *err)
{
	long long number;
	char *end;

	if (pk_run_numbers_collect(
		    db,
		    pk_db_prepare(db, err,
				  "SELECT r.run FROM %s.run r JOIN %s.string s ON s.run = r.run "
				  "AND s.id = r.label WHERE s.text = %Q ORDER BY r.run",
				  schema, schema, label),
		    runs, err))
		return -1;
	if (!runs->count && find_by_meta(db, schema, label, runs, err))
		return -1;
	number = strtoll(label, &end, 10);
	if (runs->count || end == label || *end)
		return 0;
	return pk_run_numbers_collect(
		db,
		pk_db_prepare(db, err, "SELECT run FROM %s.run WHERE run = %lld", schema, number),
		runs, err);
}

/* The last `count` of all runs, or of those named by the first `len` bytes of the label. */
static int find_last(sqlite3 *db, const char *schema, const char *label, int len, long long count,
		     struct pk_run_numbers *runs, struct pk_error *err)
{
	PK_FREED char *rest = pk_strndup(label, (size_t)len);
	size_t left_out;

	if (!len)
		return pk_run_numbers_collect(
			db,
			pk_db_prepare(db, err,
				      "SELECT run FROM (SELECT run FROM %s.run ORDER BY run "
				      "DESC LIMIT %lld) ORDER BY run",
				      schema, count),
			runs, err);
	if (find_named(db, schema, rest, runs, err))
		return -1;
	if (runs->count <= (unsigned long long)count)
		return 0;
	left_out = runs->count - (size_t)count;
	memmove(runs->item, runs->item + left_out, (runs->count - left_out) * sizeof(*runs->item));
	runs->count -= left_out;
	return 0;
}

/* True if the label is "3..20"; the numbers of both runs. */
static bool is_range(const char *label, long long *from, long long *to)
{
	char *end;

	if (*label < '0' || *label > '9')
		return false;
	*from = strtoll(label, &end, 10);
	if (end[0] != '.' || end[1] != '.' || end[2] < '0' || end[2] > '9')
		return false;
	*to = strtoll(end + 2, &end, 10);
	return !*end;
}

int pk_store_find_runs(sqlite3 *db, const char *schema, const char *label,
		       struct pk_run_numbers *runs, struct pk_error *err)
{
	long long from, to, count;
	int len;

	*runs = (struct pk_run_numbers){0};
	if (label && is_range(label, &from, &to))
		return pk_run_numbers_collect(
			db,
			pk_db_prepare(db, err,
				      "SELECT run FROM %s.run WHERE run BETWEEN %lld AND %lld "
				      "ORDER BY run",
				      schema, from, to),
			runs, err);
	if (!label)
		return pk_run_numbers_collect(
			db, pk_db_prepare(db, err, "SELECT run FROM %s.run ORDER BY run", schema),
			runs, err);
	len = before_last(label, &count);
	return len < 0 ? find_named(db, schema, label, runs, err)
		       : find_last(db, schema, label, len, count, runs, err);
}

void pk_run_numbers_release(struct pk_run_numbers *runs)
{
	free(runs->item);
	*runs = (struct pk_run_numbers){0};
}
