/*
 * The stacks of sampled speedscope profiles: lists of frame numbers, root first.
 *
 *	"samples": [[0, 1, 2], [0, 1], []]
 *
 * Stacks repeat, so the call paths of stacks read lately are found by their text, and the numbers
 * need not be read. This takes 2.5 MB at most; only the part that is used is touched.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "readers/speedscope/speedscope.h"

/* Powers of two: stacks, and bytes of text, that are kept. */
enum { SLOTS = 1 << 14, RING = 1 << 21 };

struct speedscope_known {
	struct slot {
		uint64_t at; /* where its text begins, counted in all bytes ever put in */
		uint32_t len, tag, node;
	} slot[SLOTS];
	uint64_t end;            /* likewise */
	const struct slot *last; /* found or put in before */
	char ring[RING];
};

static bool holds(const struct speedscope_known *k, const struct slot *slot, const char *text,
		  size_t len)
{
	return slot->len == len && k->end - slot->at <= RING &&
	       !memcmp(k->ring + slot->at % RING, text, len);
}

/* True if the text is known, with *node; else *hash is for `keep`. */
static bool find(struct speedscope_known *k, const char *text, size_t len, uint64_t *hash,
		 uint32_t *node)
{
	const struct slot *slot = k->last;

	if (!holds(k, slot, text, len)) {
		*hash = pk_hash_bytes(text, len);
		slot = &k->slot[*hash % SLOTS];
		if (slot->tag != (uint32_t)(*hash >> 32) || !holds(k, slot, text, len))
			return false;
		k->last = slot;
	}
	*node = slot->node;
	return true;
}

static void keep(struct speedscope_known *k, const char *text, size_t len, uint64_t hash,
		 uint32_t node)
{
	struct slot *slot = &k->slot[hash % SLOTS];

	if (len > RING / 2)
		return;
	if (k->end % RING + len > RING) /* texts are in one piece */
		k->end += RING - k->end % RING;
	memcpy(k->ring + k->end % RING, text, len);
	*slot = (struct slot){k->end, (uint32_t)len, (uint32_t)(hash >> 32), node};
	k->end += len;
	k->last = slot;
}

void speedscope_known_free(struct speedscope_known *known)
{
	free(known);
}

uint32_t speedscope_frame_number(const struct pk_json *j)
{
	size_t len = j->len, i;
	uint64_t n = 0;

	if (j->token != PK_JSON_NUMBER)
		return SPEEDSCOPE_NO_FRAME;
	if (len > 2 && !memcmp(j->text + len - 2, ".0", 2)) /* 3.0, of writers of doubles */
		len -= 2;
	for (i = 0; i < len && j->text[i] >= '0' && j->text[i] <= '9'; i++)
		if ((n = n * 10 + (uint64_t)(j->text[i] - '0')) >= SPEEDSCOPE_NO_FRAME)
			return SPEEDSCOPE_NO_FRAME;
	return i == len ? (uint32_t)n : SPEEDSCOPE_NO_FRAME;
}

static void add_path(struct speedscope *s, uint32_t node)
{
	PK_GROW(s->paths, s->path_count + 1, s->path_alloc);
	s->paths[s->path_count++] = node;
}

/* The call path of the stack that was read; its first `same` numbers are those of the stack before.
 * 0 if it is empty. */
static uint32_t add_stack(struct speedscope *s)
{
	const struct pk_json_list *stack = &s->stack;
	size_t count = stack->count, same = stack->same;

	PK_GROW(s->numbers, count, s->numbers_alloc);
	PK_GROW(s->nodes, count, s->nodes_alloc);
	for (size_t i = same; i < count; i++)
		s->numbers[i] = stack->value[i] + 1;
	if (count > same)
		pk_build_path(s->b, same ? s->nodes[same - 1] : 0, s->numbers + same, count - same,
			      s->nodes + same);
	add_path(s, count ? s->nodes[count - 1] : 0);
	return s->paths[s->path_count - 1];
}

/* After its first token. */
static void read_stack(struct speedscope *s)
{
	struct pk_json *j = &s->json;
	struct pk_json_list *stack = &s->stack;
	size_t len;
	const char *text = pk_json_list_text(j, &len);
	uint64_t hash = 0;
	uint32_t node;

	if (text && len && find(s->known, text, len, &hash, &node)) {
		pk_json_list_pass(j, len);
		pk_json_next(j);
		add_path(s, node);
		return;
	}
	pk_json_list(j, stack);
	if (stack->whole && text && len) {
		keep(s->known, text, len, hash, add_stack(s));
		pk_json_next(j);
		return;
	}
	while (pk_json_next_item(j)) {
		PK_GROW(stack->value, stack->count + 1, stack->alloc);
		stack->value[stack->count++] = speedscope_frame_number(j);
		pk_json_rest(j);
	}
	if (j->token > PK_JSON_END)
		add_stack(s);
}

int speedscope_samples(struct speedscope *s)
{
	struct pk_json *j = &s->json;
	int ret = 0;

	if (!s->known) {
		s->known = pk_calloc(1, sizeof(*s->known));
		s->known->end = RING + 1; /* so that no slot is valid */
		s->known->last = s->known->slot;
	}
	while (!ret && pk_json_next_item(j)) {
		if (j->token == PK_JSON_ARRAY) {
			read_stack(s);
			continue;
		}
		pk_json_rest(j);
		ret = speedscope_repair(s, "sample that is no list taken as idle",
					pk_json_offset(j));
		if (!ret && j->token > PK_JSON_END)
			add_path(s, 0);
	}
	return ret;
}
