/*
 * Rows of the tables of an export. Which tables and columns there are depends on what was recorded
 * and on the version, and users add columns of their own; so each table is asked what it has.
 */
#include <inttypes.h>
#include <string.h>

#include "readers/nsys/internal.h"

/* Only what is stored as a table has a root page; views and virtual tables would run code. */
static int is_table(struct nsys *n, const char *table, int64_t *found)
{
	return pk_db_value(n->db.db, found, n->err,
			   "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND rootpage > "
			   "0 AND name = %Q",
			   table);
}

/* Names a view or virtual table that has the name of a table to read. */
static int name_view(struct nsys *n, const char *table)
{
	int64_t found;

	if (pk_db_value(
		    n->db.db, &found, n->err,
		    "SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view') AND name = "
		    "%Q",
		    table))
		return -1;
	return found ? pk_build_repair(n->b, n->err, "view that stands for a table not read",
				       "table %s", table)
		     : 0;
}

static int has_column(struct nsys *n, const char *table, const char *column, int64_t *found)
{
	return pk_db_value(n->db.db, found, n->err,
			   "SELECT count(*) FROM pragma_table_xinfo(%Q) WHERE hidden = 0 AND name "
			   "= %Q",
			   table, column);
}

/* Without these columns numbers would be wrong, and the result would not show it. All versions have
 * them. A process needs no number where it is the only one: calls are read before work. */
static bool is_needed(const struct nsys *n, const char *column)
{
	static const char *const needed[] = {"deviceId", "streamId", "correlationId", "bytes",
					     "copyKind", "nameId",   "globalTid",     "eventType"};

	if (!strcmp(column, "globalPid"))
		return n->process_numbers.count > 1;
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!strcmp(column, needed[i]))
			return true;
	return false;
}

static int say_missing(struct nsys *n, const char *table, const char *column)
{
	int64_t rows;

	if (!is_needed(n, column))
		return 0;
	if (pk_db_value(n->db.db, &rows, n->err,
			"SELECT count(*) FROM (SELECT 1 FROM \"%w\" LIMIT 1)", table))
		return -1;
	return rows ? pk_build_repair(n->b, n->err, "column that is not there taken as empty",
				      "table %s, column %s", table, column)
		    : 0;
}

/* format: of the SELECT, with the columns and the table. */
static int prepare(struct nsys *n, struct nsys_rows *rows, const char *table,
		   const char *const *columns, size_t count, const char *format)
{
	PK_BUF_AUTO list = PK_BUF_INIT;
	int64_t found;

	*rows = (struct nsys_rows){.n = n, .table = table};
	if (is_table(n, table, &found))
		return -1;
	if (!found)
		return name_view(n, table);
	for (size_t i = 0; i < count; i++) {
		if (has_column(n, table, columns[i], &found) ||
		    (!found && !n->again && say_missing(n, table, columns[i])))
			return -1;
		pk_buf_addf(&list, found ? "%s\"%s\"" : "%sNULL", i ? ", " : "", columns[i]);
	}
	rows->stmt = pk_db_prepare(n->db.db, n->err, format, list.data, table);
	return rows->stmt ? 1 : -1;
}

int nsys_open(struct nsys *n, struct nsys_rows *rows, const char *table, const char *const *columns,
	      size_t count)
{
	return prepare(n, rows, table, columns, count, "SELECT %s FROM \"%w\"");
}

static bool has_room(struct nsys_rows *rows)
{
	if (rows->n->rows_left) {
		rows->n->rows_left--;
		return true;
	}
	pk_fail(rows->n->err, PK_EFORMAT, "more rows than the file has room for");
	rows->failed = true;
	return false;
}

static void end_rows(struct nsys_rows *rows, int rc)
{
	if (rc != SQLITE_DONE)
		pk_db_fail(rows->n->db.db, rows->n->err);
	rows->failed = rc != SQLITE_DONE;
}

bool nsys_next(struct nsys_rows *rows)
{
	int rc;

	if (rows->failed)
		return false;
	rc = sqlite3_step(rows->stmt);
	rows->number++;
	if (rc == SQLITE_ROW)
		return has_room(rows);
	end_rows(rows, rc);
	return false;
}

