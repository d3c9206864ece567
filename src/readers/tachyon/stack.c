/*
 * Stacks of Python 3.15's recordings. A record has all frames, the innermost first, or only those
 * that changed since the last sample of the thread:
 *
 *	full      count, frames
 *	suffix    number of outermost frames that stay, count, frames inside of these
 *	pop/push  number of innermost frames that ended, count, frames in their place
 */
#include "base/alloc.h"
#include "readers/tachyon/internal.h"

/* The call paths from this depth on; frames of the recorder are not in them. */
static void find_nodes(struct pk_builder *b, struct tachyon_stack *stack, uint32_t depth)
{
	while (depth < stack->depth) {
		uint32_t parent = depth ? stack->node[depth - 1] : 0, end = depth;

		while (end < stack->depth && stack->location[end] != TACHYON_INTERNAL)
			end++;
		pk_build_path(b, parent, stack->location + depth, end - depth, stack->node + depth);
		if (end < stack->depth) {
			stack->node[end] = end ? stack->node[end - 1] : 0;
			end++;
		}
		depth = end;
	}
}

/* Puts `count` frames, the innermost first in the file, on the outermost `depth` of the stack. */
static bool push_frames(struct tachyon *t, struct tachyon_cursor *c, struct tachyon_stack *stack,
			uint64_t depth, uint64_t count, const char **damage)
{
	PK_GROW(stack->location, depth + count, stack->location_alloc);
	PK_GROW(stack->node, depth + count, stack->node_alloc);
	for (uint64_t i = count; i--;) {
		uint64_t frame = tachyon_varint(c);
		uint32_t location = c->bad ? 0 : tachyon_location(t, frame);

		if (!location) {
			*damage = c->bad ? NULL : "a frame that the table does not have";
			return false;
		}
		stack->location[depth + i] = location;
	}
	stack->depth = (uint32_t)(depth + count);
	find_nodes(t->b, stack, (uint32_t)depth);
	return true;
}

bool tachyon_read_stack(struct tachyon *t, struct tachyon_cursor *c, enum tachyon_kind kind,
			struct tachyon_stack *stack, const char **damage)
{
	uint64_t keep = 0, count;

	if (kind != TACHYON_FULL)
		keep = tachyon_varint(c);
	count = tachyon_varint(c);
	if (c->bad)
		return false;
	if (kind == TACHYON_SUFFIX && keep > stack->depth) {
		*damage = "a stack that shares more frames than there are";
		return false;
	}
	if (kind == TACHYON_POP_PUSH) /* Python uses all frames where there are fewer */
		keep = keep < stack->depth ? stack->depth - keep : 0;
	if (count > TACHYON_DEEPEST || keep + count > TACHYON_DEEPEST) {
		*damage = "a stack of more than 256 frames";
		return false;
	}
	return push_frames(t, c, stack, keep, count, damage);
}
