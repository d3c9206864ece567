/*
 * Which function each line of a Python file is in, told by indentation: scalene lists only those
 * functions that cost something, and before version 2 not where they end.
 *
 *	class Job:                   module
 *	    @cache                   Job.run
 *	    def run(self):           Job.run
 *	        text = """
 *	within a text                Job.run
 *	"""                          Job.run
 *	        return text          Job.run
 *	start()                      module
 *
 * A line that continues another one (within brackets or three quotes, behind a backslash) says
 * nothing by its indentation. For Python a function begins at its first decorator.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "readers/scalene/internal.h"

static uint32_t add_scope(struct scalene *r, struct scalene_scope scope)
{
	PK_GROW(r->scope, r->scopes + 1, r->scope_alloc);
	if (!scope.class)
		scope.frame = (uint32_t)r->scopes;
	r->scope[r->scopes] = scope;
	return (uint32_t)r->scopes++;
}

void scalene_begin_scopes(struct scalene *r, uint32_t file)
{
	struct scalene_scan *s = &r->scan;
	struct scalene_scope module = {
		.file = file, .line = 1, .name = pk_build_text(r->b, "<module>")};

	s->depth = 1;
	s->brackets = 0;
	s->first = r->lines;
	s->decorator = 0;
	s->quote = 0;
	s->joined = false;
	PK_GROW(s->open, 1, s->alloc);
	s->open[0].indent = 0;
	s->open[0].scope = add_scope(r, module);
}

/* Skips the text in quotes whose first quote is at `at`. */
static const char *skip_quoted(struct scalene_scan *s, const char *at, const char *end)
{
	char quote = *at++;

	if (end - at >= 2 && at[0] == quote && at[1] == quote) {
		s->quote = quote;
		return at + 2;
	}
	for (; at < end && *at != quote; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : at;
}

/* Behind the end of the text in three quotes that is open, or `end`. */
static const char *leave_text(struct scalene_scan *s, const char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at == '\\') {
			at++;
		} else if (end - at >= 3 && at[0] == s->quote && at[1] == s->quote &&
			   at[2] == s->quote) {
			s->quote = 0;
			return at + 3;
		}
	}
	return end;
}

/* Updates the state with what the line leaves open. */
static void scan_line(struct scalene_scan *s, const char *at, const char *end)
{
	s->joined = false;
	while (at < end) {
		if (s->quote) {
			at = leave_text(s, at, end);
			continue;
		}
		switch (*at) {
		case '#':
			return;
		case '"':
		case '\'':
			at = skip_quoted(s, at, end);
			continue;
		case '(':
		case '[':
		case '{':
			s->brackets++;
			break;
		case ')':
		case ']':
		case '}':
			s->brackets -= s->brackets > 0;
			break;
		case '\\':
			s->joined = at + 1 == end;
			break;
		default:
			break;
		}
		at++;
	}
}

/* What follows the word and blanks, or NULL. */
static const char *behind(const char *at, const char *end, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(end - at) <= len || memcmp(at, word, len) || !strchr(" \t", at[len]))
		return NULL;
	for (at += len; at < end && strchr(" \t", *at);)
		at++;
	return at;
}

static bool is_name(char c)
{
	return c == '_' || (c & 0x80) || pk_is_letter_or_digit(c);
}

/* The name of the class or function that the line begins, after what is around it. */
static void open_scope(struct scalene *r, uint32_t number, uint32_t indent, const char *at,
		       const char *end)
{
	const struct pk_profile *p = pk_builder_profile(r->b);
	struct scalene_scan *s = &r->scan;
	const struct scalene_scope *parent = &r->scope[s->open[s->depth - 1].scope];
	const char *name = behind(at, end, "class"), *rest;
	struct scalene_scope scope = {
		.file = parent->file, .line = number, .frame = parent->frame, .class = name};

	if (at < end && *at == '@') {
		s->decorator = s->decorator ? s->decorator : number;
		return;
	}
	if (s->decorator)
		scope.line = s->decorator;
	s->decorator = 0;
	if (!name && (rest = behind(at, end, "async")))
		at = rest;
	if (!name && !(name = behind(at, end, "def")))
		return;
	for (rest = name; rest < end && is_name(*rest);)
		rest++;
	if (rest == name)
		return;
	r->word.len = 0;
	if (s->depth > 1) {
		pk_buf_adds(&r->word, pk_text(p, parent->name));
		pk_buf_adds(&r->word, parent->class ? "." : ".<locals>.");
	}
	pk_buf_add(&r->word, name, (size_t)(rest - name));
	scope.name = pk_build_string(r->b, r->word.data, r->word.len);
	PK_GROW(s->open, s->depth + 1, s->alloc);
	s->open[s->depth].indent = indent;
	s->open[s->depth++].scope = add_scope(r, scope);
	for (size_t i = r->lines; i > s->first && r->line[i - 1].number >= scope.line; i--)
		r->line[i - 1].scope = r->scope[r->scopes - 1].frame;
}

uint32_t scalene_scope_of(struct scalene *r, uint32_t number, const char *text, size_t len)
{
	struct scalene_scan *s = &r->scan;
	const char *end = text + len, *at = text;
	bool continued = s->quote || s->brackets || s->joined;

	while (end > at && strchr("\r\n", end[-1]))
		end--;
	while (at < end && strchr(" \t\f", *at))
		at++;
	if (!continued && at < end && *at != '#') {
		uint32_t indent = (uint32_t)(at - text);

		while (s->depth > 1 && s->open[s->depth - 1].indent >= indent)
			s->depth--;
		open_scope(r, number, indent, at, end);
	}
	scan_line(s, at, end);
	return r->scope[s->open[s->depth - 1].scope].frame;
}
