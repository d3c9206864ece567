#pragma once

#include <stdint.h>

#include "analysis/lines/lines.h"
#include "base/io/source_text.h"

/* The last line of the block of Python that begins at line `first`, with its decorators: a
 * function, class or lambda. It is what inspect.getblock of Python finds. If no block begins there,
 * the last line of the statement. */
uint32_t pk_python_block_end(const struct pk_source_text *s, uint32_t first);

bool pk_is_python(const struct pk_profile *p, uint32_t file);
/* The first and the last line of a group that is a function: as far as they are known, otherwise
 * from the source (NULL: there is none). UINT32_MAX is the last line of a file. */
uint32_t pk_first_line(const struct pk_lines *l, const struct pk_line_group *group,
		       const struct pk_source_text *text);
uint32_t pk_last_line(const struct pk_lines *l, const struct pk_line_group *group,
		      const struct pk_source_text *text, uint32_t first);
