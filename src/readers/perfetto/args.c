/*
 * Arguments of events, as a JSON object.
 *
 *	debug_annotations { name: "bytes" int_value: 512 }
 *	debug_annotations { name: "list" array_values { string_value: "a" } }
 *
 *	{"bytes": 512, "list": ["a"]}
 *
 * Names and texts may be interned; those whose number was never defined are empty.
 */
#include <inttypes.h>
#include <string.h>

#include "base/json/json.h"
#include "base/json/write.h"
#include "readers/perfetto/internal.h"

enum { DEEPEST = 32 };

enum annotation {
	NAME_IID = 1,
	BOOL,
	UINT,
	INT,
	DOUBLE,
	STRING,
	POINTER,
	NESTED,
	LEGACY_JSON,
	NAME,
	DICT_ENTRIES,
	ARRAY_VALUES,
	STRING_IID = 17
};

/* Where one annotation is written. */
struct writing {
	struct pk_buf *out;
	struct pk_perfetto *p;
	const struct pk_perfetto_sequence *s;
	bool any;  /* of this object or list */
	bool *cut; /* interned values are left out */
};

/* Returns false if the texts of names would be too long in sum. */
static bool quote_string(struct writing *w, uint32_t string)
{
	const struct pk_string_table *t = &pk_builder_profile(w->p->c.b)->string;

	if (!pk_perfetto_afford(w->p, t->len[string])) {
		*w->cut = true;
		return false;
	}
	pk_json_quote(w->out, t->text[string], t->len[string]);
	return true;
}

static bool quote_interned(struct writing *w, enum pk_perfetto_kind kind, uint64_t iid)
{
	return quote_string(w, pk_perfetto_id(w->p, w->s, kind, iid));
}

static void write_unsigned(struct pk_buf *out, uint64_t value)
{
	if (value > INT64_MAX)
		pk_buf_addf(out, "%" PRIu64, value);
	else
		pk_buf_addi(out, (int64_t)value);
}

static void comma(struct writing *w)
{
	if (w->any)
		pk_buf_adds(w->out, ", ");
	w->any = true;
}

static bool write_name(struct writing *w, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == NAME_IID && f.wire == PK_PROTO_VARINT) {
			if (!quote_interned(w, PK_PERFETTO_ARG_NAMES, f.value))
				return false;
		} else if (f.number == NAME && f.wire == PK_PROTO_BYTES) {
			pk_json_quote(w->out, (const char *)f.bytes, (size_t)f.value);
		} else {
			continue;
		}
		pk_buf_adds(w->out, ": ");
		return true;
	}
	return false;
}

static void write_real(struct pk_buf *out, uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	pk_json_real(out, value);
}

static void write_value(struct writing *w, struct pk_perfetto_bytes data, int depth);

/* The entries of an object (with names) or a list. */
static void write_many(struct writing *w, struct pk_perfetto_bytes data, uint32_t number, int depth)
{
	struct writing inner = {.out = w->out, .p = w->p, .s = w->s, .cut = w->cut};
	struct pk_proto m = pk_proto(data.data, data.len);
	bool dict = number == DICT_ENTRIES;
	struct pk_proto_field f;

	pk_buf_addc(w->out, dict ? '{' : '[');
	while (pk_proto_next(&m, &f)) {
		struct pk_perfetto_bytes entry = {f.bytes, f.value};
		size_t before = w->out->len;
		bool any = inner.any;

		if (f.number != number || f.wire != PK_PROTO_BYTES)
			continue;
		comma(&inner);
		if (dict && !write_name(&inner, entry)) {
			w->out->len = before;
			inner.any = any;
			continue;
		}
		write_value(&inner, entry, depth + 1);
	}
	pk_buf_addc(w->out, dict ? '}' : ']');
}

static void write_nested(struct writing *w, struct pk_perfetto_bytes data, int depth);

enum { KEYS = 2, VALUES, ITEMS }; /* of a dictionary or list */

/* The next key of a dictionary; empty if there is none, or what follows is damaged. */
static struct pk_perfetto_bytes next_key(struct pk_proto *keys)
{
	struct pk_proto_field f;

