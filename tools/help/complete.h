#pragma once

#include "base/text/str.h"

/* Appends the completion script for "bash", "zsh" or "fish", made from its template; -1 for another
 * shell. */
int pk_complete(struct pk_buf *out, const char *shell, const char *template);
