#pragma once

#include <stdint.h>

#include "base/io/source_text.h"

/* The last line of the block of Python that begins at line `first`, with its decorators: a
 * function, class or lambda. It is what inspect.getblock of Python finds. */
uint32_t pk_python_block_end(const struct pk_source_text *s, uint32_t first);