	while (pk_proto_next(keys, &f))
		if (f.number == KEYS && f.wire == PK_PROTO_BYTES)
			return (struct pk_perfetto_bytes){f.bytes, f.value};
	return (struct pk_perfetto_bytes){(const uint8_t *)"", 0};
}

/* The values of a dictionary, whose keys are beside them, or of a list. */
static void write_nested_many(struct writing *w, struct pk_perfetto_bytes data, bool dict,
			      int depth)
{
	struct pk_proto m = pk_proto(data.data, data.len), keys = m;
	struct pk_proto_field f;
	bool any = false;

	pk_buf_addc(w->out, dict ? '{' : '[');
	while (depth < DEEPEST && pk_proto_next(&m, &f)) {
		if (f.number != (dict ? VALUES : ITEMS) || f.wire != PK_PROTO_BYTES)
			continue;
		if (any)
			pk_buf_adds(w->out, ", ");
		any = true;
		if (dict) {
			struct pk_perfetto_bytes key = next_key(&keys);

			pk_json_quote(w->out, (const char *)key.data, (size_t)key.len);
			pk_buf_adds(w->out, ": ");
		}
		write_nested(w, (struct pk_perfetto_bytes){f.bytes, f.value}, depth + 1);
	}
	pk_buf_addc(w->out, dict ? '}' : ']');
}

/* NestedValue, of old files: a text, a number, or lists of keys and values. */
static void write_nested(struct writing *w, struct pk_perfetto_bytes data, int depth)
{
	enum { TYPE = 1, DICT = 1, ARRAY };
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == TYPE && (f.value == DICT || f.value == ARRAY))
			write_nested_many(w, data, f.value == DICT, depth);
		else if (f.number == 5 && f.wire == PK_PROTO_VARINT)
			pk_buf_addi(w->out, (int64_t)f.value);
		else if (f.number == 6 && f.wire == PK_PROTO_FIXED64)
			write_real(w->out, f.value);
		else if (f.number == 7 && f.wire == PK_PROTO_VARINT)
			pk_buf_adds(w->out, f.value ? "true" : "false");
		else if (f.number == 8 && f.wire == PK_PROTO_BYTES)
			pk_json_quote(w->out, (const char *)f.bytes, (size_t)f.value);
		else
			continue;
		return;
	}
	pk_buf_adds(w->out, "null");
}

static bool write_number(struct writing *w, const struct pk_proto_field *f)
{
	switch (f->number) {
	case BOOL:
		pk_buf_adds(w->out, f->value ? "true" : "false");
		return true;
	case UINT:
		write_unsigned(w->out, f->value);
		return true;
	case INT:
		pk_buf_addi(w->out, (int64_t)f->value);
		return true;
	case POINTER:
		pk_buf_addf(w->out, "\"0x%" PRIx64 "\"", f->value);
		return true;
	case STRING_IID:
		return quote_interned(w, PK_PERFETTO_ARG_TEXTS, f->value);
	}
	return false;
}

static bool write_bytes(struct writing *w, const struct pk_proto_field *f,
			struct pk_perfetto_bytes data, int depth)
{
	struct pk_perfetto_bytes bytes = {f->bytes, f->value};

	switch (f->number) {
	case LEGACY_JSON:
		if (pk_json_read_text((const char *)f->bytes, (size_t)f->value, NULL)) {
			pk_buf_add(w->out, f->bytes, (size_t)f->value);
			return true;
		}
		/* fall through */
	case STRING:
		pk_json_quote(w->out, (const char *)f->bytes, (size_t)f->value);
		return true;
	case NESTED:
		write_nested(w, bytes, 0);
		return true;
	case DICT_ENTRIES:
	case ARRAY_VALUES:
		if (depth < DEEPEST)
			write_many(w, data, f->number, depth);
		else
			pk_buf_adds(w->out, "null");
		return true;
	}
	return false;
}

