/* Changes to runs that are in a store: removing and pruning, and copying all of another store. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/target.h"
#include "base/text/str.h"
#include "store/inspect.h"
#include "store/internal.h"
#include "store/save.h"
#include "store/schema_sql.h"
#include "store/store.h"

/* Makes a table of the numbers, so that one statement for each table of the store handles all of
 * these runs. */
static int list_chosen(sqlite3 *db, const struct pk_run_numbers *runs, struct pk_error *err)
{
	sqlite3_stmt *stmt;
	int status;

	status = pk_db_exec(db, err,
			    "PRAGMA temp_store = MEMORY;"
			    "CREATE TABLE IF NOT EXISTS temp.chosen(run INTEGER PRIMARY KEY);"
			    "DELETE FROM temp.chosen");
	stmt = status ? NULL
		      : pk_db_prepare(db, err, "INSERT OR IGNORE INTO temp.chosen VALUES (?1)");
	if (!stmt)
		return -1;
	for (size_t i = 0; !status && i < runs->count; i++) {
		sqlite3_bind_int64(stmt, 1, runs->item[i]);
		if (sqlite3_step(stmt) != SQLITE_DONE || sqlite3_reset(stmt) != SQLITE_OK)
			status = pk_db_fail(db, err);
	}
	sqlite3_finalize(stmt);
	return status;
}

static int delete_runs(sqlite3 *db, const struct pk_run_numbers *runs, struct pk_error *err)
{
	int status = list_chosen(db, runs, err);

	for (int i = 0; !status && i < PK_SQL_TABLE_COUNT; i++) {
		const struct pk_table *t = pk_sql_table(i);

		status = pk_db_exec(
			db, err,
			"DELETE FROM store.%s WHERE run%s IN (SELECT run FROM temp.chosen)",
			t->name, t->has_id || i == PK_TABLE_RUN ? "" : " + 0");
	}
	return status;
}

/* Returns space to the file system if much of the file is empty. Failure (another process is busy)
 * does no harm. */
static void shrink(sqlite3 *db)
{
	struct pk_error ignored = PK_ERROR_INIT;
	int64_t empty, pages;

	if (!pk_db_value(db, &empty, &ignored, "PRAGMA store.freelist_count") &&
	    !pk_db_value(db, &pages, &ignored, "PRAGMA store.page_count") && empty > pages / 4)
		pk_db_exec(db, &ignored, "VACUUM store");
}

static int remove_runs(sqlite3 *db, const char *label, size_t *count, struct pk_error *err)
{
	struct pk_run_numbers runs = {0};
	int status;

	status = pk_db_exec(db, err, "BEGIN IMMEDIATE") || pk_store_verify(db, "store", err) ||
		 pk_store_find_runs(db, "store", label, &runs, err);
	*count = runs.count;
	if (!status && !runs.count)
		status = pk_fail(err, PK_EUSAGE, "there is no run '%s' in it", label);
	status = status || delete_runs(db, &runs, err) || pk_db_exec(db, err, "COMMIT");
	pk_run_numbers_release(&runs);
	return status ? -1 : 0;
}

int pk_store_remove(const char *path, const char *label, size_t *count, struct pk_error *err)
{
	int status = -1;
	sqlite3 *db;

	*count = 0;
	if (!pk_store_require(path, err) && !pk_store_open(path, 0, &db, err)) {
		status = remove_runs(db, label, count, err);
		if (!status)
			shrink(db);
		sqlite3_close(db);
	}
	return status ? pk_fail_context(err, "writing '%s'", path) : 0;
}

/* The runs among which some are kept: those named, or all. */
static int find_candidates(sqlite3 *db, const struct pk_prune *p, struct pk_run_numbers *runs,
			   struct pk_error *err)
{
	*runs = (struct pk_run_numbers){0};
	if (!p->name_count)
		return pk_store_find_runs(db, "store", NULL, runs, err);
	for (size_t i = 0; i < p->name_count; i++) {
		struct pk_run_numbers some;

		if (pk_store_find_runs(db, "store", p->names[i], &some, err))
			return -1;
		for (size_t k = 0; k < some.count; k++) {
			PK_GROW(runs->item, runs->count + 1, runs->alloc);
			runs->item[runs->count++] = some.item[k];
		}
		pk_run_numbers_release(&some);
	}
	return 0;
}

/* The SQL expression by which runs are grouped: the label, or a key of table meta. The + in +r.run
 * removes the affinity of the column, so that SQLite can use the index of run + 0. */
static char *group_sql(const char *per)
{
	if (!per)
		return sqlite3_mprintf("NULL");
	if (!strcmp(per, "label"))
		return sqlite3_mprintf("(SELECT text FROM store.string s WHERE s.run = r.run AND "
				       "s.id = r.label)");
	return sqlite3_mprintf("(SELECT v.text FROM store.meta m CROSS JOIN store.string k "
			       "ON k.run = m.run AND k.id = m.key CROSS JOIN store.string v "
			       "ON v.run = m.run AND v.id = m.value "
			       "WHERE m.run + 0 = +r.run AND k.text = %Q LIMIT 1)",
			       per);
}

/* Fails for an unknown key, which would put all runs into one group. */
static int require_key(sqlite3 *db, const char *per, struct pk_error *err)
{
	int64_t there;

	if (!per || !strcmp(per, "label"))
		return 0;
	if (pk_db_value(db, &there, err,
			"SELECT EXISTS(SELECT 1 FROM store.meta m CROSS JOIN store.string k "
			"ON k.run = m.run AND k.id = m.key WHERE k.text = %Q)",
			per))
		return -1;
	return there ? 0
		     : pk_fail(err, PK_EUSAGE,
			       "--per %s: no run has this key (store add --meta sets it)", per);
}

