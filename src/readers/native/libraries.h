#pragma once

#include "base/symbols.h"
#include "model/build/builder.h"

/*
 * Programs and libraries that a profile names, as far as they are on this machine, for readers of
 * profiles that have addresses without names.
 *
 * A file is used if it is the one that was recorded: the build id tells. Where a profile has none,
 * a file is taken as unchanged if its segments are the same and it is older than the profile, which
 * is said in meta, as is what was used and what has changed. Only files are read that the sandbox
 * allows. What the user names is used without regard to its age.
 */
struct pk_libraries;

enum { PK_LIBRARY_INLINED = 64 };

enum pk_library_match {
	PK_LIBRARY_CHANGED,
	PK_LIBRARY_ALIKE, /* the segments are the same */
	PK_LIBRARY_SAME,  /* the build id is */
};

/* How a file compares with the one that was recorded. */
typedef enum pk_library_match pk_library_test(const struct pk_symbols *file, const void *what);

/* recorded: in ms since 1970, PK_NULL: not known. */
struct pk_libraries *pk_libraries_new(struct pk_builder *b, int64_t recorded);
/* Says in meta which files were used. */
void pk_libraries_free(struct pk_libraries *l);
/* The file of a path, which is a string of the builder; NULL: there is none, or it has changed.
 * named: a file to take instead of the path, or NULL. Keep the result: each call tests again. */
struct pk_symbols *pk_library_find(struct pk_libraries *l, uint32_t path, const char *named,
				   pk_library_test *test, const void *what);
/* The frames at an address of the file as it was linked, or at an offset in it, the innermost
 * first; module: string. How many there are, 0: none is known. */
size_t pk_library_frames(struct pk_builder *b, struct pk_symbols *file, uint32_t module,
			 uint64_t address, struct pk_location location[PK_LIBRARY_INLINED]);
size_t pk_library_frames_at_offset(struct pk_builder *b, struct pk_symbols *file, uint32_t module,
				   uint64_t offset,
				   struct pk_location location[PK_LIBRARY_INLINED]);
