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
	uint8_t len;   /* length up to the value; 0 = an empty phrase, which matches nothing */
	uint8_t whole; /* length with the value */
	/* bytes that must match for the value to be known; more than the phrase has if it has no
	 * value */
	uint8_t needed;
	uint8_t expect;
};

/* The number of bytes of the phrase that match the input; 0 also where this cannot be found
 * quickly. */
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

/* Skips the key. pk_json_same must have returned at least p->len. */
static inline void pk_json_pass_key(struct pk_json *j, const struct pk_json_phrase *p)
{
	j->at += p->len;
	j->expect = VALUE;
	j->token = PK_JSON_KEY;
}

/* Skips key and value. pk_json_same must have returned at least p->needed. */
static inline void pk_json_pass_member(struct pk_json *j, const struct pk_json_phrase *p)
{
	j->at += p->whole;
	j->expect = AFTER_MEMBER;
	j->token = PK_JSON_STRING;
}

/* If a short and plain key is next: reads it into text and len, and makes a phrase of it without a
 * value. Returns false if nothing was read. */
bool pk_json_learn(struct pk_json *j, struct pk_json_phrase *p);
/* Adds the value that was just read to the phrase p, if it is short and plain. */
void pk_json_learn_value(const struct pk_json *j, struct pk_json_phrase *p);
