/*
 * The stacks of scalene, each with its weight.
 *
 *	"stacks": [[["a.py main:9;", "a.py run:4;"],             share of all samples, root first
 *	   {"c_time": 0.1, "count": 8, "cpu_samples": 0.3, "python_time": 0.2}]]
 *	"stacks": [[[["a.py", "main", 9]], [8, 0.2, 0.1, 0.3]]]  before version 2
 *	"combined_stacks": [[[{"kind": "py", "display_name": "main", "line": 9,
 *	   "filename_or_module": "a.py", "ip": null}, {"kind": "native", ...}], 7]]     samples
 *	"memory_stacks": [[[{"kind": "py", ...}], 6.25]]                                MB
 *	"combined_stacks_timeline": [{"t_sec": 0.2, "stack_index": 0, "count": 1, "thread_id": 14}]
 */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/scalene/internal.h"

static uint32_t text(struct scalene *r)
{
	r->text.len = 0;
	pk_buf_adds(&r->text, "");
	pk_json_unescape(&r->text, r->json.text, r->json.len);
	return pk_build_string(r->b, r->text.data, r->text.len);
}

static uint32_t line_of(int64_t number)
{
	return number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* "FILE FUNCTION:LINE;" in r->text; false if it is none, then all of it is the name. */
static bool split_frame(struct scalene *r, struct scalene_frame *f)
{
	char *begin = r->text.data, *end = begin + r->text.len, *colon, *blank;
	bool exact, overflow;
	int64_t line;

	if (end > begin && end[-1] == ';')
		end--;
	colon = memrchr(begin, ':', (size_t)(end - begin));
	blank = colon ? memrchr(begin, ' ', (size_t)(colon - begin)) : NULL;
	if (!blank ||
	    !pk_parse_decimal(colon + 1, (size_t)(end - colon - 1), 0, &line, &exact, &overflow))
		return false;
	f->file = pk_build_string(r->b, begin, (size_t)(blank - begin));
	f->name = pk_build_string(r->b, blank + 1, (size_t)(colon - blank - 1));
	f->line = line_of(line);
	return true;
}

/* [FILE, FUNCTION, LINE] */
static int read_list_frame(struct scalene *r, struct scalene_frame *f)
{
	struct pk_json *j = &r->json;
	int64_t line = 0;

	for (int i = 0; pk_json_next_item(j); i++) {
		if (i < 2 && j->token == PK_JSON_STRING)
			*(i ? &f->name : &f->file) = text(r);
		else if (i == 2 && scalene_number(r, 0, &line))
			return -1;
		else if (i != 2)
			pk_json_rest(j);
	}
	f->line = line_of(line);
	return 0;
}

/* {"kind": ..., "display_name": ..., "filename_or_module": ..., "line": ..., "ip": ...} */
static int read_object_frame(struct scalene *r, struct scalene_frame *f)
{
	struct pk_json *j = &r->json;
	int64_t line = 0, address = 0;

	while (pk_json_next_key(j)) {
		bool kind = pk_json_is(j, "kind"), name = pk_json_is(j, "display_name"),
		     file = pk_json_is(j, "filename_or_module"), at = pk_json_is(j, "line"),
		     ip = pk_json_is(j, "ip");

		pk_json_next(j);
		if (kind)
			f->native = j->token == PK_JSON_STRING && pk_json_is(j, "native");
		if (j->token == PK_JSON_STRING && (name || file))
			*(name ? &f->name : &f->file) = j->len ? text(r) : 0;
		else if (j->token == PK_JSON_NUMBER && (at || ip)) {
			if (scalene_number(r, 0, at ? &line : &address))
				return -1;
		} else {
			pk_json_rest(j);
		}
	}
	f->line = line_of(line);
	if (!f->name && address > 0) {
		r->text.len = 0;
		pk_buf_addf(&r->text, "0x%" PRIx64, (uint64_t)address);
		f->name = pk_build_text(r->b, r->text.data);
	}
	return 0;
}

static int read_frame(struct scalene *r)
{
	struct scalene_frame f = {0};
	struct pk_json *j = &r->json;
	uint64_t offset = pk_json_offset(j);
	bool good = true;

	if (j->token == PK_JSON_STRING) {
		f.name = text(r);
		good = split_frame(r, &f);
	} else if (j->token == PK_JSON_ARRAY) {
		if (read_list_frame(r, &f))
			return -1;
	} else if (j->token == PK_JSON_OBJECT) {
		if (read_object_frame(r, &f))
			return -1;
	} else {
		pk_json_rest(j);
	}
	if (!f.name) {
		f.name = pk_build_text(r->b, "[unknown]");
		good = false;
	}
	PK_GROW(r->frame, r->frames + 1, r->frame_alloc);
	r->frame[r->frames++] = f;
	return good ? 0
		    : pk_build_repair(r->b, r->err, "frame without file and line", "byte %" PRIu64,
				      offset);
}

/* A number; of an object the member cpu_samples; of a list the fourth item. */
static int read_weight(struct scalene *r, enum scalene_stacks kind, int64_t *weight)
{
	struct pk_json *j = &r->json;
	int exponent = kind == SCALENE_CPU      ? SCALENE_FINE
		       : kind == SCALENE_MEMORY ? SCALENE_DECIMALS
						: 0;

	if (j->token == PK_JSON_ARRAY) {
		for (int i = 0; pk_json_next_item(j); i++) {
			if (i != 3)
				pk_json_rest(j);
			else if (scalene_number(r, exponent, weight))
				return -1;
		}
		return 0;
	}
	if (j->token != PK_JSON_OBJECT)
		return scalene_number(r, exponent, weight);
	while (pk_json_next_key(j)) {
		if (!pk_json_is(j, "cpu_samples")) {
			pk_json_skip(j);
			continue;
		}
		pk_json_next(j);
		if (scalene_number(r, exponent, weight))
			return -1;
	}
	return 0;
}

/* [frames, weight] */
static int read_stack(struct scalene *r, enum scalene_stacks kind)
{
	struct scalene_stack stack = {.begin = r->frames};
	struct pk_json *j = &r->json;
	int ret = 0;

	for (int i = 0; !ret && pk_json_next_item(j); i++) {
		if (i == 0 && j->token == PK_JSON_ARRAY) {
			while (!ret && pk_json_next_item(j))
				ret = read_frame(r);
		} else if (i == 1) {
			ret = read_weight(r, kind, &stack.weight);
		} else {
			pk_json_rest(j);
		}
	}
	stack.end = r->frames;
	PK_GROW(r->stacks[kind].item, r->stacks[kind].count + 1, r->stacks[kind].alloc);
	r->stacks[kind].item[r->stacks[kind].count++] = stack;
	return ret;
}

int scalene_read_stacks(struct scalene *r, enum scalene_stacks kind)
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	while (pk_json_next_of(j, PK_JSON_ARRAY))
		if (read_stack(r, kind))
			return -1;
	return 0;
}

static int read_moment(struct scalene *r)
{
	struct scalene_moment m = {.thread = PK_NULL, .count = 1};
	struct pk_json *j = &r->json;
	int64_t stack = -1;
	int ret = 0;

	while (!ret && pk_json_next_key(j)) {
		bool time = pk_json_is(j, "t_sec"), index = pk_json_is(j, "stack_index"),
		     thread = pk_json_is(j, "thread_id");

		if (!time && !index && !thread && !pk_json_is(j, "count")) {
			pk_json_skip(j);
			continue;
		}
		if (pk_json_next(j) == PK_JSON_NULL)
			continue;
		ret = scalene_number(r, time ? SCALENE_DECIMALS : 0,
				     time     ? &m.time
				     : index  ? &stack
				     : thread ? &m.thread
					      : &m.count);
	}
	m.stack = (uint32_t)stack;
	if (!ret && stack >= 0 && stack < UINT32_MAX) {
		PK_GROW(r->moment, r->moments + 1, r->moment_alloc);
		r->moment[r->moments++] = m;
	}
	return ret;
}

int scalene_read_timeline(struct scalene *r)
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	while (pk_json_next_of(j, PK_JSON_OBJECT))
		if (read_moment(r))
			return -1;
	return 0;
}
