#pragma once

#include "model/profile.h"

enum { PK_DIGEST_DIGITS = 32 };

/* Digits that are the same for the same content, wherever it was read from: names of the file and
 * labels of the run do not count. It tells copies, not forgeries. */
void pk_profile_digest(const struct pk_profile *p, char digits[PK_DIGEST_DIGITS + 1]);
