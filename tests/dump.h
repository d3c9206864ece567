/* All tables of a profile as text, one row a line, column by column from the descriptors: the golden form of a
 * profile in tests. Texts are quoted, references are #id, values that are not known are "-". Strings stand where
 * they are used, so they have no table. */
#pragma once

#include <inttypes.h>
#include <math.h>

#include "base/io/output.h"
#include "model/args/text.h"
#include "model/schema.h"

/* Quotes; every byte that is not printable ASCII or part of valid UTF-8 as \xNN. */
static void dump_text(struct pk_output *out, const char *text, size_t len)
{
	size_t i = 0;

	pk_output_putc(out, '"');
	while (i < len) {
		uint32_t cp;
		bool valid;
		size_t n = pk_utf8_decode(text + i, len - i, &cp, &valid), k;

		if (valid && cp >= 0x20 && cp != '"' && cp != '\\' && (cp < 0x7F || cp > 0x9F))
			pk_output_write(out, text + i, n);
		else
			for (k = 0; k < n; k++)
				pk_output_printf(out, "\\x%02x", (unsigned char)text[i + k]);
		i += n;
	}
	pk_output_putc(out, '"');
}

static void dump_cell(const struct pk_profile *p, const struct pk_column *c, const void *column,
		      uint32_t row, struct pk_output *out)
{
	switch (c->type) {
	case PK_COL_BYTES:
		dump_text(out, p->string.text[row], p->string.len[row]);
		return;
	case PK_COL_TEXT: {
		uint32_t id = ((const uint32_t *)column)[row];

		if (id)
			dump_text(out, p->string.text[id], p->string.len[id]);
		else
			pk_output_putc(out, '-');
		return;
	}
	case PK_COL_NUMBERS: /* value has them */
		return;
	case PK_COL_REF:
		pk_output_printf(out, "#%" PRIu32, ((const uint32_t *)column)[row]);
		return;
	case PK_COL_U32:
		pk_output_printf(out, "%" PRIu32, ((const uint32_t *)column)[row]);
		return;
	case PK_COL_U64:
		pk_output_printf(out, "0x%" PRIx64, ((const uint64_t *)column)[row]);
		return;
	case PK_COL_I64: {
		int64_t v = ((const int64_t *)column)[row];

		if (v == PK_NULL)
			pk_output_putc(out, '-');
		else
			pk_output_printf(out, "%" PRId64, v);
		return;
	}
	case PK_COL_REAL: {
		double v = ((const double *)column)[row];

		if (isnan(v))
			pk_output_putc(out, '-');
		else
			pk_output_printf(out, "%.17g", v);
		return;
	}
	case PK_COL_ENUM:
		pk_output_puts(out, c->names[((const uint8_t *)column)[row]]);
		return;
	case PK_COL_U8:
		pk_output_printf(out, "%u", ((const uint8_t *)column)[row]);
		return;
	}
}

static void dump_args(const struct pk_profile *p, uint32_t row, struct pk_output *out)
{
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_json_slice text = pk_arg_text(p, row, &buf);

	dump_text(out, text.text, text.len);
	pk_buf_release(&buf);
}

/* Arguments that are kept as a pattern are shown as they were. */
static bool is_shown(const struct pk_profile *p, const struct pk_table *t,
		     const struct pk_column *c)
{
	return *pk_column_at(p, t, c) && c->type != PK_COL_NUMBERS;
}

static void dump_table(const struct pk_profile *p, const struct pk_table *t, struct pk_output *out)
{
	uint32_t rows = pk_table_rows(p, t), row;
	const struct pk_column *c;

	pk_output_printf(out, "%s %" PRIu32, t->name, rows - 1);
	for (c = t->columns; c < t->columns + t->column_count; c++)
		if (is_shown(p, t, c))
			pk_output_printf(out, " %s", c->name);
	pk_output_putc(out, '\n');
	for (row = 1; row < rows; row++) {
		pk_output_printf(out, "#%" PRIu32, row);
		for (c = t->columns; c < t->columns + t->column_count; c++) {
			if (!is_shown(p, t, c))
				continue;
			pk_output_putc(out, ' ');
			if (*pk_column_at(p, t, c) == p->arg.value && p->arg.value[row])
				dump_args(p, row, out);
			else
				dump_cell(p, c, *pk_column_at(p, t, c), row, out);
		}
		pk_output_putc(out, '\n');
	}
}

static void pk_profile_dump(const struct pk_profile *p, struct pk_output *out)
{
	const struct pk_table *t;

	for (t = pk_tables; t < pk_tables + PK_TABLE_COUNT; t++)
		if (t != &pk_tables[PK_TABLE_STRING] && pk_table_rows(p, t) > 1)
			dump_table(p, t, out);
}
