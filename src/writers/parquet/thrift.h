#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/str.h"

/* Writes structs in Thrift's compact protocol, in which the metadata of Parquet is. */
enum pk_thrift_type {
	PK_THRIFT_I32 = 5,
	PK_THRIFT_I64 = 6,
	PK_THRIFT_BINARY = 8,
	PK_THRIFT_LIST = 9,
	PK_THRIFT_STRUCT = 12,
};

struct pk_thrift {
	struct pk_buf buf;
	int last[8], depth; /* the last field of each struct that is open */
};

#define PK_THRIFT_INIT             \
	{                          \
		.buf = PK_BUF_INIT \
	}

void pk_thrift_varint(struct pk_buf *buf, uint64_t value);
/* Fields of a struct come in the order of their numbers. */
void pk_thrift_int(struct pk_thrift *t, int field, enum pk_thrift_type type, int64_t value);
void pk_thrift_binary(struct pk_thrift *t, int field, const void *data, size_t len);
void pk_thrift_text(struct pk_thrift *t, int field, const char *text);
/* Its `count` elements follow: ints and texts of field 0, or structs that are begun with field
 * 0. */
void pk_thrift_list(struct pk_thrift *t, int field, enum pk_thrift_type of, size_t count);
void pk_thrift_begin(struct pk_thrift *t, int field);
void pk_thrift_end(struct pk_thrift *t); /* also of the outermost struct, which is not begun */
