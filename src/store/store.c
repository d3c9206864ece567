/* Stores: runs added, removed and listed. */
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/output.h"
#include "base/text/str.h"
#include "base/io/target.h"
#include "base/num/units.h"
#include "model/label.h"
#include "model/totals.h"
#include "store/inspect.h"
#include "store/internal.h"
#include "store/save.h"
#include "store/schema_sql.h"

/* Finds the id of a text among the strings of a run, or adds the text. */
static int find_text(sqlite3 *db, int64_t run, const char *text, size_t len, int64_t *id,
		     struct pk_error *err)
{
	int width = (int)len;

	if (pk_db_value(db, id, err,
			"SELECT id FROM store.string WHERE run = %lld AND text = '%.*q'",
			(long long)run, width, text))
		return -1;
	if (*id)
		return 0;
	if (pk_db_value(db, id, err, "SELECT max(id) + 1 FROM store.string WHERE run = %lld",
			(long long)run))
		return -1;
	*id += *id == 0; /* the first string of a run has id 1 */
	return pk_db_exec(db, err,
			  "INSERT INTO store.string(run, id, text) "
			  "VALUES (%lld, %lld, '%.*q')",
			  (long long)run, (long long)*id, width, text);
}

int pk_store_set_label(sqlite3 *db, int64_t run, const char *label, struct pk_error *err)
{
	int64_t text;

	if (find_text(db, run, label, strlen(label), &text, err))
		return -1;
	return pk_db_exec(db, err, "UPDATE store.run SET label = %lld WHERE run = %lld",
			  (long long)text, (long long)run);
}

static int add_meta(sqlite3 *db, int64_t run, const char *pair, struct pk_error *err)
{
	const char *equals = strchr(pair, '=');
	int64_t key, value;

	if (find_text(db, run, pair, (size_t)(equals - pair), &key, err) ||
	    find_text(db, run, equals + 1, strlen(equals + 1), &value, err))
		return -1;
	return pk_db_exec(db, err,
			  "INSERT INTO store.meta(run, \"key\", value) VALUES (%lld, %lld, %lld)",
			  (long long)run, (long long)key, (long long)value);
}

static int note_run(sqlite3 *db, int64_t run, const struct pk_profile *p,
		    const struct pk_store_notes *notes, struct pk_error *err)
{
	const char *label = notes->label;

	if (!label && !p->run.label[1])
		label = pk_basename(pk_is_part(p) ? pk_file_name(p) : pk_text(p, p->run.source[1]));
	if (label && *label && pk_store_set_label(db, run, label, err))
		return -1;
	for (size_t i = 0; i < notes->meta_count; i++)
		if (add_meta(db, run, notes->meta[i], err))
			return -1;
	return 0;
}

int pk_store_next_run(sqlite3 *db, int64_t *run, struct pk_error *err)
{
	return pk_db_value(db, run, err,
			   "SELECT 1 + max(ifnull((SELECT max(run) FROM store.run), 0),"
			   " ifnull((SELECT seq FROM store.sqlite_sequence WHERE name = 'run'),"
			   " 0))");
}

typedef int fill_fn(sqlite3 *db, struct pk_catalog *catalog, const struct pk_profiles *list,
		    const struct pk_store_notes *notes, int64_t *first_run, struct pk_error *err);

static int note_runs(sqlite3 *db, int64_t first_run, const struct pk_profiles *list,
		     const struct pk_store_notes *notes, struct pk_error *err)
{
	for (size_t i = 0; i < list->count; i++)
		if (note_run(db, first_run + (int64_t)i, list->item[i], notes, err))
			return -1;
	return 0;
}

static int fill_new(sqlite3 *db, struct pk_catalog *catalog, const struct pk_profiles *list,
		    const struct pk_store_notes *notes, int64_t *first_run, struct pk_error *err)
{
	*first_run = 1;
	return pk_store_fill(db, catalog, err) || note_runs(db, 1, list, notes, err) ? -1 : 0;
}

int pk_store_commit(sqlite3 *db, struct pk_error *err)
{
	int status;

	pk_target_hold_signals(true);
	status = pk_db_exec(db, err, "COMMIT");
	if (status)
		pk_target_hold_signals(false);
	return status;
}

int pk_store_is_part(sqlite3 *db, const char *schema, bool *is_part, struct pk_error *err)
{
	int64_t value;
	int status = pk_db_value(db, &value, err,
				 "SELECT EXISTS(SELECT 1 FROM %s.member) AND (SELECT count(*) = 1 "
				 "AND ifnull(max(label), 0) = 0 FROM %s.run)",
				 schema, schema);

	*is_part = !status && value;
	return status;
}

int pk_store_refuse_part(sqlite3 *db, struct pk_error *err)
{
	bool is_part;

	if (pk_store_is_part(db, "store", &is_part, err))
		return -1;
	return is_part ? pk_fail(err, PK_EUSAGE,
				 "it is a part: profkit reduce -o NEW PART FILE... adds to it, and "
				 "a store can hold it as a run")
		       : 0;
}

