/*
 * profkit's store: an SQLite 3 database (https://www.sqlite.org/fileformat2.html) that begins with
 * "SQLite format 3\0" and has "pfkt" at byte 68, the application id. Its tables are those of the
 * model, column by column, as schema_sql.h says:
 *
 *	run 1, label 3, format 4, ...          table run
 *	run 1, id 3, text "nightly"            table string
 *
 * The file may come from a stranger. What it says is checked row by row, then as a whole by
 * pk_profile_check; and it can neither run anything nor make the reader read more than it holds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sqlite/input.h"
#include "model/args/text.h"
#include "readers/reader.h"
#include "store/schema_sql.h"
#include "store/inspect.h"
#include "store/store.h"

static enum pk_score probe(const struct pk_probe *probe)
{
	const uint8_t *id = probe->data + 68;

	if (!pk_db_has_magic(probe->data, probe->len))
		return PK_NO;
	if (((uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3]) ==
	    PK_STORE_APPLICATION_ID)
		return PK_MAGIC;
	return PK_MAYBE; /* any SQLite file may be a damaged store, and is then named as one */
}

enum { MOST_RUNS = 100000 }; /* the most that are loaded at once */

/* Pages that may be read for each run, beside those of its rows: a small run has less than a page
 * of rows, but each table has a tree to descend. */
enum { PAGES_OF_RUN = 8 * PK_TABLE_COUNT };

struct loader {
	sqlite3 *db;
	struct pk_db_input in;
	int64_t version; /* of the store */
	bool one_run;
	sqlite3_stmt *rows[PK_TABLE_COUNT]; /* of this version: prepared once for all runs */
	struct pk_profile *p;
	struct pk_error *err;
};

/* A table being read: number of rows, row 0 included, and of rows that its columns have room for.
 */
struct target {
	struct loader *l;
	const struct pk_table *t;
	uint32_t rows, room;
	sqlite3_stmt *stmt;
};

static int fail_cell(const struct target *to, const struct pk_column *c, const char *what)
{
	return pk_fail(to->l->err, PK_EFORMAT, "table %s, row %u: column '%s' %s", to->t->name,
		       to->rows, c->name, what);
}

/* Allocates an optional column, which was absent as long as all rows had its default. */
static void make_column(const struct target *to, const struct pk_column *c)
{
	void **data = pk_column_at(to->l->p, to->t, c);

	*data = pk_calloc(to->room, pk_column_size(c->type));
	pk_column_fill(c, *data, 1, to->rows);
}

static int set_integer(struct target *to, const struct pk_column *c, int column, int64_t most)
{
	sqlite3_value *cell = sqlite3_column_value(to->stmt, column);
	int64_t value = sqlite3_value_int64(cell);
	int type = sqlite3_value_type(cell);
	void **data = pk_column_at(to->l->p, to->t, c);

	if (type == SQLITE_NULL)
		value = c->type == PK_COL_I64 ? PK_NULL : 0;
	else if (type != SQLITE_INTEGER)
		return fail_cell(to, c, "is not a whole number");
	if (most && (value < 0 || value > most))
		return fail_cell(to, c, "is out of range");
	if (!*data) {
		if (value == (int64_t)pk_column_default(c))
			return 0;
		make_column(to, c);
	}
	if (pk_column_size(c->type) == sizeof(int64_t))
		((int64_t *)*data)[to->rows] = value;
	else if (pk_column_size(c->type) == sizeof(uint32_t))
		((uint32_t *)*data)[to->rows] = (uint32_t)value;
	else
		((uint8_t *)*data)[to->rows] = (uint8_t)value;
	return 0;
}

static int set_real(struct target *to, const struct pk_column *c, int column)
{
	int type = sqlite3_column_type(to->stmt, column);
	double **data = (double **)pk_column_at(to->l->p, to->t, c);

	if (type != SQLITE_NULL && type != SQLITE_FLOAT && type != SQLITE_INTEGER)
		return fail_cell(to, c, "is not a number");
	if (!*data && type == SQLITE_NULL)
		return 0;
	if (!*data)
		make_column(to, c);
	(*data)[to->rows] = type == SQLITE_NULL ? NAN : sqlite3_column_double(to->stmt, column);
	return 0;
}

