#ifndef PK_ALLOC_H
#define PK_ALLOC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Memory that does not fail: running out ends the process with a message.
 * Safe because no size from an input reaches these functions unchecked.
 */
void *pk_malloc(size_t size);
void *pk_calloc(size_t count, size_t size);
void *pk_realloc(void *p, size_t size);
/* Called first in a program: from then on what is large has pages of its own. It grows without
 * being copied (so that it is not there twice), and goes back to the system when it is freed. */
void pk_alloc_setup(void);
/* Zeroed memory for a table that is looked up in any order: large ones get large pages, where
 * there are any. count * size is a power of two. */
void *pk_alloc_table(size_t count, size_t size);
char *pk_strdup(const char *s);
char *pk_strndup(const char *s, size_t len);

/* count * size, or the end of the process if that does not fit. */
size_t pk_mul(size_t count, size_t size);

/*
 * Makes room for at least `need` elements in a growing array:
 * PK_GROW(items, count + 1, alloc). Doubles; `alloc` is the room there is.
 */
#define PK_GROW(array, need, alloc)                                                       \
	do {                                                                              \
		if ((size_t)(need) > (size_t)(alloc)) {                                   \
			(alloc) = pk_grow_size((alloc), (need));                          \
			(array) = pk_realloc((array), pk_mul((alloc), sizeof(*(array)))); \
		}                                                                         \
	} while (0)
size_t pk_grow_size(size_t alloc, size_t need);
/* The same for an array whose new elements are zero. */
#define PK_GROW_ZERO(array, need, alloc)                                                   \
	do {                                                                               \
		size_t pk_old_ = (alloc);                                                  \
		if ((size_t)(need) > pk_old_) {                                            \
			PK_GROW(array, need, alloc);                                       \
			memset((array) + pk_old_, 0, ((alloc)-pk_old_) * sizeof(*(array))); \
		}                                                                          \
	} while (0)

/* Limits the process's memory (--max-memory); 0 = no limit. Reaching it ends the
 * process with a message that names the option. */
void pk_limit_memory(uint64_t bytes);

#endif
