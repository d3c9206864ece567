#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Source files that a profile names, as lines of UTF-8. A name in a profile may be anything, so a
 * file is read only if it is a regular one, and in the current folder, in a folder that the user
 * named, or where systems keep programs and libraries (/usr, /opt, ...).
 */
struct pk_source_text {
	char *text;     /* lines end with '\n' only */
	size_t *start;  /* start[n] is where line n + 1 begins; start[count] is the end */
	uint32_t count; /* number of lines */
};

/* Allows the files that pk_source_find may read. Call it before pk_sandbox_enter. */
void pk_source_allow(const char *const *folders, size_t count);
/*
 * Finds the file that a profile calls `path`: in each of the folders, as the longest part of its
 * end that is there, which maps trees that were moved; then under its own name. A "file:///" before
 * the path is left out. False if the file is not there, is no text, or may not be read.
 */
bool pk_source_find(struct pk_source_text *s, const char *path, const char *const *folders,
		    size_t count);
/* The same from bytes, which are copied. False if they are no text. */
bool pk_source_from_bytes(struct pk_source_text *s, const char *data, size_t len);
void pk_source_release(struct pk_source_text *s);
/* Line number `line`, from 1, without its end; NULL if there is none. */
const char *pk_source_line(const struct pk_source_text *s, uint32_t line, size_t *len);
