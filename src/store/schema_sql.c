/* The SQL schema of a store, made of the descriptors of the model's tables. */
#include "store/schema_sql.h"

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

const struct pk_table *pk_sql_table(int number)
{
	return number == PK_SQL_TABLE_FUNCTION_TOTAL ? &pk_function_total : &pk_tables[number];
}

int pk_sql_table_find(const char *name)
{
	for (int i = 0; i < PK_SQL_TABLE_COUNT; i++)
		if (!sqlite3_stricmp(pk_sql_table(i)->name, name))
			return i;
	return -1;
}

static const char *sql_type(enum pk_column_type type)
{
	switch (type) {
	case PK_COL_REAL:
		return "REAL";
	case PK_COL_ENUM:
	case PK_COL_NUMBERS:
	case PK_COL_BYTES:
		return "TEXT";
	default:
		return "INTEGER";
	}
}

static bool is_reference(const struct pk_column *c)
{
	return c->type == PK_COL_TEXT || c->type == PK_COL_REF;
}

/* PK_COL_TEXT needs no target: it is always a string. */
static const char *target_name(const struct pk_column *c)
{
	return pk_tables[c->type == PK_COL_TEXT ? PK_TABLE_STRING : c->target].name;
}

/* Appends a name, in quotes where SQL needs them. */
static void quote_name(struct pk_buf *sql, const char *name)
{
	if (sqlite3_keyword_check(name, (int)strlen(name)))
		pk_buf_addf(sql, "\"%s\"", name);
	else
		pk_buf_adds(sql, name);
}

void pk_sql_column_list(struct pk_buf *sql, const struct pk_table *t)
{
	pk_buf_adds(sql, "run");
	if (t->has_id)
		pk_buf_adds(sql, ", id");
	for (int i = 0; i < t->column_count; i++) {
		pk_buf_adds(sql, ", ");
		quote_name(sql, t->columns[i].name);
	}
}

static void add_name(struct pk_buf *sql, const char *schema, const char *name)
{
	pk_buf_addf(sql, "%s%s%s", schema ? schema : "", schema ? "." : "", name);
}

/* AUTOINCREMENT: the number of a removed run is never used again */
static const char run_key[] = "run INTEGER PRIMARY KEY AUTOINCREMENT, -- number of the run\n";
static const char run_reference[] =
	"run INTEGER NOT NULL REFERENCES run(run), -- run the row belongs to\n";
static const char row_id[] = "id INTEGER NOT NULL, -- number of the row, from 1 in every run\n";

static void add_column(struct pk_buf *sql, const struct pk_column *c, bool last)
{
	pk_buf_adds(sql, "  ");
	quote_name(sql, c->name);
	pk_buf_addf(sql, " %s%s -- %s", sql_type(c->type), last ? "" : ",", c->help);
	if (is_reference(c))
		pk_buf_addf(sql, " (%s.id)", target_name(c));
	if (c->type == PK_COL_ENUM) {
		pk_buf_adds(sql, ":");
		for (int i = 0; c->names[i]; i++)
			pk_buf_addf(sql, " %s", c->names[i]);
	}
	pk_buf_addc(sql, '\n');
}

void pk_sql_create_table(struct pk_buf *sql, const char *schema, const struct pk_table *t)
{
	int keys = t->has_id, i;

	for (i = 0; i < t->column_count; i++)
		keys += is_reference(&t->columns[i]);
	pk_buf_adds(sql, "CREATE TABLE ");
	add_name(sql, schema, t->name);
	pk_buf_addf(sql, " ( -- %s\n  ", t->help);
	pk_buf_adds(sql, t == &pk_tables[PK_TABLE_RUN] ? run_key : run_reference);
	if (t->has_id)
		pk_buf_addf(sql, "  %s", row_id);
	for (i = 0; i < t->column_count; i++)
		add_column(sql, &t->columns[i], !keys && i == t->column_count - 1);
	if (t->has_id)
		pk_buf_addf(sql, "  PRIMARY KEY (run, id)%s\n", --keys ? "," : "");
	for (i = 0; i < t->column_count; i++) {
		if (!is_reference(&t->columns[i]))
			continue;
		pk_buf_adds(sql, "  FOREIGN KEY (run, ");
		quote_name(sql, t->columns[i].name);
		pk_buf_addf(sql, ") REFERENCES %s(run, id)%s\n", target_name(&t->columns[i]),
			    --keys ? "," : "");
	}
	pk_buf_adds(sql, t->has_id ? ") WITHOUT ROWID" : ")");
}

void pk_sql_declare_table(struct pk_buf *sql, const struct pk_table *t)
{
	pk_buf_addf(sql, "CREATE TABLE %s (run INTEGER", t->name);
	if (t->has_id)
		pk_buf_adds(sql, ", id INTEGER");
	for (int i = 0; i < t->column_count; i++) {
		pk_buf_adds(sql, ", ");
		quote_name(sql, t->columns[i].name);
		pk_buf_addf(sql, " %s", sql_type(t->columns[i].type));
	}
	pk_buf_addc(sql, ')');
}

