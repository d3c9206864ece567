/*
 * A column chunk of Parquet: a page with the dictionary, if there is one, and a page with the
 * values of all rows. A page is a header in Thrift and, packed,
 *
 *	4 bytes         length of the definition levels, if the column may have nulls
 *	levels          1 = there is a value, 0 = null: in Parquet's mixture of runs and packed bits
 *	values          PLAIN: little-endian; texts with 4 bytes of length before each
 *	                dictionary: 1 byte with the number of bits, then places in the
 *	                dictionary, in the same mixture
 */
#include "writers/parquet/chunk.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <zstd.h>

#include "base/alloc.h"
#include "model/args/text.h"
#include "writers/parquet/thrift.h"

enum { LEVEL = 3, LONG_BOUND = 64 };
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

struct page {
	int type, encoding;
	uint32_t values;
	struct pk_buf bytes;
};

struct encoder {
	const struct pk_parquet_field *field;
	const struct pk_parquet_rows *rows;
	struct pk_parquet_chunk *chunk;
	struct pk_buf plain; /* values, or the dictionary */
	uint32_t *number, *numbers,
		entries; /* by value, counted from 1; by row; of the dictionary */
	uint8_t *known;  /* by row */
	uint32_t present;
};

static void add_le(struct pk_buf *buf, uint64_t value, int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		pk_buf_addc(buf, (char)value);
}

/* Numbers of `bits` bits, packed from the lowest bit on, or one run if all are the same. */
static void add_packed(struct pk_buf *buf, const uint32_t *number, uint32_t count, int bits)
{
	uint64_t word = 0;
	uint32_t i = 1;
	int filled = 0;

	while (i < count && number[i] == number[0])
		i++;
	if (count && i >= count) {
		pk_thrift_varint(buf, (uint64_t)count << 1);
		add_le(buf, number[0], (bits + 7) / 8);
		return;
	}
	pk_thrift_varint(buf, (uint64_t)(count + 7) / 8 << 1 | 1);
	for (i = 0; i < (count + 7) / 8 * 8; i++) {
		word |= (uint64_t)(i < count ? number[i] : 0) << filled;
		for (filled += bits; filled >= 8; filled -= 8, word >>= 8)
			pk_buf_addc(buf, (char)word);
	}
}

static int add_page(struct pk_parquet_chunk *chunk, const struct page *page, struct pk_error *err)
{
	struct pk_thrift t = PK_THRIFT_INIT;
	size_t room = ZSTD_compressBound(page->bytes.len), packed;
	PK_FREED char *data = NULL;

	if (page->bytes.len > INT_MAX || room > INT_MAX)
		return pk_fail(err, PK_ELIMIT, "texts are too long for a page of Parquet (2 GB)");
	data = pk_malloc(room);
	packed = ZSTD_compress(data, room, page->bytes.len ? page->bytes.data : "", page->bytes.len,
			       LEVEL);
	if (ZSTD_isError(packed))
		return pk_fail(err, PK_EIO, "compressing with zstd: %s", ZSTD_getErrorName(packed));
	pk_thrift_int(&t, 1, PK_THRIFT_I32, page->type);
	pk_thrift_int(&t, 2, PK_THRIFT_I32, (int64_t)page->bytes.len);
	pk_thrift_int(&t, 3, PK_THRIFT_I32, (int64_t)packed);
	pk_thrift_begin(&t, page->type == DATA_PAGE ? 5 : 7);
	pk_thrift_int(&t, 1, PK_THRIFT_I32, page->values);
	pk_thrift_int(&t, 2, PK_THRIFT_I32, page->encoding);
	if (page->type == DATA_PAGE) {
		pk_thrift_int(&t, 3, PK_THRIFT_I32, PK_PARQUET_RLE);
		pk_thrift_int(&t, 4, PK_THRIFT_I32, PK_PARQUET_RLE);
	}
	pk_thrift_end(&t);
	pk_thrift_end(&t);
	chunk->unpacked += t.buf.len + page->bytes.len;
	pk_buf_add(&chunk->bytes, t.buf.data, t.buf.len);
	pk_buf_add(&chunk->bytes, data, packed);
	pk_buf_release(&t.buf);
	return 0;
}

