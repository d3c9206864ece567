/*
 * Tables of profiles as files of Apache Parquet: see parquet.h.
 *
 *	PAR1
 *	row group       for each column a chunk (chunk.c)
 *	row group
 *	footer          FileMetaData in Thrift's compact protocol
 *	4 bytes         length of the footer
 *	PAR1
 */
#include "writers/parquet/parquet.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "model/schema.h"
#include "writers/parquet/chunk.h"
#include "writers/parquet/thrift.h"

enum { MOST_FIELDS = 32, GROUP_ROWS = 1 << 20, GROUP_TEXT = 1 << 28 };
enum { UTF8 = 0, UINT_8 = 11, UINT_32 = 13, UINT_64 = 14, NO_CONVERSION = -1 };

struct file {
	struct pk_parquet_field field[MOST_FIELDS];
	size_t fields;
	struct pk_output *out;
	uint64_t place, rows;
	struct pk_thrift groups; /* row groups for the footer, without the header of their list */
	size_t group_count;
};

static void describe(struct pk_parquet_field *f)
{
	f->name = f->column->name;
	f->optional = true;
	f->converted = NO_CONVERSION;
	switch (f->column->type) {
	case PK_COL_TEXT:
	case PK_COL_NUMBERS:
	case PK_COL_BYTES:
		f->type = PK_PARQUET_BYTES;
		f->converted = UTF8;
		f->has_dictionary = f->column->type == PK_COL_TEXT;
		break;
	case PK_COL_ENUM:
		f->type = PK_PARQUET_BYTES;
		f->converted = UTF8;
		f->has_dictionary = true;
		f->optional = false;
		break;
	case PK_COL_REF:
	case PK_COL_U32:
		f->type = PK_PARQUET_INT32;
		f->converted = UINT_32;
		f->optional = f->column->type == PK_COL_REF;
		break;
	case PK_COL_U8:
		f->type = PK_PARQUET_INT32;
		f->converted = UINT_8;
		f->optional = false;
		break;
	case PK_COL_U64:
		f->type = PK_PARQUET_INT64;
		f->converted = UINT_64;
		break;
	case PK_COL_I64:
		f->type = PK_PARQUET_INT64;
		break;
	case PK_COL_REAL:
		f->type = PK_PARQUET_DOUBLE;
		break;
	}
}

static void find_fields(struct file *f, const struct pk_table *table)
{
	f->field[f->fields++] = (struct pk_parquet_field){.name = "run",
							  .source = PK_PARQUET_RUN,
							  .type = PK_PARQUET_INT32,
							  .converted = UINT_32};
	if (table->has_id)
		f->field[f->fields++] = (struct pk_parquet_field){.name = "id",
								  .source = PK_PARQUET_ID,
								  .type = PK_PARQUET_INT32,
								  .converted = UINT_32};
	for (int i = 0; i < table->column_count && f->fields < MOST_FIELDS; i++) {
		struct pk_parquet_field *field = &f->field[f->fields++];

		field->source = PK_PARQUET_COLUMN;
		field->column = &table->columns[i];
		describe(field);
	}
}

static void write_bytes(struct file *f, const void *data, size_t len)
{
	pk_output_write(f->out, data, len);
	f->place += len;
}

static void add_statistics(struct pk_thrift *t, const struct pk_parquet_chunk *c)
{
	pk_thrift_begin(t, 12);
	pk_thrift_int(t, 3, PK_THRIFT_I64, (int64_t)c->nulls);
	if (c->has_bounds) {
		pk_thrift_binary(t, 5, c->most.data, c->most.len);
		pk_thrift_binary(t, 6, c->least.data, c->least.len);
	}
	pk_thrift_end(t);
}

static void describe_chunk(struct pk_thrift *t, const struct pk_parquet_field *field,
			   const struct pk_parquet_chunk *c, uint64_t place, uint32_t rows)
{
	pk_thrift_begin(t, 0);
	pk_thrift_int(t, 2, PK_THRIFT_I64, (int64_t)place);
	pk_thrift_begin(t, 3);
	pk_thrift_int(t, 1, PK_THRIFT_I32, field->type);
	pk_thrift_list(t, 2, PK_THRIFT_I32, field->has_dictionary ? 3 : 2);
	pk_thrift_int(t, 0, PK_THRIFT_I32, PK_PARQUET_PLAIN);
	pk_thrift_int(t, 0, PK_THRIFT_I32, PK_PARQUET_RLE);
	if (field->has_dictionary)
		pk_thrift_int(t, 0, PK_THRIFT_I32, PK_PARQUET_DICTIONARY);
	pk_thrift_list(t, 3, PK_THRIFT_BINARY, 1);
	pk_thrift_text(t, 0, field->name);
	pk_thrift_int(t, 4, PK_THRIFT_I32, PK_PARQUET_ZSTD);
	pk_thrift_int(t, 5, PK_THRIFT_I64, rows);
	pk_thrift_int(t, 6, PK_THRIFT_I64, (int64_t)c->unpacked);
	pk_thrift_int(t, 7, PK_THRIFT_I64, (int64_t)c->bytes.len);
	pk_thrift_int(t, 9, PK_THRIFT_I64, (int64_t)(place + c->dictionary));
	if (c->dictionary)
		pk_thrift_int(t, 11, PK_THRIFT_I64, (int64_t)place);
	add_statistics(t, c);
	pk_thrift_end(t);
	pk_thrift_end(t);
}

