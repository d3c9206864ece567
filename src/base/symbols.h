#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

/* Functions and lines of a program or library (ELF, DWARF), by elfutils. Call it in the sandbox:
 * the file may come from anywhere. The debug file of the program is read, too, if the system has it
 * installed under the build id; debuginfod is not asked. */
struct pk_symbols;

/* NULL with err: it is no such file, or profkit was built without elfutils. */
struct pk_symbols *pk_symbols_open(const char *path, struct pk_error *err);
void pk_symbols_free(struct pk_symbols *s);

struct pk_symbol {
	const char *function; /* as the linker knows it; valid until the file is closed */
	const char *file;     /* NULL: not known */
	uint32_t line;
};

/* The length of a name without its version: exp of "exp@@GLIBC_2.29". */
static inline size_t pk_symbol_length(const char *name)
{
	return strcspn(name, "@");
}

/* Finds the functions at `offset` in the file, the innermost inlined one first. Returns their
 * number, at most `count`. All names are used, also those for the dynamic linker, so that files
 * without debugging information have names. A call takes one search in a sorted table. */
size_t pk_symbols_find(struct pk_symbols *s, uint64_t offset, struct pk_symbol *found,
		       size_t count);
/* The same at a linked address; finds nothing where there is no debugging information. */
size_t pk_symbols_find_at(struct pk_symbols *s, uint64_t address, struct pk_symbol *found,
			  size_t count);
/* The same at a linked address, with all names. */
size_t pk_symbols_find_named(struct pk_symbols *s, uint64_t address, struct pk_symbol *found,
			     size_t count);
/* When the file was changed last, in ms since 1970. */
int64_t pk_symbols_changed(const struct pk_symbols *s);
/* A part of the file that is loaded. */
struct pk_segment {
	uint64_t address, size;  /* in memory, as it was linked */
	uint64_t offset, stored; /* in the file: place and size */
	bool code;
};
/* The next segment; false after the last of them. *next is 0 before the first. */
bool pk_symbols_segment(const struct pk_symbols *s, size_t *next, struct pk_segment *segment);
/* In hexadecimal; "" if it has none. */
const char *pk_symbols_build_id(const struct pk_symbols *s);
/* Bytes of an address, 4 or 8. */
int pk_symbols_word(const struct pk_symbols *s);

/* A name in sections of code. */
struct pk_code_symbol {
	const char *name;      /* valid until the file is closed */
	const char *names_end; /* of the file's table that it is in */
	uint64_t address;      /* as it was linked */
	uint32_t order;        /* in the file */
	bool is_function, is_local;
};
struct pk_code {
	struct pk_code_symbol *symbol; /* the caller's to free */
	size_t count;
	uint64_t text_end; /* of the section .text */
	uint64_t end;      /* of all sections of code */
};
/* Lists the symbols of the file's own table. Weak symbols may be data. */
void pk_symbols_code(const struct pk_symbols *s, struct pk_code *code);
