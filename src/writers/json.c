/*
 * JSON: everything that profkit knows of a profile, as tables. See profkit-output(5).
 *
 *	{
 *	  "schema": "profkit.profile",
 *	  "version": 1,
 *	  "profiles": [
 *	    {
 *	      "metric": {
 *	        "columns": ["name", "unit", "exponent", "kind", "exactness"],
 *	        "rows": [
 *	          ["time", "ns", 0, "time", "exact"]
 *	        ]
 *	      },
 *	      ...
 *
 * - A profile is an object with the tables of `profkit query`, in the order of schema.c and under
 *   their names; a table without rows is left out. Columns and their order are those of the
 *   descriptors, except for optional columns without a known value, and for the table "string" and
 *   arg.numbers: texts are written in full where they are referred to.
 * - A reference is the number of a row of the table that the column is about, from 1;
 *   null is none. A call path (node) comes after its parent.
 * - Values are whole numbers of 10^-exponent units of their metric. What is not known is null.
 *   Addresses are text ("0x7f00"), since they do not fit the numbers of most readers.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/json/write.h"
#include "base/num/units.h"
#include "model/args/text.h"
#include "model/schema.h"
#include "writers/writer.h"

#define SCHEMA_VERSION 2

struct writing {
	struct pk_json_writer json;
	const struct pk_profile *p;
	struct pk_buf real, args;
};

static bool is_written(const struct writing *w, const struct pk_table *t, const struct pk_column *c)
{
	return c->type != PK_COL_NUMBERS && (!c->optional || *pk_column_at(w->p, t, c));
}

static void put_address(struct pk_json_writer *json, uint64_t address)
{
	char text[20];

	if (!address) {
		pk_json_null(json);
		return;
	}
	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	pk_json_text(json, text);
}

static void put_real(struct writing *w, double value)
{
	if (value - value != 0) { /* NaN or infinite */
		pk_json_null(&w->json);
		return;
	}
	w->real.len = 0;
	pk_format_real(&w->real, value);
	pk_json_raw(&w->json, w->real.data, w->real.len);
}

static void put_text(struct writing *w, uint32_t string)
{
	if (string)
		pk_json_text_len(&w->json, pk_text(w->p, string), w->p->string.len[string]);
	else
		pk_json_null(&w->json);
}

static void put_args(struct writing *w, uint32_t row)
{
	struct pk_json_slice text = pk_arg_text(w->p, row, &w->args);

	pk_json_text_len(&w->json, text.text, text.len);
}

static void put_value(struct writing *w, const struct pk_column *c, const void *column,
		      uint32_t row)
{
	switch (c->type) {
	case PK_COL_TEXT:
		if (column == w->p->arg.value && w->p->arg.numbers && w->p->arg.numbers[row])
			put_args(w, row);
		else
			put_text(w, ((const uint32_t *)column)[row]);
		break;
	case PK_COL_REF:
		pk_json_int_or_null(&w->json, ((const uint32_t *)column)[row]
						      ? ((const uint32_t *)column)[row]
						      : PK_NULL);
		break;
	case PK_COL_U32:
		pk_json_int(&w->json, ((const uint32_t *)column)[row]);
		break;
	case PK_COL_U64:
		put_address(&w->json, ((const uint64_t *)column)[row]);
		break;
	case PK_COL_I64:
		pk_json_int_or_null(&w->json, ((const int64_t *)column)[row]);
		break;
	case PK_COL_REAL:
		put_real(w, ((const double *)column)[row]);
		break;
	case PK_COL_ENUM:
		pk_json_text(&w->json, c->names[((const uint8_t *)column)[row]]);
		break;
	case PK_COL_U8:
		pk_json_int(&w->json, ((const uint8_t *)column)[row]);
		break;
	case PK_COL_NUMBERS:
	case PK_COL_BYTES:
		break;
	}
}

static void put_table(struct writing *w, const struct pk_table *t)
{
	uint32_t rows = pk_table_rows(w->p, t), row;
	int i;

	pk_json_put_object(&w->json, t->name);
	pk_json_put_flat_array(&w->json, "columns");
	for (i = 0; i < t->column_count; i++)
		if (is_written(w, t, &t->columns[i]))
			pk_json_text(&w->json, t->columns[i].name);
	pk_json_end(&w->json);
	pk_json_put_array(&w->json, "rows");
	for (row = 1; row < rows && !pk_output_failed(w->json.out); row++) {
		pk_json_flat_array(&w->json);
		for (i = 0; i < t->column_count; i++)
			if (is_written(w, t, &t->columns[i]))
				put_value(w, &t->columns[i], *pk_column_at(w->p, t, &t->columns[i]),
					  row);
		pk_json_end(&w->json);
	}
	pk_json_end(&w->json);
	pk_json_end(&w->json);
}

static int write_json(const struct pk_profiles *list, const void *params, struct pk_output *out,
		      struct pk_error *err)
{
	struct writing w = {.real = PK_BUF_INIT, .args = PK_BUF_INIT};
	size_t i;
	int t;

	(void)params;
	(void)err;
	pk_json_init(&w.json, out, 2);
	pk_json_object(&w.json);
	pk_json_put(&w.json, "schema %s version %u", "profkit.profile", SCHEMA_VERSION);
	pk_json_put_array(&w.json, "profiles");
	for (i = 0; i < list->count; i++) {
		w.p = list->item[i];
		pk_json_object(&w.json);
		for (t = 0; t < PK_TABLE_COUNT; t++)
			if (t != PK_TABLE_STRING && pk_table_rows(w.p, &pk_tables[t]) > 1)
				put_table(&w, &pk_tables[t]);
		pk_json_end(&w.json);
	}
	pk_json_end(&w.json);
	pk_json_end(&w.json);
	pk_buf_release(&w.real);
	pk_buf_release(&w.args);
	return 0;
}

static const char *const suffixes[] = {".profkit.json", NULL};

const struct pk_writer pk_writer_json = {
	.name = "json",
	.title = "all tables of profkit as JSON",
	.suffixes = suffixes,
	.keeps = ~0U,
	.many = true,
	.benchmarks = true,
	.write = write_json,
};
