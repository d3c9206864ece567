/* Thrift's compact protocol: see thrift.h. Numbers are varints, signed ones in zigzag. */
#include "writers/parquet/thrift.h"

#include <string.h>

void pk_thrift_varint(struct pk_buf *buf, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		pk_buf_addc(buf, (char)(value | 0x80));
	pk_buf_addc(buf, (char)value);
}

static uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

/* Field 0 is an element of a list, which has no header. */
static void begin_field(struct pk_thrift *t, int field, enum pk_thrift_type type)
{
	if (!field)
		return;
	pk_buf_addc(&t->buf, (char)((field - t->last[t->depth]) << 4 | (int)type));
	t->last[t->depth] = field;
}

void pk_thrift_int(struct pk_thrift *t, int field, enum pk_thrift_type type, int64_t value)
{
	begin_field(t, field, type);
	pk_thrift_varint(&t->buf, zigzag(value));
}

void pk_thrift_binary(struct pk_thrift *t, int field, const void *data, size_t len)
{
	begin_field(t, field, PK_THRIFT_BINARY);
	pk_thrift_varint(&t->buf, len);
	if (len)
		pk_buf_add(&t->buf, data, len);
}

void pk_thrift_text(struct pk_thrift *t, int field, const char *text)
{
	pk_thrift_binary(t, field, text, strlen(text));
}

void pk_thrift_list(struct pk_thrift *t, int field, enum pk_thrift_type of, size_t count)
{
	begin_field(t, field, PK_THRIFT_LIST);
	if (count < 15) {
		pk_buf_addc(&t->buf, (char)(count << 4 | of));
	} else {
		pk_buf_addc(&t->buf, (char)(0xf0 | of));
		pk_thrift_varint(&t->buf, count);
	}
}

void pk_thrift_begin(struct pk_thrift *t, int field)
{
	begin_field(t, field, PK_THRIFT_STRUCT);
	t->last[++t->depth] = 0;
}

void pk_thrift_end(struct pk_thrift *t)
{
	pk_buf_addc(&t->buf, 0);
	if (t->depth)
		t->depth--;
}
