/*
 * Arguments of the begin and of the end of a span become those of the span.
 *
 *	{"a": 1, "list": [1]}  {"list": [2], "b": 2}
 *
 *	{"a": 1, "list": [2], "b": 2}        in Chrome's JSON: the end replaces values
 *	{"a": 1, "list": [1, 2], "b": 2}     in Perfetto's traces: objects and lists are joined
 */
#include <string.h>

#include "base/json/members.h"
#include "readers/chrome/internal.h"

enum { DEEPEST = 32 };

/* The value of the member with this key, as it is written; of length 0 if there is none. */
static struct pk_json_slice find(struct pk_json_slice object, struct pk_json_slice key)
{
	struct pk_json_members m = pk_json_members(object.text, object.len);
	struct pk_json_slice other, value;

	while (pk_json_member(&m, &other, &value))
		if (key.len == other.len && !memcmp(key.text, other.text, key.len))
			return value;
	return (struct pk_json_slice){NULL, 0};
}

static void put_key(struct pk_buf *out, bool *any, struct pk_json_slice key)
{
	pk_buf_addf(out, "%s\"%.*s\": ", *any ? ", " : "", (int)key.len, key.text);
	*any = true;
}

static void join_lists(struct pk_buf *out, struct pk_json_slice first, struct pk_json_slice second)
{
	const struct pk_json_slice lists[] = {first, second};
	struct pk_json_slice item;
	bool any = false;

	pk_buf_addc(out, '[');
	for (int i = 0; i < 2; i++) {
		struct pk_json_members m = pk_json_members(lists[i].text, lists[i].len);

		for (; pk_json_item(&m, &item); any = true) {
			pk_buf_adds(out, any ? ", " : "");
			pk_buf_add(out, item.text, item.len);
		}
	}
	pk_buf_addc(out, ']');
}

static void join_objects(struct pk_buf *out, struct pk_json_slice first,
			 struct pk_json_slice second, int depth);

static void join_values(struct pk_buf *out, struct pk_json_slice first, struct pk_json_slice second,
			int depth)
{
	char kind = first.len && second.len && *first.text == *second.text ? *first.text : 0;

	if (kind == '{' && depth > 0)
		join_objects(out, first, second, depth);
	else if (kind == '[' && depth > 0)
		join_lists(out, first, second);
	else
		pk_buf_add(out, second.text, second.len);
}

/* True if the second object has all members of the first. */
static bool has_all(struct pk_json_slice first, struct pk_json_slice second)
{
	struct pk_json_members m = pk_json_members(first.text, first.len);
	struct pk_json_slice key, value;

	while (pk_json_member(&m, &key, &value))
		if (!find(second, key).len)
			return false;
	return true;
}

/* Members of the first that the second lacks, then those of the second. */
static void join_objects(struct pk_buf *out, struct pk_json_slice first,
			 struct pk_json_slice second, int depth)
{
	struct pk_json_members m = pk_json_members(first.text, first.len);
	struct pk_json_slice key, value;
	bool any = false;

	pk_buf_addc(out, '{');
	while (pk_json_member(&m, &key, &value))
		if (!find(second, key).len) {
			put_key(out, &any, key);
			pk_buf_add(out, value.text, value.len);
		}
	m = pk_json_members(second.text, second.len);
	while (pk_json_member(&m, &key, &value)) {
		put_key(out, &any, key);
		join_values(out, find(first, key), value, depth - 1);
	}
	pk_buf_addc(out, '}');
}

uint32_t pk_chrome_join_args(struct pk_chrome *c, uint32_t first, uint32_t second)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;
	struct pk_json_slice a = {t->text[first], t->len[first]};
	struct pk_json_slice b = {t->text[second], t->len[second]};

	if (!c->joins_values && has_all(a, b))
		return second;
	c->text.len = 0;
	join_objects(&c->text, a, b, c->joins_values ? DEEPEST : 0);
	return pk_build_string(c->b, c->text.data, c->text.len);
}
