#ifndef PK_STACK_TEXT_H
#define PK_STACK_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "model/builder.h"

/*
 * Call paths written as text, "main;parse;read", to nodes: for readers that meet millions of
 * them. Two things make it fast: what a path has in common with the one before needs no look-up
 * (files are mostly sorted), and names seen lately are found by a look at their text alone.
 *
 * Names are kept as they are; one that ends in "_[k]" is a frame of the kernel.
 */
struct pk_stack_text {
	struct pk_builder *b;

	/* The path before. */
	const uint8_t *path;
	size_t len, depth, alloc;
	uint32_t *end; /* of each frame: where its text ends */
	uint32_t *frame, *node;
	struct pk_buf kept;

	struct pk_stack_names *cache;
	uint32_t sets, missed;
};

void pk_stack_text_init(struct pk_stack_text *s, struct pk_builder *b);
void pk_stack_text_release(struct pk_stack_text *s);

/* The node of a path of less than 4 GB; "" is one frame without a name. The text must stay where
 * it is until the next call, or that of pk_stack_text_keep. */
uint32_t pk_stack_text_node(struct pk_stack_text *s, const uint8_t *path, size_t len);
/* To be called before the text of the last path goes away. */
void pk_stack_text_keep(struct pk_stack_text *s);
/* The frame of one name. */
uint32_t pk_stack_text_frame(struct pk_stack_text *s, const char *name, size_t len);

#endif
