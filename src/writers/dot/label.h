#ifndef PK_DOT_LABEL_H
#define PK_DOT_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text/str.h"

/*
 * Texts of labels and tooltips. Graphviz reads backslash sequences and character
 * references in them, so names, which may hold anything, are escaped: shown as they are,
 * control characters as "\n" or "\x1b", bytes that are no UTF-8 as U+FFFD.
 */
void pk_dot_add_text(struct pk_buf *label, const char *text, size_t len);

/* C++ names without arguments, template arguments and a final const. What is left is never
 * empty; names in angle brackets ("<module>"), operators and unnamed namespaces stay whole. */
void pk_dot_strip_name(struct pk_buf *name);

/* Breaks a name into lines of at most 32 characters where it has blanks or hyphens (newlines
 * in buf then stand for line ends), and removes blanks in argument lists. */
void pk_dot_wrap_name(struct pk_buf *name);

/* A name of more characters than a label can hold is cut; false if it was not. */
bool pk_dot_cut_name(struct pk_buf *name);

/* A finished text is cut where Graphviz would not read it again (16 KB, quotes escaped), but
 * within no sequence, reference or character. */
void pk_dot_cut_text(struct pk_buf *label);

/* A printf format for one number, given by the user: literal text, %%, and exactly one
 * conversion of e E f F g G a A d i u, without '*' or a length. */
int pk_dot_check_format(const char *format, struct pk_error *err);
void pk_dot_add_formatted(struct pk_buf *label, const char *format, double value);

#endif