static int set_enum(struct target *to, const struct pk_column *c, int column)
{
	const char *text = (const char *)sqlite3_column_text(to->stmt, column);
	uint8_t **data = (uint8_t **)pk_column_at(to->l->p, to->t, c);

	for (int i = 0; text && c->names[i]; i++) {
		if (strcmp(text, c->names[i]) != 0)
			continue;
		if (!*data && i)
			make_column(to, c);
		if (*data)
			(*data)[to->rows] = (uint8_t)i;
		return 0;
	}
	return fail_cell(to, c, "has none of its values");
}

static int set_string(struct target *to, const struct pk_column *c, int column)
{
	int type = sqlite3_column_type(to->stmt, column);
	const char *text;
	uint32_t len;

	if (type != SQLITE_TEXT && type != SQLITE_BLOB)
		return fail_cell(to, c, "is not a text");
	text = type == SQLITE_TEXT ? (const char *)sqlite3_column_text(to->stmt, column)
				   : sqlite3_column_blob(to->stmt, column);
	len = (uint32_t)sqlite3_column_bytes(to->stmt, column);
	/* only a crafted file can share pages between rows and so hold more text than its size */
	if (len > to->l->in.text_left)
		return fail_cell(to, c, "and those before are longer than the file");
	to->l->in.text_left -= len;
	to->l->p->string.text[to->rows] = pk_arena_copy(&to->l->p->text, len ? text : "", len);
	to->l->p->string.len[to->rows] = len;
	return 0;
}

static int set_numbers(struct target *to, const struct pk_column *c, int column)
{
	int type = sqlite3_column_type(to->stmt, column), count;
	uint32_t **data = (uint32_t **)pk_column_at(to->l->p, to->t, c);
	int64_t numbers[PK_MOST_NUMBERS];
	const char *text;

	if (type == SQLITE_NULL && !*data)
		return 0;
	if (!*data)
		make_column(to, c);
	text = (const char *)sqlite3_column_text(to->stmt, column);
	if (type == SQLITE_NULL)
		(*data)[to->rows] = 0;
	else if (type != SQLITE_TEXT ||
		 !pk_arg_read_list(text, (size_t)sqlite3_column_bytes(to->stmt, column), numbers,
				   &count))
		return fail_cell(to, c, "is not a list of numbers");
	else
		(*data)[to->rows] = pk_arg_pack(&to->l->p->arg, numbers, count);
	return 0;
}

static int set_value(struct target *to, const struct pk_column *c, int column)
{
	switch (c->type) {
	case PK_COL_TEXT:
	case PK_COL_REF:
	case PK_COL_U32:
		return set_integer(to, c, column, UINT32_MAX);
	case PK_COL_U8:
		return set_integer(to, c, column, UINT8_MAX);
	case PK_COL_U64:
	case PK_COL_I64:
		return set_integer(to, c, column, 0);
	case PK_COL_REAL:
		return set_real(to, c, column);
	case PK_COL_ENUM:
		return set_enum(to, c, column);
	case PK_COL_NUMBERS:
		return set_numbers(to, c, column);
	case PK_COL_BYTES:
		return set_string(to, c, column);
	}
	return 0;
}

static int grow(struct target *to)
{
	struct pk_profile *p = to->l->p;
	size_t room = pk_grow_size(to->room, to->rows + 1);

	/* a row takes more than one byte of the file */
	if (to->rows > to->l->in.size || room > UINT32_MAX)
		return pk_fail(to->l->err, PK_EFORMAT, "table %s has more rows than fit the file",
			       to->t->name);
	to->room = (uint32_t)room;
	for (int i = 0; i < to->t->column_count; i++) {
		void **data = pk_column_at(p, to->t, &to->t->columns[i]);

		if (*data)
			*data = pk_realloc(*data,
					   pk_mul(room, pk_column_size(to->t->columns[i].type)));
	}
	if (to->t == &pk_tables[PK_TABLE_STRING])
		p->string.len = pk_realloc(p->string.len, pk_mul(room, sizeof(*p->string.len)));
	return 0;
}

