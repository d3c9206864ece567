/* Memory that is freed all at once: texts and small objects of one owner. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct pk_arena_block {
	struct pk_arena_block *next;
	max_align_t data[];
};

#define FIRST_BLOCK ((size_t)4 << 10)
#define LARGEST_BLOCK ((size_t)1 << 20)

static char *reserve(struct pk_arena *arena, size_t size)
{
	char *p;

	if (size > arena->size - arena->used || !arena->blocks) {
		size_t next = arena->size ? arena->size * 2 : FIRST_BLOCK;
		struct pk_arena_block *block;

		if (next > LARGEST_BLOCK)
			next = LARGEST_BLOCK;
		if (next < size)
			next = size;
		block = pk_malloc(sizeof(*block) + next);
		block->next = arena->blocks;
		arena->blocks = block;
		arena->size = next;
		arena->used = 0;
	}
	p = (char *)arena->blocks->data + arena->used;
	arena->used += size;
	return p;
}

void *pk_arena_alloc(struct pk_arena *arena, size_t size)
{
	size_t align = sizeof(max_align_t);
	size_t misfit = arena->used % align;

	/* use the block only if the padding fits, too */
	if (misfit && arena->size - arena->used >= align - misfit)
		arena->used += align - misfit;
	else if (misfit)
		arena->used = arena->size;
	return reserve(arena, (size + align - 1) / align * align);
}

char *pk_arena_copy(struct pk_arena *arena, const char *text, size_t len)
{
	char *copy = reserve(arena, len + 1);

	if (len)
		memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *pk_arena_printf(struct pk_arena *arena, const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	text = reserve(arena, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return text;
}

void pk_arena_release(struct pk_arena *arena)
{
	while (arena->blocks) {
		struct pk_arena_block *next = arena->blocks->next;

		free(arena->blocks);
		arena->blocks = next;
	}
	memset(arena, 0, sizeof(*arena));
}
