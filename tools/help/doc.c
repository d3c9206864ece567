/* Pages of the manual, as text for a terminal or as mdoc for man. */
#include "tools/help/doc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* mdoc needs a date; a constant one keeps builds reproducible */
#define PAGE_DATE "November 21, 2026"

enum { WIDTH = 78, INDENT = 4, DEEPER = 8 };

/* True if an mdoc line of `column` bytes should end at the space at c, because the next word does
 * not fit. Escapes count as they are written. */
static bool breaks_line(const char *c, size_t column)
{
	bool sentence = strchr(".!?", c[-1]) && c[-2] != '.';

	return c[1] && (sentence || column + 1 + strcspn(c + 1, " ") > WIDTH - 12);
}

/* Appends text for mdoc with roff's characters escaped. Unless one_line is set, every sentence
 * begins a new line. */
static void add_roff(struct pk_buf *out, const char *text, bool one_line)
{
	size_t start = out->len;
	bool code = false;

	for (const char *c = text; *c; c++) {
		if (!one_line && *c == ' ' && c > text + 1 && breaks_line(c, out->len - start)) {
			pk_buf_addc(out, '\n');
			start = out->len;
			continue;
		}
		if (out->len == start && (*c == '.' || *c == '\''))
			pk_buf_adds(out, "\\&");
		if (*c == '`') {
			pk_buf_adds(out, code ? "\\fP" : "\\fB");
			code = !code;
		} else if (*c == '\\') {
			pk_buf_adds(out, "\\e");
		} else if (*c == '-' && code) {
			pk_buf_adds(out, "\\-");
		} else {
			pk_buf_addc(out, *c);
		}
	}
	pk_buf_addc(out, '\n');
}

