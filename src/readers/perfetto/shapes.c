/*
 * Arguments that differ from earlier ones in numbers only, as most do:
 *
 *	debug_annotations { name_iid: 1 int_value: 512 }
 *	debug_annotations { name_iid: 2 string_value_iid: 9 }
 *
 *	debug_annotations { name_iid: 1 int_value: 640 }
 *	debug_annotations { name_iid: 2 string_value_iid: 9 }
 *
 * What both share is the key of a shape, which has the pattern (model/args/text.h) of the first
 * text. Of later events only the numbers are read, and no text is made. What a number of interned
 * data stands for does not change in one state of a sequence; both are in the key.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/perfetto/internal.h"

enum { INLINE_PLACE = 33, PLACE, CORRELATION = 52, CORRELATION_TEXT, CORRELATION_IID };
enum { MOST_SHAPES = 1 << 15 };
enum { STATE = 8 }; /* bytes of the key that are not of arguments */

struct pk_perfetto_shape {
	size_t key; /* place in x->keys */
	uint64_t named;
	uint32_t key_len;
	uint32_t value; /* string: the text, or the pattern if there are numbers */
	int count;      /* of numbers */
};

bool pk_perfetto_skips_name(struct pk_perfetto *p, uint32_t name)
{
	struct pk_perfetto_shapes *x = &p->shapes;
	const char *text = pk_text(pk_builder_profile(p->c.b), name);
	bool skips = !pk_builder_wants_arg(p->c.b, text);

	PK_GROW_ZERO(x->names, (size_t)name + 1, x->name_alloc); /* PK_PERFETTO_UNKNOWN */
	x->names[name] = skips ? PK_PERFETTO_SKIPPED : PK_PERFETTO_NEEDED;
	if (skips)
		pk_build_unread(p->c.b, PK_PART_ARGS);
	return skips;
}

static inline bool put(struct pk_perfetto_shapes *x, const void *data, size_t len)
{
	uint8_t *to = x->key + x->key_len;

	if (len > sizeof(x->key) - x->key_len)
		return false;
	if (len - 4 <= 4) { /* compared as two halves, which overlap if it has less than 8 */
		uint32_t half[] = {pk_load32(data), pk_load32((const uint8_t *)data + len - 4)};

		memcpy(to, &half[0], 4);
		memcpy(to + len - 4, &half[1], 4);
	} else {
		memcpy(to, data, len);
	}
	x->key_len += (uint32_t)len;
	return true;
}

/* Returns false if patterns have no room for it, or keep a number with so many digits as text. */
static bool put_number(struct pk_perfetto_shapes *x, int64_t number)
{
	const int64_t limit = 1000000000000000000;

	if (x->number_count == PK_MOST_NUMBERS || number >= limit || number <= -limit)
		return false;
	x->number[x->number_count++] = number;
	return true;
}

enum { NAME = 1 << 3, UNSIGNED = 3 << 3, SIGNED = 4 << 3 }; /* fields of annotations */

/* For an annotation that is a number with an interned name, the key has neither length nor number;
 * in no other one is a length of 0 followed by a type. */
static inline bool put_named(struct pk_perfetto_shapes *x, uint64_t name, uint8_t type,
			     uint64_t number)
{
	/* the lowest byte first, as in the file */
	uint64_t head = htole64(PK_PERFETTO_ANNOTATION_HEAD | (uint64_t)type << 16 | name << 24);

	return (type == SIGNED || number <= INT64_MAX) && put_number(x, (int64_t)number) &&
	       put(x, &head, sizeof(head));
}

/* Takes an annotation that is a number if it comes next, its number is short, and each other part
 * takes one byte. */
static inline bool take_usual(struct pk_perfetto_shapes *x, struct pk_proto *m)
{
	enum { LONGEST = 5 + 8 };
	const uint8_t *at = m->at;
	struct pk_proto rest = {.at = at + 5};
	uint64_t number;

	if (m->end - at < LONGEST || at[0] != PK_PERFETTO_ANNOTATION_HEAD || at[2] != NAME ||
	    at[3] > 0x7F || (at[4] != UNSIGNED && at[4] != SIGNED) ||
	    !pk_proto_short_varint(&rest, &number) || rest.at != at + 2 + at[1] ||
	    !put_named(x, at[3], at[4], number))
		return false;
	m->at = rest.at;
	return true;
}

static bool put_annotation(struct pk_perfetto_shapes *x, const struct pk_proto_field *f,
			   const uint8_t *field)
{
	struct pk_proto m = pk_proto(f->bytes, f->value);
	uint64_t name, number;
	uint8_t type;

	if (f->value > 3 && *m.at++ == NAME && pk_proto_varint(&m, &name) && m.at < m.end &&
	    (*m.at == UNSIGNED || *m.at == SIGNED) && name <= UINT32_MAX) {
		type = *m.at++;
		if (pk_proto_varint(&m, &number) && m.at == m.end)
			return put_named(x, name, type, number);
	}
	return put(x, field, (size_t)(f->bytes + f->value - field));
}