static int write_group(struct file *f, const struct pk_parquet_rows *rows, struct pk_error *err)
{
	struct pk_thrift *t = &f->groups;
	uint32_t count = rows->to - rows->from;
	uint64_t unpacked = 0;
	int status = 0;

	pk_thrift_begin(t, 0);
	pk_thrift_list(t, 1, PK_THRIFT_STRUCT, f->fields);
	for (size_t i = 0; !status && i < f->fields; i++) {
		struct pk_parquet_chunk chunk;

		status = pk_parquet_chunk(&chunk, &f->field[i], rows, err);
		if (!status) {
			describe_chunk(t, &f->field[i], &chunk, f->place, count);
			write_bytes(f, chunk.bytes.data, chunk.bytes.len);
			unpacked += chunk.unpacked;
		}
		pk_parquet_chunk_release(&chunk);
	}
	pk_thrift_int(t, 2, PK_THRIFT_I64, (int64_t)unpacked);
	pk_thrift_int(t, 3, PK_THRIFT_I64, count);
	pk_thrift_end(t);
	f->rows += count;
	f->group_count++;
	return status;
}

/* The end of the group that begins with row `from`: texts of a group fit pages. */
static uint32_t group_end(const struct pk_parquet_rows *of, const struct pk_table *table)
{
	uint32_t rows = *(const uint32_t *)of->table, from = of->from, row = from;
	uint64_t text = 0;

	for (; row < rows && row - from < GROUP_ROWS && (row == from || text < GROUP_TEXT); row++) {
		for (int i = 0; i < table->column_count; i++) {
			const struct pk_column *c = &table->columns[i];
			const uint32_t *data =
				*(uint32_t *const *)((const char *)of->table + c->offset);

			if (c->type == PK_COL_TEXT && data)
				text += of->profile->string.len[data[row]];
		}
	}
	return row;
}

static void add_schema(struct pk_thrift *t, const struct file *f)
{
	pk_thrift_list(t, 2, PK_THRIFT_STRUCT, f->fields + 1);
	pk_thrift_begin(t, 0);
	pk_thrift_text(t, 4, "schema");
	pk_thrift_int(t, 5, PK_THRIFT_I32, (int64_t)f->fields);
	pk_thrift_end(t);
	for (size_t i = 0; i < f->fields; i++) {
		const struct pk_parquet_field *field = &f->field[i];

		pk_thrift_begin(t, 0);
		pk_thrift_int(t, 1, PK_THRIFT_I32, field->type);
		pk_thrift_int(t, 3, PK_THRIFT_I32, field->optional);
		pk_thrift_text(t, 4, field->name);
		if (field->converted != NO_CONVERSION)
			pk_thrift_int(t, 6, PK_THRIFT_I32, field->converted);
		pk_thrift_end(t);
	}
}

static int write_footer(struct file *f, struct pk_error *err)
{
	struct pk_thrift t = PK_THRIFT_INIT;
	uint8_t length[4];
	int status = 0;

	pk_thrift_int(&t, 1, PK_THRIFT_I32, 1);
	add_schema(&t, f);
	pk_thrift_int(&t, 3, PK_THRIFT_I64, (int64_t)f->rows);
	pk_thrift_list(&t, 4, PK_THRIFT_STRUCT, f->group_count);
	if (f->groups.buf.len)
		pk_buf_add(&t.buf, f->groups.buf.data, f->groups.buf.len);
	pk_thrift_text(&t, 6, "profkit");
	/* Statistics are in the order of the types. */
	pk_thrift_list(&t, 7, PK_THRIFT_STRUCT, f->fields);
	for (size_t i = 0; i < f->fields; i++) {
		pk_thrift_begin(&t, 0);
		pk_thrift_begin(&t, 1);
		pk_thrift_end(&t);
		pk_thrift_end(&t);
	}
	pk_thrift_end(&t);
	if (t.buf.len > INT_MAX)
		status = pk_fail(err, PK_ELIMIT, "too many row groups for a file of Parquet");
	for (int i = 0; i < 4; i++)
		length[i] = (uint8_t)(t.buf.len >> 8 * i);
	write_bytes(f, t.buf.data, t.buf.len);
	write_bytes(f, length, sizeof(length));
	write_bytes(f, "PAR1", 4);
	pk_buf_release(&t.buf);
	return status;
}

static int write_rows(struct file *f, struct pk_parquet_rows *rows, const struct pk_table *table,
		      struct pk_error *err)
{
	int status = 0;

	for (rows->from = 1; !status && rows->from < *(const uint32_t *)rows->table;
	     rows->from = rows->to) {
		rows->to = group_end(rows, table);
		status = write_group(f, rows, err);
	}
	return status;
}

int pk_parquet_write(const struct pk_profiles *list, const struct pk_table *table,
		     struct pk_output *out, struct pk_error *err)
{
	struct file f = {.out = out, .groups = PK_THRIFT_INIT};
	int status = 0;

	find_fields(&f, table);
	write_bytes(&f, "PAR1", 4);
	for (size_t i = 0; i < list->count && !status; i++) {
		const struct pk_profile *p = list->item[i];
		struct pk_parquet_rows rows = {.profile = p, .run = (uint32_t)i + 1};
		struct pk_function_total_table totals = {0};

		if (table == &pk_function_total) {
			pk_function_totals_init(&totals, p);
			rows.table = &totals;
		} else {
			rows.table = pk_table_at(p, table);
		}
		status = write_rows(&f, &rows, table, err);
		pk_function_totals_release(&totals);
	}
	if (!status)
		status = write_footer(&f, err);
	pk_buf_release(&f.groups.buf);
	return status;
}
