/*
 * Arguments of events, which are JSON, as debug annotations.
 *
 *	{"bytes": 512, "list": ["a"]}
 *
 *	debug_annotations { name_iid: 1 int_value: 512 }
 *	debug_annotations { name_iid: 2 array_values { string_value: "a" } }
 */
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/json/members.h"
#include "base/num/hash.h"
#include "base/num/units.h"
#include "model/args/text.h"
#include "writers/perfetto/internal.h"

enum {
	BOOL = 2,
	INT = 4,
	DOUBLE = 5,
	STRING = 6,
	NESTED = 8,
	NAME = 10,
	DICT_ENTRIES = 11,
	ARRAY_VALUES = 12,
	ANNOTATION = 4,
	ANNOTATION_NAMES = 3,
	DEEPEST = 16
};

static void put_number(struct pk_buf *out, struct pk_json_slice value)
{
	uint64_t bits;
	int64_t whole;
	double real;

	if (pk_json_slice_int(value, &whole)) {
		pk_proto_put_number(out, INT, (uint64_t)whole);
	} else if (pk_parse_real(value.text, value.len, &real) == value.len) {
		memcpy(&bits, &real, sizeof(bits));
		pk_perfetto_put_fixed(out, DOUBLE, bits);
	} else {
		pk_proto_put_bytes(out, STRING, value.text, value.len);
	}
}

static void put_text(struct pk_buf *out, struct pk_json_slice value)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	value = pk_json_slice_unquoted(value);
	pk_json_unescape(&text, value.text, value.len);
	pk_proto_put_bytes(out, STRING, text.len ? text.data : "", text.len);
}

static void put_value(struct pk_buf *out, struct pk_json_slice value, int depth);

/* An empty one must be written in the way of old files. */
static void put_many(struct pk_buf *out, struct pk_json_slice value, int depth)
{
	struct pk_json_members m = pk_json_members(value.text, value.len);
	PK_BUF_AUTO entry = PK_BUF_INIT, name = PK_BUF_INIT;
	struct pk_json_slice key, inner;
	bool dict = *value.text == '{', any = false;

	while (dict ? pk_json_member(&m, &key, &inner) : pk_json_item(&m, &inner)) {
		any = true;
		entry.len = name.len = 0;
		if (dict) {
			pk_json_unescape(&name, key.text, key.len);
			pk_proto_put_bytes(&entry, NAME, name.len ? name.data : "", name.len);
		}
		put_value(&entry, inner, depth + 1);
		pk_perfetto_put_message(out, dict ? DICT_ENTRIES : ARRAY_VALUES, &entry);
	}
	if (any)
		return;
	pk_proto_put_number(&entry, 1, dict ? 1 : 2);
	pk_perfetto_put_message(out, NESTED, &entry);
}

/* null has no value; very deep values are written as JSON text. */
static void put_value(struct pk_buf *out, struct pk_json_slice value, int depth)
{
	if (!value.len || pk_json_slice_is(value, "null"))
		return;
	if (*value.text == '"')
		put_text(out, value);
	else if (pk_json_slice_is(value, "true") || pk_json_slice_is(value, "false"))
		pk_proto_put_number(out, BOOL, *value.text == 't');
	else if (*value.text != '{' && *value.text != '[')
		put_number(out, value);
	else if (depth < DEEPEST)
		put_many(out, value, depth);
	else
		pk_proto_put_bytes(out, STRING, value.text, value.len);
}

static void put_name(struct pk_perfetto_out *c, struct pk_buf *out, const char *name, size_t len)
{
	uint64_t key = pk_hash_bytes(name, len);
	uint32_t known = c->arg_names.count;
	uint32_t iid = pk_id_map_number(&c->arg_names, (int64_t)(key & INT64_MAX));

	pk_proto_put_number(out, 1, iid);
	if (c->arg_names.count == known)
		return;
	c->message.len = 0;
	pk_proto_put_number(&c->message, 1, iid);
	pk_proto_put_bytes(&c->message, 2, name, len);
	pk_perfetto_put_message(&c->texts, ANNOTATION_NAMES, &c->message);
}

static void put_object(struct pk_perfetto_out *c, struct pk_json_slice object)
{
	struct pk_json_members m = pk_json_members(object.text, object.len);
	PK_BUF_AUTO annotation = PK_BUF_INIT, unescaped = PK_BUF_INIT;
	struct pk_json_slice key, value;

	while (pk_json_member(&m, &key, &value)) {
		annotation.len = unescaped.len = 0;
		if (memchr(key.text, '\\', key.len)) {
			pk_json_unescape(&unescaped, key.text, key.len);
			key = (struct pk_json_slice){unescaped.data, unescaped.len};
		}
		put_name(c, &annotation, key.text, key.len);
		put_value(&annotation, value, 0);
		pk_perfetto_put_message(&c->event, ANNOTATION, &annotation);
	}
}

void pk_perfetto_put_args(struct pk_perfetto_out *c, const struct pk_perfetto_lists *lists,
			  uint32_t row)
{
	const struct pk_arg_table *t = &c->p->arg;

	for (uint32_t i = lists->first[row]; i; i = lists->next[i]) {
		PK_BUF_AUTO annotation = PK_BUF_INIT;

		if (!pk_arg_key(t, i)) {
			put_object(c, pk_arg_text(c->p, i, &c->args));
			continue;
		}
		put_name(c, &annotation, pk_text(c->p, t->key[i]), c->p->string.len[t->key[i]]);
		pk_proto_put_bytes(&annotation, STRING, pk_text(c->p, t->value[i]),
				   c->p->string.len[t->value[i]]);
		pk_perfetto_put_message(&c->event, ANNOTATION, &annotation);
	}
}
