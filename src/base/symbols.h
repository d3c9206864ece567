#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Functions and lines of a program or library (ELF, DWARF), by elfutils. Call it in the sandbox:
 * the file may come from anywhere. Nothing but the file itself is read, and no debuginfod is asked.
 */
struct pk_symbols;

/* NULL with err: it is no such file, or profkit was built without elfutils. */
struct pk_symbols *pk_symbols_open(const char *path, struct pk_error *err);
void pk_symbols_free(struct pk_symbols *s);

struct pk_symbol {
	const char *function; /* as the linker knows it; valid until the file is closed */
	const char *file;     /* NULL: not known */
	uint32_t line;
};

/* What is at `offset` in the file, the innermost inlined function first: how many of at most
 * `count` there are. */
size_t pk_symbols_find(struct pk_symbols *s, uint64_t offset, struct pk_symbol *found,
		       size_t count);
/* In hexadecimal; "" if it has none. */
const char *pk_symbols_build_id(const struct pk_symbols *s);
