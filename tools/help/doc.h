#pragma once

#include <stdbool.h>

#include "base/text/str.h"

/*
 * Writes a manual page as text for a terminal, or as mdoc for man. In all texts, `words
 * between backticks` are typed as they are, and shown bold by man.
 */
struct pk_doc {
	struct pk_buf *out;
	bool mdoc;
	bool failed; /* see pk_page_write */
	enum {
		PK_DOC_HEADING,
		PK_DOC_PARAGRAPH,
		PK_DOC_ITEM,
		PK_DOC_POINT
	} last; /* what was written last */
};

/* page "profkit-formats", section 5, title "formats that profkit reads and writes". */
void pk_doc_begin(struct pk_doc *d, const char *page, int section, const char *title);
void pk_doc_section(struct pk_doc *d, const char *title);
void pk_doc_subsection(struct pk_doc *d, const char *title);
/* A newline in text begins a new line. */
void pk_doc_paragraph(struct pk_doc *d, const char *text);
/* Lines to be kept as they are. */
void pk_doc_literal(struct pk_doc *d, const char *lines);
/* An item of a list of terms and what they mean. The list begins with its first item and
 * ends where something else begins. */
void pk_doc_item(struct pk_doc *d, const char *term, const char *text);
/* An item of a list without terms. */
void pk_doc_point(struct pk_doc *d, const char *text);
/* The section SEE ALSO; pages is "profkit(1) profkit-formats(5)". */
void pk_doc_see(struct pk_doc *d, const char *pages);
/* Makes a sentence of the text: a capital at its beginning (unless it is a name with an
 * underscore), a full stop at its end. */
void pk_doc_end_sentence(struct pk_buf *buf);
/* Stands for a space at which lines are not broken. */
#define PK_DOC_JOINED '\1'
/* Appends text for a terminal without backticks, broken between words; it begins at `column`, and
 * other lines at `indent`. */
void pk_doc_wrap(struct pk_buf *out, const char *text, int column, int indent, int width);
/* Must be called last. */
void pk_doc_end(struct pk_doc *d);
