/*
 * Reads the pages of man/, which are written in a part of Markdown:
 *
 *	# SECTION
 *	## Subsection
 *	A paragraph, with `words` that are typed as they are. A backslash at the end\
 *	of a line begins a new line.
 *
 *	    lines that are kept as they are
 *
 *	*   an item of a list
 *	*   another one
 *
 *	term
 *	:   What it means.
 *
 *	@OPTIONS@
 *
 * The last is a directive, which manual.c replaces by what the program knows.
 */
#include "tools/help/manual.h"

#include <string.h>

static bool is_literal(const char *line)
{
	return pk_starts_with(line, "    ");
}

static bool is_blank(const char *line)
{
	return *line == '\n';
}

/* Appends the lines from text on up to an empty one, blocks of literal lines with those between
 * them; returns what follows. */
static const char *take_block(struct pk_buf *block, const char *text)
{
	bool literal = is_literal(text);

	block->len = 0;
	for (;;) {
		const char *next = text;

		while (*next && !is_blank(next)) {
			size_t len = strcspn(next, "\n") + 1;

			if (literal)
				pk_buf_add(block, next + 4, len - 4);
			else
				pk_buf_add(block, next, len);
			next += len;
		}
		text = next + strspn(next, "\n");
		if (!literal || !is_literal(text))
			return text;
		pk_buf_add(block, next, (size_t)(text - next));
	}
}

/* Makes one line of text, except where a line ends in a backslash. */
static void join_lines(char *text)
{
	char *to = text;

	for (const char *c = text; *c; c++) {
		if (*c != '\n') {
			*to++ = *c;
			continue;
		}
		if (to > text && to[-1] == '\\')
			to[-1] = '\n';
		else if (c[1])
			*to++ = ' ';
		c += strspn(c + 1, " ");
	}
	*to = '\0';
}

static void write_points(struct pk_doc *d, char *block)
{
	while (block) {
		char *text = block + 4, *next = strstr(text, "\n*   ");

		if (next)
			*next++ = '\0';
		join_lines(text);
		pk_doc_point(d, text);
		block = next;
	}
}

static void write_block(struct pk_doc *d, char *block, const struct pk_page *page)
{
	char *meaning = strstr(block, "\n:   ");

	if (pk_starts_with(block, "*   ")) {
		write_points(d, block);
		return;
	}
	if (meaning) {
		*meaning = '\0';
		join_lines(meaning + 5);
		pk_doc_item(d, block, meaning + 5);
		return;
	}
	join_lines(block);
	if (pk_starts_with(block, "# "))
		pk_doc_section(d, block + 2);
	else if (pk_starts_with(block, "## "))
		pk_doc_subsection(d, block + 3);
	else if (*block == '@')
		pk_manual_directive(d, block, page);
	else
		pk_doc_paragraph(d, block);
}

void pk_page_write(struct pk_doc *d, const struct pk_page *page)
{
	PK_BUF_AUTO block = PK_BUF_INIT;
	const char *text = page->text;

	while (*text) {
		bool literal = is_literal(text);

		text = take_block(&block, text);
		if (literal)
			pk_doc_literal(d, block.data);
		else
			write_block(d, block.data, page);
	}
}

const struct pk_page *pk_page_find(const char *topic, int section)
{
	for (const struct pk_page *page = pk_pages; page->name; page++) {
		if (strcmp(page->topic, topic) == 0 && page->section == section)
			return page;
	}
	return NULL;
}
