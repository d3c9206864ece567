#pragma once

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num/hash.h"
#include "base/text/str.h"

/*
 * Protocol buffers in wire format, without a schema: a message is fields in any order, each with
 * its number. Nothing is read beyond the end of a message, and nothing is copied.
 *
 *	struct pk_proto m = pk_proto(data, len), list;
 *	struct pk_proto_field f;
 *	while (pk_proto_next(&m, &f)) {
 *		if (f.number == 2 && f.wire == PK_PROTO_BYTES)
 *			read_sample(f.bytes, f.value);
 *		if (f.number == 13)
 *			for (list = pk_proto_list(&f); pk_proto_varint(&list, &number);)
 *				...;
 *	}
 *	if (m.problem)
 *		pk_fail(err, PK_EFORMAT, "byte %zu: %s", (size_t)(m.at - data), m.problem);
 */
enum pk_proto_wire {
	PK_PROTO_VARINT = 0,
	PK_PROTO_FIXED64 = 1,
	PK_PROTO_BYTES = 2, /* texts, messages, packed lists */
	PK_PROTO_FIXED32 = 5,
};

struct pk_proto {
	const uint8_t *at, *end;
	const char *problem; /* what is wrong with the message, or NULL; `at` is the place */
};

struct pk_proto_field {
	uint32_t number;
	enum pk_proto_wire wire;
	uint64_t value; /* the number; of bytes their length */
	const uint8_t *bytes;
};

static inline struct pk_proto pk_proto(const uint8_t *data, uint64_t len)
{
	return (struct pk_proto){.at = data, .end = len ? data + len : data};
}

/* Reads the next field. Returns false at the end, or with m->problem set if the message is
 * damaged. */
static inline bool pk_proto_next(struct pk_proto *m, struct pk_proto_field *f);

/* The types that fields of a message must have, as bits by field number: 0x6 is fields 1 and 2. */
struct pk_proto_shape {
	uint32_t numbers, bytes, lists, fixed;
};
/* True if the shape has this field and the field has the type that the shape gives. */
bool pk_proto_fits(const struct pk_proto_field *f, const struct pk_proto_shape *shape);
/* Reads the next field that the shape has. A field of another type sets m->problem. */
bool pk_proto_next_of(struct pk_proto *m, struct pk_proto_field *f,
		      const struct pk_proto_shape *shape);

/* Reads a varint of up to eight bytes, where eight bytes can be read: the lowest seven bits of each
 * byte, up to the first byte whose highest bit is 0. */
static inline bool pk_proto_short_varint(struct pk_proto *m, uint64_t *value)
{
	uint64_t bytes = le64toh(pk_load64(m->at)), ends = ~bytes & 0x8080808080808080;

	if (!ends)
		return false;
	m->at += __builtin_ctzll(ends) / 8 + 1;
	bytes &= (ends ^ (ends - 1)) & 0x7F7F7F7F7F7F7F7F;
	bytes = (bytes & 0x007F007F007F007F) | (bytes & 0x7F007F007F007F00) >> 1;
	bytes = (bytes & 0x00003FFF00003FFF) | (bytes & 0x3FFF00003FFF0000) >> 2;
	*value = (bytes & 0x0FFFFFFF) | (bytes & 0x0FFFFFFF00000000) >> 4;
	return true;
}

/* A varint of several bytes. */
bool pk_proto_long_varint(struct pk_proto *m, uint64_t *value);
static inline bool pk_proto_varint(struct pk_proto *m, uint64_t *value)
{
	if (m->at < m->end && *m->at < 0x80) {
		*value = *m->at++;
		return true;
	}
	if (m->end - m->at >= 8 && pk_proto_short_varint(m, value))
		return true;
	return pk_proto_long_varint(m, value);
}

/* A field of any kind. */
bool pk_proto_long_next(struct pk_proto *m, struct pk_proto_field *f);
/* Most fields have a key, and a number or length, of one or two bytes. */
static inline bool pk_proto_next(struct pk_proto *m, struct pk_proto_field *f)
{
	const uint8_t *at = m->at;
	uint32_t key, value;

	if (at == m->end)
		return false;
	if (m->end - at < 2)
		return pk_proto_long_next(m, f);
	key = *at++;
	if (key > 0x7F) {
		if (*at > 0x7F || m->end - at < 2)
			return pk_proto_long_next(m, f);
		key = (key & 0x7F) | (uint32_t)*at++ << 7;
	}
	f->number = key >> 3;
	f->bytes = at;
	value = *at++;
	if (value > 0x7F) {
		if (at == m->end)
			return pk_proto_long_next(m, f);
		if (*at > 0x7F && (key & 7) == PK_PROTO_VARINT && f->number) {
			m->at = f->bytes;
			f->wire = PK_PROTO_VARINT;
			if (m->end - m->at >= 8 && pk_proto_short_varint(m, &f->value))
				return true;
			return pk_proto_long_varint(m, &f->value);
		}
		if (*at > 0x7F)
			return pk_proto_long_next(m, f);
		value = (value & 0x7F) | (uint32_t)*at++ << 7;
	}
	f->value = value;
	if ((key & 7) == PK_PROTO_VARINT && f->number) {
		f->wire = PK_PROTO_VARINT;
		m->at = at;
		return true;
	}
	if ((key & 7) == PK_PROTO_BYTES && f->number && value <= (size_t)(m->end - at)) {
		f->wire = PK_PROTO_BYTES;
		f->bytes = at;
		m->at = at + value;
		return true;
	}
	return pk_proto_long_next(m, f);
}

/* Skips the short messages of this field, of a number below 16, that come next: their content is
 * read later or not at all. */
static inline void pk_proto_skip_short(struct pk_proto *m, uint32_t field)
{
	const uint8_t *at = m->at, *end = m->end;

	while (end - at >= 2 && at[0] == (field << 3 | PK_PROTO_BYTES) && at[1] < 0x80 &&
	       at[1] <= end - at - 2)
		at += 2 + at[1];
	m->at = at;
}

/* The varints of a repeated field, packed or not, for pk_proto_varint. f is the field that
 * pk_proto_next gave last; a list may come in several fields. */
struct pk_proto pk_proto_list(const struct pk_proto_field *f);

/* Writing. proto3 leaves out fields that are 0 or empty; these functions write them. */
void pk_proto_put_varint(struct pk_buf *buf, uint64_t value);
void pk_proto_put_number(struct pk_buf *buf, uint32_t field, uint64_t value);
void pk_proto_put_bytes(struct pk_buf *buf, uint32_t field, const void *data, size_t len);