struct each { /* of the rows of a table */
	struct nsys_rows rows;
	nsys_row *row;
	void *reader;
	int kind;
	bool stopped; /* by the reader or because of too many rows */
};

/* The step of an SQL function that takes all rows of a table. */
static void take_row(sqlite3_context *context, int count, sqlite3_value **value)
{
	struct each *e = sqlite3_user_data(context);

	(void)count;
	e->rows.number++;
	e->rows.value = value;
	if (has_room(&e->rows) && !e->row(e->reader, &e->rows, e->kind) && !e->rows.failed)
		return;
	e->stopped = true;
	sqlite3_result_error_code(context, SQLITE_ABORT);
}

static void take_end(sqlite3_context *context)
{
	(void)context;
}

int nsys_each(struct nsys *n, const char *table, const char *const *columns, size_t count,
	      nsys_row *row, void *reader, int kind)
{
	struct each e = {.row = row, .reader = reader, .kind = kind};
	int status;

	if (sqlite3_create_function(n->db.db, "take_row", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, &e,
				    NULL, take_row, take_end) != SQLITE_OK)
		return pk_db_fail(n->db.db, n->err);
	status = prepare(n, &e.rows, table, columns, count, "SELECT take_row(%s) FROM \"%w\"");
	if (status <= 0)
		return status;
	status = sqlite3_step(e.rows.stmt);
	if (status != SQLITE_ROW && !e.stopped) {
		e.rows.number++;
		end_rows(&e.rows, status);
	}
	return nsys_close(&e.rows) || e.stopped ? -1 : 0;
}

int nsys_close(struct nsys_rows *rows)
{
	sqlite3_finalize(rows->stmt);
	if (rows->failed && !rows->said)
		pk_fail_context(rows->n->err, "table %s, row %" PRIu64, rows->table, rows->number);
	return rows->failed ? -1 : 0;
}

/* Unprotected, which matters only where threads share a database. */
static sqlite3_value *value_at(const struct nsys_rows *rows, int column)
{
	return rows->value ? rows->value[column] : sqlite3_column_value(rows->stmt, column);
}

int64_t nsys_int(const struct nsys_rows *rows, int column)
{
	sqlite3_value *value = value_at(rows, column);

	return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : PK_NULL;
}

const char *nsys_take_text(struct nsys_rows *rows, int column, size_t *len)
{
	sqlite3_value *value = value_at(rows, column);
	const char *text = (const char *)sqlite3_value_text(value);

	*len = (size_t)sqlite3_value_bytes(value);
	if (text && *len > rows->n->db.text_left) {
		pk_fail(rows->n->err, PK_EFORMAT, "the texts are longer than the file");
		rows->failed = true;
		return NULL;
	}
	rows->n->db.text_left -= text ? *len : 0;
	return text;
}

uint32_t nsys_own_text(struct nsys_rows *rows, int column)
{
	size_t len;
	const char *text = nsys_take_text(rows, column, &len);

	return text ? pk_build_string(rows->n->b, text, len) : 0;
}

int nsys_repair(const struct nsys_rows *rows, const char *what)
{
	return pk_build_repair(rows->n->b, rows->n->err, what, "table %s, row %" PRIu64,
			       rows->table, rows->number);
}

static bool is_time(int64_t time)
{
	return time >= -NSYS_MAX_TIME && time <= NSYS_MAX_TIME;
}

int nsys_times(const struct nsys_rows *rows, bool open, int64_t *start, int64_t *end)
{
	const char *odd = NULL;

	*start = nsys_int(rows, 0);
	*end = nsys_int(rows, 1);
	if (open && *end == PK_NULL && is_time(*start))
		return 1;
	if (!is_time(*start))
		odd = "row whose start is no time left out";
	else if (!is_time(*end))
		odd = "row whose end is no time left out";
	if (odd)
		return nsys_repair(rows, odd) ? -1 : 0;
	if (*end >= *start)
		return 1;
	*end = *start;
	return nsys_repair(rows, "end before the start taken as the start") ? -1 : 1;
}
