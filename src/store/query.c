/* Statements of SQL, with limits of time and memory and without what could do harm. */
#include "store/query.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/target.h"
#include "base/num/date.h"
#include "base/sqlite/db.h"
#include "store/functions.h"
#include "store/schema_sql.h"
#include "store/vtab.h"

#define STEPS_BETWEEN_LOOKS 10000 /* steps of SQLite between two looks at the clock */
#define TOO_LONG "SQL: stopped after %g s; --timeout allows it more"

struct pk_query {
	sqlite3 *db;
	double limit;    /* seconds; 0 = none */
	uint64_t memory; /* bytes; 0 = any */
	double began;    /* of pk_clock */
	bool too_long;
};

static int look_at_clock(void *data)
{
	struct pk_query *q = data;

	q->too_long = pk_clock() - q->began > q->limit;
	return q->too_long;
}

/* A function of SQLite (printf, replace, quote) does not check the clock and may take minutes. If
 * one runs for another second, the process ends with these words. */
static char last_words[100];

static void end_process(int signal_number)
{
	ssize_t ignored = write(STDERR_FILENO, last_words, strlen(last_words));

	(void)signal_number;
	(void)ignored;
	pk_target_remove_all();
	_exit(2);
}

void pk_query_limit_time(struct pk_query *q, double seconds)
{
	q->limit = seconds;
	sqlite3_progress_handler(q->db, seconds > 0 ? STEPS_BETWEEN_LOOKS : 0, look_at_clock, q);
	snprintf(last_words, sizeof(last_words), "profkit: " TOO_LONG "\n", seconds);
	if (seconds > 0)
		signal(SIGALRM, end_process);
}

void pk_query_limit_memory(struct pk_query *q, uint64_t bytes)
{
	q->memory = bytes;
	sqlite3_hard_heap_limit64((sqlite3_int64)(bytes < INT64_MAX ? bytes : INT64_MAX));
}

static void set_alarm(double seconds)
{
	struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};

	timer.it_value.tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static int fail_memory(const struct pk_query *q, struct pk_error *err)
{
	return pk_fail(
		err, PK_ELIMIT,
		"SQL: out of memory: it may take %llu MB; --max-memory SIZE sets another limit",
		(unsigned long long)(q->memory >> 20));
}

static void start_clock(struct pk_query *q)
{
	q->too_long = false;
	q->began = pk_clock();
}

/* True for PRAGMAs that only return information. */
static bool is_harmless(const char *pragma)
{
	static const char *const harmless[] = {
		"table_info",      "table_xinfo",
		"table_list",      "database_list",
		"function_list",   "collation_list",
		"compile_options", "pragma_list",
		"module_list",     NULL,
	};

	for (int i = 0; pragma && harmless[i]; i++)
		if (!sqlite3_stricmp(pragma, harmless[i]))
			return true;
	return false;
}

