#ifndef PK_DOC_H
#define PK_DOC_H

#include <stdbool.h>

#include "base/str.h"

/*
 * A manual page as text for a terminal, or as mdoc for man. In all texts, `what
 * stands between backticks` is typed as it is and shown bold.
 */
struct pk_doc {
	struct pk_buf *out;
	bool mdoc;
	enum { PK_DOC_HEADING, PK_DOC_PARAGRAPH, PK_DOC_ITEM } last; /* what was written last */
};

/* page "profkit-formats", section 5, title "formats that profkit reads and writes". */
void pk_doc_begin(struct pk_doc *d, const char *page, int section, const char *title);
/* One way to call the program, a line in the section SYNOPSIS. */
void pk_doc_synopsis(struct pk_doc *d, const char *line);
void pk_doc_section(struct pk_doc *d, const char *title);
void pk_doc_subsection(struct pk_doc *d, const char *title);
void pk_doc_paragraph(struct pk_doc *d, const char *text);
/* Lines to be kept as they are. */
void pk_doc_literal(struct pk_doc *d, const char *lines);
/* An item of a list of terms and what they mean, which begins with its first item and
 * ends where something else begins. */
void pk_doc_item(struct pk_doc *d, const char *term, const char *text);
/* References to pages of profkit: "profkit-formats(5)". */
void pk_doc_references(struct pk_doc *d, const char *const *pages);
/* Makes a sentence of what was appended to buf from `start` on, or of help: a capital at
 * its beginning (but for units and names), a point at its end. */
void pk_doc_end_sentence(struct pk_buf *buf, size_t start);
void pk_doc_sentence(struct pk_buf *buf, const char *help);
/* Must be called last. */
void pk_doc_end(struct pk_doc *d);

#endif
