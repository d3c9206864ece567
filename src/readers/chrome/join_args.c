/*
 * Arguments of the begin and of the end of a span become those of the span.
 *
 *	{"a": 1, "list": [1]}  {"list": [2], "b": 2}
 *
 *	{"a": 1, "list": [2], "b": 2}        in Chrome's JSON: the end replaces values
 *	{"a": 1, "list": [1, 2], "b": 2}     in Perfetto's traces: objects and lists are joined
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/members.h"
#include "base/num/hash.h"
#include "readers/chrome/internal.h"

enum { DEEPEST = 32 };

/* The values of a key in both objects, as they are written; of length 0 if there is none. */
struct pair {
	struct pk_json_slice key, value[2];
};

struct join {
	struct pk_json_slice object[2];
	struct pair *pair;
	size_t count, alloc;
	struct pk_index index; /* by key: pairs from 1 */
};

static bool is_key(const struct pair *pair, struct pk_json_slice key)
{
	return pair->key.len == key.len && !memcmp(pair->key.text, key.text, key.len);
}

static struct pair *find(struct join *j, struct pk_json_slice key)
{
	uint32_t *known = PK_INDEX_FIND(&j->index, pk_hash_bytes(key.text, key.len), id,
					is_key(&j->pair[id - 1], key));

	if (!*known) {
		PK_GROW(j->pair, j->count + 1, j->alloc);
		j->pair[j->count] = (struct pair){.key = key};
		*known = (uint32_t)++j->count;
	}
	return &j->pair[*known - 1];
}

/* Of members with one key in one object, the first counts. */
static struct join find_pairs(struct pk_json_slice first, struct pk_json_slice second)
{
	struct join j = {.object = {first, second}};
	struct pk_json_slice key, value;

	for (int i = 0; i < 2; i++) {
		struct pk_json_members m = pk_json_members(j.object[i].text, j.object[i].len);

		while (pk_json_member(&m, &key, &value)) {
			struct pk_json_slice *known = &find(&j, key)->value[i];

			if (!known->len)
				*known = value;
		}
	}
	return j;
}

static void release(struct join *j)
{
	pk_index_release(&j->index);
	free(j->pair);
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

static void join_objects(struct pk_buf *out, struct join *j, int depth);

static void join_values(struct pk_buf *out, struct pk_json_slice first, struct pk_json_slice second,
			int depth)
{
	char kind = first.len && second.len && *first.text == *second.text ? *first.text : 0;

	if (kind == '{') {
		struct join j = find_pairs(first, second);

		join_objects(out, &j, depth);
		release(&j);
	} else if (kind == '[') {
		join_lists(out, first, second);
	} else {
		pk_buf_add(out, second.text, second.len);
	}
}

/* True if the second object has all members of the first. */
static bool has_all(const struct join *j)
{
	for (size_t i = 0; i < j->count; i++)
		if (!j->pair[i].value[1].len)
			return false;
	return true;
}

/* Members of the first that the second lacks, then those of the second. */
static void join_objects(struct pk_buf *out, struct join *j, int depth)
{
	struct pk_json_members m = pk_json_members(j->object[0].text, j->object[0].len);
	struct pk_json_slice key, value;
	bool any = false;

	pk_buf_addc(out, '{');
	while (pk_json_member(&m, &key, &value))
		if (!find(j, key)->value[1].len) {
			put_key(out, &any, key);
			pk_buf_add(out, value.text, value.len);
		}
	m = pk_json_members(j->object[1].text, j->object[1].len);
	while (pk_json_member(&m, &key, &value)) {
		put_key(out, &any, key);
		if (depth > 1)
			join_values(out, find(j, key)->value[0], value, depth - 1);
		else
			pk_buf_add(out, value.text, value.len);
	}
	pk_buf_addc(out, '}');
}

uint32_t pk_chrome_join_args(struct pk_chrome *c, uint32_t first, uint32_t second)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;
	struct join j = find_pairs((struct pk_json_slice){t->text[first], t->len[first]},
				   (struct pk_json_slice){t->text[second], t->len[second]});

	if (c->joins_values || !has_all(&j)) {
		c->text.len = 0;
		join_objects(&c->text, &j, c->joins_values ? DEEPEST : 0);
		second = pk_build_string(c->b, c->text.data, c->text.len);
	}
	release(&j);
	return second;
}
