/*
 * Functions, files and lines in names of frames as tools write them.
 *
 *	parse (app/orders.py:21)
 *	app/orders.py:parse:21
 *	parse - orders.rb:21
 */
#include "base/text/ascii.h"
#include "model/frame_text.h"

#include <string.h>

/* Takes ":12" off the end of a text; larger numbers than 32 bits count as unknown. Returns false if
 * there is none. */
static bool take_line(const char *text, size_t *len, uint32_t *line)
{
	size_t at = *len, i;
	uint32_t n = 0;
	bool known;

	while (at && pk_is_digit(text[at - 1]))
		at--;
	known = true;
	for (i = at; i < *len; i++)
		known = known && !__builtin_mul_overflow(n, 10, &n) &&
			!__builtin_add_overflow(n, (uint32_t)(text[i] - '0'), &n);
	if (at > 1 && at < *len && text[at - 1] == '-') {
		known = false;
		at--;
	}
	if (!at || text[at - 1] != ':')
		return false;
	*len = at - 1;
	*line = known ? n : 0;
	return true;
}

static void set_place(struct pk_frame_text *t, const char *text, size_t len)
{
	t->file = text;
	t->file_len = len;
	t->line = 0;
	if (len && pk_is_digit(text[len - 1]))
		take_line(text, &t->file_len, &t->line);
}

/* The place of the parenthesis, after a blank, that the last byte closes; 0 if there is none. */
static size_t find_open(const char *text, size_t len)
{
	size_t at, depth = 0;

	for (at = len; at-- > 1;) {
		if (text[at] == ')')
			depth++;
		else if (text[at] == '(' && !--depth)
			break;
	}
	if (at > 0 && at < len && text[at] == '(' && text[at - 1] == ' ')
		return at;
	for (at = len; at-- > 1;)
		if (text[at] == '(' && text[at - 1] == ' ')
			return at;
	return 0;
}

bool pk_frame_text_place(const char *text, size_t len, struct pk_frame_text *t)
{
	size_t open;

	if (len < 5 || text[len - 1] != ')')
		return false;
	open = find_open(text, len);
	if (open < 2 || open + 2 >= len)
		return false;
	t->name = text;
	t->name_len = open - 1;
	set_place(t, text + open + 1, len - open - 2);
	return true;
}

bool pk_frame_text_colons(const char *text, size_t len, struct pk_frame_text *t)
{
	const char *colon;

	t->line = 0;
	if (!take_line(text, &len, &t->line))
		return false;
	colon = memrchr(text, ':', len);
	if (!colon || len < 2)
		return false;
	t->file = text;
	t->file_len = (size_t)(colon - text);
	t->name = colon + 1;
	t->name_len = len - t->file_len - 1;
	return true;
}

bool pk_frame_text_dash(const char *text, size_t len, struct pk_frame_text *t)
{
	size_t at;

	for (at = len; at-- > 1;)
		if (len - at > 3 && !memcmp(text + at, " - ", 3))
			break;
	if (!at || at > len)
		return false;
	t->name = text;
	t->name_len = at;
	set_place(t, text + at + 3, len - at - 3);
	return t->line != 0;
}

static bool ends_with(const struct pk_frame_text *t, const char *suffix)
{
	size_t len = strlen(suffix);

	return t->file_len > len && !memcmp(t->file + t->file_len - len, suffix, len);
}

static bool is_library(const struct pk_frame_text *t)
{
	return !t->line && (ends_with(t, ".so") || ends_with(t, ".dylib") || ends_with(t, ".dll") ||
			    ends_with(t, ".pyd") || memmem(t->file, t->file_len, ".so.", 4));
}

static enum pk_function_kind file_kind(const struct pk_frame_text *t)
{
	static const char *const native[] = {".c",  ".cc",  ".cpp", ".cxx", ".h",
					     ".hh", ".hpp", ".rs",  ".S"};
	size_t i;

	if (t->file_len && (ends_with(t, ".py") || t->file[0] == '<'))
		return PK_KIND_PYTHON;
	if (t->name_len > 2 && !memcmp(t->name, "0x", 2))
		return PK_KIND_NATIVE;
	for (i = 0; i < sizeof(native) / sizeof(*native); i++)
		if (ends_with(t, native[i]))
			return PK_KIND_NATIVE;
	return PK_KIND_UNKNOWN;
}

struct pk_function pk_frame_text_function(struct pk_builder *b, const struct pk_frame_text *t)
{
	struct pk_function f = {.name = pk_build_string(b, t->name, t->name_len)};

	if (is_library(t)) {
		f.module = pk_build_string(b, t->file, t->file_len);
		f.kind = PK_KIND_NATIVE;
	} else {
		f.kind = file_kind(t);
		if (t->file_len != 1 || *t->file != '?')
			f.file = pk_build_string(b, t->file, t->file_len);
	}
	return f;
}