static int find_old(sqlite3 *db, const struct pk_prune *p, struct pk_run_numbers *runs,
		    struct pk_error *err)
{
	struct pk_run_numbers candidates;
	int status = find_candidates(db, p, &candidates, err);
	char *group = group_sql(p->per);

	if (!group)
		pk_die("out of memory (for a statement of SQL)");
	if (!status)
		status = list_chosen(db, &candidates, err);
	if (!status)
		status = pk_run_numbers_collect(
			db,
			pk_db_prepare(db, err,
				      "SELECT run FROM (SELECT r.run, r.start, row_number() OVER "
				      "(PARTITION BY %s ORDER BY r.run DESC) AS place "
				      "FROM temp.chosen c JOIN store.run r ON r.run = c.run) "
				      "WHERE place > %lld AND (%d OR start < %lld) ORDER BY run",
				      group, (long long)p->keep, p->before == PK_NULL,
				      (long long)p->before),
			runs, err);
	sqlite3_free(group);
	pk_run_numbers_release(&candidates);
	return status;
}

int pk_store_prune(const char *path, const struct pk_prune *p, struct pk_run_numbers *runs,
		   struct pk_error *err)
{
	int status = -1;
	sqlite3 *db;

	*runs = (struct pk_run_numbers){0};
	if (!pk_store_require(path, err) && !pk_store_open(path, 0, &db, err)) {
		status = pk_db_exec(db, err, p->dry ? "BEGIN" : "BEGIN IMMEDIATE") ||
			 pk_store_verify(db, "store", err) || require_key(db, p->per, err) ||
			 find_old(db, p, runs, err);
		if (!status && !p->dry && runs->count)
			status = delete_runs(db, runs, err);
		if (!status)
			status = pk_db_exec(db, err, "COMMIT");
		if (!status && !p->dry && runs->count)
			shrink(db);
		sqlite3_close(db);
	}
	return status ? pk_fail_context(err, "writing '%s'", path) : 0;
}

/* Attaches the file as `other`, for reading. */
static int attach_other(sqlite3 *db, const char *path, struct pk_error *err)
{
	return pk_db_exec(db, err, "ATTACH '%q%q' AS other", path[0] == '/' ? "" : "./", path) ||
			       pk_store_verify(db, "other", err)
		       ? -1
		       : 0;
}

static int copy_runs(sqlite3 *db, int64_t *first, int64_t *last, struct pk_error *err)
{
	PK_BUF_AUTO columns = PK_BUF_INIT;
	int64_t shift, most;
	int status;

	status = pk_store_next_run(db, first, err) ||
		 pk_db_value(db, &shift, err, "SELECT ifnull(%lld - min(run), 0) FROM other.run",
			     (long long)*first) ||
		 pk_db_value(db, &most, err, "SELECT ifnull(max(run), 0) FROM other.run");
	if (!status)
		*last = most ? most + shift : *first - 1;
	for (int i = 0; !status && i < PK_SQL_TABLE_COUNT; i++) {
		const struct pk_table *t = pk_sql_table(i);

		columns.len = 0;
		pk_sql_column_list(&columns, t);
		status = pk_db_exec(db, err,
				    "INSERT INTO store.%s(%s) SELECT run + %lld%s FROM other.%s "
				    "ORDER BY %s",
				    t->name, columns.data, (long long)shift,
				    columns.data + strlen("run"), t->name,
				    t->has_id ? "run, id" : "rowid");
	}
	return status;
}

/* Of a store, runs keep their labels; a part gets the name of its file. */
static int label_part(sqlite3 *db, int64_t run, const char *other, struct pk_error *err)
{
	bool is_part;

	if (pk_store_is_part(db, "other", &is_part, err))
		return -1;
	return is_part ? pk_store_set_label(db, run, pk_basename(other), err) : 0;
}

static bool same_file(const char *one, const char *other)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int make_store(const char *path, struct pk_error *err)
{
	const struct pk_profiles none = {0};
	const struct pk_store_notes notes = {0};
	int64_t first;
	int status = pk_store_add(path, &none, &notes, &first, err);

	pk_target_hold_signals(false);
	return status;
}

int pk_store_merge(const char *path, const char *other, int64_t *first, int64_t *last,
		   struct pk_error *err)
{
	sqlite3 *db;
	int status;

	pk_target_hold_signals(false); /* after the store before, which is final */
	if (same_file(path, other))
		return pk_fail(err, PK_EUSAGE, "'%s' cannot be added to itself", path);
	if (pk_store_check(other, err))
		return -1;
	if (access(path, F_OK) && make_store(path, err))
		return -1;
	if (pk_store_open(path, 0, &db, err))
		return pk_fail_context(err, "writing '%s'", path);
	if (attach_other(db, other, err)) {
		sqlite3_close(db);
		return pk_fail_context(err, "reading '%s'", other);
	}
	status = pk_db_exec(db, err, "BEGIN IMMEDIATE") || pk_store_verify(db, "store", err) ||
		 pk_store_refuse_part(db, err) || copy_runs(db, first, last, err) ||
		 label_part(db, *first, other, err) || pk_store_index(db, err) ||
		 pk_store_commit(db, err);
	sqlite3_close(db);
	return status ? pk_fail_context(err, "writing '%s'", path) : 0;
}
