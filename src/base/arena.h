#pragma once

#include <stddef.h>

/*
 * Memory that is freed all at once. Zero-initialise to begin, release to end. Allocations are
 * aligned for any type and never move.
 */
struct pk_arena {
	struct pk_arena_block *blocks;
	size_t used, size; /* of the newest block */
};

void *pk_arena_alloc(struct pk_arena *arena, size_t size);
/* A NUL-terminated copy of len bytes; bytes are packed, without alignment. */
char *pk_arena_copy(struct pk_arena *arena, const char *text, size_t len);
char *pk_arena_printf(struct pk_arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void pk_arena_release(struct pk_arena *arena);