static void set_bound(struct pk_buf *bound, const void *data, size_t len)
{
	pk_buf_release(bound);
	*bound = (struct pk_buf)PK_BUF_INIT;
	if (len)
		pk_buf_add(bound, data, len);
}

/* Returns < 0, 0 or > 0, by the order that Parquet has for the type. */
static int compare(const struct pk_parquet_field *f, const struct pk_buf *bound, const char *data,
		   size_t len)
{
	size_t shorter = len < bound->len ? len : bound->len;
	int order = 0;

	if (f->type == PK_PARQUET_BYTES) {
		order = shorter ? memcmp(bound->data, data, shorter) : 0;
		return order ? order : (bound->len > len) - (bound->len < len);
	}
	if (f->type == PK_PARQUET_DOUBLE) {
		double a, b;

		memcpy(&a, bound->data, sizeof(a));
		memcpy(&b, data, sizeof(b));
		return (a > b) - (a < b);
	}
	for (size_t i = len; !order && i--;) {
		int sign = i + 1 == len && f->converted < 0 ? 0x80 : 0;
		int a = (unsigned char)bound->data[i] ^ sign, b = (unsigned char)data[i] ^ sign;

		order = a - b;
	}
	return order;
}

static void widen_bounds(struct encoder *e, const char *data, size_t len)
{
	struct pk_parquet_chunk *c = e->chunk;

	if (!c->has_bounds || compare(e->field, &c->least, data, len) > 0)
		set_bound(&c->least, data, len);
	if (!c->has_bounds || compare(e->field, &c->most, data, len) < 0)
		set_bound(&c->most, data, len);
	c->has_bounds = true;
}

/* Zeros of both signs are equal; Parquet wants the lesser one below and the larger one above. */
static void finish_bounds(struct encoder *e)
{
	struct pk_parquet_chunk *c = e->chunk;
	double least, most;

	if (c->least.len > LONG_BOUND || c->most.len > LONG_BOUND)
		c->has_bounds = false;
	if (e->field->type != PK_PARQUET_DOUBLE || !c->has_bounds)
		return;
	memcpy(&least, c->least.data, sizeof(least));
	memcpy(&most, c->most.data, sizeof(most));
	least = least == 0 ? -0.0 : least;
	most = most == 0 ? 0.0 : most;
	set_bound(&c->least, &least, sizeof(least));
	set_bound(&c->most, &most, sizeof(most));
}

static void add_text(struct encoder *e, const char *text, size_t len)
{
	PK_BUF_AUTO repaired = PK_BUF_INIT;

	if (!pk_utf8_valid(text, len)) {
		pk_utf8_repair(&repaired, text, len);
		text = repaired.data;
		len = repaired.len;
	}
	add_le(&e->plain, len, 4);
	if (len)
		pk_buf_add(&e->plain, text, len);
	widen_bounds(e, text, len);
}

static void add_number(struct encoder *e, uint64_t value)
{
	int bytes = e->field->type == PK_PARQUET_INT32 ? 4 : 8;
	size_t at = e->plain.len;

	add_le(&e->plain, value, bytes);
	widen_bounds(e, e->plain.data + at, (size_t)bytes);
}

/* A text of the profile or of an enumeration: each is in the dictionary once. */
static void add_entry(struct encoder *e, uint64_t value)
{
	const struct pk_column *c = e->field->column;
	const struct pk_profile *p = e->rows->profile;

	if (!e->number[value]) {
		e->number[value] = ++e->entries;
		if (c->type == PK_COL_TEXT)
			add_text(e, pk_text(p, (uint32_t)value), p->string.len[value]);
		else
			add_text(e, c->names[value], strlen(c->names[value]));
	}
	e->numbers[e->present] = e->number[value] - 1;
}

static void add_list(struct encoder *e, uint32_t place)
{
	char text[PK_ARG_LIST];
	int64_t numbers[PK_MOST_NUMBERS];
	int count = pk_arg_unpack(&e->rows->profile->arg, place, numbers);

	add_text(e, text, pk_arg_list(text, numbers, count));
}