void pk_doc_wrap(struct pk_buf *out, const char *text, int column, int indent, int width)
{
	for (bool first = true; *text; first = false) {
		size_t len = strcspn(text, " "), ticks = 0;

		for (size_t i = 0; i < len; i++)
			ticks += text[i] == '`';
		if (!first && column + 1 + (int)(len - ticks) > width) {
			pk_buf_addf(out, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			pk_buf_addc(out, ' ');
			column++;
		}
		for (size_t i = 0; i < len; i++) {
			if (text[i] != '`')
				pk_buf_addc(out, text[i] == PK_DOC_JOINED ? ' ' : text[i]);
		}
		column += (int)(len - ticks);
		text += len + (text[len] == ' ');
	}
	pk_buf_addc(out, '\n');
}

static void add_wrapped(struct pk_buf *out, const char *text, int indent)
{
	pk_buf_addf(out, "%*s", *text ? indent : 0, "");
	pk_doc_wrap(out, text, indent, indent, WIDTH);
}

static void add_upper(struct pk_buf *out, const char *text)
{
	for (; *text; text++)
		pk_buf_addc(out, (char)toupper((unsigned char)*text));
}

void pk_doc_begin(struct pk_doc *d, const char *page, int section, const char *title)
{
	if (!d->mdoc) {
		add_upper(d->out, page);
		pk_buf_addf(d->out, "(%d)\n\nNAME\n%*s%s: %s\n", section, INDENT, "", page, title);
		return;
	}
	pk_buf_addf(d->out, ".Dd %s\n.Dt ", PAGE_DATE);
	add_upper(d->out, page);
	pk_buf_addf(d->out, " %d\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", section, page);
	add_roff(d->out, title, true);
}

/* Ends an open list, and notes what is written next. */
static void move_on(struct pk_doc *d, int next)
{
	if ((d->last == PK_DOC_ITEM || d->last == PK_DOC_POINT) && next != (int)d->last && d->mdoc)
		pk_buf_adds(d->out, ".El\n");
	d->last = next;
}

static void heading(struct pk_doc *d, const char *macro, const char *title, int indent)
{
	move_on(d, PK_DOC_HEADING);
	if (d->mdoc)
		pk_buf_addf(d->out, ".%s %s\n", macro, title);
	else
		pk_buf_addf(d->out, "\n%*s%s\n", indent, "", title);
}

void pk_doc_section(struct pk_doc *d, const char *title)
{
	heading(d, "Sh", title, 0);
}

void pk_doc_subsection(struct pk_doc *d, const char *title)
{
	heading(d, "Ss", title, INDENT / 2);
}

void pk_doc_paragraph(struct pk_doc *d, const char *text)
{
	bool gap = d->last != PK_DOC_HEADING;
	char *lines = pk_strdup(text), *rest = lines, *line;

	move_on(d, PK_DOC_PARAGRAPH);
	if (gap)
		pk_buf_adds(d->out, d->mdoc ? ".Pp\n" : "\n");
	while ((line = strsep(&rest, "\n"))) {
		if (!d->mdoc)
			add_wrapped(d->out, line, INDENT);
		else
			add_roff(d->out, line, false);
		if (d->mdoc && rest)
			pk_buf_adds(d->out, ".br\n");
	}
	free(lines);
}

/* Appends a line of an example for mdoc. */
static void add_roff_code(struct pk_buf *out, const char *line, size_t len)
{
	if (len && (*line == '.' || *line == '\''))
		pk_buf_adds(out, "\\&");
	for (size_t i = 0; i < len; i++) {
		if (line[i] == '\\')
			pk_buf_adds(out, "\\e");
		else if (line[i] == '-')
			pk_buf_adds(out, "\\-");
		else
			pk_buf_addc(out, line[i]);
	}
	pk_buf_addc(out, '\n');
}

void pk_doc_literal(struct pk_doc *d, const char *lines)
{
	move_on(d, PK_DOC_PARAGRAPH);
	pk_buf_adds(d->out, d->mdoc ? ".Bd -literal -offset indent\n" : "\n");
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		if (d->mdoc)
			add_roff_code(d->out, lines, len);
		else
			pk_buf_addf(d->out, "%*s%.*s\n", len ? DEEPER : 0, "", (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
	if (d->mdoc)
		pk_buf_adds(d->out, ".Ed\n");
}

void pk_doc_item(struct pk_doc *d, const char *term, const char *text)
{
	bool first = d->last != PK_DOC_ITEM, gap = d->last != PK_DOC_HEADING;

	move_on(d, PK_DOC_ITEM);
	if (d->mdoc) {
		pk_buf_adds(d->out, first ? ".Bl -tag -width Ds\n.It " : ".It ");
		add_roff(d->out, term, true);
		add_roff(d->out, text, false);
	} else {
		pk_buf_adds(d->out, gap ? "\n" : "");
		add_wrapped(d->out, term, INDENT);
		add_wrapped(d->out, text, DEEPER);
	}
}

void pk_doc_point(struct pk_doc *d, const char *text)
{
	bool first = d->last != PK_DOC_POINT;

	move_on(d, PK_DOC_POINT);
	if (d->mdoc) {
		pk_buf_adds(d->out, first ? ".Pp\n.Bl -bullet -compact\n.It\n" : ".It\n");
		add_roff(d->out, text, false);
	} else {
		pk_buf_addf(d->out, "%s%*s* ", first ? "\n" : "", INDENT, "");
		pk_doc_wrap(d->out, text, INDENT + 2, INDENT + 2, WIDTH);
	}
}

void pk_doc_see(struct pk_doc *d, const char *pages)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	pk_doc_section(d, "SEE ALSO");
	move_on(d, PK_DOC_PARAGRAPH);
	while (*pages) {
		size_t len = strcspn(pages, " "), name = strcspn(pages, "(");
		bool last = !pages[len];

		if (d->mdoc)
			pk_buf_addf(d->out, ".Xr %.*s %c%s\n", (int)name, pages, pages[name + 1],
				    last ? "" : " ,");
		else
			pk_buf_addf(&line, "%.*s%s", (int)len, pages, last ? "" : ", ");
		pages += last ? len : len + 1;
	}
	if (!d->mdoc)
		add_wrapped(d->out, line.data, INDENT);
}

void pk_doc_end(struct pk_doc *d)
{
	move_on(d, PK_DOC_PARAGRAPH);
}

void pk_doc_end_sentence(struct pk_buf *buf)
{
	char *first = buf->data;

	if (!memchr(first, '_', strcspn(first, " "))) /* the name of a key or column */
		*first = (char)toupper((unsigned char)*first);
	pk_buf_addc(buf, '.');
}
