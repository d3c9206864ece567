#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text/str.h"

/*
 * Regular expressions of Perl and Python (PCRE2), searched anywhere in a UTF-8 text; bytes
 * that are not UTF-8 match nothing. A search that takes too long (a crafted expression) ends
 * as if nothing matched.
 */
struct pk_regex;

/* NULL with err: "regular expression '(': missing closing parenthesis at 1". */
struct pk_regex *pk_regex_new(const char *pattern, struct pk_error *err);
bool pk_regex_search(const struct pk_regex *re, const char *text, size_t len);
/* Appends text with every match replaced by `with`, in which $1 is the first group. Returns false
 * and appends nothing if nothing matches. */
bool pk_regex_replace(const struct pk_regex *re, const char *text, size_t len, const char *with,
		      struct pk_buf *buf);
void pk_regex_free(struct pk_regex *re); /* NULL is allowed */