bool pk_sql_create_tree_index(struct pk_buf *sql, const char *schema, const struct pk_table *t)
{
	for (const struct pk_column *c = t->columns; c < t->columns + t->column_count; c++) {
		if (c->type != PK_COL_REF || &pk_tables[c->target] != t)
			continue;
		pk_buf_addf(sql, "CREATE INDEX IF NOT EXISTS %s.%s_%s ON %s(run, %s)", schema,
			    t->name, c->name, t->name, c->name);
		return true;
	}
	return false;
}

bool pk_sql_create_run_index(struct pk_buf *sql, const char *schema, const struct pk_table *t)
{
	if (t->has_id || t == &pk_tables[PK_TABLE_RUN])
		return false;
	pk_buf_addf(sql, "CREATE INDEX IF NOT EXISTS %s.%s_run ON %s(run + 0)", schema, t->name,
		    t->name);
	return true;
}

/* Texts are sub-selects and not joins, so that columns which a query does not use cost nothing, and
 * SQLite can still merge the view into the query. */
static const char functions_view[] =
	"SELECT run, id,\n"
	"  (SELECT text FROM string s WHERE s.run = f.run AND s.id = f.name),\n"
	"  (SELECT text FROM string s WHERE s.run = f.run AND s.id = f.module),\n"
	"  (SELECT text FROM string s WHERE s.run = f.run AND s.id = f.file),\n"
	"  nullif(line, 0), kind\n"
	"FROM function f";

static const char function_cost_view[] =
	"SELECT t.run,\n"
	"  (SELECT text FROM string s WHERE s.run = f.run AND s.id = f.name),\n"
	"  (SELECT text FROM string s WHERE s.run = f.run AND s.id = f.module),\n"
	"  (SELECT text FROM string s WHERE s.run = f.run AND s.id = f.file),\n"
	"  nullif(f.line, 0), f.kind,\n"
	"  (SELECT text FROM string s WHERE s.run = m.run AND s.id = m.name),\n"
	"  (SELECT text FROM string s WHERE s.run = m.run AND s.id = m.unit),\n"
	"  t.calls, t.primitive_calls,\n"
	"  CASE m.exponent WHEN 0 THEN t.self\n"
	"    ELSE t.self / CAST('1e' || m.exponent AS REAL) END,\n"
	"  CASE m.exponent WHEN 0 THEN t.total\n"
	"    ELSE t.total / CAST('1e' || m.exponent AS REAL) END\n"
	"FROM function_total t\n"
	"JOIN function f ON f.run = t.run AND f.id = t.function\n"
	"JOIN metric m ON m.run = t.run AND m.id = t.metric";

#define TEXT_OF(reference) "  (SELECT text FROM string s WHERE s.run = " reference "),\n"
#define FUNCTION_COLUMNS                     \
	TEXT_OF("f.run AND s.id = f.name")   \
	TEXT_OF("f.run AND s.id = f.module") \
	TEXT_OF("f.run AND s.id = f.file")   \
	"  nullif(f.line, 0),\n"
#define THREAD_COLUMNS(row)                                                     \
	"  (SELECT s.text FROM thread t, string s WHERE t.run = " row ".run\n"  \
	"    AND t.id = " row ".thread AND s.run = t.run AND s.id = t.name),\n" \
	"  (SELECT tid FROM thread t WHERE t.run = " row ".run AND t.id = " row ".thread),\n"
#define FUNCTION_OF(row)                                               \
	"JOIN node n ON n.run = " row ".run AND n.id = " row ".node\n" \
	"JOIN location l ON l.run = n.run AND l.id = n.location\n"     \
	"JOIN function f ON f.run = l.run AND f.id = l.function"

static const char spans_view[] =
	"SELECT e.run, e.id, e.time, e.duration,\n" FUNCTION_COLUMNS TEXT_OF(
		"e.run AND s.id = e.category")
		THREAD_COLUMNS("e") "  (SELECT p.pid FROM thread t, process p WHERE t.run = e.run "
				    "AND t.id = e.thread\n"
				    "    AND p.run = t.run AND p.id = t.process),\n"
				    "  e.node\n"
				    "FROM span e\n" FUNCTION_OF("e");

static const char samples_view[] = "SELECT e.run,\n" FUNCTION_COLUMNS THREAD_COLUMNS("e")
	TEXT_OF("m.run AND s.id = m.name") TEXT_OF(
		"m.run AND s.id = m.unit") "  count(*),\n"
					   "  CASE m.exponent WHEN 0 THEN sum(e.value)\n"
					   "    ELSE sum(e.value) / CAST('1e' || m.exponent AS "
					   "REAL) END\n"
					   "FROM sample e\n" FUNCTION_OF(
						   "e") "\nJOIN metric m ON m.run = e.run AND m.id "
							"= e.metric\n"
							"GROUP BY e.run, f.id, e.thread, e.metric";

/* Walks up from each node, so that a query for a few paths reads only these. A path with names that
 * are not UTF-8 is a blob, as these names are. */
