#ifndef PK_SPEEDSCOPE_STACKS_H
#define PK_SPEEDSCOPE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The call paths of stacks that were read lately, by their text: programs come back to the same
 * stacks, and then their numbers need not be read at all. At most 2.5 MB, of which only what is
 * used is touched.
 */
struct pk_speedscope_stacks;
struct pk_speedscope_stacks *pk_speedscope_stacks_new(void);
void pk_speedscope_stacks_free(struct pk_speedscope_stacks *s);
/* True if the text is there, with *node; *hash is for pk_speedscope_stacks_add if it is not. */
bool pk_speedscope_stacks_find(struct pk_speedscope_stacks *s, const char *text, size_t len,
			       uint64_t *hash, uint32_t *node);
void pk_speedscope_stacks_add(struct pk_speedscope_stacks *s, const char *text, size_t len,
			      uint64_t hash, uint32_t node);

#endif