/* True for functions that load code, return addresses of memory, or open files. */
static bool is_dangerous(const char *function)
{
	static const char *const dangerous[] = {
		"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "fsdir", NULL};

	for (int i = 0; function && dangerous[i]; i++)
		if (!sqlite3_stricmp(function, dangerous[i]))
			return true;
	return false;
}

static int authorize(void *data, int action, const char *first, const char *second,
		     const char *database, const char *view)
{
	(void)data;
	(void)database;
	(void)view;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return is_dangerous(second) ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA:
		return is_harmless(first) ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

static int make_views(sqlite3 *db, struct pk_error *err)
{
	PK_BUF_AUTO sql = PK_BUF_INIT;
	int status = 0;

	for (int i = 0; !status && i < PK_SQL_VIEW_COUNT; i++) {
		sql.len = 0;
		pk_sql_create_view(&sql, "main", i, true);
		status = pk_db_exec(db, err, "%s", sql.data);
	}
	return status;
}

struct pk_query *pk_query_open(const struct pk_profiles *list, struct pk_error *err)
{
	struct pk_query *q;
	sqlite3 *db;

	if (pk_db_open(NULL, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &db, err))
		return NULL;
	if (!pk_catalog_attach(db, list, err) || make_views(db, err)) {
		sqlite3_close(db);
		return NULL;
	}
	if (pk_sql_functions_add(db) != SQLITE_OK) {
		pk_db_fail(db, err);
		sqlite3_close(db);
		return NULL;
	}
	sqlite3_set_authorizer(db, authorize, NULL);
	q = pk_calloc(1, sizeof(*q));
	q->db = db;
	start_clock(q);
	return q;
}

void pk_query_close(struct pk_query *q)
{
	if (!q)
		return;
	sqlite3_close(q->db);
	sqlite3_hard_heap_limit64(0);
	free(q);
}

void pk_query_interrupt(struct pk_query *q)
{
	sqlite3_interrupt(q->db);
}

bool pk_query_is_complete(const char *sql)
{
	return sqlite3_complete(sql);
}

/* "line 2, column 7 ('nme')" for the byte at `offset` of the text. */
static void describe_place(struct pk_buf *buf, const char *sql, size_t offset)
{
	size_t line = 1, column = 1, word;

	for (size_t i = 0; i < offset; i++) {
		column = sql[i] == '\n' ? 1 : column + ((sql[i] & 0xC0) != 0x80);
		line += sql[i] == '\n';
	}
	word = strcspn(sql + offset, " \t\r\n,;()");
	pk_buf_addf(buf, "line %zu, column %zu", line, column);
	if (word)
		pk_buf_addf(buf, " ('%.*s')", (int)(word < 40 ? word : 40), sql + offset);
	pk_buf_adds(buf, ": ");
}

static int fail_statement(struct pk_query *q, const char *sql, const char *statement,
			  struct pk_error *err)
{
	int code = sqlite3_errcode(q->db), offset = -1;
	PK_BUF_AUTO place = PK_BUF_INIT;

#if SQLITE_VERSION_NUMBER >= 3038000
	offset = sqlite3_error_offset(q->db);
#endif
	pk_buf_adds(&place, "");
	if (offset >= 0)
		describe_place(&place, sql, (size_t)(statement - sql) + (size_t)offset);
	if (code == SQLITE_INTERRUPT && q->too_long)
		pk_fail(err, PK_ELIMIT, TOO_LONG, q->limit);
	else if (code == SQLITE_NOMEM && q->memory)
		fail_memory(q, err);
	else if (code == SQLITE_INTERRUPT)
		pk_fail(err, PK_EUSAGE, "interrupted");
	else if (code == SQLITE_AUTH)
		pk_fail(err, PK_EUSAGE,
			"SQL: only reading is allowed: SELECT, WITH, VALUES, EXPLAIN");
	else
		pk_fail(err, PK_EUSAGE, "SQL: %s%s", place.data, sqlite3_errmsg(q->db));
	return -1;
}

/* Prepares the next statement at *at: NULL at the end of the text, or with -1 if it is wrong. */
static int prepare_next(struct pk_query *q, const char *sql, const char **at, sqlite3_stmt **stmt,
			struct pk_error *err)
{
	const char *statement;

	do { /* skip empty statements and comments */
		statement = *at;
		if (sqlite3_prepare_v2(q->db, statement, -1, stmt, at) != SQLITE_OK)
			return fail_statement(q, sql, statement, err);
	} while (!*stmt && **at);
	return 0;
}

int pk_query_count(struct pk_query *q, const char *sql, struct pk_error *err)
{
	const char *at = sql;
	sqlite3_stmt *stmt;
	int count = 0;

	for (;;) {
		if (prepare_next(q, sql, &at, &stmt, err))
			return -1;
		if (!stmt)
			return count;
		count += sqlite3_column_count(stmt) > 0;
		sqlite3_finalize(stmt);
	}
}

/* A result being read: the type of every cell, which decides the type of its column. */
struct result {
	struct pk_grid grid;
	struct pk_grid_column *columns;
	uint8_t *type; /* types of SQLite, by cell */
	size_t alloc;
	uint64_t bytes; /* approximate size */
};

/* A key that no earlier column has, because JSON needs different keys. */
static const char *unique_key(struct result *r, int column)
{
	const char *key = r->columns[column].heading;

	for (int copy = 2, i = 0; i < column; i++) {
		if (strcmp(r->columns[i].key, key))
			continue;
		key = pk_arena_printf(&r->grid.arena, "%s_%d", r->columns[column].heading, copy++);
		i = -1;
	}
	return key;
}

static void begin_result(struct result *r, sqlite3_stmt *stmt)
{
	int count = sqlite3_column_count(stmt);

	*r = (struct result){0};
	r->columns = pk_calloc((size_t)count, sizeof(*r->columns));
	pk_grid_init(&r->grid, r->columns, count);
	r->grid.show_empty = true;
	for (int i = 0; i < count; i++) {
		const char *name = sqlite3_column_name(stmt, i);

		r->columns[i].heading = pk_arena_copy(&r->grid.arena, name, strlen(name));
		r->columns[i].key = unique_key(r, i);
	}
}

static void add_row(struct result *r, sqlite3_stmt *stmt)
{
	size_t count = (size_t)r->grid.column_count, first = r->grid.rows * count;
	struct pk_cell *cell = pk_grid_row(&r->grid, 0);

	PK_GROW(r->type, first + count, r->alloc);
	r->bytes += count * (sizeof(*cell) + sizeof(*r->type));
	for (int i = 0; i < (int)count; i++) {
		const void *bytes;
		size_t len;

		r->type[first + (size_t)i] = (uint8_t)sqlite3_column_type(stmt, i);
		switch (sqlite3_column_type(stmt, i)) {
		case SQLITE_INTEGER:
			cell[i].null = false;
			cell[i].integer = sqlite3_column_int64(stmt, i);
			break;
		case SQLITE_FLOAT:
			cell[i].null = false;
			cell[i].real = sqlite3_column_double(stmt, i);
			break;
		case SQLITE_TEXT:
		case SQLITE_BLOB:
			bytes = sqlite3_column_blob(stmt, i);
			len = (size_t)sqlite3_column_bytes(stmt, i);
			pk_cell_text_len(&cell[i],
					 pk_arena_copy(&r->grid.arena, len ? bytes : "", len), len);
			r->bytes += len;
			break;
		}
	}
}

static void number_to_text(struct result *r, struct pk_cell *cell, int type)
{
	char text[40];
	int len = type == SQLITE_INTEGER
			  ? snprintf(text, sizeof(text), "%lld", (long long)cell->integer)
			  : snprintf(text, sizeof(text), "%.17g", cell->real);

	pk_cell_text_len(cell, pk_arena_copy(&r->grid.arena, text, (size_t)len), (size_t)len);
}

/* A column with a text is a text column; one with a fraction is a real column. */
static void set_column_type(struct result *r, int column)
{
	size_t count = (size_t)r->grid.column_count, row;
	enum pk_cell_type type = PK_CELL_NUMBER;

	for (row = 0; row < r->grid.rows && type != PK_CELL_TEXT; row++) {
		int cell = r->type[row * count + (size_t)column];

		if (cell == SQLITE_TEXT || cell == SQLITE_BLOB)
			type = PK_CELL_TEXT;
		else if (cell == SQLITE_FLOAT)
			type = PK_CELL_REAL;
	}
	r->columns[column].type = type;
	for (row = 0; row < r->grid.rows && type != PK_CELL_NUMBER; row++) {
		struct pk_cell *cell = &r->grid.cells[row * count + (size_t)column];
		int was = r->type[row * count + (size_t)column];

		if (was == SQLITE_INTEGER && type == PK_CELL_REAL)
			cell->real = (double)cell->integer;
		else if ((was == SQLITE_INTEGER || was == SQLITE_FLOAT) && type == PK_CELL_TEXT)
			number_to_text(r, cell, was);
	}
}

static int run_statement(struct pk_query *q, const char *sql, const char *statement,
			 sqlite3_stmt *stmt, pk_query_show show, void *data, struct pk_error *err)
{
	struct result r;
	int rc = SQLITE_DONE, status = 0;

	begin_result(&r, stmt);
	start_clock(q);
	if (q->limit > 0)
		set_alarm(q->limit + 1);
	while (!status && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		add_row(&r, stmt);
		if (q->memory && r.bytes + (uint64_t)sqlite3_memory_used() > q->memory)
			status = fail_memory(q, err);
	}
	if (q->limit > 0)
		set_alarm(0);
	if (!status && rc != SQLITE_DONE)
		status = fail_statement(q, sql, statement, err);
	for (int i = 0; i < r.grid.column_count; i++)
		set_column_type(&r, i);
	if (!status && r.grid.column_count)
		status = show(&r.grid, data, err);
	free(r.type);
	pk_grid_release(&r.grid);
	free(r.columns);
	return status;
}

int pk_query_run(struct pk_query *q, const char *sql, pk_query_show show, void *data,
		 struct pk_error *err)
{
	const char *at = sql;
	sqlite3_stmt *stmt;
	int status = 0;

	while (!status) {
		const char *statement = at;

		if (prepare_next(q, sql, &at, &stmt, err))
			return -1;
		if (!stmt)
			return 0;
		status = run_statement(q, sql, statement, stmt, show, data, err);
		sqlite3_finalize(stmt);
	}
	return status;
}
