#pragma once

#include "base/json/internal.h"

/*
 * Objects that come again and again have much the same text between their values. A phrase is what
 * stands behind a value, or a "{", up to the value of the next member, and perhaps that value:
 * a string or a number. From the same state the same text makes the same tokens, so that it is
 * compared and not read.
 *
 *	if (pk_json_same(&j, &phrase) >= phrase.len)
 *		pk_json_pass_key(&j, &phrase);            // the value is next
 *	else if (pk_json_learn(&j, &phrase))
 *		...                                       // the same; j.text is the key
 *	else
 *		pk_json_next_key(&j);                     // nothing was read
 */
enum { PK_JSON_PHRASE = 32 };

struct pk_json_phrase {
	uint8_t text[PK_JSON_PHRASE];
	uint8_t len;    /* up to the value; 0 = nothing is like it */
	uint8_t whole;  /* with the value */
	uint8_t needed; /* bytes to be equal for that; more than there are: no value is kept */
	uint8_t expect;
};

/* Of the phrase, how many bytes come next; 0, too, if that cannot be said quickly. */
static inline unsigned pk_json_same(const struct pk_json *j, const struct pk_json_phrase *p)
{
	const uint8_t *s = j->at;

	if (s >= j->fast || j->expect != p->expect)
		return 0;
#ifdef USE_SSE2
	__m128i a = _mm_loadu_si128((const __m128i *)(const void *)s);
	__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(s + 16));
	__m128i c = _mm_loadu_si128((const __m128i *)(const void *)p->text);
	__m128i d = _mm_loadu_si128((const __m128i *)(const void *)(p->text + 16));
	unsigned low = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, c));
	unsigned high = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(b, d));
	uint64_t differ = ~((uint64_t)high << 16 | low);

	return (unsigned)__builtin_ctzll(differ);
#else
	unsigned n = 0;

	while (n < PK_JSON_PHRASE && s[n] == p->text[n])
		n++;
	return n;
#endif
}

/* After pk_json_same gave p->len at least. */
static inline void pk_json_pass_key(struct pk_json *j, const struct pk_json_phrase *p)
{
	j->at += p->len;
	j->expect = VALUE;
	j->token = PK_JSON_KEY;
}

/* After it gave p->needed: the value is passed, too, and what follows it is next. */
static inline void pk_json_pass_member(struct pk_json *j, const struct pk_json_phrase *p)
{
	j->at += p->whole;
	j->expect = AFTER_MEMBER;
	j->token = PK_JSON_STRING;
}

/* If a key is next, short and plain: makes the phrase, without a value, and passes it; text and
 * len are the key. False: nothing was read. */
bool pk_json_learn(struct pk_json *j, struct pk_json_phrase *p);
/* After the value was read: keeps it, if it is short and plain. p is the phrase before it. */
void pk_json_learn_value(const struct pk_json *j, struct pk_json_phrase *p);
