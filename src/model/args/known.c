/*
 * Patterns of arguments that were seen before, found again by a few bytes, so that an event of a
 * known shape is not parsed again.
 */
#include "model/args/known.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct pk_arg_piece {
	const char *text; /* in the profile's strings */
	uint32_t len;
	uint32_t before;  /* the piece before it */
	uint32_t pattern; /* pattern that ends with it; 0: a number follows */
	uint32_t lengths; /* first of the lengths of pieces that may follow */
};

/* Pieces that follow another are found by their hash, once for each length that occurs. */
struct pk_arg_length {
	uint32_t len, next;
	bool last; /* a pattern ends there */
};

/* With more of these, objects are parsed instead. */
enum { MOST_LENGTHS = 16, MOST_PIECES = 1 << 18 };

static bool begins_number(char c)
{
	return c == '-' || (uint8_t)(c - '0') <= 9;
}

static uint32_t tag_of(uint32_t before, const char *s, uint32_t len, bool last)
{
	return pk_index_tag(pk_hash_bytes(s, len) + pk_hash_u64((uint64_t)before << 1 | last));
}

/* The slot of the piece, or the slot for inserting it. */
static uint32_t find_slot(const struct pk_arg_known *known, uint32_t before, const char *s,
			  uint32_t len, bool last, uint32_t tag)
{
	const struct pk_index *x = &known->index;
	uint32_t i;

	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		const struct pk_arg_piece *piece = &known->piece[x->slot[i].id];

		if (x->slot[i].tag == tag && piece->before == before && piece->len == len &&
		    !piece->pattern == !last && !memcmp(piece->text, s, len))
			break;
	}
	return i;
}

/* The piece that comes next; 0 = none. A length that fits is moved to the front, since it is likely
 * to fit again. */
static uint32_t find_next(struct pk_arg_known *known, uint32_t before, const char *s, size_t left)
{
	uint32_t *link = &known->piece[before].lengths, i, found = 0;

	for (; (i = *link); link = &known->length[i].next) {
		uint32_t len = known->length[i].len;
		bool last = known->length[i].last;

		if (last ? left != len : left <= len || !begins_number(s[len]))
			continue;
		found = find_slot(known, before, s, len, last, tag_of(before, s, len, last));
		found = known->index.slot[found].id;
		if (found)
			break;
	}
	if (found && i != known->piece[before].lengths) {
		*link = known->length[i].next;
		known->length[i].next = known->piece[before].lengths;
		known->piece[before].lengths = i;
	}
	return found;
}

uint32_t pk_arg_known_find(struct pk_arg_known *known, const char *text, size_t len,
			   int64_t numbers[PK_MOST_NUMBERS], int *count)
{
	const char *s = text, *end = text + len;
	uint32_t at = 0;
	size_t digits;

	if (!known->count)
		return 0;
	for (*count = 0;; (*count)++) {
		at = find_next(known, at, s, (size_t)(end - s));
		if (!at || known->piece[at].pattern)
			return known->piece[at].pattern;
		s += known->piece[at].len;
		digits = pk_arg_number(s, end, &numbers[*count]);
		if (!digits)
			return 0;
		s += digits;
	}
}

/* Returns false if there is no room for another length. */
static bool add_length(struct pk_arg_known *known, uint32_t before, uint32_t len, bool last)
{
	uint32_t *first = &known->piece[before].lengths, i, others = 0;

	for (i = *first; i; i = known->length[i].next, others++)
		if (known->length[i].len == len && known->length[i].last == last)
			return true;
	if (others == MOST_LENGTHS)
		return false;
	PK_GROW(known->length, (size_t)known->length_count + 1, known->length_alloc);
	known->length[known->length_count] = (struct pk_arg_length){len, *first, last};
	*first = known->length_count++;
	return true;
}

/* The piece, which is made if needed; 0 if there is no room. */
static uint32_t add_piece(struct pk_arg_known *known, uint32_t before, const char *s, uint32_t len,
			  uint32_t pattern)
{
	uint32_t tag = tag_of(before, s, len, pattern), slot;

	pk_index_reserve(&known->index);
	slot = find_slot(known, before, s, len, pattern, tag);
	if (known->index.slot[slot].id)
		return known->index.slot[slot].id;
	if (known->count == MOST_PIECES || !add_length(known, before, len, pattern))
		return 0;
	PK_GROW(known->piece, (size_t)known->count + 1, known->alloc);
	known->piece[known->count] = (struct pk_arg_piece){s, len, before, pattern, 0};
	pk_index_put(&known->index, slot, tag, known->count);
	return known->count++;
}

/* Makes row 0 of both tables, which is only used as the root. */
static void begin(struct pk_arg_known *known)
{
	known->piece = pk_calloc(known->alloc = 16, sizeof(*known->piece));
	known->length = pk_calloc(known->length_alloc = 16, sizeof(*known->length));
	known->count = known->length_count = 1;
}

void pk_arg_known_add(struct pk_arg_known *known, const struct pk_profile *p, uint32_t pattern)
{
	const char *s = pk_text(p, pattern), *end = s + p->string.len[pattern], *place;
	uint32_t at = 0;

	if (!known->count)
		begin(known);
	while ((place = memmem(s, (size_t)(end - s), "\"$[", 3))) {
		at = add_piece(known, at, s, (uint32_t)(place - s), 0);
		if (!at)
			return;
		s = memchr(place + 1, '"', (size_t)(end - place - 1));
		s++;
	}
	add_piece(known, at, s, (uint32_t)(end - s), pattern);
}

void pk_arg_known_release(struct pk_arg_known *known)
{
	free(known->piece);
	free(known->length);
	pk_index_release(&known->index);
}
