/* profkit-store(5), made from the descriptions of tables and views. */
#include "manual.h"

#include "store/functions.h"
#include "store/schema_sql.h"

static const char *type_name(const struct pk_column *c)
{
	switch (c->type) {
	case PK_COL_TEXT:
		return "id of a string";
	case PK_COL_REF:
		return "id";
	case PK_COL_REAL:
		return "real";
	case PK_COL_ENUM:
		return "text";
	case PK_COL_NUMBERS:
	case PK_COL_BYTES:
		return "text";
	case PK_COL_U8:
	case PK_COL_U32:
	case PK_COL_U64:
	case PK_COL_I64:
		break;
	}
	return "integer";
}

static void write_column(struct pk_doc *d, const struct pk_column *c)
{
	struct pk_buf text = PK_BUF_INIT, term = PK_BUF_INIT;

	pk_buf_addf(&term, "`%s` (%s", c->name, type_name(c));
	if (c->type == PK_COL_REF)
		pk_buf_addf(&term, " of a %s", pk_tables[c->target].name);
	pk_buf_addc(&term, ')');
	pk_buf_adds(&text, c->help);
	for (int n = 0; c->type == PK_COL_ENUM && c->names[n]; n++)
		pk_buf_addf(&text, "%s%s", n ? ", " : ": ", c->names[n]);
	pk_doc_end_sentence(&text, 0);
	pk_doc_item(d, term.data, text.data);
	pk_buf_release(&text);
	pk_buf_release(&term);
}

static void write_table(struct pk_doc *d, const struct pk_table *t)
{
	struct pk_buf text = PK_BUF_INIT;

	pk_doc_subsection(d, t->name);
	pk_doc_sentence(&text, t->help);
	pk_doc_paragraph(d, text.data);
	pk_doc_item(d, "`run` (integer)", "Number of the run.");
	if (t->has_id)
		pk_doc_item(d, "`id` (integer)", "Number of the row, from 1 in every run.");
	for (int i = 0; i < t->column_count; i++)
		write_column(d, &t->columns[i]);
	pk_buf_release(&text);
}

static void write_view(struct pk_doc *d, int number)
{
	struct pk_buf text = PK_BUF_INIT, term = PK_BUF_INIT;

	pk_buf_addf(&term, "`%s`(%s)", pk_sql_view_name(number), pk_sql_view_columns(number));
	pk_doc_sentence(&text, pk_sql_view_help(number));
	pk_doc_item(d, term.data, text.data);
	pk_buf_release(&text);
	pk_buf_release(&term);
}

static void write_functions(struct pk_doc *d)
{
	struct pk_buf term = PK_BUF_INIT;

	for (int i = 0; pk_sql_functions[i].call; i++) {
		term.len = 0;
		pk_buf_addf(&term, "`%s`", pk_sql_functions[i].call);
		pk_doc_item(d, term.data, pk_sql_functions[i].help);
	}
	pk_buf_release(&term);
}

static void write_introduction(struct pk_doc *d)
{
	pk_doc_paragraph(d,
			 "A store is one SQLite file that keeps any number of runs. It is made by "
			 "`profkit store add`, or by `profkit convert` to a name that ends in "
			 "`.db`, `.sqlite` or `.sqlite3`, and any program that uses SQLite can "
			 "read it: sqlite3, Python's sqlite3 module, pandas.read_sql. `profkit "
			 "query` shows the same tables for a file of any other format.");
	pk_doc_paragraph(
		d, "Every table begins with the column `run`, the number of the run that a "
		   "row belongs to; it is the key of the table run, and is not used again "
		   "when a run is removed. Tables whose rows are referred to have the column "
		   "`id` next, which counts from 1 in every run: `run` and `id` together are "
		   "their key, and what refers to them is joined by both. Texts are kept once "
		   "in the table string, and referred to by id; a text that is not UTF-8 is "
		   "a blob. What is not known is NULL.");
	pk_doc_paragraph(d,
			 "Times are in ns from the start of the run. Values are whole numbers of "
			 "the metric's unit times 10 to the power of minus its exponent, which is "
			 "0 but for a few formats with fractions; the view function_cost has them "
			 "in the unit itself.");
	pk_doc_paragraph(d, "The functions with most time of their own, with nothing but SQLite:");
	pk_doc_literal(d, "sqlite3 runs.db \"SELECT function, file, calls, self, total\n"
			  "    FROM function_cost WHERE run = 1 ORDER BY self DESC LIMIT 10\"");
}

void pk_manual_store(struct pk_doc *d)
{
	write_introduction(d);
	pk_doc_section(d, "VIEWS FOR QUERIES");
	pk_doc_paragraph(d, "What most questions begin with, with texts in place of ids.");
	for (int i = 0; i < PK_SQL_VIEW_COUNT; i++)
		write_view(d, i);
	pk_doc_section(d, "TABLES");
	for (int i = 0; i < PK_SQL_TABLE_COUNT; i++)
		write_table(d, pk_sql_table(i));
	pk_doc_section(d, "FUNCTIONS");
	pk_doc_paragraph(d, "In `profkit query`, besides those of SQLite:");
	write_functions(d);
	pk_doc_section(d, "THE FILE");
	pk_doc_paragraph(
		d, "The application id, bytes 68 to 71 of the file, is 0x70666b74 (\"pfkt\"); "
		   "the user version is that of the schema, now 1, and a file with a higher "
		   "one is refused. Adding and removing runs are transactions: a process that "
		   "is interrupted leaves the store as it was, and others may read and add at "
		   "the same time. `.schema` in sqlite3 shows the tables with the meaning of "
		   "their columns. Tables and indexes of your own do no harm.");
}
