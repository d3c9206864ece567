/*
 * Frames of pyinstrument: how samples write them, and what they stand for; see pyinstrument.c.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/pyinstrument/internal.h"

/* The text before the attributes of a frame, as a number from 1. */
static uint32_t find_identifier(struct pyinstrument_session *s, const char *text, size_t len)
{
	uint64_t hash = pk_hash_bytes(text, len);
	uint32_t tag = pk_index_tag(hash), i;
	struct pk_index *x = &s->identifier_index;

	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		const struct pyinstrument_identifier *known = &s->identifier[x->slot[i].id];

		if (x->slot[i].tag == tag && known->len == len && !memcmp(known->text, text, len))
			return x->slot[i].id;
	}
	PK_GROW(s->identifier, s->identifiers + 2, s->identifier_alloc);
	s->identifier[++s->identifiers] = (struct pyinstrument_identifier){
		.text = pk_arena_copy(&s->arena, text, len), .len = (uint32_t)len};
	pk_index_put(x, i, tag, s->identifiers);
	return s->identifiers;
}

/* The "l" among the attributes from text on. */
static uint32_t find_line(const char *text, const char *end)
{
	int64_t line;
	bool exact, overflow;

	while ((text = memchr(text, 1, (size_t)(end - text)))) {
		if (++text == end || *text != 'l')
			continue;
		if (pk_parse_decimal(text + 1, (size_t)(end - text - 1), 0, &line, &exact,
				     &overflow) &&
		    line > 0 && line <= UINT32_MAX)
			return (uint32_t)line;
	}
	return 0;
}

static struct pyinstrument_form new_form(struct pyinstrument_session *s, const char *raw,
					 size_t len)
{
	struct pk_buf *text = &s->r.text;
	struct pyinstrument_form form = {.text = pk_arena_copy(&s->arena, raw, len),
					 .len = (uint32_t)len};
	const char *attributes;

	text->len = 0;
	pk_buf_adds(text, "");
	pk_json_unescape(text, raw, len);
	attributes = memchr(text->data, 1, text->len);
	form.identifier = find_identifier(
		s, text->data, attributes ? (size_t)(attributes - text->data) : text->len);
	if (attributes)
		form.line = find_line(attributes, text->data + text->len);
	return form;
}

uint32_t pyinstrument_find_form(struct pyinstrument_session *s)
{
	const char *text = s->r.json.text;
	size_t len = s->r.json.len;
	uint64_t hash = pk_hash_bytes(text, len);
	uint32_t tag = pk_index_tag(hash), i;
	struct pk_index *x = &s->form_index;

	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		const struct pyinstrument_form *known = &s->form[x->slot[i].id];

		if (x->slot[i].tag == tag && known->len == len && !memcmp(known->text, text, len))
			return x->slot[i].id;
	}
	PK_GROW(s->form, s->forms + 2, s->form_alloc);
	s->form[++s->forms] = new_form(s, text, len);
	pk_index_put(x, i, tag, s->forms);
	return s->forms;
}

static bool is(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

static void set_thread(struct pyinstrument_reader *r, const char *name, size_t len, int64_t tid)
{
	struct pk_thread thread = {
		.tid = tid, .name = pk_build_string(r->b, name, len), .sort = PK_NULL};

	if (is(name, len, "MainThread"))
		thread.role = PK_ROLE_MAIN;
	r->thread = pk_build_thread(r->b, &thread);
}

uint32_t pyinstrument_frame(struct pyinstrument_reader *r, const char *function,
			    size_t function_len, const char *file, size_t file_len,
			    const char *line, size_t line_len)
{
	struct pk_function frame = {.kind = PK_KIND_PYTHON};
	bool exact, overflow;
	int64_t number;

	if (!pk_parse_decimal(line, line_len, 0, &number, &exact, &overflow))
		number = 0;
	if (is(file, file_len, "<thread>")) {
		set_thread(r, function, function_len, number ? number : PK_NULL);
		return 0;
	}
	if (is(function, function_len, "[await]"))
		frame.kind = PK_KIND_IDLE;
	else if (is(function, function_len, "[out-of-context]"))
		frame.kind = PK_KIND_UNKNOWN;
	else if (is(file, file_len, "<built-in>"))
		frame.kind = PK_KIND_BUILTIN;
	frame.name = pk_build_string(r->b, function, function_len);
	if (file_len && frame.kind == PK_KIND_PYTHON) {
		frame.file = pk_build_string(r->b, file, file_len);
		frame.line = number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
	}
	return pk_build_function(r->b, &frame);
}

uint32_t pyinstrument_no_frame(struct pyinstrument_reader *r)
{
	return pk_build_node(r->b, 0, pk_build_label(r->b, "[self]", 6));
}

void pyinstrument_build_identifier(struct pyinstrument_session *s,
				   struct pyinstrument_identifier *id)
{
	const char *part[3] = {id->text, "", ""}, *end = id->text + id->len;
	size_t len[3] = {id->len, 0, 0};

	for (int i = 0; i < 2; i++) {
		const char *nul = memchr(part[i], 0, len[i]);

		if (!nul)
			break;
		len[i] = (size_t)(nul - part[i]);
		part[i + 1] = nul + 1;
		len[i + 1] = (size_t)(end - nul - 1);
	}
	s->r.thread = 0;
	id->function = pyinstrument_frame(&s->r, part[0], len[0], part[1], len[1], part[2], len[2]);
	id->thread = s->r.thread;
	id->built = true;
}
