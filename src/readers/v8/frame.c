/*
 * Functions of V8's profiles, which are objects (see frame.h). Most of a file is the text of these
 * objects, and most are repeated: one that was read before is found by its text.
 *
 * - "(root)" is no function. "(program)", "(garbage collector)" and "(idle)" are V8 itself.
 * - A function without a name is "(anonymous)".
 * - Functions that differ by their column alone are one. In code without line breaks these are all
 *   functions of one name. Their number is kept in the meta data.
 */
#include "readers/v8/frame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/members.h"

enum { MOST_TEXT = 1 << 26 }; /* of one frame: its url may hold the whole script */

bool pk_v8_is_root(const struct pk_builder *b, uint32_t name)
{
	return !strcmp(pk_text(pk_builder_profile(b), name), "(root)");
}

uint32_t pk_v8_place(struct pk_builder *b, const struct pk_v8_call *call)
{
	struct pk_function f = {.name = call->name, .file = call->file};
	const char *name = pk_text(pk_builder_profile(b), f.name);

	if (!*name)
		f.name = pk_build_text(b, "(anonymous)");
	else if (!strcmp(name, "(idle)"))
		f.kind = PK_KIND_IDLE;
	else if (*name == '(' && !f.file)
		f.kind = PK_KIND_RUNTIME;
	if (f.file && call->line >= 0 && call->line < INT32_MAX)
		f.line = (uint32_t)call->line + 1;
	return pk_build_place(b, pk_build_function(b, &f), 0);
}

int64_t pk_v8_whole(const struct pk_json *j, int64_t other)
{
	bool negative = j->len && *j->text == '-';
	int64_t value = 0;
	size_t i = negative;

	if (j->token != PK_JSON_NUMBER || j->len > 18)
		return other;
	for (; i < j->len; i++) {
		if (j->text[i] < '0' || j->text[i] > '9')
			return other;
		value = value * 10 + (j->text[i] - '0');
	}
	return negative ? -value : value;
}

uint32_t pk_v8_add_call(struct pk_v8_frames *f, const struct pk_v8_call *call)
{
	uint32_t location, column;

	if (pk_v8_is_root(f->b, call->name))
		return 0;
	location = pk_v8_place(f->b, call);
	column = call->column >= 0 && call->column < INT32_MAX ? (uint32_t)call->column + 1 : 0;
	PK_GROW_ZERO(f->column, (size_t)location + 1, f->column_alloc);
	f->joined += f->column[location] && f->column[location] != column;
	if (!f->column[location])
		f->column[location] = column;
	return location;
}

static uint32_t read_text(struct pk_v8_frames *f, struct pk_json_slice value)
{
	if (value.len <= 2 || *value.text != '"')
		return 0;
	value = pk_json_slice_unquoted(value);
	f->buf.len = 0;
	pk_json_unescape(&f->buf, value.text, value.len);
	return pk_build_string(f->b, f->buf.data, f->buf.len);
}

static uint32_t add_text(struct pk_v8_frames *f, const char *text, size_t len)
{
	struct pk_json_members members = pk_json_members(text, len);
	struct pk_v8_call call = {.line = -1, .column = -1};
	struct pk_json_slice key, value;

	while (pk_json_member(&members, &key, &value))
		if (pk_json_slice_is(key, "functionName"))
			call.name = read_text(f, value);
		else if (pk_json_slice_is(key, "url"))
			call.file = read_text(f, value);
		else if (pk_json_slice_is(key, "lineNumber"))
			pk_json_slice_int(value, &call.line);
		else if (pk_json_slice_is(key, "columnNumber"))
			pk_json_slice_int(value, &call.column);
	return pk_v8_add_call(f, &call);
}

static uint32_t find(struct pk_v8_frames *f, const char *text, size_t len)
{
	struct pk_v8_frame *frame;
	uint32_t *known =
		PK_INDEX_FIND(&f->index, pk_hash_bytes(text, len), id,
			      f->frame[id].len == len && !memcmp(f->frame[id].text, text, len));

	if (*known)
		return f->frame[*known].location;
	f->count++;
	PK_GROW(f->frame, (size_t)f->count + 1, f->alloc);
	frame = &f->frame[f->count];
	frame->text = pk_arena_copy(&f->text, text, len);
	frame->len = len;
	frame->location = add_text(f, text, len);
	*known = f->count;
	return frame->location;
}

uint32_t pk_v8_read_frame(struct pk_v8_frames *f, struct pk_json *j)
{
	const char *text = NULL;
	uint32_t location;
	size_t len = 0;

	pk_json_begin(j, MOST_TEXT);
	pk_json_next(j);
	pk_json_pass(j);
	text = j->token == PK_JSON_OBJECT_END ? pk_json_written(j, &len) : NULL;
	location = find(f, text ? text : "{}", text ? len : 2);
	pk_json_finish(j);
	return location;
}

void pk_v8_describe_frames(struct pk_v8_frames *f)
{
	if (!f->joined)
		return;
	f->buf.len = 0;
	pk_buf_addf(&f->buf, "%" PRIu64, f->joined);
	pk_build_meta(f->b, "frames joined that differ by column alone", f->buf.data);
}

void pk_v8_frames_release(struct pk_v8_frames *f)
{
	pk_arena_release(&f->text);
	pk_index_release(&f->index);
	pk_buf_release(&f->buf);
	free(f->frame);
	free(f->column);
}
