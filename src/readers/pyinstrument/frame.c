/*
 * How samples of pyinstrument write frames, and what these stand for.
 *
 *	"main\u0000a.py\u00001\u0001l7"             function, file, line; line executed
 *	"run\u0000a.py\u00009\u0001cJob\u0001l12"    a method: its object is of class Job
 *	"MainThread\u0000<thread>\u0000140"         a thread
 *	"sleep\u0000<built-in>\u00000"
 *
 * The text before the first byte 1 tells frames apart; texts seen again cost one look-up.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/pyinstrument/internal.h"

/* The number of a text; a new one has `same` 0. */
static uint32_t find(struct pyinstrument *r, const char *text, size_t len, bool written)
{
	uint32_t *known =
		PK_INDEX_FIND(&r->index, pk_hash_bytes(text, len) + written, id,
			      r->known[id].len == len && r->known[id].written == written &&
				      !memcmp(r->known[id].text, text, len));

	if (*known)
		return *known;
	PK_GROW(r->known, (size_t)r->known_count + 2, r->known_alloc);
	r->known[++r->known_count] =
		(struct pyinstrument_text){.text = pk_arena_copy(&r->arena, text, len),
					   .len = (uint32_t)len,
					   .written = written};
	return *known = r->known_count;
}

/* Attributes begin with a byte 1: "l" and the line, "c" and the class. */
static void read_attributes(struct pyinstrument *r, uint32_t id, const char *text, const char *end)
{
	bool exact, overflow;
	int64_t line;

	while (text != end) {
		char kind = *++text;
		const char *next = memchr(text, 1, (size_t)(end - text));
		size_t len;

		next = next ? next : end;
		if (text == next)
			continue;
		len = (size_t)(next - ++text);
		if (kind == 'c' && len)
			r->known[id].class = pk_build_string(r->b, text, len);
		else if (kind == 'l' && pk_parse_decimal(text, len, 0, &line, &exact, &overflow) &&
			 line > 0 && line <= UINT32_MAX)
			r->known[id].line = (uint32_t)line;
		text = next;
	}
}

uint32_t pyinstrument_find(struct pyinstrument *r)
{
	uint32_t id = find(r, r->json.text, r->json.len, true), same;
	const char *end;

	if (r->known[id].same)
		return id;
	r->text.len = 0;
	pk_buf_adds(&r->text, "");
	pk_json_unescape(&r->text, r->json.text, r->json.len);
	end = memchr(r->text.data, 1, r->text.len);
	same = find(r, r->text.data, end ? (size_t)(end - r->text.data) : r->text.len, false);
	r->known[same].same = r->known[id].same = same;
	if (end)
		read_attributes(r, id, end, r->text.data + r->text.len);
	return id;
}

static bool is(struct pyinstrument_part part, const char *word)
{
	return part.len == strlen(word) && !memcmp(part.text, word, part.len);
}

uint32_t pyinstrument_function(struct pyinstrument *r, struct pyinstrument_part function,
			       struct pyinstrument_part file, struct pyinstrument_part line)
{
	struct pk_function made = {.kind = PK_KIND_PYTHON};
	uint32_t name = pk_build_string(r->b, function.text, function.len);
	bool exact, overflow;
	int64_t number;

	if (!pk_parse_decimal(line.text, line.len, 0, &number, &exact, &overflow))
		number = 0;
	if (is(file, "<thread>")) {
		struct pk_thread thread = {
			.tid = number ? number : PK_NULL, .name = name, .sort = PK_NULL};

		thread.role = is(function, "MainThread") ? PK_ROLE_MAIN : PK_ROLE_UNKNOWN;
		r->thread = pk_build_thread(r->b, &thread);
		return 0;
	}
	if (is(function, "[await]"))
		made.kind = PK_KIND_IDLE;
	else if (is(function, "[out-of-context]"))
		made.kind = PK_KIND_UNKNOWN;
	else if (is(file, "<built-in>"))
		made.kind = PK_KIND_BUILTIN;
	made.name = name;
	if (file.len && made.kind == PK_KIND_PYTHON) {
		made.file = pk_build_string(r->b, file.text, file.len);
		made.line = number > 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
	}
	return pk_build_function(r->b, &made);
}

void pyinstrument_note_class(struct pyinstrument *r, uint32_t function, uint32_t class)
{
	PK_GROW_ZERO(r->class_of, (size_t)function + 1, r->class_alloc);
	if (r->class_of[function] && r->class_of[function] != class)
		class = PYINSTRUMENT_CLASSES;
	r->class_of[function] = class;
}

/* A method whose objects are of several classes is inherited: the class that has it is not
 * known. */
void pyinstrument_name_methods(struct pyinstrument *r)
{
	const struct pk_profile *p = pk_builder_profile(r->b);

	for (uint32_t f = 1; f < p->function.count && f < r->class_alloc; f++) {
		uint32_t class = r->class_of[f], name = p->function.name[f];

		if (!class || class == PYINSTRUMENT_CLASSES)
			continue;
		r->text.len = 0;
		pk_buf_add(&r->text, pk_text(p, class), p->string.len[class]);
		pk_buf_addc(&r->text, '.');
		pk_buf_add(&r->text, pk_text(p, name), p->string.len[name]);
		name = pk_build_string(r->b, r->text.data, r->text.len);
		pk_build_set(r->b, function, name, f, name);
	}
}

uint32_t pyinstrument_no_frame(struct pyinstrument *r)
{
	return pk_build_node(r->b, 0, pk_build_label(r->b, "[self]", 6));
}

/* The text up to NUL or the end; *rest becomes what follows. */
static struct pyinstrument_part take_part(struct pyinstrument_part *rest)
{
	struct pyinstrument_part part = *rest;
	const char *nul = memchr(rest->text, 0, rest->len);

	part.len = nul ? (size_t)(nul - rest->text) : rest->len;
	rest->text += part.len + (nul != NULL);
	rest->len -= part.len + (nul != NULL);
	return part;
}

uint32_t pyinstrument_location(struct pyinstrument *r, uint32_t number)
{
	struct pyinstrument_text *t = &r->known[number], *same = &r->known[t->same];

	if (!same->built) {
		struct pyinstrument_part rest = {same->text, same->len};
		struct pyinstrument_part function = take_part(&rest), file = take_part(&rest);

		r->thread = 0;
		same->function = pyinstrument_function(r, function, file, rest);
		same->thread = r->thread;
		same->built = true;
	}
	r->thread = same->thread;
	if (!t->location && same->function) {
		t->location = pk_build_place(r->b, same->function, t->line);
		if (t->class)
			pyinstrument_note_class(r, same->function, t->class);
	}
	return t->location;
}
