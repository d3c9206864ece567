#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/io/output.h"
#include "base/text/str.h"
#include "render/grid.h"

/*
 * Plain text of at most a number of tokens, for agents and scripts (`--format brief`). Parts are
 * printed in the order in which they were begun. In the order of their rank, each first gets its
 * `least` lines, as far as they fit, and then the rest of the budget. Lines that do not fit are
 * counted at the end of their part.
 */

/* The number of tokens of a text: one for each four letters of a word that are begun, each three
 * digits that are begun, each other visible ASCII character, each byte of other characters and each
 * end of a line. Blanks count nothing. */
size_t pk_brief_tokens(const char *text, size_t len);

struct pk_brief {
	struct pk_brief_part {
		char *heading; /* a line above the others, or NULL */
		const char
			*what; /* "functions": "… 12 more functions"; NULL: they are not counted */
		size_t least;
		int rank;
		size_t left_out; /* lines that were never given, counted with those that do not
				    fit */
		struct pk_brief_line {
			char *text;
			size_t tokens;
		} * line;
		size_t count, alloc, shown;
	} * part;
	size_t count, alloc;
};

/* Begins a part. The heading is copied; a part without lines is not printed. */
void pk_brief_part(struct pk_brief *b, const char *heading, const char *what, size_t least,
		   int rank);
/* Leaves out the middle of a long name, which begins at `start` of a line and has a handle. */
void pk_brief_cut_name(struct pk_buf *line, size_t start);
/* Adds a line to the part that was begun last; control characters become visible. */
void pk_brief_line(struct pk_brief *b, const char *text, size_t len);
/* Adds the lines of a text. A line that begins with a blank continues the one before it, unless a
 * percentage follows. */
void pk_brief_lines(struct pk_brief *b, const char *text);
/* Begins a part with the rows of a grid: a heading of the columns, behind the title (NULL = none),
 * and a line a row. Columns
 * that are lengthy are left out. Without rows there is no part. */
void pk_brief_rows(struct pk_brief *b, const struct pk_grid *g, const char *title, const char *what,
		   size_t least, int rank);
/* Writes everything in at most `budget` tokens (0 = no limit), and empties it. */
void pk_brief_write(struct pk_brief *b, size_t budget, struct pk_output *out);