static bool is_null(const struct pk_column *c, uint64_t value)
{
	double real;

	switch (c->type) {
	case PK_COL_TEXT:
	case PK_COL_REF:
	case PK_COL_U64:
	case PK_COL_NUMBERS:
		return !value;
	case PK_COL_I64:
		return value == (uint64_t)PK_NULL;
	case PK_COL_REAL:
		memcpy(&real, &value, sizeof(real));
		return isnan(real);
	default:
		return false;
	}
}

static void add_value(struct encoder *e, uint32_t row)
{
	const struct pk_column *c = e->field->column;
	uint64_t value;
	const void *data;

	if (e->field->source != PK_PARQUET_COLUMN) {
		add_number(e, e->field->source == PK_PARQUET_ID ? row : e->rows->run);
	} else {
		data = *(void *const *)((const char *)e->rows->table + c->offset);
		value = data ? pk_column_get(c, data, row) : pk_column_default(c);
		if (is_null(c, value))
			return;
		if (e->field->has_dictionary)
			add_entry(e, value);
		else if (c->type == PK_COL_NUMBERS)
			add_list(e, (uint32_t)value);
		else
			add_number(e, value);
	}
	e->known[row - e->rows->from] = 1;
	e->present++;
}

static void add_levels(struct encoder *e, struct pk_buf *page)
{
	uint32_t count = e->rows->to - e->rows->from;
	uint32_t *level = pk_malloc(pk_mul(count + 1, sizeof(*level)));
	PK_BUF_AUTO levels = PK_BUF_INIT;

	for (uint32_t i = 0; i < count; i++)
		level[i] = e->known[i];
	add_packed(&levels, level, count, 1);
	free(level);
	add_le(page, levels.len, 4);
	pk_buf_add(page, levels.data, levels.len);
}

static int bits_for(uint32_t entries)
{
	int bits = 1;

	while (entries > 1 && (entries - 1) >> bits)
		bits++;
	return bits;
}

static int add_pages(struct encoder *e, struct pk_error *err)
{
	struct page page = {DATA_PAGE, PK_PARQUET_PLAIN, e->rows->to - e->rows->from, PK_BUF_INIT};
	int status = 0, bits = bits_for(e->entries);

	if (e->field->optional)
		add_levels(e, &page.bytes);
	if (e->field->has_dictionary) {
		struct page entries = {DICTIONARY_PAGE, PK_PARQUET_PLAIN, e->entries, e->plain};

		status = add_page(e->chunk, &entries, err);
		e->chunk->dictionary = e->chunk->bytes.len;
		page.encoding = PK_PARQUET_DICTIONARY;
		pk_buf_addc(&page.bytes, (char)bits);
		add_packed(&page.bytes, e->numbers, e->present, bits);
	} else if (e->plain.len) {
		pk_buf_add(&page.bytes, e->plain.data, e->plain.len);
	}
	if (!status)
		status = add_page(e->chunk, &page, err);
	pk_buf_release(&page.bytes);
	return status;
}

int pk_parquet_chunk(struct pk_parquet_chunk *chunk, const struct pk_parquet_field *field,
		     const struct pk_parquet_rows *rows, struct pk_error *err)
{
	struct encoder e = {.field = field, .rows = rows, .chunk = chunk};
	uint32_t count = rows->to - rows->from;
	int status;

	*chunk = (struct pk_parquet_chunk){0};
	e.known = pk_calloc(count + 1, 1);
	if (field->has_dictionary) {
		size_t values = field->column->type == PK_COL_TEXT ? rows->profile->string.count
								   : UINT8_MAX + 1;

		e.number = pk_calloc(values, sizeof(*e.number));
		e.numbers = pk_malloc(pk_mul(count + 1, sizeof(*e.numbers)));
	}
	for (uint32_t row = rows->from; row < rows->to; row++)
		add_value(&e, row);
	chunk->nulls = count - e.present;
	finish_bounds(&e);
	status = add_pages(&e, err);
	pk_buf_release(&e.plain);
	free(e.known);
	free(e.number);
	free(e.numbers);
	return status;
}

void pk_parquet_chunk_release(struct pk_parquet_chunk *chunk)
{
	pk_buf_release(&chunk->bytes);
	pk_buf_release(&chunk->least);
	pk_buf_release(&chunk->most);
}
