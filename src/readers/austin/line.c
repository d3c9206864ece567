/*
 * The lines of austin's text taken apart, see austin.c, where the format is defined.
 */
#include "readers/austin/austin.h"

#include <string.h>

#include "base/text/ascii.h"
#include "base/text/str.h"
#include "model/frame_text.h"

static void read_native(struct pk_frame_text *t, struct pk_function *frame, struct pk_builder *b)
{
	struct pk_buf address = PK_BUF_INIT;

	frame->kind = PK_KIND_NATIVE;
	if (!pk_text_is(t->name, t->name_len, "<unknown>")) {
		frame->name = pk_build_string(b, t->name, t->name_len);
		return;
	}
	pk_buf_adds(&address, "0x");
	pk_buf_add(&address, t->file + 7, t->file_len - 7);
	frame->name = pk_build_string(b, address.data, address.len);
	pk_buf_release(&address);
}

void pk_austin_frame(struct pk_builder *b, const char *text, size_t len, struct pk_function *frame,
		     uint32_t *line)
{
	struct pk_frame_text t;

	if (!pk_frame_text_colons(text, len, &t) && !pk_frame_text_place(text, len, &t)) {
		frame->name = pk_build_string(b, text, len);
		frame->kind = pk_text_is(text, len, "<idle>") ? PK_KIND_IDLE : PK_KIND_UNKNOWN;
	} else if (!t.file_len || pk_text_is(t.file, t.file_len, "kernel")) {
		frame->name = pk_build_string(b, t.name, t.name_len);
		frame->kind = t.file_len ? PK_KIND_KERNEL : PK_KIND_RUNTIME;
	} else if (t.file_len > 7 && !memcmp(t.file, "native@", 7)) {
		read_native(&t, frame, b);
	} else {
		*frame = pk_frame_text_function(b, &t);
		*line = t.line;
	}
}

size_t pk_austin_number(const char *text, size_t len, int64_t *n)
{
	bool negative = len && *text == '-';
	size_t i = negative;
	int64_t value = 0;

	for (; i < len && pk_is_digit(text[i]); i++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, text[i] - '0', &value))
			return 0;
	*n = negative ? -value : value;
	return i > negative ? i : 0;
}

static bool is_frame(const char *text, size_t len)
{
	struct pk_frame_text t;

	return pk_frame_text_colons(text, len, &t) || pk_frame_text_place(text, len, &t);
}

/* The length of the name of a thread: up to the first frame. */
static size_t name_len(const char *text, size_t len)
{
	const char *end = memchr(text, ';', len), *next;

	for (; end; end = next) {
		size_t rest = len - (size_t)(end + 1 - text);

		next = memchr(end + 1, ';', rest);
		if (is_frame(end + 1, next ? (size_t)(next - end - 1) : rest))
			return (size_t)(end - text);
	}
	return len;
}

/* "P12;T0:34;": gives its length, 0 if there is no such begin. */
static size_t take_owner(const char *text, size_t len, struct pk_austin_owner *o)
{
	size_t at, digits;
	int64_t interpreter;

	digits = len && *text == 'P' ? pk_austin_number(text + 1, len - 1, &o->pid) : 0;
	at = 1 + digits;
	if (!digits || len - at < 3 || text[at] != ';' || text[at + 1] != 'T')
		return 0;
	at += 2;
	digits = pk_austin_number(text + at, len - at, &interpreter);
	if (digits && at + digits < len && text[at + digits] == ':')
		at += digits + 1;
	digits = pk_austin_number(text + at, len - at, &o->tid);
	o->name = text + at;
	if (digits && (at + digits == len || text[at + digits] == ';')) {
		o->name_len = digits;
	} else {
		o->tid = PK_NULL;
		o->name_len = name_len(text + at, len - at);
	}
	at += o->name_len;
	return at < len ? at + 1 : at;
}

/* Takes the values, 1 or 3, from the end of a line. */
static bool take_values(const char *text, size_t len, struct pk_austin_sample *s)
{
	const char *blank = memrchr(text, ' ', len);
	size_t at = blank ? (size_t)(blank - text) + 1 : len, digits;

	for (s->count = 0; s->count < 3 && at < len; at++) {
		digits = pk_austin_number(text + at, len - at, &s->value[s->count]);
		s->count += digits > 0;
		at += digits;
		if (!digits || (at < len && text[at] != ','))
			return false;
	}
	s->to = blank ? (size_t)(blank - text) : 0;
	return (s->count == 1 || s->count == 3) && at >= len && text[len - 1] != ',';
}

/* "12 4 -3", as austin 2 writes mode full: what was taken is the last. */
static void take_old_values(const char *text, struct pk_austin_sample *s)
{
	size_t to = s->to, i;
	int64_t value[2];

	for (i = 2; i-- > 0;) {
		const char *blank = memrchr(text, ' ', to);
		size_t at = blank ? (size_t)(blank - text) + 1 : to;

		if (!blank || pk_austin_number(text + at, to - at, &value[i]) != to - at ||
		    at == to)
			return;
		to = at - 1;
	}
	if (s->value[0] > 0 || value[0] < 0 || value[1] < 0)
		return;
	s->value[2] = s->value[0];
	s->value[0] = value[0];
	s->value[1] = value[1];
	s->count = 3;
	s->old = true;
	s->to = to;
}

bool pk_austin_sample(const char *text, size_t len, struct pk_austin_sample *s)
{
	memset(s, 0, sizeof(*s));
	if (!take_values(text, len, s))
		return false;
	s->from = take_owner(text, s->to, &s->owner);
	if (s->from && s->count == 1 && s->to > s->from && pk_is_digit(text[s->to - 1]))
		take_old_values(text, s);
	return s->from != 0;
}
