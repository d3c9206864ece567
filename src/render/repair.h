#pragma once

#include "base/text/str.h"
#include "model/profile.h"

/*
 * A row of the table repair in words: what was mended, how often if more than once, and where
 * first if that is known.
 *
 *	line that does not end in a count left out (line 2)
 *	line that does not end in a count left out (1,204 times, first: line 2)
 */
void pk_repair_text(struct pk_buf *text, const struct pk_profile *p, uint32_t repair);