static int add_row(struct target *to)
{
	int first = to->t->has_id;

	if (to->rows == to->room && grow(to))
		return -1;
	if (first && (sqlite3_column_type(to->stmt, 0) != SQLITE_INTEGER ||
		      sqlite3_column_int64(to->stmt, 0) != to->rows))
		return pk_fail(to->l->err, PK_EFORMAT,
			       "table %s: ids of a run are not 1, 2, 3 ... (row %u)", to->t->name,
			       to->rows);
	for (int i = 0; i < to->t->column_count; i++)
		if (set_value(to, &to->t->columns[i], first + i))
			return -1;
	to->rows++;
	return 0;
}

/* Begins a table with row 0; optional columns are allocated when needed. */
static void begin_table(struct target *to)
{
	struct pk_profile *p = to->l->p;

	to->rows = to->room = 1;
	for (int i = 0; i < to->t->column_count; i++) {
		const struct pk_column *c = &to->t->columns[i];

		if (!c->optional)
			*pk_column_at(p, to->t, c) = pk_calloc(1, pk_column_size(c->type));
	}
	if (to->t == &pk_tables[PK_TABLE_STRING]) {
		p->string.text[0] = "";
		p->string.len = pk_calloc(1, sizeof(*p->string.len));
	}
}

/* Since version 3 these facts are columns of runs; before, they were texts in table meta. */
static const char old_run[] =
	"(SELECT r.*, 0 AS rowid, said.* FROM run r JOIN (SELECT "
	"max(CASE name WHEN 'time_offset' THEN number END) AS clock_offset, "
	"max(CASE name WHEN 'trace_window' THEN number END) AS window, "
	"max(CASE name WHEN 'trace_window' THEN "
	"CAST(substr(text, instr(text, '..') + 2) AS INTEGER) - number END) AS window_duration, "
	"max(CASE name WHEN 'rank' THEN number END) AS rank, "
	"max(CASE WHEN name IN ('nrcpus online', 'num_cpus') THEN "
	"CAST(ltrim(text, '{\"number: ') AS INTEGER) END) AS processors, "
	"max(CASE name WHEN 'torch_version' THEN "
	"number * 100 + CAST(substr(text, instr(text, '.') + 1) AS INTEGER) END) AS torch, "
	"max(name = 'with_flops') AS with_flops, "
	"max(name = 'profile_memory') AS profile_memory, "
	"max(name = 'pstats.counts') AS swapped FROM "
	"(SELECT k.text AS name, v.text AS text, CAST(v.text AS INTEGER) AS number FROM meta m "
	"JOIN string k ON k.run = m.run AND k.id = m.key "
	"JOIN string v ON v.run = m.run AND v.id = m.value WHERE m.run + 0 = %lld)) said)";

static const char old_meta[] =
	"(SELECT m.*, m.rowid AS rowid, (SELECT text IN ('baseTimeNanoseconds', 'rank', "
	"'sources', 'time_offset', 'torch_version', 'trace_window') OR "
	"text LIKE 'process_labels %%' FROM string k WHERE k.run = m.run AND k.id = m.key) "
	"AS derived FROM meta m WHERE m.run + 0 = %lld)";

static const char old_process[] =
	"(SELECT p.*, (SELECT m.value FROM meta m JOIN string k ON k.run = m.run AND k.id = m.key "
	"WHERE m.run + 0 = %lld AND k.text = 'process_labels ' || ifnull(p.pid, "
	"(SELECT text FROM string n WHERE n.run = p.run AND n.id = p.name))) AS labels "
	"FROM process p)";

/* Appends the name of the table, or a query without rows if the store has no such table. */
static void add_table(struct loader *l, struct pk_buf *sql, const struct pk_table *t)
{
	bool exists = sqlite3_table_column_metadata(l->db, "main", t->name, NULL, NULL, NULL, NULL,
						    NULL, NULL) == SQLITE_OK;

	pk_buf_adds(sql, exists ? t->name : "(SELECT 1 AS run, 1 AS id, 1 AS rowid WHERE 0)");
}

