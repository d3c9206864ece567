#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/text/str.h"
#include "model/build/builder.h"

/*
 * Call paths written as text, "main;parse;read", to nodes: for readers that meet millions of them.
 * Two things make it fast: the frames that a path shares with the one before need no look-up (files
 * are mostly sorted), and names seen lately are found by their text alone.
 *
 * Names are kept as they are, and one that ends in "_[k]" is a frame of the kernel, unless the
 * format knows better.
 */

/* Reads a name: sets the function, and the line that is executed in it if it is known (0 before).
 * Called once for each name. */
typedef void pk_read_name(struct pk_builder *b, const char *name, size_t len,
			  struct pk_function *function, uint32_t *line);

struct pk_stack_text {
	struct pk_builder *b;
	pk_read_name *read_name; /* NULL = names are kept */

	/* The path before. */
	const char *path;
	size_t len, depth, alloc;
	uint32_t *end; /* of each frame: where its text ends */
	uint32_t *location, *node;
	struct pk_buf kept;

	struct pk_stack_names *cache;
	uint32_t sets, missed;

	/* Names that stand for another name. */
	struct pk_stack_label *label;
	size_t labels, label_alloc;
	struct pk_index label_index;
	struct pk_arena label_text;
};

void pk_stack_text_init(struct pk_stack_text *s, struct pk_builder *b, pk_read_name *read_name);
void pk_stack_text_release(struct pk_stack_text *s);

/* The node of a path of less than 4 GB; "" is one frame without a name. The text must stay where
 * it is until the next call, or that of pk_stack_text_keep. */
uint32_t pk_stack_text_node(struct pk_stack_text *s, const char *path, size_t len);
/* Must be called before the text of the last path is freed. */
void pk_stack_text_keep(struct pk_stack_text *s);
/* The node of one more frame below a node (0: a root). */
uint32_t pk_stack_text_child(struct pk_stack_text *s, uint32_t parent, const char *name,
			     size_t len);
