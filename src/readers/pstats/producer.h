#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/build/builder.h"

/* True if a file name with line 0 stands for builtin functions. profile leaves it empty, yappi
 * names the module, pyinstrument writes "<built-in>". */
bool pstats_is_module(const char *file);
/* Called after the last function: records who wrote the file, and corrects what that program writes
 * in another way. Returns -1 for a repair that --strict forbids. */
int pstats_finish(struct pk_builder *b, uint32_t metric, bool sampled, bool python2,
		  struct pk_error *err);