static const char path_view[] =
	"SELECT run, id,\n"
	"  (WITH RECURSIVE up(parent, depth) AS (\n"
	"    SELECT n.parent, 1\n"
	"    UNION ALL\n"
	"    SELECT p.parent, depth + 1 FROM up CROSS JOIN node p\n"
	"    WHERE p.run = n.run AND p.id = up.parent)\n"
	"  SELECT depth FROM up WHERE parent IS NULL),\n"
	"  (WITH RECURSIVE up(parent, path, blobs) AS (\n"
	"    SELECT n.parent, ifnull(f.name, ''), typeof(f.name) = 'blob'\n"
	"    FROM location l CROSS JOIN functions f\n"
	"    WHERE l.run = n.run AND l.id = n.location AND f.run = n.run AND f.id = l.function\n"
	"    UNION ALL\n"
	"    SELECT p.parent, ifnull(f.name, '') || ';' || path,\n"
	"      blobs + (typeof(f.name) = 'blob')\n"
	"    FROM up CROSS JOIN node p CROSS JOIN location l CROSS JOIN functions f\n"
	"    WHERE p.run = n.run AND p.id = up.parent AND l.run = n.run AND l.id = p.location\n"
	"      AND f.run = n.run AND f.id = l.function)\n"
	"  SELECT CASE blobs WHEN 0 THEN path ELSE CAST(path AS BLOB) END\n"
	"  FROM up WHERE parent IS NULL)\n"
	"FROM node n";

static const char fast_path_view[] =
	"SELECT run, id, node_depth(run, id), node_path(run, id) FROM node";

/* Texts that are not JSON (NaN, bytes that are not UTF-8) stay one value without a name. SQLite's
 * json_valid must not be called by views of files from unknown sources, hence `valid`. Members of
 * objects and lists have a key, so validity is not checked again for each of them. */
#define ARGUMENT_VIEW(valid)                                                     \
	"SELECT a.run, a.owner, a.row,\n"                                        \
	"  (SELECT text FROM string s WHERE s.run = a.run AND s.id = a.key),\n"  \
	"  (SELECT text FROM string s WHERE s.run = a.run AND s.id = a.value)\n" \
	"FROM arg a WHERE a.key IS NOT NULL\n"                                   \
	"UNION ALL\n"                                                            \
	"SELECT a.run, a.owner, a.row, j.key,\n"                                 \
	"  CASE WHEN j.key IS NULL AND NOT " valid " THEN s.text\n"              \
	"    WHEN a.numbers IS NOT NULL AND substr(j.value, 1, 2) = '$[' THEN\n" \
	"      (SELECT n.value FROM json_each(a.numbers) n\n"                    \
	"      WHERE n.fullkey = j.value)\n"                                     \
	"    ELSE j.value END\n"                                                 \
	"FROM arg a JOIN string s ON s.run = a.run AND s.id = a.value,\n"        \
	"  json_each(CASE WHEN " valid " THEN s.text ELSE '0' END) j\n"          \
	"WHERE a.key IS NULL"

static const char argument_view[] =
	ARGUMENT_VIEW("(typeof(s.text) = 'text' AND json_valid(s.text))");
static const char fast_argument_view[] = ARGUMENT_VIEW("is_json(s.text)");

static const struct {
	const char *name, *columns, *help, *select, *fast;
} views[PK_SQL_VIEW_COUNT] = {
	{"argument", "run, owner, row, key, value",
	 "arguments of spans, instants and others, one row each; owner and row as in table arg",
	 argument_view, fast_argument_view},
	{"function_cost",
	 "run, function, module, file, line, kind, metric, unit, calls, primitive_calls, self, "
	 "total",
	 "functions as a whole, in every metric and in its unit; recursion counts once in total",
	 function_cost_view, function_cost_view},
	{"functions", "run, id, name, module, file, line, kind",
	 "the table function with texts in place of ids", functions_view, functions_view},
	{"path", "run, node, depth, path",
	 "call paths written out: names of functions joined by ';', root first", path_view,
	 fast_path_view},
	{"samples_by_function",
	 "run, function, module, file, line, thread, tid, metric, unit, samples, value",
	 "samples taken in each function itself, by thread and metric", samples_view, samples_view},
	{"spans",
	 "run, id, time, duration, function, module, file, line, category, thread, tid, pid, node",
	 "the table span with texts in place of ids", spans_view, spans_view},
};

const char *pk_sql_view_name(int number)
{
	return views[number].name;
}

const char *pk_sql_view_columns(int number)
{
	return views[number].columns;
}

const char *pk_sql_view_help(int number)
{
	return views[number].help;
}

void pk_sql_create_view(struct pk_buf *sql, const char *schema, int number, bool fast)
{
	pk_buf_adds(sql, "CREATE VIEW ");
	add_name(sql, schema, views[number].name);
	pk_buf_addf(sql, "(%s) AS -- %s\n%s", views[number].columns, views[number].help,
		    fast ? views[number].fast : views[number].select);
}
