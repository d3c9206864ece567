#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/str.h"

/*
 * Readable forms of names that compilers mangled: C++ (Itanium ABI), Rust (both schemes) and
 * D.
 */

/*
 * Appends the readable form of a name whose first word is mangled, with parameters and
 * template arguments, as `c++filt -i` prints it; the rest of the name ("@plt") is kept.
 * Returns false and appends nothing if it is not mangled or its readable form would be too
 * long.
 */
bool pk_demangle(struct pk_buf *out, const char *name, size_t len);

/*
 * Appends a name, mangled or readable, without parameters and template arguments: "a::b::f".
 * Returns false if there is nothing to leave out.
 */
bool pk_demangle_simple(struct pk_buf *out, const char *name, size_t len);
/* The length of a readable name without parameters; "(anonymous namespace)" and "operator()" are
 * parts of the name. */
size_t pk_simple_length(const char *name);
