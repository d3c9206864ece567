#include "model/arg_known.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct pk_arg_piece {
	const char *text; /* in the profile's strings */
	uint32_t len;
	uint32_t child, next;
	uint32_t pattern; /* that ends with it; 0: a number follows */
};

/* Beyond these, objects are taken apart: so many pieces that may stand at one place, and all. */
enum { MOST_NEXT = 32, MOST_PIECES = 1 << 16 };

static bool begins_number(char c)
{
	return c == '-' || (uint8_t)(c - '0') <= 9;
}

static bool fits(const struct pk_arg_piece *piece, const char *s, size_t left)
{
	if (left < piece->len || memcmp(s, piece->text, piece->len) != 0)
		return false;
	return piece->pattern ? left == piece->len
			      : left > piece->len && begins_number(s[piece->len]);
}

/* The piece below `at` that comes next, which is put first there: what was seen last is likely to
 * be seen again. 0 = none. */
static uint32_t find_next(struct pk_arg_known *known, uint32_t at, const char *s, size_t left)
{
	struct pk_arg_piece *piece = known->piece;
	uint32_t *link = &piece[at].child, i;

	while ((i = *link) && !fits(&piece[i], s, left))
		link = &piece[i].next;
	if (i && i != piece[at].child) {
		*link = piece[i].next;
		piece[i].next = piece[at].child;
		piece[at].child = i;
	}
	return i;
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

static uint32_t new_piece(struct pk_arg_known *known, const char *text, size_t len)
{
	PK_GROW(known->piece, (size_t)known->count + 1, known->alloc);
	known->piece[known->count] = (struct pk_arg_piece){.text = text, .len = (uint32_t)len};
	return known->count++;
}

/* The piece below `at` that is this, made if there is none and room for it; 0: there is not. */
static uint32_t add_piece(struct pk_arg_known *known, uint32_t at, const char *text, size_t len,
			  bool last)
{
	uint32_t i, others = 0;

	for (i = known->piece[at].child; i; i = known->piece[i].next) {
		const struct pk_arg_piece *piece = &known->piece[i];

		if (piece->len == len && !piece->pattern == !last &&
		    !memcmp(piece->text, text, len))
			return i;
		others++;
	}
	if (others == MOST_NEXT || known->count == MOST_PIECES)
		return 0;
	i = new_piece(known, text, len);
	known->piece[i].next = known->piece[at].child;
	return known->piece[at].child = i;
}

void pk_arg_known_add(struct pk_arg_known *known, const struct pk_profile *p, uint32_t pattern)
{
	const char *s = pk_text(p, pattern), *end = s + p->string.len[pattern], *place;
	uint32_t at = 0;

	if (!known->count)
		new_piece(known, "", 0);
	while ((place = memmem(s, (size_t)(end - s), "\"$[", 3))) {
		at = add_piece(known, at, s, (size_t)(place - s), false);
		if (!at)
			return;
		s = memchr(place + 1, '"', (size_t)(end - place - 1));
		s++;
	}
	at = add_piece(known, at, s, (size_t)(end - s), true);
	known->piece[at].pattern = at ? pattern : 0;
}

void pk_arg_known_release(struct pk_arg_known *known)
{
	free(known->piece);
	memset(known, 0, sizeof(*known));
}
