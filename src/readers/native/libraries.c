/*
 * Opens the programs and libraries that a profile names, once each, decides whether they are those
 * that were recorded, and finds functions in them, for mapped.c and for readers that know the file
 * of an address.
 */
#include "readers/native/libraries.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/text/str.h"

enum { MOST_LIBRARIES = 256 };

enum { USED, ASSUMED, CHANGED, OF_UNKNOWN_AGE, NOT_READ, LISTS };

struct pk_libraries {
	struct pk_builder *b;
	int64_t recorded;
	struct library {
		uint32_t path;
		struct pk_symbols *file; /* NULL: not there */
		bool listed[LISTS];
	} * library;
	size_t count, alloc;
	struct pk_buf list[LISTS];
};

struct pk_libraries *pk_libraries_new(struct pk_builder *b, int64_t recorded)
{
	struct pk_libraries *l = pk_calloc(1, sizeof(*l));

	*l = (struct pk_libraries){.b = b, .recorded = recorded};
	for (int i = 0; i < LISTS; i++)
		l->list[i] = (struct pk_buf)PK_BUF_INIT;
	return l;
}

void pk_libraries_free(struct pk_libraries *l)
{
	static const char *const keys[LISTS] = {
		[USED] = "native names from",
		[ASSUMED] = "native names assumed from",
		[CHANGED] = "native names not found, file changed",
		[OF_UNKNOWN_AGE] = "native names not found, age of the profile not known",
		[NOT_READ] = "native names not read without -O binary"};

	if (!l)
		return;
	for (int i = 0; i < LISTS; i++) {
		if (l->list[i].len)
			pk_build_meta(l->b, keys[i], l->list[i].data);
		pk_buf_release(&l->list[i]);
	}
	for (size_t i = 0; i < l->count; i++)
		pk_symbols_free(l->library[i].file);
	free(l->library);
	free(l);
}

/* Only plain files are opened, because opening a device may have effects. */
static bool is_file(const char *path)
{
	struct stat st;

	return *path == '/' && !stat(path, &st) && S_ISREG(st.st_mode);
}

static void add_to_list(struct pk_libraries *l, struct library *library, int list, const char *name)
{
	if (!library->listed[list])
		pk_buf_addf(&l->list[list], "%s%s", l->list[list].len ? ":" : "", name);
	library->listed[list] = true;
}

static struct library *open_library(struct pk_libraries *l, uint32_t path, const char *name,
				    bool named)
{
	struct pk_error err = PK_ERROR_INIT;
	struct library *library;

	for (size_t i = 0; i < l->count; i++)
		if (l->library[i].path == path)
			return &l->library[i];
	if (l->count == MOST_LIBRARIES)
		return NULL;
	PK_GROW(l->library, l->count + 1, l->alloc);
	library = &l->library[l->count++];
	*library = (struct library){.path = path};
	if (named || is_file(name))
		library->file = pk_symbols_open(name, &err);
	if (!named && err.code == PK_EIO) /* as a rule by the sandbox */
		add_to_list(l, library, NOT_READ, name);
	return library;
}

static int list_of(const struct pk_libraries *l, const struct library *library, bool named,
		   enum pk_library_match match)
{
	if (match == PK_LIBRARY_CHANGED)
		return CHANGED;
	if (match == PK_LIBRARY_SAME || named)
		return USED;
	if (l->recorded == PK_NULL)
		return OF_UNKNOWN_AGE;
	return pk_symbols_changed(library->file) <= l->recorded ? ASSUMED : CHANGED;
}

struct pk_symbols *pk_library_find(struct pk_libraries *l, uint32_t path, const char *named,
				   pk_library_test *test, const void *what)
{
	const char *name = named ? named : pk_text(pk_builder_profile(l->b), path);
	struct library *library = open_library(l, path, name, named != NULL);
	int list;

	if (!library || !library->file)
		return NULL;
	list = list_of(l, library, named != NULL, test(library->file, what));
	add_to_list(l, library, list, name);
	return list == USED || list == ASSUMED ? library->file : NULL;
}

static void set_locations(struct pk_builder *b, uint32_t module, const struct pk_symbol *symbol,
			  size_t count, struct pk_location *location)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = symbol[i].function;
		struct pk_function f = {.kind = PK_KIND_NATIVE,
					.module = module,
					.name = pk_build_string(b, name, pk_symbol_length(name)),
					.file = pk_build_text(b, symbol[i].file)};

		location[i] = (struct pk_location){.function = pk_build_function(b, &f),
						   .line = symbol[i].line,
						   .inlined = i + 1 < count};
	}
}

size_t pk_library_frames(struct pk_builder *b, struct pk_symbols *file, uint32_t module,
			 uint64_t address, struct pk_location location[PK_LIBRARY_INLINED])
{
	struct pk_symbol symbol[PK_LIBRARY_INLINED];
	size_t count = pk_symbols_find_named(file, address, symbol, PK_LIBRARY_INLINED);

	set_locations(b, module, symbol, count, location);
	return count;
}

size_t pk_library_frames_at_offset(struct pk_builder *b, struct pk_symbols *file, uint32_t module,
				   uint64_t offset, struct pk_location location[PK_LIBRARY_INLINED])
{
	struct pk_symbol symbol[PK_LIBRARY_INLINED];
	size_t count = pk_symbols_find(file, offset, symbol, PK_LIBRARY_INLINED);

	set_locations(b, module, symbol, count, location);
	return count;
}