/* The line of a place is a number that all events of the shape have. */
static bool put_place(struct pk_perfetto *p, const struct pk_perfetto_sequence *s, uint64_t iid)
{
	uint32_t row = pk_near_id(&s->ids[PK_PERFETTO_PLACES], iid);
	uint64_t line = row && row != PK_PERFETTO_EMPTY ? p->places[row].line : 0;

	return !line || (line <= INT64_MAX && put_number(&p->shapes, (int64_t)line));
}

/* false: these arguments have no key. */
static bool make_key(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
		     struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_perfetto_shapes *x = &p->shapes;
	uint32_t state[STATE / 4] = {p->last_sequence, s->generation};
	const uint8_t *at;
	struct pk_proto_field f;
	bool fits;

	x->key_len = 0;
	x->number_count = 0;
	fits = put(x, state, sizeof(state));
	while (fits) {
		do
			pk_perfetto_pass_unwanted(p, s, &m);
		while (take_usual(x, &m));
		at = m.at;
		if (!pk_proto_next(&m, &f))
			break;
		if (f.number == PK_PERFETTO_ANNOTATION && f.wire == PK_PROTO_BYTES)
			fits = pk_perfetto_skips(p, s, f.bytes, f.value) ||
			       put_annotation(x, &f, at);
		else if (f.number == PLACE && f.wire == PK_PROTO_VARINT)
			fits = put(x, at, (size_t)(m.at - at)) && put_place(p, s, f.value);
		else if (f.number == CORRELATION_IID && f.wire == PK_PROTO_VARINT)
			fits = put(x, at, (size_t)(m.at - at));
		else if (f.number == CORRELATION && f.wire == PK_PROTO_VARINT)
			fits = f.value <= INT64_MAX && put_number(x, (int64_t)f.value) &&
			       put(x, at, (size_t)(f.bytes - at));
		else
			fits = f.number != INLINE_PLACE && f.number != CORRELATION_TEXT;
	}
	return fits;
}

static bool has_key(const struct pk_perfetto_shapes *x, const struct pk_perfetto_shape *shape)
{
	return shape->key_len == x->key_len &&
	       !memcmp(x->keys.data + shape->key, x->key, x->key_len);
}

bool pk_perfetto_put_shape(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   struct pk_perfetto_bytes data, enum pk_table_id table, uint32_t row)
{
	struct pk_perfetto_shapes *x = &p->shapes;
	const struct pk_perfetto_shape *shape;
	uint32_t id;

	x->has_key = make_key(p, s, data);
	if (!x->has_key)
		return false;
	if (x->key_len == STATE) /* none is wanted */
		return true;
	x->hash = pk_hash_bytes(x->key, x->key_len);
	id = PK_INDEX_GET(&x->index, x->hash, i, has_key(x, &x->item[i]));
	if (!id || !pk_perfetto_afford(p, x->item[id].named))
		return false;
	shape = &x->item[id];
	if (shape->count)
		return pk_build_arg_pattern(p->c.b, table, row, shape->value, x->number,
					    shape->count);
	pk_build_arg(p->c.b, table, row, 0, shape->value);
	return true;
}

/* True if the numbers of the arguments are those of the event. A pattern with as many numbers as it
 * can have may have left some in its text. */
static bool has_numbers(const struct pk_perfetto_shapes *x, const struct pk_last_arg *last)
{
	return last->count == x->number_count && last->count < PK_MOST_NUMBERS &&
	       !memcmp(last->numbers, x->number, (size_t)last->count * sizeof(*last->numbers));
}

/* Most shapes of a long trace are of earlier states of sequences. */
static void forget(struct pk_perfetto_shapes *x)
{
	x->count = 0;
	x->keys.len = 0;
	pk_index_release(&x->index);
}

void pk_perfetto_learn_shape(struct pk_perfetto *p, uint64_t named)
{
	const struct pk_last_arg *last = pk_build_last_arg(p->c.b);
	struct pk_perfetto_shapes *x = &p->shapes;
	uint32_t *known;

	if (!x->has_key || !has_numbers(x, last))
		return;
	if (x->count == MOST_SHAPES)
		forget(x);
	x->count += !x->count; /* [0] is not used */
	PK_GROW(x->item, (size_t)x->count + 1, x->alloc);
	known = PK_INDEX_FIND(&x->index, x->hash, i, has_key(x, &x->item[i]));
	if (*known)
		return;
	*known = x->count;
	x->item[x->count++] = (struct pk_perfetto_shape){x->keys.len, p->named_bytes - named,
							 x->key_len, last->value, x->number_count};
	pk_buf_add(&x->keys, x->key, x->key_len);
}

void pk_perfetto_release_shapes(struct pk_perfetto *p)
{
	free(p->shapes.item);
	free(p->shapes.names);
	pk_buf_release(&p->shapes.keys);
	pk_index_release(&p->shapes.index);
}
