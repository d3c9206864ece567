/*
 * Names of native frames, for native.c: functions and lines by elfutils, in the libraries that the
 * capture names.
 *
 *	"/usr/lib/libz.so.1": load 0x7f00, segments 0x0-0x9000, 0xa000-0xb000
 *	libz.so.1+0x8e18  ->  deflateInit2_
 *
 * A capture says of a library no more than its path and its segments. It is taken as unchanged if
 * the file has the very same segments and is older than the recording; otherwise its frames stay
 * FILE+0xOFFSET, which is said in meta. Only files are read that the sandbox allows; -O binary
 * names one that is elsewhere, of which the segments alone are compared.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/symbols.h"
#include "base/text/str.h"
#include "readers/memray/internal.h"

#define MOST_LIBRARIES 256

struct memray_symbols {
	struct pk_builder *b;
	int64_t start; /* of the recording */
	struct library {
		struct pk_symbols *file; /* NULL: not there, or changed */
		uint64_t shape;
	} * library;
	size_t libraries, alloc;
	struct pk_id_map library_of; /* by path: row of `library` + 1 */
	struct pk_buf found, changed;
	const char *binary; /* of -O binary, or NULL */
};

struct memray_symbols *memray_symbols_new(struct pk_builder *b, int64_t start, const char *binary)
{
	struct memray_symbols *s = pk_calloc(1, sizeof(*s));

	*s = (struct memray_symbols){.b = b,
				     .start = start,
				     .found = PK_BUF_INIT,
				     .changed = PK_BUF_INIT,
				     .binary = binary};
	return s;
}

void memray_symbols_free(struct memray_symbols *s)
{
	if (!s)
		return;
	if (s->found.len)
		pk_build_meta(s->b, "native names from", s->found.data);
	if (s->changed.len)
		pk_build_meta(s->b, "native names not found, file changed", s->changed.data);
	for (size_t i = 0; i < s->libraries; i++)
		pk_symbols_free(s->library[i].file);
	free(s->library);
	pk_id_map_release(&s->library_of);
	pk_buf_release(&s->found);
	pk_buf_release(&s->changed);
	free(s);
}

uint64_t memray_symbols_shape(uint64_t shape, uint64_t address, uint64_t size)
{
	return pk_hash_pair(shape, pk_hash_pair(address, size));
}

static uint64_t shape_of(const struct pk_symbols *file)
{
	uint64_t address, size, shape = 0;
	size_t next = 0;

	while (pk_symbols_segment(file, &next, &address, &size))
		shape = memray_symbols_shape(shape, address, size);
	return shape;
}

static void add_path(struct pk_buf *list, const char *path)
{
	pk_buf_addf(list, "%s%s", list->len ? ":" : "", path);
}

/* What a capture names is opened if it is a plain file: devices do things when they are opened. */
static bool is_file(const char *path)
{
	struct stat st;

	return *path == '/' && !stat(path, &st) && S_ISREG(st.st_mode);
}

static struct library open_library(struct memray_symbols *s, const char *path, uint64_t shape)
{
	struct pk_error err = PK_ERROR_INIT;
	bool named = s->binary && !strcmp(pk_basename(s->binary), pk_basename(path));
	struct library l = {0};

	if (named)
		path = s->binary;
	if (named || is_file(path))
		l.file = pk_symbols_open(path, &err);
	if (!l.file)
		return l;
	l.shape = shape_of(l.file);
	if (l.shape == shape && (named || pk_symbols_changed(l.file) <= s->start)) {
		add_path(&s->found, path);
		return l;
	}
	add_path(&s->changed, path);
	pk_symbols_free(l.file);
	return (struct library){0};
}

static const struct library *find_library(struct memray_symbols *s, uint32_t path, uint64_t shape)
{
	uint32_t row = pk_id_map_get(&s->library_of, path);

	if (!row) {
		if (s->libraries == MOST_LIBRARIES)
			return NULL;
		PK_GROW(s->library, s->libraries + 1, s->alloc);
		s->library[s->libraries++] =
			open_library(s, pk_text(pk_builder_profile(s->b), path), shape);
		row = (uint32_t)s->libraries;
		pk_id_map_put(&s->library_of, path, row);
	}
	return s->library[row - 1].file && s->library[row - 1].shape == shape ? &s->library[row - 1]
									      : NULL;
}

size_t memray_symbols_find(struct memray_symbols *s, uint32_t path, uint64_t shape,
			   uint64_t address, struct pk_location location[MEMRAY_INLINED])
{
	const struct library *l = s ? find_library(s, path, shape) : NULL;
	struct pk_symbol symbol[MEMRAY_INLINED];
	size_t count;

	if (!l)
		return 0;
	/* the address is where the call returns to; the call is before it */
	count = pk_symbols_find_named(l->file, address - 1, symbol, MEMRAY_INLINED);
	for (size_t i = 0; i < count; i++) {
		struct pk_function f = {.kind = PK_KIND_NATIVE,
					.module = path,
					.name = pk_build_text(s->b, symbol[i].function),
					.file = pk_build_text(s->b, symbol[i].file)};

		location[i] = (struct pk_location){.function = pk_build_function(s->b, &f),
						   .line = symbol[i].line,
						   .inlined = i + 1 < count};
	}
	return count;
}