static void write_value(struct writing *w, struct pk_perfetto_bytes data, int depth)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.wire == PK_PROTO_VARINT
			    ? write_number(w, &f)
			    : f.wire == PK_PROTO_BYTES && write_bytes(w, &f, data, depth))
			return;
		if (f.wire == PK_PROTO_FIXED64 && f.number == DOUBLE) {
			write_real(w->out, f.value);
			return;
		}
	}
	pk_buf_adds(w->out, "null");
}

static void write_text(struct writing *w, const char *key, uint32_t string)
{
	if (!string)
		return;
	comma(w);
	pk_buf_addf(w->out, "\"%s\": ", key);
	if (!quote_string(w, string))
		pk_buf_adds(w->out, "null");
}

static void write_line(struct writing *w, uint64_t line)
{
	comma(w);
	pk_buf_adds(w->out, "\"source.line_number\": ");
	write_unsigned(w->out, line);
}

static void write_inline_text(struct writing *w, const char *key, const struct pk_proto_field *f)
{
	comma(w);
	pk_buf_addf(w->out, "\"%s\": ", key);
	pk_json_quote(w->out, (const char *)f->bytes, (size_t)f->value);
}

/* A place that is not interned. */
static void write_inline_place(struct writing *w, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 2 && f.wire == PK_PROTO_BYTES && f.value)
			write_inline_text(w, "source.file_name", &f);
		else if (f.number == 3 && f.wire == PK_PROTO_BYTES && f.value)
			write_inline_text(w, "source.function_name", &f);
		else if (f.number == 4 && f.wire == PK_PROTO_VARINT && f.value)
			write_line(w, f.value);
	}
}

static void write_place(struct writing *w, uint64_t iid)
{
	uint32_t row = pk_perfetto_id(w->p, w->s, PK_PERFETTO_PLACES, iid);
	const struct pk_perfetto_place *place = &w->p->places[row];

	if (!row)
		return;
	write_text(w, "source.file_name", place->file);
	write_text(w, "source.function_name", place->function);
	if (place->line)
		write_line(w, place->line);
}

/* Writes the correlation that events of one operation share: a number, a text, or the number of
 * one. */
static void write_correlation(struct writing *w, const struct pk_proto_field *f)
{
	enum { NUMBER = 52, TEXT, TEXT_IID };
	size_t before = w->out->len;
	bool any = w->any;

	if (f->wire != (f->number == TEXT ? PK_PROTO_BYTES : PK_PROTO_VARINT))
		return;
	comma(w);
	pk_buf_adds(w->out, "\"correlation_id\": ");
	if (f->number == NUMBER) {
		write_unsigned(w->out, f->value);
	} else if (f->number == TEXT) {
		pk_json_quote(w->out, (const char *)f->bytes, (size_t)f->value);
	} else if (!quote_interned(w, PK_PERFETTO_CORRELATIONS, f->value)) {
		w->out->len = before;
		w->any = any;
	}
}

int pk_perfetto_read_args(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			  struct pk_perfetto_bytes data)
{
	bool cut = false;
	struct writing w = {.out = &p->c.args, .p = p, .s = s, .cut = &cut};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	w.out->len = 0;
	pk_buf_addc(w.out, '{');
	while (pk_proto_next(&m, &f)) {
		struct pk_perfetto_bytes annotation = {f.bytes, f.value};
		size_t before = w.out->len;
		bool any = w.any;

		if (f.number == 34 && f.wire == PK_PROTO_VARINT)
			write_place(&w, f.value);
		else if (f.number == 33 && f.wire == PK_PROTO_BYTES)
			write_inline_place(&w, annotation);
		else if (f.number >= 52 && f.number <= 54)
			write_correlation(&w, &f);
		if (f.number != PK_PERFETTO_ANNOTATION || f.wire != PK_PROTO_BYTES ||
		    pk_perfetto_skips(p, s, f.bytes, f.value))
			continue;
		comma(&w);
		if (write_name(&w, annotation)) {
			write_value(&w, annotation, 0);
		} else {
			w.out->len = before;
			w.any = any;
		}
	}
	pk_buf_addc(w.out, '}');
	if (!cut)
		return 0;
	return pk_perfetto_repair(p, "argument left out: its texts are longer than the file allows")
		       ? -1
		       : 1;
}