static int insert_runs(sqlite3 *db, struct pk_catalog *catalog, const struct pk_profiles *list,
		       const struct pk_store_notes *notes, int64_t *first_run, struct pk_error *err)
{
	bool empty;

	if (pk_db_exec(db, err, "BEGIN IMMEDIATE") || pk_store_is_empty(db, "store", &empty, err) ||
	    (empty ? pk_store_create(db, err)
		   : pk_store_verify(db, "store", err) || pk_store_refuse_part(db, err)) ||
	    pk_store_next_run(db, first_run, err) ||
	    pk_store_insert(db, catalog, *first_run, err) ||
	    note_runs(db, *first_run, list, notes, err))
		return -1;
	return pk_store_index(db, err) ? -1 : pk_store_commit(db, err);
}

int pk_store_open(const char *path, int flags, sqlite3 **db, struct pk_error *err)
{
	if (pk_db_open(NULL, SQLITE_OPEN_READWRITE | flags, db, err))
		return -1;
	if (!pk_db_attach(*db, path, err))
		return 0;
	sqlite3_close(*db);
	return -1;
}

static int check_notes(const struct pk_store_notes *notes, struct pk_error *err)
{
	for (size_t i = 0; i < notes->meta_count; i++)
		if (strcspn(notes->meta[i], "=") == 0 || !strchr(notes->meta[i], '='))
			return pk_fail(err, PK_EUSAGE, "'%s' is not KEY=VALUE", notes->meta[i]);
	return 0;
}

/* Opens the file at path, runs `fill`, and closes it. */
static int add_runs(const char *path, const struct pk_profiles *list,
		    const struct pk_store_notes *notes, fill_fn *fill, int64_t *first_run,
		    struct pk_error *err)
{
	struct pk_catalog *catalog;
	int status = -1;
	sqlite3 *db;

	if (pk_store_open(path, SQLITE_OPEN_CREATE, &db, err))
		return -1;
	catalog = pk_catalog_attach(db, list, err);
	if (catalog)
		status = fill(db, catalog, list, notes, first_run, err);
	sqlite3_close(db);
	return status;
}

/* True if there is no file. A journal without a store belongs to a store that was removed; SQLite
 * handles it as long as there is no new store. */
static bool is_new(const char *path)
{
	static const char *const suffixes[] = {"", "-journal", "-wal"};
	PK_BUF_AUTO name = PK_BUF_INIT;
	bool found = !*path;

	for (size_t i = 0; !found && i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		name.len = 0;
		pk_buf_addf(&name, "%s%s", path, suffixes[i]);
		found = access(name.data, F_OK) == 0 || errno != ENOENT;
	}
	return !found;
}

/* Makes a new store, which appears whole or not at all. Returns 1 if another process has made one
 * meanwhile. */
static int add_new(const char *path, const struct pk_profiles *list,
		   const struct pk_store_notes *notes, int64_t *first_run, struct pk_error *err)
{
	struct pk_output *out = pk_output_create(path, err);
	const char *temporary;

	if (!out)
		return -1;
	temporary = pk_output_temporary(out);
	if (temporary && !add_runs(temporary, list, notes, fill_new, first_run, err)) {
		pk_target_hold_signals(true);
		return pk_output_commit(out, err);
	}
	pk_output_discard(out);
	return temporary ? pk_fail_context(err, "writing '%s'", path) : 1;
}

int pk_store_add(const char *path, const struct pk_profiles *list,
		 const struct pk_store_notes *notes, int64_t *first_run, struct pk_error *err)
{
	int status = 1;

	if (check_notes(notes, err))
		return -1;
	if (pk_ends_with(path, ".part"))
		return pk_fail(err, PK_EUSAGE,
			       "'%s': a store cannot be named .part, as parts are; profkit reduce "
			       "makes parts and adds them",
			       path);
	if (is_new(path))
		status = add_new(path, list, notes, first_run, err);
	if (status < 1)
		return status;
	pk_target_hold_signals(false);
	status = add_runs(path, list, notes, insert_runs, first_run, err);
	return status ? pk_fail_context(err, "writing '%s'", path) : 0;
}

int pk_store_require(const char *path, struct pk_error *err)
{
	return access(path, F_OK) == 0 ? 0 : pk_fail(err, PK_EIO, "%s", strerror(errno));
}

#define TEXT(column) "(SELECT text FROM string s WHERE s.run = r.run AND s.id = r." column ")"

static const char list_sql[] = "SELECT r.run, " TEXT("label") ", " TEXT("format") ", " TEXT(
	"producer") ","
		    " r.start, r.duration, m.exponent, (SELECT text FROM string s WHERE s.run = "
		    "m.run AND s.id = m.unit), (SELECT count(*) FROM sample WHERE run + 0 = "
		    "r.run), (SELECT count(*) FROM span WHERE run = r.run) FROM run r LEFT JOIN "
		    "metric m ON m.run = r.run AND m.id = 1 ORDER BY r.run";

/* Sums in C, which saturate; SQL would fail on overflow. The total of a metric whose largest value
 * counts is that value. */
