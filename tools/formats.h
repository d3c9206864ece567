#pragma once

#include "base/text/str.h"
#include "readers/reader.h"
#include "writers/writer.h"

/*
 * Formats as a user sees them, for `profkit formats`, the manual and completion: a reader, a
 * writer, or both, with one name.
 */
struct pk_format {
	const char *name, *title;
	const struct pk_reader *reader; /* NULL = cannot be read */
	const struct pk_writer *writer; /* NULL = cannot be written */
};

/* All formats, sorted by name; *count is their number. The caller frees the array. */
struct pk_format *pk_formats(size_t *count);
/* By name; false if there is none. */
bool pk_format_find(const char *name, struct pk_format *format);

/* Appends the names of the parts (enum pk_part), separated by commas. */
void pk_format_parts(struct pk_buf *buf, unsigned parts);
/* Appends ".prof, .pstats". */
void pk_format_suffixes(struct pk_buf *buf, const char *const *suffixes);
