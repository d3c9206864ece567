#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Memory that does not fail: running out ends the process with a message. That is safe because
 * sizes from an input are checked before they reach these functions.
 */
void *pk_malloc(size_t size);
void *pk_calloc(size_t count, size_t size);
void *pk_realloc(void *p, size_t size);
/* Call it first in a program: then large blocks get pages of their own, so that they grow without
 * being copied and return to the system when they are freed. */
void pk_alloc_setup(void);
/* From here on, blocks that are freed are kept for the next ones: to get every page anew from the
 * system takes longer than what is done with it. */
void pk_alloc_keep(void);
/* Zeroed memory for numbers that are read before they are written, as sums are. */
void *pk_alloc_zeros(size_t count, size_t size);
/* The same for a table with random access. Large tables get large pages if the system has them.
 * count * size must be a power of two. */
void *pk_alloc_table(size_t count, size_t size);
char *pk_strdup(const char *s);
char *pk_strndup(const char *s, size_t len);

/* count * size; ends the process if that overflows. */
size_t pk_mul(size_t count, size_t size);

/*
 * Makes room for at least `need` elements in a growing array: PK_GROW(items, count + 1,
 * alloc). The room, `alloc`, doubles.
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
#define PK_GROW_ZERO(array, need, alloc)                                                    \
	do {                                                                                \
		size_t pk_old_ = (alloc);                                                   \
		if ((size_t)(need) > pk_old_) {                                             \
			PK_GROW(array, need, alloc);                                        \
			memset((array) + pk_old_, 0, ((alloc)-pk_old_) * sizeof(*(array))); \
		}                                                                           \
	} while (0)

/* Limits the memory of the process (--max-memory); 0 = no limit. Reaching the limit ends the
 * process with a message that names the option. */
void pk_limit_memory(uint64_t bytes);

static inline void pk_free_pointed(const void *pointer)
{
	void *memory;

	memcpy(&memory, pointer, sizeof(memory));
	free(memory);
}
/* PK_FREED char *text = pk_strdup(name); is freed where its block ends. */
#define PK_FREED __attribute__((cleanup(pk_free_pointed)))
