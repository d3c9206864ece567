/*
 * Members of a JSON object that is whole in memory, without a tokenizer.
 *
 *	{"name": "aten::mm", "Input Dims": [[8, 16], [16, 4]]}
 */
#include "base/json/members.h"

#include <string.h>

#include "base/json/internal.h"

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && pk_json_is_space((uint8_t)*at))
		at++;
	return at;
}

/* Skips a string; `at` is at its opening quote. Returns the place after the closing one. */
static const char *skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at < end ? at + 1 : end;
}

static const char *skip_value(const char *at, const char *end)
{
	size_t depth = 0;

	while (at < end) {
		if (*at == '"') {
			at = skip_string(at, end);
		} else if (*at == '{' || *at == '[') {
			depth++;
			at++;
		} else if (*at == '}' || *at == ']') {
			if (!depth)
				return at;
			depth--;
			at++;
		} else if (!depth && (*at == ',' || pk_json_is_space((uint8_t)*at))) {
			return at;
		} else {
			at++;
			continue; /* inside a number or word, or between nested values */
		}
		if (!depth)
			return at;
	}
	return at;
}

struct pk_json_members pk_json_members(const char *text, size_t len)
{
	const char *end, *at;

	if (!len)
		return (struct pk_json_members){NULL, NULL};
	end = text + len;
	at = skip_blanks(text, end);
	if (at == end || (*at != '{' && *at != '['))
		return (struct pk_json_members){end, end};
	return (struct pk_json_members){at + 1, end};
}

/* Moves on to where the next member or item begins; false at the end. */
static bool next(struct pk_json_members *m)
{
	m->at = skip_blanks(m->at, m->end);
	while (m->at < m->end && *m->at == ',')
		m->at = skip_blanks(m->at + 1, m->end);
	return m->at < m->end && *m->at != '}' && *m->at != ']';
}

bool pk_json_item(struct pk_json_members *m, struct pk_json_slice *value)
{
	const char *from;

	if (!next(m))
		return false;
	from = m->at;
	m->at = skip_value(from, m->end);
	*value = (struct pk_json_slice){from, (size_t)(m->at - from)};
	return m->at > from;
}

bool pk_json_member(struct pk_json_members *m, struct pk_json_slice *key,
		    struct pk_json_slice *value)
{
	if (!next(m) || *m->at != '"' || !pk_json_item(m, key))
		return false;
	*key = pk_json_slice_unquoted(*key);
	m->at = skip_blanks(m->at, m->end);
	if (m->at == m->end || *m->at != ':')
		return false;
	m->at++;
	return pk_json_item(m, value);
}

struct pk_json_slice pk_json_slice_member(struct pk_json_slice object, const char *name)
{
	struct pk_json_members m = pk_json_members(object.text, object.len);
	struct pk_json_slice key, value;

	while (pk_json_member(&m, &key, &value))
		if (pk_json_slice_is(key, name))
			return value;
	return (struct pk_json_slice){"", 0};
}

struct pk_json_slice pk_json_slice_unquoted(struct pk_json_slice value)
{
	if (value.len < 2 || value.text[0] != '"')
		return value;
	return (struct pk_json_slice){value.text + 1, value.len - 2};
}

bool pk_json_slice_is(struct pk_json_slice s, const char *text)
{
	return strlen(text) == s.len && !memcmp(s.text, text, s.len);
}

bool pk_json_slice_int(struct pk_json_slice value, int64_t *number)
{
	struct pk_json_slice s = pk_json_slice_unquoted(value);
	bool negative = s.len && *s.text == '-';
	int64_t sum = 0;
	size_t i;

	if (s.len == (size_t)negative)
		return false;
	for (i = negative; i < s.len; i++) {
		if (s.text[i] < '0' || s.text[i] > '9' || __builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_sub_overflow(sum, s.text[i] - '0', &sum))
			return false;
	}
	if (!negative && sum == INT64_MIN)
		return false;
	*number = negative ? sum : -sum;
	return true;
}