static int add_totals(sqlite3 *db, struct pk_store_run *r, struct pk_error *err)
{
	sqlite3_stmt *stmt = pk_db_prepare(
		db, err,
		"SELECT t.self, m.aggregate = 'max' FROM function_total t JOIN metric m ON m.run = "
		"%lld AND m.id = 1 WHERE t.run + 0 = %lld AND t.metric = 1",
		(long long)r->run, (long long)r->run);
	int rc;

	if (!stmt)
		return -1;
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		pk_aggregate_add(sqlite3_column_int(stmt, 1) ? PK_AGGREGATE_MAX : PK_AGGREGATE_SUM,
				 &r->total, sqlite3_column_int64(stmt, 0));
		r->functions++;
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? 0 : pk_db_fail(db, err);
}

static char *text_column(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? pk_strndup(text, (size_t)sqlite3_column_bytes(stmt, column)) : NULL;
}

static int64_t int_column(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL
		       ? PK_NULL
		       : sqlite3_column_int64(stmt, column);
}

static int list_runs(sqlite3 *db, struct pk_store_list *list, struct pk_error *err)
{
	sqlite3_stmt *stmt = pk_db_prepare(db, err, "%s", list_sql);
	int rc, status = 0;

	if (!stmt)
		return -1;
	while (!status && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct pk_store_run *r;

		PK_GROW(list->item, list->count + 1, list->alloc);
		r = &list->item[list->count++];
		*r = (struct pk_store_run){.run = sqlite3_column_int64(stmt, 0),
					   .label = text_column(stmt, 1),
					   .format = text_column(stmt, 2),
					   .producer = text_column(stmt, 3),
					   .start = int_column(stmt, 4),
					   .duration = int_column(stmt, 5),
					   .exponent = sqlite3_column_int(stmt, 6),
					   .unit = text_column(stmt, 7),
					   .samples = sqlite3_column_int64(stmt, 8),
					   .spans = sqlite3_column_int64(stmt, 9)};
		status = add_totals(db, r, err);
	}
	if (!status && rc != SQLITE_DONE)
		status = pk_db_fail(db, err);
	sqlite3_finalize(stmt);
	return status;
}

/* Opens for reading, or for writing if an interrupted change has to be undone first. */
static int open_to_list(const char *path, sqlite3 **db, struct pk_error *err)
{
	int64_t ignored;

	if (pk_store_require(path, err) || pk_db_open(path, SQLITE_OPEN_READONLY, db, err))
		return -1;
	if (!pk_db_value(*db, &ignored, err, "PRAGMA schema_version"))
		return 0;
	if (sqlite3_extended_errcode(*db) != SQLITE_READONLY_ROLLBACK) {
		sqlite3_close(*db);
		return -1;
	}
	sqlite3_close(*db);
	return pk_db_open(path, SQLITE_OPEN_READWRITE, db, err);
}

int pk_store_list(const char *path, struct pk_store_list *list, struct pk_error *err)
{
	int status = -1;
	int64_t version;
	bool empty;
	sqlite3 *db;

	*list = (struct pk_store_list){0};
	if (!open_to_list(path, &db, err)) {
		sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
		status = pk_store_is_empty(db, "main", &empty, err);
		if (!status && !empty)
			status = pk_store_verify_old(db, "main", &version, err) ||
				 list_runs(db, list, err);
		sqlite3_close(db);
	}
	if (!status)
		return 0;
	pk_store_list_release(list);
	return pk_fail_context(err, "reading '%s'", path);
}

int pk_store_numbers(const char *path, const char *label, struct pk_run_numbers *runs,
		     struct pk_error *err)
{
	int64_t version;
	sqlite3 *db;
	int status;

	*runs = (struct pk_run_numbers){0};
	if (open_to_list(path, &db, err))
		return -1;
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	status = pk_store_verify_old(db, "main", &version, err) ||
		 pk_store_find_runs(db, "main", label, runs, err);
	sqlite3_close(db);
	return status ? -1 : 0;
}

static int find_starts(sqlite3 *db, const struct pk_run_numbers *runs, int64_t *start,
		       struct pk_error *err)
{
	sqlite3_stmt *stmt = pk_db_prepare(db, err, "SELECT run, start FROM run ORDER BY run");
	size_t i = 0;
	int rc;

	if (!stmt)
		return -1;
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (i < runs->count && sqlite3_column_int64(stmt, 0) == runs->item[i])
			start[i++] = int_column(stmt, 1);
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? 0 : pk_db_fail(db, err);
}

int pk_store_starts(const char *path, const struct pk_run_numbers *runs, int64_t *start,
		    struct pk_error *err)
{
	sqlite3 *db;
	int status;

	for (size_t i = 0; i < runs->count; i++)
		start[i] = PK_NULL;
	if (open_to_list(path, &db, err))
		return -1;
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	status = find_starts(db, runs, start, err);
	sqlite3_close(db);
	return status;
}

void pk_store_list_release(struct pk_store_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->item[i].label);
		free(list->item[i].format);
		free(list->item[i].producer);
		free(list->item[i].unit);
	}
	free(list->item);
	*list = (struct pk_store_list){0};
}
