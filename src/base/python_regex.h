#ifndef PK_PYTHON_REGEX_H
#define PK_PYTHON_REGEX_H

#include <regex.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

/*
 * Regular expressions in the syntax of Python's re module, for searching (is there a
 * match or not), done with POSIX extended ones. What only Python can do (lookaround,
 * backreferences, \W within a set) is an error that says so. Beyond ASCII every
 * character counts as a letter (\w), and a word does not end beside one (\b).
 */
enum pk_python_regex_result {
	PK_REGEX_OK,
	PK_REGEX_INVALID,     /* Python refuses it as well */
	PK_REGEX_UNSUPPORTED, /* err says what */
};
/* On PK_REGEX_OK re must be freed with regfree. */
enum pk_python_regex_result pk_python_regex(regex_t *re, const char *pattern, struct pk_error *err);

/* Is there a match in len bytes, which may hold NULs? */
bool pk_python_regex_search(const regex_t *re, const char *text, size_t len);

/* repr() of a Python str that holds this text: 'x', "it's", '\n', '\udc80'; appended. */
void pk_python_repr(struct pk_buf *buf, const char *text);
/* repr() of a float: 0.5, 1e-05; appended. */
void pk_python_repr_float(struct pk_buf *buf, double value);

#endif
