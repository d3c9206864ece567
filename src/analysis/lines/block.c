/*
 * The end of a function in Python source. inspect.getblock goes through the tokens of the text;
 * here, the text is cut into logical lines, each with its indentation, its last line and the first
 * of the words def, class and lambda in it, which is all that the rules of getblock look at.
 */
#include "analysis/lines/block.h"

#include <stdbool.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/str.h"

enum { DEEPEST = 100 }; /* levels of indentation in CPython */

struct logical {
	uint32_t last; /* its last line */
	size_t column; /* of its first token */
	char first;    /* character; '#' = a comment alone, 0 = an empty line */
	enum { WORD_NONE, WORD_BLOCK, WORD_LAMBDA } word;
};

static bool is_name(int c)
{
	return pk_is_letter_or_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

static void note_word(struct logical *l, const char *text, size_t len)
{
	if (l->word)
		return;
	if ((len == 3 && !memcmp(text, "def", 3)) || (len == 5 && !memcmp(text, "class", 5)))
		l->word = WORD_BLOCK;
	else if (len == 6 && !memcmp(text, "lambda", 6))
		l->word = WORD_LAMBDA;
}

/* Moves after the string that begins at a quote. */
static const char *skip_string(const char *c, const char *end)
{
	char quote = *c;
	bool triple = end - c >= 3 && c[1] == quote && c[2] == quote;

	for (c += triple ? 3 : 1; c < end; c++) {
		if (*c == '\\')
			c++;
		else if (*c == '\n' && !triple)
			return c; /* not closed */
		else if (*c == quote && !triple)
			return c + 1;
		else if (triple && end - c >= 3 && *c == quote && c[1] == quote && c[2] == quote)
			return c + 3;
	}
	return end;
}

/* The last line ends with '\n', too, so that no name is cut by the end of the text. */
static const char *skip_name(const char *c)
{
	while (is_name(*c))
		c++;
	return c;
}

/* Reads the logical line that begins with line number `line`. */
static struct logical read_logical(const struct pk_source_text *s, uint32_t line)
{
	const char *begin = s->text + s->start[line - 1], *end = s->text + s->start[s->count];
	const char *c = begin, *next;
	struct logical l = {.last = line};
	int depth = 0;

	for (; c < end && (*c == ' ' || *c == '\t' || *c == '\f'); c++)
		l.column = *c == ' ' ? l.column + 1 : *c == '\t' ? (l.column / 8 + 1) * 8 : 0;
	l.first = c < end && *c != '\n' ? *c : 0;
	for (; c < end && (*c != '\n' || depth); c = next) {
		next = c + 1;
		if (*c == '#') {
			next = memchr(c, '\n', (size_t)(end - c));
		} else if (*c == '"' || *c == '\'') {
			next = skip_string(c, end);
		} else if (*c == '\\' && next < end) {
			next++;
		} else if (is_name(*c)) {
			next = skip_name(c);
			note_word(&l, c, (size_t)(next - c));
		} else if (strchr("([{", *c)) {
			depth++;
		} else if (strchr(")]}", *c)) {
			depth -= depth > 0;
		}
	}
	while (l.last < s->count && s->text + s->start[l.last] <= c && c < end)
		l.last++;
	if (c >= end)
		l.last = s->count;
	return l;
}

struct finder {
	size_t columns[DEEPEST]; /* of the levels of indentation */
	int levels;
	int indent; /* levels within the block */
	bool started, is_lambda, has_body;
	size_t body; /* column of the body */
	uint32_t last;
};

/* Takes the indentation of a logical line; false if the block ended before it. */
static bool take_indentation(struct finder *f, size_t column)
{
	if (column > f->columns[f->levels] && f->levels + 1 < DEEPEST) {
		f->columns[++f->levels] = column;
		if (!f->started)
			return true; /* the first line is indented itself */
		if (!f->has_body)
			f->body = column;
		f->has_body = true;
		f->indent++;
		return true;
	}
	if (column == f->columns[f->levels])
		return !f->started || f->indent;
	for (; f->levels && column < f->columns[f->levels]; f->levels--)
		if (f->started && --f->indent <= 0)
			return false;
	return column == f->columns[f->levels];
}

uint32_t pk_python_block_end(const struct pk_source_text *s, uint32_t first)
{
	struct finder f = {.last = first};
	struct logical l;
	bool in_decorator;

	if (!first || first > s->count)
		return first;
	for (uint32_t line = first; line <= s->count; line = l.last + 1) {
		l = read_logical(s, line);
		if (l.first == '#' && f.has_body && l.column >= f.body)
			f.last = line;
		if (!l.first || l.first == '#')
			continue;
		if (!take_indentation(&f, l.column))
			break;
		in_decorator = !f.started && l.first == '@';
		if (!f.started && !in_decorator) {
			f.started = l.word != WORD_NONE;
			f.is_lambda = l.word == WORD_LAMBDA;
			if (!f.started) /* of another function, or none: a comprehension */
				return l.last;
		}
		if (f.started || in_decorator)
			f.last = l.last;
		if (f.is_lambda)
			break;
	}
	return f.last;
}

bool pk_is_python(const struct pk_profile *p, uint32_t file)
{
	const char *path = pk_text(p, file);

	return pk_ends_with(path, ".py") || pk_ends_with(path, ".pyw");
}

/* The line of "def NAME" that is the last before line `from`; 0 if there is none. */
static uint32_t find_def(const struct pk_source_text *text, const char *name, uint32_t from)
{
	const char *dot = strrchr(name, '.');
	size_t len, end;

	name = dot ? dot + 1 : name;
	end = strlen(name);
	for (uint32_t line = from; line; line--) {
		const char *at = pk_source_line(text, line, &len);
		const char *def = at ? memmem(at, len, "def ", 4) : NULL;

		if (def && len - (size_t)(def + 4 - at) > end && !memcmp(def + 4, name, end) &&
		    def[4 + end] == '(')
			return line;
	}
	return 0;
}

uint32_t pk_first_line(const struct pk_lines *l, const struct pk_line_group *group,
		       const struct pk_source_text *text)
{
	const struct pk_profile *p = l->profile;
	uint32_t begins = p->function.line[group->function];
	uint32_t first = l->row[group->first].line;

	if (!begins && text && pk_is_python(p, group->file))
		begins = find_def(text, pk_text(p, p->function.name[group->function]), first);
	return begins && begins < first ? begins : first;
}

uint32_t pk_last_line(const struct pk_lines *l, const struct pk_line_group *group,
		      const struct pk_source_text *text, uint32_t first)
{
	uint32_t last = l->row[group->first + group->count - 1].line, end;

	if (l->by_file)
		return UINT32_MAX;
	end = text && pk_is_python(l->profile, group->file) ? pk_python_block_end(text, first) : 0;
	return end > last ? end : last;
}
