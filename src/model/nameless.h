#pragma once

#include "model/build/builder.h"

/* The function of the time whose calls a full buffer lost. */
#define PK_CALLS_LOST "[calls lost: buffer full]"

/*
 * Functions without a symbol are named after their file, and the place in it where it is known. The
 * names are strings; file is one, 0 = not known.
 */
/* "[libc.so.6]", "[unknown]". */
uint32_t pk_build_nameless(struct pk_builder *b, uint32_t file);
/* "libc.so.6+0x27249", "0x7f0000027249". */
uint32_t pk_build_nameless_at(struct pk_builder *b, uint32_t file, uint64_t offset);
/* True if the function of the location has such a name, its module is that file, and a name with a
 * place says no more than the address of the location. */
bool pk_is_nameless(const struct pk_profile *p, uint32_t location);
/* True if a function of a known file is named "[unknown]" because its file of pprof names it "". */
bool pk_is_empty_name(const struct pk_profile *p, uint32_t function);
