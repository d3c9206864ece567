#pragma once

#include "base/text/str.h"
#include "model/profile.h"

enum { PK_DIGEST_DIGITS = 32 };

/* Digits that are the same for the same content, wherever it was read from: names of the file and
 * labels of the run do not count. It finds copies; it does not protect against forged files. */
void pk_profile_digest(const struct pk_profile *p, char digits[PK_DIGEST_DIGITS + 1]);
/* Appends a line, which ends with a NUL: both names are of one run, which was added once. */
void pk_say_twice(struct pk_buf *said, const char *first, const char *name);
/* Frees runs with times of events that are the same as an earlier one, and says so. */
void pk_profiles_drop_twins(struct pk_profiles *runs, struct pk_buf *said);
