/* profkit-store(5), made from the descriptions of tables and views. */
#include "manual.h"

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

void pk_manual_store(struct pk_doc *d)
{
	pk_doc_paragraph(d,
			 "A store is one SQLite file that keeps any number of runs. It is made by "
			 "`profkit store add`, or by `profkit convert` to a name that ends in "
			 "`.db` or `.sqlite`, and any program that uses SQLite can read it. "
			 "`profkit query` shows the same tables for a file of any other format.");
	pk_doc_paragraph(d,
			 "Every table begins with the column `run`, the number of the run that a "
			 "row belongs to. Tables whose rows are referred to have the column `id` "
			 "next, which counts from 1 in every run. What is not known is NULL. Times "
			 "are in ns from the start of the run; values are whole numbers of the "
			 "metric's unit times 10 to the power of minus its exponent.");
	pk_doc_section(d, "TABLES");
	for (int i = 0; i < PK_SQL_TABLE_COUNT; i++)
		write_table(d, pk_sql_table(i));
	pk_doc_section(d, "VIEWS FOR QUERIES");
	for (int i = 0; i < PK_SQL_VIEW_COUNT; i++)
		write_view(d, i);
}
