#include "readers/speedscope_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

int pk_speedscope_repair(struct pk_speedscope_reading *r, const char *what)
{
	return pk_build_repair(r->s.b, r->s.err, what, "byte %" PRIu64, pk_json_offset(&r->json));
}

int pk_speedscope_open_list(struct pk_speedscope_reading *r, const char *key, bool *there)
{
	enum pk_json_token token = pk_json_next(&r->json);

	*there = token == PK_JSON_ARRAY;
	if (*there || token == PK_JSON_NULL || token <= PK_JSON_END)
		return 0;
	return pk_fail(r->s.err, PK_EFORMAT, "byte %" PRIu64 ": \"%s\" is not a list",
		       pk_json_offset(&r->json), key);
}

void pk_speedscope_token_text(struct pk_speedscope_reading *r, const char **text, size_t *len)
{
	*text = r->json.text;
	*len = r->json.len;
	if (!r->json.escaped)
		return;
	r->text.len = 0;
	pk_buf_addc(&r->text, ' '); /* so that there is a text even if it is empty */
	pk_json_unescape(&r->text, *text, *len);
	*text = r->text.data + 1;
	*len = r->text.len - 1;
}

void pk_speedscope_read_text(struct pk_speedscope_reading *r, struct pk_buf *buf)
{
	const char *text;
	size_t len;

	buf->len = 0;
	if (pk_json_next(&r->json) == PK_JSON_STRING) {
		pk_speedscope_token_text(r, &text, &len);
		pk_buf_add(buf, text, len);
	} else {
		pk_json_rest(&r->json);
	}
}

static struct pk_speedscope_decimal read_decimal(struct pk_speedscope_reading *r)
{
	struct pk_speedscope_decimal none = {0, 0, false};

	if (pk_json_next(&r->json) == PK_JSON_NUMBER)
		return pk_speedscope_decimal(r->json.text, r->json.len);
	pk_json_rest(&r->json);
	return none;
}