/* Appends the source of the rows of a current table in a store of an older version. */
static void add_old_place(struct loader *l, struct pk_buf *sql, const struct pk_table *t,
			  long long run)
{
	if (l->version >= 3)
		add_table(l, sql, t);
	else if (t == &pk_tables[PK_TABLE_RUN])
		pk_buf_addf(sql, old_run, run);
	else if (t == &pk_tables[PK_TABLE_META])
		pk_buf_addf(sql, old_meta, run);
	else if (t == &pk_tables[PK_TABLE_PROCESS])
		pk_buf_addf(sql, old_process, run);
	else if (l->version > 1)
		add_table(l, sql, t);
	else if (t == &pk_tables[PK_TABLE_FUNCTION])
		pk_buf_addf(sql, "(SELECT *, function AS name FROM frame WHERE run = %lld)", run);
	else if (t == &pk_tables[PK_TABLE_LOCATION])
		pk_buf_addf(sql,
			    "(SELECT row_number() OVER (ORDER BY frame, line) AS id, "
			    "frame AS function, line, run FROM (SELECT DISTINCT run, frame, line "
			    "FROM node WHERE run = %lld))",
			    run);
	else if (t == &pk_tables[PK_TABLE_NODE])
		pk_buf_addf(sql,
			    "(SELECT *, dense_rank() OVER (ORDER BY frame, line) AS location "
			    "FROM node WHERE run = %lld)",
			    run);
	else if (t == &pk_tables[PK_TABLE_METRIC])
		pk_buf_addf(sql,
			    "(SELECT m.*, CASE id WHEN 1 THEN period END AS period FROM metric m "
			    "JOIN run USING(run) WHERE run = %lld)",
			    run);
	else
		add_table(l, sql, t);
}

/* The same as select_rows for a store of an older version: columns that it lacks have their
 * defaults. */
static sqlite3_stmt *select_old(struct loader *l, const struct pk_table *t, long long run)
{
	PK_BUF_AUTO place = PK_BUF_INIT, columns = PK_BUF_INIT;
	sqlite3_stmt *stmt;

	add_old_place(l, &place, t, run);
	pk_buf_adds(&columns, t->has_id ? "id" : "");
	for (int i = 0; i < t->column_count; i++) {
		const struct pk_column *c = &t->columns[i];
		struct pk_error absent = PK_ERROR_INIT;

		stmt = pk_db_prepare(l->db, &absent, "SELECT t.\"%s\" FROM %s t", c->name,
				     place.data);
		pk_buf_addf(&columns,
			    stmt                     ? "%st.\"%s\""
			    : c->type == PK_COL_ENUM ? "%s'%s'"
						     : "%sNULL",
			    columns.len ? ", " : "",
			    stmt       ? c->name
			    : c->names ? c->names[0]
				       : "");
		sqlite3_finalize(stmt);
	}
	return pk_db_prepare(l->db, l->err, "SELECT %s FROM %s t WHERE run = %lld ORDER BY %s",
			     columns.data, place.data, run, t->has_id ? "id" : "rowid");
}

/*
 * The rows of one run in their order. With one run alone a scan is fastest; with several,
 * the tables with ids are clustered by run and the others have an index of run + 0.
 */
static sqlite3_stmt *select_rows(struct loader *l, const struct pk_table *t, int64_t run)
{
	PK_BUF_AUTO columns = PK_BUF_INIT;
	sqlite3_stmt **rows = &l->rows[t - pk_tables];

	if (!*rows) {
		pk_sql_column_list(&columns, t);
		*rows = pk_db_prepare(
			l->db, l->err, "SELECT %s FROM %s%s WHERE %s = ?1 ORDER BY %s",
			columns.data + strlen("run, "), t->name,
			l->one_run && !t->has_id ? " NOT INDEXED" : "",
			t->has_id || t == &pk_tables[PK_TABLE_RUN] ? "run" : "run + 0",
			t->has_id ? "id" : "rowid");
	}
	if (*rows)
		sqlite3_bind_int64(*rows, 1, run);
	return *rows;
}

