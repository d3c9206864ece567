/*
 * Protocol buffers in wire format (protobuf.dev/programming-guides/encoding), for pprof and
 * OpenTelemetry.
 *
 *	08 96 01            field 1, a varint: 150
 *	12 03 61 62 63      field 2, bytes: "abc"
 *
 * The lowest three bits of a key say what follows: 0 a varint, 1 eight bytes, 2 a length and bytes,
 * 5 four bytes. Groups (3 and 4), which proto3 does not have, are an error.
 */
#include <endian.h>

#include "base/protobuf.h"

#include "base/num/hash.h"

enum { LONGEST_VARINT = 10 };

static bool fail(struct pk_proto *m, const uint8_t *at, const char *problem)
{
	m->at = at;
	m->problem = problem;
	return false;
}

bool pk_proto_long_varint(struct pk_proto *m, uint64_t *value)
{
	const uint8_t *at = m->at;

	*value = 0;
	if (at == m->end)
		return false;
	for (unsigned i = 0; i < LONGEST_VARINT && at < m->end; i++) {
		*value |= (uint64_t)(*at & 0x7F) << 7 * i;
		if (*at++ < 0x80) {
			m->at = at;
			return true;
		}
	}
	return fail(m, m->at, at < m->end ? "number of more than 10 bytes" : "number is cut off");
}

static bool fixed(struct pk_proto *m, struct pk_proto_field *f, size_t size)
{
	if ((size_t)(m->end - m->at) < size)
		return fail(m, m->at, "number is cut off");
	f->value = size == 8 ? le64toh(pk_load64(m->at)) : le32toh(pk_load32(m->at));
	m->at += size;
	return true;
}

static bool bytes(struct pk_proto *m, struct pk_proto_field *f)
{
	const uint8_t *begin = m->at;

	if (!pk_proto_varint(m, &f->value))
		return m->problem ? false : fail(m, begin, "length is missing");
	if (f->value > (uint64_t)(m->end - m->at))
		return fail(m, begin, "length goes beyond the end");
	f->bytes = m->at;
	m->at += f->value;
	return true;
}

bool pk_proto_long_next(struct pk_proto *m, struct pk_proto_field *f)
{
	const uint8_t *begin = m->at;
	uint64_t key;

	if (!pk_proto_varint(m, &key))
		return false;
	if (key >> 3 == 0 || key > UINT32_MAX)
		return fail(m, begin, "field has an impossible number");
	f->number = (uint32_t)(key >> 3);
	f->wire = (enum pk_proto_wire)(key & 7);
	f->bytes = m->at;
	switch (f->wire) {
	case PK_PROTO_VARINT:
		if (pk_proto_varint(m, &f->value))
			return true;
		return m->problem ? false : fail(m, m->at, "number is missing");
	case PK_PROTO_FIXED64:
		return fixed(m, f, 8);
	case PK_PROTO_BYTES:
		return bytes(m, f);
	case PK_PROTO_FIXED32:
		return fixed(m, f, 4);
	}
	return fail(m, begin, "field of an unknown type");
}

bool pk_proto_fits(const struct pk_proto_field *f, const struct pk_proto_shape *shape)
{
	uint32_t bit = f->number < 32 ? 1U << f->number : 0;

	switch (f->wire) {
	case PK_PROTO_VARINT:
		return (shape->numbers | shape->lists) & bit;
	case PK_PROTO_BYTES:
		return (shape->bytes | shape->lists) & bit;
	default:
		return shape->fixed & bit;
	}
}

bool pk_proto_next_of(struct pk_proto *m, struct pk_proto_field *f,
		      const struct pk_proto_shape *shape)
{
	uint32_t known = shape->numbers | shape->bytes | shape->lists | shape->fixed;

	while (pk_proto_next(m, f))
		if (f->number < 32 && known >> f->number & 1)
			return pk_proto_fits(f, shape) ||
			       fail(m, f->bytes, "field of another type");
	return false;
}

struct pk_proto pk_proto_list(const struct pk_proto_field *f)
{
	if (f->wire == PK_PROTO_BYTES)
		return pk_proto(f->bytes, f->value);
	if (f->wire != PK_PROTO_VARINT)
		return pk_proto(f->bytes, 0);
	for (const uint8_t *at = f->bytes;; at++)
		if (*at < 0x80)
			return pk_proto(f->bytes, (uint64_t)(at + 1 - f->bytes));
}

void pk_proto_put_varint(struct pk_buf *buf, uint64_t value)
{
	char *end = pk_buf_room(buf, LONGEST_VARINT);

	for (; value > 0x7F; value >>= 7, buf->len++)
		*end++ = (char)(value | 0x80);
	*end++ = (char)value;
	*end = '\0';
	buf->len++;
}

void pk_proto_put_number(struct pk_buf *buf, uint32_t field, uint64_t value)
{
	pk_proto_put_varint(buf, (uint64_t)field << 3 | PK_PROTO_VARINT);
	pk_proto_put_varint(buf, value);
}

void pk_proto_put_bytes(struct pk_buf *buf, uint32_t field, const void *data, size_t len)
{
	pk_proto_put_varint(buf, (uint64_t)field << 3 | PK_PROTO_BYTES);
	pk_proto_put_varint(buf, len);
	pk_buf_add(buf, data, len);
}
