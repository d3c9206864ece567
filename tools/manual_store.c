/* profkit-store(5), made from the descriptors of the tables. */
#include "manual.h"

#include <ctype.h>

#include "model/schema.h"

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

static void write_table(struct pk_doc *d, const struct pk_table *t)
{
	struct pk_buf text = PK_BUF_INIT, term = PK_BUF_INIT;

	pk_doc_subsection(d, t->name);
	pk_buf_addf(&text, "%c%s.", toupper((unsigned char)t->help[0]), t->help + 1);
	pk_doc_paragraph(d, text.data);
	for (int i = 0; i < t->column_count; i++) {
		const struct pk_column *c = &t->columns[i];

		term.len = text.len = 0;
		pk_buf_addf(&term, "`%s` (%s", c->name, type_name(c));
		if (c->type == PK_COL_REF)
			pk_buf_addf(&term, " of a %s", pk_tables[c->target].name);
		pk_buf_addc(&term, ')');
		pk_buf_addf(&text, "%c%s", toupper((unsigned char)c->help[0]), c->help + 1);
		for (int n = 0; c->type == PK_COL_ENUM && c->names[n]; n++)
			pk_buf_addf(&text, "%s%s", n ? ", " : ": ", c->names[n]);
		pk_buf_addc(&text, '.');
		pk_doc_item(d, term.data, text.data);
	}
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
	for (int i = 0; i < PK_TABLE_COUNT; i++)
		write_table(d, &pk_tables[i]);
	pk_doc_section(d, "VIEWS FOR QUERIES");
	pk_doc_item(
		d,
		"`function_cost`(run, function, module, file, line, kind, metric, unit, calls, "
		"primitive_calls, self, total)",
		"Every function as a whole, in every metric. A function that calls itself counts "
		"once in its total.");
	pk_doc_item(d, "`path`(run, node, depth, path)",
		    "Every call path as one text: its functions joined by semicolons, the root "
		    "first.");
}
