#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/build/builder.h"

/* Does a file name of line 0 stand for builtin functions? profile leaves it empty, yappi
 * names the module, pyinstrument says "<built-in>". */
bool pstats_is_module(const char *file);
/* After the last function: says who wrote the file, and puts right what that one writes otherwise.
 * -1 for a repair that must not be. */
int pstats_finish(struct pk_builder *b, uint32_t metric, bool sampled, bool python2,
		  struct pk_error *err);