/* The number of a frame from the token that was read. */
static uint32_t token_frame(struct pk_speedscope_reading *r)
{
	const char *text = r->json.text;
	size_t i, len = r->json.len;
	uint64_t n = 0;

	if (r->json.token != PK_JSON_NUMBER)
		return PK_SPEEDSCOPE_NO_FRAME;
	for (i = 0; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		if ((n = n * 10 + (uint64_t)(text[i] - '0')) >= PK_SPEEDSCOPE_NO_FRAME)
			return PK_SPEEDSCOPE_NO_FRAME;
	if (i + 2 == len && text[i] == '.' && text[i + 1] == '0') /* 3.0, of writers of doubles */
		i = len;
	return i == len && len ? (uint32_t)n : PK_SPEEDSCOPE_NO_FRAME;
}

static void read_stack(struct pk_speedscope_reading *r)
{
	struct pk_json_list *stack = &r->stack;
	size_t len;
	const char *text = pk_json_list_text(&r->json, &len);
	uint64_t hash;
	uint32_t node;

	if (text && len && pk_speedscope_stacks_find(r->known, text, len, &hash, &node)) {
		pk_json_list_pass(&r->json, len);
		pk_json_next(&r->json);
		pk_speedscope_path(&r->s, node);
		return;
	}
	pk_json_list(&r->json, stack);
	if (stack->whole && text && len) {
		node = pk_speedscope_stack(&r->s, stack->value, stack->count, stack->same);
		pk_speedscope_stacks_add(r->known, text, len, hash, node);
		pk_json_next(&r->json);
		return;
	}
	while (pk_json_next_item(&r->json)) {
		PK_GROW(stack->value, stack->count + 1, stack->alloc);
		stack->value[stack->count++] = token_frame(r);
		pk_json_rest(&r->json);
	}
	if (r->json.token > PK_JSON_END)
		pk_speedscope_stack(&r->s, stack->value, stack->count, stack->same);
}

static int read_samples(struct pk_speedscope_reading *r)
{
	bool there;
	int ret = pk_speedscope_open_list(r, "samples", &there);

	while (!ret && there && pk_json_next_item(&r->json)) {
		if (r->json.token == PK_JSON_ARRAY) {
			read_stack(r);
			continue;
		}
		pk_json_rest(&r->json);
		ret = pk_speedscope_repair(r, "sample that is no list taken as idle");
		if (!ret && r->json.token > PK_JSON_END)
			pk_speedscope_path(&r->s, 0);
	}
	pk_speedscope_stacks_end(&r->s);
	return ret;
}

static int read_weights(struct pk_speedscope_reading *r)
{
	bool there;
	int ret = pk_speedscope_open_list(r, "weights", &there);

	while (!ret && there && pk_json_next_item(&r->json)) {
		bool number = r->json.token == PK_JSON_NUMBER;

		ret = pk_speedscope_weight(&r->s, r->json.text, number ? r->json.len : 0,
					   pk_json_offset(&r->json));
		pk_json_rest(&r->json);
	}
	return ret;
}

static int read_event(struct pk_speedscope_reading *r)
{
	struct pk_speedscope_event event = {.frame = PK_SPEEDSCOPE_NO_FRAME};
	char type = 0;

	event.offset = pk_json_offset(&r->json);
	if (r->json.token != PK_JSON_OBJECT) {
		pk_json_rest(&r->json);
		return pk_speedscope_repair(r, "event that is no object left out");
	}
	while (pk_json_next_key(&r->json)) {
		if (pk_json_is(&r->json, "type")) {
			if (pk_json_next(&r->json) == PK_JSON_STRING && r->json.len == 1)
				type = *r->json.text;
			pk_json_rest(&r->json);
		} else if (pk_json_is(&r->json, "frame")) {
			pk_json_next(&r->json);
			event.frame = token_frame(r);
			pk_json_rest(&r->json);
		} else if (pk_json_is(&r->json, "at")) {
			event.at = read_decimal(r);
		} else {
			pk_json_skip(&r->json);
		}
	}
	event.open = type == 'O';
	if (type != 'O' && type != 'C')
		return pk_speedscope_repair(r, "event that is neither begin nor end left out");
	return pk_speedscope_event(&r->s, &event);
}

static int read_events(struct pk_speedscope_reading *r)
{
	bool there;
	int ret = pk_speedscope_open_list(r, "events", &there);

	while (!ret && there && pk_json_next_item(&r->json))
		ret = read_event(r);
	return ret;
}

static int read_key_of_profile(struct pk_speedscope_reading *r)
{
	struct pk_json *j = &r->json;
	struct pk_speedscope *s = &r->s;

	if (pk_json_is(j, "samples"))
		return read_samples(r);
	if (pk_json_is(j, "weights"))
		return read_weights(r);
	if (pk_json_is(j, "events"))
		return read_events(r);
	if (pk_json_is(j, "name")) {
		pk_speedscope_read_text(r, &s->name);
		s->named = true;
	} else if (pk_json_is(j, "metric")) {
		pk_speedscope_read_text(r, &s->metric_name);
	} else if (pk_json_is(j, "unit") && !s->begun) {
		pk_speedscope_read_text(r, &r->unit);
		s->unit = pk_speedscope_unit(r->unit.len ? r->unit.data : "", r->unit.len);
	} else if (pk_json_is(j, "startValue") && !s->begun) {
		s->start_value = read_decimal(r);
		s->starts = true;
	} else if (pk_json_is(j, "endValue")) {
		s->end_value = read_decimal(r);
		s->ends = s->end_value.is_number;
	} else {
		pk_json_skip(j);
	}
	return 0;
}

int pk_speedscope_read_profiles(struct pk_speedscope_reading *r)
{
	bool there;
	int ret = pk_speedscope_open_list(r, "profiles", &there);

	while (!ret && there && pk_json_next_item(&r->json)) {
		if (r->json.token != PK_JSON_OBJECT) {
			pk_json_rest(&r->json);
			ret = pk_speedscope_repair(r, "profile that is no object left out");
			continue;
		}
		pk_speedscope_begin(&r->s, pk_json_offset(&r->json));
		while (!ret && pk_json_next_key(&r->json))
			ret = read_key_of_profile(r);
		if (!ret)
			ret = pk_speedscope_end(&r->s);
	}
	r->profiles = true;
	return ret;
}