static int load_table(struct loader *l, const struct pk_table *t, int64_t run)
{
	struct target to = {.l = l, .t = t};
	int rc, status = 0;

	bool old = l->version < PK_STORE_VERSION;

	begin_table(&to);
	to.stmt = old ? select_old(l, t, run) : select_rows(l, t, run);
	if (!to.stmt)
		return -1;
	while ((rc = sqlite3_step(to.stmt)) == SQLITE_ROW && !status)
		status = add_row(&to);
	if (!status && rc == SQLITE_INTERRUPT)
		status = pk_fail(l->err, PK_EFORMAT,
				 "the database is damaged (or its indexes are missing): reading it "
				 "takes too long");
	else if (!status && rc != SQLITE_DONE)
		status = pk_db_fail(l->db, l->err);
	if (old)
		sqlite3_finalize(to.stmt);
	else
		sqlite3_reset(to.stmt);
	*(uint32_t *)pk_table_at(l->p, t) = to.rows;
	return status;
}

static struct pk_profile *load_run(struct loader *l, int64_t run)
{
	/* One transaction: the run is read in one state, and the file is locked once for all
	 * tables. */
	int status = pk_db_exec(l->db, l->err, "BEGIN");

	l->p = pk_profile_new();
	for (int i = 0; !status && i < PK_TABLE_COUNT; i++)
		status = load_table(l, &pk_tables[i], run);
	if (!status)
		status = pk_db_exec(l->db, l->err, "COMMIT");
	if (!status)
		status = pk_profile_check(l->p, l->err);
	if (!status)
		return l->p;
	pk_fail_context(l->err, "run %lld", (long long)run);
	pk_profile_free(l->p);
	return NULL;
}

/* Appends the runs to the list, if it is not NULL. On an error the caller drops what was added. */
static int load_runs(struct loader *l, const char *label, struct pk_profiles *list)
{
	struct pk_run_numbers runs;
	int64_t all;
	int status;

	status = pk_store_verify_old(l->db, "main", &l->version, l->err) ||
		 pk_db_value(l->db, &all, l->err, "SELECT count(*) FROM run") ||
		 pk_store_find_runs(l->db, "main", label, &runs, l->err);
	if (status)
		return -1;
	if (list && runs.count > MOST_RUNS) {
		pk_run_numbers_release(&runs);
		return pk_fail(l->err, PK_ELIMIT,
			       "it holds more than %d runs: choose some, such as FILE@last=1000",
			       MOST_RUNS);
	}
	l->one_run = all == 1;
	l->in.pages_left += (uint64_t)runs.count * PAGES_OF_RUN;
	for (size_t i = 0; !status && i < runs.count; i++) {
		struct pk_profile *p = load_run(l, runs.item[i]);

		status = p ? 0 : -1;
		if (p && list)
			pk_profiles_add(list, p);
		else
			pk_profile_free(p);
	}
	pk_run_numbers_release(&runs);
	for (int i = 0; i < PK_TABLE_COUNT; i++)
		sqlite3_finalize(l->rows[i]);
	return status;
}

int pk_store_check(const char *path, struct pk_error *err)
{
	struct pk_input *in = pk_input_open(path, err);
	struct loader l = {.err = err};
	int status = -1;

	if (in && !pk_db_input_open(&l.in, in, err)) {
		l.db = l.in.db;
		status = load_runs(&l, NULL, NULL);
	}
	pk_db_input_close(&l.in);
	pk_input_close(in);
	return status ? pk_fail_context(err, "reading '%s'", path) : 0;
}

static int read_runs(struct pk_input *in, const void *params, const char *label,
		     struct pk_profiles *runs, struct pk_error *err)
{
	struct loader l = {.err = err};
	int status;

	(void)params;
	status = pk_db_input_open(&l.in, in, err);
	if (!status) {
		l.db = l.in.db;
		status = load_runs(&l, label, runs) || pk_db_input_unchanged(&l.in, err) ? -1 : 0;
	}
	pk_db_input_close(&l.in);
	return status;
}

static const char *const suffixes[] = {".db", ".sqlite", ".sqlite3", ".part", NULL};

const struct pk_reader pk_reader_store = {
	.name = "store",
	.title = "profkit's own store: one SQLite file, many runs",
	.suffixes = suffixes,
	.keeps = ~0U,
	.probe = probe,
	.read_runs = read_runs,
};
